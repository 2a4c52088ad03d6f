"""Both ways of searching a node find the same tree, on tables that small random data do not reach."""

import numpy as np
import pytest

from bristlecone import grow
from bristlecone.table import as_table

WAYS = {"histograms": 0, "lists": 10**9}


def trees(X, y, **options):
    return {name: grow.cart(X, y, _small_node=rows, **options) for name, rows in WAYS.items()}


def wide(rng, n, place):
    """A column of 300 levels, which has no histogram, at a place among columns that have one."""
    columns = [rng.integers(0, 5, n).astype(float), rng.standard_normal(n)]
    columns.insert(place, rng.integers(0, 300, n).astype(float))
    return np.column_stack(columns)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "poisson"])
def test_a_column_of_many_levels_leaves_its_neighbours_alone(criterion, place):
    rng = np.random.default_rng(place)
    X = wide(rng, 3000, place)
    signal = 2 * X[:, 0 if place else 1]
    y = signal > 3 if criterion in ("gini", "entropy") else signal + rng.random(3000)
    found = trees(X, y, criterion=criterion, categorical_features=[place], max_depth=6)
    assert found["histograms"].equals(found["lists"])


def test_three_classes_beside_a_column_of_many_levels():
    rng = np.random.default_rng(3)
    X = wide(rng, 3000, 0)
    found = trees(X, X[:, 1] // 2, categorical_features=[0], max_depth=4)
    assert found["histograms"].equals(found["lists"])
    assert (found["histograms"].predict(X) == X[:, 1] // 2).all()


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_runners_up_are_exact_too(criterion):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((2000, 5))
    y = X @ np.arange(5.0) + rng.standard_normal(2000)
    found = trees(X, y if criterion == "squared_error" else y > 0, criterion=criterion, max_depth=3, n_runners=4)
    for ours, theirs in zip(found["histograms"].runners, found["lists"].runners, strict=True):
        assert [(column, threshold) for column, threshold, *_ in ours] == [
            (column, threshold) for column, threshold, *_ in theirs
        ]
        np.testing.assert_allclose([split[3] for split in ours], [split[3] for split in theirs], rtol=1e-9)


def test_a_table_changed_behind_our_back_does_not_hang():
    X = np.random.default_rng(5).standard_normal((6000, 2))
    table = as_table(X)
    y = X[:, 0].copy()
    grow.cart(table, y, criterion="squared_error", max_depth=3)
    X *= -1  # what was learned of the columns is wrong now: growth must still come to an end
    try:
        assert grow.cart(table, y, criterion="squared_error").n_leaves > 1
    except RuntimeError as error:
        assert "changed" in str(error)


def test_medians_do_not_depend_on_the_unit_of_the_weights():
    y = np.array([3, 5, 7, 6, 7, 0, 7, 3, 7, 4, 5, 0.0])
    w = np.array([1, 5, 2, 4, 5, 3, 5, 3, 1, 1, 3, 1.0])
    X = np.zeros((12, 1))
    answers = {
        grow.cart(X, y, criterion="absolute_error", sample_weight=w * unit).prediction[0] for unit in (1, 0.1, 3)
    }
    assert answers == {5.0}


def test_best_first_order_does_not_depend_on_the_unit_of_the_target():
    rng = np.random.default_rng(6)
    X = rng.standard_normal((300, 3))
    y = np.round(X[:, 0] * 3 + X[:, 1] ** 2)
    leaves = [
        grow.cart(X, np.ldexp(y, e), criterion="squared_error", max_leaf_nodes=6).apply(X) for e in (0, -545, 300)
    ]
    assert (leaves[0] == leaves[1]).all() and (leaves[0] == leaves[2]).all()
