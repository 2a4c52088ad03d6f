"""The tests of a ladder as SQL conditions: never NULL where that would send a row the wrong way.

A condition stands after WHEN, where NULL counts as false. So a test that a missing cell passes says IS NULL, and one
that it fails may be NULL. NaN, where a database stores it, is missing; some order it above all numbers.
"""

from __future__ import annotations

import datetime
from typing import Any

from bristlecone.export.dialects import Dialect
from bristlecone.export.ladder import Asks, Test
from bristlecone.export.level_text import first_instant, level_family
from bristlecone.table.dates import DAYS, MICROSECONDS_UTC
from bristlecone.table.schema import ColumnSchema, Kind

__all__ = ["ALL", "NO_CELL", "SqlColumn", "writable"]

NO_CELL, ALL = "1 = 0", "1 = 1"


class SqlColumn:
    """One column of a table in one dialect, able to say tests of its cells.

    Raises TypeError for an empty name, and naming the column and a level when its levels are of types that a column in
    SQL cannot mix.
    """

    def __init__(self, column: ColumnSchema, dialect: Dialect) -> None:
        self.column, self.dialect = column, dialect
        if not column.name and dialect.name != "sqlite":
            raise TypeError(f"the column '' has no name, and none can be called so in {dialect.name}")
        self.name = dialect.identifier(writable(column.name))
        self.levels = [] if not column.categorical else _level_literals(column, dialect)
        self.cell = self._cell()
        numbers = column.kind is Kind.NUMERIC or (column.categorical and level_family(column, "SQL") == "number")
        self.nan = dialect.is_nan.format(dialect.double_column.format(self.name)) if numbers else ""

    def _cell(self) -> str:
        family = level_family(self.column, "SQL") if self.column.categorical else ""
        if self.column.kind is Kind.NUMERIC or family == "number":
            return self.dialect.double_column.format(self.name)
        return self.dialect.text_column.format(self.name) if family == "text" else self.name

    @property
    def missing(self) -> str:
        """Whether a cell is missing."""
        return f"({self.name} IS NULL OR {self.nan})" if self.nan else f"{self.name} IS NULL"

    @property
    def present(self) -> str:
        """Whether a cell is there."""
        return f"({self.name} IS NOT NULL AND NOT {self.nan})" if self.nan else f"{self.name} IS NOT NULL"

    def condition(self, test: Test) -> str:
        """The test of a ladder as a condition."""
        if test.asks is Asks.MISSING:
            return self.missing if test.missing else NO_CELL
        if test.asks is Asks.PRESENT:
            return ALL if test.missing else self.present
        said = self._of_levels(test) if test.codes else self._of_numbers(test)
        if said == NO_CELL:
            return self.missing if test.missing else NO_CELL
        if said == ALL:
            return ALL if test.missing else self.present
        if test.missing:
            return f"({said} OR {self.missing})"
        excludes_nan = self.nan and test.asks is not Asks.BELOW and test.asks is not Asks.ONE_OF
        return f"({said} AND NOT {self.nan})" if excludes_nan else said

    def _of_levels(self, test: Test) -> str:
        within = "IN" if test.asks is Asks.ONE_OF else "NOT IN"
        return f"{self.cell} {within} ({', '.join(self.levels[code] for code in test.codes)})"

    def _of_numbers(self, test: Test) -> str:
        below = test.asks is Asks.BELOW
        if self.column.kind is Kind.BOOLEAN:
            passing = [said for value, said in ((0.0, "FALSE"), (1.0, "TRUE")) if (value < test.threshold) == below]
            return {0: NO_CELL, 1: f"{self.cell} = {passing[0] if passing else ''}", 2: ALL}[len(passing)]
        if self.column.kind is Kind.NUMERIC:
            return f"{self.cell} {'<' if below else '>='} {self.dialect.number(test.threshold)}"
        instant = first_instant(self.column.unit, test.threshold)
        if instant is None:
            return ALL if (test.threshold > 0) == below else NO_CELL
        return f"{self.cell} {'<' if below else '>='} {_dated(self.dialect, self.column.unit, instant)}"


def _dated(dialect: Dialect, unit: str, instant: datetime.datetime) -> str:
    if unit == DAYS:
        return dialect.date.format(instant.date().isoformat())
    template = dialect.timestamp_utc if unit == MICROSECONDS_UTC else dialect.timestamp
    return template.format(instant.replace(tzinfo=None).isoformat(" "))


def _level_literals(column: ColumnSchema, dialect: Dialect) -> list[str]:
    family = level_family(column, "SQL")
    return [_level_literal(dialect, family, level) for level in column.levels]


def _level_literal(dialect: Dialect, family: str, level: Any) -> str:
    match family:
        case "text":
            return dialect.text(writable(level))
        case "number":
            return dialect.number(float(level))
        case "boolean":
            return str(level).upper()
        case "date":
            return dialect.date.format(level.isoformat())
        case "datetime" | "datetime in UTC":
            template = dialect.timestamp if family == "datetime" else dialect.timestamp_utc
            return template.format(level.replace(tzinfo=None).isoformat(" "))
    if abs(level) >= 2**63:
        raise TypeError(f"SQL cannot write the level {level}, which is beyond 64 bits")
    return str(level)


def writable(text: str) -> str:
    """A text that a database can hold. Raises TypeError for a zero character and for half a character."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise TypeError(f"SQL cannot write the text {text!r}: it holds a zero or half a character")
    return text
