"""A tree that growth adopts without the constructor's checks is one that passes them all."""

import copy
import pickle
from dataclasses import fields

import numpy as np
import pytest

from bristlecone import _core, grow
from bristlecone.estimators import DecisionTreeClassifier, DecisionTreeRegressor
from bristlecone.table import as_table
from bristlecone.tree import Tree
from bristlecone.tree.arrays import FIELDS

CLASS_OPTIONS = [
    {},
    {"criterion": "entropy", "sample_weight": "zeros"},
    {"criterion": "gain_ratio", "max_leaf_nodes": 9, "n_runners": 2},
    {"criterion": "sqrt", "loss": [[0, 3, 1], [1, 0, 1], [5, 1, 0]]},
    {"priors": [0.2, 0.3, 0.5], "sample_weight": "tiny", "missing": "learn"},
    {"class_weight": {0: 0.0, 1: 1.0, 2: 2.5}, "unseen": "heavier", "n_jobs": 2},
    {"sample_weight": "first class absent", "unseen": "error"},
]
NUMBER_OPTIONS = [
    {"criterion": "squared_error"},
    {"criterion": "poisson", "sample_weight": "zeros", "n_runners": 1},
    {"criterion": "absolute_error", "max_depth": 4},
    {"criterion": "squared_error", "monotonic_cst": [1, -1, 0, 0], "sample_weight": "tiny"},
]


def rows(seed=0, n=250):
    """Two numbers with missing cells, a column of few values, a category with missing cells; labels and numbers."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 4))
    X[:, 2] = rng.integers(0, 4, n)
    X[:, 3] = rng.integers(0, 12, n)
    X[rng.random((n, 4)) < 0.05] = np.nan
    signal = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 3]) % 3 + rng.random(n)
    return X, np.digitize(signal, [0.8, 2.2]), np.abs(signal)


def with_weights(options, y):
    rng = np.random.default_rng(7)
    kinds = {
        "zeros": rng.integers(0, 3, len(y)).astype(float),
        "tiny": rng.random(len(y)) * 1e-200,
        "first class absent": (y > 0).astype(float),
    }
    weight = options.get("sample_weight")
    return options if weight is None else options | {"sample_weight": kinds[weight]}


def grown(options):
    X, labels, numbers = rows()
    y = numbers if options in NUMBER_OPTIONS else labels
    return grow.cart(X, y, categorical_features=[3], **with_weights(options, y))


@pytest.mark.parametrize("options", CLASS_OPTIONS + NUMBER_OPTIONS)
def test_it_passes_the_checks_of_the_constructor(options):
    tree = grown(options)
    again = Tree(**{field.name: getattr(tree, field.name) for field in fields(Tree)})
    assert again.equals(tree)
    for name, (dtype, _) in FIELDS.items():
        assert getattr(tree, name).dtype == dtype
    assert tree.n_nodes > 1
    assert pickle.loads(pickle.dumps(tree)).equals(tree)
    assert copy.deepcopy(tree).equals(tree)


@pytest.mark.parametrize("options", CLASS_OPTIONS + NUMBER_OPTIONS)
def test_nobody_can_write_into_it(options):
    tree = grown(options)
    for name in [*FIELDS, *(["classes"] if tree.classes is not None else [])]:
        array = getattr(tree, name)
        assert not array.flags.writeable
        if array.size:
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)


def test_classes_that_cannot_be_labels_are_refused_as_before():
    with pytest.raises(TypeError, match="classes cannot hold timedelta64"):
        grow.cart(np.zeros((2, 1)), np.array([1, 2], "m8[s]"))


def test_a_table_enters_the_core_once(monkeypatch):
    X, labels, numbers = rows()
    made = []
    enter = _core.Columns
    monkeypatch.setattr(_core, "Columns", lambda *given: made.append(enter(*given)) or made[-1])
    table = as_table(X, categorical_features=[3])
    core = table.core
    grow.cart(table, labels)
    grow.cart(table, numbers, criterion="squared_error", sample_weight=numbers)
    model = DecisionTreeClassifier().fit(table, labels)
    model.predict(table)
    DecisionTreeRegressor(max_depth=3).fit(table, numbers, sample_weight=(labels > 0).astype(float))
    assert table.core is core
    assert made == [core]


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("n", [200, 20_000])
def test_rows_of_weight_zero_are_as_rows_left_out(criterion, n):
    X, labels, numbers = rows(1, n)
    y = labels if criterion in ("gini", "entropy") else np.floor(8 * numbers)
    table = as_table(X, categorical_features=[3])
    grow.cart(table, y, criterion=criterion, max_depth=3)
    for fold in range(3):
        kept = np.arange(n) % 3 != fold
        masked = grow.cart(table, y, criterion=criterion, sample_weight=kept.astype(float), min_samples_leaf=5)
        alone = grow.cart(table.take(kept), y[kept], criterion=criterion, min_samples_leaf=5)
        assert masked.equals(alone)


def test_the_estimators_mask_rows_alike():
    X, labels, _ = rows(2)
    table = as_table(X, categorical_features=[3])
    kept = np.arange(len(X)) % 4 > 0
    masked = DecisionTreeClassifier().fit(table, labels, sample_weight=kept.astype(int))
    alone = DecisionTreeClassifier().fit(table.take(kept), labels[kept])
    assert masked.tree_.equals(alone.tree_)
