"""Counted answers at the leaves of a grown shape, as a Tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.table.schema import Schema
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, unused
from bristlecone.tree.layout import pre_order

__all__ = ["assembled", "renumbered"]

Ints = npt.NDArray[np.int64]


def renumbered(left: Sequence[int], right: Sequence[int]) -> tuple[Ints, Ints, Ints]:
    """The nodes below node 0 in pre-order, and the new places of their children.

    left, right: children by node, -1 at leaves.
    """
    order = pre_order(left, right)
    place = np.full(len(left) + 1, -1, dtype=np.int64)  # the last entry stands for no child
    place[order] = np.arange(len(order))
    children = [place[np.array(side, dtype=np.int64)[order]] for side in (left, right)]
    return order, children[0], children[1]


def assembled(
    schema: Schema,
    classes: npt.NDArray[Any],
    children: tuple[Ints, Ints],
    splits: Mapping[str, Any],
    weights: Floats,
    rows: Ints,
    labels: Ints | None = None,
    *,
    missing: str = "learn",
) -> Tree:
    """The tree of these nodes, in pre-order.

    splits: the arrays of a Tree that say how inner nodes split. weights, rows: (n_nodes, n_classes) weight and number
    of answers at the leaves; what stands at inner nodes does not count. labels: what leaves answer, default the first
    of the heaviest classes; inner nodes answer that, and leaves without rows what is above them.
    """
    left, right = children
    inner = left >= 0
    weight, counted = (np.where(inner[:, None], 0, array) for array in (weights, rows))
    owner, code = np.nonzero((counted > 0) | (weight > 0))
    held = {"count_class": code, "count_weight": weight[owner, code], "count_rows": counted[owner, code]}
    held |= {"count_ptr": np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(left)))])}
    weight, counted = (_summed(array, left, right) for array in (weight, counted))
    total = weight.sum(axis=1)
    share = np.divide(weight, total[:, None], out=np.zeros_like(weight), where=total[:, None] > 0)
    label = np.argmax(weight, axis=1)
    if labels is not None:
        label = np.where(inner, label, labels)
    else:
        for v in np.flatnonzero(inner & (total > 0)).tolist():
            for child in (left[v], right[v]):
                label[child] = label[child] if counted[child].any() else label[v]
    made = unused("classification", len(left)) | dict(splits) | held
    made |= {
        "children_left": left,
        "children_right": right,
        "n_node_samples": counted.sum(axis=1),
        "weighted_n_node_samples": total,
        "impurity": np.where(total > 0, np.maximum(0.0, 1.0 - (share**2).sum(axis=1)), 0.0),
        "label": label,
    }
    return Tree.from_arrays(schema, "classification", classes, made, criterion="gini", missing=missing)


def _summed(leaves: npt.NDArray[Any], left: Ints, right: Ints) -> npt.NDArray[Any]:
    total = leaves.copy()
    for v in np.flatnonzero(left >= 0)[::-1].tolist():
        total[v] = total[left[v]] + total[right[v]]
    return total
