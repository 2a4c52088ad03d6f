"""Limits on error rates, from rows that had no part in growing or choosing the tree. SPEC A7.

simultaneous  all of them hold together with probability at least 1 - delta: each leaf gets its part of delta.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.penalties import upper_error_rate
from bristlecone.tree.arrays import Floats

__all__ = ["error_limit", "leaf_limits"]


def error_limit(errors: int, n: int, delta: float) -> float:
    """The most that the error of a tree fixed before these n rows can be, with probability at least 1 - delta.

    Clopper and Pearson's one-sided limit, Beta^-1(1 - delta; errors + 1, n - errors); 1 without rows. SPEC A7.
    """
    return float(upper_error_rate(errors, n - errors, delta)) if n else 1.0


def leaf_limits(errors: npt.ArrayLike, n: npt.ArrayLike, delta: float) -> tuple[Floats, Floats]:
    """Lower and upper limits, (n_leaves,) each, that hold for all leaves together with probability at least 1 - delta.

    errors, n: of the rows of each leaf, (n_leaves,). Clopper and Pearson's two-sided limits at delta / n_leaves: given
    how many rows came to each leaf, the errors are independent binomial counts. 0 and 1 where none came. SPEC A7.
    """
    wrong, rows = (np.asarray(given, dtype=np.float64) for given in (errors, n))
    tail = delta / (2 * max(len(rows), 1))
    low = 1.0 - upper_error_rate(rows - wrong, wrong, tail)
    high = upper_error_rate(wrong, rows - wrong, tail)
    return np.where(rows > 0, low, 0.0), np.where(rows > 0, high, 1.0)


def check_delta(delta: Any) -> float:
    """Raises ValueError for what is no number between 0 and 1."""
    if isinstance(delta, bool) or not isinstance(delta, (int, float, np.floating)) or not 0 < delta < 1:
        raise ValueError(f"delta must be a number between 0 and 1, got {delta!r}")
    return float(delta)
