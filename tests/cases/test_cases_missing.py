"""Cases about missing cells: C14 C15 C16 C17 C19 C20 C23."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bristlecone as bc
from bristlecone.grow import cart

NAN = np.nan


def _column(*values):
    return np.array(values, dtype=float).reshape(-1, 1)


@st.composite
def _tables_with_gaps(draw, max_rows=30):
    """(X, y, w): a few small-integer columns with missing cells, classes, integer weights some of which are zero."""
    n_rows = draw(st.integers(2, max_rows))
    n_columns = draw(st.integers(1, 3))
    cells = st.one_of(st.none(), st.integers(0, 4))
    X = np.array(
        draw(st.lists(st.lists(cells, min_size=n_columns, max_size=n_columns), min_size=n_rows, max_size=n_rows)),
        dtype=float,
    )
    y = np.array(draw(st.lists(st.integers(0, 2), min_size=n_rows, max_size=n_rows)))
    w = np.array(draw(st.lists(st.integers(0, 3), min_size=n_rows, max_size=n_rows)))
    w[0] = max(w[0], 1)
    return X, y, w


# C14 one value plus missing is not constant


def test_c14_missingness_alone_separates():
    X, y = _column(7, 7, 7, NAN, NAN), [0, 0, 0, 1, 1]
    model = bc.DecisionTreeClassifier().fit(X, y)
    assert model.tree_.n_nodes == 3
    assert model.score(X, y) == 1.0
    assert model.predict([[NAN], [7.0], [-1e300], [1.7e308]]).tolist() == [1, 0, 0, 0]


def test_c14_below_the_root():
    X = np.array([[0, 7], [0, 7], [0, NAN], [0, NAN], [1, 7], [1, NAN], [1, 7], [1, NAN]])
    y = [0, 0, 1, 1, 2, 2, 2, 2]
    tree = cart(X, np.array(y))
    assert tree.predict(X).tolist() == y
    assert tree.n_leaves == 3


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([7.5, 7.5, None, None]),
        pd.Series([3, 3, None, None], dtype="Int64"),
        pd.Series([True, True, None, None], dtype="boolean"),
        pd.Series(["a", "a", None, None]),
        pd.Series(["a", "a", None, None], dtype="category"),
        pd.Series(pd.to_datetime(["2026-01-01", "2026-01-01", None, None])),
    ],
    ids=["float", "Int64", "boolean", "text", "category", "datetime"],
)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_c14_in_every_kind_of_column(column, library):
    X = pd.DataFrame({"only": column})
    X = pl.from_pandas(X) if library == "polars" else X
    for y, criterion in ((["n", "n", "p", "p"], "gini"), ([1.0, 1.0, 5.0, 5.0], "squared_error")):
        tree = cart(X, np.array(y), criterion=criterion)
        assert tree.n_leaves == 2
        assert tree.predict(X).tolist() == y


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt", "gain_ratio"])
def test_c14_with_weights_and_beside_a_noisy_column(criterion):
    rng = np.random.default_rng(0)
    gaps = rng.random(60) < 0.4
    X = np.column_stack([rng.integers(0, 3, 60), np.where(gaps, NAN, 1.0)])
    tree = cart(X, gaps.astype(int), criterion=criterion, sample_weight=rng.integers(1, 5, 60))
    assert tree.n_nodes == 3
    assert tree.feature[0] == 1


def test_c14_a_column_of_nothing_but_missing_is_never_split():
    X = np.column_stack([np.full(6, NAN), np.arange(6.0)])
    tree = cart(X, np.array([0, 0, 0, 1, 1, 1]))
    assert set(tree.feature[tree.feature >= 0]) == {1}
    assert cart(X[:, :1], np.array([0, 0, 0, 1, 1, 1])).n_nodes == 1


# C15 one traversal


def _assert_one_traversal(tree, X, paths):
    ends = [path[-1] for path in paths(tree, X)]
    nodes = tree.apply(X)
    indicator = tree.decision_path(X)
    assert nodes.tolist() == ends
    for row, path in enumerate(paths(tree, X)):
        assert sorted(indicator[[row]].indices.tolist()) == sorted(path)
    if tree.task == "classification":
        np.testing.assert_array_equal(tree.predict(X), tree.classes[tree.label[nodes]])
        np.testing.assert_allclose(tree.predict_proba(X), tree.value[nodes, 0], rtol=1e-14)
    else:
        np.testing.assert_array_equal(tree.predict(X), tree.prediction[nodes])


def test_c15_path_and_apply_agree_on_missing(paths):
    X, y = _column(1, NAN, NAN, 5, 6), np.array([0, 0, 0, 1, 1])
    tree = cart(X, y)
    _assert_one_traversal(tree, X, paths)
    assert tree.predict(X).tolist() == y.tolist()


def test_c15_a_gap_in_a_column_that_was_complete(paths):
    X = np.random.default_rng(0).random((50, 2))
    y = (X[:, 0] > X[:, 1]).astype(int)
    tree = cart(X, y)
    _assert_one_traversal(tree, np.array([[NAN, 0.2], [0.2, NAN], [NAN, NAN]]), paths)


@given(_tables_with_gaps(), st.sampled_from(["gini", "squared_error"]))
@settings(max_examples=60)
def test_c15_in_random_trees(paths, table, criterion):
    X, y, w = table
    tree = cart(X, y, criterion=criterion, sample_weight=w)
    queries = np.vstack([X, np.full((1, X.shape[1]), NAN), X - 0.5, X + 0.5])
    _assert_one_traversal(tree, queries, paths)


def test_c15_the_estimator_walks_as_its_tree_does():
    X = _column(1, NAN, NAN, 5, 6)
    model = bc.DecisionTreeClassifier().fit(X, ["n", "n", "n", "y", "y"])
    ends = [model.decision_path(X)[[row]].indices.max() for row in range(5)]
    assert model.apply(X).tolist() == ends == model.tree_.apply(X).tolist()


def test_c15_categories_with_gaps_and_deep_nodes(paths):
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"shop": rng.choice(list("abcde"), 80), "size": rng.random(80), "open": rng.random(80) < 0.5})
    X.loc[rng.random(80) < 0.2, "shop"] = None
    X.loc[rng.random(80) < 0.2, "size"] = NAN
    tree = cart(X, rng.integers(0, 3, 80))
    queries = pd.concat([X, X.assign(shop="new"), X.assign(size=NAN), X.assign(shop=None)], ignore_index=True)
    _assert_one_traversal(tree, queries, paths)


# C16 no memory of the column examined before


def test_c16_the_order_of_columns_and_rows_does_not_matter():
    f0, f1 = [NAN, NAN, NAN, 5, 6, 7], [0, 1, 0, 1, 0, 1]
    y = np.array([0, 0, 0, 1, 1, 1.0])
    for columns in ((f0, f1), (f1, f0)):
        X = np.array(columns, dtype=float).T
        for seed in range(50):
            order = np.random.default_rng(seed).permutation(6)
            tree = cart(X[order], y[order], criterion="squared_error", max_depth=1)
            assert tree.impurity.tolist() == [0.25, 0.0, 0.0]
            assert tree.feature[0] == columns.index(f0)


def test_c16_the_estimator_has_no_seed_to_depend_on():
    X = np.array([[NAN, NAN, NAN, 5, 6, 7], [0, 1, 0, 1, 0, 1]], dtype=float).T
    y = np.array([0, 0, 0, 1, 1, 1.0])
    for seed in range(50):
        model = bc.DecisionTreeRegressor(max_depth=1)
        if "random_state" in model.get_params():
            model.set_params(random_state=seed)
        assert model.fit(X, y).tree_.impurity.tolist() == [0.25, 0.0, 0.0]


@given(_tables_with_gaps(max_rows=24), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_c16_a_useless_column_in_front_changes_nothing(table, random):
    """The same table behind constant and all-missing columns: same tree, its column numbers moved."""
    X, y, w = table
    n_rows = len(X)
    front = [np.full(n_rows, 3.0), np.full(n_rows, NAN)][: random.randint(1, 2)]
    shifted = np.column_stack([*front, X])
    one, other = cart(X, y, sample_weight=w), cart(shifted, y, sample_weight=w)
    np.testing.assert_array_equal(np.where(one.feature >= 0, one.feature + len(front), -2), other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_array_equal(one.missing_go_to_left, other.missing_go_to_left)
    np.testing.assert_array_equal(one.impurity, other.impurity)


# C17 the statistics of both children after rows with gaps have moved


def test_c17_full_growth_with_two_missing_rows(recount):
    X, y = _column(NAN, NAN, 10, 20, 30, 40), np.array([5, 6, 7, 8, 9, 10.0])
    tree = cart(X, y, criterion="squared_error")
    assert tree.n_leaves == 5
    assert float(np.sum((tree.predict(X) - y) ** 2)) == 0.5
    assert tree.predict(X)[:2].tolist() == [5.5, 5.5]
    recount(tree, X, y)


@given(
    _tables_with_gaps(),
    st.sampled_from(["gini", "entropy", "sqrt", "gain_ratio", "squared_error", "absolute_error", "poisson"]),
)
@settings(max_examples=120)
def test_c17_every_recorded_number_is_the_recounted_one(recount, table, criterion):
    X, y, w = table
    tree = cart(X, y + 1, criterion=criterion, sample_weight=w)
    recount(tree, X, y + 1, w)


@pytest.mark.parametrize("limits", [{"max_leaf_nodes": 9}, {"min_samples_leaf": 5}, {"max_depth": 3}])
def test_c17_with_limits_on_a_larger_table(recount, limits):
    rng = np.random.default_rng(17)
    X = rng.integers(0, 30, (400, 4)).astype(float)
    X[rng.random(X.shape) < 0.25] = NAN
    y = np.where(np.isnan(X[:, 0]), 3.0, X[:, 0]) + rng.random(400)
    tree = cart(X, y, criterion="squared_error", **limits)
    recount(tree, X, y)


# C19 a zero weight hides the missing cell too


def test_c19_a_masked_row_teaches_no_direction(assert_same_tree):
    X, y, w = _column(1, 2, 3, 4, NAN), np.array([0, 0, 1, 1, 0]), np.array([1, 1, 1, 1, 0])
    masked, without = cart(X, y, sample_weight=w), cart(X[:4], y[:4])
    assert_same_tree(masked, without)
    np.testing.assert_array_equal(masked.predict_proba(X), without.predict_proba(X))


def test_c19_the_fallback_is_the_heavier_child_not_the_masked_row():
    X, y = _column(1, 2, 3, 4, 5, NAN), np.array([0, 0, 1, 1, 1, 0])
    model = bc.DecisionTreeClassifier().fit(X, y, sample_weight=[1, 1, 1, 1, 1, 0])
    assert model.predict([[NAN]]).tolist() == [1]


@given(_tables_with_gaps(), st.sampled_from(["gini", "entropy", "squared_error", "absolute_error"]))
@settings(max_examples=80)
def test_c19_masking_is_removing(assert_same_tree, table, criterion):
    X, y, w = table
    masked = cart(X, y, sample_weight=w, criterion=criterion)
    removed = cart(X[w > 0], y[w > 0], sample_weight=w[w > 0], criterion=criterion)
    assert_same_tree(masked, removed)
    np.testing.assert_array_equal(masked.apply(X), removed.apply(X))


@pytest.mark.parametrize("labels", [[1, 0, 1, 0], [0, 1, 0, 1]])
@pytest.mark.parametrize("categorical_features", [None, [0]])
def test_c19_missing_cells_that_could_go_either_way_go_left(labels, categorical_features):
    tree = cart(_column(0, 1, NAN, NAN), np.array(labels), max_depth=1, categorical_features=categorical_features)
    assert tree.missing_go_to_left[0] == 1


# C20 missing at predict time only


def _complete():
    return _column(0, 1, 2, 3), np.array([0, 0, 0, 1])


def test_c20_the_heavier_child_answers(tmp_path):
    X, y = _complete()
    model = bc.DecisionTreeClassifier().fit(X, y)
    bc.save(model, tmp_path / "m.json")
    for one in (model, bc.load(tmp_path / "m.json")):
        assert one.predict([[NAN]]).tolist() == [0]
        assert one.predict_proba([[NAN]]).tolist() == [[1.0, 0.0]]


def test_c20_heavier_is_by_weight_and_ties_go_left():
    X, y = _complete()
    assert cart(X, y, sample_weight=[1, 1, 1, 9]).predict([[NAN]]).tolist() == [1]
    assert cart(X, y, sample_weight=[1, 1, 1, 3]).predict([[NAN]]).tolist() == [0]
    assert cart(_column(0, 1), np.array([5, 4])).predict([[NAN]]).tolist() == [5]


@pytest.mark.parametrize("gap", [None, NAN, pd.NA])
def test_c20_every_way_to_say_missing(gap):
    X, y = _complete()
    model = bc.DecisionTreeRegressor().fit(pd.DataFrame({"x": X[:, 0]}), y)
    query = pd.DataFrame({"x": pd.array([gap, 3.0], dtype="Float64")})
    assert model.predict(query).tolist() == [0.0, 1.0]
    assert model.predict(pl.DataFrame({"x": [None, 3.0]})).tolist() == [0.0, 1.0]


# C23 an option that takes no missing says so


def test_c23_missing_error_refuses_at_fit():
    rng = np.random.default_rng(0)
    X = rng.random((150, 4))
    X[rng.random(X.shape) < 0.25] = NAN
    frame = pd.DataFrame(X, columns=["sl", "sw", "pl", "pw"])
    y = rng.integers(0, 3, 150)
    with pytest.raises(ValueError, match="missing") as caught:
        bc.DecisionTreeClassifier(missing="error").fit(frame, y)
    first = next(name for name in frame.columns if frame[name].isna().any())
    assert "error" in str(caught.value)
    assert first in str(caught.value)


def test_c23_missing_error_refuses_at_predict():
    X, y = _complete()
    model = bc.DecisionTreeClassifier(missing="error").fit(pd.DataFrame({"dose": X[:, 0]}), y)
    with pytest.raises(ValueError, match="missing") as caught:
        model.predict(pd.DataFrame({"dose": [1.0, NAN]}))
    assert "dose" in str(caught.value)
    assert "row 1" in str(caught.value)


@given(_tables_with_gaps(), st.sampled_from(["gini", "squared_error", "absolute_error", "poisson"]))
@settings(max_examples=40)
def test_c23_no_stored_byte_is_left_to_chance(assert_identical_tree, table, criterion):
    X, y, w = table
    y = y + 1
    tree = cart(X, y, sample_weight=w, criterion=criterion)
    leaves = tree.children_left < 0
    assert set(np.unique(tree.missing_go_to_left)) <= {0, 1}
    assert not tree.missing_go_to_left[leaves].any()
    assert (tree.feature[leaves] == -2).all()
    assert (tree.threshold[leaves] == -2.0).all()
    assert_identical_tree(tree, cart(X, y, sample_weight=w, criterion=criterion))


@pytest.mark.parametrize("value", ["ignore", "", None, 1])
def test_c23_an_unknown_rule_is_refused_by_name(value):
    X, y = _complete()
    with pytest.raises((ValueError, TypeError), match="missing"):
        bc.DecisionTreeClassifier(missing=value).fit(X, y)
    with pytest.raises((ValueError, TypeError), match="unseen"):
        bc.DecisionTreeClassifier(unseen=value).fit(X, y)
