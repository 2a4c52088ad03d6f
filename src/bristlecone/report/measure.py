"""The error of a tree on rows, beside that of the best single answer.

constant: the answer of the root: the growing rows' commonest class, or their mean (median): what a tree has to beat.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.table import Table
from bristlecone.tree import Tree

Weight = NDArray[np.float64] | None


@dataclasses.dataclass(frozen=True, slots=True)
class ClassError:
    """Share of rows (of their weight) answered wrongly by the tree, and by the constant."""

    tree: float
    constant: float


@dataclasses.dataclass(frozen=True, slots=True)
class NumberError:
    """Root of the mean squared error of the tree and of the constant, in the target's unit."""

    tree: float
    constant: float

    @property
    def r2(self) -> float:
        """Share of the constant's squared error that the tree takes away; nan where the constant makes none."""
        return 1.0 - (self.tree / self.constant) ** 2 if self.constant > 0.0 else float("nan")


Errors = ClassError | NumberError


def errors_of(tree: Tree, table: Table, y: NDArray[Any], weight: Weight) -> Errors:
    """Return the errors of `tree` and of its root's answer on rows with the targets `y` (n,).

    A level that the tree refuses is answered by the node that does not know it: rows must not go unmeasured.
    """
    lenient = tree if tree.unseen != "error" else dataclasses.replace(tree, unseen="stop")
    answers = lenient.predict(table)
    if tree.classes is None:
        return number_error(y, answers, float(tree.prediction[0]), weight)
    return class_error(y, answers, tree.classes[tree.label[0]], weight)


def class_error(y: NDArray[Any], answers: NDArray[Any], constant: object, weight: Weight) -> ClassError:
    """Return the weighted share of `y` (n,) that `answers` (n,) and the one answer `constant` miss."""
    return ClassError(_mean(y != answers, weight), _mean(y != constant, weight))


def number_error(y: NDArray[np.float64], answers: NDArray[np.float64], constant: float, weight: Weight) -> NumberError:
    """Return the weighted root mean squared errors of `answers` (n,) and of the one answer `constant` on `y` (n,)."""
    # Scaled before squaring: targets near the largest double would overflow.
    scale = max(float(np.max(np.abs(y - constant))), float(np.max(np.abs(y - answers)))) or 1.0
    tree = scale * float(np.sqrt(_mean(((y - answers) / scale) ** 2, weight)))
    flat = scale * float(np.sqrt(_mean(((y - constant) / scale) ** 2, weight)))
    return NumberError(tree, flat)


def _mean(values: NDArray[Any], weight: Weight) -> float:
    return float(np.average(values, weights=weight))
