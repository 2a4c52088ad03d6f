"""What every estimator around one tree answers once it is fitted: one traversal, one way to read X."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bristlecone.estimators.rows import prediction_table
from bristlecone.grow.cart import thread_count
from bristlecone.table import Table
from bristlecone.tree import Tree

if TYPE_CHECKING:
    from bristlecone.tree.contributions import Contributions
    from bristlecone.tree.explain import Explanation
    from bristlecone.tree.nearest import Alternatives

__all__ = ["FittedClassifier", "FittedTree"]


class FittedTree(BaseEstimator):  # type: ignore[misc]
    """One tree behind scikit-learn's interface; a base, not for use by itself."""

    _task: ClassVar[str]
    _notes: ClassVar[tuple[str, ...]] = ()  # the names in `_noted`
    _maybe: ClassVar[tuple[str, ...]] = ()  # names that are there after some fits only
    tree_: Tree
    n_jobs: int | None

    def set_params(self, **params: Any) -> Self:
        """As scikit-learn's estimators do; ValueError also where `base__...` is asked of a base that is a name."""
        base = params.get("base", getattr(self, "base", None))
        nested = next((name for name in params if name.startswith("base__")), None)
        if nested is not None and isinstance(base, str):
            raise ValueError(
                f"{type(self).__name__}: {nested}: base is {base!r}, which has no parameters of its own; give "
                "base=DecisionTreeClassifier() or another estimator"
            )
        return super().set_params(**params)  # type: ignore[no-any-return]

    def _adopt(self, tree: Tree) -> Self:
        """Take a grown or a loaded tree as this estimator's fit."""
        self.tree_ = tree
        return self

    def _checked(self) -> dict[str, Any]:
        """The parameters; the first one that is not what it may be is refused by name."""
        raise NotImplementedError

    def _noted(self) -> dict[str, Any]:
        """What a fit keeps beside the tree, by name, in values that a model file can say."""
        return {}

    def _note(self, noted: Mapping[str, Any]) -> None:
        """Take back what `_noted` gave. Raises ValueError or TypeError for anything else."""

    def _refuses_missing(self) -> bool:
        """Whether a missing cell is refused, as the parameters say."""
        raise NotImplementedError

    def _read(self, X: Any, *, check_later: bool = True) -> Table:
        if "tree_" not in vars(self):
            check_is_fitted(self, "tree_")
        return prediction_table(self, X, self.tree_, check_later=check_later)

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

    def contributions(self, X: Any) -> Contributions:
        """What each column adds to the answer: `values`, (n_rows, n_features, n_classes or 1), and their `base`."""
        table = self._read(X)
        return self.tree_.contributions(table, thread_count(self.n_jobs))

    def explain(self, X: Any, row: int) -> Explanation:
        """Why row `row` of X (counted from 0) gets its answer: the path in words, the last node and its counts."""
        table = self._read(X, check_later=False)
        return self.tree_.explain(table, row)

    def alternatives(self, X: Any, row: int) -> Alternatives:
        """What row `row` of X (counted from 0) would need to get another answer, and the leaves nearest to it."""
        table = self._read(X, check_later=False)
        return self.tree_.alternatives(table, row)

    def get_depth(self) -> int:
        """The number of questions on the longest path; 0 for a single leaf."""
        check_is_fitted(self, "tree_")
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    @property
    def n_outputs_(self) -> int:
        """One: a target is one column."""
        check_is_fitted(self, "tree_")
        return 1

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the weighted impurity drop, shape (n_features,); all zeros for a single leaf."""
        check_is_fitted(self, "tree_")
        return self.tree_.feature_importances

    def _html_repr(self) -> str:
        """What a notebook shows: scikit-learn's box of parameters, and the tree once it is fitted."""
        told: str = super()._html_repr()
        return told + (self._answering_tree()._repr_html_() if "tree_" in vars(self) else "")

    def _answering_tree(self) -> Tree:
        """The tree whose answers `predict` gives."""
        return self.tree_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = not self._refuses_missing()
        tags.input_tags.categorical = True
        tags.input_tags.sparse = False
        return tags


class FittedClassifier(ClassifierMixin, FittedTree):  # type: ignore[misc]
    """One classification tree; a base, not for use by itself."""

    _task: ClassVar[str] = "classification"
    classes_: NDArray[Any]
    n_classes_: int

    def _adopt(self, tree: Tree) -> Self:
        assert tree.classes is not None
        self.classes_ = tree.classes
        self.n_classes_ = len(tree.classes)
        return super()._adopt(tree)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The class shares of the node in which each row ends, shape (n_rows, n_classes), columns as `classes_`."""
        table = self._read(X)
        return self.tree_.predict_proba(table, thread_count(self.n_jobs))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The natural logarithm of `predict_proba`; -inf for a class that the node never saw."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(shares)
