"""Some rows of whatever holds rows, as its own kind."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from bristlecone.table.columns import Table
from bristlecone.table.frames import frame_of

__all__ = ["check_same_rows", "row_count", "take_rows"]


def take_rows(X: Any, index: npt.NDArray[np.integer[Any]]) -> Any:
    """Rows by their places, of an array, a frame or a Table; of a list of rows as an array."""
    if isinstance(X, Table):
        return X.take(index)
    frame = nw.from_native(frame_of(X), eager_only=True, pass_through=True)
    return frame[index, :].to_native() if isinstance(frame, nw.DataFrame) else np.asarray(X)[index]


def check_same_rows(n_rows: int, n_targets: int, name: str = "X") -> None:
    """Raises ValueError where `name` and y are of different numbers of rows."""
    if n_rows != n_targets:
        raise ValueError(f"{name} has {n_rows} rows but y has {n_targets}: inconsistent numbers of samples")


def row_count(X: Any) -> int:
    """How many rows an array, a frame, a Table or a list of rows has."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
