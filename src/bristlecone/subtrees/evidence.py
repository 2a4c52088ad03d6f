"""What rows say of nodes: how many come to each, and how many of them it answers wrongly.

growing rows   those that the tree was grown from and holds the counts of; their weights count as so many rows.
other rows     counted at the nodes by `count`: some may stop at an inner node that does not know their level. A pruning
               that goes on there answers them with that node's label all the same.
stops          the rows that stop at a node, by class, as sparse entries: those of node v are ptr[v] .. ptr[v + 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.risks import class_weights
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, read_only

__all__ = ["Evidence", "Stops", "checked_counts", "evidence_of", "stopping_counts", "stops_of"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Weights of rows, (n_nodes,). rows: in each node; errors: of them, not of its label; stopped: errors of the rows
    that stop at an inner node, None where no row does."""

    rows: Floats
    errors: Floats
    stopped: Floats | None = None


@dataclass(frozen=True, slots=True)
class Stops:
    """Rows by the node where they stop and by class: ptr (n_nodes + 1,); label, weight: (n_entries,)."""

    ptr: npt.NDArray[np.int64]
    label: npt.NDArray[np.int32]
    weight: Floats

    @property
    def node(self) -> npt.NDArray[np.intp]:
        """The node of each entry."""
        return np.repeat(np.arange(len(self.ptr) - 1), np.diff(self.ptr))


_OF_GROWTH: WeakKeyDictionary[Tree, Evidence] = WeakKeyDictionary()  # a tree never changes, and is asked often


def evidence_of(tree: Tree, counts: Any = None) -> Evidence:
    """The evidence of the growing rows, or of other rows' counts, (n_nodes, n_classes), as `count` gives them.

    Raises ValueError for a regression tree, and naming the node for counts that no rows can have; TypeError for what
    is no array of numbers.
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"expected a Tree, got {type(tree).__name__}")
    if tree.classes is None:
        raise ValueError("a vote is over classes, and this is a regression tree")
    if counts is None:
        if tree not in _OF_GROWTH:
            weights = class_weights(tree)
            rows, errors = weights.floats(weights.in_node), weights.floats(weights.in_node - weights.of_label)
            _OF_GROWTH[tree] = Evidence(read_only(rows), read_only(errors))
        return _OF_GROWTH[tree]
    held = checked_counts(tree, counts)
    nodes = np.arange(tree.n_nodes)
    rows = held.sum(axis=1)
    stopping = stopping_counts(tree, held)
    stopped = np.where(tree.children_left >= 0, stopping.sum(axis=1) - stopping[nodes, tree.label], 0.0)
    return Evidence(rows, rows - held[nodes, tree.label], stopped if stopped.any() else None)


def stops_of(tree: Tree, counts: Any = None) -> Stops:
    """Where the growing rows stop, or other rows by their counts. Errors as `evidence_of`."""
    if counts is None:
        return Stops(tree.count_ptr.astype(np.int64, copy=False), tree.count_class, tree.count_weight)
    stopping = stopping_counts(tree, checked_counts(tree, counts))
    node, label = np.nonzero(stopping)
    ptr = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=tree.n_nodes))])
    return Stops(ptr, label.astype(np.int32), stopping[node, label])


def checked_counts(tree: Tree, given: Any) -> Floats:
    """Counts of rows at the nodes, (n_nodes, n_classes), as floats. Errors as `evidence_of`."""
    try:
        counts = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"counts is not an array: {error}") from None
    if counts.dtype.kind not in "iufb":
        raise TypeError(f"counts must hold numbers, got {counts.dtype}")
    if counts.shape != (tree.n_nodes, tree.n_classes):
        raise ValueError(f"counts has shape {counts.shape}, expected ({tree.n_nodes}, {tree.n_classes})")
    held: Floats = counts.astype(np.float64)
    bad = ~(np.isfinite(held) & (held >= 0)).all(axis=1)
    if bad.any():
        node = int(np.argmax(bad))
        raise ValueError(f"counts, node {node}: {held[node].tolist()} are not all finite numbers of at least 0")
    fewer = (stopping_counts(tree, held) < 0).any(axis=1)
    if fewer.any():
        node = int(np.argmax(fewer))
        raise ValueError(f"counts, node {node}: fewer rows of a class than in its children together")
    return held


def stopping_counts(tree: Tree, counts: Floats) -> Floats:
    """By class, what stops at each node and does not pass on, (n_nodes, n_classes)."""
    stopping = counts.copy()
    inner = np.flatnonzero(tree.children_left >= 0)
    stopping[inner] -= counts[tree.children_left[inner]] + counts[tree.children_right[inner]]
    if not np.array_equal(counts, np.rint(counts)):
        stopping[np.abs(stopping) <= 1e-9 * counts] = 0.0  # sums of fractions, rounded
    return stopping
