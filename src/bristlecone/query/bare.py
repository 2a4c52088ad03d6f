"""Bare trees: what is split on what, before anybody says what the leaves answer. SPEC C1.

node        numbered as they were made, the root 0; the children of a split are made together, left (variable 0) first.
completion  the tree whose leaves answer the label that has most weight there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.table.schema import numbered
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, unused

__all__ = ["BareTree", "to_tree"]


class BareTree:
    """A bare tree over n Boolean variables, grown by `split`. variable, left and right hold -1 at leaves."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.variable, self.left, self.right = [-1], [-1], [-1]
        self.parent = [-1]

    def __len__(self) -> int:
        return len(self.variable)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return (len(self) + 1) // 2

    def path(self, node: int) -> tuple[int, ...]:
        """The variables that are read above a node, the nearest first."""
        read = []
        while (node := self.parent[node]) >= 0:
            read.append(self.variable[node])
        return tuple(read)

    def split(self, leaf: int, variable: int) -> tuple[int, int]:
        """Split a leaf on a variable that its path does not read, and return the children."""
        left = len(self)
        self.variable[leaf], self.left[leaf], self.right[leaf] = variable, left, left + 1
        for held in (self.variable, self.left, self.right):
            held.extend((-1, -1))
        self.parent += [leaf, leaf]
        return left, left + 1

    def pre_order(self) -> npt.NDArray[np.int64]:
        """All nodes, each followed by its left subtree and then its right one."""
        order, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            order.append(node)
            if self.left[node] >= 0:
                waiting += (self.right[node], self.left[node])
        return np.array(order, dtype=np.int64)


def to_tree(
    bare: BareTree,
    classes: npt.NDArray[Any],
    weights: Floats,
    rows: npt.NDArray[np.int64] | None = None,
    labels: npt.NDArray[np.int64] | None = None,
) -> Tree:
    """The completion of a bare tree.

    weights: (n_nodes, n_classes) weight of each class at the leaves, what stands at inner nodes does not count. rows:
    as weights, how many points were counted; None where weights are chances and nothing was counted: each leaf is then
    one row of its own label. labels: (n_nodes,) what leaves answer, default the first of the heaviest classes.
    """
    order = bare.pre_order()
    place = np.empty(len(bare), dtype=np.int64)
    place[order] = np.arange(len(order))
    left, right = (_children(side, order, place) for side in (bare.left, bare.right))
    inner = left >= 0
    weight = np.where(inner[:, None], 0.0, weights[order])
    given = np.argmax(weight, axis=1) if labels is None else labels[order]
    counted = np.eye(len(classes), dtype=np.int64)[given] if rows is None else rows[order]
    counted = np.where(inner[:, None], 0, counted)
    owner, code = np.nonzero((counted > 0) | (weight > 0))
    held = {"count_class": code, "count_weight": weight[owner, code], "count_rows": counted[owner, code]}
    held |= {"count_ptr": np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(order)))])}
    weight, counted = (_summed(array, left, right) for array in (weight, counted))
    total = weight.sum(axis=1)
    share = np.divide(weight, total[:, None], out=np.zeros_like(weight), where=total[:, None] > 0)
    held |= {
        "children_left": left,
        "children_right": right,
        "feature": np.where(inner, np.array(bare.variable, dtype=np.int64)[order], -2),
        "threshold": np.where(inner, 0.5, -2.0),
        "missing_go_to_left": np.zeros(len(order), dtype=np.uint8),
        "n_node_samples": counted.sum(axis=1),
        "weighted_n_node_samples": total,
        "impurity": np.where(total > 0, np.maximum(0.0, 1.0 - (share**2).sum(axis=1)), 0.0),
        "label": np.where(inner, np.argmax(weight, axis=1), given),
    }
    made = unused("classification", len(order)) | held
    return Tree.from_arrays(numbered(bare.n), "classification", classes, made, criterion="gini", missing="error")


def _children(side: list[int], order: npt.NDArray[np.int64], place: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    old = np.array(side, dtype=np.int64)[order]
    return np.where(old >= 0, place[old], -1)


def _summed(leaves: npt.NDArray[Any], left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    total = leaves.copy()
    for v in np.flatnonzero(left >= 0)[::-1].tolist():
        total[v] = total[left[v]] + total[right[v]]
    return total
