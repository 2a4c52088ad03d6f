"""Parameters that several learners share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["check_delta", "check_epsilon", "check_place", "first_missing", "generator_of"]


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


def check_place(name: str, i: Any, n: int) -> None:
    """Raise ValueError unless i is one of n coordinates."""
    if isinstance(i, bool) or not isinstance(i, int | np.integer) or not 0 <= i < n:
        raise ValueError(f"{name} must be one of the coordinates 0..{n - 1}, got {i!r}")


def generator_of(random_state: Any) -> np.random.Generator:
    """The generator of a seed, a Generator or None. Raises TypeError or ValueError naming random_state."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as fault:
        raise type(fault)(f"random_state={random_state!r}: {fault}") from None


def first_missing(labels: npt.NDArray[Any]) -> int | None:
    """The place of the first label that is NaN or None; None where all are there."""
    if labels.dtype.kind in "biu":  # cannot say that they are missing
        return None
    missing = np.asarray(labels != labels)
    if labels.dtype.hasobject:
        missing = missing | np.array([label is None for label in labels])
    return int(np.argmax(missing)) if missing.any() else None
