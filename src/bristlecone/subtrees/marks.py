"""Marks of rows, such as groups and times: one a row, none missing; only which are equal, and their order, counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from bristlecone.table import is_missing
from bristlecone.tree.arrays import Array, Ints

__all__ = ["marks_of", "numbered"]


def marks_of(given: Any, name: str, n_rows: int) -> Array:
    """Marks as an array (n_rows,), each as it was given. Raises ValueError for another shape and a missing mark."""
    held = np.asarray(given)
    if held.dtype.kind in "US" and not hasattr(given, "dtype"):
        held = np.array(list(given), dtype=object)  # numpy makes text of numbers among text
    if held.ndim == 2 and held.shape[1] == 1:
        held = held[:, 0]
    if held.shape != (n_rows,):
        raise ValueError(f"{name} has shape {held.shape}, expected ({n_rows},)")
    missing = np.array([is_missing(mark) for mark in held], np.bool_) if held.dtype.kind == "O" else held != held
    if missing.any():
        raise ValueError(f"{name}, row {int(np.argmax(missing))}: the value is missing")
    return held


def numbered(given: Any, name: str, n_rows: int) -> tuple[list[Any], Ints]:
    """The distinct marks in order, and the place of each row's among them; ValueError where they have no order."""
    held = marks_of(given, name, n_rows)
    try:
        distinct, number = np.unique(held, return_inverse=True)
    except TypeError:
        raise ValueError(f"{name} holds values of types that have no common order") from None
    return distinct.tolist(), number
