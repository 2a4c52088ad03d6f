"""Rows kept out of growth, and the error of a tree on rows.

held out: rows that the tree never saw; its error on them speaks of rows to come.
constant: the one answer that serves the growing rows best (their commonest class, their mean): what a tree has to beat.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.faults import Fault


@dataclasses.dataclass(frozen=True, slots=True)
class Split:
    """Row numbers to grow on and to hold out, both ascending; together every row once."""

    growing: NDArray[np.intp]
    held_out: NDArray[np.intp]


def split_rows(n_rows: int, fraction: float, seed: int) -> Split:
    """Draw `fraction` of the rows, without regard to their contents, by a seeded permutation.

    At least one row is left on each side, unless `fraction` is 0: then all rows grow. Raises `Fault` if that cannot be.
    numpy promises the stream of its legacy generator for good, so a seed means the same rows in every version.
    """
    if fraction == 0.0:
        return Split(np.arange(n_rows), np.arange(0))
    if fraction >= 1.0:
        raise Fault("--holdout 1 leaves no rows to grow on; give a share below 1")
    if n_rows < 2:
        raise Fault(f"{n_rows} usable row(s): too few to hold any out; use --holdout 0")
    n_held_out = min(max(round(n_rows * fraction), 1), n_rows - 1)
    order = np.random.RandomState(seed).permutation(n_rows)
    return Split(np.sort(order[n_held_out:]), np.sort(order[:n_held_out]))


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


def class_error(
    y: NDArray[Any], answers: NDArray[Any], constant: object, weight: NDArray[np.float64] | None
) -> ClassError:
    """Return the weighted share of `y` (n,) that `answers` (n,) and the one answer `constant` miss."""
    return ClassError(_mean(y != answers, weight), _mean(y != constant, weight))


def number_error(
    y: NDArray[np.float64], answers: NDArray[np.float64], constant: float, weight: NDArray[np.float64] | None
) -> NumberError:
    """Return the weighted root mean squared errors of `answers` (n,) and of the one answer `constant` on `y` (n,)."""
    # Scaled before squaring: targets near the largest double would overflow.
    scale = max(float(np.max(np.abs(y - constant))), float(np.max(np.abs(y - answers)))) or 1.0
    tree = scale * float(np.sqrt(_mean(((y - answers) / scale) ** 2, weight)))
    flat = scale * float(np.sqrt(_mean(((y - constant) / scale) ** 2, weight)))
    return NumberError(tree, flat)


def _mean(values: NDArray[Any], weight: NDArray[np.float64] | None) -> float:
    return float(np.average(values, weights=weight))
