"""Levels in languages without Python's types: text as it is, dates as ISO text, numbers and booleans as themselves."""

import datetime
from typing import Any

from bristlecone.table.schema import ColumnSchema

__all__ = ["LARGEST_WHOLE", "plain_levels"]

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
