"""Arrays and lists of rows as a source of typed columns."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np

from bristlecone.table.cells import (
    are_exact,
    boolean,
    category,
    datetimes,
    number_category,
    numeric,
    objects,
    refuse_infinite,
)
from bristlecone.table.columns import NUMBERS, Column, Table, Values
from bristlecone.table.schema import ColumnSchema, Kind, Schema, made_up_names, numbered


class Reading(enum.Enum):
    """How a column is to be read: by its type, as a category whatever its type, or as numbers."""

    BY_TYPE = "by type"
    CATEGORY = "category"
    NUMBER = "number"


class Source(Protocol):
    """Where typed columns come from. named: the names are the caller's; typed: the column's type declares text."""

    names: tuple[str, ...]
    named: bool
    typed: bool
    n_rows: int

    def column(self, j: int, reading: Reading) -> Column:
        """Column j, as a category when the reading says so, else of its own kind."""
        ...


class TableSource:
    """The columns of a Table."""

    named: bool
    typed = True

    def __init__(self, table: Table) -> None:
        self.table = table
        self.names = table.schema.names
        self.named = table.schema.named
        self.n_rows = table.n_rows

    def column(self, j: int, reading: Reading) -> Column:
        """Column j as the table holds it."""
        return Column(self.table.schema.columns[j], self.table.columns[j])


class ArraySource:
    """The columns of a two-dimensional array.

    Raises TypeError for sparse and masked arrays, ValueError for another number of dimensions, no column, complex
    numbers, and an infinite cell (named by column and row) unless that is left for later, which only an array of
    float64 or float32 can be: then `check` does it. names, named: of the columns, where they have some.
    """

    def __init__(
        self, X: Any, check_later: bool = False, names: tuple[str, ...] | None = None, *, named: bool = False
    ) -> None:
        self.array = _two_dimensional(X)
        self.n_rows, n_columns = self.array.shape
        self.names = made_up_names(n_columns) if names is None else names
        self.named = named
        self.typed = self.array.dtype.kind not in "OUS"
        self.check: Callable[[], None] | None = None
        # one pass over the block is many times faster than a pass over each of its strided columns
        self.plain = self.array.dtype in NUMBERS and self.array.flags.aligned
        self._block: Values | None = self.array if self.plain else None
        if self.array.dtype.kind == "f" and self.array.dtype.itemsize <= 8:
            check = partial(refuse_infinite, self.array, self.names)
            if check_later and self.plain:
                self.check = check
            else:
                check()

    def schema(self) -> Schema:
        """That of an array of numbers."""
        if self.names is made_up_names(len(self.names)):
            return numbered(len(self.names))
        return Schema(tuple(ColumnSchema(name, Kind.NUMERIC) for name in self.names), self.named)

    def table(self, schema: Schema) -> Table:
        """All columns of a plain array, one of float64 or float32 numbers, as views; the schema is numeric."""
        return Table(schema, list(self.array.T), self.n_rows, check=self.check)

    def column(self, j: int, reading: Reading) -> Column:
        """Column j; a view when it holds float64 or float32 numbers."""
        name, values = self.names[j], self.array[:, j]
        if reading is Reading.CATEGORY:
            plain = values.dtype.kind in "iuf" and values.dtype.itemsize <= 8
            return number_category(name, values) if plain else category(name, values.tolist())
        if values.dtype.kind == "b":
            return boolean(name, values)
        if values.dtype.kind == "M":
            return datetimes(name, values)
        if values.dtype.kind in "OUS":
            return objects(name, values.tolist())
        if self._block is None and values.dtype.kind in "iu" and are_exact(self.array):
            self._block = self.array.astype(np.float64)
        if self._block is not None:
            return Column(ColumnSchema(name, Kind.NUMERIC), self._block[:, j])
        return numeric(name, values)


def _two_dimensional(X: Any) -> Values:
    if hasattr(X, "tocsr") and hasattr(X, "toarray"):
        raise TypeError("sparse input is not supported: pass X.toarray()")
    if isinstance(X, np.ma.MaskedArray):
        raise TypeError("a masked array's mask would be lost: pass X.astype(float).filled(numpy.nan)")
    array = np.asarray(X)
    if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
        array = np.asarray(X, dtype=object)  # numpy turned the numbers of a list with text into text
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: a cell must be a real number")
    if array.dtype.kind not in "biufMOUS":
        raise TypeError(f"cells of type {array.dtype} are not supported")
    if array.ndim != 2:
        hint = _hint(X, array)
        raise ValueError(f"Expected 2D array, got {array.ndim}D array of shape {array.shape}.{hint}")
    if array.shape[1] == 0:
        raise ValueError(f"0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    return array


def _hint(X: Any, array: Values) -> str:
    if isinstance(X, Mapping) or (array.ndim == 1 and array.dtype.kind == "O" and isinstance(array[0], Mapping)):
        return " Columns or rows with names make a frame: pass pandas.DataFrame(X) or polars.DataFrame(X)."
    return " Reshape your data: X.reshape(-1, 1) for one column." if array.ndim == 1 else ""
