"""The checker of grown trees accepts what the twin grows and notices every kind of change to it."""

from __future__ import annotations

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from reference.candidates import Limits, problem
from reference.check import check_tree
from reference.grow import arrays_of, grow_twin
from reference.impurity import CLASSIFICATION, REGRESSION
from strategies import DataSet, data_sets, monotone_data_sets

from bristlecone.table.frames import as_table
from bristlecone.tree.tree import Tree


def twin_tree(data: DataSet, criterion: str, **changes) -> Tree:
    """What the twin grows, as a tree of the library; ``changes`` replace arrays."""
    schema = as_table(data.X, categorical_features=data.categorical_features or None).schema
    columns = []
    for cells, column in zip(data.columns, schema.columns, strict=True):
        codes = [-1 if np.isnan(cell) else column.levels.index(cell) for cell in cells] if column.categorical else cells
        columns.append((codes, column.categorical))
    kept = data.y if data.weights is None else data.y[data.weights > 0]
    classes = np.unique(kept) if criterion in CLASSIFICATION else None
    y = data.y if classes is None else np.searchsorted(classes, data.y)
    task = problem(
        columns,
        y,
        data.weights,
        0 if classes is None else len(classes),
        criterion,
        Limits(**data.limits),
        data.monotone or (),
    )
    arrays = arrays_of(task, grow_twin(task)) | changes
    return Tree.from_arrays(
        schema, "regression" if classes is None else "classification", classes, arrays, criterion=criterion
    )


@pytest.mark.parametrize("best_first", [False, True])
@pytest.mark.parametrize("criterion", CLASSIFICATION + REGRESSION)
@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=10, deadline=None)
def test_what_the_twin_grows_is_right(criterion, best_first, data):
    found = data.draw(data_sets(criterion, best_first=best_first))
    check_tree(twin_tree(found, criterion), found, criterion)


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=20, deadline=None)
def test_what_the_twin_grows_under_constraints_is_right(criterion, data):
    found = data.draw(monotone_data_sets(criterion))
    check_tree(twin_tree(found, criterion), found, criterion)


X = [np.array([0.0, 1, 2, 3, 4, np.nan]), np.array([0.0, 0, 1, 1, 2, 2])]
DATA = DataSet(X, [False, True], np.array([0, 1, 0, 0, 1, 1]))


@pytest.mark.parametrize(
    ("name", "node", "change"),
    [
        ("threshold", 0, 1.0),
        ("missing_go_to_left", 0, 1),
        ("impurity", 0, 0.5000001),
        ("weighted_n_node_samples", 0, 6.000001),
        ("label", 0, 1),
    ],
)
def test_changes_are_noticed(name, node, change):
    right = twin_tree(DATA, "gini")
    check_tree(right, DATA, "gini")
    changed = getattr(right, name).copy()
    changed[node] = change if name != "missing_go_to_left" else 1 - changed[node]
    with pytest.raises(AssertionError):
        check_tree(twin_tree(DATA, "gini", **{name: changed}), DATA, "gini")


def test_a_tree_that_stops_early_or_late_is_noticed():
    data = DataSet([np.arange(8.0)], [False], np.array([0, 1, 1, 1, 1, 0, 0, 1]))
    one, two = {"max_leaf_nodes": 2}, {"max_leaf_nodes": 3}
    for grown, wanted in [({}, {"max_depth": 1}), ({"max_depth": 1}, {}), (one, two), (two, one)]:
        tree = twin_tree(data.replace(limits=grown), "gini")
        check_tree(tree, data.replace(limits=grown), "gini")
        with pytest.raises(AssertionError):
            check_tree(tree, data.replace(limits=wanted), "gini")
