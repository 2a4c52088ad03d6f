"""The fields of a tree and their meaning, checked against plain recounts; copies and pickles that validate again."""

import copy
import dataclasses
import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from strategies_tree import SCHEMA, Leaf, Split, build, staircase, trees

import bristlecone as bc
from bristlecone.table.columns import Table
from bristlecone.table.schema import ColumnSchema, Kind, Schema
from bristlecone.tree import Tree, arrays

SMALL = Split(0, 2.5, Leaf((3, 1)), Split(1, 0, Leaf((0, 4)), Leaf((2, 2)), True, ((0, True), (2, False))))


def test_places_of_nodes():
    tree = build(SMALL)
    assert (tree.n_nodes, tree.n_leaves, tree.max_depth, tree.n_features, tree.n_classes) == (5, 3, 2, 5, 2)
    assert tree.parent.tolist() == [-1, 0, 0, 2, 2]
    assert tree.depth.tolist() == [0, 1, 1, 2, 2]
    assert tree.subtree_end.tolist() == [5, 2, 5, 4, 5]
    assert tree.heavier_left.tolist() == [0, 0, 1, 0, 0]


@given(trees(regression=False))
def test_c60_counts_weights_and_fractions_are_three_things(tree):
    inner = np.flatnonzero(tree.children_left >= 0)
    for counts in (tree.counts, tree.row_counts):
        below = counts[tree.children_left[inner]] + counts[tree.children_right[inner]]
        np.testing.assert_array_equal(counts[inner], below)
        np.testing.assert_array_equal(counts[tree.children_left < 0].sum(axis=0), counts[0])
    np.testing.assert_array_equal(tree.row_counts.sum(axis=1), tree.n_node_samples)
    np.testing.assert_allclose(tree.counts.sum(axis=1), tree.weighted_n_node_samples)
    assert tree.value.shape == (tree.n_nodes, 1, tree.n_classes)
    np.testing.assert_allclose(tree.value.sum(axis=2), 1.0)
    filled = tree.n_node_samples > 0
    times_weight = tree.value[filled, 0] * tree.weighted_n_node_samples[filled, None]
    np.testing.assert_allclose(times_weight, tree.counts[filled], rtol=1e-12)


@given(trees())
def test_importances_are_shares_of_the_weighted_drop(tree):
    importances = tree.feature_importances
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1.0) or not importances.any()
    gains = [tree.gain(v) * tree.weighted_n_node_samples[v] for v in range(tree.n_nodes)]
    drop = np.zeros(tree.n_features)
    for v in np.flatnonzero(tree.children_left >= 0):
        drop[tree.feature[v]] += gains[v]
    np.testing.assert_allclose(importances * sum(gains), drop, atol=1e-9)


@pytest.mark.parametrize("weight", [1e-300, 1.0, 1e300])
@pytest.mark.parametrize("impurity", [1e-300, 1.0, 1e300])
def test_importances_have_no_unit(weight, impurity):
    root = Split(0, 1.0, Leaf(value=1.0, n=3), Split(3, 0.5, Leaf(value=2.0, n=2), Leaf(value=4.0, n=2)))
    fields = {**vars(build(root, classes=None, weight=weight)), "impurity": np.array([8.0, 0, 1, 0, 0]) * impurity}
    tree = Tree(**{field.name: fields[field.name] for field in dataclasses.fields(Tree)})
    assert tree.gain(0) == pytest.approx((8 - 4 / 7) * impurity)
    drops = np.array([8 * 7 - 4, 0, 0, 4, 0])
    np.testing.assert_allclose(tree.feature_importances, drops / drops.sum())


def test_root_only():
    tree = build(Leaf((3, 1)))
    assert tree.n_leaves == 1
    assert tree.feature_importances.tolist() == [0.0] * 5
    assert tree.value.tolist() == [[[0.75, 0.25]]]


def test_no_columns():
    tree = build(Leaf((3, 1)), schema=Schema(()))
    assert tree.predict(Table(Schema(()), [], 2)).tolist() == ["no", "no"]


def test_regression_has_values_and_no_counts():
    tree = build(Split(0, 2.5, Leaf(value=1.0, n=3), Leaf(value=2.0)), classes=None)
    assert tree.value.tolist() == [[[1.25]], [[1.0]], [[2.0]]]
    assert not hasattr(tree, "counts")
    with pytest.raises(AttributeError, match="regression"):
        tree.predict_proba(Table(SCHEMA, [np.zeros(1), np.zeros(1, np.int32), *[np.zeros(1)] * 3]))


def test_clipped_probability_is_what_the_node_says():
    tree = build(SMALL)
    prediction = np.full(5, np.nan)
    prediction[1] = 0.5
    clipped = Tree(**(fields_of(tree) | {"prediction": prediction}))
    assert clipped.value[1, 0].tolist() == [0.5, 0.5]
    row = Table(SCHEMA, [np.zeros(1), np.zeros(1, np.int32), *[np.zeros(1)] * 3])
    assert clipped.predict_proba(row).tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("weight", [5e-324, 1e-200, 3.0, 1e300])
def test_fractions_at_any_scale_of_weights(weight):
    assert build(Leaf((3, 1)), weight=weight).value.tolist() == [[[0.75, 0.25]]]


def test_arrays_cannot_be_written():
    tree = build(SMALL)
    with pytest.raises(ValueError, match="read-only"):
        tree.children_left[0] = 7
    with pytest.raises(ValueError, match="WRITEABLE"):
        tree.feature.setflags(write=True)
    with pytest.raises(AttributeError):
        tree.label = None


def test_the_caller_keeps_his_arrays():
    held = fields_of(build(SMALL))
    mine = np.array(held["threshold"])
    tree = Tree(**(held | {"threshold": mine}))
    mine[:] = 99.0
    assert tree.threshold[0] == 2.5


def fields_of(tree):
    return tree.__getstate__() | {"schema": tree.schema}


@given(trees())
def test_copies_are_equal(tree):
    for other in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), copy.copy(tree)):
        assert other.equals(tree)
        assert not other.children_left.flags.writeable


def test_equals_sees_a_difference():
    assert not build(SMALL).equals(build(Leaf((3, 1))))
    assert not build(SMALL).equals(build(SMALL, unseen="heavier"))


class Corrupt:
    """Pickles as a Tree with another field."""

    def __init__(self, tree, **changed):
        self.arguments = tuple((fields_of(tree) | changed).values())

    def __reduce__(self):
        return Tree, self.arguments


def test_pickles_are_validated():
    data = pickle.dumps(Corrupt(build(SMALL), children_left=np.array([1, -1, 99, -1, -1])))
    with pytest.raises(ValueError, match="node 2: child index 99 is out of range"):
        pickle.loads(data)


def test_skops_loads_and_validates(tmp_path):
    io = pytest.importorskip("skops.io")
    for tree in (build(SMALL), build(Split(2, 3.5, Leaf(value=1.0), Leaf(value=2.0)), classes=None)):
        data = io.dumps(tree)
        trusted = io.get_untrusted_types(data=data)
        assert trusted == ["bristlecone.tree.tree.Tree"]
        assert io.loads(data, trusted=trusted).equals(tree)


def test_skops_refuses_a_corrupt_tree():
    io = pytest.importorskip("skops.io")
    tree = build(SMALL)
    object.__setattr__(tree, "children_right", np.array([2, -1, 2_000_000_000, -1, -1], np.int32))
    with pytest.raises(ValueError, match="node 2: child index 2000000000 is out of range"):
        io.loads(io.dumps(tree), trusted=["bristlecone.tree.tree.Tree"])


def test_c62_twenty_thousand_classes_stay_small():
    """A leaf a class: a dense table of counts would take 6.4 GB."""
    n = 20_000
    classes = [f"class {k}" for k in range(n)]
    schema = Schema((ColumnSchema("x", Kind.NUMERIC),))
    tracemalloc.start()
    tree = _bush(n, classes, schema)
    labels = tree.predict(np.arange(0, n, 100, dtype=float)[:, None])
    proba = tree.predict_proba(np.arange(50.0)[:, None])
    text = str(tree)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert labels.tolist() == classes[::100]
    assert (proba.argmax(axis=1) == np.arange(50)).all()
    assert "leaves below" in text
    assert peak < 100e6


def _bush(n, classes, schema):
    """A balanced tree whose leaf k holds class k alone, built from intervals with a stack."""
    left, right, threshold, first, last = [], [], [], [], []
    stack = [(0, n, -1)]
    while stack:
        low, high, parent = stack.pop()
        node = len(left)
        if parent >= 0:
            right[parent] = node
        middle = (low + high) // 2
        inner = high - low > 1
        left.append(node + 1 if inner else -1)
        right.append(-1)
        threshold.append(middle - 0.5 if inner else -2.0)
        first.append(low)
        last.append(high)
        if inner:
            stack += [(middle, high, node), (low, middle, -1)]
    left, first, last = np.array(left), np.array(first), np.array(last)
    leaf = left < 0
    given = {
        "children_left": left,
        "children_right": np.array(right),
        "feature": np.where(leaf, -2, 0),
        "threshold": np.array(threshold),
        "missing_go_to_left": np.zeros(len(left), np.uint8),
        "n_node_samples": last - first,
        "weighted_n_node_samples": last - first,
        "impurity": 1.0 - 1.0 / (last - first),
        "label": first,
        "count_ptr": np.concatenate([[0], np.cumsum(leaf)]),
        "count_class": first[leaf],
        "count_weight": np.ones(n),
        "count_rows": np.ones(n, np.int64),
    }
    return Tree.from_arrays(schema, "classification", classes, given, criterion="gini")


def test_staircase_of_counts_keeps_small_weights_beside_large_ones():
    root = Split(0, 0.5, Leaf((2**53, 0)), Split(0, 1.5, Leaf((0, 1)), Leaf((0, 1))))
    with pytest.raises(ValueError, match="node 0: n_node_samples"):
        build(root)
    tree = build(Split(0, 0.5, Leaf((2**52, 0)), Split(0, 1.5, Leaf((0, 1)), Leaf((0, 1)))))
    assert tree.counts[2].tolist() == [0, 2]
    assert staircase(3).n_leaves == 4


@pytest.mark.parametrize(
    ("name", "node", "value", "said"),
    [
        ("impurity", 1, 7.0, "node 1: has the impurity 7.0, beyond every criterion"),
        ("impurity", 1, -1.0, "node 1: has the impurity -1.0, which cannot be negative"),
        ("weighted_n_node_samples", 0, 1e308, "node 0: has the weight 1e"),
        ("weighted_n_node_samples", slice(None), 1e308, r"node \d+: has the weight 1e\+308, its children inf"),
        ("weighted_n_node_samples", slice(None), 0.0, "node 0: has the weight 0, so no row has any"),
        ("count_weight", slice(None), 0.0, r"node \d+: has rows, but class counts of no weight"),
        ("count_weight", slice(None), 1e308, "the class counts weigh more than float64 can hold"),
    ],
)
def test_numbers_that_no_rows_can_make_are_refused(name, node, value, said):
    X = np.arange(40.0)[:, None]
    tree = bc.grow.cart(X, (X[:, 0] // 7) % 2)
    fields = {field: getattr(tree, field) for field in arrays.FIELDS}
    changed = fields[name].copy()
    changed[node] = value
    with pytest.raises(ValueError, match=said):
        Tree.from_arrays(
            tree.schema,
            tree.task,
            tree.classes,
            fields | {name: changed},
            criterion="gini",
            unseen="stop",
            missing="learn",
        )
