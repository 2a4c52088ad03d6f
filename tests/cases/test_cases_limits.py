"""Cases about when to stop and which of equals to take: C41 (growth) C46 C48 C49 C50."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

import bristlecone as bc
from bristlecone.grow import cart

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
XOR_Y = np.array([0, 1, 1, 0])


def _children(tree):
    inner = np.flatnonzero(tree.children_left >= 0)
    return inner, tree.children_left[inner], tree.children_right[inner]


# C41 and C48 a first split that gains nothing


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt", "gain_ratio"])
@pytest.mark.parametrize("copies", [1, 25])
def test_c48_xor_is_learned(criterion, copies):
    X, y = np.repeat(XOR, copies, axis=0), np.repeat(XOR_Y, copies)
    model = bc.DecisionTreeClassifier(criterion=criterion).fit(X, y)
    assert model.get_n_leaves() == 4
    assert model.score(X, y) == 1.0
    assert model.tree_.feature[0] == 0


def test_c48_asking_for_any_gain_stops_at_the_root():
    X, y = np.repeat(XOR, 25, axis=0), np.repeat(XOR_Y, 25)
    for options in ({"min_impurity_decrease": 1e-9}, {"zero_gain": "stop"}):
        model = bc.DecisionTreeClassifier(**options).fit(X, y)
        assert model.get_n_leaves() == 1
        assert model.score(X, y) == 0.5


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_c48_xor_as_regression(criterion):
    model = bc.DecisionTreeRegressor(criterion=criterion).fit(np.repeat(XOR, 25, axis=0), np.repeat(XOR_Y + 1, 25))
    assert model.get_n_leaves() == 4
    assert model.predict(XOR).tolist() == (XOR_Y + 1).tolist()


@pytest.mark.parametrize("bits", [3, 4, 6])
def test_c48_parity_of_many_bits_with_categories_and_weights(bits):
    X = np.array(list(itertools.product([0, 1], repeat=bits)))
    y = X.sum(axis=1) % 2
    named = pd.DataFrame({f"b{i}": np.where(X[:, i] == 1, "on", "off") for i in range(bits)})
    for table in (X, named, X.astype(bool)):
        tree = cart(table, y, sample_weight=np.full(len(y), 0.1))
        assert tree.n_leaves == 2**bits
        assert tree.predict(table).tolist() == y.tolist()


def test_c48_the_gain_is_measured_times_the_share_of_the_node():
    """The second split frees 5 of 20 rows of a node of impurity 0.5 (half the weight): decrease 20/40 * (1/2 - ...)."""
    X = np.array([[0.0, 0.0]] * 20 + [[1.0, 0.0]] * 10 + [[1.0, 1.0]] * 10)
    y = np.array([0] * 20 + [1] * 10 + [2] * 10)
    second = 20 / 40 * 0.5
    assert cart(X, y, min_impurity_decrease=second).n_leaves == 3
    assert cart(X, y, min_impurity_decrease=second * (1 + 1e-9)).n_leaves == 2
    w = np.where(y == 0, 4.0, 1.0)
    assert cart(X, y, sample_weight=w, min_impurity_decrease=20 / 100 * 0.5).n_leaves == 3
    assert cart(X, y, sample_weight=w, min_impurity_decrease=20 / 100 * 0.5 + 1e-9).n_leaves == 2


def test_c48_an_impure_node_without_any_split_is_a_leaf():
    tree = cart(np.ones((4, 2)), np.array([0, 1, 0, 1]))
    assert tree.n_nodes == 1
    assert tree.predict_proba(np.ones((1, 2))).tolist() == [[0.5, 0.5]]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1)), min_size=2, max_size=20))
@settings(max_examples=80)
def test_c48_full_growth_reaches_the_least_possible_error(rows):
    table = np.array(rows)
    X, y = table[:, :2], table[:, 2]
    tree = cart(X, y)
    wrong = int(np.sum(tree.predict(X) != y))
    cells = [y[(cell == X).all(axis=1)] for cell in np.unique(X, axis=0)]
    assert wrong == sum(min(int(np.sum(cell)), int(np.sum(1 - cell))) for cell in cells)


# C46 both limits hold


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("leaves", [2, 3, 5, 100])
def test_c46_depth_and_leaves_together(depth, leaves):
    X, y = load_iris(return_X_y=True)
    model = bc.DecisionTreeClassifier(max_depth=depth, max_leaf_nodes=leaves).fit(X, y)
    assert model.get_depth() <= depth
    assert model.get_n_leaves() <= leaves
    if (depth, leaves) == (1, 100):
        assert (model.get_depth(), model.get_n_leaves()) == (1, 2)
    unlimited = bc.DecisionTreeClassifier(max_depth=depth).fit(X, y)
    if unlimited.get_n_leaves() <= leaves:
        assert model.get_n_leaves() == unlimited.get_n_leaves()
        np.testing.assert_array_equal(model.predict(X), unlimited.predict(X))


def test_c46_depth_zero_is_a_leaf():
    X, y = load_iris(return_X_y=True)
    for options in ({"max_depth": 0}, {"max_depth": 0, "max_leaf_nodes": 100}):
        try:
            tree = cart(X, y, **options)
        except ValueError as error:
            assert "max_depth" in str(error)
        else:
            assert (tree.max_depth, tree.n_leaves) == (0, 1)


@pytest.mark.parametrize("criterion", ["gini", "gain_ratio", "squared_error", "absolute_error", "poisson"])
def test_c46_best_first_without_a_binding_limit_is_depth_first(criterion, assert_same_tree):
    rng = np.random.default_rng(46)
    X = rng.integers(0, 9, (150, 3)).astype(float)
    y = rng.integers(0, 4, 150)
    depth_first = cart(X, y, criterion=criterion, min_samples_leaf=4)
    best_first = cart(X, y, criterion=criterion, min_samples_leaf=4, max_leaf_nodes=1000)
    assert_same_tree(depth_first, best_first)


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_c46_best_first_takes_the_largest_decrease_each_time(criterion):
    """Trees of k and k+1 leaves are nested, and the added split is the best one still open."""
    rng = np.random.default_rng(7)
    X = rng.random((200, 3))
    y = rng.integers(0, 3, 200)
    full = cart(X, y, criterion=criterion)
    decrease = [
        full.weighted_n_node_samples[v] * full.impurity[v]
        - full.weighted_n_node_samples[a] * full.impurity[a]
        - full.weighted_n_node_samples[b] * full.impurity[b]
        for v, a, b in zip(*_children(full), strict=True)
    ]
    worth = dict(zip(_children(full)[0].tolist(), decrease, strict=True))
    is_open, splits = {0}, set()
    for leaves in range(2, 25):
        best = max((worth[v] for v in is_open if v in worth), default=None)
        chosen = min(v for v in is_open if v in worth and worth[v] >= best - 1e-9)
        is_open.remove(chosen)
        is_open |= {int(full.children_left[chosen]), int(full.children_right[chosen])}
        splits.add((int(full.feature[chosen]), float(full.threshold[chosen])))
        tree = cart(X, y, criterion=criterion, max_leaf_nodes=leaves)
        assert tree.n_leaves == leaves
        assert {(int(tree.feature[v]), float(tree.threshold[v])) for v in _children(tree)[0]} == splits


# C49 pure nodes are leaves and no child is empty


@pytest.mark.parametrize("options", [{}, {"max_depth": 10}, {"max_leaf_nodes": 10}, {"min_samples_leaf": 10}])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt", "gain_ratio"])
def test_c49_one_split_is_enough(options, criterion):
    X = np.arange(20.0).reshape(-1, 1)
    y = (X[:, 0] >= 10).astype(int)
    model = bc.DecisionTreeClassifier(criterion=criterion, **options).fit(X, y)
    assert model.tree_.n_nodes == 3
    assert model.tree_.threshold[0] == 9.5
    assert model.score(X, y) == 1.0


@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.integers(0, 3)), st.integers(0, 3), st.integers(0, 2), st.integers(1, 3)),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from(["gini", "entropy", "sqrt", "gain_ratio", "squared_error", "absolute_error", "poisson"]),
    st.sampled_from([None, 3, 8]),
)
@settings(max_examples=150)
def test_c49_in_random_trees(rows, criterion, leaves):
    table = np.array(rows, dtype=float)
    y = table[:, 2].astype(int) + 1
    tree = cart(table[:, :2], y, criterion=criterion, sample_weight=table[:, 3], max_leaf_nodes=leaves)
    inner, left, right = _children(tree)
    assert (tree.n_node_samples > 0).all()
    assert (tree.impurity[inner] > 0).all()
    np.testing.assert_array_equal(tree.n_node_samples[inner], tree.n_node_samples[left] + tree.n_node_samples[right])
    if leaves is None:
        ends = tree.apply(table[:, :2])
        for leaf in np.unique(ends):
            mine = ends == leaf
            same_row = len({str(row) for row in table[mine, :2]}) == 1
            assert same_row or len(set(y[mine])) == 1


# C50 same data, same tree


def test_c50_identical_columns():
    x = np.random.RandomState(0).rand(100)
    X, y = np.column_stack([x, x]), (x > 0.5).astype(int)
    for seed in [None, *range(20)]:
        model = bc.DecisionTreeClassifier()
        if "random_state" in model.get_params():
            model.set_params(random_state=seed)
        model.fit(X, y)
        assert set(model.tree_.feature[model.tree_.feature >= 0]) == {0}


def test_c50_the_tie_is_in_the_report():
    x = np.random.RandomState(0).rand(100)
    tree = cart(np.column_stack([x, x]), (x > 0.5).astype(int), n_runners=1)
    feature, threshold, _, gain = tree.runners[0][0]
    assert (feature, threshold) == (1, tree.threshold[0])
    assert gain == pytest.approx(tree.gain(0), rel=1e-12)


@pytest.mark.parametrize(
    "criterion", ["gini", "entropy", "sqrt", "gain_ratio", "squared_error", "absolute_error", "poisson"]
)
def test_c50_row_order_never_matters(criterion, assert_same_tree):
    rng = np.random.default_rng(50)
    X = rng.integers(0, 8, (120, 4)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 3, 120) if criterion in ("gini", "entropy", "sqrt", "gain_ratio") else rng.random(120).round(2)
    w = rng.random(120).round(1) + 0.1
    tree = cart(X, y, criterion=criterion, sample_weight=w)
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(120)
        assert_same_tree(tree, cart(X[order], y[order], criterion=criterion, sample_weight=w[order]))


def test_c50_row_order_with_categories(assert_same_tree):
    rng = np.random.default_rng(51)
    X = pd.DataFrame(
        {"c": rng.choice(list("pqrstu"), 200), "d": rng.choice(list("xyz"), 200), "n": rng.integers(0, 9, 200)}
    )
    y = rng.integers(0, 4, 200)
    tree = cart(X, y, max_depth=6)
    for seed in range(10):
        order = np.random.default_rng(seed).permutation(200)
        assert_same_tree(tree, cart(X.iloc[order], y[order], max_depth=6))


@pytest.mark.parametrize("criterion", ["gini", "squared_error", "absolute_error"])
def test_c50_any_number_of_threads(criterion, assert_identical_tree):
    rng = np.random.default_rng(52)
    X = rng.integers(0, 50, (3000, 7)).astype(float)
    y = rng.integers(0, 5, 3000)
    one = cart(X, y, criterion=criterion, n_jobs=1)
    for n_jobs in (2, 5, -1):
        assert_identical_tree(one, cart(X, y, criterion=criterion, n_jobs=n_jobs))


def test_c50_the_estimator_fits_twice_the_same(assert_identical_tree):
    X, y = load_iris(return_X_y=True)
    model = bc.DecisionTreeClassifier()
    first = model.fit(X, y).tree_
    assert_identical_tree(first, model.fit(X, y).tree_)
