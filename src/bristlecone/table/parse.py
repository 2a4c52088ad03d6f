"""Columns of text made into typed columns: guessed for people, or read as a schema says.

marker    text that stands for a missing cell, as `MARKERS`; blanks around it do not count.
wide      said of whole numbers that float64 cannot hold exactly; they are read as text, so that none are merged.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bristlecone.table.adapt import adapt
from bristlecone.table.cells import EXACT_INTEGERS, TOO_LONG_HINT, numeric, objects
from bristlecone.table.columns import Values
from bristlecone.table.errors import CellError
from bristlecone.table.schema import MISSING_CODE, UNSEEN_CODE, ColumnSchema, Kind

if TYPE_CHECKING:
    import polars as pl

MARKERS = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "?", ".")

# [0-9] and not \d: that also matches digits of other scripts, which the casts do not read
_WHOLE = r"^[+-]?[0-9]+$"
_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?(?i:inf|infinity)$"
_COMMA_NUMBER = r"^[+-]?([0-9]+,?[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?$"
_ZEROS = r"^[+-]?0[0-9]"
_BOOLEAN = r"^(?i:true|false)$"
_TIME = r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
_INSTANT = rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}({_TIME})?$"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file writes its cells.

    markers: text that means missing; decimal_comma: "1,5" may be a number; empty_is_missing: so is a quoted empty cell,
    in a column of text (in any other it always is).
    """

    markers: tuple[str, ...] = MARKERS
    decimal_comma: bool = False
    empty_is_missing: bool = True


@dataclass(frozen=True, slots=True)
class Parsed:
    """A typed column of a file; what is worth telling about it; whether its numbers were written with leading zeros."""

    series: pl.Series
    notes: tuple[str, ...] = ()
    leading_zeros: bool = False


class Cells:
    """One column of text with its markers found: `raw` as written, `text` stripped and null where missing."""

    def __init__(self, name: str, raw: pl.Series, dialect: Dialect) -> None:
        self.name, self.dialect = name, dialect
        self.raw = raw.alias(name)
        stripped = self.raw.str.strip_chars()
        self.marked = stripped.is_in(list(dialect.markers)).fill_null(True) if dialect.markers else stripped.is_null()
        self.text = stripped.set(self.marked, None)

    def all_match(self, pattern: str) -> bool:
        """Whether every present cell matches; a look at the first ones spares most columns the whole search."""
        head = self.text.head(200).str.contains(pattern).all()
        return bool(head) and bool(self.text.str.contains(pattern).all())

    def first_unlike(self, pattern: str) -> int | None:
        """The first row whose present cell does not match."""
        rows = (~self.text.str.contains(pattern)).fill_null(False).arg_true()
        return rows[0] if len(rows) else None

    def markers_note(self) -> str:
        """Which markers stood for missing cells, and how many; "" when only empty cells did."""
        found = self.raw.filter(self.marked & self.raw.is_not_null()).str.strip_chars().value_counts(sort=True)
        seen = [f"{count} x {marker!r}" for marker, count in found.rows() if marker]
        return f"column {self.name!r}: read as missing: {', '.join(seen)}" if seen else ""

    def words(self) -> pl.Series:
        """The cells as text levels: as written, markers null, "" kept where the file tells it from nothing."""
        keep_empty = (self.raw == "").fill_null(False) if not self.dialect.empty_is_missing else None
        gone = self.marked if keep_empty is None else self.marked & ~keep_empty
        return self.raw.set(gone, None)


def guess_column(cells: Cells) -> Parsed:
    """The column as the narrowest of: numbers, booleans, dates, datetimes, text."""
    notes = [note] if (note := cells.markers_note()) else []
    if _look_like_numbers(cells):
        try:
            return Parsed(read_numbers(cells), tuple(notes), leading_zeros=_has_leading_zeros(cells))
        except TooLong:
            notes.append(f"column {cells.name!r}: whole numbers too long for float64, read as text")
    elif cells.all_match(_BOOLEAN):
        return Parsed(cells.text.str.to_lowercase() == "true", tuple(notes))
    elif (instants := _guess_instants(cells)) is not None:
        return Parsed(instants, tuple(notes))
    else:
        notes += _almost_numbers(cells)
    words, indented = _words(cells)
    return Parsed(words, (*notes, *indented))


def text_column(cells: Cells) -> Parsed:
    """The column as text, whatever it looks like."""
    note = cells.markers_note()
    words, indented = _words(cells)
    return Parsed(words, ((note,) if note else ()) + indented)


def _words(cells: Cells) -> tuple[pl.Series, tuple[str, ...]]:
    """The cells as text; a blank that stands before every one of them goes, with a note."""
    words = cells.words()
    if words.null_count() == len(words) or not (words.str.starts_with(" ") | (words == "")).all():
        return words, ()
    return words.str.strip_chars_start(" "), (f"column {cells.name!r}: the blank before every cell was dropped",)


def number_column(cells: Cells) -> Parsed:
    """The column as numbers. Raises CellError for the first cell that is none."""
    note = cells.markers_note()
    return Parsed(read_numbers(cells), (note,) if note else (), leading_zeros=_has_leading_zeros(cells))


def read_as(cells: Cells, wanted: ColumnSchema) -> tuple[Values, str]:
    """The cells as a column of a schema holds them, and a note. Raises CellError for the first that does not fit."""
    if wanted.categorical:
        return _codes(cells, wanted), ""
    if wanted.kind is Kind.NUMERIC:
        return adapt(numeric(cells.name, read_numbers(cells).cast(_float64()).fill_null(np.nan).to_numpy()), wanted)
    if wanted.kind is Kind.BOOLEAN:
        return adapt(objects(cells.name, _mapped(cells, _boolean_of, "true or false")), wanted)
    return adapt(objects(cells.name, _instants(cells)), wanted)


class TooLong(CellError):
    """A whole number that float64 cannot hold exactly."""


def read_numbers(cells: Cells) -> pl.Series:
    """Int64 when every present cell is a whole number, else Float64. Raises CellError for the first that is none."""
    import polars as pl

    text, pattern = cells.text, _NUMBER
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
        raise CellError(cells.name, infinite[0], f"infinite value ({cells.raw[infinite[0]]!r})")
    return numbers


def _whole_numbers(cells: Cells) -> pl.Series:
    import polars as pl

    whole = cells.text.cast(pl.Int64, strict=False)
    wide = (whole.is_null() & cells.text.is_not_null()) | (whole.abs() > EXACT_INTEGERS).fill_null(False)
    rows = wide.arg_true().to_list()
    row = next((row for row in rows if int(float(cells.text[row])) != int(cells.text[row])), None)
    if row is not None:
        raise TooLong(cells.name, row, f"{cells.raw[row]!r} is not exact in float64; {TOO_LONG_HINT}")
    return cells.text.cast(pl.Float64) if whole.null_count() > cells.text.null_count() else whole


def _look_like_numbers(cells: Cells) -> bool:
    return cells.all_match(_NUMBER) or (cells.dialect.decimal_comma and cells.all_match(_COMMA_NUMBER))


def _has_leading_zeros(cells: Cells) -> bool:
    return bool(cells.text.str.contains(_ZEROS).any())


def _almost_numbers(cells: Cells) -> list[str]:
    present = cells.text.is_not_null()
    odd = (~cells.text.str.contains(_NUMBER)).fill_null(False) & present
    n_odd, n_present = int(odd.sum()), int(present.sum())
    if n_odd * 10 > n_present:
        return []
    row = int(odd.arg_true()[0])
    return [
        f"column {cells.name!r}: {n_odd} of {n_present} cells are not numbers (row {row + 1}: {cells.raw[row]!r}), "
        "so all were read as text"
    ]


def guess_instants_only(cells: Cells) -> Parsed:
    """Text that is all dates or datetimes as such, other text as it stands: for formats whose other types are sure."""
    instants = _guess_instants(cells) if cells.text.null_count() < len(cells.text) else None
    return Parsed(cells.raw if instants is None else instants)


def _guess_instants(cells: Cells) -> pl.Series | None:
    import polars as pl

    if not cells.all_match(_INSTANT):
        return None
    try:
        values = _instants(cells)
    except CellError:
        return None
    kinds = {type(value) for value in values if value is not None}
    aware = {value.tzinfo is not None for value in values if isinstance(value, dt.datetime)}
    if kinds == {dt.date}:
        return pl.Series(cells.name, values, dtype=pl.Date)
    return (
        None
        if len(aware) > 1
        else pl.Series(cells.name, values, dtype=pl.Datetime("us", "UTC" if True in aware else None))
    )


def _instants(cells: Cells) -> list[Any]:
    """Dates, or datetimes (aware ones in UTC) as soon as one cell has a time of day; None where missing."""
    values = _mapped(cells, _instant_of, "a date or a time as in 2024-05-31 or 2024-05-31T12:00")
    if any(isinstance(value, dt.datetime) for value in values):
        midnight = dt.time()
        return [dt.datetime.combine(v, midnight) if type(v) is dt.date else v for v in values]
    return values


def _instant_of(text: str) -> dt.date | None:
    if not re.fullmatch(_INSTANT, text):
        return None
    if len(text) == 10:
        return dt.date.fromisoformat(text)
    value = dt.datetime.fromisoformat(text)
    return value if value.tzinfo is None else value.astimezone(dt.UTC)


def _boolean_of(text: str) -> bool | None:
    return {"true": True, "false": False, "1": True, "0": False}.get(text.lower())


def _mapped(cells: Cells, read: Callable[[str], Any], wanted: str) -> list[Any]:
    """Every cell through `read`, once a distinct text; None where missing. `read` answers None to a text it cannot."""
    value_of: dict[str | None, Any] = {None: None}
    for text in cells.text.unique().drop_nulls().to_list():
        try:
            value_of[text] = read(text)
        except ValueError:
            value_of[text] = None
        if value_of[text] is None:
            row = int((cells.text == text).arg_true()[0])
            raise CellError(cells.name, row, f"{cells.raw[row]!r} is not {wanted}")
    return [value_of[text] for text in cells.text.to_list()]


def _codes(cells: Cells, wanted: ColumnSchema) -> Values:
    """Codes of the learned levels that the cells name.

    A cell that is exactly a learned level is that level, even if it looks like a marker; else the text without blanks
    around it, else the boolean, number or date that it spells.
    """
    code_of: dict[Hashable, int] = {level: code for code, level in enumerate(wanted.levels)}
    words = cells.raw
    codes: dict[str | None, int] = {None: MISSING_CODE}
    for word in words.unique().drop_nulls().to_list():
        codes[word] = _code_of(word, code_of, cells.dialect)
    return np.fromiter(map(codes.__getitem__, words.to_list()), np.int32, len(words))


def _code_of(word: str, code_of: dict[Hashable, int], dialect: Dialect) -> int:
    text = word.strip()
    if word == "" and dialect.empty_is_missing:
        return MISSING_CODE
    readings: tuple[Callable[[str], Any], ...] = (str, str.strip, _boolean_word, _number_of, _instant_of)
    for read in readings:
        try:
            level = read(word if read is str else text)
        except ValueError:
            continue
        if level is not None and level in code_of:
            return code_of[level]
    return MISSING_CODE if text in dialect.markers and word != "" else UNSEEN_CODE


def _boolean_word(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


def _number_of(text: str) -> int | float | None:
    if not re.fullmatch(_NUMBER, text):
        return None
    return int(text) if re.fullmatch(_WHOLE, text) else float(text)


def _float64() -> Any:
    import polars as pl

    return pl.Float64
