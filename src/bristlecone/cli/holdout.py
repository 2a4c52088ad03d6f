"""Rows kept out of growth.

held out: rows that the tree never saw; its error on them speaks of rows to come.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.faults import Fault

Marks = NDArray[np.intp] | None


@dataclasses.dataclass(frozen=True, slots=True)
class Split:
    """Row numbers to grow on and to hold out, both ascending; together every row once."""

    growing: NDArray[np.intp]
    held_out: NDArray[np.intp]


def split_rows(n_rows: int, fraction: float, seed: int, *, group: Marks = None, time: Marks = None) -> Split:
    """Draw `fraction` of the rows, without regard to their contents, by a seeded permutation.

    group: (n_rows,) equal where rows belong together: whole groups are drawn, about that many rows. time:
    (n_rows,) in the order of time: the last rows are held out, those of one time together. At least one row, group or
    time is left on each side, unless `fraction` is 0: then all rows grow. Raises `Fault` if that cannot be.
    numpy promises the stream of its legacy generator for good, so a seed means the same rows in every version.
    """
    if fraction == 0.0:
        return Split(np.arange(n_rows), np.arange(0))
    if fraction >= 1.0:
        raise Fault("--holdout 1 leaves no rows to grow on; give a share below 1")
    if n_rows < 2:
        raise Fault(f"{n_rows} usable row(s): too few to hold any out; use --holdout 0")
    n_held_out = min(max(round(n_rows * fraction), 1), n_rows - 1)
    marks = group if group is not None else time
    if marks is None:
        order = np.random.RandomState(seed).permutation(n_rows)
        return Split(np.sort(order[n_held_out:]), np.sort(order[:n_held_out]))
    present, number, size = np.unique(marks, return_inverse=True, return_counts=True)
    if len(present) < 2:
        raise Fault("all rows are of one group or time: none can be held out; use --holdout 0")
    order = np.random.RandomState(seed).permutation(len(present)) if time is None else np.arange(len(present))[::-1]
    n_taken = int(np.argmin(np.abs(np.cumsum(size[order]) - n_held_out))) + 1
    held_out = np.isin(number, order[: min(n_taken, len(present) - 1)])
    return Split(np.flatnonzero(~held_out), np.flatnonzero(held_out))
