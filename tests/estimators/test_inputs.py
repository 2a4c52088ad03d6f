"""What X may be, at fit and at predict: arrays by position, frames by name."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.datasets import load_iris

from bristlecone import DecisionTreeClassifier, DecisionTreeRegressor
from bristlecone.table import as_table

IRIS = load_iris()
NAMES = ["sepal length", "sepal width", "petal length", "petal width"]
FRAME = pd.DataFrame(IRIS.data, columns=NAMES)


@pytest.fixture(scope="module")
def fitted():
    return DecisionTreeClassifier().fit(FRAME, IRIS.target)


@pytest.mark.parametrize(
    "convert",
    [pd.DataFrame, lambda frame: pl.from_pandas(frame), pa.Table.from_pandas, as_table],
    ids=lambda f: f.__name__,
)
def test_frames_of_any_library_and_tables_give_the_same_tree(convert, fitted):
    X = convert(FRAME)
    model = DecisionTreeClassifier().fit(X, IRIS.target)

    assert model.n_features_in_ == 4
    assert model.feature_names_in_.tolist() == NAMES
    assert model.feature_names_in_.dtype == object
    assert model.tree_.equals(fitted.tree_)
    np.testing.assert_array_equal(model.predict(X), fitted.predict(FRAME))


LAYOUTS = {
    "array": np.array,
    "lists": np.ndarray.tolist,
    "columns first": np.asfortranarray,
    "strided": lambda data: np.hstack([data, data])[:, :4],
    "objects": lambda data: data.astype(object),
    "big-endian": lambda data: data.astype(">f8"),
    "table": as_table,
}


@pytest.mark.parametrize("lay_out", LAYOUTS.values(), ids=LAYOUTS)
def test_arrays_of_any_layout_give_the_same_tree(lay_out):
    X = lay_out(IRIS.data)
    model = DecisionTreeClassifier().fit(X, IRIS.target)
    plain = DecisionTreeClassifier().fit(IRIS.data, IRIS.target)

    assert model.tree_.equals(plain.tree_)
    assert model.n_features_in_ == 4
    assert not hasattr(model, "feature_names_in_")
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(IRIS.data))


def test_float32_is_read_as_it_is():
    single = IRIS.data.astype(np.float32)
    from_single = DecisionTreeClassifier().fit(single, IRIS.target)
    from_double = DecisionTreeClassifier().fit(single.astype(np.float64), IRIS.target)
    assert from_single.tree_.equals(from_double.tree_)


def test_names_are_forgotten_when_fitted_again_without():
    model = DecisionTreeClassifier().fit(FRAME, IRIS.target)
    assert not hasattr(model.fit(IRIS.data, IRIS.target), "feature_names_in_")
    model.fit(as_table(FRAME), IRIS.target)
    assert not hasattr(model.fit(as_table(IRIS.data), IRIS.target), "feature_names_in_")


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply"])
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_columns_are_matched_by_name(fitted, method, library):
    shuffled = library({name: FRAME[name].to_numpy() for name in reversed(NAMES)})
    np.testing.assert_array_equal(getattr(fitted, method)(shuffled), getattr(fitted, method)(FRAME))
    assert fitted.score(shuffled, IRIS.target) == 1.0


def test_an_extra_column_is_ignored_with_a_warning(fitted):
    with pytest.warns(UserWarning, match="ignored 1 column not in the model: 'colour'"):
        answers = fitted.predict(FRAME.assign(colour="blue"))
    np.testing.assert_array_equal(answers, fitted.predict(FRAME))


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_log_proba", "apply", "decision_path"])
def test_a_missing_column_is_refused_by_name(fitted, method):
    with pytest.raises(ValueError, match="'petal width'"):
        getattr(fitted, method)(FRAME.drop(columns="petal width"))


def test_names_on_one_side_only_are_matched_by_position_with_a_warning(fitted):
    with pytest.warns(
        UserWarning, match="X does not have valid feature names, but DecisionTreeClassifier was fitted with"
    ):
        np.testing.assert_array_equal(fitted.predict(IRIS.data), fitted.predict(FRAME))
    plain = DecisionTreeClassifier().fit(IRIS.data, IRIS.target)
    with pytest.warns(UserWarning, match="X has feature names, but DecisionTreeClassifier was fitted without"):
        np.testing.assert_array_equal(plain.predict(FRAME), fitted.predict(FRAME))


@pytest.mark.parametrize("X", [IRIS.data[:, :3], pd.DataFrame(IRIS.data[:, :3])], ids=["array", "unnamed frame"])
def test_a_different_number_of_columns_is_refused(X):
    plain = DecisionTreeClassifier().fit(IRIS.data, IRIS.target)
    with pytest.raises(
        ValueError, match="X has 3 features, but DecisionTreeClassifier is expecting 4 features as input"
    ):
        plain.predict(X)


def test_a_frame_whose_columns_are_numbered():
    numbered = pd.DataFrame(IRIS.data)
    model = DecisionTreeClassifier().fit(numbered, IRIS.target)
    assert not hasattr(model, "feature_names_in_")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(model.predict(numbered), model.predict(IRIS.data))


@pytest.mark.parametrize("estimator", [DecisionTreeClassifier(), DecisionTreeRegressor()])
def test_inputs_that_are_refused(estimator):
    y = [0, 1, 0]
    refused = {
        r"[Ss]parse": sparse.csr_array(np.eye(3)),
        "0 feature": np.empty((3, 0)),
        "Expected 2D array": np.arange(3.0),
        "infinite": np.array([[0.0], [np.inf], [1.0]]),
        "mask would be lost": np.ma.array(np.zeros((3, 1)), mask=np.eye(3, 1)),
        "frame.collect": pl.DataFrame({"a": [1, 2, 3]}).lazy(),
        "'a' stands more than once": pd.DataFrame(np.zeros((3, 2)), columns=["a", "a"]),
        "string names": pd.DataFrame(np.zeros((3, 2)), columns=["a", 0]),
        "'x1', row 2.*not exact": [[0, 1], [1, 2], [2, 2**53 + 1]],
        "inconsistent numbers of samples": np.zeros((2, 1)),
    }
    for said, X in refused.items():
        with pytest.raises((ValueError, TypeError), match=said):
            estimator.fit(X, y)
    for X in (np.empty((0, 2)), pd.DataFrame({"a": np.empty(0)}), as_table(np.empty((0, 2)))):
        with pytest.raises(ValueError, match=r"0 row|0 sample"):
            estimator.fit(X, [])


def test_predict_refuses_what_fit_refuses():
    model = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    for X, said in (([1.0], "Expected 2D array"), ([], "Expected 2D array"), ([[np.inf]], "'x0', row 0: infinite")):
        with pytest.raises(ValueError, match=said):
            model.predict(X)
    assert model.predict(np.empty((0, 1))).shape == (0,)


def test_text_levels_of_frames_and_of_declared_array_columns():
    colour = ["red", "red", "blue", "green", "blue", None]
    size = [1.0, 2.0, 1.0, 2.0, 3.0, 4.0]
    y = ["p", "p", "q", "q", "q", "p"]
    frame = pd.DataFrame({"colour": colour, "size": size})
    by_type = DecisionTreeClassifier().fit(frame, y)
    assert by_type.predict(frame).tolist() == y

    cells = [list(row) for row in zip(colour, size, strict=True)]
    for X in (cells, np.array(cells, dtype=object)):
        declared = DecisionTreeClassifier(categorical_features=[0]).fit(X, y)
        assert declared.predict(X).tolist() == y
        np.testing.assert_array_equal(declared.apply(X), by_type.apply(frame))


def test_undeclared_text_in_an_array_is_refused():
    with pytest.raises(ValueError, match=r"column 'x0', row 0: 'red' is not a number; .*categorical_features"):
        DecisionTreeClassifier().fit([["red", 1.0], ["blue", 2.0]], [0, 1])


def test_a_column_declared_by_name():
    frame = pd.DataFrame({"code": [0, 1, 2, 3] * 3, "other": np.arange(12)})
    y = [0, 1, 0, 1] * 3
    model = DecisionTreeClassifier(categorical_features=["code"], max_depth=1).fit(frame, y)
    assert model.score(frame, y) == 1.0
    assert model.tree_.schema.columns[0].levels == (0, 1, 2, 3)


def test_a_level_that_training_did_not_have():
    frame = pd.DataFrame({"c": ["a"] * 4 + ["b"] * 4 + ["d"] * 4})
    y = ["p"] * 4 + ["q"] * 4 + ["p"] * 4
    unseen = pd.DataFrame({"c": ["z"]})
    stop = DecisionTreeClassifier().fit(frame, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert stop.apply(unseen).tolist() == [0]
        np.testing.assert_allclose(stop.predict_proba(unseen), [[8 / 12, 4 / 12]])
        with pytest.raises(ValueError, match=r"row 0.*'c'"):
            DecisionTreeClassifier(unseen="error").fit(frame, y).predict(unseen)


def test_monotone_constraints_by_name_and_by_position():
    generator = np.random.default_rng(0)
    X = generator.random((200, 2))
    y = 2 * X[:, 0] + generator.normal(size=200)
    frame = pd.DataFrame(X, columns=["income", "age"])
    by_name = DecisionTreeRegressor(monotonic_cst={"income": 1}).fit(frame, y)
    by_position = DecisionTreeRegressor(monotonic_cst=[1, 0]).fit(frame, y)

    assert by_name.tree_.equals(by_position.tree_)
    grid = np.linspace(0, 1, 50)
    for age in (0.1, 0.5, 0.9):
        answers = by_name.predict(pd.DataFrame({"income": grid, "age": age}))
        assert (np.diff(answers) >= 0).all()
