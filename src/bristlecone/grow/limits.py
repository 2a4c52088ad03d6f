"""When growth stops. scikit-learn's limits in rows, and their counterparts in weight."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from numbers import Integral
from typing import Any

from bristlecone.grow.parameters import check_parameters

__all__ = ["Limits", "in_core_terms", "limits_of"]

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
        check_parameters(self.values())

    def values(self) -> dict[str, Any]:
        """The limits by name."""
        return {name: getattr(self, name) for name in _NAMES}


def limits_of(given: Mapping[str, Any], owner: str) -> Limits:
    """The limits that keywords of a function name. Raises TypeError for a keyword that it does not have."""
    for name in given:
        if name not in _NAMES:
            near = difflib.get_close_matches(name, _NAMES, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]!r}?" if near else f"; the limits are {', '.join(_NAMES)}"
            raise TypeError(f"{owner}: there is no parameter {name!r}{hint}")
    return Limits(**given)


_NAMES = tuple(field.name for field in fields(Limits))


def in_core_terms(limits: Mapping[str, Any], n_rows: int, total_weight: float) -> dict[str, Any]:
    """Limits as the core takes them, for a table of so many rows and so much weight.

    limits: by name, as they come out of their checks; whatever else the mapping holds is left alone.
    """
    depth, leaves = limits["max_depth"], limits["max_leaf_nodes"]
    leaf_share = limits["min_weight_fraction_leaf"] * total_weight
    return {
        "max_depth": _NO_DEPTH_LIMIT if depth is None else min(int(depth), _NO_DEPTH_LIMIT),
        "min_samples_split": max(2, _rows(limits["min_samples_split"], n_rows)),
        "min_samples_leaf": max(1, _rows(limits["min_samples_leaf"], n_rows)),
        "min_weight_split": float(limits["min_weight_split"]),
        "min_weight_leaf": max(float(limits["min_weight_leaf"]), leaf_share),
        "max_leaf_nodes": 0 if leaves is None else min(int(leaves), 2**62),
        "min_impurity_decrease": float(limits["min_impurity_decrease"]),
        "stop_at_zero_gain": limits["zero_gain"] == "stop",
    }


def _rows(value: float, n_rows: int) -> int:
    if type(value) is int or isinstance(value, Integral):  # asking for the type first saves the slower question
        return min(int(value), 2**61)
    return math.ceil(value * n_rows)
