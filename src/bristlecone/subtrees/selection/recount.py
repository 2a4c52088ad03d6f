"""The questions of a tree that is there already, with other rows counted in it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from bristlecone.grow.targets import ClassTarget, check_weights, class_target
from bristlecone.subtrees.cut import cut
from bristlecone.table import Table
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints
from bristlecone.tree.layout import subtree_sums

__all__ = ["recount"]

TIED = 1e-12


def recount(tree: Tree, X: Any, y: Any, *, sample_weight: Any = None) -> Tree:
    """The tree with the counts, labels and impurities (Gini) of other rows; its splits stay.

    tree: of any task. X: array, frame or Table that the tree can read; y: (n_rows,) labels, of the tree's classes or
    not. sample_weight: (n_rows,), zero means absent. A branch that no row reaches becomes one empty leaf.
    Raises ValueError or TypeError naming the row or parameter, for a row that stops at an inner node too: it has a
    level that the node does not know.
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"recount needs a Tree, got {type(tree).__name__}")
    table, target = tree.schema.read(X), class_target(y)
    if table.n_rows != len(target.codes):
        raise ValueError(f"X has {table.n_rows} rows but y has {len(target.codes)}: inconsistent numbers of samples")
    weights = check_weights(sample_weight, table.n_rows)
    present = np.arange(table.n_rows) if weights is None else np.flatnonzero(weights > 0)
    weight = np.ones(len(present)) if weights is None else weights[present]
    stops = _leaves_of(tree, table, present)
    at_leaves = np.bincount(stops, minlength=tree.n_nodes)[:, None].astype(np.float64)
    reached = subtree_sums(at_leaves, _children(tree), tree.depth)[:, 0] > 0
    kept = reached | reached[np.maximum(tree.parent, 0)]
    place = np.cumsum(kept) - 1  # of a node in the tree without what is below an empty one
    return _counted(cut(tree, ~reached), place[stops], target, target.codes[present], weight)


def _children(tree: Tree) -> tuple[Ints, Ints]:
    return tree.children_left, tree.children_right


def _leaves_of(tree: Tree, table: Table, present: Ints) -> Ints:
    stops = tree.apply(table.take(present))
    inside = tree.children_left[stops] >= 0
    if inside.any():
        row = int(present[int(np.argmax(inside))])
        column = tree.schema.names[tree.feature[stops[inside][0]]]
        raise ValueError(f"X, row {row}: column {column!r} has a level that the tree does not know where it asks")
    return stops


def _counted(tree: Tree, stops: Ints, target: ClassTarget, codes: Ints, weight: Floats) -> Tree:
    """The tree with these rows in its leaves. stops, codes, weight: (n_rows,)."""
    k = target.n_classes
    entry, of_row = np.unique(stops * k + codes, return_inverse=True)
    node, label = entry // k, entry % k
    count_weight, count_rows = np.bincount(of_row, weight).astype(np.float64), np.bincount(of_row)
    at_leaves = np.zeros((tree.n_nodes, k + 1))
    at_leaves[node, label] = count_weight
    np.add.at(at_leaves[:, k], node, count_rows)
    sums = subtree_sums(at_leaves, _children(tree), tree.depth)
    counts, rows = sums[:, :k], sums[:, k].astype(np.int64)
    total = counts.sum(axis=1)
    shares = counts / np.where(rows > 0, total, 1.0)[:, None]
    labels = (counts >= counts.max(axis=1, keepdims=True) * (1 - TIED)).argmax(axis=1)
    empty = np.flatnonzero(rows == 0)
    labels[empty] = labels[tree.parent[empty]]
    return dataclasses.replace(
        tree,
        task="classification",
        classes=target.classes,
        criterion="gini",
        n_node_samples=rows,
        weighted_n_node_samples=total,
        impurity=np.where(rows > 0, np.maximum(1.0 - (shares * shares).sum(axis=1), 0.0), 0.0),
        prediction=np.full(tree.n_nodes, np.nan),
        label=labels,
        count_ptr=np.concatenate([[0], np.cumsum(np.bincount(node, minlength=tree.n_nodes))]),
        count_class=label,
        count_weight=count_weight,
        count_rows=count_rows,
        runners=(),
    )
