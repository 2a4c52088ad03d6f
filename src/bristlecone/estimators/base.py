"""What the grown classifier and regressor share: the parameters' checks, one fit, pruning at a given alpha."""

from __future__ import annotations

import math
from collections.abc import Mapping
from inspect import signature
from numbers import Number, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch

from bristlecone.estimators.fitted import FittedTree
from bristlecone.estimators.rows import training_table
from bristlecone.grow.cart import grow_checked
from bristlecone.grow.criteria import names_of
from bristlecone.grow.parameters import PARAMETERS, Check, check_parameters, none_or, one_of
from bristlecone.subtrees import weakest_link_path
from bristlecone.table import Table
from bristlecone.tree import Tree

__all__ = ["DecisionTree", "each_row"]


def _at_least_zero(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value) and value >= 0


ALPHA = none_or(Check(_at_least_zero, "a number of at least 0"))


class DecisionTree(FittedTree):
    """One grown tree behind scikit-learn's interface; a base, not for use by itself."""

    _defaults: ClassVar[Mapping[str, Any]]
    _checks: ClassVar[Mapping[str, Check]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "_task" in vars(cls):  # scikit-learn would read the signature again at every fit
            cls._defaults = {p.name: p.default for p in signature(cls).parameters.values()}
            cls._checks = PARAMETERS | {"criterion": one_of(*names_of(cls._task)), "ccp_alpha": ALPHA}

    def _checked(self) -> dict[str, Any]:
        """The parameters; the first one that is not what it may be is refused by name."""
        given = {n: value for n, default in self._defaults.items() if (value := getattr(self, n)) is not default}
        check_parameters(given, self._checks, type(self).__name__)
        return {**self._defaults, **given}

    def _refuses_missing(self) -> bool:
        return bool(self.missing == "error")

    def _target(self, y: Any) -> NDArray[Any]:
        """y as growth takes it, or one clear error."""
        raise NotImplementedError

    def _grow(self, X: Any, y: Any, sample_weight: Any) -> Tree:
        """The whole tree, unpruned; the parameters are checked first."""
        parameters = self._checked()
        table = training_table(self, X, parameters["categorical_features"])
        weights = each_row(sample_weight, table)
        return grow_checked(table, self._target(y), weights, parameters, parameters)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        tree = self._grow(X, y, sample_weight)
        if self.ccp_alpha is not None:
            tree = weakest_link_path(tree).tree_at(self.ccp_alpha)
        return self._adopt(tree)

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The alphas at which the tree of these rows changes when it is pruned, and what is left of its impurity.

        X, y, sample_weight: as `fit` takes them; the estimator is not fitted. Returns a Bunch of ccp_alphas (K,),
        strictly increasing from 0, and impurities (K,), the mean impurity of the leaves by weight. A fit with ccp_alpha
        at or above ccp_alphas[k], and below the next one, gives the k-th subtree (SPEC B3).
        """
        path = weakest_link_path(clone(self)._grow(X, y, sample_weight))
        return Bunch(ccp_alphas=path.alphas.copy(), impurities=path.risks.copy())


def each_row(sample_weight: Any, table: Table) -> Any:
    """Weights of rows; one number stands for all of them."""
    if isinstance(sample_weight, Number):
        return np.full(table.n_rows, sample_weight, dtype=np.float64)
    return sample_weight
