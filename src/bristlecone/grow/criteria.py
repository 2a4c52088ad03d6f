"""The splitting criteria, one row each: what people write, in Python, on the command line and in model files. SPEC B1.

impurity    of the class shares of a node, (K,); a criterion over numbers has none, only the core computes it.
kernel      the name under which the core knows the criterion.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Self

import numpy as np
import numpy.typing as npt

__all__ = ["Criterion", "names_of"]

Floats = npt.NDArray[np.float64]
Impurity = Callable[[Floats], float]


def _gini(p: Floats) -> float:
    return float((p * (1 - p)).sum())


def _entropy(p: Floats) -> float:
    present = p[p > 0]
    return float(abs((present * np.log2(present)).sum()))


def _root(p: Floats) -> float:
    parts = 2 * np.sqrt(p * (1 - p))
    return float(parts.sum() if len(p) > 2 else parts.max(initial=0.0))


class Criterion(enum.Enum):
    """A criterion by its name: `Criterion("gini")`."""

    impurity: Impurity | None
    kernel: str

    def __new__(cls, name: str, impurity: Impurity | None = None, kernel: str | None = None) -> Self:
        row = object.__new__(cls)
        row._value_ = name
        row.impurity = impurity
        row.kernel = name if kernel is None else kernel
        return row

    GINI = "gini", _gini
    ENTROPY = "entropy", _entropy
    LOG_LOSS = "log_loss", _entropy, "entropy"
    SQRT = "sqrt", _root
    GAIN_RATIO = "gain_ratio", _entropy
    SQUARED_ERROR = "squared_error"
    ABSOLUTE_ERROR = "absolute_error"
    POISSON = "poisson"

    @property
    def task(self) -> str:
        """ "classification" or "regression"."""
        return "regression" if self.impurity is None else "classification"


def names_of(task: str) -> tuple[str, ...]:
    """The names of the criteria of a task, "classification" or "regression"."""
    return tuple(criterion.value for criterion in Criterion if criterion.task == task)
