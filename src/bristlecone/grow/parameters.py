"""What every parameter of growth may be, in one table: `cart` and the estimators check by it, but for the criterion.

A check is a predicate with the words that complete "max_depth=-1: must be ...". Parameters that depend on the data
(names of columns, classes) are checked again where the data is known.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from bristlecone.tree.validation import MISSING, UNSEEN

__all__ = ["INSIDE", "PARAMETERS", "Check", "check_parameters", "one_of"]


@dataclass(frozen=True, slots=True)
class Check:
    """One parameter's rule: whether a value passes, and what to say when it does not."""

    passes: Callable[[Any], bool]
    wanted: str


def _whole(value: object) -> bool:
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def _fraction(value: object) -> bool:
    return type(value) is float or (isinstance(value, Real) and not isinstance(value, Integral))


def _as_float(value: Any) -> float:
    """NaN for a whole number beyond all floats: it passes no check."""
    try:
        return float(value)
    except OverflowError:
        return math.nan


def _number(value: object) -> bool:
    # Python's own float first: asking the abstract class takes several times as long
    real = type(value) is float or (isinstance(value, Real) and not isinstance(value, bool))
    return real and math.isfinite(_as_float(value))


def _not_negative(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and _as_float(value) >= 0.0


def one_of(*names: str) -> Check:
    """A word out of a fixed list."""
    listed = ", ".join(repr(name) for name in names)
    return Check(lambda value: isinstance(value, str) and value in names, f"one of {listed}")


def whole(least: int) -> Check:
    """A whole number of at least `least`."""
    return Check(lambda value: _whole(value) and value >= least, f"a whole number of at least {least}")


def none_or(check: Check) -> Check:
    """None, or what passes a check."""
    return Check(lambda value: value is None or check.passes(value), f"None or {check.wanted}")


def rows(least: int, largest_fraction: Check) -> Check:
    """A number of rows, or a fraction of the rows."""
    return Check(
        lambda value: (_whole(value) and value >= least) or (_fraction(value) and largest_fraction.passes(value)),
        f"a whole number of rows of at least {least}, or a fraction of the rows {largest_fraction.wanted}",
    )


def number(least: float, most: float = math.inf) -> Check:
    """A finite number in a closed range."""
    bounds = f"of at least {least:g}" if most == math.inf else f"from {least:g} to {most:g}"
    return Check(lambda value: _number(value) and least <= value <= most, f"a finite number {bounds}")


INSIDE = Check(lambda value: _number(value) and 0 < value < 1, "a number between 0 and 1")


def _list_like(value: object) -> bool:
    return not isinstance(value, (str, bytes, Mapping)) and hasattr(value, "__len__")


MAPPING_OR_ARRAY = Check(lambda value: isinstance(value, Mapping) or _list_like(value), "a dict, or an array")

PARAMETERS: dict[str, Check] = {
    "max_depth": none_or(whole(0)),
    "min_samples_split": rows(2, Check(lambda value: 0.0 < value <= 1.0, "in (0, 1]")),
    "min_samples_leaf": rows(1, Check(lambda value: 0.0 < value < 1.0, "in (0, 1)")),
    "min_weight_fraction_leaf": number(0.0, 0.5),
    "max_leaf_nodes": none_or(whole(2)),
    "min_impurity_decrease": number(0.0),
    "zero_gain": one_of("split", "stop"),
    "min_weight_split": number(0.0),
    "min_weight_leaf": number(0.0),
    "ccp_alpha": none_or(Check(_not_negative, "a number of at least 0")),
    "monotonic_cst": none_or(MAPPING_OR_ARRAY),
    "categorical_features": Check(
        lambda value: value is None or (isinstance(value, str) and value == "from_dtype") or _list_like(value),
        "'from_dtype', None, or an array of column names, indices or booleans",
    ),
    "missing": one_of(*MISSING),
    "unseen": one_of(*UNSEEN),
    "priors": none_or(MAPPING_OR_ARRAY),
    "loss": none_or(Check(_list_like, "a square matrix")),
    "class_weight": Check(
        lambda value: value is None or (isinstance(value, str) and value == "balanced") or isinstance(value, Mapping),
        "None, 'balanced', or a dict from class to weight",
    ),
    "n_runners": whole(0),
    "n_jobs": none_or(Check(lambda value: _whole(value) and value != 0, "a whole number, not 0")),
}


def check_parameters(
    values: Mapping[str, object], checks: Mapping[str, Check] = PARAMETERS, owner: str | None = None
) -> None:
    """Refuse the first parameter that its rule does not accept.

    Errors: ValueError naming the parameter, the value and, where it is given, the owner of the parameter.
    """
    for name, value in values.items():
        if not checks[name].passes(value):
            whose = "" if owner is None else f"{owner}: "
            raise ValueError(f"{whose}{name}={reprlib.repr(value)}: must be {checks[name].wanted}")
