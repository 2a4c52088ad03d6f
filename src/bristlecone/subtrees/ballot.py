"""The vote of all prunings on one row, and on every node where a row may stop. SPEC A5.

mass     of a class: the chance that a pruning answers it. A row that stops at a node is answered by the prunings with a
         leaf on its path; where it stops at an inner node, by those that go on there as well, with that node's label.
silent   a leaf that no row reached: in the practical vote it has no voice, and its rows are answered by what is above.
shares   masses over their sum, or class fractions of the nodes weighed the same way: predicted probabilities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.subtrees.fold import Weighing
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints

__all__ = ["Ballot", "along_paths", "with_ancestors"]

BLOCK = 1 << 24  # entries of a table of nodes and classes that are worked on at a time


@dataclass(frozen=True, slots=True, eq=False)
class Ballot:
    """The prunings' votes by their chances. silent: (n_nodes,) uint8."""

    tree: Tree
    weighing: Weighing
    silent: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, tree: Tree, weighing: Weighing, silent: npt.ArrayLike | None = None) -> Ballot:
        """silent: a mask of leaves without a voice; None: all nodes have one."""
        mask = np.zeros(tree.n_nodes, np.uint8) if silent is None else np.asarray(silent, dtype=np.uint8)
        return cls(tree, weighing, mask)

    def labels(self) -> npt.NDArray[np.int32]:
        """The class of most mass for a row that stops at each node, as the weighing's arrays; of equals the lowest."""
        winner = np.empty(self.weighing.leaf.shape, dtype=np.int32)
        _core.vote_labels(**self._asked(), winner=winner)
        return winner

    def masses(self, ptr: npt.NDArray[np.int64], label: npt.NDArray[np.int32]) -> Floats:
        """Of classes at nodes: those of node v are label[ptr[v]:ptr[v + 1]]. (n_entries,), or by strength."""
        mass = np.empty((len(label), *self.weighing.leaf.shape[1:]))
        entries: dict[str, Any] = {"entry_ptr": np.ascontiguousarray(ptr), "entry_class": np.ascontiguousarray(label)}
        _core.vote_masses(**self._asked(), **entries, mass=mass)
        return mass

    def agreements(self) -> Floats:
        """The chance that two prunings answer alike to a row that stops at each node."""
        agreement = np.empty(self.weighing.leaf.shape)
        _core.vote_agreements(**self._asked(), agreement=agreement)
        return agreement

    def _asked(self) -> dict[str, Any]:
        tree, grid = self.tree, (self.tree.n_nodes, -1)
        chances = {"node": self.weighing.node, "leaf": self.weighing.leaf}
        named = {name: getattr(tree, name) for name in ("children_left", "children_right", "label", "n_classes")}
        return (
            named
            | {"silent": self.silent}
            | {name: np.ascontiguousarray(array.reshape(grid)) for name, array in chances.items()}
        )

    def shares(self, nodes: Ints, kind: str = "vote") -> Floats:
        """Class probabilities of rows that stop at these nodes, (len(nodes), n_classes); one strength.

        kind: "vote", the masses of classes over their sum, or "freq", the class fractions of the nodes on the path,
        weighed by their chances. Time and memory follow the paths of these nodes, not the tree.
        """
        if len(nodes) > 1 and len(with_ancestors(self.tree, nodes)) * self.tree.n_classes > BLOCK:
            half = len(nodes) // 2
            return np.concatenate([self.shares(nodes[:half], kind), self.shares(nodes[half:], kind)])
        own = self._labels_of if kind == "vote" else self.tree.fractions_at
        shares = along_paths(self.tree, self.weighing, own, nodes, self.silent > 0)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def _labels_of(self, nodes: Ints) -> Floats:
        """1 for the label of each node, 0 for other classes."""
        marks = np.zeros((len(nodes), self.tree.n_classes))
        marks[np.arange(len(nodes)), self.tree.label[nodes]] = 1.0
        return marks


def with_ancestors(tree: Tree, nodes: Ints) -> Ints:
    """Some nodes and all above them, ascending."""
    found = np.zeros(tree.n_nodes, dtype=np.bool_)
    found[0] = True
    above = np.unique(nodes)
    while len(above := above[~found[above]]):
        found[above] = True
        above = np.unique(tree.parent[above])
    kept: Ints = np.flatnonzero(found)
    return kept


def along_paths(
    tree: Tree,
    weighing: Weighing,
    own: Callable[[Ints], Floats],
    nodes: Ints,
    silent: npt.NDArray[np.bool_],
) -> Floats:
    """The mean of the nodes' own values, over the prunings that answer a row which stops at each of some nodes.

    own: from m nodes to their values, (m, k); nodes: (n,); silent: (n_nodes,), leaves without a voice. Returns (n, k).
    Level by level, each mean of a path made from that of the path above it: nothing cancels, and above a silent leaf
    nothing underflows.
    """
    kept = with_ancestors(tree, nodes)
    place = np.zeros(tree.n_nodes, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    above, depth = place[np.maximum(tree.parent[kept], 0)], tree.depth[kept]
    node, leaf = weighing.node[kept], weighing.leaf[kept]
    answer = own(kept)
    mean, total = answer.copy(), leaf.copy()  # from the root to the node, all of them as leaves
    order = np.argsort(depth, kind="stable")
    for level in np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)[1:]:
        here, up = answer[level], above[level]
        answer[level] = _mixed(mean[up], total[up], here, node[level])[0]
        mean[level], total[level] = _mixed(mean[up], total[up], here, leaf[level])
    quiet = np.flatnonzero(silent[kept])
    answer[quiet] = mean[above[quiet]]
    return answer[place[nodes]]


def _mixed(above: Floats, total: Floats, own: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """A mean and one more value, by the logarithms of their weights; and the logarithm of both weights together."""
    both = np.logaddexp(total, weight)
    return above * np.exp(total - both)[:, None] + own * np.exp(weight - both)[:, None], both
