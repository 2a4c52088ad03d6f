"""The benchmarks run, on works small enough for a test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import kinds  # noqa: E402
import measure  # noqa: E402
import peers  # noqa: E402
import rounds  # noqa: E402
import tables  # noqa: E402
import works  # noqa: E402

SHAPES = {"W3a": 10, "W3b": 10, "W4": 16, "W6": 4, "W8": 10}


@pytest.mark.parametrize("work", works.WORKS.values(), ids=lambda work: str(work.name))
def test_a_work_is_the_same_for_the_same_seed(work: works.Work) -> None:
    X, y = work.data(400, seed=3)
    again, y_again = work.data(400, seed=3)
    assert np.array_equal(X, again) and np.array_equal(y, y_again)
    assert X.shape == (400, SHAPES.get(work.name, 20)) and y.shape == (400,)
    assert X.dtype == np.float64 and X.flags.c_contiguous
    assert work.regression or len(np.unique(y)) >= 2


@pytest.mark.parametrize("work", ["W3a", "W8"])
def test_columns_have_the_stated_number_of_values(work: str) -> None:
    X, _ = works.WORKS[work].data(30_000, seed=0)
    levels = works.LEVELS_W3 if work == "W3a" else works.LEVELS_W8
    assert [len(np.unique(X[:, column])) for column in range(len(levels))] == list(levels)


def run(*arguments: str) -> list[str]:
    command = [sys.executable, str(BENCHMARKS / "run.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def tables_of(lines: list[str]) -> dict[str, list[dict[str, str]]]:
    """The rows of each table by the heading above it; of several below one, the first."""
    found: dict[str, list[dict[str, str]]] = {}
    for section in "\n".join(lines).split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        table = "|" + text.partition("|")[2].partition("\n\n")[0]
        header, rule, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
        assert len(rule) == len(header)
        found[title] = [dict(zip(header, row, strict=True)) for row in rows]
    return found


def test_a_small_run_writes_the_tables(tmp_path: Path) -> None:
    output = tmp_path / "new" / "tables.md"
    options = ("--parts", "works", "--works", "W5", "--scale", "0.001", "--repeats", "1", "--threads", "1", "2")
    lines = run(*options, "--peers", "bristlecone", "scikit-learn", "--output", str(output))
    assert output.read_text().splitlines() == lines
    assert lines[-1].startswith("The whole run took ")
    found = tables_of(lines)
    assert [(row["library"], row["threads"]) for row in found["Works"]] == [
        ("bristlecone", "1"),
        ("scikit-learn", "1"),
        ("bristlecone", "2"),
    ]
    ours, sklearn, _ = found["Works"]
    assert ours["times ours"] == "1.00" and float(ours["fit s"]) > 0 and int(ours["leaves"]) > 1
    assert sklearn["same answers"] == "1.0000" and ours["rounds"] == "1"
    (summary,) = found["Ratios"]
    assert summary["scikit-learn"] == sklearn["times ours"] and summary["LightGBM"] == ""
    assert 0 < float(summary["accuracy or R2: ours"]) <= 1 and float(summary["our two threads"]) > 0


def test_a_peer_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers.ScikitLearn, "command", lambda *_: [sys.executable, "-c", "raise SystemExit('no luck')"])
    work = works.WORKS["W6"]
    found = rounds.outcomes(work, rounds.Plan(("scikit-learn", "bristlecone"), repeats=1))
    rows = list(tables.work_rows(work, found))
    assert rows[0][1:] == ["scikit-learn", "1", "failed: no luck"]
    assert rows[1][1] == "bristlecone" and float(rows[1][5]) > 0


def test_a_peer_that_does_not_end_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = [sys.executable, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(peers.Bristlecone, "command", lambda *_: endless)
    (outcome,) = rounds.outcomes(works.WORKS["W6"], rounds.Plan(("bristlecone",), limit=0.5))
    assert outcome.failure == "no answer within 0 s" and not outcome.runs


def test_a_pruning_is_chosen_where_folds_are_asked_for() -> None:
    pruned, grown = (works.WORKS[name].scaled(scale) for name, scale in (("W7b", 0.02), ("W1", 0.01)))
    leaves = []
    for work in (pruned, grown):
        X, y = work.data(work.rows, seed=0)
        peer = peers.Bristlecone(work, 1)
        leaves.append(peer.leaves(peer.grow(peer.prepare(X, y, None))))
    assert 1 < leaves[0] < leaves[1] / 4


def test_the_exponent_is_that_of_the_seconds() -> None:
    found = [rounds.Outcome(peers.Bristlecone(works.WORKS["W1"], 1)) for _ in range(4)]
    for outcome, size in zip(found, (10, 100, 1000), strict=False):
        outcome.runs.append(measure.Measurement(0.0, size**1.5, 0.0, 0.0, 0.0, 0.0, None))
    found[3].failure = "too large"
    rows = list(tables.series_rows([10, 100, 1000, 10_000], found))
    assert [row[2:] for row in rows] == [[""], ["1.50"], ["1.50"], [], ["1.50"]]
    assert rows[3] == ["10,000", "failed: too large"]


def test_answers_are_scored(tmp_path: Path) -> None:
    (outcome,) = rounds.outcomes(works.WORKS["W6"], rounds.Plan(("bristlecone",), repeats=1))
    assert outcome.learned == 0.0 and outcome.accuracy == 1.0 and outcome.same == 1.0 and outcome.held < 0.2
    assert outcome.input_bytes == 150 * 4 * 8


@pytest.mark.parametrize("work", [kind for pair in kinds.KINDS for kind in pair], ids=lambda work: str(work.name))
def test_a_kind_is_the_same_for_the_same_seed(work: works.Work) -> None:
    X, y = work.data(500, seed=3)
    again, y_again = work.data(500, seed=3)
    assert np.array_equal(X, again, equal_nan=True) and np.array_equal(y, y_again)
    assert 0.15 < np.isnan(X).mean() < 0.25 if work.name == "missing" else not np.isnan(X).any()
    weights = work.weights(500, seed=3)
    assert (weights is not None and 0.5 <= weights.min() < weights.max() <= 2) == work.weighted


@pytest.mark.slow
def test_every_part_runs_small() -> None:
    lines = run("--scale", "0.002", "--repeats", "1", "--threads", "1", "--peers", "bristlecone")
    found = tables_of(lines)
    assert sum(row["work"] != "" for row in found["Works"]) == sum(not work.folds for work in works.WORKS.values())
    assert len(found["Kinds"]) == 2 + len(kinds.KINDS)
    assert len(found["Exactness"]) == 7 and all(row["worse"] == "0" for row in found["Exactness"])
    assert not any("failed" in line for line in lines)
