"""The path is the one that trying every pruning gives, in exact rationals: at each alpha, and between two."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from reference import prunings
from strategies_tree import Leaf, Split, build
from subtrees.examples import leaves_of

import bristlecone as bc
from bristlecone.subtrees import weakest_link_path

N_TREES = 1000
LOSSES = {2: [[0, 3], [1, 0]], 3: [[0, 2, 1], [1, 0, 5], [4, 1, 0]]}


def random_tree(rng, max_leaves=9):
    """A tree of any shape with a few rows a leaf, so that links tie often."""
    k = int(rng.integers(2, 4))
    forest = [Leaf(tuple(rng.integers(0, 4, k).tolist()))]
    for _ in range(int(rng.integers(0, max_leaves))):
        place = int(rng.integers(len(forest)))
        sides = [forest[place], Leaf(tuple(rng.integers(0, 4, k).tolist()))]
        rng.shuffle(sides)
        forest[place] = Split(0, 0.5, *sides)
        if rng.random() < 0.3:
            forest.append(Leaf(tuple(rng.integers(0, 4, k).tolist())))
    while len(forest) > 1:
        place = int(rng.integers(len(forest) - 1))
        forest[place : place + 2] = [Split(0, 0.5, *forest[place : place + 2])]
    root = forest[0]
    if fewest_rows(root) == 0 or rows_of(root) == 0:  # only a leaf below others may have none
        return random_tree(rng, max_leaves)
    return build(root, classes=tuple("abc"[:k]))


def rows_of(item):
    return sum(item.rows) if isinstance(item, Leaf) else rows_of(item.left) + rows_of(item.right)


def fewest_rows(item):
    """Of the splits; 1 where there is none."""
    if isinstance(item, Leaf):
        return 1
    return min(rows_of(item), fewest_rows(item.left), fewest_rows(item.right))


def exact_risks(tree):
    """For every risk its name or matrix, the exact risks of nodes, and the labels that go with it."""
    total, own = int(tree.n_node_samples[0]), tree.label.tolist()
    loss = LOSSES[tree.n_classes]
    wrong = [[int(i != j) for j in range(tree.n_classes)] for i in range(tree.n_classes)]
    answers = [prunings.loss_risks(tree.row_counts, matrix, total) for matrix in (wrong, loss)]
    # A leaf without rows answers as the node above it.
    empty = [(v, int(tree.parent[v])) for v in np.flatnonzero(tree.n_node_samples == 0)]
    for _, labels in answers:
        for v, above in empty:
            labels[v] = labels[above]
    return [
        ("impurity", prunings.gini_risks(tree.row_counts, total), own),
        ("misclassification", *answers[0]),
        (loss, *answers[1]),
    ]


def check(tree, risk, exact, labels):
    path = weakest_link_path(tree, risk=risk)
    assert path.unpruned.label.tolist() == labels
    children = prunings.children_of(tree)
    expected = prunings.path(children, exact)
    alphas = [alpha for alpha, _ in expected]
    np.testing.assert_allclose(path.alphas, [float(alpha) for alpha in alphas], rtol=1e-12)
    assert (np.diff(path.alphas) > 0).all() and path.alphas[0] == 0
    between = [(a + b) / 2 for a, b in zip(alphas, [*alphas[1:], alphas[-1] + 1], strict=True)]
    for k, (alpha, leaves) in enumerate(expected):
        assert leaves_of(path.tree(k), tree) == leaves
        assert path.index_at(path.alphas[k]) == path.index_at(float(alpha)) == k
        assert prunings.smallest_cheapest(children, exact, between[k]) == leaves
        assert path.index_at(float(between[k])) == k
        shown = (path.collapse <= path.alphas[k]) & (path.alphas[k] < path.covered)
        assert set(np.flatnonzero(shown)) == leaves
    np.testing.assert_allclose(path.risks, [float(sum(exact[v] for v in s)) for _, s in expected], rtol=1e-12)
    assert path.n_leaves.tolist() == [len(leaves) for _, leaves in expected]
    for (_, larger), (_, smaller) in pairwise(expected):
        assert all(any(v <= w < tree.subtree_end[v] for v in smaller) for w in larger)
    if risk != "impurity":
        assert path.alphas.tolist() == [float(alpha) for alpha in alphas]


def check_random(seed):
    tree = random_tree(np.random.default_rng(seed))
    for risk, exact, labels in exact_risks(tree):
        check(tree, risk, exact, labels)


def check_regression(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 9, (20, 2)), rng.integers(0, 4, 20)
    tree = bc.grow.cart(X, y, criterion="squared_error", max_leaf_nodes=9)
    members = tree.decision_path(X).toarray().T.astype(bool)
    exact = []
    for rows in (y[inside].tolist() for inside in members):
        mean = Fraction(sum(rows), len(rows))
        exact.append(sum((r - mean) ** 2 for r in rows) / Fraction(len(y)))
    check(tree, "impurity", exact, tree.label.tolist())


@pytest.mark.parametrize("part", range(4))
def test_random_trees(part):
    for seed in range(part * 20, part * 20 + 20):
        check_random(seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_thousand_random_trees(part):
    for seed in range(part * N_TREES // 10, (part + 1) * N_TREES // 10):
        check_random(seed)


def test_regression_trees():
    for seed in range(40):
        check_regression(seed)
