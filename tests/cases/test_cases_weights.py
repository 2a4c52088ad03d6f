"""Cases about weights: C06 C09 C34 C36 C38."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bristlecone as bc
from bristlecone.grow import cart

CONSTANTS = [1, 0.1, 0.222222, 1 / 3, 1e-3, 0.7, 3]
CRITERIA = ["gini", "entropy", "sqrt", "gain_ratio", "squared_error", "absolute_error", "poisson"]


@st.composite
def _small_tables(draw, max_rows=25):
    """(X, y): two columns of small integers with gaps, targets of small positive integers: many exact ties."""
    rows = draw(
        st.lists(
            st.tuples(st.one_of(st.none(), st.integers(0, 5)), st.integers(0, 3), st.integers(0, 4)),
            min_size=3,
            max_size=max_rows,
        )
    )
    table = np.array(rows, dtype=float)
    return table[:, :2], table[:, 2].astype(int) + 1


# C06 constant weights are no weights


@pytest.mark.parametrize("weight", CONSTANTS)
def test_c06_an_exact_tie_under_every_constant_weight(weight):
    X, y = np.arange(1.0, 7).reshape(-1, 1), [5, 1, 1, 1, 1, 5]
    model = bc.DecisionTreeRegressor(max_depth=1).fit(X, y, sample_weight=np.full(6, weight))
    assert model.tree_.threshold[0] == 1.5


@given(_small_tables(), st.sampled_from([*CONSTANTS, 1e-300, 1e300, 7e-13]), st.sampled_from(CRITERIA))
@settings(max_examples=150)
def test_c06_whole_trees_under_constant_weights(assert_same_tree, table, weight, criterion):
    X, y = table
    plain = cart(X, y, criterion=criterion)
    weighted = cart(X, y, criterion=criterion, sample_weight=np.full(len(y), weight))
    assert_same_tree(plain, weighted)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_c06_the_hidden_tie_with_fractions_in_the_target(criterion):
    """Mirror-image targets tie at every pair of mirrored thresholds, whatever rounding their decimals bring."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        half = rng.integers(0, 1000, rng.integers(2, 12)) / 1000
        y = np.concatenate([half, half[::-1]])
        X = np.arange(float(len(y))).reshape(-1, 1)
        for weight in (1.0, 0.1, 1 / 3):
            tree = cart(X, y, criterion=criterion, sample_weight=np.full(len(y), weight), max_depth=1)
            if tree.n_nodes > 1:
                assert tree.threshold[0] < len(half), (seed, weight)


@given(_small_tables(), st.sampled_from(CRITERIA), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_c06_mirrored_and_copied_columns_lose_every_tie(table, criterion, random):
    """A copy and a reversed copy of a column can only tie with it, so the lower column keeps every split."""
    X, y = table
    w = np.array([random.choice([1.0, 0.1, 0.3, 2.5]) for _ in y])
    plain = cart(X, y, criterion=criterion, sample_weight=w)
    doubled = cart(np.column_stack([X, -X[:, 0], X[:, 1]]), y, criterion=criterion, sample_weight=w)
    np.testing.assert_array_equal(plain.feature, doubled.feature)
    np.testing.assert_array_equal(plain.threshold, doubled.threshold)


# C09 the unit of the weights does not matter


@pytest.mark.parametrize("weight", [1, 1e-8, 1e-15, 1e-20, 1e-300, 1e8, 1e300, 5e-324, 1.7e308])
@pytest.mark.parametrize("estimator", [bc.DecisionTreeClassifier, bc.DecisionTreeRegressor])
def test_c09_any_scale_of_weights(weight, estimator):
    X = np.random.default_rng(1).random((30, 1))
    y = (X[:, 0] > 0.5).astype(int)
    if weight > 1e307:
        X, y = X[:1], y[:1]
        model = estimator().fit(np.vstack([X, 1 - X]), [0, 1], sample_weight=[weight, weight / 1e10])
        assert model.tree_.n_nodes == 3
        return
    model = estimator().fit(X, y, sample_weight=np.full(30, weight))
    tree = model.tree_
    assert tree.n_nodes == 3
    assert model.score(X, y) == 1.0
    assert tree.impurity[tree.children_left < 0].tolist() == [0.0, 0.0]
    assert model.feature_importances_.tolist() == [1.0]


@given(_small_tables(), st.sampled_from(CRITERIA), st.integers(-900, 900), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_c09_scaling_uneven_weights_by_a_power_of_two(assert_same_tree, table, criterion, power, random):
    X, y = table
    w = np.array([random.choice([0.0, 1.0, 0.1, 0.3, 2.5]) for _ in y])
    assume(w.sum() > 0)
    plain = cart(X, y, criterion=criterion, sample_weight=w)
    assert_same_tree(plain, cart(X, y, criterion=criterion, sample_weight=w * 2.0**power))


@given(_small_tables(), st.sampled_from(CRITERIA), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_c09_no_impurity_below_zero_and_none_in_a_pure_leaf(recount, table, criterion, random):
    X, y = table
    w = np.array([random.choice([1e-15, 1e-9, 1.0, 1e7, 0.1]) for _ in y])
    tree = cart(X, y, criterion=criterion, sample_weight=w)
    assert (tree.impurity >= 0).all()
    for leaf in np.flatnonzero(tree.children_left < 0):
        if len(np.unique(y[tree.apply(X) == leaf])) == 1:
            assert tree.impurity[leaf] == 0
    assert (tree.feature_importances >= 0).all()


# C34 limits in rows and limits in weight


def _aggregated():
    return np.array([[1.0], [1.0], [2.0], [2.0]]), np.array([0, 1, 0, 1]), np.array([30, 70, 60, 40])


def test_c34_rows_or_weight():
    X, y, w = _aggregated()
    assert cart(X, y, sample_weight=w, min_samples_split=5).n_leaves == 1
    by_weight = cart(X, y, sample_weight=w, min_weight_split=5)
    expanded = cart(np.repeat(X, w, axis=0), np.repeat(y, w), min_samples_split=5)
    assert by_weight.n_leaves == expanded.n_leaves == 2
    for tree in (by_weight, expanded):
        np.testing.assert_allclose(tree.impurity, [0.495, 0.42, 0.48], rtol=1e-14)
    assert by_weight.n_node_samples.tolist() == [4, 2, 2]
    assert expanded.n_node_samples.tolist() == [200, 100, 100]


@pytest.mark.parametrize("limit", [200, 200.5, 201])
def test_c34_the_limit_is_inclusive(limit):
    X, y, w = _aggregated()
    assert cart(X, y, sample_weight=w, min_weight_split=limit).n_leaves == (2 if limit <= 200 else 1)
    assert cart(X, y, sample_weight=w, min_weight_leaf=limit / 2).n_leaves == (2 if limit <= 200 else 1)


@given(
    _small_tables(max_rows=15),
    st.sampled_from(CRITERIA),
    st.sampled_from(
        [
            {},
            {"min_weight_split": 6},
            {"min_weight_leaf": 3},
            {"min_weight_fraction_leaf": 0.2},
            {"min_impurity_decrease": 0.03125},
            {"max_leaf_nodes": 4},
            {"max_depth": 2, "min_weight_leaf": 2},
        ]
    ),
    st.randoms(use_true_random=False),
)
@settings(max_examples=200)
def test_c34_integer_weights_are_repeated_rows(assert_same_tree, table, criterion, limits, random):
    X, y = table
    w = np.array([random.randint(0, 3) for _ in y])
    assume(w.sum() > 0)
    weighted = cart(X, y, criterion=criterion, sample_weight=w, **limits)
    repeated = cart(np.repeat(X, w, axis=0), np.repeat(y, w), criterion=criterion, **limits)
    assert_same_tree(weighted, repeated, but=("n_node_samples",))
    np.testing.assert_allclose(weighted.weighted_n_node_samples, repeated.weighted_n_node_samples, rtol=1e-12)
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


# C36 class weight times sample weight


def test_c36_the_two_factors_multiply():
    X, y, w = np.array([[0.0], [0], [0], [1], [1]]), np.array([0, 0, 1, 1, 1]), [1, 1, 1, 1, 3]
    model = bc.DecisionTreeClassifier(class_weight="balanced").fit(X, y, sample_weight=w)
    tree = model.tree_
    proba = model.predict_proba([[0.0]])[0]
    assert proba[0] == pytest.approx(0.75, rel=1e-12)
    leaf = int(model.apply([[0.0]])[0])
    np.testing.assert_allclose(tree.counts[leaf], [2.5, 5 / 6], rtol=1e-12)
    assert tree.row_counts[leaf].tolist() == [2, 1]
    other = 3 - leaf
    np.testing.assert_allclose(tree.counts[other], [0, 4 * 5 / 6], rtol=1e-12)


def test_c36_names_as_keys_and_rows_that_are_masked():
    X = np.array([[0.0], [0], [0], [1], [1], [1]])
    y = np.array(["no", "no", "yes", "yes", "yes", "yes"])
    w = [1, 1, 1, 1, 3, 0]
    balanced = bc.DecisionTreeClassifier(class_weight="balanced").fit(X, y, sample_weight=w)
    without = bc.DecisionTreeClassifier(class_weight="balanced").fit(X[:5], y[:5], sample_weight=w[:5])
    np.testing.assert_allclose(balanced.predict_proba(X), without.predict_proba(X), rtol=1e-12)
    by_name = bc.DecisionTreeClassifier(class_weight={"no": 2.0, "yes": 1.0}).fit(X[:5], y[:5])
    np.testing.assert_allclose(by_name.predict_proba([[0.0]])[0], [0.8, 0.2], rtol=1e-12)


@pytest.mark.parametrize("bad", [{"no": 1.0, "maybe": 2.0}, {"no": -1.0, "yes": 1.0}, "heavy", 3])
def test_c36_a_class_weight_that_fits_nothing_is_refused(bad):
    X, y = np.array([[0.0], [1.0]]), np.array(["no", "yes"])
    with pytest.raises((ValueError, TypeError), match="class_weight"):
        bc.DecisionTreeClassifier(class_weight=bad).fit(X, y)


# C38 zero weight means absent


def test_c38_no_threshold_between_ghosts():
    X, y = np.arange(4.0).reshape(-1, 1), [0, 0, 1, 1]
    model = bc.DecisionTreeClassifier().fit(X, y, sample_weight=[1, 1, 0, 1])
    assert model.tree_.threshold[0] == 2.0
    assert model.tree_.n_node_samples.tolist() == [3, 2, 1]


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt", "gain_ratio"])
def test_c38_a_class_of_ghosts_is_listed_and_never_likely(criterion, assert_same_tree):
    """The documented policy: classes_ does not depend on the weights, everything else does as if the row were gone."""
    X, y = np.array([[0.0], [1], [1], [2]]), np.array(["a", "b", "a", "c"])
    model = bc.DecisionTreeClassifier(criterion=criterion).fit(X, y, sample_weight=[1, 1, 1, 0])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert (model.predict_proba(X)[:, 2] == 0).all()
    without = bc.DecisionTreeClassifier(criterion=criterion).fit(X[:3], y[:3])
    assert_same_tree(model.tree_, without.tree_)
    np.testing.assert_array_equal(model.predict(X), without.predict(X))
    np.testing.assert_array_equal(model.predict_proba(X)[:, :2], without.predict_proba(X))


def test_c38_constraints_count_a_class_of_ghosts():
    """The tree lists three classes, so "more of class 1" is not said by one probability."""
    X, y = np.array([[0.0], [1], [2], [3], [4]]), np.array([0, 1, 0, 1, 2])
    with pytest.raises(ValueError, match="monotonic_cst needs two classes"):
        cart(X, y, sample_weight=[1, 1, 1, 1, 0], monotonic_cst=[1])


def test_c38_a_class_of_ghosts_leaves_two_classes():
    """What is exact for two classes stays so beside a class without weight."""
    rng = np.random.default_rng(38)
    levels, y = rng.integers(0, 40, 400), rng.integers(0, 2, 400)
    y[0] = 2
    w = np.ones(400)
    w[0] = 0
    tree = cart(levels.reshape(-1, 1), y, sample_weight=w, categorical_features=[0], max_depth=1)
    assert tree.heuristic[0] == 0


def test_c38_a_level_of_ghosts_is_unseen():
    X = pd.DataFrame({"c": ["a", "b", "z"]})
    tree = cart(X, np.array([0, 1, 1]), sample_weight=[1, 1, 0])
    assert tree.predict_proba(X)[2].tolist() == [0.5, 0.5]
    assert tree.route(X).n_unseen == 1


@given(
    _small_tables(),
    st.sampled_from(CRITERIA),
    st.sampled_from(
        [{}, {"min_samples_leaf": 3}, {"min_samples_split": 5}, {"min_samples_leaf": 0.2}, {"max_leaf_nodes": 3}]
    ),
    st.randoms(use_true_random=False),
)
@settings(max_examples=150)
def test_c38_masked_is_removed_under_every_limit(assert_same_tree, table, criterion, limits, random):
    X, y = table
    w = np.array([random.choice([0.0, 0.0, 1.0, 0.7]) for _ in y])
    assume(w.sum() > 0)
    keep = w > 0
    masked = cart(X, y, criterion=criterion, sample_weight=w, **limits)
    removed = cart(X[keep], y[keep], criterion=criterion, sample_weight=w[keep], **limits)
    assert_same_tree(masked, removed)


@pytest.mark.parametrize("estimator", [bc.DecisionTreeClassifier, bc.DecisionTreeRegressor])
@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([0, 0, 0, 0], "zero|positive|weight"),
        ([-1, 1, 1, 1], "negative|-1"),
        ([1, np.nan, 1, 1], "NaN|nan|missing"),
        ([1, 1, np.inf, 1], "inf"),
        ([1, 1, 1], "3|4"),
        ([[1, 1, 1, 1]], "1-?D|dim|shape"),
    ],
    ids=["all_zero", "negative", "nan", "inf", "short", "matrix"],
)
def test_c38_weights_that_mean_nothing_are_refused(estimator, weights, said):
    X, y = np.arange(4.0).reshape(-1, 1), [0, 0, 1, 1]
    with pytest.raises((ValueError, TypeError), match=said) as caught:
        estimator().fit(X, y, sample_weight=weights)
    assert re.search("weight", str(caught.value))
    with pytest.raises((ValueError, TypeError), match="weight"):
        cart(X, np.array(y), sample_weight=weights)
