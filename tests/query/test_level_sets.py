"""Sets of levels: the fast search beside one that sums all up anew, and thousands of levels in no time."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.level_sets import best_of_all, climbed, remaining

from bristlecone.query import distill
from bristlecone.query.distilling.level_sets import MOST_LEVELS, best_levels


@st.composite
def levels(draw, least, most):
    """Pairs of different levels, and masses that floats add up exactly."""
    k = draw(st.integers(least, most))
    level = st.integers(0, k - 1)
    pairs = draw(st.lists(st.tuples(level, level).filter(lambda ab: ab[0] != ab[1]), min_size=1, max_size=60))
    parts = np.array(draw(st.lists(st.integers(1, 8), min_size=k, max_size=k)))
    return np.array(pairs), parts / 128


@given(levels(2, 7))
def test_of_few_levels_the_best_set_is_taken(case):
    pairs, mass = case
    left = best_levels((pairs[:, 0], pairs[:, 1]), mass)
    assert 0 < left.sum() < len(mass)
    assert remaining(left, pairs, mass) == pytest.approx(best_of_all(pairs, mass), rel=1e-9)


@given(levels(MOST_LEVELS + 1, 16))
def test_of_many_levels_the_climb_is_the_slow_one(case):
    pairs, mass = case
    assert best_levels((pairs[:, 0], pairs[:, 1]), mass).tolist() == climbed(pairs, mass).tolist()


def test_thousands_of_levels_take_no_time():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"tail": [f"N{k}" for k in rng.integers(4000, size=8000)], "x": rng.random(8000)})
    started = time.process_time()
    found = distill(lambda X: X["tail"].str[-1].isin(["1", "3"]).to_numpy(), frame, max_leaves=8, random_state=0)
    assert time.process_time() - started < 20
    assert [c.growth for c in found.candidates] == ["gain", "influence"] * 2
