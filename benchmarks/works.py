"""The works that fit time and memory are measured on: seeded data and the limits of one tree.

Words: a *work* is data of a stated shape together with the limits under which one tree is grown on it. Unless said, the
features are N(0, 1), float64 in row order, and the signal is `signal(X)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.float64]
Targets = NDArray[Any]
Generator = np.random.Generator

LEVELS_W3 = (2, 3, 4, 8, 10, 16, 24, 32, 48, 64)
LEVELS_W8 = (50, 100, 250, 500, 1000)
FEWEST = 600


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
    """One work; `make(rng, rows)` gives features and targets.

    folds: a pruning chosen by cross-validation is asked for. criterion: None is gini or squared error. with_predict:
    fit and predict are one figure. goal: how many times scikit-learn's speed is aimed at, and is the least.
    """

    name: str
    title: str
    rows: int
    make: Callable[[Generator, int], tuple[Features, Targets]]
    limits: Limits = Limits()
    regression: bool = False
    categorical: tuple[int, ...] = ()
    folds: int = 0
    criterion: str | None = None
    weighted: bool = False
    with_predict: bool = False
    goal: tuple[float, float] | None = None

    def data(self, rows: int, seed: int) -> tuple[Features, Targets]:
        """`rows` rows, the same for the same seed."""
        return self.make(np.random.default_rng(seed), rows)

    def weights(self, rows: int, seed: int) -> NDArray[np.float64] | None:
        """A weight between 1/2 and 2 for each row, or None where rows count alike."""
        return np.random.default_rng([seed, rows]).uniform(0.5, 2.0, rows) if self.weighted else None

    def scaled(self, scale: float) -> Work:
        """The same work on a share of its rows; data sets of less than `FEWEST` rows stay whole."""
        return replace(self, rows=max(min(self.rows, FEWEST), round(self.rows * scale)))


def signal(rng: Generator, X: NDArray[np.float64]) -> NDArray[np.float64]:
    """An interaction, a wave, two boxes, a line, a bowl and noise on the first nine columns."""
    smooth = X[:, 0] * X[:, 1] + np.sin(2.5 * X[:, 2]) + 0.5 * X[:, 7] + 0.3 * X[:, 8] ** 2
    box = 1.5 * ((X[:, 3] > 0.4) & (X[:, 4] < 0.3))
    edge = 1.0 * ((X[:, 5] < -0.5) | (X[:, 6] > 1))
    return np.asarray(smooth + box - edge + 0.6 * rng.standard_normal(len(X)))


def continuous(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """20 normal columns and the signal itself."""
    X = rng.standard_normal((rows, 20))
    return X, signal(rng, X)


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
    return np.ascontiguousarray(X, np.float64), np.searchsorted(edges, noisy)


def letters(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """16 integer columns of 0 to 15 and 26 classes of three clusters each."""
    centres = np.random.default_rng(26).uniform(1, 14, (26, 3, 16))
    y = rng.integers(0, 26, rows)
    X = centres[y, rng.integers(0, 3, rows)] + 1.5 * rng.standard_normal((rows, 16))
    return np.ascontiguousarray(np.clip(np.rint(X), 0, 15), np.float64), y


def iris(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """The 150 rows of iris, in random order; more rows repeat them."""
    from sklearn.datasets import load_iris

    data = load_iris()
    chosen = rng.permutation(np.arange(rows) % len(data.target))
    return np.ascontiguousarray(data.data[chosen], np.float64), data.target[chosen]


def levels(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """5 columns of 50 to 1000 levels, 5 normal ones, and two classes from random effects of the levels and a line."""
    codes = np.column_stack([rng.integers(0, n, rows) for n in LEVELS_W8])
    effects = [np.random.default_rng(n).standard_normal(n) for n in LEVELS_W8]
    numbers = rng.standard_normal((rows, 5))
    score = np.sum([effect[codes[:, column]] for column, effect in enumerate(effects)], axis=0)
    score += numbers @ np.array([1, 0.5, 0, 0, 0])
    y = (score + rng.standard_normal(rows) > 0).astype(np.int64)
    return np.ascontiguousarray(np.hstack([codes, numbers]), np.float64), y


WORKS = {
    work.name: work
    for work in (
        Work("W1", "two classes, 20 columns", 100_000, binary, goal=(35, 22)),
        Work("W2a", "two classes, 20 columns", 1_000_000, binary, Limits(max_depth=8), goal=(110, 60)),
        Work("W2b", "two classes, 20 columns", 1_000_000, binary, Limits(min_samples_leaf=20), goal=(45, 28)),
        Work("W3a", "ten classes, 10 integer columns", 1_000_000, integers, Limits(max_depth=10), goal=(35, 20)),
        Work("W3b", "ten classes, 10 integer columns", 1_000_000, integers, goal=(8, 4.5)),
        Work("W4", "26 classes, 16 integer columns", 20_000, letters, goal=(12, 7)),
        Work(
            "W5",
            "regression, 20 columns",
            1_000_000,
            continuous,
            Limits(max_depth=10),
            regression=True,
            goal=(35, 18),
        ),
        Work("W6", "iris, fit and predict", 150, iris, with_predict=True, goal=(10, 6)),
        Work("W7", "a pruning chosen by 10 folds, 20 columns", 50_000, binary, Limits(min_samples_leaf=7), folds=10),
        Work("W7b", "a pruning chosen by 10 folds, 20 columns", 50_000, binary, folds=10),
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
