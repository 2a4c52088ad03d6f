"""Levels and dates in languages without Python's types.

plain     text as it is, dates as ISO text, numbers and booleans as themselves: for languages without types of columns.
family    the one type of all levels of a column, for places where a column has one type.
"""

import datetime
import math
from typing import Any

from bristlecone.table.dates import DAYS, EPOCH
from bristlecone.table.schema import ColumnSchema

__all__ = ["LARGEST_WHOLE", "first_instant", "level_family", "plain_levels"]

LARGEST_WHOLE = 2**53  # beyond it a float64 is not every whole number


def plain_levels(column: ColumnSchema, where: str) -> list[Any]:
    """The levels of a category as text, numbers and booleans, all different.

    Raises TypeError naming the column and the level for what an export named `where` cannot write or tell apart.
    """
    plain = [_plain(column, level, where) for level in column.levels]
    seen: set[Any] = set()
    for level in plain:
        if level in seen:
            raise TypeError(f"column {column.name!r}: {where} cannot tell the date {level} from the same text")
        seen.add(level)
    return plain


def _plain(column: ColumnSchema, level: Any, where: str) -> Any:
    if type(level) in (str, bool, float) or (type(level) is int and abs(level) <= LARGEST_WHOLE):
        return level
    if type(level) is datetime.date or (type(level) is datetime.datetime and level.tzinfo in (None, datetime.UTC)):
        return level.isoformat()
    raise TypeError(f"column {column.name!r}: {where} cannot write the level {level!r} ({type(level).__name__})")


def level_family(column: ColumnSchema, where: str) -> str:
    """The one type of a category's levels: text, whole, number, boolean, date, datetime or datetime in UTC.

    Raises TypeError naming the column for types that an export named `where` cannot mix in one column or write.
    """
    families = {_family_of(column, level, where) for level in column.levels}
    if families == {"whole", "number"}:
        if any(abs(level) > LARGEST_WHOLE for level in column.levels if type(level) is int):
            raise TypeError(f"column {column.name!r}: {where} cannot tell whole levels beyond 2**53 from fractions")
        return "number"
    if len(families) > 1:
        mixed = " and ".join(sorted(families))
        raise TypeError(f"column {column.name!r}: {where} cannot mix {mixed} levels in one column")
    return families.pop()


def _family_of(column: ColumnSchema, level: Any, where: str) -> str:
    kinds = {str: "text", bool: "boolean", int: "whole", datetime.date: "date"}
    if type(level) in kinds:
        return kinds[type(level)]
    if type(level) is float and math.isfinite(level):
        return "number"
    if type(level) is datetime.datetime and level.tzinfo in (None, datetime.UTC):
        return "datetime" if level.tzinfo is None else "datetime in UTC"
    raise TypeError(f"column {column.name!r}: {where} cannot write the level {level!r} ({type(level).__name__})")


def first_instant(unit: str, threshold: float) -> datetime.datetime | None:
    """The first date or datetime not below a threshold; None beyond the years 1 to 9999."""
    # Dates are whole counts, so x < t and x < ceil(t) are the same dates.
    count = math.ceil(threshold)
    try:
        return EPOCH + (datetime.timedelta(days=count) if unit == DAYS else datetime.timedelta(microseconds=count))
    except OverflowError:
        return None
