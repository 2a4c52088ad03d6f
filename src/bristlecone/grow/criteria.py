"""The splitting criteria, by the names that users give them. SPEC B1."""

from __future__ import annotations

CLASSIFICATION = ("gini", "entropy", "log_loss", "sqrt", "gain_ratio")
REGRESSION = ("squared_error", "absolute_error", "poisson")

_ALIASES = {"log_loss": "entropy"}


def task_of(criterion: str) -> str:
    """Return "classification" or "regression" for a criterion's name; ValueError for any other name."""
    if criterion in CLASSIFICATION:
        return "classification"
    if criterion in REGRESSION:
        return "regression"
    names = ", ".join(repr(name) for name in CLASSIFICATION + REGRESSION)
    raise ValueError(f"criterion must be one of {names}; got {criterion!r}")


def kernel_name(criterion: str) -> str:
    """Return the name under which the core knows the criterion."""
    return _ALIASES.get(criterion, criterion)
