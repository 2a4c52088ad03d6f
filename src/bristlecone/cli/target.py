"""The target column and the weights: what is to be predicted, on which rows, and how much each row counts."""

from __future__ import annotations

import dataclasses
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.faults import Fault, label, quoted
from bristlecone.cli.options import Task
from bristlecone.table.cells import EXACT_INTEGERS

Rows = NDArray[np.intp]

FEW = 20
"""Whole numbers with at most so many different values are guessed to be classes ..."""

ROWS_PER_CLASS = 5
"""... if there are at least so many rows for each of them, on average."""


@dataclasses.dataclass(frozen=True, slots=True)
class Target:
    """The values to predict on the rows that have one, the task, and how the task was settled.

    values: (n_known,) labels (text, bool, int64, float64), or float64 numbers for regression.
    rows: (n_known,) the rows of the file, from 0, that have a value.
    """

    name: str
    task: Task
    reason: str
    values: NDArray[Any]
    rows: Rows


AS_CLASSES = "; --task classification takes them for classes all the same"


def read_target(column: nw.Series[Any], task: Task | None, *, way_out: str = AS_CLASSES) -> Target:
    """Return what `column` gives to learn from; `task` None is guessed.

    way_out: what to do about text that differs in each row, for a command that has no --task an empty string.
    Raises `Fault` where there is no value, only one, or one that is infinite, and where regression finds no numbers.
    """
    name = column.name
    present = ~_missing(column)
    rows = np.flatnonzero(present.to_numpy())
    if len(rows) == 0:
        raise Fault(f"target {quoted(name)} is missing in every row")
    known = column.filter(present)
    reason = "as asked"
    if task is None:
        task, reason = _guess(known, way_out)
    values = _numbers(known, rows) if task is Task.REGRESSION else labels_of(known)
    if (values == values[0]).all():
        raise Fault(f"target {quoted(name)} has one value only, {label(values[0])}: there is nothing to predict")
    return Target(name, task, reason, values, rows)


def read_weights(column: nw.Series[Any], rows: Rows) -> NDArray[np.float64]:
    """Return the weights (n,) of `rows`: finite numbers, none below zero, not all zero; raises `Fault` otherwise."""
    name = column.name
    if isinstance(column.dtype, nw.Boolean) or not column.dtype.is_numeric():
        raise Fault(f"weights {quoted(name)} must be numbers; the column is read as {column.dtype}")
    values = column.cast(nw.Float64).to_numpy().astype(np.float64)[rows]
    for wrong, what in (
        (np.isnan(values), "is missing"),
        (np.isinf(values), "is infinite"),
        (values < 0.0, "is negative"),
    ):
        if wrong.any():
            first = int(np.argmax(wrong))
            told = "" if what == "is missing" else f" ({values[first]:g})"
            raise Fault(f"weights {quoted(name)}: the weight in row {rows[first] + 1:,} {what}{told}")
    if not values.any():
        raise Fault(f"weights {quoted(name)} are zero in every row that has a target")
    return values


def known_rows(column: nw.Series[Any]) -> Rows:
    """Return the rows, from 0, where `column` has a value; NaN is none."""
    return np.flatnonzero(~_missing(column).to_numpy())


def known_cells(column: nw.Series[Any]) -> nw.Series[Any]:
    """Return the values of those rows."""
    return column.filter(~_missing(column))


def labels_of(known: nw.Series[Any]) -> NDArray[Any]:
    """Return the labels (n,) of a column without missing cells, as they stand in the file; raises `Fault` for dates."""
    if _is_text(known.dtype):
        return np.array(known.cast(nw.String).to_list())
    if known.dtype.is_numeric() or isinstance(known.dtype, nw.Boolean):
        labels = np.asarray((known.cast(nw.Float64) if isinstance(known.dtype, nw.Decimal) else known).to_numpy())
        if labels.dtype.kind == "f" and np.isinf(labels).any():
            raise Fault(f"target {quoted(known.name)} holds {labels[np.isinf(labels)][0]:g}, which is no class")
        # 1.0 and 0 in one column are the whole numbers 1 and 0
        whole = (
            labels.dtype.kind == "f" and (labels == np.rint(labels)).all() and (np.abs(labels) < EXACT_INTEGERS).all()
        )
        return labels.astype(np.int64) if whole else labels
    raise Fault(f"target {quoted(known.name)} is of type {known.dtype}; it must be numbers, text, or true and false")


def _guess(known: nw.Series[Any], way_out: str) -> tuple[Task, str]:
    dtype, n_values, n_rows = known.dtype, known.n_unique(), len(known)
    counted = f"{n_values:,} different values" if n_values > 1 else "one value"
    if isinstance(dtype, nw.Boolean):
        return Task.CLASSIFICATION, "true or false"
    if _is_text(dtype):
        if n_values == n_rows > 2:
            raise Fault(
                f"target {quoted(known.name)} is text that differs in each of {n_rows:,} rows, such as "
                f"{quoted(known[0])}: these are no classes{way_out}"
            )
        return Task.CLASSIFICATION, f"text with {counted}"
    if not dtype.is_numeric():
        labels_of(known)
    whole = dtype.is_integer() or bool((known == known.round(0)).all())
    if whole and (n_values <= 2 or (n_values <= FEW and n_values * ROWS_PER_CLASS <= n_rows)):
        return Task.CLASSIFICATION, f"whole numbers with {counted}"
    return Task.REGRESSION, f"{'whole ' if whole else ''}numbers with {counted}"


def _missing(column: nw.Series[Any]) -> nw.Series[Any]:
    missing = column.is_null()
    return missing | column.is_nan().fill_null(True) if column.dtype.is_float() else missing


def _is_text(dtype: Any) -> bool:
    return isinstance(dtype, nw.String | nw.Categorical | nw.Enum)


def _numbers(known: nw.Series[Any], rows: Rows) -> NDArray[np.float64]:
    if isinstance(known.dtype, nw.Boolean) or not known.dtype.is_numeric():
        raise Fault(
            f"regression needs numbers, but target {quoted(known.name)} is read as {known.dtype}: "
            f"row {rows[0] + 1:,} holds {quoted(known[0])}"
        )
    values = known.cast(nw.Float64).to_numpy().astype(np.float64)
    infinite = np.isinf(values)
    if infinite.any():
        raise Fault(f"target {quoted(known.name)} is infinite in row {rows[int(np.argmax(infinite))] + 1:,}")
    return values
