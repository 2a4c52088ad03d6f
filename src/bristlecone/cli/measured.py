"""The rows of a file that a tree is judged by: those whose target is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.rows import check_column, read_rows
from bristlecone.cli.target import known_rows
from bristlecone.cli.truth import truth_of
from bristlecone.table import FileRows, Table
from bristlecone.tree import Tree

__all__ = ["known_of", "measured_rows"]


def measured_rows(path: Path, tree: Tree, target: str) -> tuple[Table, NDArray[Any], NDArray[np.intp]]:
    """Return the rows of a file whose target is known, as the tree reads them, the targets, and their places from 0."""
    return known_of(read_rows(path, tree.schema, [target]), path, tree, target)


def known_of(file: FileRows, path: Path, tree: Tree, target: str) -> tuple[Table, NDArray[Any], NDArray[np.intp]]:
    """The same of a file that was read by the tree's schema."""
    if target in tree.schema.names:
        raise Fault(f"{quoted(target)} is a column that the tree reads, so it is not what it predicts")
    column = file.frame[check_column(file, target, path)]
    known = known_rows(column)
    if not len(column):
        raise Fault(f"{path.name} has no rows below its header")
    if not len(known):
        raise Fault(f"{quoted(target)} is missing in every row of {path.name}")
    return file.table().take(known), truth_of(tree, column), known
