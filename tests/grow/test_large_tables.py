"""Tables large enough for parts of their own, for several threads, and for bins with many values in them."""

import numpy as np
import pytest

from bristlecone import grow

ROWS, COLUMNS = 60_000, 24  # more than a million cells


def large_table(seed):
    """Normal, heavy-tailed, rounded and categorical columns, a few cells missing."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((ROWS, COLUMNS))
    X[:, 1] = rng.standard_cauchy(ROWS)
    X[:, 2] = np.exp(3 * X[:, 2])
    X[:, 3] = np.round(X[:, 3], 1)
    X[:, 4] = rng.integers(0, 7, ROWS)
    X[:, 5] = rng.integers(0, 300, ROWS)
    X[:, 6] = 1e9 + np.round(X[:, 6] * 1e4)
    X[rng.random(ROWS) < 0.05, 7] = np.nan
    signal = X[:, 0] * X[:, 8] + np.sin(X[:, 3]) + (X[:, 4] == 2) + 0.3 * (X[:, 5] % 5) + rng.standard_normal(ROWS)
    return X, signal, rng


def target(criterion, signal, rng):
    if criterion == "squared_error":
        return signal + 30 * (rng.random(ROWS) < 1e-3)  # a few rows far out
    if criterion == "poisson":
        return rng.poisson(np.exp(signal / 2)).astype(float)
    if criterion == "sqrt":
        return np.digitize(signal, [-1, 0, 1, 2])
    return signal > 1


@pytest.mark.parametrize("weights", [None, "counts", "real"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt", "squared_error", "poisson"])
def test_histograms_find_what_lists_find_and_threads_change_nothing(criterion, weights):
    X, signal, rng = large_table(1)
    y = target(criterion, signal, rng)
    w = {None: None, "counts": rng.integers(0, 4, ROWS), "real": rng.random(ROWS)}[weights]
    options = {"criterion": criterion, "sample_weight": w, "max_depth": 5, "categorical_features": [4, 5]}
    chosen = grow.cart(X, y, **options)
    for threads in (2, 4):
        assert chosen.equals(grow.cart(X, y, n_jobs=threads, **options))
    by_lists = grow.cart(X, y, _small_node=10**9, **options)
    assert chosen.feature.tolist() == by_lists.feature.tolist()
    assert chosen.threshold[chosen.feature >= 0].tolist() == pytest.approx(
        by_lists.threshold[by_lists.feature >= 0].tolist(), rel=0, abs=0, nan_ok=True
    )


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_a_whole_tree_is_the_same_for_every_number_of_threads(criterion):
    X, signal, rng = large_table(2)
    y = target(criterion, signal, rng)
    options = {"criterion": criterion, "categorical_features": [4, 5], "min_samples_leaf": 3}
    one = grow.cart(X, y, **options)
    assert all(one.equals(grow.cart(X, y, n_jobs=threads, **options)) for threads in (2, 3))
    best_first = options | {"max_leaf_nodes": 200}
    assert grow.cart(X, y, **best_first).equals(grow.cart(X, y, n_jobs=2, **best_first))


def test_float32_and_column_order_give_the_tree_of_float64():
    X, signal, rng = large_table(3)
    X = X.astype(np.float32)
    y = target("gini", signal, rng)
    trees = [grow.cart(given, y, max_depth=6) for given in (X, X.astype(np.float64), np.asfortranarray(X))]
    assert trees[0].equals(trees[1]) and trees[0].equals(trees[2])
