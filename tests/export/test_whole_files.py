"""Files appear whole or not at all."""

import os

import pytest

from bristlecone.export.writing import whole_file


def test_written_when_all_went_well(tmp_path):
    path = tmp_path / "out.csv"
    with whole_file(path) as draft:
        draft.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_an_error_leaves_the_old_file_and_no_draft(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("old")
    with pytest.raises(RuntimeError), whole_file(path) as draft:
        draft.write_text("hal")
        raise RuntimeError
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_ctrl_c_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "out.csv") as draft:
        draft.write_text("hal")
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == []


def test_links_and_permissions_stay(tmp_path):
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    with whole_file(link) as draft:
        draft.write_text("new")
    assert link.is_symlink() and real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_place_that_cannot_be_written_is_named_and_not_the_draft(tmp_path):
    path = tmp_path / "no such folder" / "out.csv"
    with pytest.raises(FileNotFoundError) as caught, whole_file(path):
        pass
    assert caught.value.filename == str(path)
