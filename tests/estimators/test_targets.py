"""y and sample_weight at the door."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from bristlecone.estimators.targets import check_counts, class_labels, numeric_target, row_weights


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
    with pytest.raises(ValueError, match="missing label in row 1"):
        class_labels(y, "Tree")


@pytest.mark.parametrize(
    ("y", "said"),
    [
        ([0.5, 1.0], "Unknown label type: continuous.*0.5 in row 0.*regressor"),
        (np.array([1.0, np.inf]), "infinite label in row 1"),
        (np.array(["a", 1], dtype=object), "mixes labels of types.*int, str"),
        (["a", 1], "mixes labels of types.*int, str"),
        (np.array([{}, {}], dtype=object), "Unknown label type"),
        (np.array([1j, 0]), "Complex data not supported"),
        ([["a", "x"], ["b", "y"]], "2 columns; multi-output targets are not supported"),
        (np.zeros((2, 2, 2)), "should be a 1d array"),
        (np.zeros(2, dtype="V4"), "Unknown label type"),
        (None, "requires y to be passed, but the target y is None"),
    ],
)
def test_labels_that_are_refused(y, said):
    with pytest.raises(ValueError, match=said):
        class_labels(y, "Tree")


def test_a_sparse_target_is_refused():
    with pytest.raises(TypeError, match="sparse"):
        class_labels(sparse.csr_array(np.eye(3)), "Tree")


@pytest.mark.parametrize("read", [class_labels, numeric_target])
@pytest.mark.parametrize("y", [[[1], [0]], pd.DataFrame({"y": [1, 0]})], ids=["list", "frame"])
def test_one_column_is_taken_with_a_warning(read, y):
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        assert read(y, "Tree").tolist() == [1, 0]


@pytest.mark.parametrize("y", [[1, 2], [True, False], np.array([1, 2], dtype=object), pd.Series([1, 2], dtype="Int64")])
def test_numeric_targets_become_float64(y):
    values = numeric_target(y, "Tree")
    assert values.dtype == np.float64
    assert values.tolist() == [float(v) for v in y]


def test_a_float64_target_is_not_copied():
    y = np.array([0.1, 0.2])
    assert np.shares_memory(numeric_target(y, "Tree"), y)


def test_a_target_whose_sum_overflows_is_finite_all_the_same():
    with np.errstate(over="ignore"):
        assert numeric_target([1.7e308, 1.7e308], "Tree").tolist() == [1.7e308, 1.7e308]


@pytest.mark.parametrize(
    ("y", "said"),
    [
        ([1.0, float("nan")], r"y has a missing value \(NaN\) in row 1"),
        ([1.0, float("inf")], "y has an infinite value in row 1: inf"),
        (np.array([1.0, None], dtype=object), "missing value.*row 1"),
        (np.array([1.0, "2"], dtype=object), "not a number in row 1: '2'"),
        (["1", "2"], "dtype <U1; a column of numbers"),
        (np.array([1j, 0]), "Complex data not supported"),
        ([[1.0, 2.0]], "2 columns; multi-output"),
    ],
)
def test_numeric_targets_that_are_refused(y, said):
    with pytest.raises(ValueError, match=said):
        numeric_target(y, "Tree")


def test_counts_must_not_be_negative_nor_all_zero_where_weight_lies():
    check_counts(np.array([0.0, 1.0]), None)
    with pytest.raises(ValueError, match=r"negative value.*'poisson'.*row 1: -1\.0"):
        check_counts(np.array([0.0, -1.0]), None)
    with pytest.raises(ValueError, match="zero in every row of positive weight"):
        check_counts(np.array([0.0, 1.0]), np.array([1.0, 0.0]))


@pytest.mark.parametrize("weights", [[1, 2, 0], (1.0, 2.0, 0.0), pd.Series([1, 2, 0]), np.array([1, 2, 0], np.float32)])
def test_weights_become_float64(weights):
    assert row_weights(weights, 3).tolist() == [1.0, 2.0, 0.0]


def test_no_weights_and_one_weight_for_all():
    assert row_weights(None, 2) is None
    assert row_weights(2, 2).tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1, -1, 1], r"sample_weight has a negative value in row 1: -1\.0"),
        ([1, float("nan"), 1], r"sample_weight has a missing value \(NaN\) in row 1"),
        ([1, float("inf"), 1], "sample_weight has an infinite value in row 1"),
        ([0, 0, 0], "every sample_weight is zero"),
        ([1, 1], r"shape \(2,\).*each of the 3 rows"),
        ([[1], [1], [1]], r"shape \(3, 1\)"),
        (0, "every sample_weight is zero"),
    ],
)
def test_weights_that_are_refused(weights, said):
    with pytest.raises(ValueError, match=said):
        row_weights(weights, 3)
