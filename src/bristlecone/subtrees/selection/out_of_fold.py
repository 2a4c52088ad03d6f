"""What the folds' own trees answer to the rows that were held out from them, at any strength of pruning (C44)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
Closes = Callable[[Tree, float], npt.NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class OutOfFold:
    """The trees of all folds. rows: the held-out rows by place, ascending; a row that several folds hold out stands
    several times, and rows that none does are not there."""

    rows: Ints
    fits: tuple[FoldFit, ...]
    closes: Closes

    def predict(self, strength: float) -> npt.NDArray[Any]:
        """What the fold's own tree, pruned at this strength, answers to each of `rows`, (len(rows),)."""
        return self._in_order([fit.tree.answers_at(self._nodes(fit, strength)) for fit in self.fits])

    def predict_proba(self, strength: float) -> npt.NDArray[np.float64]:
        """The class shares of the node that answers, (len(rows), n_classes). Raises AttributeError in regression."""
        if self.fits[0].tree.classes is None:
            raise AttributeError("a regression tree has no class probabilities")
        return self._in_order([fit.tree.fractions_at(self._nodes(fit, strength)) for fit in self.fits])

    def _nodes(self, fit: FoldFit, strength: float) -> Ints:
        return answering_nodes(fit.tree, self.closes(fit.tree, strength))[fit.stops]

    def _in_order(self, parts: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
        return np.concatenate(parts)[np.argsort(self._rows_by_fold(), kind="stable")]

    def _rows_by_fold(self) -> Ints:
        return np.concatenate([fit.rows for fit in self.fits])


def out_of_fold(growth: Growth, folds: Sequence[Fold], closes: Closes, n_threads: int = 1) -> OutOfFold:
    """Grow the tree of every fold and keep it. closes: which nodes become leaves at a strength, (n_nodes,)."""
    fits = in_threads(n_threads, lambda fold: FoldFit.of(growth, fold), folds)
    return OutOfFold(np.sort(np.concatenate([fit.rows for fit in fits])), tuple(fits), closes)
