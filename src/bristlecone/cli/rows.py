"""Reading rows for a command: a file, with the columns that the options name.

Rows are numbered as people count them: 1 is the first row below the header.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.faults import Fault, check_name, named, quoted
from bristlecone.cli.models import is_model
from bristlecone.cli.progress import visibly
from bristlecone.table import FileError, FileRows, Schema, read_file


def read_rows(path: Path, schema: Schema | None = None, besides: Sequence[str] = ()) -> FileRows:
    """Return the rows of a data file, by a model's schema if there is one.

    besides: columns that a model which was made without names does not read, such as the target.
    """
    with _data_file(path):
        return visibly(f"reading {path.name}", lambda: read_file(path, schema=schema, besides=besides))


def read_raw_columns(path: Path, given: Sequence[str]) -> dict[str, nw.Series[Any]]:
    """Return the columns that `given` names, cells as they stand in the file: no marker is taken for a missing cell."""
    with _data_file(path):
        _check_readable_again(path)
        names = read_file(path).frame.columns
        wanted = named(given, names, path.name)
        others = [name for name in names if name not in wanted]
        frame = visibly(
            f"reading {path.name}", lambda: read_file(path, categorical=wanted, drop=others, markers=("",))
        ).frame
    return {name: frame[name] for name in wanted}


@dataclasses.dataclass(frozen=True, slots=True)
class Naming:
    """The columns that options name: to be read as words, as numbers, not at all."""

    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()

    def split(self) -> Naming:
        """Return the same with every value taken apart at its commas: `--drop id,date` names two columns."""
        return Naming(*(tuple(part.strip() for v in values for part in v.split(",")) for values in self.every()))

    def every(self) -> tuple[tuple[str, ...], ...]:
        """Return the three lists."""
        return self.categorical, self.numeric, self.drop


def read_named_rows(path: Path, naming: Naming, needed: str | None = None) -> tuple[FileRows, Naming]:
    """Return the rows of a data file, columns read as `naming` says, and `naming`, taken apart at commas if need be.

    needed: the column without which rows are of no use; types are not guessed from the last rows if they lack it.
    Raises `Fault` for a name that is no column, with the names that come near it.
    """
    with _data_file(path):
        for attempt in (naming, naming.split()):
            try:
                return _read_as_named(path, attempt, needed), attempt
            except FileError as fault:
                if not fault.problem.startswith("no column"):
                    raise
                unknown = fault
                _check_readable_again(path)
        names = _names_in(path, unknown)
        for values in naming.every():
            named(values, names, path.name)
        raise unknown


def _read_as_named(path: Path, naming: Naming, needed: str | None) -> FileRows:
    categorical, numeric, drop = naming.every()
    read = partial(read_file, path, categorical=categorical, numeric=numeric, drop=drop, needed=needed)
    return visibly(f"reading {path.name}", read)


def _check_readable_again(path: Path) -> None:
    if not path.is_file():
        raise Fault(f"{path} is a pipe, which can be read only once; this needs a file, or a name that is a column")


def _names_in(path: Path, unknown: FileError) -> list[str]:
    try:
        return read_file(path).frame.columns
    except FileError:  # a cell that an option would have put right; the name is the first thing to mend
        raise unknown from None


def check_column(rows: FileRows, name: str, path: Path) -> str:
    """Return `name` if the rows have such a column; raise `Fault` with near names otherwise."""
    try:
        return check_name(name, rows.frame.columns, path.name)
    except Fault as fault:
        # A file without a header is the commonest reason.
        notes = [note for note in rows.notes if "first row" in note]
        raise Fault("; ".join([str(fault), *notes])) from None


@contextmanager
def people_count(path: Path, places: Sequence[int] | NDArray[np.intp] | None = None) -> Iterator[None]:
    """Within, the library's errors about rows, which it counts from 0, name the file and count as people do.

    places: where each row that the library sees stands in the file, from 0; default all rows of the file.
    """

    def in_file(match: re.Match[str]) -> str:
        row = int(match[1])
        return f"row {(row if places is None or row >= len(places) else int(places[row])) + 1}"

    try:
        yield
    except (FileError, Fault):  # these have named it
        raise
    except ValueError as fault:
        raise Fault(f"{path}: " + re.sub(r"\brow (\d+)\b", in_file, str(fault), count=1)) from fault


@contextmanager
def _data_file(path: Path) -> Iterator[None]:
    if is_model(path):
        raise Fault(f"{quoted(path)} is a model, not data")
    yield
