"""The grower agrees with its slow exact twin, node by node, on data sets made by hypothesis.

Two ways of comparing. ``check_tree`` follows the grown tree and recomputes every node, so that ties among level sets
may fall either way. Where ties are canonical the whole tree must be the twin's.
"""

from __future__ import annotations

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from reference.check import check_tree, class_places, problem_of
from reference.grow import arrays_of, grow_twin
from reference.impurity import CLASSIFICATION, EXACT_CRITERIA, REGRESSION
from strategies import DataSet, categorical_columns, data_sets, monotone_data_sets, row_weights, targets

from bristlecone import grow

CRITERIA = CLASSIFICATION + REGRESSION
CONSTRAINED = ("gini", "entropy", *REGRESSION)


def examples(count: int, **settings):
    return hypothesis.settings(
        max_examples=count, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], **settings
    )


def grown(data: DataSet, criterion: str, regime: dict, **changes):
    return grow.cart(data.X, data.y, criterion=criterion, **(data.options() | changes), **regime)


def check(data: DataSet, criterion: str, regime: dict) -> None:
    check_tree(grown(data, criterion, regime), data, criterion)


@pytest.mark.parametrize("criterion", CRITERIA)
@hypothesis.given(data=st.data())
@examples(40)
def test_every_node_is_right(criterion, regime, data):
    check(data.draw(data_sets(criterion)), criterion, regime)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", CRITERIA)
@hypothesis.given(data=st.data())
@examples(1000)
def test_every_node_is_right_at_length(criterion, regime, data):
    check(data.draw(data_sets(criterion, best_first=data.draw(st.booleans()))), criterion, regime)


@pytest.mark.parametrize("criterion", CRITERIA)
@hypothesis.given(data=st.data())
@examples(20)
def test_every_node_is_right_best_first(criterion, regime, data):
    check(data.draw(data_sets(criterion, best_first=True)), criterion, regime)


@pytest.mark.parametrize("criterion", CONSTRAINED)
@hypothesis.given(data=st.data())
@examples(25)
def test_every_node_is_right_under_monotone_constraints(criterion, regime, data):
    check(data.draw(monotone_data_sets(criterion)), criterion, regime)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", CONSTRAINED)
@hypothesis.given(data=st.data())
@examples(500)
def test_every_node_is_right_under_monotone_constraints_at_length(criterion, regime, data):
    check(data.draw(monotone_data_sets(criterion)), criterion, regime)


@pytest.mark.parametrize("last", [[np.nan, np.nan], [1.0, 1.0]], ids=["only split", "tie"])
def test_answers_equal_but_for_rounding_are_in_order(last, regime):
    """One side is held at the bound -4/3, the other has it as its mean: a split that the constraint allows."""
    columns = [[0] * 16 + [1, 1, 0, 0], [0] * 8 + [1] + [0] * 6 + [1] + [0] * 4]
    columns += [[0] * 7 + [np.nan] * 5 + [0] * 4 + last + [0] * 2]
    y = np.array([-12] * 8 + [-11, -12, -12, -7, -12, -12, -12, -10, -11, -10, -12, -12]) / 8
    weights = np.array([0.0] * 6 + [2, 1, 2, 2, 2, 2, 0, 0, 0, 2, 2, 1, 0, 0])
    found = DataSet([np.array(c, float) for c in columns], [False, False, True], y, weights, monotone=[1, 1, 0])
    check(found, "squared_error", regime)


@pytest.mark.parametrize("best_first", [False, True], ids=["depth_first", "best_first"])
@pytest.mark.parametrize("criterion", sorted(EXACT_CRITERIA))
@hypothesis.given(data=st.data())
@examples(30)
def test_whole_trees_are_the_twins_where_ties_are_canonical(criterion, best_first, regime, data):
    found = data.draw(data_sets(criterion, columns=("numeric",), best_first=best_first))
    tree = grown(found, criterion, regime)
    task = problem_of(tree, found, criterion)
    arrays = arrays_of(task, grow_twin(task))
    for name in {"label", "count_class"} & set(arrays):
        arrays[name] = class_places(tree, found)[arrays[name]]
    rounding = 1e-15 * float(np.abs(found.y).max())  # of a mean that is 0
    for name, expected in arrays.items():
        atol = rounding if name == "prediction" else 0
        np.testing.assert_allclose(getattr(tree, name), expected, rtol=1e-9, atol=atol, err_msg=name)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt", "absolute_error"])
@hypothesis.given(data=st.data())
@examples(4)
def test_beyond_ten_levels_the_heuristic_is_marked_and_bounded(criterion, regime, data):
    n_rows = data.draw(st.integers(13, 30))
    more = data.draw(categorical_columns(n_rows - 11, missing=False, max_levels=11))
    columns = [np.concatenate([np.arange(11.0), more]), np.arange(n_rows) % 3.0]
    y = data.draw(targets(n_rows, criterion, 3))
    y[:3] = [0, 1, 2]
    found = DataSet(columns, [True, False], y, data.draw(row_weights(n_rows)), {"max_depth": 2})
    hypothesis.assume(found.weights is None or found.weights[:3].all())
    check(found, criterion, regime)


def whole_weights(draw, criterion: str, *without: str, best_first: bool = False) -> DataSet:
    """A data set with whole weights, given as an array, and no limits whose name starts with any of ``without``."""
    found = draw(data_sets(criterion, best_first=best_first, weights=lambda n_rows: row_weights(n_rows, whole=True)))
    kept = {name: limit for name, limit in found.limits.items() if not name.startswith(without)}
    return found.replace(limits=kept, weights=np.ones(len(found.y)) if found.weights is None else found.weights)


def assert_same_splits(one, other) -> None:
    for name in ("children_left", "feature", "threshold", "level_ptr", "level_left"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert level_names(one) == level_names(other)


def assert_same_numbers(one, other) -> None:
    for name in ("missing_go_to_left", "weighted_n_node_samples", "impurity", "prediction", "count_weight"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-12, atol=1e-12, err_msg=name)


def assert_same_labels(one, other) -> None:
    """By name: where all rows of a class weigh nothing, its place is empty in one tree and not there in the other."""
    if one.classes is not None:
        assert one.classes[one.label].tolist() == other.classes[other.label].tolist()


def level_names(tree) -> list:
    """The levels of each split by name: codes shift where a level has no rows."""
    columns = np.repeat(tree.feature, np.diff(tree.level_ptr))
    return [tree.schema.columns[column].levels[code] for column, code in zip(columns, tree.level_code, strict=True)]


@pytest.mark.parametrize("best_first", [False, True], ids=["depth_first", "best_first"])
@pytest.mark.parametrize("criterion", CRITERIA)
@hypothesis.given(data=st.data())
@examples(10)
def test_whole_weights_are_repeated_rows(criterion, best_first, regime, data):
    found = whole_weights(data.draw, criterion, "min_samples", best_first=best_first)
    times = found.weights.astype(int)
    columns = [np.repeat(column, times) for column in found.columns]
    copies = found.replace(columns=columns, y=np.repeat(found.y, times), weights=None)
    weighted, repeated = grown(found, criterion, regime), grown(copies, criterion, regime)
    assert_same_splits(weighted, repeated)
    assert_same_numbers(weighted, repeated)
    assert_same_labels(weighted, repeated)


@pytest.mark.parametrize("factor", [1e-15, 1 / 3, 7e9])
@pytest.mark.parametrize("criterion", CRITERIA)
@hypothesis.given(data=st.data())
@examples(5)
def test_the_scale_of_weights_changes_no_split(criterion, factor, regime, data):
    # Heavier sides and labels may change: 0.1 + 0.1 + 0.1 and 3 * 0.1 are not the same weight.
    found = whole_weights(data.draw, criterion, "min_weight")
    scaled = found.replace(weights=factor * found.weights)
    assert_same_splits(grown(found, criterion, regime), grown(scaled, criterion, regime))


@pytest.mark.parametrize("criterion", CRITERIA)
@hypothesis.given(data=st.data())
@examples(10)
def test_neither_row_order_nor_threads_change_the_tree(criterion, regime, data):
    found = data.draw(data_sets(criterion))
    order = np.array(data.draw(st.permutations(range(len(found.y)))))
    weights = None if found.weights is None else found.weights[order]
    shuffled = found.replace(columns=[column[order] for column in found.columns], y=found.y[order], weights=weights)
    tree, other = grown(found, criterion, regime), grown(shuffled, criterion, regime)
    assert_same_splits(tree, other)
    assert_same_numbers(tree, other)
    assert_same_labels(tree, other)
    assert tree.equals(grown(found, criterion, regime, n_jobs=2))
