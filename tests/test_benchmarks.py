"""The benchmarks run, on works small enough for a test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import works  # noqa: E402

SHAPES = {"W3a": 10, "W3b": 10, "W4": 16, "W6": 4, "W8": 10}


@pytest.mark.parametrize("work", works.WORKS.values(), ids=lambda work: str(work.name))
def test_a_work_is_the_same_for_the_same_seed(work: works.Work) -> None:
    X, y = work.data(400, seed=3)
    again, y_again = work.data(400, seed=3)
    assert np.array_equal(X, again) and np.array_equal(y, y_again)
    assert X.shape == (400, SHAPES.get(work.name, 20)) and y.shape == (400,)
    assert X.dtype == np.float32 and X.flags.c_contiguous
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


def test_a_small_run_writes_the_table(tmp_path: Path) -> None:
    output = tmp_path / "table.md"
    options = ("--works", "W5", "--rows", "300", "--repeats", "2", "--peers", "bristlecone", "scikit-learn")
    lines = run(*options, "--output", str(output))
    assert output.read_text().splitlines() == lines
    assert lines[0].startswith("Threads: 1. Repetitions: 2, interleaved")
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    header, rule, *rows = table
    assert len(rule) == len(header) and all(len(row) == len(header) for row in rows)
    assert [row[1] for row in rows] == ["bristlecone", "scikit-learn"]
    ours = dict(zip(header, rows[0], strict=True))
    assert ours["times ours"] == "1.00" and float(ours["fit s"]) > 0 and int(ours["leaves"]) > 1


@pytest.mark.slow
def test_every_work_runs_small() -> None:
    lines = run("--rows", "1500", "--repeats", "1", "--peers", "bristlecone", "scikit-learn")
    assert sum(line.startswith("| W") for line in lines) == len(works.WORKS) - 1
