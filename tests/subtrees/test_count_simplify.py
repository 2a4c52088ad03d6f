"""Counting other rows at the nodes, and taking out questions that change no answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_tree import SCHEMA, Leaf, Split, build, staircase, tables, trees
from subtrees.examples import example_1

import bristlecone as bc
from bristlecone.subtrees import count, simplify
from bristlecone.table import Table


@given(st.data(), trees(regression=False))
def test_every_row_counts_at_each_node_of_its_path(data, tree):
    table = Table(SCHEMA, data.draw(tables(tree)))
    y = np.array(data.draw(st.lists(st.sampled_from(list(tree.classes)), min_size=table.n_rows, max_size=table.n_rows)))
    expected = np.zeros((tree.n_nodes, tree.n_classes), dtype=int)
    paths = tree.decision_path(table)
    for row in range(table.n_rows):
        for v in paths.indices[paths.indptr[row] : paths.indptr[row + 1]]:
            expected[v, list(tree.classes).index(y[row])] += 1
    np.testing.assert_array_equal(count(tree, table, y), expected)
    assert count(tree, table, y.astype(object)).tolist() == expected.tolist()


def test_growing_rows_count_as_grown():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.choice([-1, 3, 7], 300)
    tree = bc.grow.cart(X, y)
    for labels in (y, y.astype(float), y.astype(object), y[:, None], y.tolist()):
        np.testing.assert_array_equal(count(tree, X, labels), tree.row_counts)
    assert count(tree, X, y).dtype == np.int64
    assert count(tree, X[:0], y[:0]).sum() == 0


@pytest.mark.parametrize(
    ("y", "said"),
    [
        ([0, 1, 2], "y: row 2 has the label 2, not one of the tree's classes"),
        ([0, np.nan, 1], "y: row 1 has the label nan"),
        (["0", "1", "0"], "y: row 0 has the label '0'"),
        ([0, 1], "X has 3 rows but y has 2"),
        ([[0, 1], [0, 1], [0, 1]], "y must have one dimension"),
    ],
)
def test_what_cannot_be_counted_is_refused(y, said):
    X = np.zeros((3, 5))
    tree = bc.grow.cart(np.arange(5.0)[:, None] * np.ones(5), [0, 1, 0, 1, 0])
    with pytest.raises(ValueError, match=said):
        count(tree, X, y)


def test_a_regression_tree_has_no_classes_to_count():
    tree = bc.grow.cart([[0.0], [1.0]], [0.0, 1.0], criterion="squared_error")
    with pytest.raises(ValueError, match="a regression tree has no classes to count"):
        count(tree, [[0.0]], [0.0])


def test_c45_neighbour_leaves_with_the_same_answer():
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    y = [0] * 9 + [1] + [0] * 6 + [1] * 4
    tree = bc.grow.cart(X, y)
    assert tree.n_leaves == 2  # growing never collapses by itself
    single = simplify(tree)
    assert single.n_leaves == 1
    assert single.counts.tolist() == [[15, 5]]
    rows = np.array([[0.0], [1.0], [np.nan], [-np.inf], [7.0]])[[0, 1, 2, 4]]
    np.testing.assert_array_equal(single.predict(rows), tree.predict(rows))
    kept = simplify(tree, keep="probabilities")
    assert kept is tree
    alike = build(Split(0, 0.5, Leaf((9, 1)), Leaf((18, 2))))
    assert simplify(alike, keep="probabilities").n_leaves == 1


def relabelled(data, tree):
    """Few distinct answers, so that branches often collapse."""
    if tree.classes is None:
        values = data.draw(st.lists(st.sampled_from([1.5, -2.0]), min_size=tree.n_nodes, max_size=tree.n_nodes))
        object.__setattr__(tree, "prediction", np.array(values))
    else:
        labels = data.draw(st.lists(st.integers(0, 1), min_size=tree.n_nodes, max_size=tree.n_nodes))
        object.__setattr__(tree, "label", np.array(labels, dtype=np.int32))
    return tree


@given(st.data(), trees(max_splits=6))
def test_no_row_changes_its_answer(data, tree):
    tree = relabelled(data, tree)
    simple = simplify(tree)
    table = Table(SCHEMA, data.draw(tables(tree)))
    np.testing.assert_array_equal(simple.predict(table), tree.predict(table))


def answers_below(tree, v):
    """All answers that a row at a node can get, by walking down."""
    inner = tree.children_left[v] >= 0
    own = tree._answers[v]
    stops = not inner or (tree.unseen == "stop" and tree.level_ptr[v + 1] > tree.level_ptr[v])
    below = [answers_below(tree, int(c)) for c in (tree.children_left[v], tree.children_right[v])] if inner else []
    return ({own} if stops else set()).union(*below)


@given(st.data(), trees(max_splits=6))
def test_what_is_left_is_needed(data, tree):
    tree = relabelled(data, tree)
    simple = simplify(tree)
    for v in np.flatnonzero(simple.children_left >= 0):
        assert answers_below(simple, v) != {simple._answers[v]}
    assert simplify(simple) is simple


@given(st.data(), trees(regression=False))
def test_probabilities_are_kept_where_asked(data, tree):
    simple = simplify(tree, keep="probabilities")
    table = Table(SCHEMA, data.draw(tables(tree)))
    np.testing.assert_allclose(simple.predict_proba(table), tree.predict_proba(table), rtol=1e-14)
    np.testing.assert_array_equal(simple.predict(table), tree.predict(table))


def test_a_node_that_answers_for_unknown_levels_is_kept():
    """The two sides agree, but a level that neither names is answered at the node, and differently."""
    split = Split(1, np.nan, Leaf((0, 3)), Leaf((1, 2)), False, ((0, True), (1, False)))
    tree = build(split)
    object.__setattr__(tree, "label", np.array([0, 1, 1], dtype=np.int32))
    assert simplify(tree) is tree
    heavier = build(split, unseen="heavier")
    assert simplify(heavier).n_leaves == 1


def test_a_deep_tree_is_simplified():
    assert simplify(staircase(20_000)).n_leaves == 20_001
    same = build(_steps(5000))
    assert simplify(same).n_leaves == 1


def _steps(depth):
    at = Leaf((3, 1))
    for step in reversed(range(depth)):
        at = Split(0, step + 0.5, Leaf((2, 1)), at)
    return at


def test_other_arguments_are_refused():
    with pytest.raises(ValueError, match="keep must be 'answers' or 'probabilities', got 'labels'"):
        simplify(example_1(), keep="labels")
    with pytest.raises(TypeError, match="simplify needs a Tree, got DecisionTreeClassifier"):
        simplify(bc.DecisionTreeClassifier())
