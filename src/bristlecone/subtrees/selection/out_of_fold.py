"""What the folds' own trees answer to the rows that were held out from them, at any strength of pruning (C44)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.folds import Fold
from bristlecone.subtrees.heldout import answering_nodes
from bristlecone.subtrees.selection.growth import FoldFit, Growth
from bristlecone.subtrees.selection.judging import in_threads
from bristlecone.tree import Tree

__all__ = ["OutOfFold", "out_of_fold"]

Ints = npt.NDArray[np.integer[Any]]
Mask = npt.NDArray[np.bool_]
Pruned = Callable[[Tree, float], tuple[Tree, Mask]]


@dataclass(frozen=True, slots=True)
class OutOfFold:
    """The trees of all folds. rows: the held-out rows by place, ascending; a row that several folds hold out, or share,
    stands several times, and rows that none does are not there. weights: how much of each is held out."""

    rows: Ints
    weights: npt.NDArray[np.float64]
    fits: tuple[FoldFit, ...]
    pruned: Pruned

    def predict(self, strength: float) -> npt.NDArray[Any]:
        """What the fold's own tree, pruned at this strength, answers to each of `rows`, (len(rows),)."""
        return self._in_order([tree.answers_at(nodes) for tree, nodes in self._answering(strength)])

    def predict_proba(self, strength: float) -> npt.NDArray[np.float64]:
        """The class shares of the node that answers, (len(rows), n_classes). Raises AttributeError in regression."""
        if self.fits[0].tree.classes is None:
            raise AttributeError("a regression tree has no class probabilities")
        return self._in_order([tree.fractions_at(nodes) for tree, nodes in self._answering(strength)])

    def _answering(self, strength: float) -> Iterator[tuple[Tree, Ints]]:
        for fit in self.fits:
            tree, closed = self.pruned(fit.tree, strength)
            yield tree, answering_nodes(tree, closed)[fit.stops]

    def _in_order(self, parts: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
        return np.concatenate(parts)[_order(self.fits)]


def _order(fits: Sequence[FoldFit]) -> Ints:
    return np.argsort(np.concatenate([fit.rows for fit in fits]), kind="stable")


def out_of_fold(growth: Growth, folds: Sequence[Fold], pruned: Pruned, n_threads: int = 1) -> OutOfFold:
    """Grow the tree of every fold and keep it. pruned: a tree as it answers, and its leaves at a strength."""
    fits = in_threads(n_threads, lambda fold: FoldFit.of(growth, fold), folds)
    order = _order(fits)
    rows, weights = (np.concatenate([getattr(fit, name) for fit in fits])[order] for name in ("rows", "weights"))
    return OutOfFold(rows, weights, tuple(fits), pruned)
