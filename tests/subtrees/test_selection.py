"""The chosen size: acceptance values of the specification, the long way round, and what must not change the choice."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference.cross_validation import held_out_losses, loss_of, risk_and_error
from strategies import data_sets, row_weights

from bristlecone.grow.limits import Limits
from bristlecone.subtrees import weakest_link_path
from bristlecone.subtrees.folds import rounds
from bristlecone.subtrees.selection import Choice, Growth, choose, geometric_means, kept_folds, loss_and_rows, select
from bristlecone.table import as_table

CRITERIA = ["gini", "entropy", "squared_error", "absolute_error", "poisson"]
EQUAL_TO_REPEATED = ("max_depth", "min_weight_fraction_leaf", "min_weight_split", "min_weight_leaf", "zero_gain")


def growth_of(X, y, weights=None, *, criterion="gini", categorical_features=None, limits=None, **options):
    given = {"criterion": criterion, "missing": "learn", "unseen": "stop", "monotonic_cst": None, "n_jobs": None}
    table = as_table(X, categorical_features=categorical_features)
    return Growth(table, y, weights, Limits(**(limits or {})).values(), given | options)


def selected(growth, cv=5, *, n_threads=1, seed=0, repeats=1, groups=None, time=None, **choice):
    def rounds_of(rows):
        return rounds(cv, rows, groups=groups, time=time, repeats=repeats, seed=seed)

    return select(growth, growth.tree(), Choice(**choice), rounds_of, n_threads)


def noisy(n=300, seed=0, n_classes=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (n, 3)).astype(float)
    y = ((X[:, 0] > 3).astype(int) + (X[:, 1] * X[:, 2] > 12)) % n_classes
    return X, np.where(rng.random(n) < 0.3, rng.integers(0, n_classes, n), y)


def test_av_b8_geometric_means():
    np.testing.assert_allclose(geometric_means(np.array([0, 1 / 15, 2 / 15])), [0, 0.09428090415820634, np.inf], 1e-12)


def test_geometric_means_of_tiny_and_huge_alphas():
    np.testing.assert_allclose(geometric_means(np.array([0, 1e-300, 4e-300])), [0, 2e-300, np.inf])
    np.testing.assert_allclose(geometric_means(np.array([0, 1e300, 4e300])), [0, 2e300, np.inf])


def test_av_b9_one_standard_error():
    risk, sizes = np.array([0.30, 0.22, 0.20, 0.21, 0.26]), np.array([1, 3, 6, 9, 15])
    se = np.sqrt(risk * (1 - risk) / 200)
    assert se[2] == pytest.approx(0.0282842712474619, rel=1e-10)
    assert risk[2] + se[2] == pytest.approx(0.2282842712474619, rel=1e-10)
    assert choose(risk, se, sizes, "one_se") == (2, 1)
    assert choose(risk, se, sizes, "min") == (2, 2)
    assert choose(risk[::-1], se[::-1], sizes[::-1], "one_se") == (2, 3)


def test_ties_go_to_the_smaller_tree():
    risk = np.array([0.2, 0.2 * (1 + 1e-15), 0.3, 0.2])
    assert choose(risk, np.zeros(4), np.array([9, 5, 2, 7]), "min") == (1, 1)
    assert choose(np.array([np.inf, np.inf]), np.array([np.inf, np.inf]), np.array([3, 1]), "one_se") == (1, 1)
    assert choose(np.array([0.0, 0.0, 1e-300]), np.zeros(3), np.array([3, 2, 1]), "one_se") == (1, 1)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(st.data())
@settings(max_examples=40)
def test_cross_validation_is_the_one_by_hand(criterion, data):
    drawn = data.draw(data_sets(criterion))
    weights = np.ones(len(drawn.y)) if drawn.weights is None else drawn.weights
    options = {"criterion": criterion, "categorical_features": drawn.categorical_features or None}
    growth = growth_of(drawn.X, drawn.y, drawn.weights, limits=drawn.limits, **options)
    _, rows = loss_and_rows(growth)
    dealt = rounds(3, rows)
    assume(dealt)
    folds = [(fold.grown_on(weights), fold.held_out, fold.held) for fold in dealt[0]]
    if criterion == "poisson":
        assume(all(growing @ drawn.y > 0 for growing, _, _ in folds))

    found = select(growth, growth.tree(), Choice(rule="min"), lambda _: dealt)
    path = weakest_link_path(growth.tree())
    alphas = geometric_means(path.alphas)
    np.testing.assert_array_equal(found.cv.strengths, alphas)
    losses = held_out_losses(drawn.X, drawn.y, folds, alphas, loss_of(criterion), **options, **drawn.limits)
    risk, error = risk_and_error(losses, weights)
    np.testing.assert_allclose(found.cv.risk, risk, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.cv.se, error, rtol=1e-6, atol=1e-7)
    near = np.flatnonzero(risk <= risk.min() + 1e-9 * abs(risk.min()))
    assert found.table.chosen == near[-1]
    assert found.tree.equals(path.tree(found.table.chosen))
    assert found.strength == path.alphas[found.table.chosen]
    np.testing.assert_array_equal(found.table.leaves, path.n_leaves)
    np.testing.assert_allclose(
        found.cv.fold_weight @ found.cv.fold_risk / found.cv.fold_weight.sum(), risk, 1e-9, 1e-12
    )


@pytest.mark.parametrize("criterion", CRITERIA)
@given(st.data())
@settings(max_examples=40)
def test_whole_weights_equal_repetition_all_the_way(criterion, data):
    drawn = data.draw(data_sets(criterion, weights=lambda n: row_weights(n, whole=True)))
    weights = np.ones(len(drawn.y), int) if drawn.weights is None else drawn.weights.astype(int)
    limits = {name: limit for name, limit in drawn.limits.items() if name in EQUAL_TO_REPEATED}
    options = {"criterion": criterion, "categorical_features": drawn.categorical_features or None, "limits": limits}
    order = np.array(data.draw(st.permutations(range(int(weights.sum())))), dtype=int)
    again = np.arange(len(weights)).repeat(weights)[order]
    weighted = growth_of(drawn.X, drawn.y, weights.astype(float), **options)
    repeated = growth_of(drawn.X[again], drawn.y[again], None, **options)
    rule, repeats = data.draw(st.sampled_from(["min", "one_se"])), data.draw(st.integers(1, 2))
    risk = (
        "impurity"
        if criterion not in ("gini", "entropy")
        else data.draw(st.sampled_from(["impurity", "misclassification"]))
    )
    one, other = (selected(growth, 3, rule=rule, repeats=repeats, risk=risk) for growth in (weighted, repeated))

    assert one.table.chosen == other.table.chosen
    assert one.table.least == other.table.least
    for name in ("children_left", "children_right", "feature", "weighted_n_node_samples"):
        np.testing.assert_array_equal(getattr(one.tree, name), getattr(other.tree, name))
    np.testing.assert_array_equal(one.tree.threshold, other.tree.threshold)
    np.testing.assert_array_equal(one.table.leaves, other.table.leaves)
    for name in ("strength", "risk", "cv_risk", "se"):
        np.testing.assert_allclose(getattr(one.table, name), getattr(other.table, name), rtol=1e-9, atol=1e-9)


def test_c35_weights_reach_the_path_the_risks_and_the_choice():
    rng = np.random.default_rng(0)
    X, y, w = rng.integers(0, 4, (60, 2)), rng.integers(0, 2, 60), rng.integers(0, 4, 60)
    one = selected(growth_of(X, y, w.astype(float)))
    other = selected(growth_of(X.repeat(w, axis=0), y.repeat(w)))
    np.testing.assert_array_equal(one.table.strength, other.table.strength)
    np.testing.assert_array_equal(one.table.cv_risk, other.table.cv_risk)
    np.testing.assert_array_equal(one.table.se, other.table.se)
    assert one.tree.weighted_n_node_samples[0] == w.sum()
    assert one.table.chosen == other.table.chosen
    assert one.cv.fold_weight.sum() == w.sum()
    assert not np.array_equal(one.table.cv_risk, selected(growth_of(X, y)).table.cv_risk)


def test_c43_training_and_held_out_costs_are_in_one_unit():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [90, 10])
    X = np.column_stack([y + rng.normal(0, 0.6, 100), rng.normal(size=100)])
    loss = [[0, 1], [10, 0]]
    found = selected(growth_of(X, y, loss=loss), risk="misclassification")
    table = found.table
    assert list(table.risks) == ["loss", "gini"]
    assert table.judged_by == "loss"
    assert table.risk[-1] == table.root_risk == 0.9
    assert table.relative_cv_risk[-1] == table.cv_risk[-1] / 0.9
    assert 0.1 < table.relative_cv_risk[table.chosen] < 1.0
    printed = str(table)
    assert "loss[true class][answered class]" in printed
    assert "over 0.9, that of the root on the growing rows" in printed

    growth = growth_of(X, y, loss=loss)
    _, rows = loss_and_rows(growth)
    folds = [(f.grown_on(np.ones(100)), f.held_out, f.held) for f in rounds(5, rows)[0]]
    losses = held_out_losses(
        X,
        y,
        folds,
        found.cv.strengths,
        loss_of("gini", loss, [0, 1]),
        risk=loss,
        criterion="gini",
        loss=loss,
    )
    risk, error = risk_and_error(losses, np.ones(100))
    np.testing.assert_allclose(table.cv_risk, risk, rtol=1e-12)
    np.testing.assert_allclose(table.se, error, rtol=1e-9)


def test_c43_the_path_may_be_by_impurity_and_is_still_judged_by_cost():
    X, y = noisy(n_classes=2)
    table = selected(growth_of(X, y, loss=[[0, 1], [10, 0]])).table
    assert list(table.risks) == ["gini", "loss"]
    assert table.root_risk == table.risks[table.judged_by][-1]


def test_c44_every_fold_answers_by_its_own_subtree_at_any_alpha():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    growth = growth_of(X, y)
    _, rows = loss_and_rows(growth)
    folds = rounds(5, rows)
    found = select(growth, growth.tree(), Choice(), lambda _: folds)
    kept = kept_folds(growth, Choice(), lambda _: folds)
    lengths = {len(weakest_link_path(fit.tree)) for fit in kept.fits}
    assert len(lengths) > 1
    assert kept.rows.tolist() == list(range(40))
    for strength, risk in zip(found.cv.strengths, found.cv.risk, strict=True):
        answers = kept.predict(strength)
        assert (answers != y).mean() == pytest.approx(risk, rel=1e-12)
        assert set(answers.tolist()) <= {0, 1}
    for alpha in np.linspace(0, 0.2, 12):
        answers, shares = kept.predict(alpha), kept.predict_proba(alpha)
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        for fit in kept.fits:
            own = weakest_link_path(fit.tree).tree_at(alpha)
            np.testing.assert_array_equal(answers[fit.rows], own.predict(growth.table.take(fit.rows)))
            np.testing.assert_array_equal(shares[fit.rows], own.predict_proba(growth.table.take(fit.rows)))


def test_out_of_fold_answers_of_a_regression_have_no_shares():
    X, y = noisy()
    growth = growth_of(X, y.astype(float), criterion="squared_error")
    kept = kept_folds(growth, Choice(), lambda rows: rounds(3, rows))
    assert kept.predict(0.0).shape == (len(y),)
    with pytest.raises(AttributeError, match="regression"):
        kept.predict_proba(0.0)
    alone = growth_of(np.ones((1, 1)), np.ones(1), criterion="squared_error")
    with pytest.raises(ValueError, match="a single row"):
        kept_folds(alone, Choice(), lambda rows: rounds(3, rows))


@pytest.mark.parametrize("repeats", [1, 3])
def test_any_number_of_threads_gives_the_same_numbers(repeats):
    X, y = noisy(1000)
    growth = growth_of(X, y)
    one = selected(growth, repeats=repeats)
    for n_threads in (2, 5):
        other = selected(growth, repeats=repeats, n_threads=n_threads)
        assert other.tree.equals(one.tree)
        for name in ("risk", "se", "fold_risk", "fold_weight"):
            assert getattr(other.cv, name).tobytes() == getattr(one.cv, name).tobytes()


def test_the_order_of_rows_does_not_show():
    X, y = noisy()
    order = np.random.default_rng(1).permutation(len(y))
    one, other = selected(growth_of(X, y)), selected(growth_of(X[order], y[order]))
    np.testing.assert_array_equal(one.cv.risk, other.cv.risk)
    np.testing.assert_array_equal(one.tree.threshold, other.tree.threshold)


def test_the_units_of_columns_and_target_do_not_show():
    X, y = noisy()
    one, other = selected(growth_of(X, y)), selected(growth_of(X * 1000 - 3, y))
    np.testing.assert_array_equal(one.cv.risk, other.cv.risk)
    np.testing.assert_array_equal(one.tree.predict(X), other.tree.predict(X * 1000 - 3))
    one, other = (selected(growth_of(X, y * unit, criterion="squared_error")) for unit in (1.0, 1024.0))
    np.testing.assert_allclose(one.cv.risk * 1024.0**2, other.cv.risk, rtol=1e-9)
    np.testing.assert_array_equal(one.tree.threshold, other.tree.threshold)


def test_repeats_are_means_over_their_seeds():
    X, y = noisy()
    growth = growth_of(X, y)
    alone = [selected(growth, seed=seed).cv for seed in (4, 5, 6)]
    together = selected(growth, seed=4, repeats=3).cv
    np.testing.assert_allclose(together.risk, np.mean([cv.risk for cv in alone], axis=0))
    np.testing.assert_allclose(together.se, np.mean([cv.se for cv in alone], axis=0))
    np.testing.assert_array_equal(together.fold_risk, np.concatenate([cv.fold_risk for cv in alone]))
    assert len({cv.risk.tobytes() for cv in alone}) == 3


@pytest.mark.parametrize(
    "options",
    [{"class_weight": "balanced"}, {"priors": [0.2, 0.3, 0.5]}, {"class_weight": {0: 2.0, 2: 0.0}}],
    ids=str,
)
def test_class_weights_and_priors_count_in_held_out_rows_as_in_growth(options):
    X, y = noisy(200)
    w = np.random.default_rng(2).integers(1, 4, 200).astype(float)
    growth = growth_of(X, y, w, **options)
    loss, rows = loss_and_rows(growth)
    folds = rounds(4, rows)
    found = select(growth, growth.tree(), Choice(), lambda _: folds)
    parts = [(f.grown_on(w), f.held_out, f.held) for f in folds[0]]
    losses = held_out_losses(X, y, parts, found.cv.strengths, loss_of("gini"), criterion="gini", **options)
    risk, error = risk_and_error([part for part in losses if loss.factor[part[0]] > 0], w, loss.factor)
    np.testing.assert_allclose(found.cv.risk, risk, rtol=1e-9)
    np.testing.assert_allclose(found.cv.se, error, rtol=1e-9)
    shares = np.bincount(y, w * loss.factor, 3)
    assert found.cv.risk[-1] == pytest.approx(1 - shares.max() / shares.sum(), abs=0.08)
    assert found.table.risk[0] >= 0


def test_a_row_that_is_held_out_twice_counts_as_one_row_in_the_error():
    X, y = noisy(120)
    X += np.random.default_rng(0).normal(0, 1e-3, X.shape)
    growth = growth_of(X, y)
    _, rows = loss_and_rows(growth)
    (once,) = rounds(3, rows)
    pairs = [(np.flatnonzero(fold.grown_on(np.ones(120))), fold.held_out) for fold in once]
    one, twice = selected(growth, pairs).cv, selected(growth, pairs + pairs).cv
    np.testing.assert_allclose(one.risk, twice.risk)
    np.testing.assert_allclose(one.se, twice.se)


def test_weights_far_from_one_count_each_row_once():
    X, y = noisy(120)
    X += np.random.default_rng(0).normal(0, 1e-3, X.shape)
    plain = selected(growth_of(X, y))
    for unit in (0.1, 1e-200, 1e300):
        scaled = selected(growth_of(X, y, np.full(120, unit)))
        np.testing.assert_allclose(scaled.cv.risk, plain.cv.risk, rtol=1e-9)
        np.testing.assert_allclose(scaled.cv.se, plain.cv.se, rtol=1e-9)
        np.testing.assert_array_equal(scaled.tree.threshold, plain.tree.threshold)


def test_folds_by_time_are_judged_on_the_rows_they_hold_out():
    X, y = noisy(200)
    growth = growth_of(X, y)
    found = selected(growth, 4, time=np.arange(200))
    assert found.cv.fold_weight.tolist() == [40.0] * 4
    kept = kept_folds(growth, Choice(), lambda rows: rounds(4, rows, time=np.arange(200)))
    assert kept.rows.tolist() == list(range(40, 200))
    for strength, risk in zip(found.cv.strengths, found.cv.risk, strict=True):
        assert (kept.predict(strength) != y[kept.rows]).mean() == pytest.approx(risk)


def test_groups_keep_what_is_repeated_from_being_learned_by_heart():
    rng = np.random.default_rng(0)
    people = np.arange(60).repeat(12)
    X = np.column_stack([rng.normal(size=60)[people] + rng.normal(0, 1e-3, 720), rng.normal(size=720)])
    y = rng.integers(0, 2, 60)[people]
    apart, together = selected(growth_of(X, y), 10), selected(growth_of(X, y), 10, groups=people)
    assert apart.cv.risk.min() < 0.1
    assert together.cv.risk.min() > 0.3
    assert together.tree.n_leaves < apart.tree.n_leaves


def test_a_level_that_a_fold_has_not_seen_stops_there_even_where_it_is_an_error():
    X = pd.DataFrame({"c": ["a", "b", "c", "d", "e"] * 2})
    y = np.array([0, 1, 0, 1, 0] * 2)
    growth = growth_of(X, y, categorical_features="from_dtype", unseen="error")
    found = selected(growth, 5)
    assert found.tree.unseen == "error"
    assert np.isfinite(found.cv.risk).all()


def test_nothing_to_hold_out_leaves_one_leaf():
    found = selected(growth_of(np.ones((1, 1)), np.zeros(1, int)))
    assert found.tree.n_leaves == 1
    assert found.cv is None
    assert found.strength == 0.0
    assert "cv" not in str(found.table)


def test_cells_that_come_with_both_answers_are_judged_as_rows():
    """2,201 people by class, sex and age: kept together, the cells of such a table would never be judged by chance."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, [4, 2, 2], (2000, 3)).astype(float)
    y = (rng.random(2000) < np.where(X[:, 1] > 0, 0.8, 0.1 + 0.2 * X[:, 2])).astype(int)
    found = selected(growth_of(X, y), 10)
    assert found.tree.n_leaves >= 2
    assert found.table.cv_risk[found.table.chosen] == pytest.approx(np.mean(found.tree.predict(X) != y), abs=0.01)


def test_a_column_of_two_values_that_tells_all_is_split():
    X = np.array([[0.0], [1.0]] * 50)
    found = selected(growth_of(X, X[:, 0].astype(int)), 10)
    assert found.tree.n_leaves == 2
    assert found.table.cv_risk[0] == 0.0


def test_no_row_is_judged_by_a_copy_of_itself():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150, 4)), rng.integers(0, 2, 150)
    for growth in (growth_of(X, y, np.full(150, 5.0)), growth_of(X.repeat(5, axis=0), y.repeat(5))):
        assert selected(growth).cv.risk.min() > 0.35
