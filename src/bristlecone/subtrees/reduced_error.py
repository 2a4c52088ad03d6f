"""Reduced-error pruning: what a tree's answers cost on rows that it was not grown from.

passing     the rows that come to a node, whether or not they go on.
stopping    the rows that end at an inner node, because it does not know their level: they are answered there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bristlecone.subtrees.count import count
from bristlecone.subtrees.penalties import Costs, no_strength
from bristlecone.table.rows import check_same_rows
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Floats

__all__ = ["ReducedError"]


@dataclass(frozen=True, eq=False)
class ReducedError:
    """Reduced-error pruning: nodes are charged for what their answers cost on other rows.

    X, y: the pruning set, read as `tree.predict` reads X. Errors count in classification; squared errors in regression,
    or absolute ones where the tree answers medians; as shares of its rows. A row that an unknown level stops at a node
    is answered there, as in predicting.
    """

    X: Any
    y: Any

    def costs(self, tree: Tree, strengths: Floats | None) -> Costs:
        """The loss by a node's answer of the rows that pass it; as an inner node, of those that stop there."""
        no_strength(strengths, "reduced error")
        return _class_costs(tree, self.X, self.y) if tree.classes is not None else _value_costs(tree, self.X, self.y)


def _class_costs(tree: Tree, X: Any, y: Any) -> Costs:
    passing = count(tree, X, y)
    inner = tree.children_left >= 0
    going_on = passing[tree.children_left] + passing[tree.children_right]
    stopping = np.where(inner[:, None], passing - going_on, 0)
    n_rows = float(passing[0].sum() or 1)
    return Costs(_errors(tree, passing) / n_rows, _errors(tree, stopping) / n_rows)


def _errors(tree: Tree, counts: Array) -> Array:
    wrong: Array = counts.sum(axis=1) - counts[np.arange(tree.n_nodes), tree.label]
    return wrong


def _value_costs(tree: Tree, X: Any, y: Any) -> Costs:
    values = np.asarray(y, dtype=np.float64).reshape(-1)
    if not np.isfinite(values).all():
        raise ValueError(f"y: row {int(np.argmin(np.isfinite(values)))} is not a finite number")
    paths = tree.decision_path(X)
    check_same_rows(paths.shape[0], len(values))
    nodes, n_rows = paths.indices, float(len(values) or 1)
    apart = np.repeat(values, np.diff(paths.indptr)) - tree.prediction[nodes]
    loss = np.abs(apart) if tree.criterion == "absolute_error" else apart * apart
    last = paths.indptr[1:] - 1
    stopping = np.bincount(nodes[last], loss[last], tree.n_nodes) / n_rows
    return Costs(np.bincount(nodes, loss, tree.n_nodes) / n_rows, np.where(tree.children_left >= 0, stopping, 0.0))
