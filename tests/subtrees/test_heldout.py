"""Losses of held-out rows at all alphas at once, against one pruned tree at a time."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.cross_validation import loss_of
from reference.impurity import CLASSIFICATION
from strategies import data_sets
from strategies_tree import Leaf, Split, build

from bristlecone.grow import cart
from bristlecone.subtrees import cut, weakest_link_path
from bristlecone.subtrees.heldout import answering_nodes, lifetimes, tally_path
from bristlecone.subtrees.losses import ClassLoss, numeric_loss
from bristlecone.subtrees.selection import geometric_means
from bristlecone.table import ColumnSchema, Kind, Schema, as_table

ONE_NUMBER = Schema((ColumnSchema("x", Kind.NUMERIC),), named=False)
CRITERIA = ["gini", "entropy", "squared_error", "absolute_error", "poisson"]


def losses_one_by_one(path, alphas, table, y, weights, loss):
    """Sums of weight x loss and weight x loss^2 at every alpha: T(alpha) is made and asked."""
    sums = []
    for alpha in alphas:
        answers = path.tree_at(alpha).predict(table)
        costs = [loss(true.item(), answer.item()) for true, answer in zip(y, answers, strict=True)]
        pairs = list(zip(weights, costs, strict=True))
        sums.append((sum(w * c for w, c in pairs), sum(w * c * c for w, c in pairs)))
    return np.array(sums).T


def tallied(path, alphas, table, y, weights, loss):
    found = tally_path(path, alphas, loss, np.arange(len(y)), path.unpruned.apply(table), weights)
    np.testing.assert_array_equal(found.linear, found.loss)
    return found


@pytest.mark.parametrize("criterion", CRITERIA)
@given(st.data())
@settings(max_examples=60)
def test_all_alphas_at_once_are_each_alpha_by_itself(criterion, data):
    grown, held = (data.draw(data_sets(criterion, columns=("categorical", "numeric"))) for _ in range(2))
    width = min(len(grown.columns), len(held.columns))
    chosen = [j for j in range(width) if grown.categorical[j] == held.categorical[j]]
    if not chosen:
        chosen, held = range(len(grown.columns)), grown
    levels = [k for k, j in enumerate(chosen) if grown.categorical[j]] or None
    unseen = data.draw(st.sampled_from(["stop", "heavier"]))
    table = as_table(grown.X[:, chosen], categorical_features=levels)
    tree = cart(table, grown.y, criterion=criterion, sample_weight=grown.weights, unseen=unseen)
    path = weakest_link_path(tree)
    alphas = data.draw(st.sampled_from([path.alphas, geometric_means(path.alphas)]))
    rows = table.schema.read(held.X[:, chosen])
    weights = np.ones(len(held.y)) if held.weights is None else held.weights

    known = np.isin(held.y, tree.classes) if criterion in CLASSIFICATION else np.ones(len(held.y), bool)
    rows, y, weights = rows.take(known), held.y[known], weights[known]
    loss = numeric_loss(criterion, y) if tree.classes is None else ClassLoss(np.searchsorted(tree.classes, y))
    found = tallied(path, alphas, rows, y, weights, loss)
    losses, squares = losses_one_by_one(path, alphas, rows, y, weights, loss_of(criterion))
    np.testing.assert_allclose(loss.scale(found.loss), losses, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(loss.scale(loss.scale(found.square)), squares, rtol=1e-9, atol=1e-9)


def staircase(n_steps):
    """A tree in which every other answer leaves at the next step, by growth on a line of ever rarer ones."""
    tree = Leaf((3, 1))
    for k in range(n_steps):
        tree = Split(0, float(n_steps - k), tree, Leaf((1, 3 + k % 3)))
    return build(tree, schema=ONE_NUMBER, classes=(0, 1))


def test_a_long_staircase_is_walked_step_by_step_and_not_row_by_alpha():
    path = weakest_link_path(staircase(400))
    X = np.linspace(0, 401, 2000)[:, None]
    y = (X[:, 0] > 300).astype(int)
    alphas = geometric_means(path.alphas)
    found = tallied(path, alphas, path.unpruned.schema.read(X), y, np.ones(2000), ClassLoss(y))
    losses, _ = losses_one_by_one(path, alphas, path.unpruned.schema.read(X), y, np.ones(2000), loss_of("gini"))
    np.testing.assert_array_equal(found.loss, losses)


def test_a_row_of_an_unknown_level_is_answered_where_it_stops_until_something_above_it_collapses():
    X = pd.DataFrame({"n": [0, 0, 0, 0, 1, 1, 1, 1, 1, 1], "c": list("aabb" + "aabbbb")})
    y = np.array([0, 0, 1, 1, 2, 2, 2, 3, 3, 3])
    tree = cart(X, y)
    path = weakest_link_path(tree)
    new = tree.schema.read(pd.DataFrame({"n": [0, 1, 0], "c": ["z", "z", "a"]}))
    stops = tree.apply(new)
    assert (tree.children_left[stops] >= 0).tolist() == [True, True, False]
    for alpha in [0.0, *path.alphas[1:], *(path.alphas[1:] * 0.999)]:
        closed = path.collapse <= path.alphas[path.index_at(alpha)]
        np.testing.assert_array_equal(
            tree.answers_at(answering_nodes(tree, closed)[stops]), path.tree_at(alpha).predict(new)
        )
    alphas = np.sort(np.append(path.alphas, path.alphas[1:] * 0.999))
    loss = ClassLoss(np.zeros(3, int))
    found = tallied(path, alphas, new, np.zeros(3, int), np.ones(3), loss)
    expected = [(path.tree_at(alpha).predict(new) != 0).sum() for alpha in alphas]
    assert found.loss.tolist() == expected


def test_an_infinite_loss_is_infinite_only_where_it_stands():
    nothing = Leaf(value=0.0, n=2)
    tree = build(Split(0, 1.0, nothing, Leaf(value=9.0, n=3)), schema=ONE_NUMBER, classes=None)
    object.__setattr__(tree, "impurity", np.array([3.0, 0.0, 0.0]))
    path = weakest_link_path(tree)
    y = np.array([1.0, 5.0])
    alphas = geometric_means(path.alphas)
    found = tallied(path, alphas, tree.schema.read([[0.0], [2.0]]), y, np.ones(2), numeric_loss("poisson", y))
    assert np.isinf(found.loss[0]) and np.isinf(found.square[0])
    assert np.isfinite(found.loss[-1])
    expected = losses_one_by_one(path, alphas, tree.schema.read([[0.0], [2.0]]), y, np.ones(2), loss_of("poisson"))
    np.testing.assert_array_equal(np.isinf(found.loss), np.isinf(expected[0]))


@pytest.mark.parametrize("unit", [1e-140, 1.0, 1e140])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_the_unit_of_the_target_does_not_show(criterion, unit):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 9, 60) + 0.25
    tree = cart(X, y)
    path = weakest_link_path(tree)
    scaled = weakest_link_path(cart(X, y * unit))
    found = []
    for one, factor in ((path, 1.0), (scaled, unit)):
        loss = numeric_loss(criterion, y * factor)
        alphas = geometric_means(one.alphas)
        tally = tallied(one, alphas, tree.schema.read(X[::-1]), y * factor, np.ones(60), loss)
        power = 2 if criterion == "squared_error" else 1
        found.append((loss.scale(tally.loss) / factor**power, tally.square / tally.loss[-1] ** 2))
    np.testing.assert_allclose(*zip(*found, strict=True).__next__(), rtol=1e-9)
    np.testing.assert_allclose(found[0][1], found[1][1], rtol=1e-9)


@given(st.data())
@settings(max_examples=80)
def test_the_answering_node_is_the_leaf_of_the_cut_tree(data):
    drawn = data.draw(data_sets("gini"))
    tree = cart(drawn.X, drawn.y, sample_weight=drawn.weights)
    inner = np.flatnonzero(tree.children_left >= 0)
    closed = np.zeros(tree.n_nodes, dtype=bool)
    closed[inner] = data.draw(st.lists(st.booleans(), min_size=len(inner), max_size=len(inner)))
    answering = answering_nodes(tree, closed)[tree.apply(drawn.X)]
    np.testing.assert_array_equal(tree.answers_at(answering), cut(tree, closed).predict(drawn.X))


def test_lifetimes_part_every_way_down_into_one_answer_at_each_alpha():
    rng = np.random.default_rng(0)
    tree = cart(rng.integers(0, 9, (300, 3)), rng.integers(0, 3, 300))
    path = weakest_link_path(tree)
    alphas = geometric_means(path.alphas)
    first, last = lifetimes(path, alphas)
    alive = (first[:, None] <= np.arange(len(alphas))) & (np.arange(len(alphas)) < last[:, None])
    for leaf in np.flatnonzero(tree.children_left < 0):
        way = [leaf]
        while way[-1] > 0:
            way.append(tree.parent[way[-1]])
        assert (alive[way].sum(axis=0) == 1).all()
