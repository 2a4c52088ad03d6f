"""From a grown tree to the pruning that a choice asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.folds import Fold, Rows
from bristlecone.subtrees.losses import ClassLoss, Loss
from bristlecone.subtrees.path import weakest_link_path
from bristlecone.subtrees.selection.choosing import Selection, path_at, select_on_path
from bristlecone.subtrees.selection.growth import Growth, loss_and_rows
from bristlecone.subtrees.selection.out_of_fold import OutOfFold, out_of_fold
from bristlecone.tree import Tree

__all__ = ["Choice", "kept_folds", "select"]

Rounds = Callable[[Rows], Sequence[Sequence[Fold]]]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pruning is wanted.

    penalty: "cost_complexity"; strength: "cv", or a number; rule: "one_se" or "min", where cross-validation chooses;
    risk: "impurity" or "misclassification" (each error at the cost that a loss matrix gives it, where growth had one).
    """

    penalty: Any = "cost_complexity"
    strength: Any = "cv"
    rule: str = "one_se"
    risk: str = "impurity"

    def path_risk(self, loss: Loss) -> Any:
        """The risk that `weakest_link_path` is to take."""
        matrix = loss.matrix if isinstance(loss, ClassLoss) else None
        return matrix if self.risk == "misclassification" and matrix is not None else self.risk


def select(growth: Growth, tree: Tree, choice: Choice, rounds_of: Rounds, n_threads: int = 1) -> Selection:
    """The pruning of a tree, grown by `growth`, that a choice asks for. rounds_of: the folds of these rows."""
    loss, rows = loss_and_rows(growth)
    risk = choice.path_risk(loss)
    if choice.strength != "cv":
        return path_at(weakest_link_path(tree, risk=risk), choice.strength, loss)
    return select_on_path(growth, loss, tree, rounds_of(rows), risk=risk, rule=choice.rule, n_threads=n_threads)


def kept_folds(growth: Growth, choice: Choice, rounds_of: Rounds, n_threads: int = 1) -> OutOfFold:
    """The trees of the first round's folds. Raises ValueError where there is nothing to hold out."""
    loss, rows = loss_and_rows(growth)
    risk = choice.path_risk(loss)
    found = rounds_of(rows)
    if not found:
        raise ValueError("there is nothing to hold out of a single row")

    def closes(tree: Tree, alpha: float) -> npt.NDArray[np.bool_]:
        path = weakest_link_path(tree, risk=risk)
        closed: npt.NDArray[np.bool_] = path.collapse <= path.alphas[path.index_at(alpha)]
        return closed

    return out_of_fold(growth, found[0], closes, n_threads)
