"""CSV, TSV and their kin: from bytes to columns of text, every row checked for its number of fields.

null in a column of text is a cell with nothing in it; "" is a quoted empty cell, where the file distinguishes the two.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from bristlecone.table.errors import FileError

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_ROWS = 100
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class TextColumns:
    """The text of a delimited file, by column name.

    quotes_all: the header is quoted, so a quoted empty cell says no more than an empty one.
    """

    columns: dict[str, pl.Series]
    n_rows: int
    separator: str
    quotes_all: bool
    notes: list[str]


@dataclass(frozen=True, slots=True)
class _Layout:
    header: list[str]
    n_records: int
    blank: list[int]


def read_delimited(data: bytes, path: str) -> TextColumns:
    """The columns of a delimited file's bytes. Raises FileError for what is no such file, naming row and line."""
    text, notes = decode(data, path)
    told = re.match(rf"sep=([{''.join(SEPARATORS)}])\r?(?:\n|$)", text)  # a first line for Excel
    if told:
        text = text[told.end() :]
        if not text.strip():
            raise FileError(path, "the file is empty")
    separator = told[1] if told else sniff_separator(text)
    layout = _check_rows(text, separator, path, n_above=1 if told else 0)
    names = _names(layout.header, path, notes)
    frame = _parse(text, layout, separator)
    columns = {name: frame.to_series(j) for j, name in enumerate(names)}
    for j, name in enumerate(layout.header):
        if not name.strip() and columns[names[j]].null_count() == frame.height:
            del columns[names[j]]  # the separator at the end of every line
    return TextColumns(columns, frame.height, separator, _quotes_header(text, separator), notes)


def decode(data: bytes, path: str) -> tuple[str, list[str]]:
    """Text of bytes in UTF-8, UTF-16 or a Western single-byte code, with a note for the last."""
    notes: list[str] = []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = _strict(data, "utf-16", path)
    elif b"\0" in data[:65536]:
        little, big = data[1:2000:2].count(0), data[0:2000:2].count(0)
        if max(little, big) < len(data[:2000]) // 3:
            raise FileError(path, "this is not a text file (it holds NUL bytes)")
        text = _strict(data, "utf-16-le" if little > big else "utf-16-be", path)
    else:
        text, notes = _eight_bit(data, path)
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise FileError(path, f"this is not a text file (a NUL byte on line {line})")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    text = text.lstrip("\r\n").removesuffix("\x1a")  # the end-of-file mark of old programs
    if not text.strip():
        raise FileError(path, "the file is empty")
    return text, notes


def _strict(data: bytes, encoding: str, path: str) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise FileError(path, f"starts as {encoding} text but byte {error.start} does not fit") from None


def _eight_bit(data: bytes, path: str) -> tuple[str, list[str]]:
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        start = error.start
    controls = sum(data[:65536].count(code) for code in range(32) if code not in b"\t\n\r\f")
    if controls > len(data[:65536]) // 100:
        raise FileError(path, "this is not a text file")
    line = data[:start].count(b"\n") + 1
    try:
        text, encoding = data.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "Latin-1"
    return text, [f"not UTF-8 (line {line}); read as {encoding}"]


def sniff_separator(text: str) -> str:
    """The separator that gives the header more than one field and the first rows as many; comma when none does."""
    sample = text[: 1 << 20]
    best, best_score = ",", (0.0, 0)
    for separator in SEPARATORS:
        widths = []
        try:
            for row in csv.reader(io.StringIO(sample, newline=""), delimiter=separator):
                widths += [len(row)] if row else []
                if len(widths) == _SAMPLE_ROWS:
                    break
        except csv.Error:
            continue
        if widths and widths[0] > 1:
            score = (widths.count(widths[0]) / len(widths), widths[0])
            if score > best_score:
                best, best_score = separator, score
    return best


def _check_rows(text: str, separator: str, path: str, n_above: int = 0) -> _Layout:
    """n_above: lines of the file above this text."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    blank: list[int] = []
    n_records, last = 0, 0
    try:
        header = next(reader)
        width, line = len(header), reader.line_num
        for row in reader:
            if len(row) != width:
                if any(cell.strip() for cell in row):
                    problem = _ragged(n_above + reader.line_num, width, len(row))
                    raise FileError(path, f"row {n_records + 1 - len(blank)}{problem}")
                blank.append(n_records)
            n_records += 1
            last, line = line, reader.line_num
    except csv.Error as error:
        raise FileError(path, f"line {n_above + reader.line_num}: {error}; is a quote never closed?") from None
    if text.count('"') % 2 and _ends_inside_quotes(text, last, separator):
        raise FileError(path, f"line {n_above + last + 1}: a quote is opened and never closed")
    return _Layout(header, n_records, blank)


def _ends_inside_quotes(text: str, n_lines: int, separator: str) -> bool:
    """Whether the record after so many lines is still open at the end of the text."""
    last_record = islice(io.StringIO(text, newline=""), n_lines, None)
    try:
        list(csv.reader(last_record, delimiter=separator, strict=True))
    except csv.Error as error:
        return "end of data" in str(error)
    return False


def _ragged(line: int, expected: int, found: int) -> str:
    return f" (line {line}) has {found} field{'s' * (found != 1)}, expected {expected}"


def _names(header: list[str], path: str, notes: list[str]) -> tuple[str, ...]:
    names = [name.strip() for name in header]
    repeated = [name for name, count in Counter(names).items() if name and count > 1]
    data_like = sum(bool(_NUMBER.fullmatch(name)) for name in names) * 2 > len(names)
    hint = "; the first row must hold the columns' names" if data_like else ""
    if repeated:
        raise FileError(path, f"column name {repeated[0]!r} stands more than once{hint}")
    if data_like:
        notes.append(f"most names in the first row are numbers ({names[0]!r}, ...){hint}")
    for j, name in enumerate(names):
        if not name:
            names[j] = _free_name(f"column {j + 1}", names)
    return tuple(names)


def _free_name(name: str, names: list[str]) -> str:
    while name in names:
        name += "_"
    return name


def _parse(text: str, layout: _Layout, separator: str) -> pl.DataFrame:
    import polars as pl

    names = [str(j) for j in range(len(layout.header))]
    try:
        frame = pl.read_csv(io.BytesIO(text.encode()), separator=separator, infer_schema=False)
    except pl.exceptions.PolarsError:
        frame = pl.DataFrame()
    if frame.shape != (layout.n_records, len(names)):
        # a quote inside an unquoted cell: the csv module and spreadsheets read it as it stands
        return _parse_by_row(text, names, separator)
    frame.columns = names
    if layout.blank:
        kept = pl.Series([True]).new_from_index(0, layout.n_records).scatter(layout.blank, False)
        frame = frame.filter(kept)
    return frame


def _parse_by_row(text: str, names: list[str], separator: str) -> pl.DataFrame:
    import polars as pl

    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    next(reader)
    rows = [row for row in reader if len(row) == len(names) and (len(names) > 1 or row)]
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    text_of = {name: [cell or None for cell in cells] for name, cells in zip(names, columns, strict=True)}
    return pl.DataFrame(text_of, schema=dict.fromkeys(names, pl.String))


def _quotes_header(text: str, separator: str) -> bool:
    """Whether every name is quoted, as by writers that quote all text."""
    quoted = r'"(?:[^"]|"")*"'
    return re.match(rf"{quoted}(?:{re.escape(separator)}{quoted})*(?:\r?\n|\Z)", text) is not None
