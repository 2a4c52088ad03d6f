"""Any number of threads grows the same tree and gives the same answers, on tables large enough to be shared out.

Small nodes are searched by one thread whatever is asked for. These tables reach every place where work is divided:
histograms by rows, columns, opened bins, sorted lists, subtrees, the rows of a prediction, one table under many hands.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from reference.impurity import CLASSIFICATION, REGRESSION

from bristlecone import grow
from bristlecone.table import as_table

N_ROWS = 70_000
THREADS = (2, 4)


def rows(weighted: bool = False, n_rows: int = N_ROWS) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Numbers, one column with gaps, few values, few levels, more levels than codes; a signal; weights, some zero."""
    rng = np.random.default_rng(8)
    X = rng.standard_normal((n_rows, 5))
    X[:, 2:] = rng.integers(0, [6, 9, 300], (n_rows, 3))
    signal = X[:, 0] * X[:, 1] + (X[:, 2] > 3) + X[:, 3] % 3 + X[:, 4] / 300 + rng.random(n_rows)
    X[rng.random(n_rows) < 0.1, 1] = np.nan
    return X, signal, rng.random(n_rows) * rng.integers(0, 3, n_rows) if weighted else None


def target_of(criterion: str, signal: np.ndarray, n_classes: int = 2) -> np.ndarray:
    if criterion in CLASSIFICATION:
        return np.digitize(signal, np.quantile(signal, np.arange(1, n_classes) / n_classes))
    return np.exp(signal / 2) if criterion == "poisson" else signal


def same_for_all(X: np.ndarray, y: np.ndarray, **options: Any) -> None:
    """One thread and more, each from a table of its own, whose codes are made again."""
    options = {"min_samples_leaf": 20, "categorical_features": [3, 4]} | options
    one = grow.cart(X, y, **options)
    assert one.n_leaves > 5
    for n_jobs in THREADS:
        assert grow.cart(X, y, n_jobs=n_jobs, **options).equals(one)
        np.testing.assert_array_equal(one.apply(X, n_jobs), one.apply(X))
        np.testing.assert_array_equal(one.predict(X, n_jobs), one.predict(X))


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("criterion", CLASSIFICATION + REGRESSION)
def test_every_criterion(criterion: str, weighted: bool) -> None:
    X, signal, weights = rows(weighted)
    same_for_all(X, target_of(criterion, signal), criterion=criterion, sample_weight=weights, max_depth=7)


@pytest.mark.parametrize("small_node", [0, 500, 10**9], ids=["histograms", "both", "lists"])
@pytest.mark.parametrize("criterion", ["gini", "gain_ratio", "squared_error"])
def test_every_way_of_searching(criterion: str, small_node: int) -> None:
    X, signal, _ = rows()
    y = target_of(criterion, signal, n_classes=5)
    same_for_all(X, y, criterion=criterion, max_depth=7, _small_node=small_node)


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_monotone_constraints_runners_up_and_best_first(criterion: str) -> None:
    X, signal, _ = rows()
    y = target_of(criterion, signal)
    same_for_all(X, y, criterion=criterion, max_depth=5, monotonic_cst=[1, 0, -1, 0, 0])
    same_for_all(X, y, criterion=criterion, max_depth=5, n_runners=2)
    same_for_all(X, y, criterion=criterion, max_leaf_nodes=30)


def test_one_table_and_one_tree_under_many_hands() -> None:
    X, signal, weights = rows(weighted=True)
    table, y = as_table(X, categorical_features=[3, 4]), target_of("gini", signal)

    def grown(n_jobs: int) -> Any:
        return grow.cart(table, y, sample_weight=weights, max_depth=6, n_jobs=n_jobs)

    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(grown, [1, 2, 1, 2]))  # all ask for the table's codes at once
        answers = list(pool.map(trees[0].apply, [table] * 4, [1, 2, 4, 1]))
    assert all(tree.equals(trees[0]) for tree in trees)
    assert all(np.array_equal(nodes, answers[0]) for nodes in answers)
