"""The dyadic tree: cells cut in the middle, the columns taking turns. SPEC A1."""

from __future__ import annotations

from typing import Any

import numpy as np

from bristlecone import _core
from bristlecone.grow.space import DEEPEST, check_space, sample_of
from bristlecone.grow.targets import Floats, as_floats, refuse_masked
from bristlecone.table import Schema
from bristlecone.tree import Tree

__all__ = ["dyadic"]


def dyadic(
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    max_depth: int | None = None,
    ranges: Any = None,
    stop_pure: bool = True,
    n_jobs: int | None = None,
) -> Tree:
    """Grow the dyadic tree: every cell is cut in the middle of one column, the columns taking turns by depth.

    X: array, frame or Table of n_rows rows, numbers only and none missing; y: (n_rows,) labels. sample_weight:
    (n_rows,), zero means absent, whole weights equal repeated rows. max_depth: None for floor(ln n) cuts of every
    column, n the rows (with whole weights their total). ranges: (n_features, 2) lowest and highest number of every
    column, the cell of the root; None for those of the rows. Rows beyond it belong to the cells at its edge; a column
    whose range is one number takes no turn. stop_pure: a cell whose rows are all of one class is not cut. With False,
    ranges and max_depth, rows decide no cut, only which cells have any and so are cut further. n_jobs: threads, -1 for
    all; the tree does not depend on them.

    A number on the middle goes left: the middle m of a cell is rounded to float64 in the column's own units, and the
    threshold is the next number above m. A side without rows is a leaf of 0 rows that answers as the node above it.
    Nguyen and Kpotufe, NeurIPS 2018; SPEC A1. Raises ValueError or TypeError naming the parameter, column or row; a
    missing cell and a category are refused.
    """
    check_space(max_depth=max_depth, stop_pure=stop_pure, n_jobs=n_jobs)
    sample = sample_of(X, y, sample_weight)
    return sample.grown(
        _core.grow_dyadic,
        n_jobs,
        ranges=None if ranges is None else _ranges(ranges, sample.table.schema),
        max_depth=-1 if max_depth is None else min(int(max_depth), DEEPEST),
        turns=sample.log_size,
        stop_pure=bool(stop_pure),
    )


def _ranges(given: Any, schema: Schema) -> Floats:
    refuse_masked(given, "ranges")
    ranges = as_floats(given, "ranges")
    if ranges.shape != (len(schema), 2):
        raise ValueError(f"ranges has shape {ranges.shape}, expected ({len(schema)}, 2): low and high of every column")
    bad = ~(np.isfinite(ranges).all(axis=1) & (ranges[:, 0] <= ranges[:, 1]))
    if bad.any():
        j = int(np.argmax(bad))
        low, high = ranges[j].tolist()
        raise ValueError(f"ranges, column {schema.names[j]!r}: {low!r} to {high!r} is not a finite, ascending range")
    return np.ascontiguousarray(ranges).reshape(-1)
