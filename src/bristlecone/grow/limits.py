"""When growth stops. scikit-learn's limits in rows, and their counterparts in weight."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from numbers import Integral
from typing import Any

from bristlecone.grow.parameters import check_parameters

__all__ = ["Limits"]

_NO_DEPTH_LIMIT = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one tree, as `cart` takes them.

    min_samples_split, min_samples_leaf: rows, or as a float a fraction of the rows of positive weight, rounded up.
    min_weight_split, min_weight_leaf: weight; min_weight_fraction_leaf: a fraction of the total weight.
    min_impurity_decrease: the fall of a node's impurity times the node's share of the weight.
    zero_gain: "split" splits an impure node even where no split lowers the impurity; "stop" leaves it a leaf, and so
    never finds an exclusive-or (SPEC B2).
    Raises ValueError that names the parameter and the value.
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
        check_parameters({field.name: getattr(self, field.name) for field in fields(self)})

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
