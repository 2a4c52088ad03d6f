"""How estimators deal rows into folds: their parameters, checked, and the dealer that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from bristlecone.grow.parameters import Check, none_or, whole
from bristlecone.subtrees.folds import Fold, Rows, rounds

__all__ = ["FOLDS", "RANDOM_STATE", "check_marks", "dealer", "seed_of"]


def _is_cv(value: object) -> bool:
    if isinstance(value, Integral | bool | np.bool_):
        return whole(2).passes(value)
    return hasattr(value, "split") if not isinstance(value, Iterable) else not isinstance(value, str | bytes)


FOLDS = Check(_is_cv, "a number of folds of at least 2, a splitter, or an iterable of (rows to grow on, rows held out)")
RANDOM_STATE = none_or(
    Check(
        lambda value: whole(0).passes(value) or isinstance(value, np.random.RandomState),
        "a whole number of at least 0 or a RandomState",
    )
)


def dealer(
    cv: Any, random_state: Any, given: tuple[Any, Any], groups: Any, time: Any, *, repeats: int = 1, name: str = "cv"
) -> Callable[[Rows], list[list[Fold]]]:
    """What makes the folds of rows. given: the X and y that a splitter is shown; name: the parameter that `cv` is the
    value of; the others as `fit` takes them."""

    def made(rows: Rows) -> list[list[Fold]]:
        shared: dict[str, Any] = {"groups": groups, "time": time, "given": given}
        try:
            return rounds(cv, rows, repeats=repeats, seed=seed_of(random_state), **shared)
        except (TypeError, ValueError) as error:
            if name == "cv" or not str(error).startswith("cv"):
                raise
            raise type(error)(name + str(error)[2:]) from None

    return made


def check_marks(groups: Any, time: Any, n_rows: int) -> None:
    """Raises ValueError where both are given, or one is not as long as X: also when nothing is dealt."""
    if groups is not None and time is not None:
        raise ValueError("groups and time are both given: folds keep groups together, or go forward in time")
    for name, marks in (("groups", groups), ("time", time)):
        if marks is not None and len(marks) != n_rows:
            raise ValueError(f"{name} has {len(marks)} entries, X has {n_rows} rows")


def seed_of(random_state: Any) -> int:
    """A seed: the number itself, or one that a RandomState or numpy's own state gives."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
