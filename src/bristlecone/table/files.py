"""Files as rows: CSV and its kin, Parquet, Arrow or Feather, JSON lines.

The format is told by the file's first bytes, not by its name; gzip is undone first.
"""

from __future__ import annotations

import codecs
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw

from bristlecone.table.cells import category
from bristlecone.table.columns import Column, Table, Values
from bristlecone.table.errors import CellError, FileError
from bristlecone.table.frames import as_table
from bristlecone.table.guess import ColumnGuess, guess_columns
from bristlecone.table.schema import UNSEEN_CODE, Schema

if TYPE_CHECKING:
    import polars as pl

    from bristlecone.table.parse import Parsed
    from bristlecone.table.text import Cells, Dialect

_NOT_ROWS = {
    b"PK\x03\x04": "a zip archive or a spreadsheet; save the sheet as CSV",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"SQLite format 3": "a database; export the table as CSV",
}


@dataclass(frozen=True, slots=True)
class FileRows:
    """The rows of a file.

    frame: its columns, typed (those of the schema excepted, where one was given); whole numbers are Int64. guesses:
    what each of them was taken for. notes: what is worth telling. learned: the schema's columns, where one was given.
    """

    path: str
    frame: nw.DataFrame[Any]
    n_rows: int
    guesses: tuple[ColumnGuess, ...] = ()
    notes: tuple[str, ...] = ()
    categorical: frozenset[str] = frozenset()
    learned: Table | None = field(default=None, repr=False)

    def table(self, drop: Collection[str] = ()) -> Table:
        """The typed columns that are not in `drop`; where a schema was given, its columns.

        Raises FileError naming the file, the column and the row for a cell that no typed column holds.
        """
        if self.learned is not None:
            return self.learned
        kept = self.frame.drop([name for name in self.frame.columns if name in set(drop)])
        if not kept.columns:
            raise FileError(self.path, "no column is left")
        words = [name for name in kept.columns if name in self.categorical or _is_words(kept[name].dtype)]
        with _naming(self.path):
            return as_table(kept, categorical_features=words)


def read_file(
    path: str | Path,
    *,
    schema: Schema | None = None,
    categorical: Collection[str] = (),
    numeric: Collection[str] = (),
    drop: Collection[str] = (),
    besides: Collection[str] = (),
    needed: str | None = None,
    markers: Sequence[str] | None = None,
) -> FileRows:
    """The rows of a CSV, TSV, Parquet, Arrow, Feather or JSON lines file, gzipped or not.

    Without a schema the columns' types are guessed (CSV) or the file's own; columns in `categorical` are read as text
    as it stands, those in `numeric` as numbers. With a schema its columns are read as it says, matched by name; one of
    rows without names matches in order as many columns, those in `besides` left out. Columns in `drop` are not read.
    needed: a column without which rows are of no use: the last rows, where they lack it (a line of totals, say), have
    no part in the guess of types, and their text is not read.
    markers: text for a missing cell in a CSV, default `text.MARKERS`; each use is noted.

    Raises FileError (a ValueError) naming the file, and column, row (1 is the first below the header) and value where
    there are any; ImportError when polars is not installed.
    """
    place = str(path)
    _require_polars()
    from bristlecone.table.text import MARKERS

    raw = _read_raw(_bytes_of(path, place), place, MARKERS if markers is None else tuple(markers))
    for name in (*categorical, *numeric, *drop):
        if name not in raw.columns:
            raise FileError(place, f"no column {name!r}; its columns are {', '.join(map(repr, [*raw.columns][:20]))}")
    for name in drop:
        raw.columns.pop(name, None)
    with _naming(place):
        if schema is not None:
            return _learned(raw, schema, besides)
        return _typed(raw, categorical, numeric, _last_with(raw, needed))


@dataclass(frozen=True, slots=True)
class _Raw:
    """Columns as they stand in the file: text still to be read where it is a CSV."""

    path: str
    columns: dict[str, pl.Series]
    n_rows: int
    dialect: Dialect
    notes: list[str]
    guess: Callable[[Cells], Parsed]

    def cells(self, name: str, n_rows: int | None = None) -> Cells:
        """The cells of a column, of its first rows."""
        from bristlecone.table.text import Cells

        return Cells(name, self.columns[name].head(self.n_rows if n_rows is None else n_rows), self.dialect)

    def is_text(self, name: str) -> bool:
        import polars as pl

        return self.columns[name].dtype == pl.String


def _last_with(raw: _Raw, needed: str | None) -> int:
    """How many rows there are up to the last that has a cell in the column `needed`; all where none has."""
    if needed is None or needed not in raw.columns or not raw.is_text(needed):
        return raw.n_rows
    known = (~raw.cells(needed).missing).arg_true()
    return known[-1] + 1 if len(known) else raw.n_rows


def _typed(raw: _Raw, categorical: Collection[str], numeric: Collection[str], n_read: int) -> FileRows:
    from bristlecone.table.parse import Parsed, number_column, text_column

    parsed: dict[str, Parsed] = {}
    for name, series in raw.columns.items():
        if not raw.is_text(name):
            parsed[name] = Parsed(series.alias(name))
            continue
        read = text_column if name in categorical else number_column if name in numeric else raw.guess
        found = read(raw.cells(name, n_read))
        parsed[name] = replace(found, series=found.series.extend_constant(None, raw.n_rows - n_read))
    frame = _frame({name: column.series for name, column in parsed.items()})
    zeros = [name for name, column in parsed.items() if column.leading_zeros]
    notes = (*raw.notes, *(note for column in parsed.values() for note in column.notes))
    return FileRows(raw.path, frame, raw.n_rows, guess_columns(frame, zeros), notes, frozenset(categorical))


def _learned(raw: _Raw, schema: Schema, besides: Collection[str]) -> FileRows:
    from bristlecone.table.parse import read_as

    names = schema.names
    in_order = tuple(name for name in raw.columns if name not in besides)
    if not schema.named and len(in_order) == len(schema):
        names = in_order
    missing = [repr(name) for name in names if name not in raw.columns]
    if missing and not schema.named:
        raise FileError(
            raw.path,
            f"has {len(in_order)} columns to read, but the model was made from {len(schema)} without names: give just "
            f"these, in their order, or call them {names[0]} to {names[-1]}",
        )
    if missing:
        raise FileError(raw.path, f"lacks the column{'s' * (len(missing) > 1)} {', '.join(missing[:20])}")
    columns: list[Values] = []
    notes: list[str] = []
    given: dict[int, Column] = {}
    for name, wanted in zip(names, schema.columns, strict=True):
        if raw.is_text(name):
            values, note = read_as(raw.cells(name), wanted)
            if wanted.categorical and (values == UNSEEN_CODE).any():
                given[len(columns)] = category(name, raw.cells(name).raw.to_list())
            columns.append(values)
            notes += [note] if note else []
        else:
            one = Schema((wanted,)).read(_frame({wanted.name: raw.columns[name]}))
            columns.append(one.columns[0])
            notes += one.notes
    known = set(names)
    others = {name: series for name, series in raw.columns.items() if name not in known}
    rest = _typed(replace(raw, columns=others), (), (), raw.n_rows)
    return replace(rest, learned=Table(schema, columns, raw.n_rows, notes, given))


def _frame(columns: dict[str, pl.Series]) -> nw.DataFrame[Any]:
    import polars as pl

    return nw.from_native(pl.DataFrame([series.alias(name) for name, series in columns.items()]), eager_only=True)


def _is_words(dtype: Any) -> bool:
    return isinstance(dtype, nw.String | nw.Categorical | nw.Enum)


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Refusals inside name the file."""
    try:
        yield
    except CellError as error:
        raise error.in_file(path) from None
    except FileError:
        raise
    except (ValueError, TypeError) as error:
        raise FileError(path, str(error)) from None


def _require_polars() -> None:
    try:
        import polars  # noqa: F401
    except ImportError:
        raise ImportError("reading files needs polars: pip install 'bristlecone[cli]'") from None


def _bytes_of(path: str | Path, place: str) -> bytes:
    try:
        data = Path(path).read_bytes()
    except IsADirectoryError:
        raise FileError(place, "this is a directory") from None
    except FileNotFoundError:
        if re.match(r"[a-z][a-z0-9]+:/", place):
            raise FileError(place, "files are read from this machine; download it first") from None
        raise FileError(place, f"no such file{' (standard input is /dev/stdin)' if place == '-' else ''}") from None
    except OSError as error:
        raise FileError(place, (error.strerror or str(error)).lower()) from None
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise FileError(place, f"damaged gzip: {error}") from None
    if not data:
        raise FileError(place, "the file is empty")
    for start, what in _NOT_ROWS.items():
        if data.startswith(start):
            raise FileError(place, f"this is {what}")
    return data


JSON_LINES = "JSON lines"


def _read_raw(data: bytes, path: str, markers: tuple[str, ...]) -> _Raw:
    import polars as pl

    from bristlecone.table.parse import guess_instants_only
    from bristlecone.table.text import Dialect

    found = next((reader for start, reader in _binary_readers().items() if data.startswith(start)), None)
    if found is None:
        if re.match(rb"[\xef\xbb\xbf\s]*\[\s*\{", data[: 1 << 12]):
            raise FileError(path, "is one JSON array; of JSON, lines are read, one object each")
        if not _is_json_lines(data):
            return _read_text(data, path, markers)
        found = JSON_LINES, partial(pl.read_ndjson, infer_schema_length=None)
    name, read = found
    try:
        frame = read(io.BytesIO(data.removeprefix(codecs.BOM_UTF8)))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        first = (str(error).splitlines() or ["unreadable"])[0]
        raise FileError(path, f"damaged {name}: {_first_bad_line(data) if name == JSON_LINES else ''}{first}") from None
    notes: list[str] = []
    columns = {series.name: _in_64_bits(series, notes) for series in frame.get_columns()}
    plain = Dialect(markers=(), empty_is_missing=False)
    return _Raw(path, columns, frame.height, plain, notes, guess_instants_only)


def _first_bad_line(data: bytes) -> str:
    """Where a file of JSON lines goes wrong: "line 41: "; nothing where Python reads all lines."""
    for number, line in enumerate(data.removeprefix(codecs.BOM_UTF8).split(b"\n"), start=1):
        try:
            json.loads(line or "{}", parse_constant=_no_constant)
        except (ValueError, RecursionError):
            return f"line {number:,}: "
    return ""


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _in_64_bits(series: pl.Series, notes: list[str]) -> pl.Series:
    """Whole numbers of 128 bits as 64, or where one is too long as text, as in a CSV."""
    import polars as pl

    if series.dtype not in (pl.Int128, getattr(pl, "UInt128", pl.Int128)):
        return series
    try:
        return series.cast(pl.Int64)
    except pl.exceptions.InvalidOperationError:
        notes.append(f"column {series.name!r}: whole numbers too long for float64, read as text")
        return series.cast(pl.String)


def _binary_readers() -> dict[bytes, tuple[str, Callable[[io.BytesIO], pl.DataFrame]]]:
    import polars as pl

    return {
        b"PAR1": ("Parquet", pl.read_parquet),
        b"ARROW1": ("Arrow", pl.read_ipc),
        b"\xff\xff\xff\xff": ("Arrow stream", pl.read_ipc_stream),
    }


def _is_json_lines(data: bytes) -> bool:
    first = data[: 1 << 20].lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
    if not first.startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except ValueError:
        return False


def _read_text(data: bytes, path: str, markers: tuple[str, ...]) -> _Raw:
    from bristlecone.table.delimited import read_delimited
    from bristlecone.table.parse import guess_column
    from bristlecone.table.text import Dialect

    text = read_delimited(data, path)
    dialect = Dialect(markers, text.separator != ",", text.quotes_all)
    return _Raw(path, text.columns, text.n_rows, dialect, text.notes, guess_column)
