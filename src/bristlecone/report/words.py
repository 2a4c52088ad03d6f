"""Sentences about a tree: how often it errs, and why it has the size it has. Command and page say the same ones."""

from __future__ import annotations

import decimal
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from bristlecone.report.measure import ClassError, Errors
from bristlecone.subtrees.summary import PruningTable

__all__ = [
    "count",
    "error_in_words",
    "limit_in_percent",
    "outward",
    "risk_in_words",
    "share",
    "size_in_words",
    "vote_in_words",
]


def share(fraction: float) -> str:
    """Return a share in percent: one decimal, more only where that would read 0 or 100; 0% and 100% are exact."""
    percent = 100.0 * fraction
    if percent in (0.0, 100.0):
        return f"{percent:.0f}%"
    if percent < 0.05:
        return f"{percent:.1g}%"
    return f"{percent:.1f}%" if percent < 99.95 else f"{percent:.4f}%"


def outward(value: float | decimal.Decimal, up: bool, places: int | None = None) -> str:
    """A limit with so many digits after the point (None: four that count), never inside of what it is.

    up: whether it is an upper one.
    """
    if places is None:
        places = 3 - math.floor(math.log10(abs(float(value)))) if value else 0
    way = decimal.ROUND_CEILING if up else decimal.ROUND_FLOOR
    said = decimal.Decimal(value).quantize(decimal.Decimal(1).scaleb(-places), way, decimal.Context(prec=700))
    return f"{said + 0:f}" if 0 <= places < 8 else f"{float(said):.4g}"


def limit_in_percent(limit: float, up: bool) -> str:
    """A limit on a share in percent with one decimal, never inside of what it is."""
    exact = 100 * decimal.Decimal(repr(round(float(limit), 12)))  # 0.07 is 7.0%, whatever its last bit
    return f"{outward(exact, up, 1)}%"


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: 1 row, 2,000 rows."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def error_in_words(error: Errors, constant: str) -> str:
    """Return an error with what the one answer would make: 13.9% wrong (23.9% if always 'no')."""
    if isinstance(error, ClassError):
        return f"{share(error.tree)} wrong ({share(error.constant)} if always {constant})"
    r2 = "" if np.isnan(error.r2) else f", R² {error.r2:.3f}"
    return f"RMSE {error.tree:.4g}{r2} ({error.constant:.4g} if always {constant})"


def risk_in_words(risk: float, judged_by: str) -> str:
    """Return a mean loss of held-out rows as people say it."""
    if judged_by == "misclassification":
        return f"{share(risk)} wrong"
    if judged_by == "squared_error":
        return f"RMSE {math.sqrt(risk):.4g}"
    return f"{judged_by.replace('_', ' ')} {risk:.4g}"


def size_in_words(table: PruningTable, grown: int) -> str:
    """Return why a tree chosen from these prunings of a tree of `grown` leaves is as large as it is."""
    leaves = count(grown, "leaf", "leaves")
    if table.n_folds == 0:
        return f"of {leaves} grown, at {table.strength_name} {table.strength[table.chosen]:.4g} ({table.rule})"
    chosen = risk_in_words(table.cv_risk[table.chosen], table.judged_by)
    told = f"of {leaves} grown: {chosen} in {table.n_folds}-fold cross-validation, "
    if table.least is None or table.least == table.chosen:
        return told + "the least of all prunings"
    lowest, se = table.cv_risk[table.least], table.se[table.least]
    with_leaves = count(int(table.leaves[table.least]), "leaf", "leaves")
    return told + (
        f"the smallest tree within one standard error of the least ({risk_in_words(lowest, table.judged_by)} with "
        f"{with_leaves}; so up to {risk_in_words(lowest + se, table.judged_by)})"
    )


def vote_in_words(strengths: Mapping[str, Any], leaves: float, grown: int, how: str = "") -> str:
    """Return why the tree of a vote is as large as it is, up to the closing bracket. how: by what it was weighed, where
    not by strengths."""
    given = how or ", ".join(f"{name.replace('_', ' ')} {value:.4g}" for name, value in strengths.items())
    return (
        f"the vote of all prunings of {count(grown, 'leaf', 'leaves')} grown; "
        f"those that vote have {leaves:.3g} on average ({given}"
    )
