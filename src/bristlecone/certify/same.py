"""The vote as one tree that the prior knows: a pruning, some of whose labels are others'. SPEC A7.

answered    the labels of all nodes, L of them: a vote of prunings can answer no other, and which they are no certifying
            row has a part in, as it has in a list of classes that includes its own.
exception   a leaf of a pruning that answers another class than its node's label. Before the rows speak, a leaf has its
            node's label with chance 1 - e + e/L and any other with chance e/L, for each e of `RATES` alike likely.
            The same holds for an inner node where rows may stop, at a level that it does not know.

However the answers were chosen, a bound on one tree holds for what they are: whatever T0's leaves answer can be said by
a pruning and its exceptions, and what the likeliest way to say it has of the prior is what it costs. A vote that few
prunings dominate answers as one of them nearly everywhere, and this costs less than the factor 2 of a vote's bounds.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.fold import fold
from bristlecone.subtrees.posterior import Potentials
from bristlecone.tree import Tree

__all__ = ["RATES", "alike_below", "answered", "log_prior_of_answers"]

RATES = (0.1, 0.01, 0.001, 0.0001)

Mask = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.int32]


def log_prior_of_answers(tree: Tree, labels: Labels, prior: Potentials) -> float:
    """ln of what the prior gives to the likeliest pruning and exceptions that answer as these labels say.

    labels: (n_nodes,), the answer to a row that stops at each node. prior: over prunings, normalised here.
    """
    stops = _may_stop(tree)
    alike, answer = alike_below(tree, stops, labels)
    rates, n_labels = np.array(RATES), len(answered(tree))
    usual, other = -np.log1p(rates / n_labels - rates), -np.log(rates / n_labels)
    said = np.where((answer == tree.label)[:, None], usual, other)
    passing = np.where((labels == tree.label)[:, None], usual, other) * stops[:, None]
    before = np.zeros(tree.n_nodes) if prior.inner is None else np.broadcast_to(prior.inner, tree.n_nodes)
    leaf, inner = said - prior.leaf[:, None], passing - before[:, None]
    barred = 1.0 + np.abs(leaf).sum() + np.abs(inner).sum()
    cost = fold(tree, np.where(alike[:, None], leaf, leaf + barred), inner, semiring="min").total
    normaliser = fold(tree, prior.leaf, prior.inner, semiring="logaddexp").total
    return -float(cost.min()) - float(normaliser) - math.log(len(RATES))


def answered(tree: Tree) -> npt.NDArray[np.int32]:
    """The codes of the classes that some node has for its label, ascending."""
    codes: npt.NDArray[np.int32] = np.unique(tree.label)
    return codes


def _may_stop(tree: Tree) -> Mask:
    stops: Mask = tree.children_left < 0
    return stops | (np.diff(tree.level_ptr) > 0) if tree.unseen == "stop" else stops


def alike_below(tree: Tree, stops: Mask, labels: npt.NDArray[np.integer[Any]]) -> tuple[Mask, npt.NDArray[np.int64]]:
    """Whether all stops at or below a node have one answer, and the first one's."""
    place = np.flatnonzero(stops)
    answer = labels[place].astype(np.int64)
    change = np.concatenate([[0], np.cumsum(np.diff(answer) != 0)])  # equal between two stops: one answer all along
    first = np.searchsorted(place, np.arange(tree.n_nodes))
    last = np.searchsorted(place, tree.subtree_end) - 1
    alike: Mask = change[first] == change[last]
    return alike, answer[first]
