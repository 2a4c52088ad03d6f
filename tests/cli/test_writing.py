"""Whether a file can be put where an option says."""

import os
from pathlib import Path

import pytest

from bristlecone.cli.faults import Fault
from bristlecone.cli.writing import check_writable, is_stream


def test_devices_are_streams(tmp_path):
    assert is_stream(Path(os.devnull))
    assert not is_stream(tmp_path) and not is_stream(tmp_path / "none")


def test_what_cannot_be_written_is_told_first(tmp_path, monkeypatch):
    with pytest.raises(Fault, match="is a directory"):
        check_writable(tmp_path)
    with pytest.raises(Fault, match="there is no directory"):
        check_writable(tmp_path / "none" / "out.csv")
    check_writable(tmp_path / "out.csv")
    monkeypatch.setattr(os, "access", lambda *a: False)  # root may write anywhere
    with pytest.raises(Fault, match="no permission to write in"):
        check_writable(tmp_path / "out.csv")
    (tmp_path / "old.csv").write_text("")
    with pytest.raises(Fault, match="no permission to change it"):
        check_writable(tmp_path / "old.csv")
