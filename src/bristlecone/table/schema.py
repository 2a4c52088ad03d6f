"""What the columns of a table are.

name      what people call the column; unique in a schema.
kind      how its cells are compared: numbers, booleans (0 and 1), dates and datetimes (counts of days or
          microseconds) by `x < t`; categories by membership in a set of levels.
level     one value of a category: any hashable scalar. Two levels are the same when Python's `==` says so: 1 and 1.0
          are one level, 1 and "1" are two. The empty string is a level; None, NaN and null are missing, never levels.
code      a level's place in `levels`; -1 is a missing cell, -2 a level that the schema does not have.
"""

from __future__ import annotations

import datetime as dt
import enum
import functools
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bristlecone.table.dates import DAYS, MICROSECONDS, MICROSECONDS_UTC, format_date, format_datetime

if TYPE_CHECKING:
    from bristlecone.table.columns import Table

MISSING_CODE = -1
UNSEEN_CODE = -2


class Kind(enum.Enum):
    """How the cells of a column are compared."""

    NUMERIC = "numeric"
    BOOLEAN = "boolean"
    CATEGORY = "category"
    DATE = "date"
    DATETIME = "datetime"


_UNITS = {Kind.DATE: (DAYS,), Kind.DATETIME: (MICROSECONDS, MICROSECONDS_UTC)}


@dataclass(frozen=True, slots=True)
class ColumnSchema:
    """One column: its name, its kind, the levels of a category in order, the unit of a date ("D") or datetime
    ("us", or "us UTC" when the cells carried a time zone).

    Raises ValueError for repeated or missing levels, levels outside a category, and a unit that does not fit the kind.
    """

    name: str
    kind: Kind
    levels: tuple[Hashable, ...] = ()
    unit: str = ""

    def __post_init__(self) -> None:
        if self.levels and not self.categorical:
            raise ValueError(f"column {self.name!r}: a {self.kind.value} column has no levels")
        if len(set(self.levels)) != len(self.levels):
            raise ValueError(f"column {self.name!r}: a level is repeated")
        if any(level is None or level != level for level in self.levels):
            raise ValueError(f"column {self.name!r}: a missing value cannot be a level")
        if self.unit not in _UNITS.get(self.kind, ("",)):
            raise ValueError(f"column {self.name!r}: unit {self.unit!r} does not fit a {self.kind.value} column")

    @property
    def categorical(self) -> bool:
        """Whether cells are level codes and not numbers."""
        return self.kind is Kind.CATEGORY

    def is_missing(self, cells: Any) -> Any:
        """Whether a cell of this column, or each of an array of them, is missing."""
        return cells == MISSING_CODE if self.categorical else cells != cells

    def format(self, value: float) -> str:
        """A number of this column as a person writes it: the shortest decimal that reads back as the same float64,
        an ISO date or datetime for dates, true or false for booleans.
        """
        if self.kind is Kind.DATE:
            return format_date(value)
        if self.kind is Kind.DATETIME:
            return format_datetime(value, self.unit)
        if self.kind is Kind.BOOLEAN and value in (0.0, 1.0):
            return "true" if value else "false"
        return format_number(value)


def format_number(value: float) -> str:
    """The shortest decimal that reads back as the same float64, whole numbers without ".0"."""
    return repr(float(value) + 0.0).removesuffix(".0")


@dataclass(frozen=True)  # no slots: names and places are kept
class Schema:
    """The columns of a table, in order.

    named is False when the names x0, x1, ... were made up for an array; such a schema matches columns by position.
    Raises ValueError for a repeated name.
    """

    columns: tuple[ColumnSchema, ...]
    named: bool = True

    def __post_init__(self) -> None:
        refuse_repeated(self.names)

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(column.name for column in self.columns)

    @functools.cached_property
    def places(self) -> Mapping[str, int]:
        """Where each column stands, by its name."""
        return {name: place for place, name in enumerate(self.names)}

    @property
    def numeric(self) -> bool:
        """Whether all columns are plain numbers."""
        return all(column.kind is Kind.NUMERIC for column in self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def read(self, X: Any, *, check_later: bool = False) -> Table:
        """X as this schema sees it.

        X is an array, a frame or a Table. Columns of a frame are matched by name in any order, extra ones are ignored
        with a note in `Table.notes`; columns of an array are matched by position. Levels take this schema's codes, an
        unknown level -2. check_later: the caller reads every cell of an array anyway, and calls
        `Table.refuse_infinite` unless it has seen that none is infinite. Raises ValueError or TypeError naming the
        column when one is missing or holds another kind.
        """
        from bristlecone.table.frames import read_as

        return read_as(self, X, check_later)

    def to_dict(self) -> dict[str, Any]:
        """The schema as JSON-able values, exact for levels that are text, integers, floats, booleans and dates.

        Raises TypeError naming the column and the level for a level of any other type.
        """
        return {"named": self.named, "columns": [_column_to_dict(column) for column in self.columns]}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Schema:
        """The schema that `to_dict` wrote. Raises ValueError when the document is not one."""
        if "made_by" in document:
            from bristlecone.table.predicates import made_schema_from_dict

            return made_schema_from_dict(document)
        named, columns = document.get("named"), document.get("columns")
        if not isinstance(named, bool) or not isinstance(columns, list):
            raise ValueError("a schema needs 'named' (true or false) and 'columns' (a list)")
        return cls(tuple(_column_from_dict(column) for column in columns), named)


@functools.lru_cache(maxsize=8)
def numbered(n_columns: int) -> Schema:
    """The schema of an array of numbers: x0, x1, ..."""
    return Schema(tuple(ColumnSchema(name, Kind.NUMERIC) for name in made_up_names(n_columns)), named=False)


@functools.lru_cache(maxsize=8)
def made_up_names(n_columns: int) -> tuple[str, ...]:
    """Names for columns that have none."""
    return tuple(f"x{j}" for j in range(n_columns))


def refuse_repeated(names: tuple[str, ...]) -> None:
    """Raise ValueError naming the first name that stands twice."""
    if len(set(names)) != len(names):
        repeated = next(name for place, name in enumerate(names) if name in names[:place])
        raise ValueError(f"column name {repeated!r} stands more than once")


def _column_to_dict(column: ColumnSchema) -> dict[str, Any]:
    document: dict[str, Any] = {"name": column.name, "kind": column.kind.value}
    if column.unit:
        document["unit"] = column.unit
    if column.categorical:
        document["levels"] = [_level_to_json(level, column.name) for level in column.levels]
    return document


def _column_from_dict(document: Any) -> ColumnSchema:
    if not isinstance(document, Mapping) or not isinstance(document.get("name"), str):
        raise ValueError(f"not a column of a schema: {document!r}")
    name, levels, unit = document["name"], document.get("levels", []), document.get("unit", "")
    kinds = {kind.value: kind for kind in Kind}
    if document.get("kind") not in kinds:
        raise ValueError(f"column {name!r}: unknown kind {document.get('kind')!r}")
    if not isinstance(levels, list):
        raise ValueError(f"column {name!r}: levels must be a list, not {levels!r}")
    return ColumnSchema(name, kinds[document["kind"]], tuple(_level_from_json(level, name) for level in levels), unit)


# JSON readers other than Python's may turn 1.0 into 1, so floats go as text under a key of their own
def _level_to_json(level: Hashable, name: str) -> Any:
    if type(level) in (str, int, bool):
        return level
    if type(level) is float:
        return {"float": repr(level)}
    if type(level) is dt.date:
        return {"date": level.isoformat()}
    if type(level) is dt.datetime and (level.tzinfo is None or level.tzinfo is dt.UTC):
        return {"datetime": level.isoformat()}
    raise TypeError(f"column {name!r}: the level {level!r} ({type(level).__name__}) cannot be saved")


_LEVEL_READERS: dict[str, Callable[[str], Hashable]] = {
    "float": float,
    "date": dt.date.fromisoformat,
    "datetime": dt.datetime.fromisoformat,
}


def _level_from_json(value: Any, name: str) -> Hashable:
    if isinstance(value, str | int):
        return value
    if isinstance(value, Mapping) and len(value) == 1:
        ((key, text),) = value.items()
        if key in _LEVEL_READERS and isinstance(text, str):
            return _LEVEL_READERS[key](text)
    raise ValueError(f"column {name!r}: not a level: {value!r}")
