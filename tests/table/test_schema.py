"""Schemas: what they refuse, how they print numbers, and that saving loses nothing."""

import datetime as dt
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bristlecone.table import ColumnSchema, Kind, Schema

LEVELS = st.one_of(
    st.text(), st.integers(), st.floats(allow_nan=False), st.booleans(), st.dates(), st.datetimes(timezones=st.none())
)


def number(name="n"):
    return ColumnSchema(name, Kind.NUMERIC)


@given(st.lists(LEVELS, unique=True), st.text())
def test_a_saved_schema_comes_back_exactly(levels, name):
    schema = Schema((ColumnSchema(name, Kind.CATEGORY, tuple(levels)),))
    back = Schema.from_dict(json.loads(json.dumps(schema.to_dict())))
    assert back == schema
    assert [type(level) for level in back.columns[0].levels] == [type(level) for level in levels]


def test_units_and_made_up_names_are_saved():
    columns = (
        ColumnSchema("day", Kind.DATE, unit="D"),
        ColumnSchema("at", Kind.DATETIME, unit="us UTC"),
        ColumnSchema("yes", Kind.BOOLEAN),
    )
    schema = Schema(columns, named=False)
    assert Schema.from_dict(schema.to_dict()) == schema
    aware = Schema((ColumnSchema("c", Kind.CATEGORY, (dt.datetime(2024, 1, 1, tzinfo=dt.UTC),)),))
    assert Schema.from_dict(aware.to_dict()) == aware


def test_a_level_that_cannot_be_saved_is_named():
    schema = Schema((ColumnSchema("c", Kind.CATEGORY, ((1, 2),)),))
    with pytest.raises(TypeError, match=r"'c'.*\(1, 2\)"):
        schema.to_dict()


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, "named"),
        ({"named": True, "columns": [3]}, "not a column"),
        ({"named": True, "columns": [{"name": "a", "kind": "colour"}]}, "'a': unknown kind 'colour'"),
        ({"named": True, "columns": [{"name": "a", "kind": "category", "levels": [None]}]}, "not a level"),
        ({"named": True, "columns": [{"name": "a", "kind": "category", "levels": [{"float": "x"}]}]}, "could not"),
        ({"named": True, "columns": [{"name": "a", "kind": "category", "levels": 3}]}, "must be a list"),
        ({"named": True, "columns": [{"name": "a", "kind": "numeric"}] * 2}, "'a' stands more than once"),
        ({"named": True, "columns": [{"name": "a", "kind": "date", "unit": "us"}]}, "unit 'us'"),
    ],
)
def test_a_document_that_is_no_schema_is_refused(document, message):
    with pytest.raises(ValueError, match=message):
        Schema.from_dict(document)


def test_schemas_refuse_what_makes_no_sense():
    for bad in ({"levels": ("a", "a")}, {"levels": (1, 1.0)}, {"levels": (None,)}, {"levels": (math.nan,)}):
        with pytest.raises(ValueError, match="'c'"):
            ColumnSchema("c", Kind.CATEGORY, **bad)
    with pytest.raises(ValueError, match="has no levels"):
        ColumnSchema("c", Kind.NUMERIC, ("a",))
    with pytest.raises(ValueError, match="'n' stands more than once"):
        Schema((number(), number()))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_printed_numbers_read_back_as_the_same_float(value):
    text = number().format(value)
    assert float(text) == value
    assert not text.endswith(".0")


def test_numbers_print_as_people_write_them():
    assert [number().format(v) for v in (2.5, 20250614.5, 3.0, -0.0, 1e22)] == ["2.5", "20250614.5", "3", "0", "1e+22"]
    yes = ColumnSchema("yes", Kind.BOOLEAN)
    assert [yes.format(v) for v in (0.0, 1.0, 0.5)] == ["false", "true", "0.5"]


def test_dates_print_as_iso_dates():
    day = ColumnSchema("day", Kind.DATE, unit="D")
    assert day.format(0.0) == "1970-01-01"
    assert day.format(18000.5) == "2019-04-14T12:00:00"
    assert day.format(-1.0) == "1969-12-31"
    assert day.format(4e6) == "12921-08-18"
    assert day.format(math.inf) == "inf"
    assert day.format(1e300) == "1e+300 days after 1970-01-01"
    assert day.format(float(2**53)) == "9007199254740992 days after 1970-01-01"


def test_datetimes_print_every_digit_they_have():
    at = ColumnSchema("at", Kind.DATETIME, unit="us")
    utc = ColumnSchema("at", Kind.DATETIME, unit="us UTC")
    assert at.format(1.5) == "1970-01-01T00:00:00.0000015"
    assert at.format(1e6) == "1970-01-01T00:00:01"
    assert at.format(-1.0) == "1969-12-31T23:59:59.999999"
    assert utc.format(1e6) == "1970-01-01T00:00:01Z"
    assert at.format(math.nan) == "nan"


@given(st.datetimes())
def test_printed_datetimes_read_back(when):
    micros = (when - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)
    if int(float(micros)) == micros:
        text = ColumnSchema("at", Kind.DATETIME, unit="us").format(float(micros))
        assert np.datetime64(text, "us") == np.datetime64(when, "us")
