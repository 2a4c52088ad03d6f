"""What the space trees share: their rows are numbers, their target is classes, a cut asks nothing of its gain. SPEC A1.

space tree   cuts the space of the rows by a rule; which rows lie where matters little, their labels not at all except
             that a node of one class is left alone.
n            the size of the growing sample, in the default depth: the total of the weights where all are whole (so that
             they equal repeated rows), else the number of rows with weight.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.grow.cart import thread_count
from bristlecone.grow.parameters import PARAMETERS, Check, check_parameters, one_of
from bristlecone.grow.targets import ClassTarget, Floats, check_weights, class_target, refuse_continuous
from bristlecone.table import CellError, Table, as_table
from bristlecone.table.errors import CellTypeError
from bristlecone.table.rows import check_same_rows
from bristlecone.tree import Tree
from bristlecone.tree.arrays import from_core

__all__ = ["DEEPEST", "Sample", "check_space", "sample_of"]

DEEPEST = 2**31 - 1

_CHECKS = PARAMETERS | {
    "stop_pure": Check(lambda value: isinstance(value, bool | np.bool_), "True or False"),
    "axis": one_of("cycle", "spread"),
}


def check_space(**parameters: object) -> None:
    """Refuse the first parameter of a space tree that is not what it may be, by name."""
    check_parameters(parameters, _CHECKS)


@dataclass(frozen=True, slots=True)
class Sample:
    """The growing rows, checked. table: numbers only; weights: (n_rows,) or None for ones."""

    table: Table
    target: ClassTarget
    weights: Floats | None

    @property
    def log_size(self) -> int:
        """floor(ln n), see the head of this file."""
        if self.weights is None:
            return math.floor(math.log(self.table.n_rows))
        whole = bool((self.weights == np.floor(self.weights)).all())
        return math.floor(math.log(self.weights.sum() if whole else np.count_nonzero(self.weights)))

    def grown(self, grow: Callable[..., dict[str, bytes]], n_jobs: int | None, **options: Any) -> Tree:
        """The tree that a kernel grows from these rows."""
        held = grow(
            self.table.core,
            self.target.codes,
            self.target.n_classes,
            self.weights,
            n_threads=thread_count(n_jobs),
            **options,
        )
        return Tree.grown(
            self.table.schema,
            "classification",
            self.target.classes,
            from_core(held),
            criterion="gini",
            unseen="stop",
            missing="error",
            runners=(),
        )


def sample_of(X: Any, y: Any, sample_weight: Any) -> Sample:
    """Rows, labels and weights of a space tree. Raises ValueError or TypeError naming the column, row or parameter."""
    table = as_table(X)
    if len(table.schema) == 0:
        raise ValueError("X has no columns")
    refuse_continuous(y, "cut numbers into classes first")
    target = class_target(y)
    check_same_rows(table.n_rows, len(target.codes))
    weights = check_weights(sample_weight, table.n_rows)
    _refuse_other_than_numbers(table, None if weights is None else weights > 0)
    return Sample(table, target, weights)


def _refuse_other_than_numbers(table: Table, present: npt.NDArray[np.bool_] | None) -> None:
    for column, values in zip(table.schema.columns, table.columns, strict=True):
        if column.categorical:
            raise CellTypeError(column.name, None, "it holds categories, and dyadic and k-d trees need numbers")
        bad = ~np.isfinite(values)
        if present is not None:
            bad &= present
        if bad.any():
            row = int(np.argmax(bad))
            said = "missing (NaN or null)" if np.isnan(values[row]) else f"infinite ({values[row]})"
            problem = f"the value is {said}, and dyadic and k-d trees need a number in every cell"
            raise CellError(column.name, row, problem)
