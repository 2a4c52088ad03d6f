"""Files where an option says: whether one can be put there, and putting it there whole."""

from __future__ import annotations

import os
from pathlib import Path

from bristlecone.cli.faults import Fault, quoted
from bristlecone.export.writing import whole_file


def check_writable(path: Path, *inputs: Path) -> None:
    """Raise `Fault` if a file cannot be put at `path`, or would replace an input; asked before the long work."""
    folder = path.parent
    for read in inputs:
        if path.exists() and read.exists() and path.samefile(read):
            raise Fault(f"cannot write {quoted(path)}: it is read by the same command")
    if path.is_dir():
        raise Fault(f"cannot write {quoted(path)}: it is a directory")
    if not folder.is_dir():
        raise Fault(f"cannot write {quoted(path)}: there is no directory {quoted(folder)}")
    if path.exists() and not os.access(path, os.W_OK):
        raise Fault(f"cannot write {quoted(path)}: no permission to change it")
    if not (os.access(folder, os.W_OK | os.X_OK) or is_stream(path)):
        raise Fault(f"cannot write {quoted(path)}: no permission to write in {quoted(folder)}")


def is_stream(path: Path) -> bool:
    """Return whether `path` is a device or a pipe: nothing that a finished file can take the place of."""
    return path.exists() and not path.is_file() and not path.is_dir()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; into a device or a pipe as it is."""
    if is_stream(path):
        path.write_bytes(content)
        return
    with whole_file(path) as draft:
        draft.write_bytes(content)
