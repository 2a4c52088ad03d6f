"""Typed columns, and the table they make.

numeric, boolean, date, datetime   float64 or float32 of any stride; NaN is a missing cell.
category                           int32 level codes; -1 is a missing cell, -2 a level the schema does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.table.dates import date_of, datetime_of
from bristlecone.table.errors import CellError
from bristlecone.table.schema import UNSEEN_CODE, ColumnSchema, Kind, Schema

Values = npt.NDArray[Any]

NUMBERS = frozenset({np.dtype(np.float64), np.dtype(np.float32)})
_CODES = frozenset({np.dtype(np.int32)})


@dataclass(frozen=True, slots=True)
class Column:
    """A column with its cells: float64 or float32 numbers, or int32 level codes, of shape (n_rows,)."""

    schema: ColumnSchema
    values: Values

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """Which cells are missing, shape (n_rows,)."""
        missing: npt.NDArray[np.bool_] = self.schema.is_missing(self.values)
        return missing


class Table:
    """Typed columns of equal length, with what is worth telling about how they were read.

    schema: the columns' names, kinds and levels; columns: one array a column, see the head of this file; notes:
    sentences for people. The arrays belong to the caller when they came as floats: they are views, not copies.
    given: by place, the columns that hold levels the schema does not have, as they were before they took its codes.
    check: refuses infinite cells, where that is still to be done.
    Raises ValueError when the arrays do not fit the schema.
    """

    __slots__ = ("_check", "_core_columns", "_given", "columns", "n_rows", "notes", "schema")

    def __init__(
        self,
        schema: Schema,
        columns: Sequence[Values],
        n_rows: int | None = None,
        notes: Sequence[str] = (),
        given: Mapping[int, Column] | None = None,
        check: Callable[[], None] | None = None,
    ) -> None:
        if len(columns) != len(schema):
            raise ValueError(f"{len(columns)} arrays for {len(schema)} columns")
        if n_rows is None:
            n_rows = len(columns[0]) if columns else 0
        for column, values in zip(schema.columns, columns, strict=True):
            _check_cells(column, values, n_rows)
        self.schema = schema
        self.columns = tuple(columns)
        self.n_rows = n_rows
        self.notes = tuple(notes)
        self._given = dict(given or {})
        self._check = check
        self._core_columns: _core.Columns | None = None

    @property
    def core(self) -> _core.Columns:
        """The columns as the compiled core reads them, made once."""
        if self._core_columns is None:
            # a category in which every cell is missing has no level, but stays a category for the core
            n_levels = [max(1, len(c.levels)) if c.categorical else 0 for c in self.schema.columns]
            self._core_columns = _core.Columns(list(self.columns), n_levels, self.n_rows)
        return self._core_columns

    @property
    def unchecked(self) -> bool:
        """Whether `refuse_infinite` is still to be called."""
        return self._check is not None

    def refuse_infinite(self) -> None:
        """Raise CellError naming the first infinite cell of an array that `Schema.read` was told to check later."""
        if self._check is not None:
            self._check()
            self._check = None

    def __len__(self) -> int:
        return self.n_rows

    def __getitem__(self, name: str) -> Column:
        """The column of that name. Raises KeyError."""
        place = self.schema.places[name]
        return Column(self.schema.columns[place], self.columns[place])

    def __reduce__(self) -> tuple[Any, ...]:
        self.refuse_infinite()
        return Table, (self.schema, self.columns, self.n_rows, self.notes, self._given)

    def refuse_missing(self, why: str = "missing='error' refuses it") -> None:
        """Raise CellError naming the first column that has a missing cell, its row, and why there may be none."""
        for column in map(Column, self.schema.columns, self.columns):
            if column.missing.any():
                row = int(np.argmax(column.missing))
                raise CellError(column.schema.name, row, f"the value is missing (NaN or null), and {why}")

    def with_own_levels(self) -> Table:
        """The same rows, where columns with levels that the schema does not know are categories of their own levels."""
        held = enumerate(map(Column, self.schema.columns, self.columns))
        columns = [self._given.get(j, column) for j, column in held]
        schema = Schema(tuple(column.schema for column in columns), self.schema.named)
        return Table(schema, [column.values for column in columns], self.n_rows, self.notes)

    def row(self, i: int) -> dict[str, Any]:
        """Row i as a person sees it: level, number, date, True or False by name; None for a missing cell."""
        return {column.name: self._cell(j, i) for j, column in enumerate(self.schema.columns)}

    def _cell(self, j: int, i: int) -> Any:
        value = self.columns[j][i].item()
        if j in self._given and value == UNSEEN_CODE:
            given = self._given[j]
            return cell_of(given.schema, given.values[i].item())
        return cell_of(self.schema.columns[j], value)

    def take(self, rows: npt.ArrayLike) -> Table:
        """The table of some rows, given by index or by a boolean mask; same schema, same notes."""
        self.refuse_infinite()
        index = np.asarray(rows)
        if index.size == 0 and index.dtype.kind != "b":
            index = index.astype(np.intp)
        columns = [values[index] for values in self.columns]
        n_rows = int(index.sum()) if index.dtype.kind == "b" else len(index)
        given = {j: Column(column.schema, column.values[index]) for j, column in self._given.items()}
        return Table(self.schema, columns, n_rows, self.notes, given)

    def values(self, name: str) -> Values:
        """The cells of one column as people see them: levels, numbers (int64 when all are whole), dates.

        Shape (n_rows,). Missing cells are NaN among numbers and None elsewhere. Raises KeyError.
        """
        column = self[name]
        if column.schema.kind is Kind.NUMERIC:
            return _whole_if_possible(column.values)
        if column.schema.kind is Kind.BOOLEAN and not column.missing.any():
            return column.values.astype(bool)
        if column.schema.categorical:
            levels = _level_array(column)
            place = self.schema.places[name]
            for i in np.flatnonzero(column.values == UNSEEN_CODE).tolist() if place in self._given else ():
                levels[i] = self._cell(place, i)
            return levels
        cells = np.empty(self.n_rows, dtype=object)
        cells[:] = [cell_of(column.schema, value) for value in column.values.tolist()]
        return cells


def _check_cells(column: ColumnSchema, values: Values, n_rows: int) -> None:
    if values.shape != (n_rows,):
        raise ValueError(f"column {column.name!r} has shape {values.shape}, expected ({n_rows},)")
    if values.dtype not in (_CODES if column.categorical else NUMBERS):
        raise ValueError(f"column {column.name!r} of kind {column.kind.value} cannot hold {values.dtype} cells")


def cell_of(column: ColumnSchema, value: Any) -> Any:
    """One number or code of a column as a person sees it; None when missing, "unseen level" for the code -2."""
    if column.is_missing(value):
        return None
    if column.categorical:
        return _UNSEEN if value == UNSEEN_CODE else column.levels[value]
    if column.kind is Kind.BOOLEAN:
        return bool(value)
    if column.kind is Kind.DATE:
        return date_of(value)
    return datetime_of(value, column.unit) if column.kind is Kind.DATETIME else value


class _Unseen:
    """Stands for a level that the schema does not have, where only the code of it is known."""

    def __repr__(self) -> str:
        return "unseen level"

    def __reduce__(self) -> str:
        return "_UNSEEN"


_UNSEEN = _Unseen()


def _level_array(column: Column) -> Values:
    levels: tuple[Hashable, ...] = (*column.schema.levels, _UNSEEN, None)
    table = np.empty(len(levels), dtype=object)
    table[:] = levels
    return table[column.values]


def _whole_if_possible(values: Values) -> Values:
    with np.errstate(invalid="ignore"):
        whole = np.isfinite(values).all() and (np.abs(values) <= 2**53).all() and (values == np.rint(values)).all()
    return values.astype(np.int64) if whole else values.astype(np.float64, copy=False)
