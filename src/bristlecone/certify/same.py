"""The pruning that answers every row as the vote does, where there is one: its bound then is the vote's. SPEC A7.

A vote that few prunings dominate mostly answers as one of them. Being chosen after the rows were seen costs what the
prior gave it, as for any pruning; that is less than the factor 2 of a vote's own bounds.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.fold import fold
from bristlecone.subtrees.posterior import Potentials
from bristlecone.tree import Tree

__all__ = ["pruning_like"]

Mask = npt.NDArray[np.bool_]


def pruning_like(tree: Tree, labels: npt.NDArray[np.int32], prior: Potentials) -> Mask | None:
    """The leaves of the likeliest pruning under a prior that answers as these labels say, a mask; None: there is none.

    labels: (n_nodes,), the answer to a row that stops at each node. Rows stop at leaves, and at inner nodes that may
    meet a level which they do not know.
    """
    leaf = -prior.leaf
    inner = np.zeros(tree.n_nodes) if prior.inner is None else -np.broadcast_to(prior.inner, tree.n_nodes)
    barred = 1.0 + np.abs(leaf).sum() + np.abs(inner).sum()
    stops = _may_stop(tree)
    agrees = _all_below(tree, stops, labels)
    other = stops & (labels != tree.label)
    asked = np.where(agrees, leaf, leaf + barred), np.where(other, inner + barred, inner)
    found = fold(tree, *asked, semiring="min")
    if (found.leaf & ~agrees).any() or (found.inner & other).any():
        return None
    return found.leaf


def _may_stop(tree: Tree) -> Mask:
    stops: Mask = tree.children_left < 0
    return stops | (np.diff(tree.level_ptr) > 0) if tree.unseen == "stop" else stops


def _all_below(tree: Tree, stops: Mask, labels: npt.NDArray[np.int32]) -> Mask:
    """Whether every stop at or below a node has that node's label as its answer."""
    place = np.flatnonzero(stops)
    answer = labels[place].astype(np.int64)
    change = np.concatenate([[0], np.cumsum(np.diff(answer) != 0)])  # equal between two stops: one answer all along
    first = np.searchsorted(place, np.arange(tree.n_nodes))
    last = np.searchsorted(place, tree.subtree_end) - 1
    alike: Mask = (change[first] == change[last]) & (answer[first] == tree.label)
    return alike
