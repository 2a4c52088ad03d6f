"""A row's mark says what it holds, and nothing else."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest

from bristlecone.subtrees.content import cell_marks, joined, number_marks, seeded, value_marks
from bristlecone.table import as_table


def marks(X, seed=0):
    return cell_marks(as_table(X), seed)


def test_equal_rows_have_equal_marks_wherever_they_stand():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (40_000, 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    found = marks(X)
    order = rng.permutation(len(X))
    np.testing.assert_array_equal(marks(X[order]), found[order])
    for weights in (1, 3):
        np.testing.assert_array_equal(marks(np.repeat(X, weights, axis=0)), found.repeat(weights))
    distinct = len(np.unique(np.nan_to_num(X, nan=9.0), axis=0))
    assert len(np.unique(found)) == distinct == 64


def test_a_zero_is_a_zero_and_a_gap_is_a_gap():
    other_nan = np.array([np.nan]).view(np.uint64) ^ np.uint64(1)
    X = np.array([[0.0, np.nan], [-0.0, other_nan.view(np.float64)[0]], [0.0, 0.0]])
    found = marks(X)
    assert found[0] == found[1] != found[2]


def test_numbers_are_marked_by_value_not_by_type():
    values = np.array([[0, 1], [5, 7], [-3, 2]])
    for dtype in (np.int8, np.int64, np.float32, np.float64):
        np.testing.assert_array_equal(marks(values.astype(dtype)), marks(values))


def test_levels_are_marked_by_what_they_are_not_by_their_codes():
    cells = ["red", None, "blue", "red"]
    of_rows = marks(pd.DataFrame({"c": cells}))
    with_more = marks(pd.DataFrame({"c": ["azure", *cells]}))[1:]
    np.testing.assert_array_equal(of_rows, with_more)
    in_order = marks(pd.DataFrame({"c": pd.Categorical(cells, ["red", "blue", "unused"])}))
    np.testing.assert_array_equal(of_rows, in_order)
    assert of_rows[0] == of_rows[3]
    assert len(set(of_rows.tolist())) == 3


def test_an_unseen_level_is_not_a_missing_one():
    schema = as_table(pd.DataFrame({"c": ["a", "b"]})).schema
    table = schema.read(pd.DataFrame({"c": ["a", "other", None]}))
    assert len(np.unique(cell_marks(table, 0))) == 3


def test_the_target_and_the_place_of_a_column_count():
    X = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [1.0, 2.0]])
    assert len(np.unique(marks(X))) == 2
    assert len(np.unique(joined(marks(X), number_marks(np.array([0.0, 0.0, 1.0, 0.0]))))) == 3


@pytest.mark.parametrize("width", [1, 2, 5])
def test_different_rows_of_a_grid_have_different_marks(width):
    side = round(200_000 ** (1 / width))
    grid = np.stack(np.meshgrid(*[np.arange(side, dtype=float)] * width), axis=-1).reshape(-1, width)
    assert len(np.unique(marks(grid))) == len(grid)


def test_every_seed_has_an_order_of_its_own():
    X = np.arange(2000.0)[:, None]
    target = number_marks(np.zeros(2000))
    orders = [np.argsort(np.argsort(joined(marks(X, seed), target))) for seed in range(6)]
    for a in range(6):
        assert abs(np.corrcoef(np.arange(2000), orders[a])[0, 1]) < 0.1
        for b in range(a):
            assert abs(np.corrcoef(orders[a], orders[b])[0, 1]) < 0.1


def test_values_that_are_one_level_have_one_mark():
    assert len(set(value_marks([1, 1.0, True, np.int8(1), np.float32(1), np.True_]).tolist()[:6])) == 1
    others = [0, -1, -2, 0.5, "1", "", b"1", (1,), dt.date(2024, 1, 1), 2**70, float("inf"), -float("inf"), 1 / 3]
    assert len(set(value_marks(others).tolist())) == len(others) + 2


def test_marks_do_not_depend_on_the_process():
    assert value_marks(["red", 2]).tolist() == [
        value_marks(["red"])[0],
        value_marks([2.0])[0],
        *value_marks([])[:2],
    ]
    assert seeded(value_marks(["red"]), 7)[0] == 1065483115676571003
