"""The losses of held-out rows under all prunings of one tree at once, in one walk up from where the rows stop.

stop       the node where a row's walk through the whole tree ends: a leaf, or an inner node that does not know its
           level.
collapse   of a node: the alpha from which it is a leaf of the cheapest pruning of its own subtree; -inf at leaves.
lifetime   of a node: the alphas from its own collapse up to the least one above it. Then it is a leaf of the pruned
           tree, and answers the rows that come to it. A row that stops at an inner node is answered there until
           something above collapses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.losses import Loss
from bristlecone.subtrees.path import Path
from bristlecone.tree import Tree

__all__ = ["TOLERANCE", "Tally", "answering_nodes", "lifetimes", "tally_path", "tally_prunings"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]

# Two alphas are one when they differ by rounding (SPEC B3).
TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over held-out rows, in the loss's units, one entry an alpha (K,): of weight x loss, and with the weights
    that a variance needs, of factor^2 x weight x loss and x loss^2."""

    loss: Floats
    linear: Floats
    square: Floats

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.loss + other.loss, self.linear + other.linear, self.square + other.square)


def lifetimes(path: Path, alphas: Floats) -> tuple[Ints, Ints]:
    """Node v is a leaf of the pruned tree at alphas[first[v]:last[v]]; two arrays (n_nodes,). alphas: ascending."""
    grid = alphas * (1 + TOLERANCE)
    first, last = np.searchsorted(grid, path.collapse), np.searchsorted(grid, path.covered)
    last[0] = len(alphas)  # nothing above the root ever collapses
    return first, last


def next_answers(tree: Tree, lives: npt.NDArray[np.bool_]) -> Ints:
    """The nearest node above each node that is ever a leaf, (n_nodes,); 0 where there is none."""
    nearest = np.where(lives, np.arange(tree.n_nodes), np.maximum(tree.parent, 0))
    while not np.array_equal(further := nearest[nearest], nearest):
        nearest = further
    return nearest[np.maximum(tree.parent, 0)]


def tally_path(path: Path, alphas: Floats, loss: Loss, rows: Ints, stops: Ints, weights: Floats) -> Tally:
    """The losses of held-out rows under the cheapest pruning of a tree at every alpha.

    alphas: (K,), ascending; rows: places of the held-out rows in the table; stops, weights: (len(rows),). Time grows
    with the number of different answers that a row gets, never with K times rows.
    """
    tree = path.unpruned
    first, last = lifetimes(path, alphas)
    above = next_answers(tree, first < last)
    sums = _Spans(len(alphas))
    factor = None if loss.factor is None else loss.factor[rows]
    at: Ints = stops
    begin: Ints = np.zeros(len(stops), dtype=np.intp)
    while len(at):
        end = last[at]
        sums.add(loss.of_rows(tree, rows, at), weights, factor, begin, end)
        going = np.flatnonzero(end < len(alphas))
        at, begin, rows, weights = above[at[going]], end[going], rows[going], weights[going]
        factor = None if factor is None else factor[going]
    return sums.tally()


def tally_prunings(
    tree: Tree, closed: npt.NDArray[np.bool_], loss: Loss, rows: Ints, stops: Ints, weights: Floats
) -> Tally:
    """The losses of held-out rows under several prunings of a tree. closed: (n_nodes, K), the leaves of each."""
    sums = _Spans(closed.shape[1])
    factor = None if loss.factor is None else loss.factor[rows]
    for k in range(closed.shape[1]):
        at = answering_nodes(tree, closed[:, k])[stops]
        begin = np.full(len(rows), k)
        sums.add(loss.of_rows(tree, rows, at), weights, factor, begin, begin + 1)
    return sums.tally()


class _Spans:
    """Sums along the alphas of numbers that hold from one alpha up to another, kept as differences."""

    def __init__(self, n_alphas: int) -> None:
        self.changes = np.zeros((3, n_alphas + 1))
        self.infinite = np.zeros(n_alphas + 1, dtype=np.int64)

    def add(self, losses: Floats, weights: Floats, factor: Floats | None, begin: Ints, end: Ints) -> None:
        size = len(self.infinite)
        infinite = np.isinf(losses)
        if infinite.any():
            losses = np.where(infinite, 0.0, losses)
            self.infinite += np.bincount(begin[infinite], minlength=size) - np.bincount(end[infinite], minlength=size)
        counted = weights * losses if factor is None else factor * weights * losses
        linear = counted if factor is None else factor * counted
        for changes, sums in zip(self.changes, (counted, linear, linear * losses), strict=True):
            changes += np.bincount(begin, sums, size) - np.bincount(end, sums, size)

    def tally(self) -> Tally:
        sums = self.changes.cumsum(axis=1)[:, :-1]
        sums[:, self.infinite.cumsum()[:-1] > 0] = np.inf
        return Tally(*sums)


def answering_nodes(tree: Tree, collapsed: npt.NDArray[np.bool_]) -> Ints:
    """The node that answers the rows which stop at each node, (n_nodes,), when some inner nodes become leaves."""
    nodes, end = np.arange(tree.n_nodes), tree.subtree_end
    reach = np.maximum.accumulate(np.where(collapsed, end, 0))
    covered = np.concatenate([[False], reach[:-1] > nodes[1:]])
    top = np.maximum.accumulate(np.where(collapsed & ~covered, nodes, 0))
    return np.where(collapsed[top] & (end[top] > nodes), top, nodes)
