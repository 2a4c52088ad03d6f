"""How databases write what a tree needs: names, texts, doubles, dates.

A double is written so that the database compares doubles, never decimals of fixed digits: as a cast from its shortest
text where that is read with correct rounding, and in SQLite, whose reading is not always, as a quotient or product of
whole numbers by powers of two, which is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

__all__ = ["DIALECTS", "Dialect", "dialect_named"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One database's spelling; {} in a template is the thing itself.

    is_nan: a test of a double for NaN, "" where NaN cannot be stored. text_column: a column compared by code point.
    folds_case: whether quoted names that differ by case only are the same.
    """

    name: str
    identifier: Callable[[str], str]
    text: Callable[[str], str]
    number: Callable[[float], str]
    double_column: str
    text_column: str
    is_nan: str
    date: str
    timestamp: str
    timestamp_utc: str
    folds_case: bool = False


def _standard_identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _bigquery_identifier(name: str) -> str:
    return "`" + _backslashed(name, "`") + "`"


def _standard_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _snowflake_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def _bigquery_text(text: str) -> str:
    return "'" + _backslashed(text, "'") + "'"


def _backslashed(text: str, quote: str) -> str:
    escaped = text.replace("\\", "\\\\").replace(quote, "\\" + quote)
    return escaped.replace("\n", "\\n").replace("\r", "\\r")


def _cast(kind: str) -> Callable[[float], str]:
    return lambda value: f"CAST('{value!r}' AS {kind})"


def _approximate(value: float) -> str:
    """The standard's approximate literal, which has an exponent."""
    said = repr(value)
    return said.replace("e", "E") if "e" in said else said + "E0"


STEP = 50  # a power of two whose sixteen digits every reader takes exactly


def _whole_by_powers(value: float) -> str:
    if value == int(value) and abs(value) < 1e15:
        return f"{value:.1f}"
    whole, power = value.as_integer_ratio()
    exponent = 1 - power.bit_length()
    while whole % 2 == 0:
        whole, exponent = whole // 2, exponent + 1
    sign = "*" if exponent > 0 else "/"
    steps = [STEP] * (abs(exponent) // STEP) + [abs(exponent) % STEP]
    return f"({whole}.0" + "".join(f" {sign} {2.0**step:.1f}" for step in steps if step) + f" /* {value!r} */)"


def _sqlite_number(value: float) -> str:
    # A short decimal that is a binary fraction too (2.5, 0.125) is read exactly by any method.
    said = repr(value)
    if len(said) < 15 and "e" not in said and Decimal(said) == value:
        return said
    return _whole_by_powers(value)


_STANDARD = {
    "identifier": _standard_identifier,
    "text": _standard_text,
    "text_column": "{}",
    "double_column": "CAST({} AS DOUBLE PRECISION)",
    "date": "DATE '{}'",
    "timestamp": "TIMESTAMP '{}'",
}

DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect(name="ansi", number=_approximate, is_nan="", timestamp_utc="TIMESTAMP '{}+00:00'", **_STANDARD),  # type: ignore[arg-type]
        Dialect(
            name="sqlite",
            identifier=_standard_identifier,
            text=_standard_text,
            number=_sqlite_number,
            double_column="CAST({} AS REAL)",
            text_column="CAST({} AS TEXT) COLLATE BINARY",
            is_nan="",
            date="'{}'",
            timestamp="'{}'",
            timestamp_utc="'{}+00:00'",
            folds_case=True,
        ),
        Dialect(
            name="postgresql",
            number=_cast("DOUBLE PRECISION"),
            is_nan="{} = CAST('NaN' AS DOUBLE PRECISION)",
            timestamp_utc="TIMESTAMPTZ '{}+00'",
            **_STANDARD | {"text_column": 'CAST({} AS TEXT) COLLATE "C"'},  # type: ignore[arg-type]
        ),
        Dialect(
            name="duckdb",
            number=_cast("DOUBLE"),
            is_nan="isnan({})",
            timestamp_utc="TIMESTAMPTZ '{}+00'",
            folds_case=True,
            **_STANDARD | {"text_column": "CAST({} AS VARCHAR)", "double_column": "CAST({} AS DOUBLE)"},  # type: ignore[arg-type]
        ),
        Dialect(
            name="bigquery",
            identifier=_bigquery_identifier,
            text=_bigquery_text,
            number=_cast("FLOAT64"),
            double_column="CAST({} AS FLOAT64)",
            text_column="COLLATE({}, '')",
            is_nan="IS_NAN({})",
            date="DATE '{}'",
            timestamp="DATETIME '{}'",
            timestamp_utc="TIMESTAMP '{}+00'",
            folds_case=True,
        ),
        Dialect(
            name="snowflake",
            identifier=_standard_identifier,
            text=_snowflake_text,
            number=_cast("DOUBLE"),
            double_column="CAST({} AS DOUBLE)",
            text_column="COLLATE({}, 'bin')",
            is_nan="{} = CAST('NaN' AS DOUBLE)",
            date="DATE '{}'",
            timestamp="CAST('{}' AS TIMESTAMP_NTZ)",
            timestamp_utc="CAST('{} +00:00' AS TIMESTAMP_TZ)",
        ),
    )
}


def dialect_named(name: str) -> Dialect:
    """The dialect of that name. Raises ValueError listing the names there are."""
    if not isinstance(name, str) or name not in DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(map(repr, DIALECTS))}, got {name!r}")
    return DIALECTS[name]
