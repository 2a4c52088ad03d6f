"""The questions of a tree that is there already, with other rows counted in it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from bristlecone.grow.targets import ClassTarget, check_weights, class_target
from bristlecone.subtrees.cut import cut
from bristlecone.table import Table
from bristlecone.table.rows import check_same_rows
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Floats, Ints
from bristlecone.tree.layout import subtree_sums

__all__ = ["recount"]

TIED = 1e-12
BLOCK = 1 << 22  # entries of a table of nodes and classes that are worked on at a time


def recount(tree: Tree, X: Any, y: Any, *, sample_weight: Any = None) -> Tree:
    """The tree with the counts, labels and impurities (Gini) of other rows; its splits stay.

    tree: of any task. X: array, frame or Table that the tree can read; y: (n_rows,) labels, of the tree's classes or
    not. sample_weight: (n_rows,), zero means absent. A branch that no row reaches becomes one empty leaf.
    Raises ValueError or TypeError naming the row or parameter, for a row that stops at an inner node too: it has a
    level that the node does not know.
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"recount needs a Tree, got {type(tree).__name__}")
    if tree.task == "classification" and not np.isnan(tree.prediction).all():
        raise ValueError("recount: the tree has monotone constraints, which other rows' counts would break")
    table, target = tree.schema.read(X), class_target(y)
    check_same_rows(table.n_rows, len(target.codes))
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
    entry, of_row = np.unique(stops * target.n_classes + codes, return_inverse=True)
    node, label = entry // target.n_classes, entry % target.n_classes
    count_weight, count_rows = np.bincount(of_row, weight).astype(np.float64), np.bincount(of_row)
    at_leaves = np.zeros((tree.n_nodes, 2))
    np.add.at(at_leaves, node, np.column_stack([count_rows, count_weight]))
    rows, total = subtree_sums(at_leaves, _children(tree), tree.depth).T
    labels, impurity = _labels_and_gini(tree, node, label, count_weight, total)
    return dataclasses.replace(
        tree,
        task="classification",
        classes=target.classes,
        criterion="gini",
        n_node_samples=rows.astype(np.int64),
        weighted_n_node_samples=total.copy(),
        impurity=impurity,
        prediction=np.full(tree.n_nodes, np.nan),
        label=labels,
        count_ptr=np.concatenate([[0], np.cumsum(np.bincount(node, minlength=tree.n_nodes))]),
        count_class=label,
        count_weight=count_weight,
        count_rows=count_rows,
        runners=(),
    )


def _labels_and_gini(tree: Tree, node: Ints, label: Ints, weight: Floats, total: Floats) -> tuple[Array, Floats]:
    """The heaviest class of each node, the lowest on ties, and its impurity; some classes at a time."""
    best, labels, squares = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes, dtype=np.int32), np.zeros(tree.n_nodes)
    block, safe = max(1, BLOCK // tree.n_nodes), np.where(total > 0, total, 1.0)
    for first in range(0, int(label.max()) + 1, block):
        here = (label >= first) & (label < first + block)
        counts = np.zeros((tree.n_nodes, min(block, int(label.max()) + 1 - first)))
        counts[node[here], label[here] - first] = weight[here]
        counts = subtree_sums(counts, _children(tree), tree.depth)
        squares += ((counts / safe[:, None]) ** 2).sum(axis=1)
        heaviest = counts.max(axis=1)
        wins = heaviest > best * (1 + TIED)
        labels[wins] = first + (counts[wins] >= heaviest[wins, None] * (1 - TIED)).argmax(axis=1)
        best = np.maximum(best, heaviest)
    empty = np.flatnonzero(total == 0)
    labels[empty] = labels[tree.parent[empty]]
    return labels, np.where(total > 0, np.maximum(1.0 - squares, 0.0), 0.0)
