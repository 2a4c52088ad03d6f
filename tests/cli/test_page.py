"""Words and numbers as people write them."""

import sys

import pytest

from bristlecone.cli import page
from bristlecone.cli.faults import label
from bristlecone.cli.options import Missing, Task, Unseen
from bristlecone.tree.validation import MISSING, TASKS, UNSEEN


@pytest.mark.parametrize(
    ("fraction", "text"),
    [
        (0.0, "0%"),
        (1.0, "100%"),
        (0.125, "12.5%"),
        (1 / 3, "33.3%"),
        (0.0005, "0.1%"),
        (0.0001, "0.01%"),
        (0.99999, "99.9990%"),
    ],
)
def test_shares_tell_little_from_nothing(fraction, text):
    assert page.share(fraction) == text


@pytest.mark.parametrize(
    ("passed", "text"), [(0.0, "1 ms"), (0.0123, "12 ms"), (1.25, "1.2 s"), (59.9, "59.9 s"), (125.0, "2 min 5 s")]
)
def test_durations(passed, text):
    assert page.seconds(passed) == text


def test_counts():
    assert page.count(1, "row") == "1 row"
    assert page.count(2000, "leaf", "leaves") == "2,000 leaves"


@pytest.mark.parametrize(("value", "text"), [("no", "'no'"), (1, "1"), (1.0, "1"), (True, "true"), (0.5, "0.5")])
def test_labels(value, text):
    assert label(value) == text


def test_long_paragraphs_hang(capsys):
    page.show([("Label", "word " * 60), ("", "more")], "body")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Label      word") and lines[1].startswith("           word")
    assert max(map(len, lines)) <= 100
    assert lines[-3:] == ["           more", "", "body"]


def test_labels_are_bold_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.delenv("NO_COLOR", raising=False)
    page.show([("Label", "text")], "A body")
    out = capsys.readouterr().out
    assert "\x1b[1mLabel" in out and "text" in out and "\x1b[1mA body" not in out


def test_the_terminal_sets_the_width(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for columns, width in (("20", 60), ("90", 89), ("400", 140)):
        monkeypatch.setenv("COLUMNS", columns)
        assert page.width() == width
    monkeypatch.setenv("LINES", "33")
    assert page.terminal_lines() == 33


def test_the_words_of_options_are_those_of_trees():
    for words, option in ((TASKS, Task), (MISSING, Missing), (UNSEEN, Unseen)):
        assert words == tuple(choice.value for choice in option)
