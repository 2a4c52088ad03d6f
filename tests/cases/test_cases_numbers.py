"""Cases about numbers: C01 C02 C03 C05 C07. A value is a double from end to end and only its order matters."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bristlecone as bc
from bristlecone.grow import cart

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)


def _accuracy(tree, X, y):
    return float(np.mean(tree.predict(X) == np.asarray(y)))


# C01 distinct doubles are distinct values

NEIGHBOURS = {
    "tiny_gap": ([0.0, 1e-8], [0, 1]),
    "above_2_to_24": ([16777216.0, 16777217.0], [0, 1]),
    "date_like": ([20240131.0, 20240132.0], [1, 0]),
}


@pytest.mark.parametrize("case", NEIGHBOURS)
@pytest.mark.parametrize("estimator", [bc.DecisionTreeClassifier, bc.DecisionTreeRegressor])
def test_c01_neighbouring_doubles_get_two_leaves(case, estimator):
    values, y = NEIGHBOURS[case]
    X = np.array(values).reshape(-1, 1)
    model = estimator().fit(X, y)
    assert model.get_n_leaves() == 2
    assert model.score(X, y) == 1.0
    low, high = sorted(values)
    assert low < model.tree_.threshold[0] <= high


@given(FINITE, FINITE)
def test_c01_any_two_distinct_doubles_are_told_apart(a, b):
    assume(a != b)
    X = np.array([[a], [b]])
    tree = cart(X, np.array([0, 1]))
    assert tree.n_leaves == 2
    assert min(a, b) < tree.threshold[0] <= max(a, b)
    assert tree.predict(X).tolist() == [0, 1]


@given(st.lists(st.integers(0, 2**62), min_size=2, max_size=12, unique=True), st.sampled_from([1, -1]))
def test_c01_adjacent_doubles_in_a_crowd(bits, sign):
    """Doubles picked by their bits, some of them neighbours at any magnitude, each with its own number to learn."""
    values = sign * np.array([bits[0], bits[0] + 1, *bits[1:]], dtype=np.int64).view(np.float64)
    values = np.unique(values[np.isfinite(values)])
    assume(len(values) > 1)
    y = np.arange(len(values), dtype=float)
    tree = cart(values.reshape(-1, 1), y, criterion="squared_error")
    assert tree.n_leaves == len(values)
    np.testing.assert_array_equal(tree.predict(values.reshape(-1, 1)), y)


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64])
def test_c01_every_number_type_keeps_its_values(dtype):
    top = 2**24 - 2 if dtype is np.float32 else 2**24
    X = np.array([[top], [top + 1], [top + 2]], dtype=dtype)
    tree = cart(X, np.array(["a", "b", "a"]))
    assert tree.predict(X).tolist() == ["a", "b", "a"]
    assert sorted(tree.threshold[tree.feature >= 0]) == [top + 0.5, top + 1.5]


def test_c01_below_the_root_beside_a_coarse_column():
    rng = np.random.default_rng(0)
    group = np.repeat([0.0, 1.0], 50)
    fine = 1e9 + rng.permutation(100) * 1e-6
    y = np.where(group == 0, 0, 1 + (fine > np.median(fine)))
    X = np.column_stack([group, fine])
    tree = cart(X, y)
    assert _accuracy(tree, X, y) == 1.0
    assert tree.n_leaves == 3


def test_c01_microseconds_of_a_datetime_column():
    when = pd.to_datetime(["2026-03-29 01:59:59.999999", "2026-03-29 02:00:00.000000"])
    tree = cart(pd.DataFrame({"when": when}), np.array([0, 1]))
    assert tree.n_leaves == 2


@pytest.mark.parametrize("as_frame", [False, True])
def test_c01_integers_beyond_doubles_are_never_merged(as_frame):
    values = np.array([2**53, 2**53 + 1], dtype=np.int64)
    X = pd.DataFrame({"account": values}) if as_frame else values.reshape(-1, 1)
    try:
        tree = cart(X, np.array([0, 1]))
    except ValueError as error:
        message = str(error)
        assert ("account" if as_frame else "x0") in message
        assert "9007199254740993" in message or "2**53" in message or "2^53" in message
    else:
        assert tree.predict(X).tolist() == [0, 1]


# C02 the printed threshold, fed back, goes where the rule says


def test_c02_a_query_equal_to_the_threshold_goes_right():
    wrong = 0
    for seed in range(1000):
        X = np.random.default_rng(seed).random((2, 1))
        model = bc.DecisionTreeClassifier().fit(X, [0, 1])
        tree = model.tree_
        right = int(tree.children_right[0])
        wrong += int(model.apply([[tree.threshold[0]]])[0] != right)
        wrong += int(model.apply([[math.nextafter(tree.threshold[0], -math.inf)]])[0] != tree.children_left[0])
    assert wrong == 0


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_c02_every_threshold_and_its_neighbours_in_deep_trees(dtype, paths):
    rng = np.random.default_rng(2)
    X = rng.random((300, 3)).astype(dtype)
    y = rng.integers(0, 3, 300)
    tree = cart(X, y)
    queries = []
    for node in np.flatnonzero(tree.feature >= 0):
        t = tree.threshold[node]
        for value in (np.nextafter(t, -np.inf), t, np.nextafter(t, np.inf), np.float64(np.float32(t))):
            row = X[node % len(X)].astype(np.float64)
            row[tree.feature[node]] = value
            queries.append(row)
    queries = np.array(queries)
    assert tree.apply(queries).tolist() == [path[-1] for path in paths(tree, queries)]
    narrow = queries.astype(np.float32)
    assert tree.apply(narrow).tolist() == [path[-1] for path in paths(tree, narrow.astype(np.float64))]


def test_c02_the_frame_and_the_array_walk_alike():
    rng = np.random.default_rng(5)
    X = rng.random((80, 2))
    y = X[:, 0] * X[:, 1]
    model = bc.DecisionTreeRegressor().fit(X, y)
    at_thresholds = np.column_stack([model.tree_.threshold[model.tree_.feature >= 0]] * 2)
    frame = pd.DataFrame(at_thresholds, columns=["x0", "x1"])
    np.testing.assert_array_equal(model.tree_.apply(at_thresholds), model.tree_.apply(frame))


# C03 only order matters


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt", "gain_ratio"])
def test_c03_rescaling_a_column_keeps_the_leaves(criterion, same_partition):
    for seed in range(50):
        X = np.random.default_rng(seed).integers(0, 100, (200, 2)) / 10
        y = np.random.default_rng(seed + 1).integers(0, 3, 200)
        leaves = cart(X, y, criterion=criterion).apply(X)
        for scaled in (3.7 * X - 11, np.exp(X / 10)):
            assert same_partition(leaves, cart(scaled, y, criterion=criterion).apply(scaled)), seed


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_c03_in_regression_with_weights_and_missing(criterion, same_partition):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 40, (120, 3)) / 10
        X[rng.random(X.shape) < 0.15] = np.nan
        y = rng.integers(0, 9, 120) / 4
        w = rng.integers(0, 4, 120)
        leaves = cart(X, y, criterion=criterion, sample_weight=w).apply(X)
        for scaled in (1e5 * X + 7, np.exp(X), X**3, X.astype(np.float32).astype(np.float64)):
            tree = cart(scaled, y, criterion=criterion, sample_weight=w)
            assert same_partition(leaves[w > 0], tree.apply(scaled)[w > 0]), seed


@given(
    st.lists(st.integers(0, 7), min_size=4, max_size=40),
    st.lists(FINITE, min_size=8, max_size=8, unique=True),
    st.integers(0, 10**6),
)
@settings(max_examples=60)
def test_c03_any_increasing_map(ranks, ladder, seed):
    ladder = np.unique(np.array(ladder))
    assume(len(ladder) == 8)
    y = np.random.default_rng(seed).integers(0, 3, len(ranks))
    plain = np.array(ranks, dtype=float).reshape(-1, 1)
    mapped = ladder[np.array(ranks)].reshape(-1, 1)
    one, other = cart(plain, y), cart(mapped, y)
    np.testing.assert_array_equal(one.apply(plain), other.apply(mapped))
    np.testing.assert_array_equal(one.impurity, other.impurity)


@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.int64, np.uint8])
def test_c03_the_type_of_the_column_does_not_matter(dtype, assert_same_tree):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 50, (150, 4))
    y = rng.integers(0, 4, 150)
    assert_same_tree(cart(X.astype(float), y), cart(X.astype(dtype), y))


# C05 huge magnitudes and infinities


def test_c05_the_midpoint_of_huge_values_is_finite():
    X = np.array([[1.6e308], [1.7e308]])
    model = bc.DecisionTreeClassifier().fit(X, [0, 1])
    assert model.tree_.threshold[0] == pytest.approx(1.65e308, rel=1e-15)
    assert model.score(X, [0, 1]) == 1.0


@given(st.lists(st.floats(min_value=1e308, max_value=1.7976931348623157e308), min_size=2, max_size=8, unique=True))
def test_c05_no_midpoint_overflows(values):
    X = np.array([values + [-v for v in values]]).T
    y = np.arange(len(X))
    tree = cart(X, y)
    inner = tree.feature >= 0
    assert np.isfinite(tree.threshold[inner]).all()
    assert tree.predict(X).tolist() == y.tolist()


@pytest.mark.parametrize(
    ("values", "y"), [([0.0, 1.0, np.inf], [0, 0, 1]), ([-np.inf, 0.0], [0, 1])], ids=["inf", "minus_inf"]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("named", [False, True])
def test_c05_infinite_inputs_are_refused_by_column_and_row(values, y, dtype, named):
    X = np.array(values, dtype=dtype).reshape(-1, 1)
    X = np.column_stack([np.zeros(len(values), dtype=dtype), X])
    bad_row = int(np.flatnonzero(np.isinf(X[:, 1]))[0])
    if named:
        X = pd.DataFrame(X, columns=["a", "waiting time"])
    with pytest.raises(ValueError, match=r"(?i)inf") as caught:
        bc.DecisionTreeClassifier().fit(X, y)
    assert ("waiting time" if named else "x1") in str(caught.value)
    assert re.search(rf"row {bad_row}\b", str(caught.value))


def test_c05_infinite_queries_are_refused_or_walk_by_the_rule():
    model = bc.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    for query, answer in ((np.inf, 1), (-np.inf, 0)):
        try:
            assert model.predict([[query]]).tolist() == [answer]
        except ValueError as error:
            assert "x0" in str(error)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_c05_a_target_that_is_no_number_is_refused(bad):
    X = np.arange(4.0).reshape(-1, 1)
    y = np.array([1.0, 2.0, bad, 4.0])
    with pytest.raises(ValueError, match=r"(?i)y|target"):
        bc.DecisionTreeRegressor().fit(X, y)
    with pytest.raises(ValueError, match=r"(?i)row 2|y"):
        cart(X, y, criterion="squared_error")


# C07 small and large targets


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-6, 1e-8, 1e-12, 1e-150, 1e12, 1e150])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_c07_the_unit_of_the_target_does_not_matter(scale, criterion):
    X = np.arange(10.0).reshape(-1, 1)
    y = scale * np.repeat([1.0, 3.0] if criterion == "poisson" else [0.0, 1.0], 5)
    model = bc.DecisionTreeRegressor(criterion=criterion).fit(X, y)
    tree = model.tree_
    assert tree.n_nodes == 3
    assert tree.threshold[0] == 4.5
    assert tree.impurity[1:].tolist() == [0.0, 0.0]
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_c07_scaling_by_a_power_of_two_scales_the_whole_tree(criterion, assert_same_tree):
    rng = np.random.default_rng(7)
    X = rng.integers(0, 12, (100, 3)).astype(float)
    y = rng.random(100)
    tree = cart(X, y, criterion=criterion)
    for power in (-300, -40, 40, 300):
        scale = 2.0**power
        scaled = cart(X, y * scale, criterion=criterion)
        assert_same_tree(tree, scaled, but=("impurity", "prediction"))
        np.testing.assert_allclose(scaled.prediction, tree.prediction * scale, rtol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e3, -1e6, 1e9])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_c07_an_offset_of_the_target_does_not_matter(offset, criterion):
    """Small differences on a high level: a variance taken from raw sums of squares is rounding noise here."""
    X = np.arange(10.0).reshape(-1, 1)
    y = offset + np.repeat([0.0, 2.0**-10], 5)
    tree = cart(X, y, criterion=criterion)
    assert tree.n_nodes == 3
    assert tree.threshold[0] == 4.5
    np.testing.assert_array_equal(tree.predict(X), y)


def test_c07_subtle_differences_far_from_zero_find_the_best_split():
    rng = np.random.default_rng(1)
    X = rng.random((200, 1))
    small = np.where(X[:, 0] > 0.3, 1.0, 0.0) + 0.1 * rng.standard_normal(200)
    plain = cart(X, small, criterion="squared_error", max_depth=1)
    raised = cart(X, 1e6 + small * 2.0**-10, criterion="squared_error", max_depth=1)
    assert raised.threshold[0] == plain.threshold[0]


@pytest.mark.parametrize("offset", [1e-6, 1.0, 1e3, 1e9])
def test_c07_poisson_rates_that_differ_little(offset):
    """Logarithms of nearly equal means cancel: the gain has to be taken relative to the mean."""
    X = np.arange(10.0).reshape(-1, 1)
    y = offset * (1 + np.repeat([0.0, 2.0**-27], 5))
    tree = cart(X, y, criterion="poisson")
    assert tree.threshold[0] == 4.5
    assert tree.n_nodes == 3
    np.testing.assert_array_equal(tree.predict(X), y)


@pytest.mark.parametrize("offset", [0.0, 1.0, 1e3, -1e6, 2.0**40])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_c07_an_offset_leaves_every_impurity_as_it_was(offset, criterion):
    rng = np.random.default_rng(8)
    X = rng.integers(0, 9, (60, 2)).astype(float)
    small = rng.integers(0, 16, 60) * 2.0**-10
    w = rng.integers(1, 4, 60)
    plain = cart(X, small, criterion=criterion, sample_weight=w)
    raised = cart(X, offset + small, criterion=criterion, sample_weight=w)
    np.testing.assert_array_equal(plain.feature, raised.feature)
    np.testing.assert_array_equal(plain.threshold, raised.threshold)
    np.testing.assert_allclose(raised.impurity, plain.impurity, rtol=1e-10, atol=1e-12 * plain.impurity[0])


@pytest.mark.parametrize("criterion", ["squared_error", "poisson", "absolute_error"])
def test_c07_the_unit_does_not_reorder_levels_of_equal_mean(criterion, same_partition):
    codes = np.array([0, 1, 1, 2, 3, 3, 4]).reshape(-1, 1)
    y = np.array([4.0, 3, 3, 3, 4, 2, 3])
    leaves = cart(codes, y, criterion=criterion, categorical_features=[0]).apply(codes)
    for unit in (0.1, 1 / 3, 1e-6, 7e100):
        scaled = cart(codes, unit * y, criterion=criterion, categorical_features=[0])
        assert same_partition(leaves, scaled.apply(codes)), unit


def test_c07_dollars_or_cents(same_partition):
    """Hidden ties deep below a wide range of targets: what is equal in cents is equal in dollars."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 30, (4000, 3)).astype(float)
        cents = rng.integers(0, 5, 4000) + np.where(X[:, 0] > 15, 1000.0, 0.0)
        whole = cart(X, cents, criterion="squared_error")
        decimal = cart(X, cents / 100, criterion="squared_error")
        assert same_partition(whole.apply(X), decimal.apply(X)), seed
