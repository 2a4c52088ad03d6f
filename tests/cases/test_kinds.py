"""Messy users: inputs of every shape and type that nobody listed, each with its one right answer."""

import copy
import datetime as dt
import pickle
import threading

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

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


# Column types


def test_boolean_columns():
    X = np.array([[True, False], [False, False], [True, True], [False, True]])
    y = np.array([1, 0, 1, 0])
    for table in (X, pd.DataFrame(X), pl.DataFrame(X), X.astype(object)):
        tree = cart(table, y)
        assert tree.n_leaves == 2
        assert tree.predict(table).tolist() == y.tolist()
    assert "true" in str(cart(X, y)).lower()


@pytest.mark.parametrize("unit", ["D", "s", "ms", "us", "ns"])
def test_datetime_columns_split_and_print_as_dates(unit):
    when = np.array(["2024-02-28", "2024-02-29", "2024-03-01", "NaT"], dtype=f"M8[{unit}]")
    y = np.array([0, 0, 1, 2])
    for table in (when.reshape(-1, 1), pd.DataFrame({"when": when}) if unit != "D" else when.reshape(-1, 1)):
        tree = cart(table, y)
        assert tree.predict(table).tolist() == y.tolist()
        assert "2024-03-01" in str(tree) or "2024-02-29" in str(tree)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "America/Port-au-Prince", "Etc/GMT+5"])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_datetimes_of_any_time_zone(zone, library):
    when = pd.DataFrame({"when": pd.to_datetime(["2026-03-01", "2026-03-02", "2026-03-03", None]).tz_localize(zone)})
    table = pl.from_pandas(when) if library == "polars" else when
    y = np.array([0, 0, 1, 2])
    tree = cart(table, y)
    assert tree.predict(table).tolist() == y.tolist()
    in_utc = pd.DataFrame({"when": when["when"].dt.tz_convert("UTC")})
    assert tree.predict(in_utc).tolist() == y.tolist()


def test_dates_before_1970_and_far_from_it():
    days = [dt.date(1, 1, 1), dt.date(1900, 2, 28), dt.date(1969, 12, 31), dt.date(9999, 12, 31)]
    table = pl.DataFrame({"day": days})
    tree = cart(table, np.arange(4))
    assert tree.predict(table).tolist() == [0, 1, 2, 3]
    assert str(tree)


@pytest.mark.parametrize(
    "column",
    [
        pd.array([1, 2, None, 4], dtype="Int8"),
        pd.array([1, 2, None, 4], dtype="UInt64"),
        pd.array([1.5, 2.5, None, 4.5], dtype="Float32"),
        pd.array([True, False, None, True], dtype="boolean"),
        pd.array(["p", "q", None, "r"], dtype="string"),
        pd.array([1, 2, None, 4], dtype="int64[pyarrow]"),
        pd.array(["p", "q", None, "r"], dtype="string[pyarrow]"),
        pd.Categorical(["p", "q", None, "r"], categories=["r", "z", "q", "p"]),
        pd.Categorical([3, 1, None, 2]),
    ],
    ids=lambda c: str(c.dtype)[:20],
)
def test_nullable_pandas_columns(column):
    X = pd.DataFrame({"c": column})
    y = np.array([0, 1, 2, 0]) if str(column.dtype) == "boolean" else np.arange(4)
    tree = cart(X, y)
    assert tree.predict(X).tolist() == y.tolist()
    polars = pl.from_pandas(X)
    assert cart(polars, y).predict(polars).tolist() == y.tolist()


def test_masked_arrays_keep_their_mask_or_are_refused():
    X = np.ma.array([[1.0], [2.0], [3.0], [4.0]], mask=[[0], [0], [1], [1]])
    try:
        tree = cart(X, np.array([0, 0, 1, 1]))
    except (TypeError, ValueError) as error:
        assert "mask" in str(error)
    else:
        assert tree.predict(np.array([[NAN], [3.0]])).tolist() == [1, 0]


@pytest.mark.parametrize("estimator", [bc.DecisionTreeClassifier, bc.DecisionTreeRegressor])
@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csr_array, sparse.coo_matrix])
def test_sparse_input_is_refused_clearly(estimator, make):
    with pytest.raises(TypeError, match=r"(?i)sparse"):
        estimator().fit(make(np.eye(3)), [0, 1, 2])


def test_three_thousand_levels(recount):
    rng = np.random.default_rng(3)
    code = rng.integers(0, 3000, 9000)
    X = pd.DataFrame({"id": np.array([f"level {i}" for i in range(3000)])[code], "x": rng.random(9000)})
    y = (code % 7 == 0).astype(int)
    tree = cart(X, y)
    assert (tree.predict(X) == y).all()
    assert tree.n_leaves == 2
    assert len(str(tree)) < 100_000


def test_text_with_nul_and_odd_characters(tmp_path):
    levels = ["x", "x\0", "x\0y", "", " ", "\u00e9", "e\u0301", "\U0001f333", "nan", "None", "NA", "null", "-1"]
    X = pd.DataFrame({"c\0": pd.Series(levels, dtype=object)})
    y = np.arange(len(levels))
    model = bc.DecisionTreeClassifier().fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    bc.save(model, tmp_path / "m.json")
    assert bc.load(tmp_path / "m.json").predict(X).tolist() == y.tolist()


@pytest.mark.parametrize("level", [object(), pd.Interval(0, 1), (1, 2), 1j, dt.time(1, 2)])
def test_levels_that_no_file_can_hold_are_refused_by_name_or_kept(tmp_path, level):
    X = pd.DataFrame({"odd": pd.Series([level, "b", level, "b"], dtype=object)})
    try:
        model = bc.DecisionTreeClassifier().fit(X, [0, 1, 0, 1])
    except (TypeError, ValueError) as error:
        assert "odd" in str(error)
        return
    path = tmp_path / "m.json"
    try:
        bc.save(model, path)
    except (TypeError, ValueError) as error:
        assert "odd" in str(error)
        assert not path.exists()
    else:
        assert bc.load(path).predict(X).tolist() == [0, 1, 0, 1]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    X, y = _plain()
    model = bc.DecisionTreeClassifier().fit(X, y)
    with pytest.raises(OSError, match=r"model\.json"):
        bc.save(model, tmp_path / "no such folder" / "model.json")
    with pytest.raises(OSError, match=r"model\.json"):
        bc.load(tmp_path / "model.json")


# Frames


def test_duplicate_column_names_are_refused():
    with pytest.raises(ValueError, match="twice"):
        bc.DecisionTreeClassifier().fit(pd.DataFrame([[1, 2], [3, 4]], columns=["twice", "twice"]), [0, 1])


def test_rows_are_matched_by_place_not_by_index():
    X, y = _plain()
    frame = pd.DataFrame(X, columns=list("abc"), index=np.random.default_rng(0).permutation(60))
    target = pd.Series(y, index=np.random.default_rng(1).permutation(60))
    weight = pd.Series(np.ones(60), index=np.zeros(60, dtype=int))
    model = bc.DecisionTreeClassifier().fit(frame, target, sample_weight=weight)
    np.testing.assert_array_equal(model.predict(frame), cart(X, y).predict(X))


def test_columns_are_matched_by_name_at_predict():
    X, y = _plain()
    frame = pd.DataFrame(X, columns=list("abc"))
    model = bc.DecisionTreeClassifier().fit(frame, y)
    expected = model.predict(frame)
    np.testing.assert_array_equal(model.predict(frame[["c", "a", "b"]]), expected)
    np.testing.assert_array_equal(model.predict(pl.DataFrame(frame).select("b", "c", "a")), expected)
    with pytest.raises(ValueError, match="'b'"):
        model.predict(frame[["a", "c"]])
    with pytest.warns(UserWarning, match="extra"):
        np.testing.assert_array_equal(model.predict(frame.assign(extra=1)), expected)


def test_categories_in_another_order_mean_the_same():
    X = pd.DataFrame({"c": pd.Categorical(["a", "b", "c"] * 4)})
    y = np.array([0, 1, 2] * 4)
    tree = cart(X, y)
    for categories in (["c", "b", "a"], ["z", "a", "b", "c"], ["c", "a", "y", "b"]):
        other = pd.DataFrame({"c": pd.Categorical(["a", "b", "c"] * 4, categories=categories)})
        np.testing.assert_array_equal(tree.predict(other), y)
    np.testing.assert_array_equal(tree.predict(pl.DataFrame({"c": ["a", "b", "c"] * 4})), y)
    np.testing.assert_array_equal(tree.predict(np.array([["a"], ["b"], ["c"]] * 4, dtype=object)), y)


def test_text_where_a_number_was_learned_is_refused_by_name():
    tree = cart(pd.DataFrame({"size": [1.0, 2.0]}), np.array([0, 1]))
    with pytest.raises((TypeError, ValueError), match="size") as caught:
        tree.predict(pd.DataFrame({"size": ["1.0", "tall"]}))
    assert "row" in str(caught.value) or "text" in str(caught.value)


@pytest.mark.parametrize("width", [1, 2, 4])
def test_another_number_of_columns_is_refused(width):
    X, y = _plain()
    for predict in (bc.DecisionTreeClassifier().fit(X, y).predict, cart(X, y).predict):
        with pytest.raises(ValueError, match=rf"{width}.*3|3.*{width}"):
            predict(np.zeros((2, width)))


# Labels


@pytest.mark.parametrize(
    "labels",
    [
        np.array([True, False, True]),
        np.array([0.0, 1.0, 2.0]),
        np.array(["a", "b", "c"]),
        np.array(["a", "b", "c"], dtype=object),
        np.array([b"a", b"b", b"c"]),
        np.array([-1, 10**18, 3]),
        np.array([2**64 - 1, 0, 1], dtype=np.uint64),
        np.array(["2020-01-01", "2021-01-01", "2022-01-01"], dtype="M8[D]"),
    ],
    ids=lambda a: a.dtype.str,
)
def test_labels_come_back_as_they_were(labels):
    X = np.arange(3.0).reshape(-1, 1)
    model = bc.DecisionTreeClassifier().fit(X, labels)
    predicted = model.predict(X)
    assert predicted.dtype == labels.dtype
    assert predicted.tolist() == labels.tolist()
    assert cart(X, labels).predict(X).tolist() == labels.tolist()


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(["b", "a", "b"]),
        pd.Series(["b", "a", "b"], dtype="category"),
        pd.Series([1, 0, 1], dtype="Int64"),
        pl.Series(["b", "a", "b"]),
        ["b", "a", "b"],
        ("b", "a", "b"),
        pa.array(["b", "a", "b"]),
        pd.Index(["b", "a", "b"]),
    ],
    ids=lambda y: f"{type(y).__module__.split('.')[0]} {type(y).__name__} {getattr(y, 'dtype', '')}",
)
def test_targets_from_any_library(labels):
    X = np.array([[0.0], [1.0], [0.0]])
    model = bc.DecisionTreeClassifier().fit(X, labels)
    assert model.predict(X).tolist() == list(labels.to_pylist() if isinstance(labels, pa.Array) else labels)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["a", None, "b"], dtype=object),
        np.array([0.0, NAN, 1.0]),
        pd.Series([1, None, 0], dtype="Int64"),
        pd.Series(["a", None, "b"]),
        pl.Series(["a", None, "b"]),
        np.array(["2020-01-01", "NaT", "2022-01-01"], dtype="M8[D]"),
    ],
    ids=["object", "float", "Int64", "str", "polars", "NaT"],
)
def test_a_missing_label_is_refused_by_its_row(labels):
    X = np.arange(3.0).reshape(-1, 1)
    with pytest.raises(ValueError, match=r"row 1\b"):
        bc.DecisionTreeClassifier().fit(X, labels)
    with pytest.raises((ValueError, TypeError), match="y"):
        cart(X, labels)


def test_labels_without_a_common_order_are_refused():
    with pytest.raises((ValueError, TypeError), match=r"(?i)label|y"):
        bc.DecisionTreeClassifier().fit(np.arange(3.0).reshape(-1, 1), np.array(["a", 1, 2.5], dtype=object))


@pytest.mark.parametrize("estimator", [bc.DecisionTreeClassifier, bc.DecisionTreeRegressor])
def test_a_target_of_another_length_is_refused(estimator):
    for y in ([0, 1], [0, 1, 0, 1]):
        with pytest.raises(ValueError, match=rf"3.*{len(y)}|{len(y)}.*3"):
            estimator().fit(np.arange(3.0).reshape(-1, 1), y)
        with pytest.raises(ValueError, match=rf"3.*{len(y)}|{len(y)}.*3"):
            cart(np.arange(3.0).reshape(-1, 1), np.array(y))


# Parameters nobody should pass


@pytest.mark.parametrize(
    "options",
    [
        {"criterion": "mse"},
        {"criterion": None},
        {"max_depth": -1},
        {"max_depth": 1.5},
        {"min_samples_split": 0},
        {"min_samples_leaf": 0},
        {"min_samples_leaf": NAN},
        {"min_weight_fraction_leaf": 0.6},
        {"min_weight_leaf": -1},
        {"min_weight_split": NAN},
        {"max_leaf_nodes": 0},
        {"min_impurity_decrease": -1e-9},
        {"min_impurity_decrease": NAN},
        {"zero_gain": "maybe"},
        {"monotonic_cst": "up"},
        {"categorical_features": "some"},
        {"missing": "drop"},
        {"unseen": "left"},
        {"n_jobs": 0},
    ],
    ids=lambda o: "_".join(f"{k}={v}" for k, v in o.items()),
)
def test_parameters_out_of_range_are_refused_by_name(options):
    X, y = _plain()
    for estimator in (bc.DecisionTreeClassifier, bc.DecisionTreeRegressor):
        with pytest.raises((ValueError, TypeError), match=next(iter(options))):
            estimator(**options).fit(X, y)
    with pytest.raises((ValueError, TypeError), match=next(iter(options))):
        cart(X, y, **options)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 64, -1, -2])
def test_threads_of_any_number(n_jobs, assert_identical_tree):
    X, y = _plain()
    assert_identical_tree(cart(X, y, n_jobs=1), cart(X, y, n_jobs=n_jobs))
    model = bc.DecisionTreeClassifier(n_jobs=n_jobs).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), cart(X, y).predict(X))


def test_many_fits_at_once(assert_identical_tree):
    rng = np.random.default_rng(9)
    X, y = rng.random((2000, 5)), rng.integers(0, 3, 2000)
    expected, grown = cart(X, y), []
    threads = [threading.Thread(target=lambda: grown.append(cart(X, y, n_jobs=2))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(grown) == 6
    for tree in grown:
        assert_identical_tree(expected, tree)


def test_copies_are_the_same_model(assert_identical_tree):
    X, y = _plain()
    model = bc.DecisionTreeClassifier(max_depth=3).fit(X, y)
    for other in (copy.deepcopy(model), copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert_identical_tree(model.tree_, other.tree_)
    assert not hasattr(clone(model), "tree_")


def test_a_forged_pickle_is_checked_again():
    X, y = _plain()
    tree = cart(X, y)
    make, arguments = tree.__reduce__()
    fields = list(arguments)
    for place, value in enumerate(fields):
        if isinstance(value, np.ndarray) and value.dtype == np.int32 and value.size == tree.n_nodes:
            forged = value.copy()
            forged[0] = 10**6
            with pytest.raises((ValueError, TypeError)):
                make(*fields[:place], forged, *fields[place + 1 :])
