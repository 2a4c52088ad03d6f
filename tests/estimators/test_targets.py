"""y at the door."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

import bristlecone as bc
from bristlecone import DecisionTreeRegressor
from bristlecone.estimators.targets import class_labels, one_column
from bristlecone.grow.targets import numeric_target


@pytest.mark.parametrize(
    "y",
    [
        ["no", "yes", "perhaps"],
        [True, False, True],
        [3, -1, 3],
        [0.0, 2.0, 2.0],
        [dt.date(2025, 1, 2), dt.date(2024, 1, 2), dt.date(2025, 1, 2)],
    ],
    ids=["text of mixed lengths", "booleans", "integers", "whole floats", "dates"],
)
@pytest.mark.parametrize("container", [list, tuple, np.array, pd.Series, pl.Series, pa.array])
def test_labels_stay_what_they_are(y, container):
    labels = class_labels(container(y), "Tree")

    assert labels.tolist() == y
    assert labels.dtype.kind in {str: "UO", bool: "b", int: "i", float: "f", dt.date: "MO"}[type(y[0])]


def test_labels_of_a_category_column():
    assert class_labels(pd.Series(["b", "a", "b"], dtype="category"), "Tree").tolist() == ["b", "a", "b"]


def test_numbers_in_an_object_column_are_numbers():
    assert class_labels(np.array([1, 2, 1], dtype=object), "Tree").dtype.kind == "i"
    assert class_labels(np.array([True, False], dtype=object), "Tree").dtype.kind == "b"
    assert class_labels(pd.Series([1, 2, 1], dtype="Int64"), "Tree").dtype.kind == "i"


@pytest.mark.parametrize(
    "y",
    [
        ["a", None, "b"],
        ["a", float("nan"), "b"],
        [1.0, float("nan"), 2.0],
        [1, None, 2],
        pd.Series([1, pd.NA, 2], dtype="Int64"),
        pd.Series(["a", pd.NA, "b"], dtype="string"),
        pd.Series(["a", None, "b"], dtype="category"),
        pl.Series(["a", None, "b"]),
        np.array(["2025-01-01", "NaT", "2025-01-02"], dtype="datetime64[D]"),
    ],
    ids=lambda y: type(y).__name__,
)
def test_a_missing_label_is_refused_with_its_row(y):
    with pytest.raises(ValueError, match=r"y, row 1: .* is missing"):
        class_labels(y, "Tree")


@pytest.mark.parametrize(
    ("y", "said"),
    [
        ([0.5, 1.0], "Unknown label type: continuous.*0.5 in row 0.*regressor"),
        (np.array([1.0, np.inf]), "y, row 1: inf is infinite"),
        (np.array(["a", 1], dtype=object), "mixes labels of types.*int, str"),
        (["a", 1], "mixes labels of types.*int, str"),
        (np.array([{}, {}], dtype=object), "Unknown label type"),
        (np.array([1j, 0]), "Complex data not supported"),
        ([["a", "x"], ["b", "y"]], "2 columns; multi-output targets are not supported"),
        (np.zeros((2, 2, 2)), "should be a 1d array"),
        (np.zeros(2, dtype="V4"), "Unknown label type"),
        (np.zeros(2, dtype="m8[D]"), "Unknown label type"),
        (None, "requires y to be passed, but the target y is None"),
    ],
)
def test_labels_that_are_refused(y, said):
    with pytest.raises(ValueError, match=said):
        class_labels(y, "Tree")


def test_a_sparse_target_is_refused():
    with pytest.raises(TypeError, match="sparse"):
        class_labels(sparse.csr_array(np.eye(3)), "Tree")


@pytest.mark.parametrize("read", [class_labels, one_column])
@pytest.mark.parametrize("y", [[[1], [0]], pd.DataFrame({"y": [1, 0]})], ids=["list", "frame"])
def test_one_column_is_taken_with_a_warning(read, y):
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        assert read(y, "Tree").tolist() == [1, 0]


@pytest.mark.parametrize("y", [[1, 2], [True, False], np.array([1, 2], dtype=object), pd.Series([1, 2], dtype="Int64")])
def test_numeric_targets_are_numbers(y):
    values = numeric_target(one_column(y, "Tree"), "squared_error")
    assert values.dtype == np.float64
    assert values.tolist() == list(y)


def test_a_numeric_target_is_not_copied():
    y = np.array([0.1, 0.2])
    assert np.shares_memory(numeric_target(one_column(y, "Tree"), "squared_error"), y)


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (np.array([1.0, None], dtype=object), "y, row 1: None is missing"),
        (np.array([1.0, pd.NA], dtype=object), "y, row 1: <NA> is missing"),
        (np.array([1.0, "2"], dtype=object), "y, row 1: '2' is not a number"),
        (["1", "2"], "dtype <U1; squared_error needs numbers"),
        (np.array([1j, 0]), "Complex data not supported"),
        ([[1.0, 2.0]], "2 columns; multi-output"),
    ],
)
def test_numeric_targets_that_are_refused(y, said):
    with pytest.raises(ValueError, match=said):
        DecisionTreeRegressor().fit([[0.0], [1.0]], y)


def test_whole_numbers_of_128_bits_are_labels_numbers_and_weights():
    y, weight = pl.Series([1, 0] * 20, dtype=pl.Int128), pl.Series([1, 2] * 20, dtype=pl.Int128)
    X = np.arange(40.0)[:, None]
    model = bc.DecisionTreeClassifier().fit(X, y, sample_weight=weight)
    assert model.classes_.tolist() == [0, 1] and model.tree_.weighted_n_node_samples[0] == 60
    assert bc.DecisionTreeRegressor().fit(X, y).predict(X).tolist() == y.to_list()
