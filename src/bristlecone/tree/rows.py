"""What a tree asks of the rows it reads: `Schema.read` gives a table that has these."""

from typing import Any, Protocol

import numpy.typing as npt

from bristlecone import _core
from bristlecone.table.schema import Schema
from bristlecone.tree.arrays import Array


class Rows(Protocol):
    """Typed columns of one schema."""

    schema: Schema
    columns: tuple[Array, ...]
    n_rows: int

    @property
    def unchecked(self) -> bool:
        """Whether infinite cells are still to be refused."""
        ...

    def refuse_infinite(self) -> None:
        """Refuse the first infinite cell, where that was left to whoever walks the rows."""
        ...

    @property
    def core(self) -> _core.Columns:
        """The columns as the compiled core reads them."""
        ...

    def row(self, i: int) -> dict[str, Any]:
        """Row i as a person sees it."""
        ...

    def take(self, rows: npt.ArrayLike) -> "Rows":
        """Some of the rows."""
        ...
