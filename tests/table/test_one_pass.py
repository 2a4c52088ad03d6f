"""The passes over whole arrays: infinite cells, labels that are counted, whole numbers made into floats."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bristlecone import _core
from bristlecone.table import as_table

LAYOUTS = {
    "C": lambda block: block,
    "Fortran": np.asfortranarray,
    "every second column": lambda block: np.repeat(block, 2, axis=1)[:, ::2],
    "every second row": lambda block: np.repeat(block, 2, axis=0)[::2],
    "backwards": lambda block: block[::-1, ::-1].copy()[::-1, ::-1],
    "one row for all": lambda block: np.broadcast_to(block[:1], block.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@given(data=st.data())
def test_any_infinite_is_as_numpy_says(layout, data):
    dtype = data.draw(st.sampled_from([np.float64, np.float32]))
    shape = data.draw(st.tuples(st.integers(0, 9), st.integers(1, 5)))
    block = LAYOUTS[layout](data.draw(arrays(dtype, shape)))
    assert _core.any_infinite(block) == bool(np.isinf(block).any())


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinite_cell_is_found_wherever_it_is(dtype, order, value):
    X = np.full((9000, 3), np.nan, dtype, order=order)
    X[1::2] = np.finfo(dtype).max
    assert not _core.any_infinite(X)
    as_table(X)
    for row, column in [(0, 0), (4095, 2), (8999, 1)]:
        changed = X.copy(order="K")
        changed[row, column] = value
        with pytest.raises(ValueError, match=rf"column 'x{column}', row {row}: infinite value"):
            as_table(changed)


@given(
    arrays(np.int64, st.integers(1, 30), elements=st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5)),
    st.integers(1, 40),
)
def test_labels_are_coded_as_numpy_does(labels, span):
    coded = _core.code_labels(labels, span)
    if int(labels.max()) - int(labels.min()) >= span:
        assert coded is None
        return
    classes, codes = np.unique(labels, return_inverse=True)
    np.testing.assert_array_equal(np.frombuffer(coded[0], np.int64), classes)
    np.testing.assert_array_equal(np.frombuffer(coded[1], np.int32), codes)


def test_no_labels_have_no_codes():
    assert _core.code_labels(np.empty(0, np.int64), 8) is None


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.uint64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_whole_numbers_become_floats_at_once_and_codes_stay_whole(dtype, order):
    X = np.array([[3, 1, 7], [5, 2, 9]], dtype, order=order)
    table = as_table(X, categorical_features=[1])
    assert table["x1"].schema.levels == (1, 2)
    np.testing.assert_array_equal(table["x0"].values, [3.0, 5.0])
    np.testing.assert_array_equal(table["x2"].values, [7.0, 9.0])
    assert table["x0"].values.dtype == np.float64


def test_a_huge_whole_number_is_refused_where_it_stands():
    X = np.array([[1, 2**53], [2, 2**53 + 1]])
    with pytest.raises(ValueError, match="column 'x1', row 1: 9007199254740993 is not exact"):
        as_table(X)


def test_arrays_of_numbers_are_views():
    for X in (np.zeros((3, 2)), np.zeros((3, 2), np.float32, order="F"), np.zeros((6, 4))[::2, ::2]):
        for values in as_table(X).columns:
            assert np.shares_memory(values, X)


def test_refused_columns_let_their_arrays_go():
    held, short = np.zeros(3), np.zeros(2)
    before = sys.getrefcount(held)
    for _ in range(10):
        with pytest.raises(ValueError, match="column 1 has 2 rows, expected 3"):
            _core.Columns([held, short], [0, 0], 3)
    assert sys.getrefcount(held) == before
