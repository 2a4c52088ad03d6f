"""Models that answer numbers, which are no classes."""

from __future__ import annotations

from typing import Any

from bristlecone.query.oracle import Oracle
from bristlecone.tree import Tree

__all__ = ["refuse_regressor"]


def refuse_regressor(model: Any) -> None:
    """Raise TypeError where a model says of itself that it answers numbers.

    So do trees of numbers and scikit-learn's estimators, their bound predict, and an Oracle of any of them.
    """
    if isinstance(model, Oracle):
        model = model.f
    model = getattr(model, "__self__", model)
    if _regresses(model):
        raise TypeError(f"{type(model).__name__} answers numbers, and this is about classes; cut them into a few first")


def _regresses(model: Any) -> bool:
    if isinstance(model, Tree):
        return model.classes is None
    tags = getattr(model, "__sklearn_tags__", None)
    if tags is None or isinstance(model, type):
        return False
    try:
        return getattr(tags(), "estimator_type", None) == "regressor"
    except Exception:  # of estimators made for other versions
        return getattr(model, "_estimator_type", None) == "regressor"
