"""One column of Python or numpy values made into typed cells: numbers exact in float64, or level codes.

Nothing is rounded here: a value that float64 cannot hold exactly is refused with its column, row and value.
"""

from __future__ import annotations

import datetime as dt
import numbers
from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.table.columns import NUMBERS, Column, Values
from bristlecone.table.dates import DAYS, MICROSECONDS, MICROSECONDS_UTC, days_of, microseconds_of
from bristlecone.table.errors import CellError, CellTypeError
from bristlecone.table.schema import MISSING_CODE, ColumnSchema, Kind

EXACT_INTEGERS = 2**53
TOO_LONG_HINT = "make the column categorical if it holds codes, drop it if it holds row numbers"
_BLOCK_ROWS = 8192
_COUNTED_RANGE = 1 << 20  # numbers in a range up to this are told apart by counting


def is_missing(value: Any) -> bool:
    """Whether a cell is missing: None, NaN, NaT or pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, numbers.Number | np.datetime64) and bool(value != value)


def refuse_infinite(block: npt.NDArray[np.floating[Any]], names: Sequence[str]) -> None:
    """Raise ValueError naming column and row of the first infinite cell of a (n_rows, n_columns) block."""
    if block.dtype in NUMBERS and block.flags.aligned and not _core.any_infinite(block):
        return
    for start in range(0, len(block), _BLOCK_ROWS):
        infinite = np.isinf(block[start : start + _BLOCK_ROWS])
        if infinite.any():
            row, j = (int(place) for place in np.argwhere(infinite)[0])
            value = float(block[start + row, j])
            problem = f"infinite value ({value}); use a finite number, or NaN for a missing cell"
            raise CellError(names[j], start + row, problem)


def numeric(name: str, values: Values) -> Column:
    """A numeric column of exactly these numbers; floats stay views. Raises ValueError for infinite ones."""
    floats = exact_floats(name, values)
    refuse_infinite(floats.reshape(-1, 1), [name])
    return Column(ColumnSchema(name, Kind.NUMERIC), floats)


def exact_floats(name: str, values: Values) -> npt.NDArray[np.floating[Any]]:
    """Numbers as float64 (float32 stays), refusing by name what float64 cannot hold exactly."""
    if values.dtype in NUMBERS and values.flags.aligned:
        return values
    if values.dtype.kind not in "fiub":
        raise CellTypeError(name, None, f"cells of type {values.dtype} are not numbers")
    with np.errstate(over="ignore"):  # what becomes infinite is refused below
        floats = values.astype(np.float64)
    if values.dtype.itemsize >= 8:
        _refuse_rounded(name, values, floats)
    return floats


def are_exact(whole: Values) -> bool:
    """Whether all of these whole numbers are among those that float64 counts one by one."""
    if whole.size == 0 or whole.dtype.itemsize < 8:
        return True
    return bool(whole.min() >= -EXACT_INTEGERS and whole.max() <= EXACT_INTEGERS)


def _refuse_rounded(name: str, values: Values, floats: npt.NDArray[np.float64]) -> None:
    if values.dtype.kind in "iu":
        if are_exact(values):
            return
        large = np.flatnonzero((values > EXACT_INTEGERS) | (values < -EXACT_INTEGERS))
        rounded = (int(i) for i in large if int(values[i]) != int(floats[i]))
    else:
        rounded = (int(i) for i in np.flatnonzero((floats.astype(values.dtype) != values) & ~np.isnan(values)))
    row = next(rounded, None)
    if row is not None:
        raise CellError(name, row, f"{values[row]} is not exact in float64; {TOO_LONG_HINT}")


def boolean(name: str, values: Values) -> Column:
    """A boolean column from an array of bools, or of floats 0, 1 and NaN."""
    return Column(ColumnSchema(name, Kind.BOOLEAN), values.astype(np.float64, copy=False))


def category(name: str, cells: Iterable[Any], levels: Sequence[Hashable] | None = None) -> Column:
    """A category with these cells. levels: in their own order, else the distinct cells in ascending order.

    Raises TypeError naming column and row for a cell that cannot be a level.
    """
    cells = list(cells)
    distinct = _distinct(name, cells)
    present = {raw: level_of(raw) for raw in distinct if not is_missing(raw)}
    chosen = tuple(level_of(level) for level in levels) if levels is not None else sorted_levels(present.values())
    code_of = {level: code for code, level in enumerate(chosen)}
    codes = {raw: code_of[present[raw]] if raw in present else MISSING_CODE for raw in distinct}
    values = np.fromiter(map(codes.__getitem__, cells), np.int32, len(cells))
    return Column(ColumnSchema(name, Kind.CATEGORY, chosen), values)


def number_category(name: str, numbers: npt.NDArray[Any]) -> Column:
    """A category whose levels are the distinct numbers of an array in ascending order; NaN is missing.

    The levels of a float array that holds whole numbers only are integers, as codes are written.
    """
    missing = np.isnan(numbers)
    present = numbers[~missing] if missing.any() else numbers
    levels, codes = _distinct_numbers(present)
    values = np.full(len(numbers), MISSING_CODE, np.int32)
    values[~missing] = codes
    return Column(ColumnSchema(name, Kind.CATEGORY, tuple(levels.tolist())), values)


def _distinct_numbers(present: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    whole = whole_numbers(present)
    counted = min(_COUNTED_RANGE, 1024 + 8 * len(present))
    coded = None if whole is None else _core.code_labels(np.ascontiguousarray(whole), counted)
    if coded is not None:
        return np.frombuffer(coded[0], np.int64), np.frombuffer(coded[1], np.int32)
    chosen = whole if whole is not None else present + 0.0 if present.dtype.kind == "f" else present
    levels, codes = np.unique(chosen, return_inverse=True)
    return levels, codes


def whole_numbers(numbers: npt.NDArray[Any]) -> npt.NDArray[np.int64] | None:
    """The numbers as int64; None where some are not whole, or are too large to be exact."""
    if np.can_cast(numbers.dtype, np.int64):
        return numbers.astype(np.int64, copy=False)
    if numbers.size == 0:
        return None
    low, high = numbers.min(), numbers.max()
    if not (low >= -EXACT_INTEGERS and high <= EXACT_INTEGERS):
        return None
    whole = numbers.astype(np.int64)
    return None if numbers.dtype.kind == "f" and (whole != numbers).any() else whole


def _distinct(name: str, cells: list[Any]) -> dict[Any, None]:
    try:
        return dict.fromkeys(cells)
    except TypeError:
        row = next(i for i, cell in enumerate(cells) if not isinstance(cell, Hashable))
        problem = f"the argument must be a string or a number, not {type(cells[row]).__name__!r}"
        raise CellTypeError(name, row, problem) from None


def level_of(cell: Any) -> Hashable:
    """A cell as a level: numpy scalars and whole-microsecond pandas timestamps become Python's own types."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    if isinstance(cell, dt.datetime) and getattr(cell, "nanosecond", 0) == 0:
        # pandas' Timestamp is a datetime; a plain one compares equal, and can be saved
        aware = cell.tzinfo is not None
        return _plain_datetime(cell.astimezone(dt.UTC) if aware else cell, dt.UTC if aware else None)
    return cell  # type: ignore[no-any-return]


def _plain_datetime(value: dt.datetime, zone: dt.tzinfo | None) -> dt.datetime:
    day = (value.year, value.month, value.day)
    return dt.datetime(*day, value.hour, value.minute, value.second, value.microsecond, zone)


def sorted_levels(levels: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Distinct levels in ascending order: numbers first, then text, then every other type by its name.

    The order depends on the set of levels only, never on the order of rows.
    """
    distinct = list(dict.fromkeys(levels))
    try:
        return tuple(sorted(distinct))  # type: ignore[type-var]
    except TypeError:
        return tuple(sorted(distinct, key=_rank))


def _rank(level: Hashable) -> tuple[Any, ...]:
    if isinstance(level, numbers.Real):
        return (0, level)
    return (1, level) if isinstance(level, str) else (2, type(level).__qualname__, repr(level))


def days(name: str, values: npt.NDArray[np.float64]) -> Column:
    """A date column from counts of days, NaN where missing."""
    return Column(ColumnSchema(name, Kind.DATE, unit=DAYS), values)


def datetimes(name: str, values: npt.NDArray[np.datetime64], *, utc: bool = False) -> Column:
    """A date or datetime column from numpy's datetime64 of any unit; NaT is missing.

    Raises ValueError naming column and row for an instant that is not a whole microsecond, exact in float64.
    """
    unit = np.datetime_data(values.dtype)[0]
    if unit in ("Y", "M", "W", "D"):
        return days(name, _with_nan(values.astype("M8[D]").view(np.int64).astype(np.float64), np.isnat(values)))
    missing = np.isnat(values)
    whole = values.astype("M8[us]")
    ticks = whole.view(np.int64)
    floats = ticks.astype(np.float64)
    # a coarser unit may overflow in microseconds, a finer one may lose digits: both fail to come back
    bad = np.flatnonzero(~missing & ((whole.astype(values.dtype) != values) | (_back_to_int(floats) != ticks)))
    if len(bad):
        problem = f"{values[bad[0]]} is not exact as a float64 count of microseconds; round the column"
        raise CellError(name, int(bad[0]), problem)
    schema = ColumnSchema(name, Kind.DATETIME, unit=MICROSECONDS_UTC if utc else MICROSECONDS)
    return Column(schema, _with_nan(floats, missing))


def _back_to_int(floats: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    limit = np.nextafter(2.0**63, 0.0)
    return np.clip(floats, -(2.0**63), limit).astype(np.int64)


def _with_nan(floats: npt.NDArray[np.float64], missing: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    floats[missing] = np.nan
    return floats


def objects(name: str, cells: Sequence[Any]) -> Column:
    """A column of Python objects, of the narrowest kind that holds all its cells.

    All booleans: boolean; all numbers: numeric; all dates or all datetimes: those; else a category of whatever the
    cells are. All missing: numeric. Raises TypeError naming column and row for a cell that cannot be a level.
    """
    distinct = _distinct(name, list(cells))
    types = {type(cell) for cell in distinct if not is_missing(cell)}
    for fits, make in _NARROWEST:
        if all(fits(kind) for kind in types):
            return make(name, cells)
    return category(name, cells)


def _is_bool(kind: type) -> bool:
    return issubclass(kind, bool | np.bool_)


def _is_number(kind: type) -> bool:
    return issubclass(kind, numbers.Real | np.integer | np.floating | Decimal) and not _is_bool(kind)


def _is_date(kind: type) -> bool:
    return issubclass(kind, dt.date) and not issubclass(kind, dt.datetime)


def _is_datetime(kind: type) -> bool:
    return issubclass(kind, dt.datetime)


def _number_objects(name: str, cells: Sequence[Any]) -> Column:
    floats = np.full(len(cells), np.nan)
    for row, cell in enumerate(cells):
        if is_missing(cell):
            continue
        floats[row] = _as_float(name, row, cell)
        if not _same_number(cell, float(floats[row])):
            raise CellError(name, row, f"{cell} is not exact in float64; {TOO_LONG_HINT}")
    return numeric(name, floats)


def _as_float(name: str, row: int, cell: Any) -> float:
    try:
        return float(cell)
    except OverflowError:
        size = f"of {int(cell).bit_length():,} bits" if cell == int(cell) else f"of type {type(cell).__name__}"
        raise CellError(name, row, f"a number {size} is beyond the range of float64 (1.8e308)") from None


def _same_number(cell: Any, number: float) -> bool:
    # a decimal such as 0.10 has no float64 of its own; the nearest one reads back as 0.1, so nothing is merged
    return Decimal(repr(number)) == cell if isinstance(cell, Decimal) else bool(number == cell)


def _bool_objects(name: str, cells: Sequence[Any]) -> Column:
    return boolean(name, np.array([np.nan if is_missing(cell) else float(cell) for cell in cells]))


def _date_objects(name: str, cells: Sequence[Any]) -> Column:
    return days(name, np.array([np.nan if is_missing(cell) else float(days_of(cell)) for cell in cells]))


def _datetime_objects(name: str, cells: Sequence[Any]) -> Column:
    present = [cell for cell in cells if not is_missing(cell)]
    aware = {cell.tzinfo is not None for cell in present}
    if len(aware) > 1:
        raise CellError(name, None, "some datetimes carry a time zone and some do not")
    for row, cell in enumerate(cells):
        if getattr(cell, "nanosecond", 0):
            raise CellError(name, row, f"{cell} is not a whole microsecond; round the column")
    ticks = np.array([np.nan if is_missing(cell) else float(microseconds_of(cell)) for cell in cells])
    return Column(ColumnSchema(name, Kind.DATETIME, unit=MICROSECONDS_UTC if True in aware else MICROSECONDS), ticks)


_NARROWEST: tuple[tuple[Callable[[type], bool], Callable[[str, Sequence[Any]], Column]], ...] = (
    (_is_number, _number_objects),
    (_is_bool, _bool_objects),
    (_is_date, _date_objects),
    (_is_datetime, _datetime_objects),
)
