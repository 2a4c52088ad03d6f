"""A strength chosen from two grids, for penalties that have no path of their own. SPEC A9.

First ten strengths equally far apart by ratio, over all that make sense; then ten equally far apart by difference, from
half of the best of them to twice it. All are judged on the same folds, whose trees are grown once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.cheapest import cheapest_prunings
from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.folds import Fold
from bristlecone.subtrees.heldout import Tally, tally_prunings
from bristlecone.subtrees.losses import Loss
from bristlecone.subtrees.penalties import Pessimistic
from bristlecone.subtrees.risks import node_risk
from bristlecone.subtrees.selection.choosing import RULES, Selection, choose, judgement, shown_risks
from bristlecone.subtrees.selection.growth import FoldFit, Growth
from bristlecone.subtrees.selection.judging import CrossValidation, in_threads, judge
from bristlecone.subtrees.summary import PruningTable
from bristlecone.tree import Tree

__all__ = ["closings", "prune_at", "select_on_grid"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]
Mask = npt.NDArray[np.bool_]

SIZE = 10
WIDEST = (2.0**-8, 2.0**6)
CONFIDENCES = (2.0**-8, 0.5)  # above 1/2 a limit is below what was seen


def closings(tree: Tree, penalty: Any, strengths: Floats) -> Mask:
    """Which nodes are leaves of the cheapest pruning at every strength, (n_nodes, n_strengths).

    penalty: as `cheapest_pruning` takes it; the strength of "pessimistic" is its confidence.
    """
    if penalty == "pessimistic":
        each = [cheapest_prunings(tree, Pessimistic(float(strength))).leaf for strength in strengths]
        return np.column_stack(each)
    return cheapest_prunings(tree, penalty, strengths).leaf


def prune_at(tree: Tree, penalty: Any, strength: float, loss: Loss) -> Selection:
    """The cheapest pruning at a strength that was given."""
    tried = _Tried.of(tree, penalty, np.array([strength], dtype=np.float64))
    return tried.selection(penalty, loss, f"strength = {strength:g}", 0)


def select_on_grid(
    growth: Growth,
    loss: Loss,
    tree: Tree,
    rounds: Sequence[Sequence[Fold]],
    *,
    penalty: Any,
    rule: str,
    n_threads: int = 1,
) -> Selection:
    """The pruning of a tree at the strength that cross-validation chooses. rule: "min" or "one_se"."""
    widest = _widest(tree, penalty)
    if not rounds:  # a single row: nothing to hold out, and the tree is a leaf
        return prune_at(tree, penalty, float(widest[0]), loss)
    fits = in_threads(n_threads, lambda fold: FoldFit.of(growth, fold), [fold for folds in rounds for fold in folds])

    def judged(strengths: Floats) -> CrossValidation:
        def tally(fit: FoldFit) -> Tally:
            closed = closings(fit.tree, penalty, strengths)
            return tally_prunings(fit.tree, closed, loss, fit.rows, fit.stops, fit.weights)

        return judge(growth, loss, rounds, strengths, in_threads(n_threads, tally, fits))

    first = judged(widest)
    best, _ = choose(first.risk, first.se, _Tried.of(tree, penalty, widest).n_leaves, "min")
    tried = _Tried.of(tree, penalty, _around(widest, best)).in_order()
    cv = judged(tried.strengths)
    least, chosen = choose(cv.risk, cv.se, tried.n_leaves, rule)
    return tried.selection(penalty, loss, RULES[rule], chosen, least, cv)


def _widest(tree: Tree, penalty: Any) -> Floats:
    low, high = CONFIDENCES if penalty == "pessimistic" else WIDEST
    # A mean loss has the target's units, and so has what is weighed against it.
    unit = 1.0 if tree.classes is not None else float(tree.impurity[0]) or 1.0
    return np.geomspace(low, high, SIZE) * unit


def _around(strengths: Floats, best: int) -> Floats:
    """The strengths, and ten from half of the best one to twice it, none of them beyond the last."""
    near = np.linspace(strengths[best] / 2, min(2 * strengths[best], strengths[-1]), SIZE)
    return np.unique(np.concatenate([strengths, near]))


@dataclass(frozen=True, slots=True)
class _Tried:
    """Strengths, and which nodes of the whole tree are leaves at each, (n_nodes, n_strengths)."""

    tree: Tree
    strengths: Floats
    closed: Mask

    @classmethod
    def of(cls, tree: Tree, penalty: Any, strengths: Floats) -> _Tried:
        return cls(tree, strengths, closings(tree, penalty, strengths))

    @property
    def n_leaves(self) -> Ints:
        counts: Ints = np.count_nonzero(self.closed, axis=0)
        return counts

    def in_order(self) -> _Tried:
        """From the largest tree to the smallest."""
        order = np.argsort(-self.n_leaves, kind="stable")
        return _Tried(self.tree, self.strengths[order], self.closed[:, order])

    def selection(
        self,
        penalty: Any,
        loss: Loss,
        rule: str,
        chosen: int,
        least: int | None = None,
        cv: CrossValidation | None = None,
    ) -> Selection:
        risks = shown_risks(
            node_risk(self.tree, "impurity" if self.tree.classes is None else "misclassification"), loss
        )
        name = penalty if isinstance(penalty, str) else getattr(penalty, "__name__", type(penalty).__name__)
        table = PruningTable(
            title=f"Prunings by {name}",
            strength_name="confidence" if penalty == "pessimistic" else "strength",
            strength=self.strengths,
            leaves=self.n_leaves,
            risks={risk.name: risk.of_nodes @ self.closed for risk in risks},
            chosen=chosen,
            rule=rule,
            least=least,
            **judgement(risks, loss, len(self.strengths), cv),
        )
        return Selection(cut(self.tree, self.closed[:, chosen]), float(self.strengths[chosen]), table, cv)
