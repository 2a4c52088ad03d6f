"""`reproduce`: the list, what it refuses, and small runs."""

import csv
import sys
from pathlib import Path

import pytest

from bristlecone.experiments.registry import EXPERIMENTS


@pytest.fixture(autouse=True)
def no_folder(monkeypatch):
    """No set but those that scikit-learn ships."""
    monkeypatch.delenv("BRISTLECONE_DATA", raising=False)


def test_the_list_has_a_line_for_each_with_its_source(bristlecone):
    outcome = bristlecone("reproduce")
    assert outcome.code == 0 and outcome.err == ""
    lines = outcome.out.splitlines()
    assert [line.split()[0] for line in lines] == list(EXPERIMENTS)
    assert all(one.source in line for one, line in zip(EXPERIMENTS.values(), lines, strict=True))
    assert {"pacbayes-table2", "pacbayes-figure2", "pacbayes-rates", "vote-sizes", "pruning-sizes"} <= set(EXPERIMENTS)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("pacbayes-tabel2", "did you mean 'pacbayes-table2'"),
        ("xyz", "there are 'pacbayes-table2'"),
        ("pacbayes-table2 --sets spamm", "pacbayes-table2 has no set 'spamm'; did you mean 'spam'"),
        ("pacbayes-rates --sets spam", "takes no --sets"),
        ("pruning-sizes --protocol paper", "takes no --protocol"),
        ("pacbayes-table2 --protocol text", "'text'"),
        ("pacbayes-table2 --splits 0", "--splits"),
        ("pacbayes-table2 --splits many", "'many'"),
        ("pacbayes-table2 --out nowhere", "cannot write into 'nowhere': it is not a directory"),
        ("pacbayes-table2 --sets spam,letter", "every set was skipped"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(words, said, bristlecone, here):
    outcome = bristlecone(f"reproduce {words}")
    assert outcome.code == 2 and outcome.out == "" and said in outcome.err
    assert outcome.err.splitlines()[-1].startswith("bristlecone: ") and "Traceback" not in outcome.err
    assert list(here.iterdir()) == []


def test_a_file_in_the_way_is_named_before_the_work(bristlecone, here):
    (here / "pacbayes-table2.png").mkdir()
    bristlecone("reproduce pacbayes-table2 --quick").refused("cannot write 'pacbayes-table2.png'", "directory")


def test_skipped_sets_are_named_on_standard_error(bristlecone, here):
    outcome = bristlecone("reproduce pacbayes-table2 --sets iris,spam --splits 1 --protocol paper")
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "iris done",
        "skipped spam: BRISTLECONE_DATA names no folder; --download FOLDER fetches it from the UCI archive",
    ]


def test_a_quick_table(bristlecone, here):
    outcome = bristlecone("reproduce pacbayes-table2 --quick --out .")
    assert outcome.code == 0
    assert 'Protocol "paper"' in outcome.out and 'Protocol "code"' in outcome.out
    assert sorted(path.name for path in here.iterdir()) == ["pacbayes-table2.csv", "pacbayes-table2.png"]
    rows = list(csv.DictReader(Path("pacbayes-table2.csv").read_text(encoding="utf-8").splitlines()))
    # Protocols, bases, splits; four methods where there are two classes.
    assert len(rows) == 2 * 2 * 2 * (4 + 3 + 3)
    assert {row["set"] for row in rows} == {"tumours", "cultivars", "iris"}
    assert all(0 <= float(row["error"]) < 0.7 and int(row["leaves"]) >= 1 and row["chosen"] for row in rows)
    assert Path("pacbayes-table2.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name != "pacbayes-table2"])
def test_every_experiment_runs_small(name, bristlecone, here):
    small = "tumours" if name == "certificates" else "iris"
    words = ["--sets", small] if EXPERIMENTS[name].sets else []
    outcome = bristlecone("reproduce", name, "--quick", "--splits", "2", *words)
    assert outcome.code == 0, outcome.err
    assert {path.name for path in here.iterdir()} == set(EXPERIMENTS[name].writes)
    assert "| " in outcome.out


def test_a_lacking_package_is_told_before_the_work(bristlecone, here, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    bristlecone("reproduce pacbayes-rates --quick").refused("experiments need matplotlib", "bristlecone[experiments]")
