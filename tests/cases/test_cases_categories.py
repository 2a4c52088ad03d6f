"""Cases about categories: C24 C26 C27 C28 C30 C31."""

import itertools
import math
import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bristlecone as bc
from bristlecone.grow import cart

SHOPS = ["a"] * 4 + ["b"] * 4 + ["d"] * 4
ANSWERS = ["p"] * 4 + ["q"] * 4 + ["p"] * 4


def _frame(library, **columns):
    if library == "pandas category":
        return pd.DataFrame({name: pd.Series(values, dtype="category") for name, values in columns.items()})
    if library == "polars":
        return pl.DataFrame(columns)
    return pd.DataFrame(columns)


def _split_loss(impurity, criterion, y, w, left):
    """Return the weighted impurity of the two sides, which a best split minimises."""
    return math.fsum(
        w[side].sum() * impurity(criterion, y[side], w[side]) for side in (left, ~left) if w[side].sum() > 0
    )


def _best_bipartition(impurity, criterion, levels, y, w):
    present = sorted(set(levels.tolist()))
    best = math.inf
    for size in range(1, len(present)):
        for chosen in itertools.combinations(present, size):
            best = min(best, _split_loss(impurity, criterion, y, w, np.isin(levels, chosen)))
    return best


def _chosen(tree, X):
    """Return which rows the root sends left."""
    return tree.apply(X) == tree.children_left[0]


# C24 a level never seen in training


@pytest.mark.parametrize("library", ["pandas", "pandas category", "polars"])
def test_c24_the_walk_stops_and_answers_with_the_node(library):
    model = bc.DecisionTreeClassifier().fit(_frame(library, shop=SHOPS), ANSWERS)
    proba = model.predict_proba(_frame(library, shop=["z", "a", "b"]))
    np.testing.assert_allclose(proba, [[8 / 12, 4 / 12], [1, 0], [0, 1]], rtol=1e-15)
    assert model.predict(_frame(library, shop=["z"])).tolist() == ["p"]


def test_c24_unseen_is_counted_and_is_not_missing():
    tree = cart(_frame("pandas", shop=SHOPS), np.array(ANSWERS))
    query = pd.DataFrame({"shop": ["z", None, "y", "a"]})
    routing = tree.route(query)
    assert routing.n_unseen == 2
    assert tree.apply(query).tolist()[0] == 0
    np.testing.assert_allclose(tree.predict_proba(query)[1], [1.0, 0.0])


def test_c24_unseen_heavier_and_error():
    X, y = _frame("pandas", shop=SHOPS), np.array(ANSWERS)
    query = pd.DataFrame({"shop": ["a", "z"]})
    assert cart(X, y, unseen="heavier").predict_proba(query)[1].tolist() == [1.0, 0.0]
    with pytest.raises(ValueError, match="shop") as caught:
        cart(X, y, unseen="error").predict(query)
    assert "row 1" in str(caught.value)


def test_c24_the_rule_survives_the_file(tmp_path):
    X, y = _frame("pandas", shop=SHOPS), np.array(ANSWERS)
    query = pd.DataFrame({"shop": ["z"]})
    for rule in ("stop", "heavier"):
        model = bc.DecisionTreeClassifier(unseen=rule).fit(X, y)
        bc.save(model, tmp_path / "m.json")
        np.testing.assert_array_equal(bc.load(tmp_path / "m.json").predict_proba(query), model.predict_proba(query))


def test_c24_a_level_absent_at_a_deeper_node_stops_there():
    """Level c exists in training, but only on the other side of the root: below it is as unknown as a new one."""
    X = pd.DataFrame({"side": [0] * 10 + [1] * 4, "shop": ["a"] * 3 + ["b"] * 7 + ["c"] * 4})
    y = np.array([1.0] * 3 + [2.0] * 7 + [50.0] * 4)
    tree = cart(X, y, criterion="squared_error")
    assert tree.feature[0] == 0
    query = pd.DataFrame({"side": [0, 0], "shop": ["c", "never"]})
    np.testing.assert_allclose(tree.predict(query), [1.7, 1.7], rtol=1e-15)
    assert tree.route(query).n_unseen == 2


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_c24_regression_stops_at_the_node_value(criterion):
    X = _frame("pandas", shop=SHOPS)
    tree = cart(X, np.repeat([1.0, 5.0, 1.0], 4), criterion=criterion)
    answer = tree.predict(pd.DataFrame({"shop": ["z"]}))[0]
    assert answer == (1.0 if criterion == "absolute_error" else pytest.approx(7 / 3))


# C26 codes are names


def test_c26_negative_and_spread_codes():
    codes = np.array([-3, 0, 15, 50] * 5)
    y = np.isin(codes, [-3, 15]).astype(int)
    model = bc.DecisionTreeClassifier(categorical_features=[0]).fit(codes.reshape(-1, 1), y)
    assert model.score(codes.reshape(-1, 1), y) == 1.0
    names = pd.DataFrame({"x0": pd.Series(codes).map({-3: "w", 0: "x", 15: "y", 50: "z"})})
    named = bc.DecisionTreeClassifier().fit(names, y)
    np.testing.assert_array_equal(model.predict(codes.reshape(-1, 1)), named.predict(names))
    assert model.get_n_leaves() == named.get_n_leaves() == 2


def test_c26_minus_three_is_not_missing():
    codes = np.array([[-3.0], [-1.0], [-2.0], [4.0], [np.nan]] * 4)
    y = np.array([0, 1, 2, 3, 4] * 4)
    tree = cart(codes, y, categorical_features=[0])
    np.testing.assert_array_equal(tree.predict(codes), y)


@given(
    st.lists(st.integers(-(2**70), 2**70), min_size=5, max_size=5, unique=True),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=3, max_size=30),
)
@settings(max_examples=40)
def test_c26_order_preserving_names_change_nothing(assert_same_tree, names, rows):
    names = sorted(names)
    codes = np.array([code for code, _ in rows])
    y = np.array([label for _, label in rows])
    plain = pd.DataFrame({"c": codes})
    renamed = pd.DataFrame({"c": np.array([names[code] for code in codes], dtype=object)})
    one = cart(plain, y, categorical_features=["c"])
    other = cart(renamed, y, categorical_features=["c"])
    assert_same_tree(one, other)
    np.testing.assert_array_equal(one.predict(plain), other.predict(renamed))


@given(
    st.permutations(list("uvwxyz")), st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), min_size=2, max_size=40)
)
@settings(max_examples=40)
def test_c26_any_names_give_the_same_answers_at_full_growth(names, rows):
    codes = np.array([code for code, _ in rows])
    y = np.array([label for _, label in rows])
    plain = pd.DataFrame({"c": [list("uvwxyz")[code] for code in codes]})
    renamed = pd.DataFrame({"c": [names[code] for code in codes]})
    one, other = cart(plain, y), cart(renamed, y)
    np.testing.assert_allclose(one.predict_proba(plain), other.predict_proba(renamed), rtol=1e-12)


def test_c26_levels_of_every_scalar_type():
    for levels in ([True, False], [1.5, -2.5], [10**15, 10**15 + 1], ["", "0"], ["é", "e\u0301"]):
        column = np.array(levels * 3, dtype=object)
        tree = cart(pd.DataFrame({"c": column}), np.array(["l", "r"] * 3), categorical_features=["c"])
        assert tree.n_leaves == 2, levels
        assert tree.predict(pd.DataFrame({"c": np.array(levels, dtype=object)})).tolist() == ["l", "r"]


# C27 many levels by a sort


def _store_sales(task):
    rng = np.random.default_rng(0)
    store = rng.integers(0, 1000, 20000)
    mean = rng.random(1000)
    noise = rng.random(20000)
    y = mean[store] + 0.5 * (noise - 0.5) if task == "regression" else (noise < mean[store]).astype(int)
    return store, y


def _best_prefix(store, y, loss):
    """Return the least loss over prefixes of the levels sorted by their mean target."""
    count = np.bincount(store).astype(float)
    total = np.bincount(store, weights=y)
    squares = np.bincount(store, weights=y.astype(float) ** 2)
    seen = np.flatnonzero(count)
    order = seen[np.argsort(total[seen] / count[seen], kind="stable")]
    n, s, q = (np.cumsum(values[order])[:-1] for values in (count, total, squares))
    rest = (count.sum() - n, total.sum() - s, squares.sum() - q)
    left, right = zip(n, s, q, strict=True), zip(*rest, strict=True)
    return min(loss(*one) + loss(*other) for one, other in zip(left, right, strict=True))


def _binary_entropy(n, s, _):
    return n * sum(-p * math.log2(p) for p in (s / n, 1 - s / n) if p > 0)


LOSSES = {
    "squared_error": lambda n, s, q: q - s * s / n,
    "gini": lambda n, s, q: 2 * s * (1 - s / n),
    "entropy": _binary_entropy,
    "sqrt": lambda n, s, q: 2 * math.sqrt(max(s * (n - s), 0.0)),
}


@pytest.mark.parametrize("criterion", LOSSES)
def test_c27_a_thousand_stores(criterion, impurity):
    store, y = _store_sales("regression" if criterion == "squared_error" else "classification")
    started = time.perf_counter()
    tree = cart(store.reshape(-1, 1), y, criterion=criterion, max_depth=1, categorical_features=[0])
    assert time.perf_counter() - started < 10
    left = _chosen(tree, store.reshape(-1, 1))
    loss = _split_loss(impurity, criterion, y, np.ones(len(y)), left)
    assert loss == pytest.approx(_best_prefix(store, y, LOSSES[criterion]), rel=1e-9)
    assert tree.heuristic[0] == 0


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(1, 3)), min_size=4, max_size=30),
    st.sampled_from(["gini", "entropy", "sqrt", "squared_error", "poisson"]),
)
@settings(max_examples=60)
def test_c27_the_sort_is_exact_where_it_should_be(impurity, rows, criterion):
    levels, y, w = (np.array(values) for values in zip(*rows, strict=True))
    y = y + 1 if criterion in ("squared_error", "poisson") else (y > 1).astype(int)
    X = levels.reshape(-1, 1)
    tree = cart(X, y, criterion=criterion, sample_weight=w, max_depth=1, categorical_features=[0])
    if tree.n_nodes == 1:
        assert len(set(levels.tolist())) == 1 or len(set(y.tolist())) == 1
        return
    loss = _split_loss(impurity, criterion, y, w.astype(float), _chosen(tree, X))
    best = _best_bipartition(impurity, criterion, levels, y, w.astype(float))
    assert loss == pytest.approx(best, rel=1e-9, abs=1e-9)
    assert tree.heuristic[0] == 0


def test_c27_many_levels_with_many_classes_are_said_to_be_heuristic():
    rng = np.random.default_rng(1)
    levels, y = rng.integers(0, 300, 3000), rng.integers(0, 6, 3000)
    tree = cart(levels.reshape(-1, 1), y, max_depth=1, categorical_features=[0])
    assert tree.n_leaves == 2
    assert tree.heuristic.tolist() == [1, 0, 0]


# C28 the sort is not used outside its theorem

FOUR_LEVELS = {"A": [2, 3, 9], "B": [0, 0, 9], "C": [2, 3, 3], "D": [0, 0, 9]}


def test_c28_absolute_error_finds_the_optimum_or_says_heuristic(impurity):
    levels = np.repeat(list(FOUR_LEVELS), 3)
    y = np.concatenate(list(FOUR_LEVELS.values())).astype(float)
    X = pd.DataFrame({"c": levels})
    tree = cart(X, y, criterion="absolute_error", max_depth=1)
    left = _chosen(tree, X)
    total = _split_loss(impurity, "absolute_error", y, np.ones(12), left)
    if tree.heuristic[0] == 0:
        assert total == 26
        assert set(levels[left]) == {"A", "C"}
    else:
        assert total < 32  # a flagged heuristic still has to be a split worth making: the node itself costs 32


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 3)), min_size=4, max_size=24),
    st.sampled_from(["absolute_error", "gini", "entropy", "sqrt"]),
)
@settings(max_examples=80)
def test_c28_unflagged_sets_are_optimal(impurity, rows, criterion):
    """Up to ten levels and many classes, or absolute error: what is not flagged as heuristic is the exhaustive best."""
    levels, y, w = (np.array(values) for values in zip(*rows, strict=True))
    X = levels.reshape(-1, 1)
    tree = cart(X, y, criterion=criterion, sample_weight=w, max_depth=1, categorical_features=[0])
    if tree.n_nodes == 1:
        assert len(set(levels.tolist())) == 1 or len(set(y.tolist())) == 1
        return
    if criterion != "absolute_error":
        assert tree.heuristic[0] == 0
    if tree.heuristic[0] == 0:
        loss = _split_loss(impurity, criterion, y, w.astype(float), _chosen(tree, X))
        best = _best_bipartition(impurity, criterion, levels, y, w.astype(float))
        assert loss == pytest.approx(best, rel=1e-9, abs=1e-9)


# C30 sorted by probability, not by majority


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt"])
def test_c30_levels_with_one_majority_are_still_ordered(criterion, impurity):
    levels = np.repeat(list("ABCD"), 10)
    y = np.concatenate([[0] * 9 + [1], [0] * 6 + [1] * 4, [0] * 9 + [1], [0] * 6 + [1] * 4])
    X = pd.DataFrame({"level": levels})
    tree = cart(X, y, criterion=criterion, max_depth=1)
    left = _chosen(tree, X)
    assert set(levels[left]) == {"A", "C"}
    assert set(levels[~left]) == {"B", "D"}
    if criterion == "gini":
        assert _split_loss(impurity, "gini", y, np.ones(40), left) == pytest.approx(13.2)
        assert tree.weighted_n_node_samples[1:] @ tree.impurity[1:] == pytest.approx(13.2)


def test_c30_by_weight_too():
    levels = np.repeat(list("ABCD"), 2)
    y = np.array([0, 1] * 4)
    w = np.array([9, 1, 6, 4, 9, 1, 6, 4])
    tree = cart(pd.DataFrame({"level": levels}), y, sample_weight=w, max_depth=1)
    assert set(levels[_chosen(tree, pd.DataFrame({"level": levels}))]) == {"A", "C"}


# C31 names are data

NASTY_LEVELS = ["3 speed", "4, x", "o'k", ""]
NASTY_COLUMN = 'price, EUR "net"'


def test_c31_levels_and_column_come_back_exactly(tmp_path, assert_identical_tree):
    X = pd.DataFrame({NASTY_COLUMN: NASTY_LEVELS * 3})
    y = np.array([0, 1, 2, 3] * 3)
    model = bc.DecisionTreeClassifier().fit(X, y)
    assert model.score(X, y) == 1.0
    bc.save(model, tmp_path / "m.json")
    loaded = bc.load(tmp_path / "m.json")
    assert_identical_tree(model.tree_, loaded.tree_)
    column = loaded.tree_.schema.columns[0]
    assert column.name == NASTY_COLUMN
    assert set(column.levels) == set(NASTY_LEVELS)
    np.testing.assert_array_equal(loaded.predict(X), y)


def test_c31_the_empty_string_is_a_level():
    X = pd.DataFrame({"c": ["", "", "a", "a", None, None]})
    y = np.array([0, 0, 1, 1, 2, 2])
    tree = cart(X, y)
    assert tree.predict(X).tolist() == y.tolist()


@given(st.lists(st.text(max_size=8), min_size=2, max_size=6, unique=True), st.text(min_size=1, max_size=12))
@settings(max_examples=40)
def test_c31_any_text_is_a_name(tmp_path_factory, levels, name):
    X = pd.DataFrame({name: pd.Series(levels * 2, dtype=object)})
    y = np.arange(len(levels)).tolist() * 2
    model = bc.DecisionTreeClassifier().fit(X, y)
    assert model.predict(X).tolist() == y
    path = tmp_path_factory.mktemp("c31") / "m.json"
    bc.save(model, path)
    loaded = bc.load(path)
    assert loaded.predict(X).tolist() == y
    assert loaded.tree_.schema.names == (name,)
    assert sorted(loaded.tree_.schema.columns[0].levels) == sorted(levels)


def test_c31_a_name_forges_no_line_of_the_text():
    plain = pd.DataFrame({"c": ["a", "b"] * 3, "x": range(6)})
    forged = pd.DataFrame({"c\n└─ else: 9": ["a\nb\r", "b"] * 3, "x": range(6)})
    y = np.array(["n", "y"] * 3)
    forged_y = np.array(["n\u2028o", "y\n"] * 3)
    assert len(str(cart(forged, forged_y)).splitlines()) == len(str(cart(plain, y)).splitlines())
