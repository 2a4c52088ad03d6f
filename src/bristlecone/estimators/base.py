"""What the grown classifier and regressor share: the parameters' checks, one fit, pruning at a given alpha."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from numbers import Number
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch

from bristlecone.estimators.dealing import RANDOM_STATE
from bristlecone.estimators.fitted import FittedTree
from bristlecone.estimators.rows import training_table
from bristlecone.grow.cart import grow_checked
from bristlecone.grow.impurities import criterion_check
from bristlecone.grow.parameters import PARAMETERS, Check, check_parameters
from bristlecone.subtrees import weakest_link_path
from bristlecone.table import Table

__all__ = ["DecisionTree", "each_row"]


# Parameters of scikit-learn's that have one value here: programs that name them run unchanged.
COMPATIBLE: Mapping[str, Check] = {
    "splitter": Check(lambda value: isinstance(value, str) and value == "best", "'best': every split is looked at"),
    "max_features": Check(
        lambda value: value is None or (isinstance(value, float) and value == 1.0),
        "None (or 1.0): every column is looked at in every node",
    ),
    "random_state": RANDOM_STATE,
}


class DecisionTree(FittedTree):
    """One grown tree behind scikit-learn's interface; a base, not for use by itself."""

    _defaults: ClassVar[Mapping[str, Any]]
    _checks: ClassVar[Mapping[str, Check]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "_task" in vars(cls):  # scikit-learn would read the signature again at every fit
            cls._defaults = {p.name: p.default for p in signature(cls).parameters.values()}
            cls._checks = {**PARAMETERS, **COMPATIBLE, "criterion": criterion_check(cls._task)}

    def _checked(self) -> dict[str, Any]:
        """The parameters; the first one that is not what it may be is refused by name."""
        given = {n: value for n, default in self._defaults.items() if (value := getattr(self, n)) is not default}
        check_parameters(given, self._checks, type(self).__name__)
        return {**self._defaults, **given}

    def _refuses_missing(self) -> bool:
        return bool(self.missing == "error")

    @staticmethod
    def _target(y: Any, owner: str) -> NDArray[Any]:
        """y as growth takes it, or one clear error."""
        raise NotImplementedError

    def _open(self, X: Any) -> tuple[Table, dict[str, Any]]:
        """X as a table, and the parameters, which are checked first."""
        parameters = self._checked()
        return training_table(self, X, parameters["categorical_features"]), parameters

    def _fit(self, table: Table, y: NDArray[Any], sample_weight: Any, parameters: dict[str, Any]) -> Self:
        tree = grow_checked(table, y, each_row(sample_weight, table), parameters, parameters)
        alpha = parameters["ccp_alpha"]
        return self._adopt(tree if alpha is None else weakest_link_path(tree).tree_at(alpha))

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The alphas at which the tree of these rows changes when it is pruned, and what is left of its impurity.

        X, y, sample_weight: as `fit` takes them; the estimator stays as it is. Returns a Bunch of ccp_alphas (K,),
        strictly increasing from 0, and impurities (K,), the mean impurity of the leaves by weight. A fit with ccp_alpha
        from ccp_alphas[k] on, and below the next one, gives the k-th subtree (SPEC B3).
        """
        unpruned = clone(self).set_params(ccp_alpha=None)
        table, parameters = unpruned._open(X)
        y = self._target(y, type(self).__name__)
        path = weakest_link_path(unpruned._fit(table, y, sample_weight, parameters).tree_)
        return Bunch(ccp_alphas=path.alphas.copy(), impurities=path.risks.copy())


def each_row(sample_weight: Any, table: Table) -> Any:
    """Weights of rows; one number stands for all of them."""
    if isinstance(sample_weight, Number):
        return np.full(table.n_rows, sample_weight, dtype=np.float64)
    return sample_weight
