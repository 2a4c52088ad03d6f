"""Points in the very kind of the rows that a distribution was made of: a model is asked in the kind it was fitted on.

origin      the array or frame that was given. A value of a column stands for a row of the origin that has it, so that a
            point is gathered column by column, with the types of the origin, and nothing is converted back.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from bristlecone.table import Table, frame_of

__all__ = ["Origin"]


class Origin:
    """Rows that points are gathered from; rows is an array, a list of rows or a frame, read as `table`."""

    def __init__(self, rows: Any, table: Table) -> None:
        frame = nw.from_native(frame_of(rows), eager_only=True, pass_through=True)
        self._columns = list(frame.iter_columns()) if isinstance(frame, nw.DataFrame) else None
        self._array = None if self._columns is not None else np.asarray(rows)
        self._row_of_value = [np.unique(cells, return_index=True)[1] for cells in table.columns]
        self.named = table.schema.named

    def points(self, places: npt.NDArray[np.int64]) -> Any:
        """An array or a frame of the origin's kind, one row for each row of places, (m, n)."""
        rows = [row_of[places[:, i]] for i, row_of in enumerate(self._row_of_value)]
        if self._array is not None:
            return np.column_stack([self._array[taken, i] for i, taken in enumerate(rows)])
        assert self._columns is not None
        first, *others = (column[taken] for column, taken in zip(self._columns, rows, strict=True))
        return first.to_frame().with_columns(*others).to_native()
