"""Rows parted in two, by a seed and without regard to what is in them: to grow on, and to certify or measure on.

The certifying rows are then independent of the others, as certificates need it; drawn class by class they would not be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["LATER", "Split", "split_rows"]

LATER = "rows to come are like the last ones: a change after them, or rows that hang together, is not accounted for"


@dataclass(frozen=True, slots=True)
class Split:
    """Row numbers to grow on and those held out, both ascending; together every row once."""

    growing: npt.NDArray[np.intp]
    held_out: npt.NDArray[np.intp]


def split_rows(n_rows: int, fraction: float, seed: int, *, group: Any = None, time: Any = None) -> Split:
    """Hold out about `fraction` of the rows, above 0 and below 1.

    group: (n_rows,) equal where rows belong together: whole groups are drawn. time: (n_rows,) in the order of time: the
    last rows are held out, those of one time together. At least one row, group or time is left on each side; raises
    ValueError if that cannot be. numpy promises the stream of its legacy generator for good, so a seed means the same
    rows in every version.
    """
    if n_rows < 2:
        raise ValueError(f"{n_rows} usable row(s): too few to hold any out")
    n_held_out = min(max(round(n_rows * fraction), 1), n_rows - 1)
    marks = group if group is not None else time
    if marks is None:
        order = np.random.RandomState(seed).permutation(n_rows)
        return Split(np.sort(order[n_held_out:]), np.sort(order[:n_held_out]))
    present, number, size = np.unique(marks, return_inverse=True, return_counts=True)
    if len(present) < 2:
        raise ValueError("all rows are of one group or time: none can be held out")
    order = np.random.RandomState(seed).permutation(len(present)) if time is None else np.arange(len(present))[::-1]
    n_taken = int(np.argmin(np.abs(np.cumsum(size[order]) - n_held_out))) + 1
    held_out = np.isin(number, order[: min(n_taken, len(present) - 1)])
    return Split(np.flatnonzero(~held_out), np.flatnonzero(held_out))
