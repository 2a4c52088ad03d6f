"""How large the greedy tree can be, as printed and as proved. SPEC C3, C6."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bristlecone.query.checks import check_epsilon, check_factor, check_whole

__all__ = ["SizeBounds", "size_bounds"]


class SizeBounds(NamedTuple):
    """Bounds on the leaves of the greedy tree; infinity beyond the range of floats.

    printed: Theorem 1.1 (5.1 with factor 4) as the paper has it; its proof needs Delta* where it says Delta, so this is
    no theorem unless Delta* = Delta (balanced trees, uniform path trees). proved: the same with Delta* in the
    exponents.
    """

    printed: float
    proved: float


def size_bounds(
    depth: int, average_depth: float, epsilon: float, *, delta_star: float | None = None, factor: float = 1.0
) -> SizeBounds:
    """Bounds on the size of the greedy tree within epsilon of a function that a tree of this depth computes.

    depth, average_depth: D and Delta of that tree. delta_star: its Delta* (see `delta_star`); None takes the depth,
    which is never less. factor: 1 for the exact algorithm, 4 for leaves within a factor 4 of the best score (Theorem
    5.1). Raises ValueError for numbers that are out of range. Source: SPEC C3, Theorem 1.1 and 5.1.
    """
    check_epsilon(epsilon)
    if not 0 < epsilon < 1:
        raise ValueError(f"epsilon must be between 0 and 1, got {epsilon!r}")
    check_whole(0, depth=depth)
    star = depth if delta_star is None else delta_star
    for name, value in (("average_depth", average_depth), ("delta_star", star)):
        if isinstance(value, bool) or not isinstance(value, int | float | np.number):
            raise ValueError(f"{name} must be a number, got {value!r}")
    if not (depth >= 0 and 0 <= average_depth <= depth * (1 + 1e-9) and average_depth <= star * (1 + 1e-9)):
        raise ValueError(f"expected average_depth <= delta_star <= depth, got {average_depth!r}, {star!r}, {depth!r}")
    check_factor("factor", factor)
    if depth == 0:
        return SizeBounds(1.0, 1.0)
    # ln of the larger of (e Delta / (epsilon D))^(k Delta D) and e^(k Delta D)
    ratio = average_depth / (epsilon * depth)
    per_exponent = 1.0 + (math.log(ratio) if ratio > 1 else 0.0)
    return SizeBounds(*(_exp(factor * delta * depth * per_exponent) for delta in (average_depth, star)))


def _exp(power: float) -> float:
    try:
        return math.exp(power)
    except OverflowError:
        return math.inf
