"""Answers as files: the format by the name's ending."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.writing import is_stream
from bristlecone.export.writing import whole_file

if TYPE_CHECKING:
    import polars as pl

_CHUNK = 1 << 20

Write = Callable[["pl.DataFrame", "Path | io.BytesIO"], Any]

FORMATS: dict[str, Write] = {
    ".csv": lambda frame, place: frame.write_csv(place),
    ".tsv": lambda frame, place: frame.write_csv(place, separator="\t"),
    ".parquet": lambda frame, place: frame.write_parquet(place),
    ".feather": lambda frame, place: frame.write_ipc(place),
    ".arrow": lambda frame, place: frame.write_ipc(place),
    ".jsonl": lambda frame, place: frame.write_ndjson(place),
    ".ndjson": lambda frame, place: frame.write_ndjson(place),
}
_AS_CSV = {"", ".txt"}


def check_format(path: Path) -> None:
    """Raise `Fault` for an ending that promises a format which is not written."""
    ending = path.suffix.lower()
    if ending not in FORMATS and ending not in _AS_CSV:
        raise Fault(f"cannot write {quoted(path)}: the endings known are {', '.join(FORMATS)}")


def write_frame(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame, whole or not at all; rows and columns in order, numbers so that they read back exactly."""
    import polars as pl

    write = FORMATS.get(path.suffix.lower(), FORMATS[".csv"])
    try:
        if is_stream(path):
            content = io.BytesIO()
            write(frame, content)
            path.write_bytes(content.getvalue())
            return
        with whole_file(path) as draft:
            write(frame, draft)
    except BrokenPipeError:
        raise
    except (OSError, pl.exceptions.PolarsError) as fault:
        raise Fault(f"cannot write {quoted(path)}: {getattr(fault, 'strerror', None) or fault}") from fault


def write_csv(frame: pl.DataFrame) -> None:
    """Write a frame as CSV in UTF-8 to standard output."""
    content = memoryview(frame.write_csv().encode())
    sys.stdout.flush()
    while content:
        # An unbuffered standard output (PYTHONUNBUFFERED) may take only a part.
        content = content[sys.stdout.buffer.write(content[:_CHUNK]) :]
    sys.stdout.buffer.flush()
