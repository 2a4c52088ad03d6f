"""Strengths chosen from grids, against one pruned tree at a time."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference.cross_validation import loss_of, risk_and_error
from strategies import data_sets, row_weights
from subtrees.test_selection import growth_of, noisy, selected

from bristlecone.grow import cart
from bristlecone.subtrees import Pessimistic, ScottNowak, cheapest_pruning
from bristlecone.subtrees.folds import rounds
from bristlecone.subtrees.selection import Choice, kept_folds, loss_and_rows, select

WIDE = np.geomspace(2.0**-8, 2.0**6, 10)


def depth_and_weight(tree):
    """A user's penalty."""
    return tree.depth / 10 + tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]


def pruned(tree, penalty, strength):
    if penalty == "pessimistic":
        return cheapest_pruning(tree, Pessimistic(strength))
    return cheapest_pruning(tree, penalty, strength)


def by_hand(X, y, folds, strengths, penalty, loss, **options):
    """As `reference.cross_validation.held_out_losses`, one pruned tree a strength."""
    found = []
    for weights, held_out, held in folds:
        growing = np.flatnonzero(weights)
        tree = cart(X[growing], y[growing], sample_weight=weights[growing], **options)
        answers = [pruned(tree, penalty, s).predict(X[held_out]) for s in strengths]
        for i, row in enumerate(held_out.tolist()):
            found.append((row, held[i], [loss(y[row].item(), of_one[i].item()) for of_one in answers]))
    return found


def test_the_wide_grid_is_the_specifications():
    expected = [0.00390625, 0.0114823007, 0.0337518668, 0.0992125657, 0.2916322599]
    expected += [0.8572439828, 2.5198420998, 7.4069976983, 21.772640002790, 64]
    np.testing.assert_allclose(WIDE, expected, rtol=1e-8)
    X, y = noisy()
    table = selected(growth_of(X, y), penalty="leaves").table
    assert np.isin(np.round(expected, 6), np.round(table.strength, 6)).all()
    assert len(table) <= 20


@pytest.mark.parametrize(
    ("penalty", "criterion"),
    [("pessimistic", "gini"), (ScottNowak(sqrt8=True), "gini")]
    + [(p, c) for p in ("leaves", "scott_nowak", depth_and_weight) for c in ("gini", "squared_error")],
)
@given(st.data())
@settings(max_examples=25)
def test_every_strength_is_judged_as_by_hand_and_the_smallest_of_the_best_is_chosen(penalty, criterion, data):
    drawn = data.draw(data_sets(criterion, columns=("numeric",)))
    weights = np.ones(len(drawn.y)) if drawn.weights is None else drawn.weights
    growth = growth_of(drawn.X, drawn.y, drawn.weights, criterion=criterion)
    _, rows = loss_and_rows(growth)
    dealt = rounds(3, rows)
    assume(dealt)
    found = select(growth, growth.tree(), Choice(penalty=penalty, rule="min"), lambda _: dealt)
    strengths, table = found.cv.strengths, found.table
    folds = [(fold.grown_on(weights), fold.held_out, fold.held) for fold in dealt[0]]
    losses = by_hand(drawn.X, drawn.y, folds, strengths, penalty, loss_of(criterion), criterion=criterion)
    risk, error = risk_and_error(losses, weights)
    np.testing.assert_allclose(table.cv_risk, risk, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(table.se, error, rtol=1e-6, atol=1e-7)
    whole = growth.tree()
    trees = [pruned(whole, penalty, strength) for strength in strengths]
    assert table.leaves.tolist() == [tree.n_leaves for tree in trees]
    assert (np.diff(table.leaves) <= 0).all()
    assert found.tree.equals(trees[table.chosen])
    near = risk <= risk.min() + 1e-9 * abs(risk.min())
    assert table.leaves[table.chosen] == table.leaves[near].min()


@pytest.mark.parametrize("penalty", ["leaves", "scott_nowak", "pessimistic"])
@given(st.data())
@settings(max_examples=25)
def test_whole_weights_equal_repetition(penalty, data):
    drawn = data.draw(data_sets("gini", columns=("numeric",), weights=lambda n: row_weights(n, whole=True)))
    weights = np.ones(len(drawn.y), int) if drawn.weights is None else drawn.weights.astype(int)
    again = np.arange(len(weights)).repeat(weights)
    one = selected(growth_of(drawn.X, drawn.y, weights.astype(float)), 3, penalty=penalty)
    other = selected(growth_of(drawn.X[again], drawn.y[again]), 3, penalty=penalty)
    assert one.strength == other.strength
    np.testing.assert_array_equal(one.tree.threshold, other.tree.threshold)
    np.testing.assert_array_equal(one.table.leaves, other.table.leaves)
    np.testing.assert_allclose(one.table.cv_risk, other.table.cv_risk, rtol=1e-12)
    np.testing.assert_allclose(one.table.se, other.table.se, rtol=1e-9, atol=1e-12)


def test_the_narrow_grid_lies_around_the_best_of_the_wide_one():
    X, y = noisy(800)
    table = selected(growth_of(X, y), penalty="leaves").table
    wide = np.isin(np.round(table.strength, 9), np.round(WIDE, 9))
    risks = table.cv_risk[wide]
    best = table.strength[wide][np.flatnonzero(risks <= risks.min() * (1 + 1e-12))[-1]]
    narrow = np.sort(table.strength[~wide])
    np.testing.assert_allclose([narrow[0], narrow[-1]], [best / 2, min(2 * best, 64)], rtol=1e-9)


def test_a_mean_loss_is_weighed_in_its_own_units():
    X, y = noisy()
    one, other = (
        selected(growth_of(X, y * unit, criterion="squared_error"), penalty="leaves") for unit in (1.0, 1024.0)
    )
    np.testing.assert_array_equal(one.tree.threshold, other.tree.threshold)
    np.testing.assert_allclose(other.table.strength, one.table.strength * 1024.0**2, rtol=1e-9)
    np.testing.assert_allclose(other.table.cv_risk, one.table.cv_risk * 1024.0**2, rtol=1e-9)


def test_a_lower_confidence_prunes_more_and_none_is_above_a_half():
    X, y = noisy()
    table = selected(growth_of(X, y), penalty="pessimistic").table
    assert table.strength_name == "confidence"
    assert (np.diff(table.strength[np.argsort(-table.strength)]) < 0).all()
    assert table.strength.max() == 0.5
    assert table.leaves[np.argmin(table.strength)] == table.leaves.min()


def test_a_strength_that_is_given_is_taken():
    X, y = noisy()
    growth = growth_of(X, y)
    for penalty, strength in (("leaves", 2.0), ("scott_nowak", 0.5), ("pessimistic", 0.25), (depth_and_weight, 0.01)):
        found = selected(growth, penalty=penalty, strength=strength)
        assert found.tree.equals(pruned(growth.tree(), penalty, strength))
        assert found.strength == strength and found.cv is None
        assert len(found.table) == 1
        assert found.table.risks["misclassification"][0] == pytest.approx(np.mean(found.tree.predict(X) != y))
        assert f"by strength = {strength:g}" in str(found.table)
    assert "Prunings by depth_and_weight" in str(found.table)
    with pytest.raises(ValueError, match="confidence must be a number between 0 and 1, got 2"):
        selected(growth, penalty="pessimistic", strength=2.0)


def test_out_of_fold_answers_and_threads():
    X, y = noisy()
    growth = growth_of(X, y)
    one, other = (selected(growth, penalty="scott_nowak", n_threads=n) for n in (1, 3))
    assert one.cv.risk.tobytes() == other.cv.risk.tobytes()
    kept = kept_folds(growth, Choice(penalty="scott_nowak"), lambda rows: rounds(5, rows))
    for strength, risk in zip(one.cv.strengths, one.cv.risk, strict=True):
        wrong = kept.predict(strength) != y[kept.rows]
        assert wrong @ kept.weights / kept.weights.sum() == pytest.approx(risk, rel=1e-12)


def test_a_loss_matrix_is_shown_beside_the_errors():
    X, y = noisy(n_classes=2)
    table = selected(growth_of(X, y, loss=[[0, 1], [3, 0]]), penalty="leaves").table
    assert list(table.risks) == ["misclassification", "gini", "loss"]
    assert table.judged_by == "loss"


def test_a_single_row_has_one_pruning():
    found = selected(growth_of(np.ones((1, 1)), np.zeros(1, int)), penalty="leaves")
    assert found.tree.n_leaves == 1 and found.cv is None
