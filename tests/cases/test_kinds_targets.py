"""Messy users: labels of every type, parameters nobody should pass, threads and copies."""

import copy
import pickle
import threading

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

import bristlecone as bc
from bristlecone.grow import cart

NAN = np.nan


def _plain():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 20, (60, 3)).astype(float)
    return X, rng.integers(0, 3, 60)


# Labels


@pytest.mark.parametrize(
    "labels",
    [
        np.array([True, False, True]),
        np.array([0.0, 1.0, 2.0]),
        np.array(["a", "b", "c"]),
        np.array(["a", "b", "c"], dtype=object),
        np.array([b"a", b"b", b"c"]),
        np.array([-1, 10**18, 3]),
        np.array([2**64 - 1, 0, 1], dtype=np.uint64),
        np.array(["2020-01-01", "2021-01-01", "2022-01-01"], dtype="M8[D]"),
    ],
    ids=lambda a: a.dtype.str,
)
def test_labels_come_back_as_they_were(labels):
    X = np.arange(3.0).reshape(-1, 1)
    model = bc.DecisionTreeClassifier().fit(X, labels)
    predicted = model.predict(X)
    assert predicted.dtype == labels.dtype
    assert predicted.tolist() == labels.tolist()
    assert cart(X, labels).predict(X).tolist() == labels.tolist()


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(["b", "a", "b"]),
        pd.Series(["b", "a", "b"], dtype="category"),
        pd.Series([1, 0, 1], dtype="Int64"),
        pl.Series(["b", "a", "b"]),
        ["b", "a", "b"],
        ("b", "a", "b"),
        pa.array(["b", "a", "b"]),
        pd.Index(["b", "a", "b"]),
    ],
    ids=lambda y: f"{type(y).__module__.split('.')[0]} {type(y).__name__} {getattr(y, 'dtype', '')}",
)
def test_targets_from_any_library(labels):
    X = np.array([[0.0], [1.0], [0.0]])
    model = bc.DecisionTreeClassifier().fit(X, labels)
    assert model.predict(X).tolist() == list(labels.to_pylist() if isinstance(labels, pa.Array) else labels)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["a", None, "b"], dtype=object),
        np.array([0.0, NAN, 1.0]),
        pd.Series([1, None, 0], dtype="Int64"),
        pd.Series(["a", None, "b"]),
        pl.Series(["a", None, "b"]),
        np.array(["2020-01-01", "NaT", "2022-01-01"], dtype="M8[D]"),
    ],
    ids=["object", "float", "Int64", "str", "polars", "NaT"],
)
def test_a_missing_label_is_refused_by_its_row(labels):
    X = np.arange(3.0).reshape(-1, 1)
    with pytest.raises(ValueError, match=r"row 1\b"):
        bc.DecisionTreeClassifier().fit(X, labels)
    with pytest.raises((ValueError, TypeError), match="y"):
        cart(X, labels)


def test_labels_without_a_common_order_are_refused():
    with pytest.raises((ValueError, TypeError), match=r"(?i)label|y"):
        bc.DecisionTreeClassifier().fit(np.arange(3.0).reshape(-1, 1), np.array(["a", 1, 2.5], dtype=object))


@pytest.mark.parametrize("estimator", [bc.DecisionTreeClassifier, bc.DecisionTreeRegressor])
def test_a_target_of_another_length_is_refused(estimator):
    for y in ([0, 1], [0, 1, 0, 1]):
        with pytest.raises(ValueError, match=rf"3.*{len(y)}|{len(y)}.*3"):
            estimator().fit(np.arange(3.0).reshape(-1, 1), y)
        with pytest.raises(ValueError, match=rf"3.*{len(y)}|{len(y)}.*3"):
            cart(np.arange(3.0).reshape(-1, 1), np.array(y))


# Parameters nobody should pass


@pytest.mark.parametrize(
    "options",
    [
        {"criterion": "mse"},
        {"criterion": None},
        {"max_depth": -1},
        {"max_depth": 1.5},
        {"min_samples_split": 0},
        {"min_samples_leaf": 0},
        {"min_samples_leaf": NAN},
        {"min_weight_fraction_leaf": 0.6},
        {"min_weight_leaf": -1},
        {"min_weight_split": NAN},
        {"max_leaf_nodes": 0},
        {"min_impurity_decrease": -1e-9},
        {"min_impurity_decrease": NAN},
        {"zero_gain": "maybe"},
        {"monotonic_cst": "up"},
        {"categorical_features": "some"},
        {"missing": "drop"},
        {"unseen": "left"},
        {"n_jobs": 0},
    ],
    ids=lambda o: "_".join(f"{k}={v}" for k, v in o.items()),
)
def test_parameters_out_of_range_are_refused_by_name(options):
    X, y = _plain()
    for estimator in (bc.DecisionTreeClassifier, bc.DecisionTreeRegressor):
        with pytest.raises((ValueError, TypeError), match=next(iter(options))):
            estimator(**options).fit(X, y)
    with pytest.raises((ValueError, TypeError), match=next(iter(options))):
        cart(X, y, **options)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 64, -1, -2])
def test_threads_of_any_number(n_jobs, assert_identical_tree):
    X, y = _plain()
    assert_identical_tree(cart(X, y, n_jobs=1), cart(X, y, n_jobs=n_jobs))
    model = bc.DecisionTreeClassifier(n_jobs=n_jobs).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), cart(X, y).predict(X))


def test_many_fits_at_once(assert_identical_tree):
    rng = np.random.default_rng(9)
    X, y = rng.random((2000, 5)), rng.integers(0, 3, 2000)
    expected, grown = cart(X, y), []
    threads = [threading.Thread(target=lambda: grown.append(cart(X, y, n_jobs=2))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(grown) == 6
    for tree in grown:
        assert_identical_tree(expected, tree)


def test_copies_are_the_same_model(assert_identical_tree):
    X, y = _plain()
    model = bc.DecisionTreeClassifier(max_depth=3).fit(X, y)
    for other in (copy.deepcopy(model), copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert_identical_tree(model.tree_, other.tree_)
    assert not hasattr(clone(model), "tree_")


def test_a_forged_pickle_is_checked_again():
    X, y = _plain()
    tree = cart(X, y)
    make, arguments = tree.__reduce__()
    fields = list(arguments)
    for place, value in enumerate(fields):
        if isinstance(value, np.ndarray) and value.dtype == np.int32 and value.size == tree.n_nodes:
            forged = value.copy()
            forged[0] = 10**6
            with pytest.raises((ValueError, TypeError)):
                make(*fields[:place], forged, *fields[place + 1 :])
