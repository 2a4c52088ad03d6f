"""Columns of text made into typed columns: guessed for people, or read as a schema says.

Whole numbers that float64 cannot hold exactly are guessed to be text, so that none are merged.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bristlecone.table.adapt import adapt
from bristlecone.table.cells import datetimes, numeric, objects
from bristlecone.table.columns import Column, Values
from bristlecone.table.errors import CellError
from bristlecone.table.schema import MISSING_CODE, UNSEEN_CODE, ColumnSchema, Kind
from bristlecone.table.text import (
    BOOLEAN,
    DRESSED,
    INSTANT,
    NUMBER,
    Cells,
    Dialect,
    TooLong,
    boolean_of,
    has_leading_zeros,
    instant_of,
    instants,
    look_like_numbers,
    mapped,
    number_of,
    plain_numbers,
    read_numbers,
)

if TYPE_CHECKING:
    import polars as pl


MOST_WORDS = 2  # that stand among numbers and may mean missing
PARTED = r"^[+-]?[1-9][0-9]{0,2}[.][0-9]{3}$"  # what may be thousands
MOST_LEVELS = 1000  # of a column whose texts are compared


@dataclass(frozen=True, slots=True)
class Parsed:
    """A typed column of a file; what is worth telling about it; whether its numbers were written with leading zeros."""

    series: pl.Series
    notes: tuple[str, ...] = ()
    leading_zeros: bool = False


def guess_column(cells: Cells) -> Parsed:
    """The column as the narrowest of: numbers, booleans, dates, datetimes, text."""
    plain = plain_numbers(cells)
    if plain is not None:
        return Parsed(plain, _parted_thousands(cells, plain), has_leading_zeros(cells, plain))
    notes = [note] if (note := cells.markers_note()) else []
    if look_like_numbers(cells):
        try:
            numbers = read_numbers(cells)
            return Parsed(numbers, tuple(notes), has_leading_zeros(cells, numbers))
        except TooLong:
            notes.append(f"column {cells.name!r}: whole numbers too long for float64, read as text")
    elif cells.all_match(BOOLEAN):
        return Parsed(cells.text.str.to_lowercase() == "true", tuple(notes))
    elif (times := guess_instants(cells)) is not None:
        return Parsed(times, tuple(notes))
    else:
        notes += _dressed_numbers(cells) or _almost_numbers(cells)
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
        return words, _near_words(cells.name, words)
    words = words.str.strip_chars()
    return words, (f"column {cells.name!r}: the blank before every cell was dropped", *_near_words(cells.name, words))


def _near_words(name: str, words: pl.Series) -> tuple[str, ...]:
    """What is said of the first two texts that differ in blanks or capitals only."""
    first: dict[str, str] = {}
    levels = words.drop_nulls().unique(maintain_order=True)
    for word in levels.to_list() if len(levels) <= MOST_LEVELS else ():
        known = first.setdefault(" ".join(word.casefold().split()), word)
        if known != word:
            how = "capitals" if known.casefold() == word.casefold() else "blanks and capitals"
            how = "blanks" if known.split() == word.split() else how
            return (f"column {name!r}: {known!r} and {word!r} differ in {how} only, and are two",)
    return ()


def number_column(cells: Cells) -> Parsed:
    """The column as numbers. Raises CellError for the first cell that is none."""
    note = cells.markers_note()
    numbers = read_numbers(cells)
    return Parsed(numbers, (note,) if note else (), has_leading_zeros(cells, numbers))


def _parted_thousands(cells: Cells, numbers: pl.Series) -> tuple[str, ...]:
    """What is said where points may part thousands: decimals may be commas in this file, and all cells are so."""
    if not cells.dialect.decimal_comma or not numbers.dtype.is_float():
        return ()
    text = cells.raw.drop_nulls().str.strip_chars()
    pointed = text.str.contains(".", literal=True)
    if not pointed.any():
        return ()
    if not text.filter(pointed).str.contains(PARTED).all() or text.filter(~pointed).str.contains("[0-9]{4}").any():
        return ()
    first = text.filter(pointed)[0]
    return (
        f"column {cells.name!r}: {first!r} was read as {float(first)!r}, and all cells are so; if points part "
        "thousands here, write them without",
    )


def _dressed_numbers(cells: Cells) -> list[str]:
    """What is said of numbers and dates in a form that is not read, such as 1,000 or 5%."""
    for (what, wanted), pattern in DRESSED.items():
        row = cells.first_like(pattern)
        if row is not None and cells.all_match(f"{pattern}|{NUMBER}"):
            return [
                f"column {cells.name!r}: read as text, such as {cells.raw[row]!r} (row {row + 1}); "
                f"{what} are read when written as {wanted}"
            ]
    return []


def _almost_numbers(cells: Cells) -> list[str]:
    present = cells.text.is_not_null()
    odd = (~cells.text.str.contains(NUMBER)).fill_null(False) & present
    n_odd, n_present = int(odd.sum()), int(present.sum())
    row = int(odd.arg_true()[0])
    if n_odd * 10 > n_present:
        words = cells.text.filter(odd).unique(maintain_order=True).to_list()
        if n_odd * 2 > n_present or len(words) > MOST_WORDS:
            return []
        return [
            f"column {cells.name!r}: all but {' and '.join(map(repr, words))} (row {row + 1}) are numbers, but all "
            "were read as text; where that means missing, leave the cells empty"
        ]
    return [
        f"column {cells.name!r}: {n_odd} of {n_present} cells are not numbers (row {row + 1}: {cells.raw[row]!r}), "
        "so all were read as text"
    ]


_PADDED = r"^[+-]?0[0-9]"


def guess_instants_only(cells: Cells) -> Parsed:
    """Text that is all dates or datetimes as such, other text as it stands: for formats whose other types are sure."""
    if cells.text.null_count() == len(cells.text):
        return Parsed(cells.raw)
    times = guess_instants(cells)
    if times is not None:
        return Parsed(times)
    numbers = cells.all_match(NUMBER) and cells.first_like(_PADDED) is None
    note = f"column {cells.name!r}: numbers, written as text, were read as names; --numeric takes them as numbers"
    return Parsed(cells.raw, (note,) if numbers else ())


def guess_instants(cells: Cells) -> pl.Series | None:
    """The column as dates or as datetimes; None when a cell is neither, or only some carry a time zone."""
    import polars as pl

    if not cells.all_match(INSTANT):
        return None
    try:
        values = instants(cells)
    except CellError:
        return None
    kinds = {type(value) for value in values if value is not None}
    aware = {value.tzinfo is not None for value in values if isinstance(value, dt.datetime)}
    if kinds == {dt.date}:
        return pl.Series(cells.name, values, dtype=pl.Date)
    if len(aware) > 1:
        return None
    return pl.Series(cells.name, values, dtype=pl.Datetime("us", "UTC" if True in aware else None))


def read_as(cells: Cells, wanted: ColumnSchema) -> tuple[Values, str]:
    """The cells as a column of a schema holds them, and a note. Raises CellError for the first that does not fit."""
    if wanted.categorical:
        return _codes(cells, wanted), ""
    if wanted.kind is Kind.NUMERIC:
        return adapt(numeric(cells.name, _floats(read_numbers(cells))), wanted)
    if wanted.kind is Kind.BOOLEAN:
        return adapt(objects(cells.name, mapped(cells, boolean_of, "true or false")), wanted)
    return adapt(_times(cells), wanted)


def _times(cells: Cells) -> Column:
    times = guess_instants(cells)
    if times is None:
        instants(cells)  # names the first cell that is no date or time
        raise CellError(cells.name, None, "some of its times carry a time zone and some do not")
    return datetimes(cells.name, times.to_numpy(), utc=getattr(times.dtype, "time_zone", None) is not None)


def _codes(cells: Cells, wanted: ColumnSchema) -> Values:
    """Codes of the learned levels that the cells name.

    A cell that is exactly a learned level is that level, even if it looks like a marker; else the text without blanks
    around it, else the boolean, number or date that it spells.
    """
    code_of: dict[Hashable, int] = {level: code for code, level in enumerate(wanted.levels)}
    words = cells.raw
    codes: dict[str | None, int] = {None: MISSING_CODE}
    for word in words.unique(maintain_order=True).drop_nulls().to_list():
        codes[word] = _code_of(word, code_of, cells.dialect)
    return np.fromiter(map(codes.__getitem__, words.to_list()), np.int32, len(words))


def _code_of(word: str, code_of: dict[Hashable, int], dialect: Dialect) -> int:
    text = word.strip()
    if word == "" and dialect.empty_is_missing:
        return MISSING_CODE
    readings: tuple[Callable[[str], Any], ...] = (str, str.strip, _boolean_word, number_of, instant_of)
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


def _floats(numbers: pl.Series) -> Values:
    import polars as pl

    return numbers.cast(pl.Float64).fill_null(np.nan).to_numpy()
