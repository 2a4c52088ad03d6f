"""Rows kept out of growth.

held out: rows that the tree never saw; its error on them speaks of rows to come.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bristlecone.certify.split import Split, split_rows
from bristlecone.cli.faults import Fault

__all__ = ["Split", "hold_out"]

Marks = NDArray[np.intp] | None


def hold_out(n_rows: int, fraction: float, seed: int, *, group: Marks = None, time: Marks = None) -> Split:
    """Part the rows as `split_rows` does; with the fraction 0 all rows grow. Raises `Fault` if that cannot be."""
    if fraction == 0.0:
        return Split(np.arange(n_rows), np.arange(0))
    if fraction >= 1.0:
        raise Fault("--holdout 1 leaves no rows to grow on; give a share below 1")
    try:
        return split_rows(n_rows, fraction, seed, group=group, time=time)
    except ValueError as fault:
        raise Fault(f"{fault}; use --holdout 0") from fault
