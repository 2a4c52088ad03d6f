"""Text of a file read as numbers, booleans, dates and times; refusals name the first cell that is none.

marker    text that stands for a missing cell, as `MARKERS`; blanks around it do not count.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bristlecone.table.cells import EXACT_INTEGERS, TOO_LONG_HINT
from bristlecone.table.errors import CellError

if TYPE_CHECKING:
    import polars as pl

MARKERS: tuple[str, ...] = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "?", ".")
# What programs write where they have no value, and no person writes as a name: pandas, databases, spreadsheets.
MARKERS += ("<NA>", "-NaN", "-nan", "(null)", "\\N", "#N/A", "#N/A N/A", "#NA")
MARKERS += ("#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!")

# [0-9] and not \d: that also matches digits of other scripts, which the casts do not read
_WHOLE = r"^[+-]?[0-9]+$"
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?(?i:inf|infinity)$"
_COMMA_NUMBER = r"^[+-]?([0-9]+,?[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?$"
_ZEROS = r"^[+-]?0[0-9]"
BOOLEAN = r"^(?i:true|false)$"
_LONGEST_FLOAT = 309  # digits of the largest float64
_TIME = r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
# What looks like numbers or dates to people and is read as text, and how it would be read; the number is not guessed,
# since 1,000 may be one or a thousand and 03.04.2024 two days.
DRESSED = {
    ("numbers", "1000"): r"^[+-]?[0-9]{1,3}(([,'][0-9]{3})+([.][0-9]+)?|([.][0-9]{3})+(,[0-9]+)?)$",
    ("amounts", "1000.5"): r"^[+-]?([$€£¥]|[A-Z]{3}) ?[+-]?[0-9][0-9.,']*$|^[+-]?[0-9][0-9.,']* ?([$€£¥]|[A-Z]{3})$",
    ("percentages", "5 or 0.05"): r"^[+-]?[0-9]+([.,][0-9]+)? ?%$",
    (
        "dates",
        "2024-05-31",
    ): r"^[0-9]{1,2}[./-][0-9]{1,2}[./-]([0-9]{4}|[0-9]{2})$|^[0-9]{4}[./][0-9]{1,2}[./][0-9]{1,2}$",
}
INSTANT = rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}({_TIME})?$"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file writes its cells.

    markers: text that means missing; decimal_comma: "1,5" may be a number; empty_is_missing: so is a quoted empty cell,
    in a column of text (in any other it always is).
    """

    markers: tuple[str, ...] = MARKERS
    decimal_comma: bool = False
    empty_is_missing: bool = True


class Cells:
    """One column of text of a file, and its missing cells, which are looked for when they are asked for."""

    def __init__(self, name: str, raw: pl.Series, dialect: Dialect) -> None:
        self.name, self.dialect = name, dialect
        self.raw = raw.alias(name)

    @cached_property
    def _stripped(self) -> pl.Series:
        return self.raw.str.strip_chars()

    @cached_property
    def missing(self) -> pl.Series:
        """Which cells are null or a marker."""
        if not self.dialect.markers:
            return self.raw.is_null()
        return self._stripped.is_in(list(self.dialect.markers)).fill_null(True)

    @cached_property
    def text(self) -> pl.Series:
        """The cells without blanks around them, null where missing."""
        return self._stripped.set(self.missing, None)

    def all_match(self, pattern: str) -> bool:
        """Whether every present cell matches; a look at the first ones spares most columns the whole search."""
        head = self.text.head(200).str.contains(pattern).all()
        return bool(head) and bool(self.text.str.contains(pattern).all())

    def first_like(self, pattern: str) -> int | None:
        """The first row whose present cell matches; None when the first present cells do not."""
        rows = self.text.head(200).str.contains(pattern).fill_null(False).arg_true()
        return rows[0] if len(rows) else None

    def first_unlike(self, pattern: str) -> int | None:
        """The first row whose present cell does not match."""
        rows = (~self.text.str.contains(pattern)).fill_null(False).arg_true()
        return rows[0] if len(rows) else None

    def markers_note(self) -> str:
        """Which markers stood for missing cells, and how many; "" when only empty cells did."""
        found = self.raw.filter(self.missing & self.raw.is_not_null()).str.strip_chars().value_counts(sort=True)
        seen = [f"{count:,} x {marker!r}" for marker, count in found.rows() if marker]
        return f"column {self.name!r}: read as missing: {', '.join(seen)}" if seen else ""

    def words(self) -> pl.Series:
        """The cells as text levels: as written, null where missing; "" stays where the file tells it from nothing."""
        if self.dialect.empty_is_missing:
            return self.raw.set(self.missing, None)
        return self.raw.set(self.missing & (self.raw != "").fill_null(True), None)


class TooLong(CellError):
    """A whole number that float64 cannot hold exactly."""


def plain_numbers(cells: Cells) -> pl.Series | None:
    """Int64 or Float64 when every cell that is not null is a finite number and nothing about it needs a second look.

    Most columns of numbers end here, after one or two casts.
    """
    import polars as pl

    raw = cells.raw
    if any(re.fullmatch(NUMBER, marker) for marker in cells.dialect.markers):
        return None
    whole = raw.cast(pl.Int64, strict=False)
    if whole.null_count() == raw.null_count() < len(raw):
        low, high = whole.min(), whole.max()
        exact = isinstance(low, int) and isinstance(high, int) and low >= -EXACT_INTEGERS and high <= EXACT_INTEGERS
        return whole if exact else None
    numbers = raw.cast(pl.Float64, strict=False)
    if numbers.null_count() != raw.null_count() or not math.isfinite(numbers.sum()):
        return None
    low, high = numbers.min(), numbers.max()
    large = isinstance(low, float) and isinstance(high, float) and max(-low, high) > EXACT_INTEGERS
    return None if large else numbers  # large ones may be whole numbers that were rounded


def read_numbers(cells: Cells) -> pl.Series:
    """Int64 when every present cell is a whole number, else Float64. Raises CellError for the first that is none."""
    import polars as pl

    plain = plain_numbers(cells)
    if plain is not None:
        return plain
    text, pattern = cells.text, NUMBER
    if cells.dialect.decimal_comma and text.str.contains(",", literal=True).any():
        pattern = _COMMA_NUMBER
    row = cells.first_unlike(pattern)
    if row is not None:
        raise CellError(cells.name, row, f"{cells.raw[row]!r} is not a number")
    if text.null_count() < len(text) and cells.all_match(_WHOLE):
        return _whole_numbers(cells)
    numbers = text.str.replace(",", ".", literal=True).cast(pl.Float64)
    infinite = numbers.is_infinite().fill_null(False).arg_true()
    if len(infinite):
        raise CellError(cells.name, infinite[0], f"infinite value ({_short(cells.raw[infinite[0]])})")
    return numbers


def _whole_numbers(cells: Cells) -> pl.Series:
    import polars as pl

    whole = cells.text.cast(pl.Int64, strict=False)
    wide = (whole.is_null() & cells.text.is_not_null()) | (whole.abs() > EXACT_INTEGERS).fill_null(False)
    rows = wide.arg_true().to_list()
    row = next((row for row in rows if not _is_exact(cells.text[row])), None)
    if row is not None:
        raise TooLong(cells.name, row, f"{_short(cells.raw[row])} is not exact in float64; {TOO_LONG_HINT}")
    return cells.text.cast(pl.Float64) if whole.null_count() > cells.text.null_count() else whole


def _is_exact(text: str) -> bool:
    digits = text.lstrip("+-0") or "0"
    return len(digits) < _LONGEST_FLOAT and int(float(digits)) == int(digits)


def _short(text: str) -> str:
    return repr(text) if len(text) <= 60 else f"{text[:40]!r}... ({len(text):,} letters)"


def look_like_numbers(cells: Cells) -> bool:
    """Whether every present cell is a number."""
    return cells.all_match(NUMBER) or (cells.dialect.decimal_comma and cells.all_match(_COMMA_NUMBER))


def has_leading_zeros(cells: Cells, numbers: pl.Series) -> bool:
    """Whether a number of the column was written with zeros before it, as codes are."""
    import polars as pl

    if numbers.dtype.is_integer() and numbers.cast(pl.String).equals(cells.raw):
        return False
    return bool(cells.text.str.contains(_ZEROS).any())


def instants(cells: Cells) -> list[Any]:
    """Dates, or datetimes (aware ones in UTC) as soon as one cell has a time of day; None where missing."""
    values = mapped(cells, instant_of, "a date or a time as in 2024-05-31 or 2024-05-31T12:00")
    if any(isinstance(value, dt.datetime) for value in values):
        midnight = dt.time()
        return [dt.datetime.combine(v, midnight) if type(v) is dt.date else v for v in values]
    return values


def instant_of(text: str) -> dt.date | None:
    """The date or datetime (an aware one in UTC) that a text spells; None for other text. Raises ValueError for a 13th
    month and its like.
    """
    if not re.fullmatch(INSTANT, text):
        return None
    if len(text) == 10:
        return dt.date.fromisoformat(text)
    value = dt.datetime.fromisoformat(text)
    return value if value.tzinfo is None else value.astimezone(dt.UTC)


def boolean_of(text: str) -> bool | None:
    """True or False as spelt out or as 1 and 0; None for other text."""
    return {"true": True, "false": False, "1": True, "0": False}.get(text.lower())


def number_of(text: str) -> int | float | None:
    """The number that a text spells; None for other text."""
    if not re.fullmatch(NUMBER, text):
        return None
    return int(text) if re.fullmatch(_WHOLE, text) else float(text)


def mapped(cells: Cells, read: Callable[[str], Any], wanted: str) -> list[Any]:
    """Every cell through `read`, once a distinct text; None where missing. `read` answers None to a text it cannot."""
    value_of: dict[str | None, Any] = {None: None}
    for text in cells.text.unique(maintain_order=True).drop_nulls().to_list():
        try:
            value_of[text] = read(text)
        except ValueError:
            value_of[text] = None
        if value_of[text] is None:
            row = int((cells.text == text).arg_true()[0])
            raise CellError(cells.name, row, f"{cells.raw[row]!r} is not {wanted}")
    return [value_of[text] for text in cells.text.to_list()]
