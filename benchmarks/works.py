"""The works that fit time and memory are measured on: seeded data and the limits of one tree.

Words: a *work* is data of a stated shape together with the limits under which one tree is grown on it. Unless said, the
features are N(0, 1), float32 in row order, and the signal is `signal(X)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.float32]
Targets = NDArray[Any]
Generator = np.random.Generator

LEVELS_W3 = (2, 3, 4, 8, 10, 16, 24, 32, 48, 64)
LEVELS_W8 = (50, 100, 250, 500, 1000)


@dataclass(frozen=True, slots=True)
class Limits:
    """Where growth stops; None and 1 mean no limit."""

    max_depth: int | None = None
    min_samples_leaf: int = 1

    def __str__(self) -> str:
        depth = [] if self.max_depth is None else [f"depth {self.max_depth}"]
        leaf = [] if self.min_samples_leaf == 1 else [f"leaves of {self.min_samples_leaf} rows"]
        return ", ".join(depth + leaf) or "no limit"


@dataclass(frozen=True, slots=True)
class Work:
    """One work; `make(rng, rows)` gives features and targets; `folds` asks for a pruning chosen by cross-validation."""

    name: str
    title: str
    rows: int
    make: Callable[[Generator, int], tuple[Features, Targets]]
    limits: Limits = Limits()
    regression: bool = False
    categorical: tuple[int, ...] = ()
    folds: int = 0

    def data(self, rows: int, seed: int) -> tuple[Features, Targets]:
        """`rows` rows, the same for the same seed."""
        return self.make(np.random.default_rng(seed), rows)


def signal(rng: Generator, X: NDArray[np.float64]) -> NDArray[np.float64]:
    """An interaction, a wave, two boxes, a line, a bowl and noise on the first nine columns."""
    smooth = X[:, 0] * X[:, 1] + np.sin(2.5 * X[:, 2]) + 0.5 * X[:, 7] + 0.3 * X[:, 8] ** 2
    box = 1.5 * ((X[:, 3] > 0.4) & (X[:, 4] < 0.3))
    edge = 1.0 * ((X[:, 5] < -0.5) | (X[:, 6] > 1))
    return np.asarray(smooth + box - edge + 0.6 * rng.standard_normal(len(X)))


def continuous(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """20 normal columns and the signal itself."""
    X = rng.standard_normal((rows, 20))
    return np.ascontiguousarray(X, np.float32), signal(rng, X)


def binary(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """20 normal columns and whether the signal is above 0.3."""
    X, f = continuous(rng, rows)
    return X, (f > 0.3).astype(np.int64)


def integers(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """10 integer columns of 2 to 64 values and 10 classes: tenths of a noisy score of the columns."""
    X = np.column_stack([rng.integers(0, levels, rows) for levels in LEVELS_W3])
    scaled = X / (np.array(LEVELS_W3) - 1.0)
    score = scaled[:, 5] * scaled[:, 9] + scaled[:, 4] + np.sin(6 * scaled[:, 8]) + (scaled[:, 0] + scaled[:, 1]) / 2
    noisy = score + 0.3 * rng.standard_normal(rows)
    edges = np.quantile(noisy, np.linspace(0.1, 0.9, 9))
    return np.ascontiguousarray(X, np.float32), np.searchsorted(edges, noisy)


def letters(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """16 integer columns of 0 to 15 and 26 classes of three clusters each."""
    centres = np.random.default_rng(26).uniform(1, 14, (26, 3, 16))
    y = rng.integers(0, 26, rows)
    X = centres[y, rng.integers(0, 3, rows)] + 1.5 * rng.standard_normal((rows, 16))
    return np.ascontiguousarray(np.clip(np.rint(X), 0, 15), np.float32), y


def iris(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """The 150 rows of iris, in random order; more rows repeat them."""
    from sklearn.datasets import load_iris

    data = load_iris()
    chosen = rng.permutation(np.arange(rows) % len(data.target))
    return np.ascontiguousarray(data.data[chosen], np.float32), data.target[chosen]


def levels(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """5 columns of 50 to 1000 levels, 5 normal ones, and two classes from random effects of the levels and a line."""
    codes = np.column_stack([rng.integers(0, n, rows) for n in LEVELS_W8])
    effects = [np.random.default_rng(n).standard_normal(n) for n in LEVELS_W8]
    numbers = rng.standard_normal((rows, 5))
    score = np.sum([effect[codes[:, column]] for column, effect in enumerate(effects)], axis=0)
    score += numbers @ np.array([1, 0.5, 0, 0, 0])
    y = (score + rng.standard_normal(rows) > 0).astype(np.int64)
    return np.ascontiguousarray(np.hstack([codes, numbers]), np.float32), y


WORKS = {
    work.name: work
    for work in (
        Work("W1", "two classes, 20 columns", 100_000, binary),
        Work("W2a", "two classes, 20 columns", 1_000_000, binary, Limits(max_depth=8)),
        Work("W2b", "two classes, 20 columns", 1_000_000, binary, Limits(min_samples_leaf=20)),
        Work("W3a", "ten classes, 10 integer columns", 1_000_000, integers, Limits(max_depth=10)),
        Work("W3b", "ten classes, 10 integer columns", 1_000_000, integers),
        Work("W4", "26 classes, 16 integer columns", 20_000, letters),
        Work("W5", "regression, 20 columns", 1_000_000, continuous, Limits(max_depth=10), regression=True),
        Work("W6", "iris", 150, iris),
        Work("W7", "a pruning chosen by 10 folds, 20 columns", 50_000, binary, Limits(min_samples_leaf=7), folds=10),
        Work(
            "W8",
            "two classes, 5 columns of levels, 5 numbers",
            500_000,
            levels,
            Limits(max_depth=8, min_samples_leaf=20),
            categorical=(0, 1, 2, 3, 4),
        ),
    )
}
