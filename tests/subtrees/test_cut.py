"""A pruning as a tree: the same walk, ended at the given nodes, and everything a tree has."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_tree import SCHEMA, Leaf, Split, build, staircase, tables, trees
from subtrees.examples import example_1, leaves_of

import bristlecone as bc
from bristlecone.subtrees import cut
from bristlecone.table import Table


def kept(tree, leaves):
    """The nodes that stay, in order: those without a given one above them."""
    above = [any(int(g) < v < int(tree.subtree_end[g]) for g in leaves) for v in range(tree.n_nodes)]
    return np.flatnonzero(~np.array(above))


@given(st.data(), trees())
def test_each_row_stops_at_the_first_given_node(data, tree):
    leaves = data.draw(st.lists(st.integers(0, tree.n_nodes - 1), unique=True))
    pruned = cut(tree, leaves)
    nodes = kept(tree, leaves)
    assert pruned.n_nodes == len(nodes)
    table = Table(SCHEMA, data.draw(tables(tree)))
    paths = tree.decision_path(table)
    for row, stop in enumerate(pruned.apply(table)):
        way = paths.indices[paths.indptr[row] : paths.indptr[row + 1]]
        assert nodes[stop] == next((v for v in sorted(way) if v in leaves), max(way))


@given(st.data(), trees())
def test_a_pruning_is_a_whole_tree(data, tree):
    leaves = data.draw(st.lists(st.integers(0, tree.n_nodes - 1), unique=True))
    pruned = cut(tree, leaves)
    assert pickle.loads(pickle.dumps(pruned)).equals(pruned)  # the constructor's checks
    nodes = kept(tree, leaves)
    for name in ("n_node_samples", "weighted_n_node_samples", "impurity", "prediction", "label"):
        np.testing.assert_array_equal(getattr(pruned, name), getattr(tree, name)[nodes])
    if tree.classes is not None:
        np.testing.assert_array_equal(pruned.counts, tree.counts[nodes])
        np.testing.assert_array_equal(pruned.row_counts, tree.row_counts[nodes])
    assert (pruned.unseen, pruned.missing, pruned.criterion) == (tree.unseen, tree.missing, tree.criterion)
    for v in np.flatnonzero(pruned.children_left >= 0):
        assert pruned.condition(v) == tree.condition(nodes[v])
        assert pruned.heuristic[v] == tree.heuristic[nodes[v]]


def test_a_mask_and_indices_name_the_same_nodes():
    tree = example_1()
    mask = np.zeros(7, dtype=bool)
    mask[[1, 3, 6]] = True
    assert cut(tree, mask).equals(cut(tree, [1, 3, 6]))
    assert cut(tree, np.array([1], dtype=np.uint8)).equals(cut(tree, [1]))


def test_nothing_to_cut_is_the_same_tree():
    tree = example_1()
    assert cut(tree, []) is tree
    assert cut(tree, [2, 4, 5, 6]) is tree


@pytest.mark.parametrize("depth", range(5))
@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_cut_at_a_depth_is_the_tree_grown_to_that_depth(depth, criterion):
    """In every field, runners-up and level sets included; moments are summed in another order."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(depth)
    frame = pd.DataFrame({"a": rng.integers(0, 30, 200), "c": rng.choice(list("uvwxyz"), 200), "b": rng.random(200)})
    frame.loc[rng.random(200) < 0.1, "b"] = np.nan
    y = rng.integers(0, 4, 200)
    rules = {"criterion": criterion, "n_runners": 2, "sample_weight": rng.integers(0, 4, 200)}
    tree = bc.grow.cart(frame, y, **rules)
    pruned, grown = cut(tree, tree.depth == depth), bc.grow.cart(frame, y, **rules, max_depth=depth)
    if criterion == "squared_error":
        for name in ("impurity", "prediction"):
            np.testing.assert_allclose(getattr(pruned, name), getattr(grown, name), rtol=1e-12, atol=1e-15)
            object.__setattr__(pruned, name, getattr(grown, name))
    assert pruned.equals(grown)


def test_fractional_weights_and_classes_in_between():
    leaves = [Leaf((1, 0, 2)), Leaf((0, 3, 1)), Leaf((2, 0, 0))]
    tree = build(
        Split(0, 1.0, Split(0, 0.5, *leaves[:2]), leaves[2]), classes=("a", "b", "c"), weight=0.1, missing="error"
    )
    pruned = cut(tree, [1])
    assert pruned.count_ptr.tolist() == [0, 0, 3, 4]
    assert pruned.count_class.tolist() == [0, 1, 2, 0]
    np.testing.assert_allclose(pruned.count_weight, [0.1, 0.3, 0.3, 0.2])
    assert pruned.count_rows.tolist() == [1, 3, 3, 2]
    assert pruned.missing == "error"


def test_runners_stay_with_their_splits():
    tree = build(Split(0, 1.0, Split(0, 0.5, Leaf((1, 0)), Leaf((0, 1))), Leaf((2, 2))))
    object.__setattr__(tree, "runners", (((0, 2.0, (), 0.1),), ((3, 0.5, (), 0.2),), (), (), ()))
    assert cut(tree, [1]).runners == (((0, 2.0, (), 0.1),), (), ())


def test_a_deep_tree():
    tree = staircase(20_000)
    pruned = cut(tree, [2 * 10_000])
    assert (pruned.n_leaves, pruned.max_depth) == (10_001, 10_000)
    assert leaves_of(pruned, tree) == set(range(1, 20_000, 2)) | {20_000}


@pytest.mark.parametrize(
    ("leaves", "error", "said"),
    [
        ([7], ValueError, "leaves holds 7, which is not one of the 7 nodes"),
        ([0, -1], ValueError, "leaves holds -1"),
        ([0.5], TypeError, "node indices or be a mask, got float64"),
        (["0"], TypeError, "node indices"),
        ([[0]], ValueError, "one dimension, got 2"),
        ([True, False], ValueError, "mask of length 2, expected 7"),
    ],
)
def test_what_names_no_nodes_is_refused(leaves, error, said):
    with pytest.raises(error, match=said):
        cut(example_1(), leaves)
