"""Messy users: sizes, number types, layouts in memory and magnitudes that nobody listed; each has one right answer."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bristlecone as bc
from bristlecone.grow import cart

NAN = np.nan
SPREAD = [5e-324, 1e-300, 1e-16, 1.0, 1e16, 1e300]
ALL_CRITERIA = ["gini", "entropy", "sqrt", "gain_ratio", "squared_error", "absolute_error", "poisson"]


def _plain():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 20, (60, 3)).astype(float)
    return X, rng.integers(0, 3, 60)


# Sizes


@pytest.mark.parametrize("estimator", [bc.DecisionTreeClassifier, bc.DecisionTreeRegressor])
@pytest.mark.parametrize(
    "X", [np.empty((0, 3)), np.empty((3, 0)), pd.DataFrame({"a": []}), pd.DataFrame(index=range(3)), []]
)
def test_nothing_to_learn_from_is_refused(estimator, X):
    with pytest.raises(ValueError, match=r"row|column|sample|feature|2D"):
        estimator().fit(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match=r"row|column|sample|feature|2D"):
        cart(X, np.zeros(len(X)))


@pytest.mark.parametrize("criterion", ALL_CRITERIA)
def test_one_row_is_a_leaf(criterion):
    tree = cart(np.array([[1.0, NAN]]), np.array([2]), criterion=criterion)
    assert tree.n_nodes == 1
    assert tree.impurity[0] == 0
    assert tree.predict(np.array([[NAN, 5.0], [0.0, 0.0]])).tolist() == [2, 2]


@pytest.mark.parametrize("criterion", ALL_CRITERIA)
def test_a_constant_target_is_a_leaf(criterion):
    X, _ = _plain()
    tree = cart(X, np.full(60, 7), criterion=criterion, sample_weight=np.linspace(0.1, 3, 60))
    assert tree.n_nodes == 1
    assert tree.impurity[0] == 0
    assert set(tree.predict(X)) == {7}


def test_a_constant_target_of_decimals_is_exactly_that():
    X, _ = _plain()
    for value in (0.1, 1e-300, 1e300, 1 / 3):
        tree = cart(X, np.full(60, value), criterion="squared_error", sample_weight=np.linspace(0.1, 3, 60))
        assert tree.n_nodes == 1
        assert tree.prediction[0] == value


def test_predicting_no_rows_gives_no_rows():
    X, y = _plain()
    model = bc.DecisionTreeClassifier().fit(pd.DataFrame(X, columns=list("abc")), y.astype(str))
    empty = pd.DataFrame({name: np.array([], dtype=float) for name in "abc"})
    assert model.tree_.predict(empty).shape == (0,)
    assert model.tree_.predict_proba(empty).shape == (0, 3)
    assert model.tree_.apply(empty).shape == (0,)
    assert model.tree_.decision_path(empty).shape == (0, model.tree_.n_nodes)


def test_more_columns_than_rows():
    rng = np.random.default_rng(1)
    X = rng.random((8, 500))
    y = np.arange(8)
    tree = cart(X, y, n_jobs=2)
    assert tree.predict(X).tolist() == y.tolist()
    assert tree.feature_importances.shape == (500,)


# Number types and memory layouts


@pytest.mark.parametrize(
    "dtype",
    [
        np.float16,
        np.float32,
        np.float64,
        np.longdouble,
        np.int8,
        np.uint8,
        np.int64,
        np.uint64,
        ">f8",
        ">f4",
        ">i4",
        object,
    ],
)
def test_every_number_type_grows_the_same_tree(dtype, assert_same_tree):
    X, y = _plain()
    assert_same_tree(cart(X, y), cart(X.astype(dtype), y))
    model = bc.DecisionTreeClassifier().fit(X.astype(dtype), y)
    assert_same_tree(cart(X, y), model.tree_)
    np.testing.assert_array_equal(model.predict(X.astype(dtype)), model.predict(X))


def _misaligned(X):
    raw = np.zeros(X.nbytes + 1, dtype=np.uint8)
    view = raw[1:].view(X.dtype).reshape(X.shape)
    view[...] = X
    return view


LAYOUTS = {
    "fortran": np.asfortranarray,
    "strided": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "transposed": lambda X: np.ascontiguousarray(X.T).T,
    "misaligned": _misaligned,
    "list": lambda X: X.tolist(),
    "pandas": lambda X: pd.DataFrame(X),
    "polars": lambda X: pl.DataFrame(X),
    "arrow": lambda X: pa.table([pa.array(column) for column in X.T], names=["a", "b", "c"]),
    "chunked": lambda X: pa.concat_tables(
        [pa.table(pd.DataFrame(part, columns=list("abc"))) for part in (X[:7], X[7:])]
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_layout_in_memory_does_not_matter(layout, dtype, assert_same_tree):
    X, y = _plain()
    other = LAYOUTS[layout](X.astype(dtype))
    tree = cart(other, y)
    assert_same_tree(cart(X, y), tree)
    np.testing.assert_array_equal(tree.apply(other), cart(X, y).apply(X))


def test_nothing_given_is_changed_and_read_only_is_enough():
    X, y = _plain()
    w = np.linspace(0, 2, 60)
    before = [a.copy() for a in (X, y, w)]
    for a in (X, y, w):
        a.setflags(write=False)
    model = bc.DecisionTreeClassifier().fit(X, y, sample_weight=w)
    model.predict_proba(X)
    for a, b in zip((X, y, w), before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_changing_the_rows_after_the_fit_changes_nothing():
    X, y = _plain()
    tree = cart(X, y)
    query = X.copy()
    answers = tree.predict(query)
    X[:] = -1
    np.testing.assert_array_equal(tree.predict(query), answers)


def test_negative_zero_is_zero():
    X = np.array([[0.0], [-0.0], [0.0], [-0.0]])
    tree = cart(X, np.array([0, 1, 0, 1]))
    assert tree.n_nodes == 1
    tree = cart(np.array([[-1.0], [-0.0], [0.0], [1.0]]), np.array([0, 1, 1, 1]))
    assert tree.threshold[0] == -0.5
    codes = cart(X, np.array([0, 1, 0, 1]), categorical_features=[0])
    assert codes.n_nodes == 1


def test_a_threshold_of_zero_sends_both_zeros_one_way():
    tree = cart(np.array([[-1.0], [1.0]]), np.array([0, 1]))
    assert tree.threshold[0] == 0
    assert tree.predict(np.array([[0.0], [-0.0]])).tolist() == [1, 1]


def test_subnormal_values_are_values():
    tiny = 5e-324
    X = np.array([[0.0], [tiny], [2 * tiny], [-tiny]])
    tree = cart(X, np.array([0, 1, 2, 3]))
    assert tree.predict(X).tolist() == [0, 1, 2, 3]
    narrow = np.array([[0.0], [1e-45], [3e-45]], dtype=np.float32)
    assert cart(narrow, np.array([0, 1, 2])).predict(narrow).tolist() == [0, 1, 2]


def test_both_ends_of_the_doubles_in_one_column():
    top = np.finfo(float).max
    X = np.array([[-top], [-1e308], [0.0], [1e308], [top]])
    y = np.arange(5)
    tree = cart(X, y)
    assert tree.predict(X).tolist() == y.tolist()
    assert np.isfinite(tree.threshold).all()
    assert cart(X[[0, 4]], y[:2]).threshold[0] == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_float32_columns_are_compared_as_doubles(dtype):
    X = np.array([[0.1], [0.2], [0.3]], dtype=np.float32)
    tree = cart(X, np.array([0, 1, 2]))
    assert tree.threshold[0] == (float(X[0, 0]) + float(X[1, 0])) / 2
    assert tree.predict(X.astype(dtype)).tolist() == [0, 1, 2]


# Targets and weights at the edge of the doubles


@pytest.mark.parametrize("scale", [1e-308, 1e-200, 1e200, 1e300, 1.7e308])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_targets_whose_squares_leave_the_doubles(scale, criterion):
    X = np.arange(10.0).reshape(-1, 1)
    y = np.repeat([scale / 4 if criterion == "poisson" else 0.0, scale], 5)
    try:
        tree = cart(X, y, criterion=criterion)
    except ValueError as error:
        assert "y" in str(error) or "target" in str(error)
        assert scale > 1e150
    else:
        assert tree.threshold[0] == 4.5
        assert tree.n_nodes == 3
        np.testing.assert_array_equal(tree.predict(X), y)
        assert np.isfinite(tree.impurity).all()


@pytest.mark.parametrize("criterion", ALL_CRITERIA)
def test_a_weight_of_almost_nothing_beside_one(criterion, recount):
    X = np.arange(6.0).reshape(-1, 1)
    y = np.array([1, 1, 2, 2, 1, 2])
    w = np.array([1, 1, 1, 1, 1e-300, 1e-300])
    tree = cart(X, y, criterion=criterion, sample_weight=w)
    assert tree.threshold[0] == 1.5
    assert tree.n_node_samples[0] == 6
    assert np.isfinite(tree.impurity).all()
    assert (tree.impurity >= 0).all()
    assert np.isfinite(tree.predict(X).astype(float)).all()
    assert tree.predict(X)[:4].tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize("criterion", ALL_CRITERIA)
@given(
    st.lists(st.sampled_from([5e-324, 1e-300, 1e-16, 1.0, 1e16, 1e300]), min_size=2, max_size=12), st.integers(0, 99)
)
@settings(max_examples=40)
def test_weights_of_any_spread_give_a_tree_in_order(criterion, weights, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (len(weights), 2)).astype(float)
    y = rng.integers(0, 3, len(weights)) + 1
    tree = cart(X, y, criterion=criterion, sample_weight=weights)
    assert np.isfinite(tree.impurity).all() and (tree.impurity >= 0).all()
    assert np.isfinite(tree.predict(X).astype(float)).all()
    assert (tree.n_node_samples > 0).all()
    assert tree.weighted_n_node_samples[0] == pytest.approx(sum(weights))
    if tree.task == "classification":
        proba = tree.predict_proba(X)
        assert np.isfinite(proba).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-9)


def test_weights_that_sum_beyond_the_doubles_are_refused_by_name():
    X, y = _plain()
    for weights in (np.full(60, 1.7e308), np.linspace(1e307, 9e307, 60)):
        for fit in (bc.DecisionTreeClassifier().fit, bc.DecisionTreeRegressor().fit, cart):
            with pytest.raises(ValueError, match="sample_weight"):
                fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="class_weight"):
        cart(X, y, class_weight={0: 1e308, 1: 1e308, 2: 1e308})


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error", "poisson"])
def test_importances_know_no_unit(criterion):
    X, y = _plain()
    y = y + 1
    expected = cart(X, y, criterion=criterion).feature_importances
    for weight in (1e-300, 1e-30, 1e300, 2.0**1000):
        tree = cart(X, y, criterion=criterion, sample_weight=np.full(60, weight))
        np.testing.assert_allclose(tree.feature_importances, expected, rtol=1e-9)
        if tree.task == "regression":
            tree = cart(X, y * 1e-140, criterion=criterion, sample_weight=np.full(60, weight))
            np.testing.assert_allclose(tree.feature_importances, expected, rtol=1e-9)


@pytest.mark.parametrize("estimator", [bc.DecisionTreeClassifier, bc.DecisionTreeRegressor])
def test_masked_targets_and_weights_are_not_taken_as_if_they_had_no_mask(estimator):
    X, y = _plain()
    mask = np.arange(60) == 7
    with pytest.raises((TypeError, ValueError), match="mask"):
        estimator().fit(X, np.ma.array(y, mask=mask))
    with pytest.raises((TypeError, ValueError), match="mask"):
        estimator().fit(X, y, sample_weight=np.ma.array(np.ones(60), mask=mask))
    with pytest.raises((TypeError, ValueError), match="mask"):
        cart(X, np.ma.array(y, mask=mask))


def test_whole_numbers_beyond_every_double_are_refused_by_place():
    X, y = _plain()
    model = bc.DecisionTreeClassifier().fit(X, y)
    query = X.astype(object)
    query[5, 1] = 10**400
    with pytest.raises(ValueError, match="x1") as caught:
        model.predict(query)
    assert "row 5" in str(caught.value)
    with pytest.raises(ValueError, match="x1"):
        cart(query, y)
