"""Model files in which any one value is another: they are refused by name, or the model answers and prints."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

import bristlecone as bc
from bristlecone.certify import Beyond
from bristlecone.estimators import model_file
from bristlecone.export import ModelFileError
from bristlecone.tree import Tree

X, Y = load_iris(return_X_y=True)
TWO = Y[:100]
MODELS = {
    "tree": lambda: bc.grow.cart(X, Y, max_depth=2),
    "grown": lambda: bc.DecisionTreeClassifier(max_depth=2, class_weight={0: 1, 1: 2, 2: 3}).fit(X, Y),
    "pruned": lambda: bc.PrunedTreeClassifier(cv=3, base=bc.DecisionTreeClassifier(max_depth=3)).fit(X, Y),
    "bounded": lambda: bc.PrunedTreeRegressor(rule="bound", risk=Beyond(0.5)).fit(X, Y * 1.0),
    "vote": lambda: bc.PACBayesTreeClassifier().fit(X, Y),
    "certified": lambda: bc.PACBayesTreeClassifier(mode="certified").fit(X, Y),
    "updated": lambda: bc.HelmboldSchapireClassifier(beta=0.5).fit(X[:100:2], TWO[::2]).update(X[1:100:2], TWO[1::2]),
}
DOCUMENTS = {}


def document(name):
    if name not in DOCUMENTS:
        DOCUMENTS[name] = model_file._to_document(MODELS[name]())
    return copy.deepcopy(DOCUMENTS[name])


def places(held, at=()):
    """The way to every value in a document; of a long list, to its ends."""
    keys = list(held) if isinstance(held, dict) else range(len(held))
    for key in keys if isinstance(held, dict) else {*keys[:3], *keys[-1:]}:
        yield (*at, key)
        if isinstance(held[key], dict | list):
            yield from places(held[key], (*at, key))


STRANGE = [
    None,
    True,
    -1,
    3,
    10**30,
    0.5,
    "inf",
    "",
    "gini",
    [],
    [1],
    {},
    {"dict": []},
    {"array": ["a"], "dtype": "str"},
]


@pytest.mark.parametrize("name", MODELS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_changed_value_is_refused_or_read(name, data):
    changed = document(name)
    way = data.draw(st.sampled_from(sorted(places(changed["payload"]), key=repr)))
    held = changed["payload"]
    for key in way[:-1]:
        held = held[key]
    held[way[-1]] = data.draw(st.sampled_from(STRANGE))
    try:
        model = model_file._from_document(changed)
    except (ModelFileError, ValueError, TypeError, OverflowError):  # what `load` says with the file's name
        return
    rows = X[:, : model.n_features] if isinstance(model, Tree) else X[:, : model.n_features_in_]
    try:
        model.predict(rows)
    except ValueError as refusal:  # names of columns, or a cell that this model refuses
        assert "column" in str(refusal) or "feature" in str(refusal)
    with np.errstate(all="ignore"):
        str(getattr(model, "path_", "")), str(getattr(model, "tree_", model))
