"""A column as a schema wants it: the same kind of cells, levels in the schema's codes.

Levels are compared by value, with Python's `==`: the integer 1 and the float 1.0 are one level, the number 1 and the
text "1" are two. Nothing is parsed or guessed here; a column of another kind is refused by name.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.table.cells import category
from bristlecone.table.columns import Column, Values, cell_of
from bristlecone.table.dates import MICROSECONDS, US_PER_DAY
from bristlecone.table.errors import CellError, CellTypeError
from bristlecone.table.schema import MISSING_CODE, UNSEEN_CODE, ColumnSchema, Kind


def adapt(column: Column, wanted: ColumnSchema) -> tuple[Values, str]:
    """The column's cells as `wanted` holds them, and a note for people ("" when there is nothing to tell).

    Raises TypeError or ValueError naming the column, and the first row that does not fit.
    """
    if wanted.kind is Kind.CATEGORY:
        return _as_codes(column, wanted)
    if column.schema.kind is wanted.kind and column.schema.unit == wanted.unit:
        return column.values, ""
    if column.missing.all():
        return np.full(len(column.values), np.nan), ""
    if column.schema.categorical:
        return _numbers_of_levels(column, wanted), ""
    kinds = (column.schema.kind, wanted.kind)
    if kinds == (Kind.BOOLEAN, Kind.NUMERIC):
        return column.values, ""
    if kinds == (Kind.NUMERIC, Kind.BOOLEAN):
        return _zeros_and_ones(column, wanted), ""
    if kinds == (Kind.DATE, Kind.DATETIME) and wanted.unit == MICROSECONDS:
        return column.values.astype(np.float64) * US_PER_DAY, ""
    if kinds == (Kind.DATETIME, Kind.DATE) and column.schema.unit == MICROSECONDS:
        return _whole_days(column, wanted), ""
    raise CellTypeError(*_wrong_kind(column, wanted, int(np.flatnonzero(~column.missing)[0])))


def _as_codes(column: Column, wanted: ColumnSchema) -> tuple[Values, str]:
    if not column.schema.categorical:
        values = column.values
        cells = [None if gone else cell_of(column.schema, v) for v, gone in zip(values, column.missing, strict=True)]
        column = category(wanted.name, cells)
    if column.schema.levels == wanted.levels:
        return column.values, ""
    code_of = {level: code for code, level in enumerate(wanted.levels)}
    codes = [code_of.get(level, UNSEEN_CODE) for level in column.schema.levels]
    # the codes -2 and -1 index the table from its end, where they stand for themselves
    table = np.array([*codes, UNSEEN_CODE, MISSING_CODE], dtype=np.int32)
    return table[column.values], _never_matches(column.schema, wanted, codes)


def _never_matches(given: ColumnSchema, wanted: ColumnSchema, codes: list[int]) -> str:
    if not codes or not wanted.levels or any(code != UNSEEN_CODE for code in codes):
        return ""
    learned, found = _types(wanted), _types(given)
    if learned & found:
        return ""
    return (
        f"column {wanted.name!r}: no level is known: {' and '.join(sorted(learned))} was learned, "
        f"{' and '.join(sorted(found))} was given, and they are compared by value"
    )


def _types(column: ColumnSchema) -> set[str]:
    return {
        "text" if isinstance(level, str) else "a number" if isinstance(level, Real) else type(level).__name__
        for level in column.levels
    }


def _numbers_of_levels(column: Column, wanted: ColumnSchema) -> npt.NDArray[np.float64]:
    allowed = {Kind.NUMERIC: Real, Kind.BOOLEAN: bool}.get(wanted.kind)
    odd = [code for code, v in enumerate(column.schema.levels) if allowed is None or not isinstance(v, allowed)]
    unfit = np.isin(column.values, odd)
    if unfit.any():
        raise CellTypeError(*_wrong_kind(column, wanted, int(np.argmax(unfit))))
    try:
        numbers = [float(level) if isinstance(level, Real) else np.nan for level in column.schema.levels]
    except OverflowError:
        raise CellTypeError(wanted.name, None, "one of its numbers is beyond the range of float64 (1.8e308)") from None
    return np.array([*numbers, np.nan, np.nan])[column.values]


def _zeros_and_ones(column: Column, wanted: ColumnSchema) -> Values:
    values = column.values
    other = ~((values == 0) | (values == 1) | column.missing)
    if other.any():
        raise CellError(*_wrong_kind(column, wanted, int(np.argmax(other))))
    return values


def _whole_days(column: Column, wanted: ColumnSchema) -> npt.NDArray[np.float64]:
    days = column.values / US_PER_DAY
    inside = ~column.missing & ((days != np.rint(days)) | (days * US_PER_DAY != column.values))
    if inside.any():
        raise CellError(*_wrong_kind(column, wanted, int(np.argmax(inside))))
    return days


def _wrong_kind(column: Column, wanted: ColumnSchema, row: int) -> tuple[str, int, str]:
    cell: Any = cell_of(column.schema, column.values[row].item())
    shown = repr(cell) if column.schema.categorical or not column.schema.unit else str(cell)
    if column.schema.kind is wanted.kind is Kind.DATETIME:
        has, learned = ("a" if "UTC" in one.unit else "no" for one in (column.schema, wanted))
        return (
            wanted.name,
            row,
            f"{shown} has {has} time zone; the column was learned from times with {learned} time zone",
        )
    kinds = f"{wanted.kind.value} column{' in UTC' if 'UTC' in wanted.unit else ''}"
    return wanted.name, row, f"{shown} ({column.schema.kind.value}) does not fit a {kinds}"
