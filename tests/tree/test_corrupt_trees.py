"""Arrays that are not a tree are refused by node, and nothing that slips through can crash the walk."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_tree import SCHEMA, Leaf, Split, build, staircase, tables, trees

from bristlecone.table.columns import Table
from bristlecone.tree import Tree, draw
from bristlecone.tree.arrays import FIELDS

ROOT = Split(0, 2.5, Leaf((3, 1)), Split(1, 0, Leaf((0, 4)), Leaf((2, 2)), False, ((0, True), (2, False))))


def changed(**fields):
    tree = build(ROOT)
    return Tree(**(tree.__getstate__() | {"schema": SCHEMA} | fields))


def edited(name, node, value):
    array = np.array(getattr(build(ROOT), name))
    array[node] = value
    return changed(**{name: array})


@pytest.mark.parametrize(
    ("name", "node", "value", "message"),
    [
        ("children_left", 0, 9, "node 0: child index 9 is out of range"),
        ("children_left", 2, -7, "node 2: child index -7 is out of range"),
        ("children_left", 2, 0, "node 2: child does not come after its parent"),
        ("children_right", 2, -1, "node 2: has one child"),
        ("children_right", 0, 3, "has two parents"),
        ("children_left", 1, 4, "node 1: has one child"),
        ("feature", 0, 5, "node 0: feature 5 is out of range"),
        ("feature", 0, -1, "node 0: feature -1 is out of range"),
        ("feature", 0, 1, "node 0: splits the category 'colour' without levels"),
        ("feature", 2, 0, "node 2: splits 'age', which has no levels, by levels"),
        ("feature", 1, 0, "node 1: is a leaf with feature 0"),
        ("threshold", 0, np.nan, "node 0: has neither threshold nor levels"),
        ("threshold", 0, -np.inf, "node 0: splits 'age' at -inf"),
        ("threshold", 1, 3.0, r"node 1: is a leaf with threshold 3.0"),
        ("threshold", 2, 3.0, r"node 2: has levels and the threshold 3.0"),
        ("missing_go_to_left", 3, 1, "node 3: is a leaf with missing_go_to_left = 1"),
        ("heuristic", 4, 1, "node 4: is a leaf with heuristic = 1"),
        ("heuristic", 0, 1, "node 0: is marked as a heuristic level set"),
        ("level_code", 0, 7, "level codes are not ascending|not below the 7 levels"),
        ("level_code", 1, 7, "node 2: level code 7 is not below the 7 levels of 'colour'"),
        ("level_code", 0, -1, "node 2: level codes are not ascending"),
        ("level_ptr", 0, 1, "level_ptr"),
        ("level_ptr", 1, -(2**63), "level_ptr"),
        ("level_ptr", 5, 2**62, "level_ptr"),
        ("n_node_samples", 0, 13, "node 0: has 13 rows, its children 12"),
        ("n_node_samples", 1, -4, "node 1: n_node_samples is -4"),
        ("weighted_n_node_samples", 1, -1.0, r"node 1: weighted_n_node_samples is -1.0"),
        ("weighted_n_node_samples", 1, np.inf, "node 1: weighted_n_node_samples is inf"),
        ("impurity", 3, np.nan, "node 3: impurity is nan"),
        ("prediction", 3, 1.5, r"node 3: predicts the probability 1.5"),
        ("label", 4, 2, "node 4: label 2 is not one of 2 classes"),
        ("label", 4, -1, "node 4: label -1 is not one of 2 classes"),
        ("count_ptr", 1, -(2**63), "node 0: count_ptr is not ascending"),
        ("count_ptr", 0, 1, "count_ptr must run from 0"),
        ("count_ptr", 5, 9, "count_ptr must run from 0 to 5"),
        ("count_ptr", 1, 2, "node 0: has class counts, but is not a leaf"),
        ("count_class", 1, 2, "node 1: count_class is out of range"),
        ("count_class", 1, 0, "node 1: count_class is not ascending"),
        ("count_weight", 2, np.nan, "node 3: count_weight is negative or not finite"),
        ("count_rows", 2, 3, "node 3: has 4 rows, its class counts 3"),
        ("count_rows", 2, -3, "node 3: count_rows is out of range"),
    ],
)
def test_the_refusal_names_the_node(name, node, value, message):
    with pytest.raises(ValueError, match=message):
        edited(name, node, value)


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"task": "ranking"}, ValueError, "task must be one of"),
        ({"task": "regression"}, ValueError, "a regression tree has no classes"),
        ({"unseen": "guess"}, ValueError, "unseen must be one of"),
        ({"missing": ["learn"]}, ValueError, "missing must be one of"),
        ({"criterion": 3}, TypeError, "criterion must be a name"),
        ({"schema": None}, TypeError, "schema must be a Schema"),
        ({"classes": None}, ValueError, "needs its classes"),
        ({"classes": ["no", "no"]}, ValueError, "holds a label twice"),
        ({"classes": [1.0, np.nan]}, ValueError, "a class label is missing"),
        ({"classes": [["no", "yes"]]}, ValueError, "classes must be a list"),
        ({"classes": ["no"]}, ValueError, "label 1 is not one of 1"),
        ({"classes": ["a", "b", "c"], "prediction": [0.5] * 5}, ValueError, "node 0: has a clipped probability"),
        ({"children_left": []}, ValueError, "at least one node"),
        ({"children_left": [1, -1]}, ValueError, "children_right has length 5, expected 2"),
        ({"children_left": [1.0, -1.0, 3.0, -1.0, -1.0]}, TypeError, "children_left must hold int32 numbers"),
        ({"children_left": [2**40, -1, 3, -1, -1]}, ValueError, "children_left holds 1099511627776, beyond"),
        ({"children_left": [2**80, -1, 3, -1, -1]}, TypeError, "children_left must hold int32"),
        ({"children_left": [[1, -1, 3, -1, -1]]}, ValueError, "children_left must have one dimension"),
        ({"children_left": [[1], [2, 3]]}, ValueError, "children_left is not an array"),
        ({"missing_go_to_left": [2, 0, 0, 0, 0]}, ValueError, "missing_go_to_left holds 2, beyond 1"),
        ({"missing_go_to_left": [-1, 0, 0, 0, 0]}, ValueError, "missing_go_to_left holds -1, beyond 0"),
        ({"threshold": ["a"] * 5}, TypeError, "threshold must hold float64 numbers"),
        ({"threshold": None}, ValueError, "threshold must have one dimension"),
        ({"level_left": [0, 0]}, ValueError, "node 2: its level set sends everything to one side"),
        ({"runners": ((),)}, ValueError, "runners has length 1, expected 0 or 5"),
        ({"runners": (((0, 1.5),),) + ((),) * 4}, ValueError, "node 0: a runner-up must be"),
        ({"runners": (((9, 1.5, (), 0.1),),) + ((),) * 4}, ValueError, "node 0: a runner-up splits column 9 of 5"),
        ({"runners": (((1, np.nan, (8,), 0.1),),) + ((),) * 4}, ValueError, "not below 7"),
        ({"runners": (((1, 0.5, (), 0.1),),) + ((),) * 4}, ValueError, "does not fit its column"),
    ],
)
def test_the_refusal_names_the_field(fields, error, message):
    with pytest.raises(error, match=message):
        changed(**fields)


def test_threshold_inf_sends_missing_right():
    with pytest.raises(ValueError, match="node 0: threshold inf must send missing values right"):
        build(Split(0, np.inf, Leaf((1, 0)), Leaf((0, 1)), missing_left=True))


def test_regression_values_are_finite():
    with pytest.raises(ValueError, match="node 0: predicts inf"):
        build(Split(0, 0.5, Leaf(value=1.0), Leaf(value=np.inf)), classes=None)


def test_count_ptr_whose_differences_wrap_around():
    tree = staircase(3)
    wrapping = [0, 0, 1, 1, -(2**63), -(2**63), -1, 8]
    assert (np.diff(wrapping) >= 0).all()
    with pytest.raises(ValueError, match="node 3: count_ptr is not ascending"):
        Tree(**(tree.__getstate__() | {"schema": tree.schema, "count_ptr": wrapping}))


def test_order_of_nodes_is_pre_order():
    breadth_first = {
        "children_left": [1, 3, -1, -1, -1],
        "children_right": [2, 4, -1, -1, -1],
        "feature": [0, 0, -2, -2, -2],
        "threshold": [1.0, 0.0, -2.0, -2.0, -2.0],
        "missing_go_to_left": [0] * 5,
        "n_node_samples": [3, 2, 1, 1, 1],
        "weighted_n_node_samples": [3, 2, 1, 1, 1],
        "impurity": [0] * 5,
        "prediction": [0] * 5,
    }
    with pytest.raises(ValueError, match="node 1: its left child is not the next node"):
        Tree.from_arrays(SCHEMA, "regression", None, breadth_first, criterion="squared_error")


def test_from_arrays_names_what_is_lacking_or_unknown():
    with pytest.raises(ValueError, match="the array 'children_right' is missing"):
        Tree.from_arrays(SCHEMA, "regression", None, {"children_left": [-1]}, criterion="squared_error")
    with pytest.raises(ValueError, match="a tree has no array 'colour'"):
        Tree.from_arrays(SCHEMA, "regression", None, {"children_left": [-1], "colour": [1]}, criterion="squared_error")


NUMBERS = st.one_of(
    st.integers(-3, 12),
    st.sampled_from([-(2**63), -(2**31), -1, 2**31 - 1, 2**31, 2**53, 2**63 - 1]),
    st.sampled_from([np.nan, np.inf, -np.inf, 0.5, -2.0, 1e308]),
)


@st.composite
def corrupted(draw):
    """A tree's fields with up to three edits: a number, a length, a type."""
    tree = draw(trees())
    fields = tree.__getstate__() | {"schema": SCHEMA}
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(list(FIELDS)))
        values = np.asarray(fields[name]).tolist()
        edit = draw(st.sampled_from(["number", "cut", "longer", "cast"]))
        if edit == "cut":
            values = values[: draw(st.integers(0, len(values)))]
        elif edit == "longer":
            values = [*values, draw(NUMBERS)]
        elif values and edit == "number":
            values[draw(st.integers(0, len(values) - 1))] = draw(NUMBERS)
        fields[name] = np.array(values, dtype=draw(st.sampled_from([None, float, object]))) if values else values
        if edit != "cast" and fields[name] is not values and np.issubdtype(fields[name].dtype, np.floating):
            whole = np.isfinite(fields[name]) & (np.abs(fields[name]) < 2**62)
            if FIELDS[name][0] is not np.float64 and whole.all():
                fields[name] = fields[name].astype(np.int64)
    return tree, fields, draw(tables(tree))


@given(corrupted())
def test_corrupt_arrays_never_crash(case):
    _, fields, columns = case
    try:
        tree = Tree(**fields)
    except (ValueError, TypeError):
        return
    table = Table(SCHEMA, columns)
    nodes = tree.apply(table)
    assert ((nodes >= 0) & (nodes < tree.n_nodes)).all()
    tree.decision_path(table)
    tree.predict(table)
    assert draw(tree, max_depth=None, details=True)
    assert str(tree.explain(table, 0))
