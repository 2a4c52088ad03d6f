"""Models to files and back: a Tree by itself, or an estimator with its parameters around its tree.

A file is one JSON document (`export.document` is its envelope, docs/model-format.md its description). Nothing in it is
run: an estimator is rebuilt by its own constructor from checked parameters, a tree by the Tree's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from inspect import signature
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bristlecone.estimators.base import DecisionTree
from bristlecone.estimators.classifier import DecisionTreeClassifier
from bristlecone.estimators.fitted import FittedTree
from bristlecone.estimators.helmbold_schapire import HelmboldSchapireClassifier
from bristlecone.estimators.pac_bayes import PACBayesTreeClassifier
from bristlecone.estimators.pruned_classifier import PrunedTreeClassifier
from bristlecone.estimators.pruned_regressor import PrunedTreeRegressor
from bristlecone.estimators.regressor import DecisionTreeRegressor
from bristlecone.estimators.saved_values import decode, encode
from bristlecone.estimators.voting import VotingTree
from bristlecone.export import (
    ModelFileError,
    document_to_tree,
    make_document,
    payload_to_tree,
    read_document,
    tree_to_document,
    tree_to_payload,
    write_document,
)
from bristlecone.tree import Tree

__all__ = ["load", "save"]

_ESTIMATORS: dict[str, type[FittedTree]] = {
    estimator.__name__: estimator
    for estimator in (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        PrunedTreeClassifier,
        PrunedTreeRegressor,
        PACBayesTreeClassifier,
        HelmboldSchapireClassifier,
    )
}
_COMMAND_LINE = "Fit"  # a tree and notes on how it was made
_FIELDS = {"parameters", "feature_names_in", "tree"}
# Parameters that files of before may not name: written only where they are not the defaults.
_ADDED = {"ccp_alpha", "growth_fraction", "delta", "corrupted", "splitter", "max_features", "random_state"}


def save(model: FittedTree | Tree, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a JSON file, whole or not at all; `load` gives back its equal, bit for bit.

    model: one of the estimators of this room, or a Tree. Errors: TypeError for any other object, and naming a
    parameter, label or level that JSON cannot say; NotFittedError; OSError when the file cannot be written.
    """
    write_document(_to_document(model), path)


def load(path: str | os.PathLike[str]) -> Any:
    """The model in a file: an estimator or a Tree, as `save` wrote it; the Tree of what `bristlecone fit` wrote.

    Errors: ModelFileError (a ValueError) naming the file for anything that is not such a model: a newer schema, a
    changed byte, an unknown kind, an index out of range; OSError when the file cannot be read.
    """
    document = read_document(path)
    try:
        return _from_document(document)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from error


def _to_document(model: object) -> dict[str, Any]:
    if isinstance(model, Tree):
        return tree_to_document(model)
    kind = type(model).__name__
    if not isinstance(model, FittedTree) or type(model) is not _ESTIMATORS.get(kind):
        accepted = ", ".join([*_ESTIMATORS, "Tree"])
        raise TypeError(f"cannot save a {kind}: save takes a fitted {accepted}")
    check_is_fitted(model, "tree_")
    names = getattr(model, "feature_names_in_", None)
    payload = {
        "parameters": _parameters_to_json(model),
        "feature_names_in": None if names is None else list(names),
        "tree": tree_to_payload(model.tree_),
        **{name: encode(value) for name, value in model._noted().items()},
    }
    return make_document(kind, payload)


def _parameters_to_json(model: FittedTree) -> dict[str, Any]:
    kind, given = type(model).__name__, model.get_params(deep=False)
    return {name: _encoded(kind, name, value) for name, value in given.items() if not _left_out(kind, name, value)}


def _left_out(kind: str, name: str, value: object) -> bool:
    default = signature(_ESTIMATORS[kind]).parameters[name].default
    return name in _ADDED and type(value) is type(default) and value == default


def _encoded(kind: str, name: str, value: Any) -> Any:
    if (
        isinstance(value, DecisionTree)
        and not _is_there(kind, value)
        and type(value) is _ESTIMATORS.get(type(value).__name__)
    ):
        return {"estimator": type(value).__name__, "parameters": _parameters_to_json(value)}
    if _is_there(kind, value):
        value = value.tree_
    if isinstance(value, Tree):
        return {"tree": tree_to_payload(value)}
    try:
        return encode(value)
    except TypeError as error:
        raise TypeError(f"cannot save the {kind}: parameter {name}={value!r}: {error}") from None


def _is_there(kind: str, value: Any) -> bool:
    """Whether a parameter is a fitted tree that a vote is over: it uses nothing else of the estimator."""
    return issubclass(_ESTIMATORS[kind], VotingTree) and isinstance(value, FittedTree) and hasattr(value, "tree_")


def _from_document(document: dict[str, Any]) -> FittedTree | Tree:
    kind, payload = document["kind"], document["payload"]
    if kind == "Tree":
        return document_to_tree(document)
    if kind == _COMMAND_LINE and "tree" in payload:
        return payload_to_tree(payload["tree"])
    if kind not in _ESTIMATORS:
        accepted = ", ".join([*_ESTIMATORS, "Tree"])
        raise ModelFileError(f"unknown kind of model {kind[:40]!r}; this version reads {accepted}")
    fields = _FIELDS.union(_ESTIMATORS[kind]._notes)
    if not fields <= set(payload) <= fields.union(_ESTIMATORS[kind]._maybe):
        raise ModelFileError(f"a {kind} is saved as {sorted(fields)}, the file holds {sorted(payload)}")
    return _estimator(kind, payload)


def _estimator(kind: str, payload: Mapping[str, Any]) -> FittedTree:
    with _part("parameters"):
        estimator, names = _unfitted(kind, payload["parameters"]), payload["feature_names_in"]
        estimator._checked()
    tree = payload_to_tree(payload["tree"])
    if tree.task != estimator._task:
        raise ModelFileError(f"a {kind} needs a {estimator._task} tree, the file holds a {tree.task} tree")
    if names is not None and names != list(tree.schema.names):
        raise ModelFileError("feature_names_in are not the names of the tree's columns")
    estimator.n_features_in_ = len(tree.schema)
    if names is not None:
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    noted = (*estimator._notes, *(name for name in estimator._maybe if name in payload))
    with _part(", ".join(noted) or "tree"):
        estimator._note({name: decode(payload[name]) for name in noted})
        return estimator._adopt(tree)


@contextmanager
def _part(names: str) -> Iterator[None]:
    """What Python says of values of the wrong type, said of the part of the file that holds them."""
    try:
        yield
    except (TypeError, AttributeError, LookupError) as error:
        raise ModelFileError(f"damaged ({names}): {error}") from error


def _unfitted(kind: str, parameters: object) -> FittedTree:
    """The estimator of these parameters."""
    expected = set(_ESTIMATORS[kind]().get_params(deep=False))
    if not isinstance(parameters, dict) or not expected.difference(_ADDED) <= set(parameters) <= expected:
        raise ModelFileError(f"the parameters saved are not those of {kind}")
    return _ESTIMATORS[kind](**{name: _decoded(value) for name, value in parameters.items()})


def _decoded(value: object) -> Any:
    match value:
        case {"estimator": str(kind), "parameters": parameters, **rest} if not rest and kind in _ESTIMATORS:
            return _unfitted(kind, parameters)
        case {"tree": payload, **rest} if not rest:
            return payload_to_tree(payload)
    return decode(value)
