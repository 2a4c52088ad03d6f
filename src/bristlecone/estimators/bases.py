"""The tree that a vote is over: grown by name, grown as an estimator grows, or one that is there already."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from bristlecone.estimators.classifier import DecisionTreeClassifier
from bristlecone.estimators.fitted import FittedTree
from bristlecone.export.sklearn import from_sklearn
from bristlecone.subtrees.selection import GROWERS, Grower, recount
from bristlecone.table import Schema, Table
from bristlecone.table.rows import check_same_rows
from bristlecone.tree import Tree

__all__ = ["Base", "base_of"]

_NAMES = ", ".join(map(repr, GROWERS))


@dataclass(frozen=True, slots=True)
class Base:
    """What grows the tree, and the parameters of a DecisionTreeClassifier that go with it. there: a tree that is there
    already."""

    grower: str | Grower
    parameters: Mapping[str, Any]
    there: Tree | None = None

    @property
    def schema(self) -> Schema | None:
        """Of a tree that is there: rows are read by its columns."""
        return None if self.there is None else self.there.schema

    @property
    def refuses_missing(self) -> bool:
        """Whether a missing cell is refused."""
        return self.grower in ("dyadic", "kd") or self.parameters["missing"] == "error"


def base_of(given: Any, owner: str) -> Base:
    """The base that a parameter asks for. Raises TypeError or ValueError naming the parameter for anything else."""
    defaults = DecisionTreeClassifier()._checked()
    if isinstance(given, str):
        if given not in GROWERS:
            raise ValueError(f"{owner}: base={given!r}: must be {_NAMES}, a tree, or a decision tree estimator")
        return Base(given, defaults)
    if _is_theirs(given, "sklearn.frozen", "FrozenEstimator"):
        given = given.estimator
    theirs = _is_theirs(given, "sklearn.tree", "BaseDecisionTree")
    if isinstance(given, Tree):
        return _fixed(given, defaults)
    if (theirs or isinstance(given, FittedTree)) and hasattr(given, "tree_"):
        return _fixed(given.tree_ if isinstance(given, FittedTree) else from_sklearn(given), defaults)
    if isinstance(given, DecisionTreeClassifier):
        return Base("cart", _voting(given, owner))
    if theirs and getattr(given, "class_weight", None) is not None:
        raise ValueError(
            f"{owner}: base has class_weight={given.class_weight!r}, which the vote would not know of; give "
            "sample_weight to fit, or a DecisionTreeClassifier of bristlecone"
        )
    if theirs:
        return Base(_grown_by(given), defaults)
    kind = given.__name__ if isinstance(given, type) else f"of type {type(given).__name__}"
    raise TypeError(
        f"{owner}: base is {kind}; it must be {_NAMES}, a fitted tree, or an unfitted DecisionTreeClassifier of "
        "bristlecone or scikit-learn"
    )


def _is_theirs(given: object, module: str, name: str) -> bool:
    """Whether an object is of a scikit-learn class: if so, its module is loaded, and else need not be."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(given, getattr(loaded, name))


def _voting(base: DecisionTreeClassifier, owner: str) -> Mapping[str, Any]:
    for name, reason in (("ccp_alpha", "all prunings vote"), ("loss", "a vote counts errors, each for one")):
        if getattr(base, name) is not None:
            raise ValueError(f"{owner}: base has {name}={getattr(base, name)!r}; leave it None, for {reason}")
    return base._checked()


def _fixed(tree: Tree, defaults: Mapping[str, Any]) -> Base:
    """The questions of a tree that is there, with the rows of every fit counted in it."""

    def counted(table: Table, y: Any, weights: Any, _rules: Mapping[str, Any], _given: Mapping[str, Any], /) -> Tree:
        return recount(tree, table, y, sample_weight=weights)

    return Base(counted, {**defaults, "missing": tree.missing, "unseen": tree.unseen}, tree)


def _grown_by(model: Any) -> Grower:
    """What grows as an unfitted scikit-learn tree does, with all classes of the target, also those without weight."""

    def grown(table: Table, y: Any, weights: Any, _rules: Mapping[str, Any], _given: Mapping[str, Any], /) -> Tree:
        check_same_rows(table.n_rows, len(y))
        levels = next((column.name for column in table.schema.columns if column.categorical), None)
        if levels is not None:
            raise ValueError(f"base: column {levels!r} holds categories, which scikit-learn's trees do not take")
        present = np.arange(table.n_rows) if weights is None else np.flatnonzero(weights > 0)
        cells = np.column_stack([values[present] for values in table.columns])
        fitted = clone(model).fit(cells, y[present], None if weights is None else weights[present])
        return recount(from_sklearn(fitted, schema=table.schema), table, y, sample_weight=weights)

    return grown
