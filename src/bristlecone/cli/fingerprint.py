"""Whether rows are those that grew a model, in whatever order and file they come.

mark        64 bits that stand for a row, its cells and its target: equal rows have one mark.
kept        the smallest marks of the growing rows: a sample of the different rows, drawn as if by chance.

Equal rows may also come by chance, where columns hold few values. Of that the new rows tell: as often as they are equal
among themselves, they may be equal to old ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.content import seeded, value_marks
from bristlecone.table import Table

__all__ = ["kept_marks", "known_again", "row_marks"]

Marks = npt.NDArray[np.uint64]

KEPT = 128
SLACK = 0.05  # of the kept marks, beyond what chance may bring


def row_marks(table: Table, y: npt.NDArray[np.generic], *, task: str) -> Marks:
    """The marks of rows, (n_rows,). y: (n_rows,) labels or numbers, as the task of a tree says."""
    marks = _bits(y) if task == "regression" else _of_labels(y)
    for place, (column, values) in enumerate(zip(table.schema.columns, table.columns, strict=True)):
        cells = value_marks(column.levels)[values] if column.categorical else _bits(values)
        marks = seeded(marks ^ cells, place)
    return marks


def kept_marks(marks: Marks) -> list[str]:
    """What a model file keeps of the growing rows: at most `KEPT` marks, in hexadecimal digits."""
    return [f"{int(mark):016x}" for mark in np.unique(marks)[:KEPT]]


def known_again(kept: Sequence[object], marks: Marks) -> int:
    """How many of the kept marks are among these, where that is more than chance brings; else 0.

    Raises ValueError for what `kept_marks` does not write.
    """
    try:
        old = np.array([int(str(mark), 16) for mark in kept], dtype=np.uint64)
    except (ValueError, OverflowError):
        raise ValueError("its marks of the growing rows are damaged") from None
    if not len(old) or not len(marks):
        return 0
    different = np.unique(marks)
    found = int(np.isin(old, different).sum())
    by_chance = 1.0 - len(different) / len(marks)
    return found if found > (2.0 * by_chance + SLACK) * len(old) else 0


def _of_labels(y: npt.NDArray[np.generic]) -> Marks:
    labels, codes = np.unique(y, return_inverse=True)
    return value_marks(labels.tolist())[codes]


def _bits(values: npt.NDArray[np.generic]) -> Marks:
    """Equal numbers have equal bits: one zero, and one NaN."""
    numbers = values.astype(np.float64) + 0.0
    return np.where(np.isnan(numbers), np.nan, numbers).view(np.uint64)
