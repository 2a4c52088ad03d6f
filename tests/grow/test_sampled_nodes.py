"""On the works that speed is measured on, at a part of their size, no sampled split gains less than a stump's."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import exactness
import works

from bristlecone import grow

ROWS = {"W1": 30_000, "W2a": 50_000, "W2b": 50_000, "W3a": 50_000, "W3b": 50_000, "W4": 20_000, "W5": 50_000}


@pytest.mark.slow
@pytest.mark.parametrize("work", ROWS)
def test_sampled_nodes_gain_what_stumps_gain(work):
    found = exactness.compare(works.WORKS[work], ROWS[work], nodes=500)
    assert len(found.differences) >= min(500, found.inner) > 200
    assert found.worse == 0, f"worst: {found.differences.min()}"
    assert found.equal >= 0.98 * len(found.differences)


@pytest.mark.parametrize("regression", [False, True], ids=["classes", "numbers"])
def test_the_gain_from_rows_is_the_gain_of_the_tree(regression):
    X, y = works.WORKS["W5" if regression else "W3b"].data(400, seed=1)
    tree = grow.cart(X, y, criterion="squared_error" if regression else "gini", max_depth=4)
    inner = np.flatnonzero(tree.children_left >= 0)
    for node, rows in exactness.rows_of(tree, inner, X):
        assert len(rows) == tree.n_node_samples[node]
        left = X[rows, tree.feature[node]] < tree.threshold[node]
        assert exactness.gain(y[rows], left, regression) == pytest.approx(tree.gain(node), rel=1e-9)


def test_a_smaller_gain_is_found_out():
    assert exactness.relative_difference(0.4, 0.5) == pytest.approx(-0.2)
    found = exactness.Comparison(3, np.array([-0.2, 1e-12, 0.2]))
    assert (found.worse, found.equal, found.better) == (1, 1, 1)
