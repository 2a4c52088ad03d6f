"""What is learned from: typed columns, the target's values, and what else the file says of the same rows."""

from __future__ import annotations

import dataclasses
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.columns import Columns
from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.options_columns import LearningOptions
from bristlecone.cli.target import Rows, Target, read_weights
from bristlecone.table import FileRows, Table


@dataclasses.dataclass(frozen=True, slots=True)
class Sample:
    """Rows to learn from; those of zero weight are gone.

    y: (n,) the target; weight: (n,) or None; group: (n,) whole numbers, the same where rows belong together, or None;
    time: (n,) whole numbers in the order of time, or None; rows: (n,) where each row stands in the file, from 0.
    """

    table: Table
    y: NDArray[Any]
    weight: NDArray[np.float64] | None
    group: NDArray[np.intp] | None
    time: NDArray[np.intp] | None
    rows: Rows

    def take(self, index: Rows) -> Sample:
        """Return some of the rows."""

        def some(array: Any) -> Any:
            return None if array is None else array[index]

        weight, group, time = (some(array) for array in (self.weight, self.group, self.time))
        return Sample(self.table.take(index), self.y[index], weight, group, time, self.rows[index])


def read_sample(file: FileRows, columns: Columns, target: Target, options: LearningOptions) -> Sample:
    """Return the rows that have a target and a weight. Raises `Fault` for weights, groups and times that are none."""
    table, roles = file.table(drop=columns.out), options.roles()
    rows, y = target.rows, target.values
    weight = None
    if options.weights is not None:
        weight = read_weights(file.frame[options.weights], rows)
        present = weight > 0.0
        rows, y, weight = rows[present], y[present], weight[present]
        if (y == y[0]).all():
            raise Fault(f"target {quoted(target.name)} has one value only in the rows with a weight above zero")
    group, time = (
        numbered(role, file.frame[roles[role]], rows) if role in roles else None for role in ("group", "time")
    )
    return Sample(table if len(rows) == table.n_rows else table.take(rows), y, weight, group, time, rows)


def numbered(role: str, column: nw.Series[Any], rows: Rows) -> NDArray[np.intp]:
    """The place of each row's value among the different ones, in their order."""
    name, dtype = column.name, column.dtype
    ordered = dtype.is_numeric() or dtype.is_temporal()
    if role == "time" and not ordered:
        raise Fault(f"time {quoted(name)} must be numbers, dates or times of day; the column is read as {dtype}")
    missing = column.is_null()
    if dtype.is_float():
        missing = missing | column.is_nan().fill_null(True)
    lacking = missing.to_numpy()[rows]
    if lacking.any():
        raise Fault(f"{role} {quoted(name)} is missing in row {rows[int(np.argmax(lacking))] + 1:,}")
    values = column.to_numpy() if ordered else np.array(column.cast(nw.String).to_list(), dtype=object)
    kept = values[rows] if ordered else values[rows].astype(str)
    return np.asarray(np.unique(kept, return_inverse=True)[1])
