"""Cases about losses: C63 C64 C65 C66."""

import itertools
import math
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bristlecone as bc
from bristlecone.grow import cart


def _sides(x, threshold):
    return x < threshold, x >= threshold


def _stump_losses(impurity, criterion, x, y, w):
    """Return the weighted impurity left by each threshold between neighbouring values, by threshold."""
    values = np.unique(x)
    losses = {}
    for low, high in itertools.pairwise(values):
        t = low / 2 + high / 2
        losses[t] = math.fsum(w[side].sum() * impurity(criterion, y[side], w[side]) for side in _sides(x, t))
    return losses


# C63 absolute error


def test_c63_weighted_medians(impurity):
    x, y, w = np.arange(1.0, 6), np.array([4, 4, 9, 4, 6.0]), np.array([2, 4, 3, 1, 2.0])
    model = bc.DecisionTreeRegressor(criterion="absolute_error", max_depth=1)
    model.fit(x.reshape(-1, 1), y, sample_weight=w)
    tree = model.tree_
    assert tree.threshold[0] == 2.5
    assert _stump_losses(impurity, "absolute_error", x, y, w) == {1.5: 19, 2.5: 11, 3.5: 17, 4.5: 15}
    assert tree.weighted_n_node_samples[1:] @ tree.impurity[1:] == pytest.approx(11, rel=1e-14)
    assert model.predict([[1.0], [5.0]]).tolist() == [4.0, 6.0]


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(-5, 5), st.integers(1, 4)), min_size=2, max_size=25),
    st.sampled_from([1.0, 0.1, 1 / 3]),
)
@settings(max_examples=150)
def test_c63_every_stump_is_the_best_one(impurity, rows, unit):
    x, y, w = (np.array(values, dtype=float) for values in zip(*rows, strict=True))
    losses = _stump_losses(impurity, "absolute_error", x, y, w)
    tree = cart(x.reshape(-1, 1), y, criterion="absolute_error", sample_weight=w * unit, max_depth=1)
    if len(losses) == 0 or len(set(y)) == 1:
        assert tree.n_nodes == 1
        return
    least = min(losses.values()) * (1 + 1e-9)
    assert tree.threshold[0] == min(t for t, loss in losses.items() if loss <= least)


def test_c63_twenty_thousand_rows_in_seconds():
    rng = np.random.default_rng(63)
    X = rng.random((20000, 2))
    y = np.round(10 * X[:, 0] + rng.standard_normal(20000), 3)
    started = time.perf_counter()
    tree = cart(X, y, criterion="absolute_error", max_depth=6)
    assert time.perf_counter() - started < 20
    leaf = tree.apply(X)
    for node in np.unique(leaf)[:10]:
        inside = np.sort(y[leaf == node])
        assert tree.prediction[node] == inside[(len(inside) - 1) // 2]


def test_c63_an_unlucky_order_is_not_quadratic():
    """Sorted, reversed and constant targets with heavy ties: what makes a naive median structure crawl."""
    x = np.arange(20000.0).reshape(-1, 1)
    started = time.perf_counter()
    for y in (x[:, 0], -x[:, 0], x[:, 0] % 2, np.where(x[:, 0] < 19999, 0.0, 1.0)):
        cart(x, y, criterion="absolute_error", max_depth=3)
    assert time.perf_counter() - started < 20


# C64 Poisson


def test_c64_full_growth_reaches_deviance_zero():
    rng = np.random.RandomState(0)
    X = rng.rand(200, 3)
    y = rng.poisson(1 + 4 * X[:, 0]) + 1
    model = bc.DecisionTreeRegressor(criterion="poisson").fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    leaves = model.tree_.children_left < 0
    assert (model.tree_.impurity[leaves] == 0).all()


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5), st.integers(1, 4)), min_size=2, max_size=25),
    st.sampled_from([1.0, 0.1]),
)
@settings(max_examples=120)
def test_c64_the_root_split_is_the_best_by_brute_force(impurity, rows, unit):
    """Among the splits whose children both have a positive mean: a rate of zero is no answer."""
    x, y, w = (np.array(values, dtype=float) for values in zip(*rows, strict=True))
    w = w * unit
    if not y.any():
        with pytest.raises(ValueError, match="zero"):
            cart(x.reshape(-1, 1), y, criterion="poisson", sample_weight=w)
        return
    every_loss = _stump_losses(impurity, "poisson", x, y, w)
    losses = {t: loss for t, loss in every_loss.items() if all(y[side].any() for side in _sides(x, t))}
    tree = cart(x.reshape(-1, 1), y, criterion="poisson", sample_weight=w, max_depth=1)
    if len(losses) == 0 or len(set(y)) == 1:
        assert tree.n_nodes == 1
        return
    assert losses[tree.threshold[0]] == pytest.approx(min(losses.values()), rel=1e-9, abs=1e-9)


def test_c64_counts_below_zero_are_refused():
    X = np.arange(3.0).reshape(-1, 1)
    with pytest.raises(ValueError, match=r"(?i)poisson") as caught:
        bc.DecisionTreeRegressor(criterion="poisson").fit(X, [1, -2, 3])
    assert "-2" in str(caught.value)
    assert "row 1" in str(caught.value)


def test_c64_nothing_but_zeros_is_a_leaf_of_zero():
    X = np.arange(4.0).reshape(-1, 1)
    try:
        tree = cart(X, np.zeros(4), criterion="poisson")
    except ValueError as error:
        assert "poisson" in str(error).lower()
    else:
        assert tree.n_nodes == 1
        assert tree.predict(X).tolist() == [0.0] * 4


# C65 monotone constraints


def _grid_scores(score, n_other=10):
    grid = np.linspace(-0.1, 1.1, 60)
    other = np.linspace(0, 1, n_other)
    cells = np.array([[a, b] for b in other for a in grid])
    return score(cells).reshape(n_other, 60)


def _noisy(seed):
    rng = np.random.RandomState(seed)
    X = rng.rand(60, 2)
    return X, 2 * X[:, 0] + 0.5 * rng.randn(60)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("options", [{}, {"max_leaf_nodes": 8}, {"criterion": "absolute_error"}])
def test_c65_no_answer_falls_where_it_must_rise(direction, options):
    for seed in range(200):
        X, y = _noisy(seed)
        model = bc.DecisionTreeRegressor(monotonic_cst=[direction, 0], **options).fit(X, direction * y)
        steps = np.diff(_grid_scores(model.predict), axis=1)
        assert (direction * steps >= 0).all(), seed


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_c65_in_classification(criterion):
    for seed in range(60):
        X, y = _noisy(seed)
        model = bc.DecisionTreeClassifier(criterion=criterion, monotonic_cst=[1, 0]).fit(X, y > 1)
        proba = _grid_scores(lambda cells, model=model: model.predict_proba(cells)[:, 1])
        assert (np.diff(proba, axis=1) >= 0).all(), seed


def test_c65_poisson_and_two_constrained_columns():
    for seed in range(60):
        X, y = _noisy(seed)
        y = np.abs(y) + X[:, 1]
        model = bc.DecisionTreeRegressor(criterion="poisson", monotonic_cst=[1, 1]).fit(X, y)
        scores = _grid_scores(model.predict, n_other=30)
        assert (np.diff(scores, axis=0) >= 0).all()
        assert (np.diff(scores, axis=1) >= 0).all()


def test_c65_the_other_column_missing_breaks_nothing():
    for seed in range(60):
        X, y = _noisy(seed)
        X[np.random.RandomState(seed).rand(60) < 0.3, 1] = np.nan
        model = bc.DecisionTreeRegressor(monotonic_cst=[1, 0]).fit(X, y)
        steps = np.diff(_grid_scores(model.predict), axis=1)
        gaps = np.column_stack([np.linspace(0, 1, 60), np.full(60, np.nan)])
        assert (steps >= 0).all()
        assert (np.diff(model.predict(gaps)) >= 0).all()


def test_c65_missing_in_the_constrained_column_keeps_the_order_of_the_rest():
    for seed in range(60):
        X, y = _noisy(seed)
        X[np.random.RandomState(seed).rand(60) < 0.3, 0] = np.nan
        model = bc.DecisionTreeRegressor(monotonic_cst=[1, 0]).fit(X, y)
        assert (np.diff(_grid_scores(model.predict), axis=1) >= 0).all(), seed
        gaps = np.column_stack([np.full(10, np.nan), np.linspace(0, 1, 10)])
        assert np.isfinite(model.predict(gaps)).all()


def test_c65_a_constraint_that_already_holds_changes_nothing(assert_same_tree):
    for seed in range(40):
        X = np.random.RandomState(seed).rand(60, 1)
        y = X[:, 0] ** 3 + X[:, 0]
        free = cart(X, y, criterion="squared_error")
        bound = cart(X, y, criterion="squared_error", monotonic_cst=[1])
        assert_same_tree(free, bound)
        np.testing.assert_array_equal(free.predict(X), bound.predict(X))


def test_c65_no_constraint_is_no_constraint(assert_same_tree):
    X, y = _noisy(0)
    assert_same_tree(cart(X, y, criterion="squared_error"), cart(X, y, criterion="squared_error", monotonic_cst=[0, 0]))


def _loss_about(criterion, y, answer):
    """Return the mean loss of one answer for all of y: what the impurity of a clipped node is."""
    if criterion == "squared_error":
        return math.fsum((y - answer) ** 2) / len(y)
    if criterion == "absolute_error":
        return math.fsum(np.abs(y - answer)) / len(y)
    p = float(np.mean(y))
    return 2 * (p * (1 - answer) ** 2 + (1 - p) * answer**2)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "gini"])
def test_c65_reported_impurities_are_those_of_the_answers_given(paths, criterion):
    """A node whose answer was clipped reports the loss of that answer, so anyone can recompute it from the tree."""
    n_clipped = 0
    for seed in range(30):
        X, y = _noisy(seed)
        y = (y > 1).astype(int) if criterion == "gini" else y
        tree = cart(X, y, criterion=criterion, monotonic_cst=[1, -1])
        below = [[row for row, path in enumerate(paths(tree, X)) if v in path] for v in range(tree.n_nodes)]
        for v, rows in enumerate(below):
            answer = tree.value[v, 0, -1]
            expected = _loss_about(criterion, y[rows].astype(float), answer)
            assert tree.impurity[v] == pytest.approx(expected, rel=1e-9, abs=1e-12), (seed, v)
            n_clipped += abs(answer - np.mean(y[rows])) > 1e-9
        assert (tree.impurity >= 0).all()
        assert (tree.feature_importances >= 0).all()
    assert n_clipped > 0


@pytest.mark.parametrize(
    ("constraint", "said"),
    [([1], "monotonic_cst"), ([1, 0, 0], "monotonic_cst"), ([2, 0], "monotonic_cst"), ([0.5, 0], "monotonic_cst")],
)
def test_c65_constraints_that_fit_no_column_are_refused(constraint, said):
    X, y = _noisy(0)
    with pytest.raises((ValueError, TypeError), match=said):
        bc.DecisionTreeRegressor(monotonic_cst=constraint).fit(X, y)


def test_c65_constraints_that_mean_nothing_are_refused():
    X, y = _noisy(0)
    with pytest.raises(ValueError, match="monoton"):
        bc.DecisionTreeClassifier(monotonic_cst=[1, 0]).fit(X, np.digitize(y, [0.5, 1.5]))
    shops = pd.DataFrame({"shop": np.where(X[:, 0] > 0.5, "a", "b"), "x": X[:, 1]})
    with pytest.raises(ValueError, match="monoton") as caught:
        bc.DecisionTreeRegressor(monotonic_cst=[1, 0]).fit(shops, y)
    assert "shop" in str(caught.value)


# C66 importances


def _drops(tree):
    drops = np.zeros(tree.n_features)
    for v in np.flatnonzero(tree.children_left >= 0):
        a, b = tree.children_left[v], tree.children_right[v]
        w, i = tree.weighted_n_node_samples, tree.impurity
        drops[tree.feature[v]] += w[v] * i[v] - w[a] * i[a] - w[b] * i[b]
    return drops / drops.sum()


def test_c66_no_split_no_importance():
    for estimator in (bc.DecisionTreeClassifier, bc.DecisionTreeRegressor):
        model = estimator().fit(np.random.default_rng(0).random((10, 3)), np.ones(10))
        assert model.feature_importances_.tolist() == [0.0, 0.0, 0.0]


def test_c66_nothing_but_zero_gain_splits():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    tree = cart(X, np.array([0, 1, 1, 0]), max_depth=1)
    assert tree.n_leaves == 2
    assert tree.feature_importances.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    "criterion", ["gini", "entropy", "sqrt", "gain_ratio", "squared_error", "absolute_error", "poisson"]
)
def test_c66_with_missing_in_the_top_column(criterion):
    rng = np.random.default_rng(66)
    X = rng.random((200, 4))
    y = np.digitize(X[:, 2] + 0.1 * rng.random(200), [0.3, 0.7])
    X[rng.random(200) < 0.3, 2] = np.nan
    tree = cart(X, y, criterion=criterion, sample_weight=rng.integers(0, 4, 200))
    importances = tree.feature_importances
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1.0, rel=1e-12)
    assert np.argmax(importances) == 2
    np.testing.assert_allclose(importances, _drops(tree), rtol=1e-9, atol=1e-12)


@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.integers(0, 4)), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)),
        min_size=2,
        max_size=25,
    ),
    st.sampled_from(["gini", "entropy", "sqrt", "gain_ratio", "squared_error", "absolute_error", "poisson"]),
    st.sampled_from([1.0, 1e-12, 1e9]),
)
@settings(max_examples=120)
def test_c66_never_negative_never_nan(rows, criterion, unit):
    table = np.array(rows, dtype=float)
    w = table[:, 3]
    w[0] = max(w[0], 1)
    tree = cart(table[:, :2], table[:, 2].astype(int) + 1, criterion=criterion, sample_weight=w * unit)
    importances = tree.feature_importances
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1.0, rel=1e-12) or not importances.any()
