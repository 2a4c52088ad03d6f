"""Targets: called, as tables and as trees they are the same function; their shapes are those of SPEC C6."""

from __future__ import annotations

import numpy as np
import pytest

from bristlecone.query import ProductDistribution, influence, targets
from bristlecone.query.functions import all_points

ALL = [
    targets.balanced(3, 5),
    targets.balanced(4, 4),
    targets.chain(8, 7),
    targets.chain(8, 3),
    targets.random_tree(20, 8, 1),
    targets.tribes(2, 3),
    targets.majority(5),
    targets.parity([0, 2, 4], 6),
    targets.junta([0, 1, 1, 0, 0, 0, 1, 1], [5, 1, 3], 7),
    targets.monotone_dnf([[0, 1], [2, 3, 4], [5]], 6),
]


@pytest.mark.parametrize("target", ALL, ids=lambda t: f"{t.name}, n={t.n}")
def test_called_tabled_and_as_a_tree_they_agree(target):
    points = all_points(target.n, 0, 1 << target.n)
    answers = target(points)
    assert set(answers.tolist()) == {-1, 1}
    np.testing.assert_array_equal(target.table, answers)
    np.testing.assert_array_equal(target.tree.predict(points.astype(float)), answers)


def test_balanced_reads_in_heap_order_and_answers_left_plus():
    target = targets.balanced(2, 5)
    assert target.tree.feature.tolist() == [0, 1, -2, -2, 2, -2, -2]
    assert target(np.array([[0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 1, 0, 0]])).tolist() == [
        1,
        -1,
        1,
        -1,
    ]
    tight = targets.balanced(3, 3)  # the next unused variable where one would be repeated
    assert tight.tree.n_leaves == 8 and tight.tree.max_depth == 3


def test_chain_alternates_and_ends_with_the_opposite_sign():
    target = targets.chain(4, 3)
    assert target(np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])).tolist() == [1, -1, 1, -1]
    assert targets.chain(8, 3).tree.n_leaves == 4  # fewer variables, fewer levels


def test_random_trees_have_their_size_and_are_repeatable():
    for leaves, n in ((1, 1), (2, 1), (16, 4), (200, 30)):
        target = targets.random_tree(leaves, n, 5)
        assert target.tree.n_leaves == leaves
        assert target.tree.equals(targets.random_tree(leaves, n, 5).tree)
        pairs = np.flatnonzero(target.tree.children_left >= 0)
        left, right = target.tree.children_left[pairs], target.tree.children_right[pairs]
        leaf = target.tree.children_left < 0
        both = leaf[left] & leaf[right]
        assert (target.tree.label[left[both]] != target.tree.label[right[both]]).all()


def test_large_targets_are_called_and_trees_where_they_were_made_as_trees():
    X = ProductDistribution([0.5] * 3000).sample(50, 0)
    assert set(targets.majority(3000)(X).tolist()) == {-1, 1}
    target = targets.chain(1000, 3000)
    np.testing.assert_array_equal(target.tree.predict(X.astype(float)), target(X))
    assert influence(target.tree, ProductDistribution([0.5] * 3000)).shape == (3000,)
    with pytest.raises(ValueError, match="truth table of 3000 variables"):
        target.table  # noqa: B018


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: targets.balanced(3, 2), "depth must be at most n = 2"),
        (lambda: targets.balanced(0, 2), "depth must be a whole number of at least 1"),
        (lambda: targets.chain(1.5, 2), "leaves must be a whole number of at least 1"),
        (lambda: targets.random_tree(9, 3), "3 variables allow 8 leaves"),
        (lambda: targets.parity([0, 0], 3), "distinct ones of 0..2"),
        (lambda: targets.parity([3], 3), "distinct ones of 0..2"),
        (lambda: targets.parity([1.5], 3), "distinct ones of 0..2"),
        (lambda: targets.parity("ab", 3), "distinct ones of 0..2"),
        (lambda: targets.parity(None, 3), "distinct ones of 0..2, got None"),
        (lambda: targets.majority(True), "n must be a whole number"),
        (lambda: targets.monotone_dnf(3, 3), "terms must be lists of variables"),
        (lambda: targets.junta([0, float("nan")], [1], 3), "table must hold numbers"),
        (lambda: targets.junta(["a", "b"], [1], 3), "table must hold numbers"),
        (lambda: targets.monotone_dnf([], 3), "terms"),
        (lambda: targets.junta([0, 1], [0, 1], 3), "4 answers"),
        (lambda: targets.majority(3)(np.zeros((2, 4))), r"\(m, 3\)"),
    ],
)
def test_impossible_targets(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_junta_is_true_where_its_table_is_above_0():
    assert targets.junta([-3, 0.5], [1], 2).table.tolist() == [-1, -1, 1, 1]
