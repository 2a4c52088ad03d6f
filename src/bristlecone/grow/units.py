"""Weights in a unit of the core's own: products of weights and squares stay in the range of floats.

A power of two changes no digit, so the tree is the one that the given weights make.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.grow.targets import Floats
from bristlecone.tree.arrays import from_core, frozen

__all__ = ["grow_in_units"]

# Weights whose largest lies between 2**-64 and 2**64 are passed as they are; whole ones stay whole.
_USUAL_EXPONENTS = 64
_IN_WEIGHT = ("min_weight_split", "min_weight_leaf")


def grow_in_units(
    columns: _core.Columns,
    criterion: str,
    codes: npt.NDArray[np.int32] | None,
    n_classes: int,
    y: Floats | None,
    weights: Floats | None,
    options: dict[str, Any],
) -> dict[str, Any]:
    """The arrays that `_core.grow` gives, with weights far from one scaled on the way in and back on the way out.

    Also "runners", the runner-up splits. All arrays are closed to writing.
    """
    exponent = 0 if weights is None else int(np.frexp(weights.max())[1])
    if weights is None or abs(exponent) <= _USUAL_EXPONENTS:
        return _as_arrays(_core.grow(columns, criterion, codes, n_classes, y, weights, options))
    scaled = np.ldexp(weights, -exponent)
    scaled[(scaled == 0) & (weights > 0)] = np.finfo(np.float64).smallest_subnormal  # present, however light
    with np.errstate(over="ignore"):
        limits = {name: float(np.ldexp(options[name], -exponent)) for name in _IN_WEIGHT}
    arrays = _as_arrays(_core.grow(columns, criterion, codes, n_classes, y, scaled, options | limits))
    for name in ("weighted_n_node_samples", "count_weight"):
        arrays[name] = frozen(np.ldexp(arrays[name], exponent))
    return arrays


def _as_arrays(grown: dict[str, Any]) -> dict[str, Any]:
    arrays: dict[str, Any] = from_core(grown)
    arrays["runners"] = grown["runners"]
    return arrays
