"""Many rows at once: the lanes and blocks of the compiled walk, however the cells lie in memory, against the twin."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.route import refusal, route
from strategies_tree import SCHEMA, Leaf, Split, build, staircase, tables, trees

from bristlecone import DecisionTreeClassifier
from bristlecone.table import CellError, as_table
from bristlecone.table.columns import Table
from bristlecone.table.schema import ColumnSchema, Kind, Schema
from bristlecone.tree.layout import distinct

# Around the sixteen rows of a group, the 256 of a block and the 16,384 of a task (cpp/route).
COUNTS = (1, 15, 16, 17, 31, 255, 256, 257, 273, 1030, 2100, 16_385)
WIDTH = 5
NUMBERS = Schema(tuple(ColumnSchema(f"x{j}", Kind.NUMERIC) for j in range(WIDTH)), named=False)
CELLS = np.array([-1e30, -2.5, -1.0, -0.0, 0.0, 0.1, np.nextafter(0.1, 1), 1.0, 3.0, 1e30, np.nan])


def as_it_is(X):
    return X


def reversed_rows(X):
    return X[::-1].copy()[::-1]


def wide_slice(X):
    return np.repeat(np.repeat(X, 2, axis=1), 3, axis=0)[::3, ::2]


def inner_columns(X):
    return np.pad(X, ((0, 0), (1, 2)))[:, 1:-2]


def frame(X):
    return pd.DataFrame({f"x{j}": X[:, j].copy() for j in range(X.shape[1])})


def mixed_frame(X):
    return pd.DataFrame({f"x{j}": X[:, j].astype(np.float32) if j % 2 else X[:, j] for j in range(X.shape[1])})


LAYOUTS = (as_it_is, np.asfortranarray, reversed_rows, wide_slice, inner_columns, pd.DataFrame, frame, mixed_frame)


@st.composite
def numeric_trees(draw):
    """A tree over NUMBERS; bushes and lopsided ones."""
    forest = Leaf(rows=(1, 0))
    for _ in range(draw(st.integers(0, 12))):
        other = Leaf(rows=(draw(st.integers(0, 3)), 2))
        if draw(st.booleans()):
            other = Split(draw(st.integers(0, WIDTH - 1)), draw(st.sampled_from(CELLS[:-1])), other, Leaf(rows=(0, 1)))
        children = (forest, other) if draw(st.booleans()) else (other, forest)
        feature, threshold = draw(st.integers(0, WIDTH - 1)), draw(st.sampled_from([*CELLS[:-1], np.inf]))
        forest = Split(feature, threshold, *children, missing_left=draw(st.booleans()) and threshold != np.inf)
    return build(forest, schema=NUMBERS)


@st.composite
def numbers(draw):
    """Rows of cells around thresholds, forty at most of them different, with none, few or many missing."""
    n_rows, seed = draw(st.sampled_from(COUNTS)), draw(st.integers(0, 2**16))
    rng = np.random.default_rng(seed)
    few = rng.choice(CELLS[:-1], (40, WIDTH))
    few[rng.random(few.shape) < draw(st.sampled_from([0, 0.01, 0.3]))] = np.nan
    if draw(st.booleans()):
        return few[rng.integers(0, len(few), n_rows)]
    X = few[np.where(np.isnan(few).any(axis=1), 0, np.arange(40))][rng.integers(0, len(few), n_rows)]
    X[rng.integers(n_rows), rng.integers(WIDTH)] = np.nan  # the first one, in any row
    return X


def walk(tree, X):
    """The twin's nodes of a table of numbers."""
    return by_row(lambda row: route(tree, row)[0][-1], X)


def by_row(answer, X):
    """What the twin answers to each row; equal rows are asked once."""
    rows, place = np.unique(X, axis=0, return_inverse=True)
    return np.array([answer(row) for row in rows.tolist()])[place.ravel()]


@settings(deadline=None)
@given(numeric_trees(), numbers(), st.sampled_from(LAYOUTS), st.sampled_from([np.float64, np.float32]))
def test_layouts_and_types_give_the_twins_nodes(tree, X, layout, dtype):
    given = layout(X.astype(dtype))
    seen = np.asarray(given, dtype=np.float64)
    assert tree.apply(given, 2).tolist() == walk(tree, seen).tolist()


@settings(deadline=None)
@given(numeric_trees(), st.sampled_from(COUNTS), st.sampled_from([np.int8, np.int64, np.bool_]), st.booleans())
def test_whole_numbers_give_the_twins_nodes(tree, n_rows, dtype, by_column):
    X = np.random.default_rng(n_rows).integers(0, 4, (n_rows, WIDTH)).astype(dtype)
    given = np.asfortranarray(X) if by_column else X
    assert tree.apply(given).tolist() == walk(tree, X.astype(np.float64)).tolist()


@settings(deadline=None)
@given(st.data(), trees(), st.sampled_from(COUNTS[:8]), st.sampled_from(["stop", "heavier", "error"]), st.booleans())
def test_rules_hold_for_many_rows(data, tree, n_rows, unseen, refuses_missing):
    """Nodes, the number of rows with unknown levels, and the first row that is refused."""
    tree = dataclasses.replace(tree, unseen=unseen, missing="error" if refuses_missing else "learn")
    few = data.draw(tables(tree))
    rows = list(zip(*(column.tolist() for column in few), strict=True))
    chosen = np.random.default_rng(n_rows).integers(0, len(rows), n_rows)
    table = Table(SCHEMA, [column[chosen] for column in few])
    refused = np.array([refusal(tree, row) is not None for row in rows])[chosen]
    if refused.any():
        first = int(np.argmax(refused))
        column = SCHEMA.names[refusal(tree, rows[chosen[first]])]
        with pytest.raises(ValueError, match=f"^row {first}, column '{column}'"):
            tree.apply(table, 2)
        return
    walked = [route(tree, row) for row in rows]
    routing = tree.route(table, 2)
    assert routing.nodes.tolist() == [walked[i][0][-1] for i in chosen]
    assert routing.n_unseen == sum(walked[i][1] for i in chosen)


@settings(deadline=None)
@given(numeric_trees(), numbers(), st.sampled_from([as_it_is, np.asfortranarray]))
def test_a_tree_without_missing_values_refuses_the_first(tree, X, layout):
    tree = dataclasses.replace(tree, missing="error")
    refused = by_row(lambda row: refusal(tree, row) is not None, X)
    if refused.any():
        with pytest.raises(ValueError, match=f"^row {np.argmax(refused)}, .* refuses missing"):
            tree.apply(layout(X))
    else:
        assert tree.apply(layout(X)).tolist() == walk(tree, X).tolist()


def one_split(missing="learn"):
    return build(Split(1, 0.5, Leaf((2, 1)), Leaf((0, 4)), missing_left=True), schema=NUMBERS, missing=missing)


@pytest.mark.parametrize("layout", [as_it_is, np.asfortranarray, frame, inner_columns])
@pytest.mark.parametrize("row", [0, 255, 256, 2999])
@pytest.mark.parametrize("column", [0, 1, 4])
def test_infinite_cells_are_refused_wherever_they_are(layout, row, column):
    X = np.zeros((3000, WIDTH))
    X[row, column] = -np.inf
    X[-1, 0] = np.nan if row < 2999 else X[-1, 0]
    with pytest.raises(CellError, match=rf"row {row}.*infinite value"):
        one_split().apply(layout(X))
    with pytest.raises(CellError, match=rf"row {row}.*infinite value"):
        one_split("error").predict_proba(layout(X))


def test_infinite_cells_are_refused_by_an_estimator_and_by_a_leaf_alone():
    X, y = np.arange(40.0).reshape(20, 2), np.repeat([0, 1], 10)
    bad = X.copy()
    bad[3, 1] = np.inf
    for model in (DecisionTreeClassifier().fit(X, y), DecisionTreeClassifier().fit(X, np.zeros(20))):
        for answer in (model.predict, model.apply, model.predict_proba, model.decision_path):
            with pytest.raises(CellError, match=r"row 3.*infinite value"):
                answer(bad)
        with pytest.raises(CellError, match=r"row 3.*infinite value"):
            model.explain(bad, 0)


def test_sums_beyond_the_range_of_floats_are_no_infinite_cells():
    X = np.full((100, WIDTH), 1.7e308)
    assert one_split().apply(X).tolist() == [2] * 100
    X[::2, 1] *= -1
    assert one_split().apply(X).tolist() == [1, 2] * 50


def test_a_table_checked_later_is_checked_before_it_is_taken_apart():
    X = np.array([[0.0, np.inf, 0, 0, 0]])
    table = NUMBERS.read(X, check_later=True)
    assert table.unchecked
    with pytest.raises(CellError, match="infinite value"):
        table.take([0])
    assert not NUMBERS.read(np.zeros((1, WIDTH)), check_later=False).unchecked
    assert not NUMBERS.read(as_table(np.zeros((1, WIDTH))), check_later=True).unchecked


@settings(deadline=None)
@given(numeric_trees(), numbers())
def test_fractions_are_the_same_by_table_and_by_node(tree, X):
    shares = tree.predict_proba(X)
    assert shares.tolist() == tree.fractions_at(tree.apply(X)).tolist()
    assert not shares.size or shares.flags.writeable


@settings(deadline=None)
@given(st.lists(st.integers(0, 39), max_size=20), st.booleans())
def test_distinct_nodes(nodes, few):
    nodes = np.array(nodes, dtype=np.intp)
    found, place = distinct(nodes, 40 if few else 4000)
    assert found.tolist() == sorted(set(nodes.tolist()))
    assert found[place].tolist() == nodes.tolist()


def test_fractions_of_a_large_tree(monkeypatch):
    tree, X = staircase(50), np.linspace(-1, 60, 400)[:, None]
    kept = tree.predict_proba(X)
    monkeypatch.setattr("bristlecone.tree.tree.MOST_FRACTIONS", 0)
    assert staircase(50).predict_proba(X).tolist() == kept.tolist()


@pytest.mark.parametrize("n_rows", [1, 15, 16, 1100])
def test_c55_many_rows_down_a_deep_tree(n_rows):
    tree = staircase(20_000)
    X = np.linspace(-5, 20_005, n_rows)[:, None]
    steps = np.clip(np.ceil(X[:, 0] - 0.5), 0, 20_000)  # the first threshold above x
    steps += (X[:, 0] == steps + 0.5) & (steps < 20_000)
    expected = np.where(steps < 20_000, 2 * steps + 1, 40_000)
    assert tree.apply(X).tolist() == expected.tolist()


def test_answers_belong_to_the_caller():
    tree = one_split()
    X = np.zeros((5, WIDTH))
    answers = tree.predict(X)
    answers[:] = "other"
    assert tree.predict(X).tolist() == ["no"] * 5
