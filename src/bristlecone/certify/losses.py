"""What an answer loses on a row, as a share of the most there is to lose; a certificate bounds its mean. SPEC A7.

risk        what is lost and on which rows: errors, costs by a loss matrix, errors on the rows of one class, Brier's
            score, or being farther off than a radius.
share       a loss over `scale`, the largest there can be: in [0, 1], as the bounds need it.
whole       every share is 0 or 1: then errors are counted, and the vote has bounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from bristlecone.certify.certificate import OFF_BY
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Floats, Ints

__all__ = [
    "Beyond",
    "Brier",
    "ErrorOfClass",
    "LossMatrix",
    "Misclassification",
    "Risk",
    "as_risk",
    "codes_of",
    "is_risk",
]

Mask = npt.NDArray[np.bool_]


@runtime_checkable
class Risk(Protocol):
    """What a certificate bounds the mean of. phrase: as it stands in a sentence; scale, whole: see the head."""

    @property
    def phrase(self) -> str: ...
    @property
    def scale(self) -> float: ...
    @property
    def whole(self) -> bool: ...

    def concerns(self, y: Array) -> Mask | None:
        """The rows that it is about, (n_rows,); None for all."""

    def shares(self, y: Array, answers: Array) -> Floats:
        """The loss of each answer as a share, (n_rows,)."""

    def answers(self, tree: Tree, nodes: Ints) -> Array:
        """What a tree answers at these nodes."""


@dataclass(frozen=True, slots=True)
class Misclassification:
    """1 for a wrong label, 0 for the right one. A class that the tree does not know is always answered wrongly."""

    phrase: str = field(default="error", init=False, repr=False)
    scale: float = field(default=1.0, init=False, repr=False)
    whole: bool = field(default=True, init=False, repr=False)

    def concerns(self, y: Array) -> None:
        """All rows."""

    def shares(self, y: Array, answers: Array) -> Floats:
        """1 where answer and label differ."""
        return np.asarray(answers != y, dtype=np.float64)

    def answers(self, tree: Tree, nodes: Ints) -> Array:
        """The nodes' labels."""
        return _needs_classes(tree, "error").answers_at(nodes)


@dataclass(frozen=True, slots=True)
class ErrorOfClass:
    """The error on rows whose true class is `label`: of those alone."""

    label: Any
    scale: float = field(default=1.0, init=False, repr=False)
    whole: bool = field(default=True, init=False, repr=False)

    def __post_init__(self) -> None:
        if np.ndim(self.label) != 0:
            raise ValueError(f"label must be one class, got {self.label!r}")

    @property
    def phrase(self) -> str:
        return f"error on rows of class {self.label!r}"

    def concerns(self, y: Array) -> Mask:
        """The rows of the class."""
        return np.asarray(y == self.label, dtype=np.bool_)

    def shares(self, y: Array, answers: Array) -> Floats:
        """1 where answer and label differ."""
        return np.asarray(answers != y, dtype=np.float64)

    def answers(self, tree: Tree, nodes: Ints) -> Array:
        """The nodes' labels."""
        return _needs_classes(tree, "error of a class").answers_at(nodes)


@dataclass(frozen=True, slots=True, eq=False)
class LossMatrix:
    """The mean cost by a matrix (K, K) of numbers >= 0, true classes in rows, 0 on the diagonal; classes: (K,)."""

    matrix: Floats
    classes: Array
    phrase: str = field(default="mean cost", init=False, repr=False)
    whole: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        classes = _different("a loss matrix", self.classes)
        try:
            matrix = np.asarray(self.matrix, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"risk: a loss matrix holds numbers, got {self.matrix!r}: {error}") from None
        if matrix.shape != (len(classes), len(classes)):
            k = len(classes)
            raise ValueError(
                f"risk: a loss matrix of {k} classes is {k} x {k}, true classes in rows; got {matrix.shape}"
            )
        if not (np.isfinite(matrix).all() and (matrix >= 0).all() and matrix.any()) or np.diag(matrix).any():
            raise ValueError("risk: a loss matrix holds finite numbers >= 0, not all 0, and 0 on its diagonal")
        object.__setattr__(self, "matrix", matrix)
        object.__setattr__(self, "classes", classes)

    @property
    def scale(self) -> float:
        """The largest cost."""
        return float(self.matrix.max())

    def concerns(self, y: Array) -> None:
        """All rows."""

    def shares(self, y: Array, answers: Array) -> Floats:
        """The cost of each answer over the largest. Raises ValueError for a label that has no row in the matrix."""
        costs: Floats = self.matrix[self._codes("y", y), self._codes("answers", answers)] / self.scale
        return costs

    def _codes(self, name: str, labels: Array) -> Ints:
        codes = codes_of(self.classes, labels)
        if (codes < 0).any():
            row = int(np.argmax(codes < 0))
            raise ValueError(f"{name}, row {row}: the loss matrix has no class {labels[row : row + 1].tolist()[0]!r}")
        return codes

    def answers(self, tree: Tree, nodes: Ints) -> Array:
        """The nodes' labels."""
        return _needs_classes(tree, "a loss matrix").answers_at(nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Brier:
    """The Brier score of predicted probabilities: the sum of squared differences from the truth, at most 2.

    classes: (K,), the columns of the probabilities; of a tree they are taken in this order, and a class that it does
    not know has none. Of trees that are drawn or averaged it is the mean; the score of averaged probabilities is no
    larger (Jensen).
    """

    classes: Array
    phrase: str = field(default="Brier score", init=False, repr=False)
    scale: float = field(default=2.0, init=False, repr=False)
    whole: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", _different("Brier's score", self.classes))

    def concerns(self, y: Array) -> None:
        """All rows."""

    def shares(self, y: Array, answers: Array) -> Floats:
        """Half the score; answers: (n_rows, K). Raises ValueError for what is no distribution."""
        try:
            table = np.asarray(answers, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"probabilities must be numbers: {error}") from None
        if table.shape != (len(y), len(self.classes)):
            raise ValueError(f"probabilities have shape {table.shape}, expected ({len(y)}, {len(self.classes)})")
        if not ((table >= 0).all() and (np.abs(table.sum(axis=1) - 1) < 1e-6).all()):
            raise ValueError("probabilities must be at least 0 and sum to 1 in every row")
        truth = np.asarray(y)[:, None] == np.asarray(self.classes)[None, :]
        score: Floats = np.square(table - truth).sum(axis=1) + ~truth.any(axis=1)
        return np.minimum(score / 2.0, 1.0)

    def answers(self, tree: Tree, nodes: Ints) -> Array:
        """The nodes' class fractions, (len(nodes), K). Raises ValueError for a class of the tree that is not here."""
        fractions, known = _needs_classes(tree, "Brier's score").fractions_at(nodes), tree.classes
        assert known is not None
        columns = codes_of(self.classes, known)
        if (columns < 0).any():
            strange = known[columns < 0].tolist()[0]
            raise ValueError(f"risk: Brier's score has no class {strange!r}, which the tree may answer")
        table = np.zeros((len(nodes), len(self.classes)))
        table[:, columns] = fractions
        return table


@dataclass(frozen=True, slots=True)
class Beyond:
    """For numbers: the chance that an answer is off by more than `radius`."""

    radius: float
    scale: float = field(default=1.0, init=False, repr=False)
    whole: bool = field(default=True, init=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.radius, bool) or not isinstance(self.radius, Real) or not 0 <= self.radius < math.inf:
            raise ValueError(f"radius must be a finite number of at least 0, got {self.radius!r}")

    @property
    def phrase(self) -> str:
        return f"{OFF_BY} {self.radius:g}"

    def concerns(self, y: Array) -> None:
        """All rows."""

    def shares(self, y: Array, answers: Array) -> Floats:
        """1 where the answer is farther off."""
        apart = np.abs(np.asarray(y, dtype=np.float64) - np.asarray(answers, dtype=np.float64))
        return np.asarray(~(apart <= self.radius), dtype=np.float64)

    def answers(self, tree: Tree, nodes: Ints) -> Array:
        """The nodes' values."""
        if tree.classes is not None:
            raise ValueError("risk: being off by more than a radius is for numbers, and this tree answers classes")
        return tree.answers_at(nodes)


def _different(what: str, classes: Any) -> Array:
    """Classes as an array, (K,). Raises ValueError where they are no list of different labels."""
    labels: Array = np.asarray(classes)
    if labels.ndim != 1 or not len(labels) or len(set(labels.tolist())) < len(labels):
        raise ValueError(f"risk: {what} needs the list of all classes, each once; got {classes!r}")
    return labels


def codes_of(classes: Array, labels: Array) -> Ints:
    """The place of each label among the classes, -1 for others."""
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    return np.array([code_of.get(label, -1) for label in labels.tolist()], dtype=np.int64)


def is_risk(given: object) -> bool:
    """Whether something is a risk; the class of one is none."""
    return isinstance(given, Risk) and not isinstance(given, type)


def as_risk(given: Any, classes: Array | None) -> Risk:
    """A risk from "error", "brier" or a loss matrix over `classes`; any other as it is. ValueError or TypeError."""
    if isinstance(given, str):
        if given not in ("error", "brier"):
            raise ValueError(f"risk must be 'error', 'brier', a loss matrix, ErrorOfClass or Beyond, got {given!r}")
        if classes is None:
            raise ValueError(f"risk={given!r} needs classes; for numbers there is Beyond(radius)")
        return Misclassification() if given == "error" else Brier(classes)
    if is_risk(given):
        return given  # type: ignore[no-any-return]
    matrix = np.asarray(given, dtype=object)
    if matrix.ndim != 2:
        raise TypeError(f"risk must be 'error', 'brier', a loss matrix, ErrorOfClass or Beyond, got {given!r}")
    if classes is None:
        raise ValueError("risk: a loss matrix needs classes")
    return LossMatrix(np.asarray(given), classes)


def _needs_classes(tree: Tree, what: str) -> Tree:
    if tree.classes is None:
        raise ValueError(f"risk: {what} needs classes, and this tree answers numbers; there is Beyond(radius)")
    return tree
