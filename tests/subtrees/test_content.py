"""Contents are numbered by what rows hold, and by nothing else; marks look like chance."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bristlecone.subtrees.content import Contents, seeded, value_marks
from bristlecone.table import as_table


def numbers(X, rows=None, **options):
    table = as_table(X, **options)
    return Contents.of_cells(table, np.arange(table.n_rows) if rows is None else rows).numbers()


@given(st.data())
def test_rows_are_numbered_in_the_order_of_their_columns(data):
    width = data.draw(st.integers(1, 4))
    cell = st.sampled_from([0.0, -0.0, 1.0, -2.5, float("nan")])
    rows = data.draw(st.lists(st.tuples(*[cell] * width), min_size=1, max_size=30))
    keys = [tuple((x != x, 0.0 if x != x else x + 0.0) for x in row) for row in rows]
    expected = [sorted(set(keys)).index(key) for key in keys]
    assert numbers(np.array(rows)).tolist() == expected


def test_equal_rows_have_equal_numbers_wherever_they_stand_and_however_often():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (4000, 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    found = numbers(X)
    order = rng.permutation(len(X))
    np.testing.assert_array_equal(numbers(X[order]), found[order])
    np.testing.assert_array_equal(numbers(X.repeat(3, axis=0)), found.repeat(3))
    few = rng.choice(4000, 50)
    np.testing.assert_array_equal(numbers(X, few), numbers(X[few]))


def test_the_units_of_a_column_do_not_show():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3)).round(1)
    for other in (X * 1000 - 7, X.astype(np.float32), np.exp(X), np.sign(X) * X**2):
        np.testing.assert_array_equal(numbers(other), numbers(X))


def test_levels_are_told_apart_by_what_they_are_not_by_their_codes():
    cells = ["red", None, "blue", "red", "green"]
    of_rows = numbers(pd.DataFrame({"c": cells}))
    assert of_rows[0] == of_rows[3]
    assert len(set(of_rows.tolist())) == 4
    in_order = numbers(pd.DataFrame({"c": pd.Categorical(cells, ["red", "blue", "unused", "green"])}))
    np.testing.assert_array_equal(of_rows, in_order)


def test_an_unseen_level_is_not_a_missing_one():
    schema = as_table(pd.DataFrame({"c": ["a", "b"]})).schema
    table = schema.read(pd.DataFrame({"c": ["a", "other", None]}))
    assert len(np.unique(Contents.of_cells(table, np.arange(3)).numbers())) == 3


def test_a_further_value_parts_equal_rows():
    contents = Contents.of_cells(as_table(np.array([[1.0], [1.0], [0.0], [1.0]])), np.arange(4))
    assert contents.numbers().tolist() == [1, 1, 0, 1]
    contents.refine(np.array([2, 1, 0, 2]))
    assert contents.numbers().tolist() == [2, 1, 0, 2]
    contents.refine(np.array([0, 0, 0, 1]))
    assert contents.numbers().tolist() == [2, 1, 0, 3]
    assert len(contents.tied) == 0
    contents.refine(np.zeros(4))
    assert contents.numbers().tolist() == [2, 1, 0, 3]


def test_one_row_is_one_content():
    assert numbers(np.ones((1, 2))).tolist() == [0]


def test_every_seed_has_an_order_of_its_own():
    orders = [np.argsort(np.argsort(seeded(np.arange(2000), seed))) for seed in range(6)]
    for a in range(6):
        assert abs(np.corrcoef(np.arange(2000), orders[a])[0, 1]) < 0.1
        for b in range(a):
            assert abs(np.corrcoef(orders[a], orders[b])[0, 1]) < 0.1


@pytest.mark.parametrize("seed", [0, 1, 2**63, -5])
def test_marks_of_different_numbers_differ(seed):
    assert len(np.unique(seeded(np.arange(100_000), seed))) == 100_000


def test_neighbours_take_turns_as_if_by_chance():
    order = np.argsort(seeded(np.arange(10_000), 0))
    fold = np.empty(10_000, dtype=int)
    fold[order] = np.arange(10_000) % 10
    assert 0.08 < (fold[1:] == fold[:-1]).mean() < 0.12
    assert np.ptp(np.bincount(fold[:5000])) < 100


def test_values_that_are_one_level_have_one_mark():
    assert len(set(value_marks([1, 1.0, True, np.int8(1), np.float32(1), np.True_]).tolist()[:6])) == 1
    others = [0, -1, -2, 0.5, "1", "", b"1", (1,), dt.date(2024, 1, 1), 2**70, float("inf"), -float("inf"), 1 / 3]
    assert len(set(value_marks(others).tolist())) == len(others) + 2


def test_marks_do_not_depend_on_the_process():
    red, two, *codes = value_marks(["red", 2]).tolist()
    assert [red, two] == [value_marks(["red"])[0], value_marks([2.0])[0]]
    assert codes == value_marks([]).tolist()
    assert seeded(value_marks(["red"]), 7)[0] == 1065483115676571003
