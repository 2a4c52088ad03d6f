"""TopDownDT in exact rationals, as Figure 1 of the noise paper prints it: the specification of ``grow.top_down``.

``h`` is the matrix of answers of all splitting functions, a row a row; leaves are lists of rows. Every leaf is scored
again at every step. Ties: the earliest leaf, then the lowest function. G(p) = 4 p (1 - p).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np


@dataclass
class Step:
    """A split that was made: of these rows, by this function, with this drop of the local impurity."""

    rows: tuple[int, ...]
    split: int
    drop: Fraction


def top_down_twin(h: np.ndarray, y: np.ndarray, weight: np.ndarray, size: int | None) -> tuple[list[Step], list]:
    """The splits in the order in which they are made, and the leaves at the end. y: 0 or 1; weight: whole numbers."""
    leaves = [tuple(i for i in range(len(y)) if weight[i])]
    steps: list[Step] = []
    while size is None or len(leaves) < size:
        found = [
            (of(leaf, weight) * drop_of(leaf, h[:, j], y, weight), -place, -j)
            for place, leaf in enumerate(leaves)
            if 0 < mean(leaf, y, weight) < 1
            for j in range(h.shape[1])
            if len({bool(h[i, j]) for i in leaf}) == 2
        ]
        if not found:
            break
        _, place, j = max(found)
        leaf = leaves.pop(-place)
        steps.append(Step(leaf, -j, drop_of(leaf, h[:, -j], y, weight)))
        leaves += [tuple(i for i in leaf if not h[i, -j]), tuple(i for i in leaf if h[i, -j])]
    return steps, leaves


def of(leaf: tuple[int, ...], weight: np.ndarray) -> Fraction:
    return sum((Fraction(int(weight[i])) for i in leaf), Fraction(0))


def mean(leaf: tuple[int, ...], y: np.ndarray, weight: np.ndarray) -> Fraction:
    return sum((Fraction(int(weight[i])) for i in leaf if y[i]), Fraction(0)) / of(leaf, weight)


def gini(p: Fraction) -> Fraction:
    return 4 * p * (1 - p)


def drop_of(leaf: tuple[int, ...], answers: np.ndarray, y: np.ndarray, weight: np.ndarray) -> Fraction:
    """Delta_D(h) of SPEC D1 at this leaf; 0 where h is constant."""
    sides = [tuple(i for i in leaf if bool(answers[i]) is side) for side in (False, True)]
    below = sum(
        (of(side, weight) / of(leaf, weight) * gini(mean(side, y, weight)) for side in sides if side), Fraction(0)
    )
    return gini(mean(leaf, y, weight)) - below
