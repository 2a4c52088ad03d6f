"""Hypothesis strategies for data sets: small, full of ties, gaps and odd magnitudes, and exact in binary fractions.

Targets and weights are small multiples of 1/8, so that a twin that counts in rationals and a core that counts in floats
see the same numbers and agree on which gains are equal.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from dataclasses import dataclass, field

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from reference.impurity import CLASSIFICATION

MAX_ROWS = 24
MAX_LEVELS = 6

_BIG = sys.float_info.max
_EIGHTHS = [k / 8 for k in range(-12, 13)]
_NUMERIC_POOLS = [
    [0.0, 1.0],
    [-0.0, 0.0, 1.0],
    [float(k) for k in range(5)],
    [float(k) for k in range(-20, 20)],
    _EIGHTHS,
    [1.0, math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0), 2.0],
    [-_BIG, -0.9 * _BIG, 0.0, 0.9 * _BIG, _BIG],
    [5e-324, 1e-323, 0.0, -5e-324, 1e-300],
    [16777216.0, 16777217.0, 20240131.0, 20240132.0, 20240133.0],
]
FLOAT32_POOLS = [[0.0, 1.0], [float(k) for k in range(5)], [float(k) for k in range(-20, 20)], _EIGHTHS]


@dataclass(frozen=True)
class DataSet:
    """Columns are float arrays (NaN missing, level codes whole); targets are class codes or numbers."""

    columns: list[np.ndarray]
    categorical: list[bool]
    y: np.ndarray
    weights: np.ndarray | None = None
    limits: dict = field(default_factory=dict)
    monotone: list[int] | None = None

    @property
    def X(self) -> np.ndarray:
        return np.column_stack(self.columns)

    @property
    def categorical_features(self) -> list[int]:
        return [index for index, categorical in enumerate(self.categorical) if categorical]

    def options(self) -> dict:
        """The keyword arguments of ``grow.cart`` that say the same."""
        constraints = {} if self.monotone is None else {"monotonic_cst": self.monotone}
        return {
            "sample_weight": self.weights,
            "categorical_features": self.categorical_features or None,
            **constraints,
            **self.limits,
        }

    def replace(self, **changes: object) -> DataSet:
        return dataclasses.replace(self, **changes)


@st.composite
def numeric_columns(draw: st.DrawFn, n_rows: int, missing: bool = True, pools: list | None = None) -> np.ndarray:
    pool = draw(st.sampled_from(pools or _NUMERIC_POOLS))
    cells = st.sampled_from(pool + [math.nan] * _missing_share(draw, missing, len(pool)))
    return np.array(draw(st.lists(cells, min_size=n_rows, max_size=n_rows)), dtype=float)


@st.composite
def categorical_columns(draw: st.DrawFn, n_rows: int, missing: bool = True, max_levels: int = MAX_LEVELS) -> np.ndarray:
    pool = [float(code) for code in range(draw(st.integers(1, max_levels)))]
    cells = st.sampled_from(pool + [math.nan] * _missing_share(draw, missing, len(pool)))
    return np.array(draw(st.lists(cells, min_size=n_rows, max_size=n_rows)), dtype=float)


def _missing_share(draw: st.DrawFn, missing: bool, pool_size: int) -> int:
    return draw(st.sampled_from([0, 1, pool_size])) if missing else 0


@st.composite
def targets(
    draw: st.DrawFn, n_rows: int, criterion: str, n_classes: int | None = None, far_from_zero: bool = True
) -> np.ndarray:
    if criterion in CLASSIFICATION:
        top = (n_classes or draw(st.integers(2, 4))) - 1
        return np.array(draw(st.lists(st.integers(0, top), min_size=n_rows, max_size=n_rows)))
    pool = st.sampled_from([[0.0, 1.0], [float(k) for k in range(6)], [k / 8 for k in range(20)]])
    if criterion != "poisson":
        pool = pool | st.sampled_from([_EIGHTHS] + [[1e6 + k for k in range(4)]] * far_from_zero)
    y = draw(st.lists(st.sampled_from(draw(pool)), min_size=n_rows, max_size=n_rows))
    return np.array(y, dtype=float)


@st.composite
def row_weights(draw: st.DrawFn, n_rows: int, whole: bool = False) -> np.ndarray | None:
    """None, whole numbers (0 too), or multiples of a quarter."""
    pools = [[1, 2, 3], [0, 1, 2], [0, 1]] + ([] if whole else [[0.25, 0.5, 1.0, 2.75], [0.0, 0.5, 8.0]])
    pool = draw(st.sampled_from([None, *pools]))
    if pool is None:
        return None
    weights = draw(st.lists(st.sampled_from(pool), min_size=n_rows, max_size=n_rows))
    return np.array(weights, dtype=float)


@st.composite
def limits(draw: st.DrawFn, best_first: bool = False) -> dict:
    """Some of the growth limits; most are absent in most draws."""
    choices = {
        "max_depth": [0, 1, 2, 3],
        "min_samples_split": [2, 4, 7],
        "min_samples_leaf": [1, 2, 4],
        "min_weight_fraction_leaf": [0.125, 0.25],
        "min_weight_split": [1.0, 4.0, 7.5],
        "min_weight_leaf": [0.5, 1.0, 2.0, 3.25],
        "min_impurity_decrease": [0.015625, 0.05, 0.125],
        "zero_gain": ["stop"],
    }
    names = draw(st.lists(st.sampled_from(list(choices)), max_size=2, unique=True))
    chosen = {name: draw(st.sampled_from(choices[name])) for name in sorted(names)}
    return chosen | ({"max_leaf_nodes": draw(st.integers(2, 8))} if best_first else {})


@st.composite
def data_sets(
    draw: st.DrawFn,
    criterion: str,
    *,
    columns: tuple[str, ...] = ("numeric", "categorical"),
    best_first: bool = False,
    n_classes: int | None = None,
    weights: st.SearchStrategy | None = None,
) -> DataSet:
    """A data set for growing by one criterion, with weights, gaps, levels and limits.

    ``columns`` are the kinds to draw from; ``weights`` a function of the number of rows, default ``row_weights``.
    """
    n_rows = draw(st.integers(2, MAX_ROWS))
    kinds = draw(st.lists(st.sampled_from(columns), min_size=1, max_size=3))
    makers = {"numeric": numeric_columns(n_rows), "categorical": categorical_columns(n_rows)}
    found = DataSet(
        columns=[draw(makers[kind]) for kind in kinds],
        categorical=[kind == "categorical" for kind in kinds],
        y=draw(targets(n_rows, criterion, n_classes)),
        weights=draw(weights(n_rows) if weights else row_weights(n_rows)),
        limits=draw(limits(best_first)),
    )
    assume(growable(found, criterion))
    return found


def growable(data: DataSet, criterion: str) -> bool:
    """Whether any weight is left, and for Poisson any positive target."""
    weights = np.ones(len(data.y)) if data.weights is None else data.weights
    return weights.sum() > 0 and (criterion != "poisson" or (weights * data.y).sum() > 0)


@st.composite
def monotone_data_sets(draw: st.DrawFn, criterion: str) -> DataSet:
    """Numeric columns, at least one of them constrained; a categorical one beside them at times."""
    data = draw(data_sets(criterion, columns=("numeric", "numeric", "categorical"), n_classes=2))
    signs = [0 if categorical else draw(st.sampled_from([1, -1, 0])) for categorical in data.categorical]
    assume(any(signs))
    return data.replace(monotone=signs)
