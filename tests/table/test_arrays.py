"""Arrays: viewed, not copied; every cell exact or refused by name."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from bristlecone.table import CellError, Kind, Table, as_table


@pytest.mark.parametrize("cell", [10**400, -(10**5000), Fraction(10**400, 3), Decimal("1e400")], ids=type)
def test_numbers_beyond_float64_are_refused_by_cell(cell):
    numbers = as_table([[1.0], [2.0]]).schema
    for read in (as_table, numbers.read):
        with pytest.raises(CellError, match=r"column 'x0', row 1: .*float64"):
            read([[1.0], [cell]])
    levels = as_table([[1], [cell]], categorical_features=[0])
    assert cell in levels.schema.columns[0].levels
    if isinstance(cell, int):
        with pytest.raises(CellError, match=r"column 'x0': .*beyond the range of float64"):
            numbers.read(levels)


@pytest.mark.skipif(np.finfo(np.longdouble).maxexp <= 1024, reason="long doubles are doubles here")
def test_long_doubles_beyond_float64_are_refused():
    with pytest.raises(CellError, match="column 'x0', row 1"):
        as_table(np.array([[1.0], [np.longdouble("1e400")]]))


@pytest.mark.parametrize("X", [{"a": [1, 2]}, [{"a": 1}, {"a": 2}]])
def test_dicts_are_sent_to_a_frame(X):
    with pytest.raises(ValueError, match=r"Expected 2D array, .* pass pandas\.DataFrame\(X\)"):
        as_table(X)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_floats_are_views(order, dtype):
    X = np.asarray(np.arange(12.0).reshape(4, 3), dtype=dtype, order=order)
    for array in (X, X[::2, ::-1]):
        table = as_table(array)
        assert all(np.shares_memory(column, X) for column in table.columns)
        assert [column.tolist() for column in table.columns] == array.T.tolist()
        assert table.core.n_rows == len(array)


def test_made_up_and_given_names():
    assert as_table(np.zeros((2, 2))).schema.names == ("x0", "x1")
    assert not as_table(np.zeros((2, 2))).schema.named
    table = as_table(np.zeros((2, 2)), names=["a", "b"])
    assert table.schema.names == ("a", "b")
    assert table.schema.named
    with pytest.raises(ValueError, match="3 entries for 2 columns"):
        as_table(np.zeros((2, 2)), names=["a", "b", "c"])
    with pytest.raises(ValueError, match="'a' stands more than once"):
        as_table(np.zeros((2, 2)), names=["a", "a"])


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "uint64", ">f8", ">f4", "float16", "longdouble"])
def test_other_numbers_become_float64(dtype):
    table = as_table(np.arange(6).reshape(3, 2).astype(dtype))
    assert [c.kind for c in table.schema.columns] == [Kind.NUMERIC] * 2
    assert table.columns[1].dtype == np.float64
    assert table.columns[1].tolist() == [1.0, 3.0, 5.0]


@given(npst.arrays(np.int64, st.tuples(st.integers(1, 6), st.just(1))))
def test_whole_numbers_are_exact_or_refused(X):
    exact = all(int(float(v)) == v for v in X[:, 0].tolist())
    if exact:
        assert [int(v) for v in as_table(X).columns[0]] == X[:, 0].tolist()
    else:
        with pytest.raises(ValueError, match=r"column 'x0', row .* is not exact in float64"):
            as_table(X)


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 2**63 - 1])
def test_long_whole_numbers_are_named(value):
    with pytest.raises(ValueError, match=f"column 'x1', row 2: {value} is not exact"):
        as_table(np.array([[0, 0], [0, 2**60], [0, value]]))
    with pytest.raises(ValueError, match=r"x0.*row 0"):
        as_table(np.array([[2**64 - 1]], dtype=np.uint64))
    levels = as_table(np.array([[2**53, 0], [2**53 + 1, 1]]), categorical_features=[0]).schema.columns[0].levels
    assert levels == (2**53, 2**53 + 1)


def test_long_doubles_that_would_be_rounded_are_refused():
    if np.finfo(np.longdouble).nmant > 52:
        with pytest.raises(ValueError, match="'x0', row 1"):
            as_table(np.array([[0], [np.longdouble(1) + np.longdouble(2) ** -60]], dtype=np.longdouble))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
def test_infinite_cells_are_named_among_missing_ones(order, infinite):
    X = np.asarray(np.zeros((20_000, 3)), order=order)
    X[5, 0] = np.nan
    as_table(X)
    X[17_001, 2] = infinite
    with pytest.raises(ValueError, match=rf"column 'x2', row 17001: infinite value \({infinite}\)"):
        as_table(X)


def test_large_finite_numbers_are_not_infinite():
    assert as_table(np.full((10, 2), 1.7e308)).n_rows == 10


def test_booleans_and_dates():
    table = as_table(np.array([[True, False], [False, False]]))
    assert [c.kind for c in table.schema.columns] == [Kind.BOOLEAN] * 2
    assert table.row(0) == {"x0": True, "x1": False}
    days = as_table(np.array([["2024-02-29"], ["NaT"]], dtype="M8[D]"))
    assert days.schema.columns[0].unit == "D"
    assert days.columns[0][0] == 19782.0
    assert np.isnan(days.columns[0][1])


def test_nanoseconds_are_exact_or_refused():
    exact = as_table(np.array([["2024-01-01T00:00:00.000001000"]], dtype="M8[ns]"))
    assert exact.schema.columns[0].format(exact.columns[0][0]) == "2024-01-01T00:00:00.000001"
    with pytest.raises(ValueError, match=r"column 'x0', row 1.*microseconds"):
        as_table(np.array([["NaT"], ["2024-01-01T00:00:00.000000001"]], dtype="M8[ns]"))
    assert as_table(np.array([["9999-12-31T23:59:59"]], dtype="M8[s]")).row(0)["x0"].year == 9999
    with pytest.raises(ValueError, match="not exact"):
        as_table(np.array([["9999-12-31T23:59:59.000001"]], dtype="M8[us]"))


def test_object_cells_of_one_kind_are_numbers():
    X = np.array([[1, True], [None, False], [2.5, None]], dtype=object)
    table = as_table(X)
    assert [c.kind for c in table.schema.columns] == [Kind.NUMERIC, Kind.BOOLEAN]
    assert np.isnan(table.columns[0][1])
    with pytest.raises(ValueError, match=r"'x0', row 0.*not exact"):
        as_table(np.array([[2**53 + 1]], dtype=object))


def test_text_in_arrays_must_be_asked_for():
    X = np.array([["b", 1], ["a", 2], [None, 3]], dtype=object)
    with pytest.raises(ValueError, match=r"column 'x0', row 0: 'b' is not a number.*categorical_features"):
        as_table(X)
    table = as_table(X, categorical_features=[0])
    assert table.schema.columns[0].levels == ("a", "b")
    assert table.columns[0].tolist() == [1, 0, -1]
    with pytest.raises(ValueError, match="'1' is not a number"):
        as_table(np.array([["1", "2"]]))
    assert as_table([["u", 1.5]], categorical_features=[0]).row(0) == {"x0": "u", "x1": 1.5}


def test_cells_that_are_no_scalars_are_refused():
    X = np.array([[1.0], [2.0]], dtype=object)
    X[1, 0] = {"a": 1}
    with pytest.raises(TypeError, match="column 'x0', row 1: the argument must be a string or a number, not 'dict'"):
        as_table(X)


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (np.zeros(3), ValueError, "Reshape your data"),
        (np.zeros((2, 2, 2)), ValueError, "3D"),
        (np.zeros((3, 0)), ValueError, "0 feature"),
        (np.zeros((3, 1), dtype=complex), ValueError, "Complex data not supported"),
        (np.zeros((3, 1), dtype="m8[s]"), TypeError, "timedelta"),
        (np.ma.masked_array(np.zeros((2, 1)), mask=True), TypeError, "filled"),
        ({"a": [1]}, ValueError, "0D|dict"),
        (np.zeros(2, dtype=[("a", "f8")]), TypeError, "not supported"),
    ],
)
def test_other_inputs_are_refused(X, error, message):
    with pytest.raises(error, match=message):
        as_table(X)


def test_sparse_matrices_are_refused():
    from scipy.sparse import csr_array

    with pytest.raises(TypeError, match="toarray"):
        as_table(csr_array(np.eye(2)))


@pytest.mark.parametrize("cells", [[-3, 0, 15, 50], [-3.0, 0.0, 15.0, 50.0]])
def test_c26_codes_that_are_negative_or_spread_out_are_levels_by_value(cells):
    X = np.array(cells * 5).reshape(-1, 1)
    table = as_table(X, categorical_features=[0])
    assert table.schema.columns[0].levels == (-3, 0, 15, 50)
    assert [type(level) for level in table.schema.columns[0].levels] == [int] * 4
    assert table.columns[0][:4].tolist() == [0, 1, 2, 3]
    assert not table["x0"].missing.any()
    again = table.schema.read(np.array([[50.0], [-3.0], [7.0], [np.nan]]))
    assert again.columns[0].tolist() == [3, 0, -2, -1]
    assert again.core.n_rows == 4


@pytest.mark.parametrize("which", [[1], ["x1"], [False, True], np.array([1]), np.array([False, True])])
def test_categorical_features_as_in_scikit_learn(which):
    table = as_table(np.array([[1.5, 2], [2.5, 7]]), categorical_features=which)
    assert [c.categorical for c in table.schema.columns] == [False, True]


@pytest.mark.parametrize(
    ("which", "message"),
    [([2], "names 2"), ([-1], "names -1"), (["z"], "'z'"), ([True], r"mask of shape \(1,\)"), ("all", "from_dtype")],
)
def test_wrong_categorical_features_are_named(which, message):
    with pytest.raises(ValueError, match=message):
        as_table(np.zeros((2, 2)), categorical_features=which)


def test_tables_can_be_taken_apart():
    X = np.array([[1.0, 3.0], [np.nan, 5.0], [2.0, 3.0]])
    table = as_table(X, categorical_features=[1])
    assert as_table(table) is table
    assert table.schema.read(table) is table
    assert len(table) == 3
    part = table.take([2, 0])
    assert part.schema is table.schema
    assert [part.row(i) for i in range(2)] == [{"x0": 2.0, "x1": 3}, {"x0": 1.0, "x1": 3}]
    assert table.take(np.array([False, True, False])).row(0) == {"x0": None, "x1": 5}
    assert table.take([]).n_rows == 0
    assert table.values("x1").tolist() == [3, 5, 3]
    assert np.isnan(table.values("x0")[1])
    assert part.values("x0").dtype == np.int64
    with pytest.raises(KeyError):
        table["nope"]
    copy = Table.__reduce__(table)
    assert Table(*copy[1]).schema == table.schema


def test_a_table_checks_its_arrays():
    schema = as_table(np.zeros((2, 1))).schema
    with pytest.raises(ValueError, match="2 arrays for 1 columns"):
        Table(schema, [np.zeros(2), np.zeros(2)])
    with pytest.raises(ValueError, match="'x0' of kind numeric cannot hold int64"):
        Table(schema, [np.zeros(2, dtype=np.int64)])
    with pytest.raises(ValueError, match="'x0' has shape"):
        Table(schema, [np.zeros(2)], n_rows=3)


def test_no_rows_are_a_table_too():
    table = as_table(np.zeros((0, 2)), categorical_features=[1])
    assert table.n_rows == 0
    assert table.core.n_rows == 0
