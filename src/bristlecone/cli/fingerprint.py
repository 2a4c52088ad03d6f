"""Whether rows are all those that made a model, in whatever order and file they come.

mark        64 bits that stand for a row, its cells and its target: equal rows have one mark.
fingerprint the sum of the marks of many rows. It knows nothing of their order, and none of them can be found in it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.content import seeded, value_marks
from bristlecone.table import Table

__all__ = ["fingerprint", "row_marks"]

Marks = npt.NDArray[np.uint64]


def fingerprint(table: Table, y: npt.NDArray[np.generic], *, task: str) -> str:
    """That of rows, in hexadecimal digits. y: (n_rows,) labels or numbers, as the task of a tree says."""
    return f"{int(row_marks(table, y, task=task).sum(dtype=np.uint64)):016x}"


def row_marks(table: Table, y: npt.NDArray[np.generic], *, task: str) -> Marks:
    """The mark of each row, (n_rows,). Arguments as for `fingerprint`."""
    marks = _bits(y) if task == "regression" else _of_labels(y)
    for place, (column, values) in enumerate(zip(table.schema.columns, table.columns, strict=True)):
        cells = value_marks(column.levels)[values] if column.categorical else _bits(values)
        marks = seeded(marks ^ cells, place)
    return marks


def _of_labels(y: npt.NDArray[np.generic]) -> Marks:
    labels, codes = np.unique(y, return_inverse=True)
    return value_marks(labels.tolist())[codes]


def _bits(values: npt.NDArray[np.generic]) -> Marks:
    """Equal numbers have equal bits: one zero, and one NaN."""
    numbers = values.astype(np.float64) + 0.0
    return np.where(np.isnan(numbers), np.nan, numbers).view(np.uint64)
