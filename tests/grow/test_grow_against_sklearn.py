"""Every split of ours gains what scikit-learn's stump gains on the node's rows; where it is more, a test says why.

Whole trees are not compared: scikit-learn's changes with its seed through ties. The data are multiples of 1/8, which
its 32-bit columns hold exactly.
"""

from __future__ import annotations

import numpy as np
import pytest
from reference.stump import SHARED_CRITERIA, stump_gain

from bristlecone import grow

TREES = 200


def random_task(seed: int, criterion: str, missing: bool, weighted: bool):
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(20, 90))
    X = rng.integers(-8, 9, (n_rows, 4)) / rng.choice([1, 8], 4)
    X[:, 3] = rng.integers(0, 2, n_rows)
    if missing:
        X[rng.random(X.shape) < rng.choice([0.05, 0.4])] = np.nan
    signal = np.nan_to_num(X[:, 0]) + 2 * np.nan_to_num(X[:, 3]) + rng.normal(size=n_rows)
    if criterion in ("gini", "entropy"):
        y = np.digitize(signal, np.quantile(signal, [0.3, 0.7]))
    else:
        y = np.floor(np.abs(signal)) + (criterion == "poisson") * rng.integers(0, 2, n_rows)
    return X, y, rng.integers(1, 5, n_rows).astype(float) if weighted else None


def check_every_node(tree, X, y, weights, min_samples_leaf):
    path = tree.decision_path(X).tocsc()
    for node in range(tree.n_nodes):
        rows = path[:, [node]].indices
        gain = stump_gain(
            X[rows], y[rows], None if weights is None else weights[rows], tree.criterion, min_samples_leaf
        )
        if tree.children_left[node] < 0:
            # The leaf is pure, or no split leaves enough rows on both sides.
            assert gain is None, f"scikit-learn splits leaf {node}, gaining {gain}"
        else:
            assert gain is not None, f"scikit-learn does not split node {node}"
            assert tree.gain(node) == pytest.approx(gain, rel=1e-9, abs=1e-12 * tree.impurity[node])


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("missing", [False, True], ids=["complete", "missing"])
@pytest.mark.parametrize("criterion", SHARED_CRITERIA)
def test_every_node_gains_what_a_stump_gains(criterion, missing, weighted, regimes):
    for seed in range(TREES // (4 * len(SHARED_CRITERIA))):
        X, y, weights = random_task(seed, criterion, missing, weighted)
        leaf = seed % 3 + 1
        options = {"criterion": criterion, "sample_weight": weights, "min_samples_leaf": leaf}
        tree, *others = (grow.cart(X, y, **options, **regime) for regime in regimes)
        assert all(tree.equals(other) for other in others)
        check_every_node(tree, X, y, weights, leaf)


def test_better_where_values_are_closer_than_scikit_learns_tolerance():
    # It takes neighbours within 1e-7 for one value, whatever the column's unit; both values are exact in 32 bits.
    X, y = np.array([[0.0], [0.0], [2.0**-30], [2.0**-30]]), np.array([0, 0, 1, 1])
    assert stump_gain(X, y, None, "gini") is None
    assert grow.cart(X, y, max_depth=1).gain(0) == 0.5


def test_better_where_values_differ_beyond_32_bits():
    X, y = np.array([[16777216.0], [16777217.0]]), np.array([0, 1])
    assert stump_gain(X, y, None, "gini") is None
    assert grow.cart(X, y, max_depth=1).gain(0) == 0.5


def test_better_where_targets_are_small():
    # It calls a node pure below an impurity of 2.2e-16.
    X, y = np.arange(10.0)[:, None], 1e-9 * np.repeat([0.0, 1.0], 5)
    assert stump_gain(X, y, None, "squared_error") is None
    assert grow.cart(X, y, criterion="squared_error", max_depth=1).gain(0) == pytest.approx(0.25e-18, rel=1e-9)


def test_exact_where_targets_are_far_from_zero():
    # It subtracts the square of the mean from the mean square; at 1e6 that costs four digits of the gain, at 1e9 all.
    X, y = np.arange(9.0)[:, None], np.repeat([0.0, 1.0], [8, 1])
    gains = [grow.cart(X, y + far, criterion="squared_error", max_depth=1).gain(0) for far in (0.0, 1e6, 1e9)]
    assert gains == pytest.approx([8 / 81] * 3, rel=1e-12)
    assert abs(stump_gain(X, y + 1e6, None, "squared_error") - 8 / 81) > 1e-6
