"""`show` and `explain`: a saved tree in words."""

import re
from pathlib import Path

import pytest

from bristlecone.cli import page
from bristlecone.cli.show import _said


def test_show(bristlecone, model):
    out = bristlecone("show tree.json").out
    assert "classification of 'income', 2 classes; made from 10 rows" in out
    assert "2 leaves, depth 1, 3 columns, criterion gini" in out
    assert "├─ age < 41.5" in out and "gain" not in out


def test_show_details(bristlecone, people):
    assert bristlecone("fit people.csv -t income --holdout 0 --runners 2 -m m.json").code == 0
    out = bristlecone("show m.json --details").out
    assert "next best" in out and "gain" in out
    for words in ("missing cells: learn", "unseen levels: stop", "by bristlecone", "runners 2", "people.csv"):
        assert words in out


def test_show_depth(bristlecone, here):
    Path("s.csv").write_text("x,y\n" + "".join(f"{k / 2},{'ab'[k % 2]}\n" for k in range(40)))
    assert bristlecone("fit s.csv -t y --holdout 0 --prune none -m m.json").code == 0
    whole = bristlecone("show m.json").out
    assert "folded" not in whole and len(whole.splitlines()) > 70
    folded = bristlecone("show m.json --depth 1").out
    assert "folded" in folded and len(folded.splitlines()) < 12
    assert folded.endswith("--depth all prints the whole tree.\n")
    assert bristlecone("show m.json --depth all").out == whole
    for wrong in ("-1", "deep", "1.5", ""):
        found = bristlecone("show", "m.json", "--depth", wrong)
        assert (
            found.code == 2 and "--depth" in found.err and "neither a whole number of at least 0 nor 'all'" in found.err
        )


def test_a_terminal_gets_what_fits_it(bristlecone, here, monkeypatch):
    Path("s.csv").write_text("x,y\n" + "".join(f"{k / 2},{'ab'[k % 2]}\n" for k in range(400)))
    assert bristlecone("fit s.csv -t y --holdout 0 --prune none -m m.json").code == 0
    monkeypatch.setattr(page, "terminal_lines", lambda: 40)
    seen = bristlecone("show m.json").out
    assert len(seen.splitlines()) < 50 and re.search(r"of 400 leaves are folded", seen)
    assert "--depth all prints the whole tree." in seen and "folded" not in bristlecone("show m.json --depth all").out
    monkeypatch.setattr(page, "terminal_lines", lambda: None)
    assert "folded" not in bristlecone("show m.json").out


def test_c55_a_tree_of_one_leaf_and_a_deep_one(bristlecone, here):
    Path("flat.csv").write_text("x,y\n1,a\n1,b\n1,a\n")
    assert bristlecone("fit flat.csv -t y --holdout 0 -m m.json").code == 0
    assert "1 leaf, depth 0" in bristlecone("show m.json").out
    n = 300
    rows = [",".join("1" if j == i else "0" for j in range(n)) for i in range(n)]
    Path("deep.csv").write_text(
        ",".join(f"c{j}" for j in range(n)) + ",y\n" + "".join(f"{r},{i}\n" for i, r in enumerate(rows))
    )
    assert bristlecone("fit deep.csv -t y --task classification --holdout 0 --prune none -m m.json").code == 0
    assert "depth 299" in bristlecone("show m.json --depth 3").out
    assert bristlecone("explain m.json deep.csv --row 300").out.startswith("Row 300 gets 299")


def test_explain_counts_rows_from_one(bristlecone, model):
    out = bristlecone("explain tree.json people.csv --row 1").out
    assert out.startswith("Row 1 gets low (100") and "age is 23, so age < 41.5" in out
    assert bristlecone("explain tree.json people.csv --row 10").out.startswith("Row 10 gets high (100")


def test_explain_says_where_an_unknown_level_stops(bristlecone, here):
    Path("jobs.csv").write_text("job,y\nclerk,low\nclerk,low\ndoctor,high\ndoctor,high\n")
    assert bristlecone("fit jobs.csv -t y --holdout 0 -m m.json").code == 0
    Path("new.csv").write_text("job\nclerk\nbaker\n")
    assert "not among the levels known" in bristlecone("explain m.json new.csv --row 2").out


@pytest.mark.parametrize(
    ("held", "words"),
    [({"a": 1, "b": None, "c": {"d": "x"}}, "a 1, c (d x)"), ({}, ""), (3, "3")],
)
def test_how_it_was_made_in_words(held, words):
    assert _said(held) == words
