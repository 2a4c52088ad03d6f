"""Works beside the plain ones: other criteria, weights, missing cells, many classes, and growing sizes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from works import WORKS, Features, Generator, Targets, Work, binary, continuous, signal

WIDE_CLASSES, WIDE_COLUMNS = 26, 100
MISSING_SHARE = 0.2


def counts(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """20 normal columns and Poisson counts whose logarithmic mean is half the signal, kept within 3."""
    X = rng.standard_normal((rows, 20))
    return X, rng.poisson(np.exp(np.clip(0.5 * signal(rng, X), -3.0, 3.0))).astype(np.float64)


def with_missing(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """As `binary`, a fifth of the cells missing."""
    X, y = binary(rng, rows)
    X[rng.random(X.shape) < MISSING_SHARE] = np.nan
    return X, y


def wide(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """100 continuous columns and 26 classes of three normal clusters each."""
    centres = np.random.default_rng(WIDE_CLASSES).standard_normal((WIDE_CLASSES, 3, WIDE_COLUMNS))
    y = rng.integers(0, WIDE_CLASSES, rows)
    return centres[y, rng.integers(0, 3, rows)] + 1.5 * rng.standard_normal((rows, WIDE_COLUMNS)), y


def wide_halves(rng: Generator, rows: int) -> tuple[Features, Targets]:
    """As `wide`; two classes: the first 13 of its classes, and the others."""
    X, y = wide(rng, rows)
    return X, (y >= WIDE_CLASSES // 2).astype(np.int64)


def of_width(columns: int, rng: Generator, rows: int) -> tuple[Features, Targets]:
    """Any number of normal columns, nine or more, and whether the signal of the first nine is above 0.3."""
    X = rng.standard_normal((rows, columns))
    return X, (signal(rng, X) > 0.3).astype(np.int64)


PLAIN = WORKS["W1"]
WIDE = Work("26 classes", "100 columns, 26 classes", 50_000, wide)
WIDE_PLAIN = Work("wide", "100 columns, two classes", 50_000, wide_halves)

# Each kind and the plain work that it is compared with: the same columns under gini with two classes.
KINDS: tuple[tuple[Work, Work], ...] = (
    (Work("entropy", "W1, entropy", 100_000, binary, criterion="entropy"), PLAIN),
    (Work("counts", "W1's columns, counts, squared error", 100_000, counts, regression=True), PLAIN),
    (Work("Poisson", "W1's columns, counts", 100_000, counts, regression=True, criterion="poisson"), PLAIN),
    (Work("weighted", "W1, real weights", 100_000, binary, weighted=True), PLAIN),
    (Work("missing", "W1, 20 % of the cells missing", 100_000, with_missing), PLAIN),
    (WIDE, WIDE_PLAIN),
)


def _sizes(name: str, make: Callable[[int], Work], sizes: tuple[int, ...]) -> tuple[str, tuple[tuple[int, Work], ...]]:
    return name, tuple((size, make(size)) for size in sizes)


def _rows(rows: int) -> Work:
    return Work(f"n={rows:.0e}", "two classes, 10 columns", rows, partial(of_width, 10))


def _columns(columns: int) -> Work:
    return Work(f"d={columns}", f"two classes, {columns} columns", 100_000, partial(of_width, columns))


def _absolute(rows: int) -> Work:
    name, title = f"absolute n={rows:.0e}", "absolute error, 20 columns"
    return Work(name, title, rows, continuous, regression=True, criterion="absolute_error")


# What grows, and the works at each size.
SERIES = (
    _sizes("rows (10 columns, no limit)", _rows, (10_000, 100_000, 1_000_000, 10_000_000)),
    _sizes("columns (W1's rows, no limit)", _columns, (10, 100, 1000)),
    _sizes("rows, absolute error (20 columns, no limit)", _absolute, (10_000, 30_000, 100_000)),
)
