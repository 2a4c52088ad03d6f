"""Weakest-link pruning: all the trees that cost-complexity pruning can choose, found in one pass. SPEC B3.

R_alpha(T)  the risk of a pruning plus alpha for each of its leaves.
T(alpha)    the smallest pruning among those of least R_alpha. As alpha grows it jumps, at the path's alphas, from one
            subtree to a smaller one inside it.
tie         links that are equal, exactly (counts) or to rounding, are cut together: alphas strictly increase.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.risks import NodeRisk, impurity_risk, misclassification_risk, node_risk
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Floats, Ints, read_only
from bristlecone.tree.names import padded

__all__ = ["Path", "weakest_link_path"]

MOST_ROWS = 12  # of a table, at either end

# An alpha that comes within this of a rounded one reaches it.
RELATIVE = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Path:
    """The weakest-link path of a tree: subtree k is the best pruning for alphas from alphas[k] to alphas[k + 1].

    unpruned: the tree, as it answers under the risk. risk: what prunings are charged for. alphas: (K,) from 0, strictly
    increasing, in units of risk a leaf. collapse: (n_nodes,) the alpha from which on a node is a leaf of the smallest
    cheapest pruning of its own branch, but not before a node above it; -inf at leaves. covered: (n_nodes,) the least
    collapse of the nodes above; inf at the root. A node is a leaf of T(alpha) exactly if collapse <= alpha < covered.
    """

    unpruned: Tree
    risk: NodeRisk
    alphas: Floats
    collapse: Floats
    covered: Floats

    def __len__(self) -> int:
        """The number of subtrees."""
        return len(self.alphas)

    @cached_property
    def risks(self) -> Floats:
        """The risk of each subtree, (K,)."""
        return read_only(self.sums(self.risk.of_nodes))

    @cached_property
    def n_leaves(self) -> Ints:
        """The leaves of each subtree, (K,)."""
        leaves: Ints = np.rint(self.sums(np.ones(self.unpruned.n_nodes))).astype(np.int64)
        return read_only(leaves)

    @cached_property
    def impurity(self) -> Floats:
        """The mean impurity of each subtree's leaves by weight, (K,)."""
        return read_only(self.sums(impurity_risk(self.unpruned).of_nodes))

    @cached_property
    def misclassification(self) -> Floats:
        """The error rate of each subtree on the growing rows, (K,). Raises AttributeError in regression."""
        if self.unpruned.classes is None:
            raise AttributeError("a regression tree has no misclassification")
        return read_only(self.sums(misclassification_risk(self.unpruned).of_nodes))

    def sums(self, of_nodes: npt.ArrayLike, alphas: npt.ArrayLike | None = None) -> Floats:
        """Sums over the leaves of T(alpha), one for each alpha; linear in nodes and alphas.

        of_nodes: (n_nodes,); alphas: ascending, the path's own by default.
        """
        at = self.alphas if alphas is None else np.asarray(alphas, dtype=np.float64)
        values = np.asarray(of_nodes, dtype=np.float64)
        first, last = (np.searchsorted(at, limit, side="left") for limit in (self.collapse, self.covered))
        leaf = first < last
        came, went = (np.bincount(where[leaf], values[leaf], len(at) + 1) for where in (first, last))
        # In long floats: the sum at one alpha is a difference of what came and went before.
        running = np.cumsum(came[:-1].astype(np.longdouble) - went[:-1])
        return running.astype(np.float64)

    def index_at(self, alpha: float) -> int:
        """The k of T(alpha): the last one whose alpha is reached. Raises ValueError for alpha < 0 or NaN."""
        if not isinstance(alpha, Real) or math.isnan(alpha) or alpha < 0:
            raise ValueError(f"alpha must be a number of at least 0, got {alpha!r}")
        reach = float(alpha) if self.risk.counts is not None else float(alpha) * (1 + RELATIVE)
        return int(np.searchsorted(self.alphas, reach, side="right")) - 1

    def tree(self, k: int) -> Tree:
        """Subtree k: 0 is the largest, -1 the root alone. Raises IndexError beyond the path."""
        index = operator.index(k)
        if not -len(self) <= index < len(self):
            raise IndexError(f"subtree {index} of a path of {len(self)}")
        return cut(self.unpruned, self.collapse <= self.alphas[index])

    def tree_at(self, alpha: float) -> Tree:
        """T(alpha). Raises ValueError for alpha < 0 or NaN."""
        return self.tree(self.index_at(alpha))

    def __repr__(self) -> str:
        return f"<Path by {self.risk.name}: {len(self)} subtrees of {self.unpruned.n_leaves} leaves>"

    def __str__(self) -> str:
        columns: list[tuple[str, Array, str]] = [
            ("alpha", self.alphas, ".6g"),
            ("leaves", self.n_leaves, ","),
            (self.unpruned.criterion, self.impurity, ".6g"),
        ]
        if self.unpruned.classes is not None:
            columns.append(("misclassification", self.misclassification, ".6g"))
        if self.risk.name not in [name for name, _, _ in columns]:
            columns.append((self.risk.name, self.risks, ".6g"))
        shown = [_cells(name, values, form, len(self)) for name, values, form in columns]
        widths = [max(map(len, cells)) for cells in shown]
        lines = ("  ".join(map(_to_the_right, row, widths)) for row in zip(*shown, strict=True))
        return "\n".join(
            [f"Weakest-link path by {self.risk.name}, {len(self):,} subtree" + "s" * (len(self) > 1), *lines]
        )


def _cells(name: str, values: Array, form: str, length: int) -> list[str]:
    return [name, *("..." if k is None else format(values[k].item(), form) for k in _shown_rows(length))]


def _shown_rows(length: int) -> Iterator[int | None]:
    """The rows of a table; None where the middle of a long one is left out."""
    if length <= 2 * MOST_ROWS + 1:
        yield from range(length)
        return
    yield from range(MOST_ROWS)
    yield None
    yield from range(length - MOST_ROWS, length)


def _to_the_right(text: str, size: int) -> str:
    return padded(text, size, to_the_right=True)


def weakest_link_path(tree: Tree, *, risk: Any = "impurity") -> Path:
    """The path of the smallest cheapest prunings T(alpha) for all alpha >= 0. SPEC B3, C39.

    risk: "impurity" (of growth; the only one in regression), "misclassification" (what a node's own label gets wrong on
    the growing rows), or a loss matrix (n_classes, n_classes) with true classes in rows: then every node of the path's
    trees, `unpruned` included, has the label that costs least. In shares of all weight.
    Risks that are counts (whole weights, whole losses) are compared exactly, others to a relative 1e-12 or to the
    rounding of a node's own risk. n log n in the nodes, however deep the tree.
    Raises TypeError for what is no Tree, ValueError or TypeError for a risk that this tree does not have.
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"a path needs a Tree, got {type(tree).__name__}")
    found = node_risk(tree, risk)
    children = tree.children_left, tree.children_right
    if found.counts is not None:
        links = _core.weakest_links_of_counts(*children, found.counts, float(found.unit))
        return Path(found.tree, found, *map(read_only, links))
    # In units of a power of two near the largest: neither huge nor tiny risks leave the range of floats.
    exponent = int(np.frexp(np.abs(found.of_nodes).max())[1])
    links = _core.weakest_links(*children, np.ldexp(found.of_nodes, -exponent))
    return Path(found.tree, found, *(read_only(np.ldexp(link, exponent)) for link in links))
