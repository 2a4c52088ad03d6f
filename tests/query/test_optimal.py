"""The smallest tree: against trying everything, and greed against it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from query.boolean_functions import SETTINGS, as_array, dist_of, error_of, functions
from reference import boolean as twin

from bristlecone.query import (
    ProductDistribution,
    average_depth,
    build_top_down,
    delta_star,
    optimal_tree,
    size_bounds,
    targets,
)


@settings(SETTINGS, max_examples=20)
@given(functions(most=3), st.sampled_from([0.0, 0.02, 0.1, 0.3]))
def test_no_tree_is_smaller_or_of_the_same_size_better(function, epsilon):
    table, p = function
    dist = dist_of(p)
    found = optimal_tree(as_array(table), dist, epsilon)
    front = twin.front(table, p, {}, 2 ** len(p))
    size = next(k for k, error in enumerate(front, 1) if error <= epsilon)
    assert found.size == size
    assert found.error == pytest.approx(float(front[size - 1]), abs=1e-15)


@SETTINGS
@given(functions(most=6), st.sampled_from([0.0, 0.1]))
def test_the_tree_is_what_is_said_of_it(function, epsilon):
    table, p = function
    dist = dist_of(p)
    found = optimal_tree(as_array(table), dist, epsilon)
    assert error_of(found.tree, as_array(table), dist) == pytest.approx(found.error, abs=1e-14)
    assert found.error <= epsilon + 1e-15
    assert found.average_depth == average_depth(found.tree, dist)
    assert found.size <= build_top_down(as_array(table), dist, epsilon).size


def test_known_optima():
    for target, size in (
        (targets.parity([0, 1, 2], 5), 8),
        (targets.chain(8, 7), 8),
        (targets.balanced(3, 7), 8),
        (targets.monotone_dnf([[0, 1, 2, 3]], 4), 5),
    ):
        for given_as in (target.table, target.tree):
            assert optimal_tree(given_as, ProductDistribution([0.3] * target.n)).size == size


def test_the_proved_bound_holds_where_it_can_be_computed():
    rng = np.random.default_rng(0)
    for n in (3, 4, 5):
        for _ in range(4):
            dist = ProductDistribution(rng.uniform(0.1, 0.9, n))
            table = (rng.random(1 << n) < 0.2).astype(int)
            best = optimal_tree(table, dist)
            star = delta_star(best.tree, dist).value
            for epsilon in (0.02, 0.1):
                bounds = size_bounds(best.depth, best.average_depth, epsilon, delta_star=star)
                assert build_top_down(table, dist, epsilon).size <= bounds.proved * (1 + 1e-9)


def test_av_c7_bounds():
    assert size_bounds(3, 3, 0.15).printed == pytest.approx(210779808511, rel=1e-11)
    assert size_bounds(4, 4, 0.1).printed == pytest.approx(8.88611052051e22, rel=1e-11)
    path = size_bounds(5, 31 / 16, 0.1, delta_star=31 / 16)
    assert path.printed == pytest.approx(8055823704.94, rel=1e-11)
    assert path.proved == path.printed  # uniform path trees: Delta* = Delta
    assert delta_star(targets.chain(6, 5).tree, ProductDistribution([0.5] * 5)).value == 31 / 16
    assert size_bounds(3, 3, 0.15, factor=4).printed == pytest.approx(210779808511.0**4, rel=1e-10)
    assert size_bounds(200, 200, 0.01).printed == np.inf
    assert size_bounds(0, 0, 0.1) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 3, 0.0), "epsilon"),
        ((3, 4, 0.1), "average_depth <= delta_star"),
        ((-1, 0, 0.1), "depth must be a whole number"),
        ((3, "a", 0.1), "average_depth must be a number"),
        ((3, float("nan"), 0.1), "average_depth <= delta_star"),
        ((float("inf"), 2, 0.1), "depth must be a whole number"),
        ((3, 2, "a"), "epsilon must be a number"),
    ],
)
def test_bounds_of_impossible_numbers(arguments, message):
    with pytest.raises(ValueError, match=message):
        size_bounds(*arguments)
    with pytest.raises(ValueError, match="factor"):
        size_bounds(3, 3, 0.1, factor=0.5)
    with pytest.raises(ValueError, match="factor"):
        size_bounds(3, 3, 0.1, factor=float("nan"))
    assert size_bounds(1, 0, 0.1) == (1.0, np.exp(1.0))


def test_thirteen_variables_are_too_many():
    with pytest.raises(ValueError, match="at most 12 variables, got 13"):
        optimal_tree(targets.chain(5, 13).tree, ProductDistribution([0.5] * 13))


def test_twelve_variables():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 2, 1 << 12)
    dist = ProductDistribution(rng.uniform(0.2, 0.8, 12))
    found = optimal_tree(table, dist, 0.2)
    assert found.error <= 0.2 and found.size < build_top_down(table, dist, 0.2).size
