"""When growth stops. scikit-learn's limits in rows, and their counterparts in weight."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

__all__ = ["Limits"]

_NO_DEPTH_LIMIT = 2**31 - 1
ZERO_GAIN = ("split", "stop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one tree, as `cart` takes them.

    min_samples_split, min_samples_leaf: rows, or as a float a fraction of the rows of positive weight, rounded up.
    min_weight_split, min_weight_leaf: weight; min_weight_fraction_leaf: a fraction of the total weight.
    min_impurity_decrease: the fall of a node's impurity times the node's share of the weight.
    zero_gain: "split" splits an impure node even where no split lowers the impurity (with the seed page's rule 4, that
    is "stop", an exclusive-or is never found: SPEC B2).
    Raises ValueError or TypeError that names the parameter and the value.
    """

    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    min_weight_split: float = 0.0
    min_weight_leaf: float = 0.0
    max_leaf_nodes: int | None = None
    min_impurity_decrease: float = 0.0
    zero_gain: str = "split"

    def __post_init__(self) -> None:
        _check_count("max_depth", self.max_depth, 0)
        _check_count("max_leaf_nodes", self.max_leaf_nodes, 1)
        _check_rows("min_samples_split", self.min_samples_split, 2)
        _check_rows("min_samples_leaf", self.min_samples_leaf, 1)
        _check_real("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.5)
        for name in ("min_weight_split", "min_weight_leaf", "min_impurity_decrease"):
            _check_real(name, getattr(self, name), math.inf)
        if self.zero_gain not in ZERO_GAIN:
            raise ValueError(f"zero_gain must be 'split' or 'stop'; got {self.zero_gain!r}")

    def resolve(self, n_rows: int, total_weight: float) -> dict[str, Any]:
        """The limits in the core's terms, for a table of so many rows and so much weight."""
        leaf_share = self.min_weight_fraction_leaf * total_weight
        return {
            "max_depth": _NO_DEPTH_LIMIT if self.max_depth is None else min(int(self.max_depth), _NO_DEPTH_LIMIT),
            "min_samples_split": max(2, _rows(self.min_samples_split, n_rows)),
            "min_samples_leaf": max(1, _rows(self.min_samples_leaf, n_rows)),
            "min_weight_split": float(self.min_weight_split),
            "min_weight_leaf": max(float(self.min_weight_leaf), leaf_share),
            "max_leaf_nodes": 0 if self.max_leaf_nodes is None else min(int(self.max_leaf_nodes), 2**62),
            "min_impurity_decrease": float(self.min_impurity_decrease),
            "stop_at_zero_gain": self.zero_gain == "stop",
        }


def _rows(value: float, n_rows: int) -> int:
    return min(int(value), 2**61) if isinstance(value, Integral) else math.ceil(value * n_rows)


def _check_count(name: str, value: Any, least: int) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number or None; got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}; got {value!r}")


def _check_rows(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number of rows or a fraction of them; got {value!r}")
    if isinstance(value, Integral):
        if value < least:
            raise ValueError(f"{name} must be at least {least}; got {value!r}")
    elif not 0.0 < float(value) <= 1.0:
        raise ValueError(f"{name} as a fraction must lie in (0, 1]; got {value!r}")


def _check_real(name: str, value: Any, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number; got {value!r}")
    if not 0.0 <= float(value) <= most:
        raise ValueError(f"{name} must lie in [0, {most}]; got {value!r}")
