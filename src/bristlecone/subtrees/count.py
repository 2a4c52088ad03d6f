"""Rows that the tree was not grown from, counted at its nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.table.rows import check_same_rows
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Ints

__all__ = ["class_codes", "count"]


def count(tree: Tree, X: Any, y: Any) -> npt.NDArray[np.int64]:
    """How many rows of each class pass through or end in each node, (n_nodes, n_classes).

    X: array, frame or Table, read by the tree's schema; y: (n_rows,) labels among the tree's classes. A row that the
    tree stops at a node, for a level that the node does not know, counts there and above.
    Raises ValueError for a regression tree, for labels that are not the tree's, and where the tree refuses a row.
    """
    codes = class_codes(tree, y)
    nodes = tree.apply(X)
    check_same_rows(len(nodes), len(codes))
    k = tree.n_classes
    ended = np.bincount(nodes * k + codes, minlength=tree.n_nodes * k).reshape(tree.n_nodes, k)
    return in_branches(tree, ended)


def in_branches(tree: Tree, at_nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Whole numbers of nodes summed over each branch: a node and all below it are one run in pre-order."""
    running = np.zeros((tree.n_nodes + 1, *at_nodes.shape[1:]), dtype=np.int64)
    np.cumsum(at_nodes, axis=0, out=running[1:])
    sums: npt.NDArray[np.int64] = running[tree.subtree_end] - running[:-1]
    return sums


def class_codes(tree: Tree, y: Any) -> Ints:
    """The place of each label among the tree's classes, (n_rows,). Raises ValueError naming the first unknown one."""
    if tree.classes is None:
        raise ValueError("a regression tree has no classes to count")
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"y must have one dimension, got {labels.ndim}")
    comparable = labels.dtype.kind == tree.classes.dtype.kind or {labels.dtype.kind, tree.classes.dtype.kind} <= set(
        "biuf"
    )
    if comparable and labels.dtype.kind != "O":
        return _by_search(labels, tree.classes)
    return _by_hash(labels, tree.classes)


def _by_search(labels: Array, classes: Array) -> Ints:
    order = np.argsort(classes, kind="stable")
    place = np.searchsorted(classes[order], labels).clip(max=len(classes) - 1)
    codes: Ints = order[place]
    _refuse_unknown(classes[codes] != labels, labels)
    return codes


def _by_hash(labels: Array, classes: Array) -> Ints:
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    codes = np.array([code_of.get(label, -1) for label in labels.tolist()], dtype=np.int64)
    _refuse_unknown(codes < 0, labels)
    return codes


def _refuse_unknown(unknown: Array, labels: Array) -> None:
    if unknown.any():
        row = int(np.argmax(unknown))
        raise ValueError(
            f"y: row {row} has the label {labels[row : row + 1].tolist()[0]!r}, not one of the tree's classes"
        )
