"""Messy users: columns of every type and frames of every library."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import bristlecone as bc
from bristlecone.grow import cart

NAN = np.nan


def _plain():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 20, (60, 3)).astype(float)
    return X, rng.integers(0, 3, 60)


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
