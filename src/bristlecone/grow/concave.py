"""Best-first growth by an impurity of a user's own, in numpy: the compiled growth knows its own impurities only.

rows      of a node, as indices into the table; two classes, weights of the second kept apart from the total.
drop      how much a split lowers the impurity of its node; a leaf is split first whose weight times drop is largest.
Ties are as in compiled growth: lowest column, then lowest threshold, relative 1e-12; earliest leaf.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.grow.impurities import Floats, Impurity
from bristlecone.table import Table
from bristlecone.tree.arrays import as_field, unused
from bristlecone.tree.layout import pre_order

__all__ = ["grow_concave"]

Rows = npt.NDArray[np.intp]

_TIE = 1e-12
_FEW_LEVELS = 10
_SLIGHTLY_LESS = 1 - 1e-12  # as in compiled growth: sums of weights are rounded


@dataclass(slots=True)
class _Split:
    drop: float
    column: int = -1
    threshold: float = math.nan
    level: npt.NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    level_left: npt.NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    heuristic: bool = False


@dataclass(slots=True)
class _Node:
    rows: Rows
    impurity: float
    depth: int
    split: _Split | None = None
    left: int = -1

    @property
    def is_leaf(self) -> bool:
        return self.left < 0


def grow_concave(
    table: Table,
    codes: npt.NDArray[np.int32],
    n_classes: int,
    weights: Floats | None,
    impurity: Impurity,
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """The arrays of a tree, as `grow_in_units` gives them, "runners" too.

    options: limits in the core's terms, monotone, n_runners. Missing cells would go to the heavier child. Raises
    ValueError for more than two classes, a missing cell, a monotone column and runners-up.
    """
    of = f"impurity {impurity.name!r}"
    if n_classes > 2:
        raise ValueError(f"{of} is of two classes; y has {n_classes}")
    if any(options["monotone"]):
        raise ValueError(f"{of} keeps no direction: monotonic_cst needs a criterion by name")
    if options["n_runners"]:
        raise ValueError(f"{of} keeps no runners-up: n_runners={options['n_runners']} needs a criterion by name")
    table.refuse_missing(f"{of} takes none")
    given = np.ones(table.n_rows) if weights is None else weights
    grower = _Grower(table, codes == 1, given, impurity, options)
    return _as_arrays(grower.grown(np.flatnonzero(given > 0)), codes, given)


class _Grower:
    def __init__(
        self,
        table: Table,
        second: npt.NDArray[np.bool_],
        weight: Floats,
        impurity: Impurity,
        limits: Mapping[str, Any],
    ) -> None:
        self.unit = float(weight.max())
        self.table, self.weight, self.impurity, self.limits = table, weight / self.unit, impurity, limits
        self.second = second * self.weight
        self.total = float(self.weight.sum())

    def grown(self, rows: Rows) -> list[_Node]:
        nodes: list[_Node] = []
        open_leaves: list[tuple[float, int]] = []
        most = self.limits["max_leaf_nodes"] or math.inf
        self._settle(rows, 0, nodes, open_leaves)
        while open_leaves and (len(nodes) + 1) // 2 < most:
            node = nodes[heapq.heappop(open_leaves)[1]]
            assert node.split is not None
            goes_left = self._goes_left(node.split, node.rows)
            node.left = len(nodes)
            self._settle(node.rows[goes_left], node.depth + 1, nodes, open_leaves)
            self._settle(node.rows[~goes_left], node.depth + 1, nodes, open_leaves)
        return nodes

    def _settle(self, rows: Rows, depth: int, nodes: list[_Node], open_leaves: list[tuple[float, int]]) -> None:
        total, second = self.weight[rows].sum(), self.second[rows].sum()
        nodes.append(_Node(rows, float(self._of(second / total)), depth))
        if not 0 < second < total or not self._may_split(len(rows), float(total), depth):
            return
        best = self._best(rows)
        if best.column < 0 or (self.limits["stop_at_zero_gain"] and best.drop <= _TIE * nodes[-1].impurity):
            return
        if total / self.total * best.drop < self.limits["min_impurity_decrease"] * _SLIGHTLY_LESS:
            return
        nodes[-1].split = best
        heapq.heappush(open_leaves, (-_rounded(total * best.drop), len(nodes) - 1))

    def _may_split(self, n_rows: int, weight: float, depth: int) -> bool:
        limits, weight = self.limits, weight * self.unit / _SLIGHTLY_LESS
        return bool(
            depth < limits["max_depth"]
            and n_rows >= max(limits["min_samples_split"], 2 * limits["min_samples_leaf"])
            and weight >= max(limits["min_weight_split"], 2 * limits["min_weight_leaf"])
        )

    def _of(self, share: Any) -> Floats:
        return np.asarray(self.impurity.of(np.atleast_1d(np.clip(share, 0.0, 1.0))), dtype=np.float64).squeeze()

    def _best(self, rows: Rows) -> _Split:
        best = _Split(-math.inf)
        tolerance = _TIE * float(self._of(self.second[rows].sum() / self.weight[rows].sum()))
        for j, column in enumerate(self.table.schema.columns):
            cells = self.table.columns[j][rows]
            found = self._of_levels(j, cells, rows) if column.categorical else self._of_numbers(j, cells, rows)
            if found is not None and (best.column < 0 or found.drop > best.drop + tolerance):
                best = found
        return best

    def _of_numbers(self, j: int, cells: npt.NDArray[Any], rows: Rows) -> _Split | None:
        order = np.argsort(cells, kind="stable")
        values = cells[order].astype(np.float64) + 0.0
        found = self._best_cut(rows[order], np.flatnonzero(values[1:] > values[:-1]))
        if found is None:
            return None
        cut, drop = found
        low, high = float(values[cut]), float(values[cut + 1])
        middle = low / 2 + high / 2
        return _Split(drop, j, middle if middle > low else high)

    def _of_levels(self, j: int, cells: npt.NDArray[Any], rows: Rows) -> _Split | None:
        """The best set of levels: for two classes and a concave impurity one end of their order by the second's share.

        Breiman et al. 1984, theorem 4.5. Where the limits forbid such an end, all sets of up to `_FEW_LEVELS` levels
        are tried; of more the ends that are left, which is a heuristic. The set with the first level goes left.
        """
        level, at = np.unique(cells, return_inverse=True)
        weight, second, n_rows = (
            np.bincount(at, values, len(level)) for values in (self.weight[rows], self.second[rows], None)
        )
        order = np.argsort(second / weight, kind="stable")
        parts: list[Any] = [np.cumsum(values[order])[:-1] for values in (n_rows, weight, second)]
        allowed = self._allowed(parts[0], parts[1], len(rows), float(weight.sum()))
        few = len(level) <= _FEW_LEVELS and not allowed.all()
        sets = _all_sets(len(level)) if few else None
        if sets is not None:
            parts = [sets @ values for values in (n_rows, weight, second)]
            allowed = self._allowed(parts[0], parts[1], len(rows), float(weight.sum()))
        if not allowed.any():
            return None
        best, drop = self._best_of(parts[1][allowed], parts[2][allowed], float(weight.sum()), float(second.sum()))
        best = int(np.flatnonzero(allowed)[best])
        left = np.isin(np.arange(len(level)), order[: best + 1]) if sets is None else sets[best]
        heuristic = sets is None and not allowed.all()
        return _Split(drop, j, math.nan, level.astype(np.int32), left if left[0] else ~left, heuristic)

    def _best_cut(self, ordered: Rows, cuts: Rows) -> tuple[int, float] | None:
        """The first of the best places to cut ordered rows, after which row, and its drop; None where none may be."""
        weight, second = np.cumsum(self.weight[ordered]), np.cumsum(self.second[ordered])
        cuts = cuts[self._allowed(cuts + 1, weight[cuts], len(ordered), weight[-1])]
        if len(cuts) == 0:
            return None
        first, drop = self._best_of(weight[cuts], second[cuts], weight[-1], second[-1])
        return int(cuts[first]), drop

    def _allowed(self, n_left: Any, left: Any, n_rows: int, total: float) -> npt.NDArray[np.bool_]:
        """Which ways to part a node leave enough rows and weight on both sides."""
        lighter, fewer = np.minimum(left, total - left), np.minimum(n_left, n_rows - n_left)
        heavy = lighter * self.unit >= self.limits["min_weight_leaf"] * _SLIGHTLY_LESS
        return np.asarray(heavy & (fewer >= self.limits["min_samples_leaf"]))

    def _best_of(self, left: Floats, ones: Floats, total: float, all_ones: float) -> tuple[int, float]:
        """The first of the best ways to part a node, and its drop. left: weight there; ones: of the second class."""
        right = total - left
        below = left * self._of(ones / left) + right * self._of((all_ones - ones) / right)
        whole = float(self._of(all_ones / total))
        drops = np.atleast_1d(np.maximum(whole - below / total, 0.0))
        first = int(np.argmax(drops >= drops.max() - _TIE * whole))
        return first, float(drops[first])

    def _goes_left(self, split: _Split, rows: Rows) -> npt.NDArray[np.bool_]:
        cells = self.table.columns[split.column][rows]
        if len(split.level):
            return np.asarray(split.level_left[np.searchsorted(split.level, cells)])
        return np.asarray(cells < split.threshold)


def _all_sets(n_levels: int) -> npt.NDArray[np.bool_]:
    """Every set of levels that has the first and lacks another, (2^(n_levels - 1) - 1, n_levels)."""
    others = (np.arange(2 ** (n_levels - 1) - 1)[:, None] >> np.arange(n_levels - 1)) % 2 == 1
    return np.column_stack([np.ones(len(others), dtype=bool), others])


def _rounded(decrease: float) -> float:
    mantissa, exponent = math.frexp(decrease)
    return math.ldexp(round(math.ldexp(mantissa, 40)), exponent - 40)


def _as_arrays(nodes: Sequence[_Node], codes: npt.NDArray[np.int32], weight: Floats) -> dict[str, Any]:
    left = np.array([node.left for node in nodes])
    order = pre_order(left.tolist(), np.where(left < 0, -1, left + 1).tolist())
    place = np.empty(len(nodes) + 1, np.intp)
    place[order], place[-1] = np.arange(len(nodes)), -1
    left = left[order]
    nodes = [nodes[v] for v in order.tolist()]
    splits = [None if node.is_leaf else node.split for node in nodes]
    counted = [np.bincount(codes[node.rows], weight[node.rows], 2) for node in nodes]
    rows = [np.bincount(codes[node.rows], minlength=2) for node in nodes]
    entries = [np.flatnonzero(found) if node.is_leaf else () for node, found in zip(nodes, rows, strict=True)]
    levels = [split.level if split else () for split in splits]
    total = np.array([found.sum() for found in counted])
    children = place[left], place[np.where(left < 0, -1, left + 1)]
    arrays: dict[str, Any] = {
        "children_left": children[0],
        "children_right": children[1],
        "feature": [split.column if split else -2 for split in splits],
        "threshold": [split.threshold if split else -2.0 for split in splits],
        "missing_go_to_left": (left >= 0) & (total[children[0]] >= total[children[1]]),
        "level_ptr": np.cumsum([0, *map(len, levels)]),
        "level_code": [code for found in levels for code in found],
        "level_left": [side for split in splits if split for side in split.level_left],
        "heuristic": np.array([bool(split and split.heuristic) for split in splits]),
        "n_node_samples": [len(node.rows) for node in nodes],
        "weighted_n_node_samples": total,
        "impurity": [node.impurity for node in nodes],
        "label": [int(found[1] > found[0]) for found in counted],
        "count_ptr": np.cumsum([0, *map(len, entries)]),
        "count_class": [k for found in entries for k in found],
        "count_weight": [c[k] for c, found in zip(counted, entries, strict=True) for k in found],
        "count_rows": [c[k] for c, found in zip(rows, entries, strict=True) for k in found],
    }
    arrays = {name: as_field(name, held) for name, held in (unused("classification", len(nodes)) | arrays).items()}
    return arrays | {"runners": ()}
