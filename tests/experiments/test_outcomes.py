"""Ratios with their standard errors, tables and files."""

import csv
import math
from dataclasses import dataclass

import numpy as np
import pytest

from bristlecone.experiments.outcomes import Outcome, grouped, markdown, ratio, write_rows


def outcome(**given):
    base = {"set": "s", "base": "cart", "protocol": "", "split": 0, "rows": 9, "method": "m", "error": 0.125}
    return Outcome(**(base | {"leaves": 3, "chosen": "", "seconds": 0.5} | given))


def test_a_ratio_is_that_of_the_means():
    found = ratio([0.1, 0.3], [0.2, 0.3])
    assert found.value == pytest.approx(0.8, rel=1e-12)
    # Residuals 0.1 - 0.8 * 0.2 = -0.06 and 0.3 - 0.8 * 0.3 = 0.06; their standard error over the lower mean.
    assert found.error == pytest.approx(math.sqrt(2 * 0.06**2) / math.sqrt(2) / 0.25, rel=1e-12)
    assert str(found) == "0.800 ± 0.240" and str(ratio([0.1], [0.2])) == "0.500"


def test_the_standard_error_is_the_spread_of_the_ratio_over_samples():
    rng = np.random.default_rng(0)
    below = rng.uniform(0.2, 0.3, size=(4000, 25))
    above = 0.9 * below + rng.normal(0, 0.02, size=below.shape)
    found = [ratio(a, b) for a, b in zip(above, below, strict=True)]
    spread = np.std([one.value for one in found])
    assert np.sqrt(np.mean([one.error**2 for one in found])) == pytest.approx(spread, rel=0.05)


def test_equal_figures_have_the_ratio_one_without_error():
    found = ratio([0.2, 0.3, 0.1], [0.2, 0.3, 0.1])
    assert (found.value, found.error) == (1.0, 0.0)


def test_ratios_that_do_not_exist():
    assert math.isnan(ratio([0.1, 0.2], [0.0, 0.0]).value)
    assert math.isnan(ratio([0.1], [0.2]).error) and ratio([0.1], [0.2]).value == 0.5
    with pytest.raises(ValueError, match="pairs, got 1 figures over 2"):
        ratio([0.1], [0.1, 0.2])
    with pytest.raises(ValueError, match="pairs"):
        ratio([], [])


def test_groups_keep_their_order():
    assert grouped("bananas", lambda letter: letter) == {
        "b": ["b"],
        "a": ["a", "a", "a"],
        "n": ["n", "n"],
        "s": ["s"],
    }


def test_a_table():
    assert markdown(["a", "b"], [[1, "x"]]) == "| a | b |\n|---|---|\n| 1 | x |"


def test_rows_are_written_with_date_and_version(tmp_path):
    write_rows(tmp_path / "rows.csv", [outcome(chosen="a=1, b=2"), outcome(error=1 / 3)], extra="e")
    rows = list(csv.DictReader((tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["error"] for row in rows] == ["0.125", "0.333333"]
    assert rows[0]["chosen"] == "a=1, b=2" and rows[0]["extra"] == "e"
    assert {"date", "version", "set", "base", "protocol", "split", "method", "leaves", "seconds"} <= set(rows[0])


def test_nothing_to_write_is_said(tmp_path):
    with pytest.raises(ValueError, match="every set was skipped"):
        write_rows(tmp_path / "rows.csv", [])
    assert list(tmp_path.iterdir()) == []


def test_half_written_rows_are_not_left(tmp_path):
    @dataclass
    class Bad:
        value: object

    class Unprintable:
        def __str__(self):
            raise RuntimeError("no")

    (tmp_path / "rows.csv").write_text("before")
    with pytest.raises(RuntimeError):
        write_rows(tmp_path / "rows.csv", [Bad(1), Bad(Unprintable())])
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]
    assert (tmp_path / "rows.csv").read_text() == "before"
