"""Rows held out, and errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bristlecone.cli.faults import Fault
from bristlecone.cli.holdout import hold_out
from bristlecone.report.measure import class_error, number_error


@given(n=st.integers(2, 300), fraction=st.floats(0.001, 0.999), seed=st.integers(0, 2**32 - 1))
def test_every_row_is_on_one_side(n, fraction, seed):
    split = hold_out(n, fraction, seed)
    assert sorted([*split.growing, *split.held_out]) == list(range(n))
    assert len(split.growing) >= 1 and len(split.held_out) >= 1
    assert abs(len(split.held_out) - n * fraction) <= 1
    again = hold_out(n, fraction, seed)
    assert np.array_equal(split.held_out, again.held_out)


def test_the_rows_of_a_seed_are_pinned():
    assert hold_out(10, 0.3, 0).held_out.tolist() == [2, 4, 8]
    assert hold_out(10, 0.3, 7).held_out.tolist() != [2, 4, 8]


def test_no_rows_held_out():
    split = hold_out(5, 0.0, 0)
    assert split.growing.tolist() == [0, 1, 2, 3, 4] and len(split.held_out) == 0


@pytest.mark.parametrize(("n", "fraction"), [(10, 1.0), (1, 0.2)])
def test_refusals(n, fraction):
    with pytest.raises(Fault, match="holdout"):
        hold_out(n, fraction, 0)


def test_class_error_counts_weight():
    y, answers = np.array(["a", "b", "b"]), np.array(["a", "a", "b"])
    assert class_error(y, answers, "b", None).tree == pytest.approx(1 / 3)
    error = class_error(y, answers, "b", np.array([1.0, 2.0, 1.0]))
    assert (error.tree, error.constant) == (0.5, 0.25)


def test_number_error():
    y = np.array([0.0, 2.0, 4.0])
    error = number_error(y, np.array([0.0, 2.0, 1.0]), 2.0, None)
    assert error.tree == pytest.approx(np.sqrt(3.0))
    assert error.constant == pytest.approx(np.sqrt(8 / 3))
    assert error.r2 == pytest.approx(1 - 9 / 8)


def test_number_error_of_huge_targets_does_not_overflow():
    y = np.array([1e200, -1e200])
    error = number_error(y, y * 0.5, 0.0, None)
    assert error.tree == pytest.approx(5e199) and error.r2 == pytest.approx(0.75)


def test_r2_without_spread_is_nan():
    y = np.array([1.0, 1.0])
    assert np.isnan(number_error(y, y, 1.0, None).r2)
