"""The nearest other answer is the nearest: no row with fewer changed cells gets another answer in any leaf."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import nearest as twin
from strategies_tree import SCHEMA, Leaf, Split, build, possible, tables, trees

import bristlecone as bc
from bristlecone.table.columns import Table
from bristlecone.table.schema import MISSING_CODE, UNSEEN_CODE, Kind
from bristlecone.tree.boxes import boxes
from bristlecone.tree.nearest import flips, missed


def candidates(tree, column, own):
    """Cells of one column that stand for all that a tree can tell apart: levels, thresholds and what is just below."""
    schema = SCHEMA.columns[column]
    if schema.categorical:
        return [own, MISSING_CODE, UNSEEN_CODE, *range(len(schema.levels))]
    at = tree.threshold[(tree.feature == column) & np.isfinite(tree.threshold)].tolist()
    if schema.kind is Kind.BOOLEAN:
        return [own, np.nan, 0.0, 1.0]
    if schema.kind in (Kind.DATE, Kind.DATETIME):  # whole counts
        # beyond 2^53 the next whole number below is farther than 1
        below = [
            min(np.ceil(t) - 1.0, math.nextafter(np.ceil(t), -math.inf)) if abs(t) >= 2**53 else np.ceil(t) - 1.0
            for t in at
        ]
        return [own, np.nan, 0.0, *map(np.ceil, at), *below]
    return (
        [own, np.nan, 0.0, *at, *(math.nextafter(t, -math.inf) for t in at)]
        if at or (tree.feature == column).any()
        else [own]
    )


def fewest_changes(tree, row):
    """By trying all rows: the fewest cells to change so that a leaf of another class is reached; None if none is."""
    asked = [j for j in range(len(SCHEMA)) if (tree.feature == j).any()]
    choices = [candidates(tree, j, row[j]) for j in range(len(SCHEMA))]
    tried = list(itertools.product(*(range(len(c)) if j in asked else (0,) for j, c in enumerate(choices))))
    kinds = [np.int32 if column.categorical else np.float64 for column in SCHEMA.columns]
    cells = [np.array([choices[j][t[j]] for t in tried], dtype=kinds[j]) for j in range(len(SCHEMA))]
    stops = tree.apply(Table(SCHEMA, cells))
    other = (tree.children_left[stops] < 0) & (tree.label[stops] != tree.label[stops[0]])
    changed = np.array([sum(place != 0 for place in t) for t in tried])
    return int(changed[other].min()) if other.any() else None


@settings(max_examples=60, deadline=None)
@given(st.data(), trees(max_splits=4, regression=False))
def test_no_flip_needs_fewer_changes(data, tree):
    table = Table(SCHEMA, possible(data.draw(tables(tree, max_rows=3))))
    found = flips(tree, table, tree.apply(table))
    every = dict(boxes(tree))
    for i in range(table.n_rows):
        expected = fewest_changes(tree, [values[i] for values in table.columns])
        if expected is None:
            assert found[i] == -1
        else:
            assert len(missed(tree, table, i, every[int(found[i])])) == expected


def test_of_equal_changes_the_least_share_of_rows_between_wins():
    tree = bc.DecisionTreeClassifier().fit(np.array([[0.0], [1.0], [5.0], [9.0]]), ["a", "b", "b", "c"]).tree_
    X = np.array([[0.2], [0.3], [4.0], [6.9], [8.0]])
    told = tree.alternatives(X, 3)
    assert (told.flip.answer, told.flip.conditions) == ("c", ("x0 ≥ 7",))
    assert tree.alternatives(X, 2).flip.answer == "a"
    assert str(told).splitlines() == [
        "  Nearest other answer: c (100.0%, 1 training row) if x0 ≥ 7.",
        "  Near is leaf 1: a (100.0%, 1 training row) if x0 < 0.5.",
    ]


def test_the_same_for_one_row_and_for_many():
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.random(300), "b": rng.integers(0, 9, 300), "c": rng.choice(list("xyz"), 300)})
    X.loc[rng.random(300) < 0.2, "a"] = np.nan
    y = rng.choice(["p", "q", "r"], 300)
    tree = bc.DecisionTreeClassifier(min_samples_leaf=10).fit(X, y).tree_
    table = tree.schema.read(X)
    found = flips(tree, table, tree.apply(X))
    assert [tree.alternatives(X, row).flip.leaf for row in range(40)] == found[:40].tolist()
    changed = tree.label[found] != tree.label[tree.apply(X)]
    assert changed.all()


def test_narrow_floats_are_compared_as_they_are():
    tree = build(Split(0, 0.1, Leaf((3, 1)), Leaf((1, 3))))
    cells = [np.array([0.1], np.float32), np.array([0], np.int32), *(np.array([0.0]) for _ in range(3))]
    table = Table(SCHEMA, cells)
    assert tree.apply(table)[0] == 2 and flips(tree, table, tree.apply(table))[0] == 1


def test_numbers_have_near_leaves_and_no_flip():
    X = np.arange(8.0)[:, None]
    tree = bc.DecisionTreeRegressor(max_leaf_nodes=3).fit(X, X[:, 0] ** 2).tree_
    told = tree.alternatives(X, 0)
    assert told.flip is None and len(told.near) == 2 and "Nearest other answer" not in str(told)
    with pytest.raises(ValueError, match="this tree answers numbers"):
        flips(tree, tree.schema.read(X), tree.apply(X))


def test_one_leaf_has_no_alternatives():
    told = bc.DecisionTreeClassifier().fit([[0.0], [1.0]], [1, 1]).tree_.alternatives([[0.0]], 0)
    assert told.flip is None and told.near == () and str(told) == ""


@pytest.mark.parametrize(("row", "fault"), [(2, "row 2 does not exist"), (-1, "row -1 does not exist")])
def test_a_row_that_does_not_exist(row, fault):
    tree = bc.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_
    with pytest.raises(ValueError, match=fault):
        tree.alternatives([[0.0], [1.0]], row)


@given(st.data(), trees())
def test_c67_contributions_sum_to_the_answer(data, tree):
    table = Table(SCHEMA, data.draw(tables(tree)))
    base, found = tree.contributions(table)
    answer = tree.predict(table)[:, None] if tree.classes is None else tree.predict_proba(table)
    scale = max(1.0, float(np.abs(tree.prediction).max()) if tree.classes is None else 1.0)
    assert found.shape == (table.n_rows, len(SCHEMA), answer.shape[1])
    assert np.abs(base + found.sum(axis=1) - answer).max() <= 1e-12 * scale
    never = [j for j in range(len(SCHEMA)) if not (tree.feature == j).any()]
    assert not found[:, never].any()


def test_c67_the_named_case():
    rng = np.random.RandomState(0)
    X = rng.randint(0, 100, (300, 4)) / 10
    X[rng.rand(300, 4) < 0.3] = np.nan
    y = rng.rand(300)
    model = bc.DecisionTreeRegressor().fit(X, y)
    base, found = model.tree_.contributions(X)
    assert base[0] == pytest.approx(y.mean())
    assert np.abs(base[0] + found[:, :, 0].sum(axis=1) - model.predict(X)).max() <= 1e-12


def test_contributions_are_the_steps_along_the_way():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    tree = bc.DecisionTreeRegressor().fit(X, [0.0, 1.0, 10.0, 13.0]).tree_
    base, found = tree.contributions(X)
    assert base.tolist() == [6.0]
    assert found[:, :, 0].tolist() == [[-5.5, -0.5], [-5.5, 0.5], [5.5, -1.5], [5.5, 1.5]]


@settings(max_examples=150, deadline=None)
@given(st.data(), trees(max_splits=8, regression=False))
def test_flips_are_those_of_the_twin(data, tree):
    table = Table(SCHEMA, possible(data.draw(tables(tree, max_rows=12))))
    nodes = tree.apply(table)
    assert flips(tree, table, nodes).tolist() == twin.flips(tree, table, nodes)


@pytest.mark.parametrize("classes", [True, False])
def test_near_leaves_of_grown_trees_are_those_of_the_twin(classes):
    rng = np.random.default_rng(0)
    X = np.round(rng.random((400, 4)), 2)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) * np.nan_to_num(X[:, 2])
    y = (y + rng.normal(0, 0.2, 400) > 0.8).astype(int) if classes else y
    tree = bc.grow.cart(X, y, criterion="gini" if classes else "squared_error")
    table = tree.schema.read(X)
    nodes = tree.apply(table)
    if classes:
        assert flips(tree, table, nodes).tolist() == twin.flips(tree, table, nodes)
    for row in range(0, 400, 37):
        order = [leaf for _, _, leaf in sorted(twin.measured(tree, table, row, table)) if leaf != nodes[row]]
        told = tree.alternatives(X, row)
        assert [one.leaf for one in told.near] == order[:3]
        if classes:
            assert told.flip.leaf == next(leaf for leaf in order if tree.label[leaf] != tree.label[nodes[row]])
        else:
            assert told.flip is None
