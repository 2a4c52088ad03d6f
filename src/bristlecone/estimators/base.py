"""What the classifier and the regressor share: the parameters' checks, one fit, one traversal."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from numbers import Number
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from bristlecone.estimators.rows import prediction_table, training_table
from bristlecone.grow.cart import grow_checked, thread_count
from bristlecone.grow.criteria import names_of
from bristlecone.grow.parameters import PARAMETERS, Check, check_parameters, one_of
from bristlecone.table import Table
from bristlecone.tree import Tree

if TYPE_CHECKING:
    from bristlecone.tree.explain import Explanation

__all__ = ["DecisionTree"]


class DecisionTree(BaseEstimator):  # type: ignore[misc]
    """One grown tree behind scikit-learn's interface; a base, not for use by itself."""

    _task: ClassVar[str]
    _defaults: ClassVar[Mapping[str, Any]]
    _checks: ClassVar[Mapping[str, Check]]
    tree_: Tree

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "_task" in vars(cls):  # scikit-learn would read the signature again at every fit
            cls._defaults = {p.name: p.default for p in signature(cls).parameters.values()}
            cls._checks = PARAMETERS | {"criterion": one_of(*names_of(cls._task))}

    def _checked(self) -> dict[str, Any]:
        """The parameters; the first one that is not what it may be is refused by name."""
        given = {n: value for n, default in self._defaults.items() if (value := getattr(self, n)) is not default}
        check_parameters(given, self._checks, type(self).__name__)
        return {**self._defaults, **given}

    def _open(self, X: Any) -> tuple[Table, dict[str, Any]]:
        """X as a table, and the parameters, which are checked first."""
        parameters = self._checked()
        return training_table(self, X), parameters

    def _grow(self, table: Table, y: NDArray[Any], sample_weight: Any, parameters: dict[str, Any]) -> Self:
        if isinstance(sample_weight, Number):
            sample_weight = np.full(table.n_rows, sample_weight, dtype=np.float64)
        return self._adopt(grow_checked(table, y, sample_weight, parameters, parameters))

    def _adopt(self, tree: Tree) -> Self:
        """Take a grown or a loaded tree as this estimator's fit."""
        self.tree_ = tree
        return self

    def _read(self, X: Any, *, check_later: bool = True) -> Table:
        if "tree_" not in vars(self):
            check_is_fitted(self, "tree_")
        return prediction_table(self, X, self.tree_.schema, check_later=check_later)

    def predict(self, X: Any) -> NDArray[Any]:
        """The tree's answer for each row: a label, or a number.

        X: array, frame or Table of shape (n_rows, n_features). Returns shape (n_rows,). Errors: ValueError for a
        missing column (named), a different number of columns, and for what `missing` and `unseen` refuse.
        """
        table = self._read(X)
        return self.tree_.predict(table, thread_count(self.n_jobs))

    def apply(self, X: Any) -> NDArray[np.intp]:
        """The node in which each row ends, shape (n_rows,); an inner node where an unseen level stops the walk."""
        table = self._read(X)
        return self.tree_.apply(table, thread_count(self.n_jobs))

    def decision_path(self, X: Any) -> csr_matrix:
        """The nodes that each row passes, as a sparse indicator of shape (n_rows, n_nodes)."""
        table = self._read(X)
        return self.tree_.decision_path(table, thread_count(self.n_jobs))

    def explain(self, X: Any, row: int) -> Explanation:
        """Why row `row` of X (counted from 0) gets its answer: the path in words, the last node and its counts."""
        table = self._read(X, check_later=False)
        return self.tree_.explain(table, row)

    def get_depth(self) -> int:
        """The number of questions on the longest path; 0 for a single leaf."""
        check_is_fitted(self, "tree_")
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the weighted impurity drop, shape (n_features,); all zeros for a single leaf."""
        check_is_fitted(self, "tree_")
        return self.tree_.feature_importances

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.categorical = True
        tags.input_tags.sparse = False
        return tags
