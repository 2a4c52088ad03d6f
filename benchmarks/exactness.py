"""Exactness at size: the gains of sampled nodes beside those of scikit-learn's stumps on the same rows.

A *stump* is a scikit-learn tree of depth 1. It reads its columns as float32 and takes neighbours within 1e-7 for one
value, so our gain may be the larger one, never the smaller. Both gains are recomputed here from the rows, in float64,
in the form that does not cancel: with the means m of targets (or of each class) in the two children,

    gain = n_left n_right / n^2 * sum (m_left - m_right)^2
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from works import Features, Targets, Work

from bristlecone import grow
from bristlecone.tree import Tree

LARGEST = 15  # nodes: of the largest ones so many are always among the sampled ones
ROUNDING = 1e-9  # relative difference of two gains that are called equal


@dataclass(frozen=True, slots=True)
class Comparison:
    """Sampled nodes of a work: how many of its inner nodes, and how their gains compare.

    differences: (gain of ours - gain of the stump) / the larger of the two, 0 for two zeros.
    """

    inner: int
    differences: NDArray[np.float64]

    @property
    def equal(self) -> int:
        return int(np.sum(np.abs(self.differences) <= ROUNDING))

    @property
    def better(self) -> int:
        return int(np.sum(self.differences > ROUNDING))

    @property
    def worse(self) -> int:
        return int(np.sum(self.differences < -ROUNDING))


def compare(work: Work, rows: int, nodes: int, seed: int = 0, n_jobs: int | None = None) -> Comparison:
    """Grow the work's tree on `rows` rows and compare at most `nodes` of its inner nodes."""
    X, y = work.data(rows, seed)
    limits: dict[str, Any] = {"max_depth": work.limits.max_depth, "min_samples_leaf": work.limits.min_samples_leaf}
    tree = grow.cart(X, y, criterion="squared_error" if work.regression else "gini", n_jobs=n_jobs, **limits)
    inner = np.flatnonzero(tree.children_left >= 0)
    sampled = sample(tree, inner, nodes, np.random.default_rng(seed))
    differences = [
        relative_difference(_our_gain(tree, node, X, y, at), _stump_gain(work, X, y, at))
        for node, at in rows_of(tree, sampled, X)
    ]
    return Comparison(len(inner), np.array(differences))


def sample(tree: Tree, inner: NDArray[np.intp], nodes: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The largest inner nodes and others at random, `nodes` in all, in node order."""
    by_size = inner[np.argsort(-tree.n_node_samples[inner], kind="stable")]
    largest, others = by_size[:LARGEST], by_size[LARGEST:]
    chosen = rng.choice(others, min(len(others), max(nodes - len(largest), 0)), replace=False)
    return np.sort(np.concatenate([largest, chosen])[:nodes])


def rows_of(tree: Tree, nodes: NDArray[np.intp], X: Features) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Each node with its rows: below node v lie the leaves v .. subtree_end[v] - 1."""
    leaf = tree.apply(X)
    by_leaf = np.argsort(leaf, kind="stable")
    starts, ends = (np.searchsorted(leaf[by_leaf], bound) for bound in (nodes, tree.subtree_end[nodes]))
    for node, start, end in zip(nodes, starts, ends, strict=True):
        yield int(node), by_leaf[start:end]


def relative_difference(ours: float, stump: float) -> float:
    """Positive where ours is larger."""
    larger = max(ours, stump)
    return (ours - stump) / larger if larger > 0 else 0.0


def _our_gain(tree: Tree, node: int, X: Features, y: Targets, rows: NDArray[np.intp]) -> float:
    left = X[rows, tree.feature[node]] < tree.threshold[node]
    return gain(y[rows], left, tree.task == "regression")


def _stump_gain(work: Work, X: Features, y: Targets, rows: NDArray[np.intp]) -> float:
    kind = DecisionTreeRegressor if work.regression else DecisionTreeClassifier
    stump = kind(max_depth=1, min_samples_leaf=work.limits.min_samples_leaf, random_state=0)
    cells = X[rows].astype(np.float32)
    tree = stump.fit(cells, y[rows]).tree_
    if tree.node_count == 1:
        return 0.0
    return gain(y[rows], cells[:, tree.feature[0]] <= tree.threshold[0], work.regression)


def gain(y: Targets, left: NDArray[np.bool_], regression: bool) -> float:
    """What a split of these rows gains, of variance or of the gini impurity."""
    n, n_left = len(y), int(left.sum())
    if regression:
        centred = y - y.mean()
        apart = centred[left].mean() - centred[~left].mean()
    else:
        whole, part = np.bincount(y), np.bincount(y[left], minlength=int(y.max()) + 1)
        apart = part / n_left - (whole - part) / (n - n_left)
    return float(n_left / n * (n - n_left) / n * np.sum(apart**2))
