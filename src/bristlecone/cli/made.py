"""What a model file says of how its tree was made, and whether that holds together."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from bristlecone.certify import Certificate
from bristlecone.cli.faults import Fault
from bristlecone.cli.options import Prune

__all__ = ["Vote", "check_made"]


@dataclasses.dataclass(frozen=True, slots=True)
class Vote:
    """How the prunings of a grown tree were weighed. strengths: by name; risk: on held-out rows, at these strengths,
    None where there was nothing to hold out; leaves: of the prunings that vote, on average."""

    strengths: dict[str, float]
    risk: float | None
    n_folds: int
    leaves: float


def check_made(made: Any) -> None:
    """Raise `Fault` where it is said wrongly how a tree was made, by `fit` or `distill`; only the target is needed."""
    if not isinstance(made, dict) or not isinstance(made.get("target"), str):
        raise Fault("it does not say how it was made")
    holds = {
        "options": _options(made.get("options")),
        "vote": made.get("vote") is None or _vote(made["vote"]),
        "grown_leaves": _counts(made.get("grown_leaves")),
        "rows": _all_in(made.get("rows"), ("grown", "held_out"), _counts),
        "queries": _counts(made.get("queries")),
        "fidelity": _all_in(made.get("fidelity"), ("share", "at_least", "delta"), _share),
    }
    for name in holds:
        if name in made and not holds[name]:
            raise Fault(f"it does not say how it was made: {name!r} is {made[name]!r}")
    if made.get("certificate") is not None:
        try:
            Certificate.from_dict(made["certificate"])
        except (TypeError, ValueError) as fault:
            raise Fault(f"its certificate is damaged: {fault}") from fault


def _options(held: Any) -> bool:
    return isinstance(held, dict) and held.get("prune", Prune.ONE_SE.value) in [rule.value for rule in Prune]


def _vote(held: Any) -> bool:
    if not isinstance(held, dict) or set(held) != {field.name for field in dataclasses.fields(Vote)}:
        return False
    strengths = held["strengths"]
    numbers = isinstance(strengths, dict) and all(map(_number, strengths.values()))
    return (
        numbers
        and _counts(held["n_folds"])
        and _number(held["leaves"])
        and (held["risk"] is None or _number(held["risk"]))
    )


def _number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _all_in(held: Any, names: tuple[str, ...], holds: Callable[[Any], bool]) -> bool:
    return isinstance(held, dict) and all(holds(held.get(name)) for name in names)


def _counts(value: Any) -> bool:
    return type(value) is int and value >= 0


def _share(value: Any) -> bool:
    return type(value) is float and 0.0 <= value <= 1.0
