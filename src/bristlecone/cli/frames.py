"""Answers as files: the format by the name's ending."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.writing import whole_file

if TYPE_CHECKING:
    import polars as pl

_CHUNK = 1 << 20

FORMATS: dict[str, Callable[[Any, Path], None]] = {
    ".csv": lambda frame, path: frame.write_csv(path),
    ".tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    ".parquet": lambda frame, path: frame.write_parquet(path),
    ".feather": lambda frame, path: frame.write_ipc(path),
    ".arrow": lambda frame, path: frame.write_ipc(path),
    ".jsonl": lambda frame, path: frame.write_ndjson(path),
    ".ndjson": lambda frame, path: frame.write_ndjson(path),
}
_AS_CSV = {"", ".txt"}


def check_format(path: Path) -> None:
    """Raise `Fault` for an ending that promises a format which is not written."""
    ending = path.suffix.lower()
    if ending not in FORMATS and ending not in _AS_CSV:
        raise Fault(f"cannot write {quoted(path)}: the endings known are {', '.join(FORMATS)}")


def write_frame(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame, whole or not at all; rows and columns in order, numbers so that they read back exactly."""
    write = FORMATS.get(path.suffix.lower(), FORMATS[".csv"])
    with whole_file(path) as draft:
        write(frame, draft)


def write_csv(frame: pl.DataFrame) -> None:
    """Write a frame as CSV in UTF-8 to standard output."""
    content = memoryview(frame.write_csv().encode())
    sys.stdout.flush()
    while content:
        # An unbuffered standard output (PYTHONUNBUFFERED) may take only a part.
        content = content[sys.stdout.buffer.write(content[:_CHUNK]) :]
    sys.stdout.buffer.flush()
