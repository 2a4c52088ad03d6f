"""What each column adds to an answer: a node's value changes with each question, and the question's column gets it.

value     class fractions, or the number, of a node.
base      the value of the root: what is answered before anything is asked.
A row's contributions and the base add up to the value of the node where the row stops, on the one traversal that
predicts: missing cells, unknown levels and empty leaves included.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bristlecone.tree.arrays import Floats, Ints
from bristlecone.tree.layout import distinct

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree

__all__ = ["Contributions", "at_nodes", "contributions"]


class Contributions(NamedTuple):
    """base: (n_classes,), in regression (1,). values: (n_rows, n_columns, n_classes or 1)."""

    base: Floats
    values: Floats

    @property
    def totals(self) -> Floats:
        """The base and all contributions of each row, (n_rows, n_classes or 1): its class shares, or its number."""
        total: Floats = self.base + self.values.sum(axis=1)
        return total


def contributions(tree: "Tree", X: Any, n_threads: int = 1) -> Contributions:
    """What each column adds to the answer of each row of X, an array, a frame or a Table.

    A column's share is the sum of the changes at the questions about it on the row's own path, after Saabas (2014); it
    depends on the order of the questions, which Shapley values do not. Errors: those of `apply`.
    """
    return Contributions(tree.value[0, 0, :].copy(), at_nodes(tree, tree.apply(X, n_threads)))


def at_nodes(tree: "Tree", nodes: Ints) -> Floats:
    """The contributions to the answers of rows that stop at these nodes, (len(nodes), n_columns, n_classes or 1)."""
    stops, of_row = distinct(nodes, tree.n_nodes)
    return _of_stops(tree, stops, tree.value[:, 0, :]).take(of_row, axis=0)


def _of_stops(tree: "Tree", stops: Ints, value: Floats) -> Floats:
    """The contributions of the paths to some nodes, (n_stops, n_columns, k), all paths one step up at a time."""
    found = np.zeros((len(stops), tree.n_features, value.shape[1]))
    place, at = np.arange(len(stops)), stops
    while True:
        above = tree.parent[at]
        going = above >= 0
        place, at, above = place[going], at[going], above[going]
        if not len(at):
            return found
        # A path stands once in `place`: no two steps meet in one entry.
        found[place, tree.feature[above]] += value[at] - value[above]
        at = above
