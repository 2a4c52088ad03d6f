"""Parameters that several learners share."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["check_delta", "check_epsilon"]


def check_epsilon(epsilon: Any, *, positive: bool = False) -> None:
    """Raise ValueError unless epsilon is an error: 0 to 1, more than 0 where it must be learned from samples."""
    if isinstance(epsilon, bool) or not isinstance(epsilon, int | float | np.number) or not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon must be a number from 0 to 1, got {epsilon!r}")
    if positive and epsilon == 0:
        raise ValueError("epsilon must be above 0: no sample proves that there is no error at all")


def check_delta(delta: Any) -> None:
    """Raise ValueError unless delta is a chance strictly between 0 and 1."""
    if isinstance(delta, bool) or not isinstance(delta, int | float | np.number) or not 0 < delta < 1:
        raise ValueError(f"delta must be a chance strictly between 0 and 1, got {delta!r}")
