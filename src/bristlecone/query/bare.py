"""Bare trees: what is split on what, before anybody says what the leaves answer. SPEC C1.

node        numbered as they were made, the root 0; the children of a split are made together, left (variable 0) first.
completion  the tree whose leaves answer the label that has most weight there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.query.assembly import assembled, renumbered
from bristlecone.table.schema import numbered
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["BareTree", "to_tree"]

Ints = npt.NDArray[Any]


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

    def arrays(self) -> tuple[Ints, Ints, Ints]:
        """left, right and variable, as the kernels take them."""
        left, right, variable = (np.array(held, dtype=np.int32) for held in (self.left, self.right, self.variable))
        return left, right, variable

    def split(self, leaf: int, variable: int) -> tuple[int, int]:
        """Split a leaf on a variable that its path does not read, and return the children."""
        left = len(self)
        self.variable[leaf], self.left[leaf], self.right[leaf] = variable, left, left + 1
        for held in (self.variable, self.left, self.right):
            held.extend((-1, -1))
        self.parent += [leaf, leaf]
        return left, left + 1


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
    order, left, right = renumbered(bare.left, bare.right)
    inner = left >= 0
    given = np.argmax(weights[order], axis=1) if labels is None else labels[order]
    counted = np.eye(len(classes), dtype=np.int64)[given] if rows is None else rows[order]
    splits = {
        "feature": np.where(inner, np.array(bare.variable, dtype=np.int64)[order], -2),
        "threshold": np.where(inner, 0.5, -2.0),
        "missing_go_to_left": np.zeros(len(order), dtype=np.uint8),
    }
    return assembled(numbered(bare.n), classes, (left, right), splits, weights[order], counted, given, missing="error")
