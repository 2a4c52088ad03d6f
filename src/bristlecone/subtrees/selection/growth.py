"""Growing again on a part of the rows, and what the answers are judged by.

growth      all that makes a tree from rows, so that a fold can repeat it on its own rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bristlecone.grow.cart import grow_checked
from bristlecone.grow.criteria import Criterion
from bristlecone.grow.dyadic import dyadic
from bristlecone.grow.impurities import criterion_of
from bristlecone.grow.kd import kd
from bristlecone.grow.targets import class_target, numeric_target
from bristlecone.grow.weighting import weigh_classes
from bristlecone.subtrees.folds import Fold, Rows, are_counts
from bristlecone.subtrees.losses import ClassLoss, Loss, numeric_loss
from bristlecone.table import Table
from bristlecone.tree import Tree

__all__ = ["GROWERS", "FoldFit", "Grower", "Growth", "loss_and_rows"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]


class Grower(Protocol):
    """What makes a tree of rows, as `grow.cart.grow_checked` does."""

    def __call__(
        self, table: Table, y: Any, sample_weight: Any, rules: Mapping[str, Any], given: Mapping[str, Any], /
    ) -> Tree:
        """Grow."""


def _space(grow: Callable[..., Tree]) -> Grower:
    """A space tree as others are grown; it has no rules but its own."""

    def grown(table: Table, y: Any, weights: Any, _rules: Mapping[str, Any], given: Mapping[str, Any], /) -> Tree:
        return grow(table, y, sample_weight=weights, n_jobs=given["n_jobs"])

    return grown


GROWERS: Mapping[str, Grower] = {"cart": grow_checked, "dyadic": _space(dyadic), "kd": _space(kd)}


@dataclass(frozen=True, slots=True)
class Growth:
    """What `grow.cart.grow_checked` takes; weights: (n_rows,) or None. grower: what grows, or its name in `GROWERS`."""

    table: Table
    y: Any
    weights: Floats | None
    rules: Mapping[str, Any]
    given: Mapping[str, Any]
    grower: str | Grower = "cart"

    def tree(self) -> Tree:
        """The tree of all rows."""
        return self._grow(self.table, self.y, self.weights, self.rules, self.given)

    @property
    def row_weights(self) -> Floats:
        """The weight of every row, (n_rows,)."""
        return np.ones(self.table.n_rows) if self.weights is None else self.weights

    def in_rows(self) -> Growth:
        """The same; weights that are no numbers of rows are shares, and add up to as many rows as there are."""
        if self.weights is None or are_counts(self.weights):
            return self
        unit = float(np.count_nonzero(self.weights) / self.weights.sum())
        in_weight = ("min_weight_split", "min_weight_leaf")
        limits = {name: self.rules[name] * unit for name in in_weight if self.rules.get(name)}
        rules, given = {**self.rules, **limits}, {**self.given, **limits}
        return replace(self, weights=self.weights * unit, rules=rules, given=given)

    def fold_tree(self, fold: Fold) -> Tree:
        """The tree of a fold's rows, from one thread. A held-out level that they lack stops where it is not known."""
        weights = fold.grown_on(self.row_weights)
        unseen = "stop" if self.given["unseen"] == "error" else self.given["unseen"]
        given = {**self.given, "n_jobs": 1, "n_runners": 0, "unseen": unseen}
        return self._grow(self.table, self.y, weights, self.rules, given)

    @property
    def _grow(self) -> Grower:
        return GROWERS[self.grower] if isinstance(self.grower, str) else self.grower


@dataclass(frozen=True, slots=True)
class FoldFit:
    """A fold's own tree, and where its held-out rows stop. rows: their places; weights: what is held out of each."""

    tree: Tree
    rows: Ints
    stops: Ints
    weights: Floats

    @classmethod
    def of(cls, growth: Growth, fold: Fold) -> FoldFit:
        """Grow on a fold's rows and send the others down."""
        tree = growth.fold_tree(fold)
        return cls(tree, fold.held_out, tree.apply(growth.table.take(fold.held_out)), fold.held)


def loss_and_rows(growth: Growth) -> tuple[Loss, Rows]:
    """What held-out rows lose by an answer, and the rows as folds deal them.

    Over classes a wrong answer costs 1, or its entry of the loss matrix; class weights and priors count as they did in
    the growth of the whole tree. Over numbers the loss is the criterion's own.
    """
    criterion, weights = criterion_of(growth.given["criterion"]), growth.row_weights
    if isinstance(criterion, Criterion) and criterion.task == "regression":
        y = numeric_target(growth.y, criterion.value)
        strata = np.zeros(len(y), dtype=np.int64)
        return numeric_loss(criterion.value, y), Rows(growth.table, y, strata, weights)
    target = class_target(growth.y)
    names = ("class_weight", "priors", "loss")
    weighting = weigh_classes(target, growth.weights, *(growth.given.get(name) for name in names))
    rows = Rows(growth.table, target.codes, target.codes, weights)
    factor = None if weighting.factor is None else weighting.factor[target.codes]
    return ClassLoss(target.codes, weighting.loss, factor), rows
