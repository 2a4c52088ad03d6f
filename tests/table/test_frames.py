"""Frames of three libraries give the same table, and new frames are read by name."""

import datetime as dt
import decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bristlecone.table import ColumnSchema, Kind, Schema, Table, as_table

DATA = {
    "n": [1.5, None, 3.0],
    "i": [1, None, 3],
    "yes": [True, None, False],
    "word": ["b", None, ""],
    "day": [dt.date(2024, 2, 29), None, dt.date(1969, 12, 31)],
    "at": [dt.datetime(2024, 2, 29, 1, 2, 3, 4), None, dt.datetime(1969, 12, 31)],
}
MAKERS = {
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "pandas": pd.DataFrame,
    "pandas_nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
    "pandas_arrow": lambda data: pa.table(data).to_pandas(types_mapper=pd.ArrowDtype),
    "narwhals": lambda data: nw.from_native(pl.DataFrame(data)),
}


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


def test_every_library_gives_the_same_table(make):
    table = as_table(make(DATA))
    assert [c.kind.value for c in table.schema.columns] == [
        "numeric", "numeric", "boolean", "category", "date", "datetime",
    ]  # fmt: skip
    for i in range(3):
        assert table.row(i) == {name: cells[i] for name, cells in DATA.items()}
    assert table.core.n_rows == 3


def test_the_empty_string_is_a_level_and_null_is_not(make):
    table = as_table(make({"word": ["b", None, ""]}))
    assert table.schema.columns[0].levels == ("", "b")
    assert table.columns[0].tolist() == [1, -1, 0]


def test_time_zones_are_kept_as_utc():
    moments = pd.Series(pd.to_datetime(["2024-07-01 12:00", None])).dt.tz_localize("Europe/Paris")
    for frame in (pd.DataFrame({"at": moments}), pl.DataFrame({"at": moments}), pa.table({"at": pa.array(moments)})):
        table = as_table(frame)
        assert table.schema.columns[0].unit == "us UTC"
        assert table.row(0)["at"] == dt.datetime(2024, 7, 1, 10, tzinfo=dt.UTC)
        said = r"column 'at', row 0: 2024-07-01 10:00:00.* has no time zone; .* with a time zone"
        with pytest.raises(TypeError, match=said):
            table.schema.read(pl.DataFrame({"at": [dt.datetime(2024, 7, 1, 10)]}))


def test_nanoseconds_that_would_be_lost_are_refused():
    frame = pl.DataFrame({"at": pl.Series([None, 1_000, 1_001]).cast(pl.Datetime("ns"))})
    with pytest.raises(ValueError, match="column 'at', row 2"):
        as_table(frame)
    with pytest.raises(ValueError, match="column 'at', row 2"):
        as_table(frame, categorical_features=["at"])
    assert as_table(frame[:2]).columns[0][1] == 1.0
    stamp = pd.Timestamp("2024-01-01 00:00:00.000000001")
    with pytest.raises(ValueError, match="column 'at', row 1"):
        as_table(pd.DataFrame({"at": pd.Series([None, stamp], dtype=object)}))


def test_declared_categories_keep_their_order():
    pandas = pd.DataFrame({"c": pd.Categorical(["lo", "hi", None], categories=["lo", "mid", "hi"])})
    assert as_table(pandas).schema.columns[0].levels == ("lo", "mid", "hi")
    assert as_table(pandas).columns[0].tolist() == [0, 2, -1]
    ordered = pd.DataFrame({"c": pd.Categorical([3, 1], categories=[3, 1, 2], ordered=True)})
    assert as_table(ordered).schema.columns[0].levels == (3, 1, 2)
    numbers = pd.DataFrame({"c": pd.Categorical([3, 1, None], categories=[3, 1])})
    assert as_table(numbers).columns[0].tolist() == [0, 1, -1]
    enum = pl.DataFrame({"c": pl.Series(["lo", None], dtype=pl.Enum(["lo", "mid", "hi"]))})
    assert as_table(enum).schema.columns[0].levels == ("lo", "mid", "hi")
    arrow = pa.table({"c": pa.array(["lo", "hi", None, "lo"]).dictionary_encode()})
    assert as_table(arrow).schema.columns[0].levels == ("lo", "hi")
    assert as_table(arrow).columns[0].tolist() == [0, 1, -1, 0]


def test_polars_categoricals_do_not_depend_on_other_columns_of_the_process():
    pl.Series(["zz", "b"], dtype=pl.Categorical)
    table = as_table(pl.DataFrame({"c": pl.Series(["b", "a", None], dtype=pl.Categorical)}))
    assert table.schema.columns[0].levels == ("a", "b")


def test_object_columns_hold_any_hashable_scalars():
    cells = pd.Series([1, "x", None, 2.5, "x", ""], dtype=object)
    table = as_table(pd.DataFrame({"c": cells}))
    assert table.schema.columns[0].levels == (1, 2.5, "", "x")
    assert table.columns[0].tolist() == [0, 3, -1, 1, 3, 2]
    dates = as_table(pd.DataFrame({"d": pd.Series([dt.date(2024, 1, 1), None], dtype=object)}))
    assert dates.schema.columns[0].kind is Kind.DATE
    with pytest.raises(TypeError, match=r"column 'c', row 1: .*'list'"):
        as_table(pd.DataFrame({"c": pd.Series([1, [2]], dtype=object)}))
    mixed = pd.Series([dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 1, tzinfo=dt.UTC)], dtype=object)
    with pytest.raises(ValueError, match="column 'd': some datetimes carry a time zone"):
        as_table(pd.DataFrame({"d": mixed}))


def test_long_integers_with_nulls_are_not_rounded():
    for series in (pd.Series([1, None, 2**53 + 1], dtype="Int64"), pl.Series([1, None, 2**53 + 1])):
        frame = series.to_frame("id")
        with pytest.raises(ValueError, match=f"column 'id'.*{2**53 + 1} is not exact"):
            as_table(frame)
        levels = as_table(frame, categorical_features=["id"]).schema.columns[0].levels
        assert levels == (1, 2**53 + 1)
    wide = pl.DataFrame({"id": pl.Series([5, 2**100 + 1], dtype=pl.Int128)})
    with pytest.raises(ValueError, match="column 'id', row 1"):
        as_table(wide)


def test_decimals_are_taken_where_nothing_is_merged():
    one, long = decimal.Decimal("0.10"), decimal.Decimal("0.12345678901234567891")
    assert as_table(pa.table({"d": [one, None]})).columns[0][0] == 0.1
    with pytest.raises(ValueError, match="column 'd', row 0"):
        as_table(pa.table({"d": [long]}))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pl.DataFrame({"a": [[1], [2]]}), "column 'a': type List"),
        (pl.DataFrame({"a": [{"b": 1}]}), "column 'a': type Struct"),
        (pl.DataFrame({"a": [dt.timedelta(1)]}), "column 'a': type Duration"),
        (pl.DataFrame({"a": [dt.time(1)]}), "column 'a': type Time"),
        (pl.DataFrame({"a": [b"x"]}), "column 'a': type Binary"),
        (pd.DataFrame({"a": pd.to_timedelta([1])}), "column 'a': type timedelta64"),
        (pd.DataFrame({"a": [1j]}), "column 'a': type complex"),
        (pd.DataFrame({"a": pd.period_range("2024", periods=2, freq="D")}), "column 'a': type period"),
        (pa.table({"a": [{"b": 1}]}), "column 'a': type struct"),
    ],
)
def test_unknown_kinds_are_refused_by_name(frame, message):
    with pytest.raises(TypeError, match=message):
        as_table(frame)


def test_columns_in_which_all_is_missing_are_numbers():
    for frame in (pl.DataFrame({"a": [None, None]}), pa.table({"a": pa.nulls(2)}), pd.DataFrame({"a": [np.nan] * 2})):
        table = as_table(frame)
        assert table.schema.columns[0].kind is Kind.NUMERIC
        assert table["a"].missing.all()
    for frame in (pl.DataFrame({"a": pl.Series([None, None], dtype=pl.String)}), pd.DataFrame({"a": [None, None]})):
        words = as_table(frame)
        assert words["a"].missing.all()
        assert words.core.n_rows == 2


def test_repeated_names_lazy_frames_and_empty_frames_are_refused():
    for frame in (pd.DataFrame([[1, 2]], columns=["a", "a"]), pa.table([[1], [2]], names=["a", "a"])):
        with pytest.raises(ValueError, match="'a' stands more than once"):
            as_table(frame)
    with pytest.raises(TypeError, match="collect"):
        as_table(pl.LazyFrame({"a": [1]}))
    with pytest.raises(ValueError, match="0 feature"):
        as_table(pd.DataFrame(index=[1, 2]))


def test_pandas_names_that_are_no_text_count_as_made_up():
    table = as_table(pd.DataFrame(np.zeros((2, 2))))
    assert table.schema.names == ("0", "1")
    assert not table.schema.named
    assert table.schema.read(np.ones((1, 2))).columns[1].tolist() == [1.0]


def test_float_columns_are_not_copied():
    block = np.arange(6.0).reshape(3, 2)
    for frame in (pd.DataFrame(block, columns=["a", "b"], copy=False), pl.DataFrame({"a": block[:, 0].copy()})):
        column = frame["a"].to_numpy()
        assert np.shares_memory(as_table(frame).columns[0], column)


def test_infinite_cells_of_frames_are_named(make):
    with pytest.raises(ValueError, match=r"column 'b', row 1: infinite value \(-inf\)"):
        as_table(make({"a": [1.0, 2.0], "b": [0.0, float("-inf")]}))


def test_text_is_refused_where_no_category_is_wanted(make):
    with pytest.raises(ValueError, match="column 'w', row 1: 'x' is not a number"):
        as_table(make({"w": [None, "x"]}), categorical_features=None)
    assert as_table(make({"w": ["x"], "n": [1.0]}), categorical_features=["w"]).row(0) == {"w": "x", "n": 1.0}
    numbers = pd.DataFrame({"c": pd.Categorical([3, 1], categories=[3, 1])})
    assert as_table(numbers, categorical_features=None).columns[0].tolist() == [3.0, 1.0]


# --- read again by a schema -----------------------------------------------------------------------------------------


def test_columns_are_matched_by_name(make):
    schema = as_table(make({"a": [1.0], "w": ["x"]})).schema
    table = schema.read(make({"extra": [5], "w": ["y"], "more": ["q"], "a": [2]}))
    assert table.schema is schema
    assert table.columns[0].tolist() == [2.0]
    assert table.columns[1].tolist() == [-2]
    assert table.notes == ("ignored 2 columns not in the model: 'extra', 'more'",)
    with pytest.raises(ValueError, match="lacks the columns 'a', 'w'"):
        schema.read(make({"b": [1]}))


def test_c24_missing_and_unseen_are_two_things():
    schema = as_table(pd.DataFrame({"c": ["a"] * 4 + ["b"] * 4 + ["d"] * 4})).schema
    table = schema.read(pd.DataFrame({"c": ["z", None, "d"]}))
    assert table.columns[0].tolist() == [-2, -1, 2]
    assert table["c"].missing.tolist() == [False, True, False]
    assert table.row(0)["c"] == table.take([0]).row(0)["c"] == "z"
    assert table.values("c").tolist() == ["z", None, "d"]
    assert repr(Table(schema, table.columns).row(0)["c"]) == "unseen level"  # only the code is known
    assert table.row(1)["c"] is None
    assert schema.read(pd.DataFrame({"c": [None, None]})).columns[0].tolist() == [-1, -1]


def test_a_record_batch_is_a_frame():
    batch = pa.record_batch({"n": [1.0, 2.0], "c": ["a", "b"]})
    schema = as_table(batch).schema
    assert schema == as_table(pa.Table.from_batches([batch])).schema
    assert schema.named
    swapped = schema.read(pa.record_batch({"c": ["b"], "n": [3.0]}))
    assert [column.tolist() for column in swapped.columns] == [[3.0], [1]]


@pytest.mark.parametrize("chosen", [{"b"}, frozenset({1}), ["b"], [1], (False, True), np.array(["b"])])
def test_categories_by_name_or_index_in_any_collection(chosen):
    schema = as_table(pd.DataFrame({"a": [1], "b": [2]}), categorical_features=chosen).schema
    assert [column.kind for column in schema.columns] == [Kind.NUMERIC, Kind.CATEGORY]


@pytest.mark.parametrize("chosen", [{"b": 1}, 3, b"b", [{1}], [None], ["c"], [2]])
def test_other_choices_of_categories_name_the_parameter(chosen):
    with pytest.raises((TypeError, ValueError), match="categorical_features"):
        as_table(pd.DataFrame({"a": [1], "b": [2]}), categorical_features=chosen)


@pytest.mark.parametrize("name", [None, float("nan")])
def test_a_column_without_a_name_is_refused(name):
    with pytest.raises(ValueError, match="column 1 of X has no name"):
        as_table(pd.DataFrame([[1, 2]], columns=pd.Index(["a", name], dtype=object)))


def test_c31_odd_names_and_levels_come_through(make):
    levels = ["3 speed", "4, x", "o'k", "", "c(1", 'say "no"']
    name = 'price, EUR "net"'
    table = as_table(make({name: [*levels, None]}))
    assert table.schema.columns[0].levels == tuple(sorted(levels))
    assert [table.row(i)[name] for i in range(7)] == [*levels, None]
    again = Schema.from_dict(table.schema.to_dict()).read(make({name: ["", None, "new"]}))
    assert again.columns[0].tolist() == [0, -1, -2]


def test_levels_are_compared_by_value():
    schema = as_table(pl.DataFrame({"c": [1, 2, 30]}), categorical_features=["c"]).schema
    for cells in ([30, 1, 7], [30.0, 1.0, 7.5], pd.Series([30, 1, 7], dtype=object)):
        assert schema.read(pd.DataFrame({"c": cells})).columns[0].tolist() == [2, 0, -2]
    text = schema.read(pd.DataFrame({"c": ["1", "2"]}))
    assert text.columns[0].tolist() == [-2, -2]
    assert "a number was learned, text was given" in text.notes[0]
    assert as_table(pl.DataFrame({"c": ["a"]})).schema.read(pl.DataFrame({"c": ["b"]})).notes == ()


def one(kind, **rest):
    return Schema((ColumnSchema("c", kind, **rest),))


def test_kinds_that_fit_are_converted_and_others_refused():
    number, yes = one(Kind.NUMERIC), one(Kind.BOOLEAN)
    day, at = one(Kind.DATE, unit="D"), one(Kind.DATETIME, unit="us")
    noon, midnight = dt.datetime(2024, 1, 2, 12), dt.datetime(2024, 1, 2)

    def cells(schema, values):
        return schema.read(pl.DataFrame({"c": values})).columns[0].tolist()

    assert cells(number, [True, False]) == [1.0, 0.0]
    assert cells(yes, [1, 0]) == [1.0, 0.0]
    assert cells(day, [midnight]) == [19724.0]
    assert cells(at, [midnight.date()]) == cells(at, [midnight])
    assert np.isnan(cells(day, pl.Series([None], dtype=pl.String))).all()
    for schema, values, message in [
        (number, ["x", "1"], "column 'c', row 0: 'x' .category. does not fit a numeric column"),
        (number, [None, noon], "column 'c', row 1: 2024-01-02 12:00:00 .datetime."),
        (yes, [1, 0, 2], r"column 'c', row 2: 2.0 \(numeric\) does not fit a boolean column"),
        (day, [midnight, noon], "column 'c', row 1: 2024-01-02 12:00:00"),
        (day, ["2024-01-02"], "column 'c', row 0: '2024-01-02'"),
        (at, [3.5], "column 'c', row 0: 3.5"),
    ]:
        with pytest.raises(ValueError, match=message):
            cells(schema, values)


def test_arrays_are_matched_by_position():
    schema = as_table(pl.DataFrame({"a": [1.0], "k": [3]}), categorical_features=["k"]).schema
    assert schema.read(np.array([[5.0, 3.0]])).row(0) == {"a": 5.0, "k": 3}
    with pytest.raises(ValueError, match="3 columns, but 2 are expected"):
        schema.read(np.zeros((1, 3)))
    words = as_table(pl.DataFrame({"w": ["x"], "a": [1.0]})).schema
    assert words.read(np.array([["x", 2.0]], dtype=object)).row(0) == {"w": "x", "a": 2.0}
    with pytest.raises(TypeError, match="column 'w': it holds text levels"):
        words.read(np.zeros((1, 2)))
    by_place = as_table(np.zeros((1, 2))).schema
    assert by_place.read(pl.DataFrame({"p": [1.0], "q": [2.0]})).columns[1].tolist() == [2.0]


def test_a_table_of_another_schema_is_recoded():
    first = as_table(pl.DataFrame({"c": ["a", "b"], "n": [1.0, 2.0]}))
    second = as_table(pl.DataFrame({"n": [7.0, 8.0, 9.0], "c": ["b", "q", None]}))
    table = first.schema.read(second)
    assert table.columns[0].tolist() == [1, -2, -1]
    assert np.shares_memory(table.columns[1], second.columns[0])
    third = first.schema.read(table)
    assert third is table
    coded = Schema((ColumnSchema("n", Kind.CATEGORY, (1, 2)),)).read(first)
    assert coded.columns[0].tolist() == [0, 1]


@given(st.lists(st.one_of(st.none(), st.sampled_from(["a", "b", "", 1, 2.5, True])), min_size=1), st.randoms())
def test_levels_do_not_depend_on_the_order_of_rows(cells, random):
    shuffled = list(cells)
    random.shuffle(shuffled)
    tables = [as_table(pd.DataFrame({"c": pd.Series(c, dtype=object)})) for c in (cells, shuffled)]
    levels = [set(map(repr, t.schema.columns[0].levels)) for t in tables]
    if True not in cells or 1 not in [c for c in cells if c is not True]:
        assert tables[0].schema == tables[1].schema
        assert levels[0] == levels[1]
    back = tables[0].values("c").tolist()
    if tables[0].schema.columns[0].categorical:
        assert back == cells


@pytest.mark.parametrize("n_columns", [3, 150])
def test_frames_of_several_types_of_numbers_are_read_alike_however_wide(n_columns):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {f"c{j}": rng.integers(0, 9, 5).astype(("i8", "f4", "f8", "u1")[j % 4]) for j in range(n_columns)}
    )
    table = as_table(frame)
    assert table.schema.names == tuple(frame.columns)
    for name in frame.columns:
        np.testing.assert_array_equal(table[name].values, frame[name].to_numpy())
    long = frame.assign(c0=2**60 + 1)
    with pytest.raises(ValueError, match=r"column 'c0', row 0: .* is not exact in float64"):
        as_table(long)
    infinite = frame.assign(c1=np.array([0, np.inf, 1, 2, 3], dtype="f4"))
    with pytest.raises(ValueError, match=r"column 'c1', row 1: infinite value"):
        as_table(infinite)


def test_levels_of_their_own():
    schema = as_table(pd.DataFrame({"c": ["a", "b"], "x": [1.0, 2.0]})).schema
    table = schema.read(pd.DataFrame({"c": ["z", "a"], "x": [1.0, 2.0]})).with_own_levels()
    assert table.schema.columns[0].levels == ("a", "z")
    assert table.row(0) == {"c": "z", "x": 1.0}
    assert (table.columns[0] >= 0).all()
