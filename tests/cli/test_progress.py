"""Long work is heard and seen."""

import sys
import threading
import time

import pytest

from bristlecone.cli import progress
from bristlecone.cli.progress import visibly, work_remains


def test_result_and_errors_come_back():
    assert visibly("adding", lambda: 1 + 1) == 2
    with pytest.raises(ValueError, match="wrong"):
        visibly("failing", lambda: (_ for _ in ()).throw(ValueError("wrong")))
    assert not work_remains()


def test_short_work_and_pipes_see_no_bar(capsys, monkeypatch):
    visibly("quick", lambda: None)
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    visibly("slow", lambda: time.sleep(0.2))
    assert capsys.readouterr() == ("", "")


def test_a_terminal_sees_the_bar_of_long_work(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    visibly("growing the tree", lambda: time.sleep(0.3))
    out, err = capsys.readouterr()
    assert out == "" and "growing the tree" in err


def test_work_given_up_is_known_to_run_on(monkeypatch):
    release = threading.Event()
    monkeypatch.setattr(progress.time, "monotonic", lambda: (_ for _ in ()).throw(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        visibly("long", lambda: release.wait(10))
    assert work_remains()
    release.set()
    for _ in range(100):
        if not work_remains():
            return
        release.wait(0.01)
        threading.Event().wait(0.01)
    raise AssertionError("the worker did not end")
