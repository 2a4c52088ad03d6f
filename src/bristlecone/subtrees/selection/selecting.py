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
from bristlecone.subtrees.selection.grid import closings, prune_at, select_on_grid
from bristlecone.subtrees.selection.growth import Growth, loss_and_rows
from bristlecone.subtrees.selection.out_of_fold import OutOfFold, out_of_fold
from bristlecone.tree import Tree

__all__ = ["Choice", "kept_folds", "select"]

Rounds = Callable[[Rows], Sequence[Sequence[Fold]]]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pruning is wanted.

    penalty: "cost_complexity", or what `cheapest_pruning` takes; strength: "cv", or a number; rule: "one_se" or "min",
    where cross-validation chooses; risk: "impurity" or "misclassification", for cost-complexity (each error at the cost
    that a loss matrix gives it, where growth had one).
    """

    penalty: Any = "cost_complexity"
    strength: Any = "cv"
    rule: str = "one_se"
    risk: str = "impurity"

    @property
    def on_path(self) -> bool:
        """Whether the prunings are those of a weakest-link path."""
        return isinstance(self.penalty, str) and self.penalty == "cost_complexity"

    def path_risk(self, loss: Loss) -> Any:
        """The risk that `weakest_link_path` is to take."""
        matrix = loss.matrix if isinstance(loss, ClassLoss) else None
        return matrix if self.risk == "misclassification" and matrix is not None else self.risk


def select(growth: Growth, tree: Tree, choice: Choice, rounds_of: Rounds, n_threads: int = 1) -> Selection:
    """The pruning of a tree, grown by `growth`, that a choice asks for. rounds_of: the folds of these rows."""
    loss, rows = loss_and_rows(growth)
    given = choice.strength != "cv"
    if not choice.on_path:
        if given:
            return prune_at(tree, choice.penalty, choice.strength, loss)
        how: dict[str, Any] = {"penalty": choice.penalty, "rule": choice.rule, "n_threads": n_threads}
        return select_on_grid(growth, loss, tree, rounds_of(rows), **how)
    risk = choice.path_risk(loss)
    if given:
        return path_at(weakest_link_path(tree, risk=risk), choice.strength, loss)
    return select_on_path(growth, loss, tree, rounds_of(rows), risk=risk, rule=choice.rule, n_threads=n_threads)


def kept_folds(growth: Growth, choice: Choice, rounds_of: Rounds, n_threads: int = 1) -> OutOfFold:
    """The trees of the first round's folds. Raises ValueError where there is nothing to hold out."""
    loss, rows = loss_and_rows(growth)
    found = rounds_of(rows)
    if not found:
        raise ValueError("there is nothing to hold out of a single row")

    def pruned(tree: Tree, strength: float) -> tuple[Tree, npt.NDArray[np.bool_]]:
        if not choice.on_path:
            return tree, closings(tree, choice.penalty, np.array([strength], dtype=np.float64))[:, 0]
        path = weakest_link_path(tree, risk=choice.path_risk(loss))
        return path.unpruned, path.collapse <= path.alphas[path.index_at(strength)]

    return out_of_fold(growth, found[0], pruned, n_threads)
