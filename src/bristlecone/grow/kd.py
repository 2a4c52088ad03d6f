"""The k-d tree: rows cut at their median in one column. SPEC A1."""

from __future__ import annotations

from typing import Any

from bristlecone import _core
from bristlecone.grow.space import DEEPEST, check_space, sample_of
from bristlecone.tree import Tree

__all__ = ["kd"]


def kd(
    X: Any,
    y: Any,
    *,
    axis: str = "cycle",
    sample_weight: Any = None,
    max_depth: int | None = None,
    stop_pure: bool = True,
    n_jobs: int | None = None,
) -> Tree:
    """Grow the k-d tree: the rows of every node are cut at their median in one column.

    X: array, frame or Table of n_rows rows, numbers only and none missing; y: (n_rows,) labels. axis: "cycle" (the
    columns take turns by depth; one whose rows have one value here hands over to the next) or "spread" (the column
    whose rows lie farthest apart, in standard deviations of the column over all rows; on a tie the first).
    sample_weight: (n_rows,), zero means absent, whole weights equal repeated rows. max_depth: None for n_features *
    floor(ln n), n the rows (with whole weights their total). stop_pure: a node of one class is not cut. n_jobs:
    threads, -1 for all; the tree does not depend on them.

    The cut lies between two neighbouring values of the node, so that the weights of the two sides differ least, the
    lower one on a tie; left is x < t, t the middle of the two. No side is ever without rows. Nguyen and Kpotufe,
    NeurIPS 2018; the rules are those of SPEC A1. Raises ValueError or TypeError naming the parameter, column or row; a
    missing cell and a category are refused.
    """
    check_space(axis=axis, max_depth=max_depth, stop_pure=stop_pure, n_jobs=n_jobs)
    sample = sample_of(X, y, sample_weight)
    deepest = len(sample.table.schema) * sample.log_size if max_depth is None else int(max_depth)
    return sample.grown(
        _core.grow_kd, n_jobs, axis=str(axis), max_depth=min(deepest, DEEPEST), stop_pure=bool(stop_pure)
    )
