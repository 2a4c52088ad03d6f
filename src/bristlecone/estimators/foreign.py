"""What the floors above ask of any estimator, this library's or scikit-learn's: a fresh copy, its root, its size."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

from bristlecone.estimators.fitted import FittedTree
from bristlecone.table import as_table
from bristlecone.tree import Tree
from bristlecone.tree.conditions import Wording

__all__ = ["counts_rows", "fit_fresh", "fresh_classifier", "n_leaves", "root_split", "takes_tables", "training_rows"]


def fresh_classifier(estimator: Any) -> Any:
    """An unfitted copy. Raises TypeError for what is not a classifier in scikit-learn's form, a class among them."""
    if isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
        raise TypeError(f"{estimator!r:.80} is not an estimator; give an unfitted one")
    if not is_classifier(estimator):
        raise TypeError(f"a {type(estimator).__name__} is not a classifier")
    return clone(estimator)


def fit_fresh(estimator: Any, X: Any, y: Any, sample_weight: Any = None, **given: Any) -> Any:
    """A copy, fitted; with weights, where there are some. Raises TypeError for one that takes none."""
    model = fresh_classifier(estimator)
    if sample_weight is None:
        return model.fit(X, y, **given)
    if not has_fit_parameter(model, "sample_weight"):
        raise TypeError(f"sample_weight: a {type(model).__name__} takes none")
    return model.fit(X, y, sample_weight=sample_weight, **given)


def counts_rows(estimator: Any) -> bool:
    """Whether its rows must be rows, each with the weight one, for it certifies by counting them."""
    certifies = getattr(estimator, "mode", None) == "certified" or getattr(estimator, "rule", None) == "bound"
    return isinstance(estimator, FittedTree) and certifies


def takes_tables(estimator: Any) -> bool:
    """Whether X may be a Table, and whole weights stand for repeated rows."""
    return isinstance(estimator, FittedTree)


def training_rows(estimator: Any, X: Any) -> Any:
    """X as the estimator's `fit` can take it many times: read once, as a Table, where it takes Tables."""
    if not takes_tables(estimator):
        return X
    owner = estimator if hasattr(estimator, "categorical_features") else getattr(estimator, "base", None)
    return as_table(X, categorical_features=getattr(owner, "categorical_features", "from_dtype"))


def n_leaves(model: Any) -> int | None:
    """The leaves of a fitted tree; None where there is no one tree."""
    return int(model.get_n_leaves()) if hasattr(model, "get_n_leaves") else None


def root_split(model: Any) -> tuple[int, str] | None:
    """The column that a fitted tree asks first, and its question in words; None for a single leaf, or no one tree."""
    tree = getattr(model, "tree_", None)
    if tree is None or getattr(tree, "feature", None) is None or tree.children_left[0] < 0:
        return None
    column = int(tree.feature[0])
    if isinstance(tree, Tree):
        return column, tree.condition(0).left(Wording(fold=3, missing=False))
    names = getattr(model, "feature_names_in_", None)
    name = f"x{column}" if names is None else str(names[column])
    return column, f"{name} <= {float(tree.threshold[0]):.6g}"
