"""What an answer costs a row of known target: the losses that held-out rows are judged by.

factor     what a row counts beside its weight: the class weights and priors under which the tree was grown.
unit       losses are counted in a power of two of the target's own reach, so that their squares stay in the range of
           floats; `scale` takes a loss back to the target's units.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.tree import Tree

__all__ = ["AbsoluteLoss", "ClassLoss", "Loss", "PoissonLoss", "SquaredLoss", "numeric_loss"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]


class Loss(ABC):
    """name: what is counted, as a path or a criterion names it; factor: (n_rows,), or None for ones."""

    name: str
    factor: Floats | None = None

    @abstractmethod
    def of_rows(self, tree: Tree, rows: Ints, nodes: Ints) -> Floats:
        """The loss of each row when the given node answers it, in units, (len(rows),)."""

    def scale(self, losses: Floats) -> Floats:
        """Losses in the target's own units."""
        return losses


class ClassLoss(Loss):
    """The cost of an answer: matrix[true class, answered class], or 1 for every wrong one.

    codes: (n_rows,) true classes; matrix: (K, K) or None.
    """

    def __init__(self, codes: Ints, matrix: Floats | None = None, factor: Floats | None = None) -> None:
        self.name = "misclassification" if matrix is None else "loss"
        self.codes, self.matrix, self.factor = codes, matrix, factor

    def of_rows(self, tree: Tree, rows: Ints, nodes: Ints) -> Floats:
        true, answered = self.codes[rows], tree.label[nodes]
        if self.matrix is None:
            wrong: Floats = (true != answered).astype(np.float64)
            return wrong
        costs: Floats = self.matrix[true, answered]
        return costs


class NumericLoss(Loss):
    """A loss of a numeric target. y: (n_rows,), finite."""

    power = 1  # of the target's unit in the loss

    def __init__(self, y: Floats) -> None:
        self.y = y
        self.exponent = int(np.frexp(np.abs(y).max(initial=0.0))[1])

    def of_rows(self, tree: Tree, rows: Ints, nodes: Ints) -> Floats:
        y, answer = (np.ldexp(v, -self.exponent) for v in (self.y[rows], tree.prediction[nodes]))
        return self.between(y, answer)

    @abstractmethod
    def between(self, y: Floats, answer: Floats) -> Floats:
        """The loss of answers to targets, both in the target's unit."""

    def scale(self, losses: Floats) -> Floats:
        return np.ldexp(losses, self.power * self.exponent)


class SquaredLoss(NumericLoss):
    """(y - answer)^2."""

    name = "squared_error"
    power = 2

    def between(self, y: Floats, answer: Floats) -> Floats:
        off: Floats = y - answer
        return off * off


class AbsoluteLoss(NumericLoss):
    """|y - answer|."""

    name = "absolute_error"

    def between(self, y: Floats, answer: Floats) -> Floats:
        return np.abs(y - answer)


class PoissonLoss(NumericLoss):
    """Half the Poisson deviance, y ln(y / answer) - y + answer; infinite where 0 answers a positive target."""

    name = "poisson"

    def between(self, y: Floats, answer: Floats) -> Floats:
        positive = y > 0
        with np.errstate(divide="ignore"):
            ratio = np.divide(y, answer, out=np.ones(len(y)), where=positive)
            deviance = np.where(positive, y * np.log(ratio), 0.0) - y + answer
        return np.maximum(deviance, 0.0)  # what falls below zero is rounding


_BY_CRITERION: dict[str, Callable[[Floats], NumericLoss]] = {
    "squared_error": SquaredLoss,
    "absolute_error": AbsoluteLoss,
    "poisson": PoissonLoss,
}


def numeric_loss(criterion: str, y: Floats) -> NumericLoss:
    """The loss that a criterion over numbers makes small."""
    return _BY_CRITERION[criterion](y)
