"""Parameters that several learners share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.grow.parameters import none_or, whole
from bristlecone.table import is_missing

__all__ = [
    "check_delta",
    "check_epsilon",
    "check_factor",
    "check_place",
    "check_whole",
    "first_missing",
    "generator_of",
]


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


def check_whole(least: int, *, optional: bool = False, **given: Any) -> None:
    """Raise ValueError naming the first of some parameters that is no whole number of at least `least`.

    optional: None will do as well.
    """
    check = none_or(whole(least)) if optional else whole(least)
    for name, value in given.items():
        if not check.passes(value):
            raise ValueError(f"{name} must be {check.wanted}, got {value!r}")


def check_factor(name: str, value: Any) -> None:
    """Raise ValueError unless value is a number of at least 1; infinity is one."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not value >= 1:
        raise ValueError(f"{name} must be a factor of at least 1, got {value!r}")


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
    """The place of the first label that is missing (see `is_missing`); None where all are there."""
    if labels.dtype.kind in "biu":  # cannot say that they are missing
        return None
    if not labels.dtype.hasobject:
        missing = labels != labels
        return int(np.argmax(missing)) if missing.any() else None
    held = labels.tolist()
    try:
        kinds: Iterable[Any] = dict.fromkeys(held)  # few, and asked one by one
    except TypeError:
        kinds = held
    return next(place for place, label in enumerate(held) if is_missing(label)) if any(map(is_missing, kinds)) else None
