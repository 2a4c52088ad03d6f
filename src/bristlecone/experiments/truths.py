"""Problems whose truth is known: rows, the chances of their classes, and what an answer loses.

problem     rows in [0, 1]^D whose chance of class 1 is eta = 1/2 + a f, f Lipschitz (alpha = 1) in the first columns.
            Where rows lie on a surface of d dimensions in [0, 1]^D, the first d columns are its coordinates.
excess      the risk above Bayes's: the mean of 2 |eta - 1/2| over fresh rows that are not answered as Bayes would. No
            label is drawn for it, so that only places are random.
bound       Corollary 1 of the PAC-Bayes tree paper: the excess falls at least as n^-(alpha / (2 alpha + d)), for every
            Lipschitz truth.
margin      an exponent m: the share of rows with |eta - 1/2| <= t grows as t^m. It makes the excess fall faster, as
            n^-(alpha (1 + m) / (2 alpha + d)) where estimates are as good as can be (Audibert and Tsybakov). Of waves m
            is 1; the rough truth has waves of all lengths, the shorter the lower, and m = 1/4: near the bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["GAP", "PROBLEMS", "Problem", "Sample", "excess"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

SHIFT = (math.sqrt(5.0) - 1.0) / 2.0  # no crossing of 1/2 lies on a cut of a dyadic tree
FRESH = 1 << 16
N_STRIPS, CROWDING, STEEP = 11, 0.25, 16.0
QUADRATURE = 1 << 20


def wave(X: Floats) -> Floats:
    """A triangle wave of period 1 in each column, uniform on [-1, 1], multiplied over the columns."""
    product: Floats = (4.0 * np.abs((X + SHIFT) % 1.0 - 0.5) - 1.0).prod(axis=1)
    return product


def rough(X: Floats) -> Floats:
    """Waves of height and length 2^-i in strip i of the first column; strips get narrower by the fourth root of 2.

    At the edges of strips the height falls to 0 with slope `STEEP`, so that the whole is Lipschitz.
    """
    edges = np.concatenate([[0.0], np.cumsum(2.0 ** (-CROWDING * np.arange(N_STRIPS)))])
    edges /= edges[-1]
    strip = np.clip(np.searchsorted(edges, X[:, 0], side="right") - 1, 0, N_STRIPS - 1)
    inside = np.minimum(X[:, 0] - edges[strip], edges[strip + 1] - X[:, 0])
    height: Floats = np.minimum(2.0**-strip, STEEP * inside)
    return height * wave(X * 2.0 ** strip[:, None])


@dataclass(frozen=True, slots=True)
class Problem:
    """dimension: d; columns: D; truth: f, of the first `waves` columns; height: a; margin: the margin exponent."""

    name: str
    dimension: int
    columns: int
    waves: int
    height: float
    truth: Callable[[Floats], Floats] = wave
    margin: float = 1.0

    def rows(self, n: int, rng: np.random.Generator) -> Floats:
        """n rows, (n, D)."""
        places = rng.random((n, self.dimension))
        bent = [
            0.5 + 0.5 * np.sin(2.0 * np.pi * places[:, j % self.dimension] + j)
            for j in range(self.dimension, self.columns)
        ]
        return np.column_stack([places, *bent])

    def eta(self, X: Floats) -> Floats:
        """The chance of class 1 at each row."""
        return 0.5 + self.height * self.truth(X[:, : self.waves])

    @property
    def bayes_risk(self) -> float:
        """By the midpoint rule."""
        side = round(QUADRATURE ** (1.0 / self.waves))
        axes = np.meshgrid(*[(np.arange(side) + 0.5) / side] * self.waves)
        return 0.5 - float(np.abs(self.eta(np.column_stack([axis.ravel() for axis in axes])) - 0.5).mean())

    @property
    def bound(self) -> float:
        """The exponent of Corollary 1, alpha = 1."""
        return -1.0 / (2.0 + self.dimension)


PROBLEMS = (
    Problem("plane", 2, 2, 2, 0.5),
    Problem("rough plane", 2, 2, 2, 0.5, rough, CROWDING),
    Problem("surface in 8 columns", 2, 8, 2, 0.5),
    Problem("cube of 8 dimensions", 8, 8, 2, 0.5),
)
GAP = Problem("finest cells, noise", 1, 1, 1, 0.2)


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows to learn from, and fresh ones. lost: what a fresh row costs if it is not answered as Bayes would."""

    X: Floats
    y: NDArray[np.int64]
    fresh: Floats
    right: Mask
    lost: Floats

    @classmethod
    def of(cls, problem: Problem, n: int, rng: np.random.Generator) -> Sample:
        X, fresh = problem.rows(n, rng), problem.rows(FRESH, rng)
        y = (rng.random(n) < problem.eta(X)).astype(np.int64)
        chance = problem.eta(fresh)
        return cls(X, y, fresh, chance > 0.5, 2.0 * np.abs(chance - 0.5))


def excess(sample: Sample, answers: Any) -> float:
    """The excess risk of answers, 0 or 1, to the fresh rows."""
    return float(np.mean(sample.lost * (np.asarray(answers) != sample.right)))
