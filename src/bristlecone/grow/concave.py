"""Best-first growth by an impurity of a user's own, in numpy: the compiled growth knows its own impurities only.

rows      of a node, as indices into the table; two classes, weights of the second kept apart from the total.
drop      how much a split lowers the impurity of its node; a leaf is split first whose weight times drop is largest.
Ties are as in compiled growth: lowest column, then lowest threshold, relative 1e-12; earliest leaf.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.grow.impurities import Floats, Impurity
from bristlecone.grow.targets import ClassTarget
from bristlecone.table import Table
from bristlecone.tree import Tree
from bristlecone.tree.layout import pre_order

__all__ = ["grow_concave"]

Rows = npt.NDArray[np.intp]

_TIE = 1e-12


@dataclass(slots=True)
class _Split:
    drop: float
    column: int = -1
    threshold: float = math.nan
    level: npt.NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    level_left: npt.NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))


@dataclass(slots=True)
class _Node:
    rows: Rows
    impurity: float
    split: _Split | None = None
    left: int = -1

    @property
    def is_leaf(self) -> bool:
        return self.left < 0


def grow_concave(
    table: Table, target: ClassTarget, weights: Floats | None, impurity: Impurity, size: int | None, zero_gain: str
) -> Tree:
    """The tree of at most `size` leaves; see `top_down`. Two classes at most and no missing cell, or ValueError."""
    if target.n_classes > 2:
        raise ValueError(f"impurity {impurity.name!r} is of two classes; y has {target.n_classes}")
    table.refuse_missing(f"impurity {impurity.name!r} takes none")
    weight = np.ones(table.n_rows) if weights is None else weights / weights.max()
    grower = _Grower(table, target.codes == 1, weight, impurity, zero_gain == "stop")
    nodes = grower.grown(np.flatnonzero(weight > 0), size)
    given = np.ones(table.n_rows) if weights is None else weights
    return _as_tree(nodes, table, target, given, impurity)


class _Grower:
    def __init__(
        self, table: Table, second: npt.NDArray[np.bool_], weight: Floats, impurity: Impurity, stops: bool
    ) -> None:
        self.table, self.weight, self.impurity, self.stops = table, weight, impurity, stops
        self.second = second * weight

    def grown(self, rows: Rows, size: int | None) -> list[_Node]:
        nodes: list[_Node] = []
        open_leaves: list[tuple[float, int]] = []
        n_leaves = 1
        self._settle(rows, nodes, open_leaves)
        while open_leaves and (size is None or n_leaves < size):
            node = nodes[heapq.heappop(open_leaves)[1]]
            assert node.split is not None
            goes_left = self._goes_left(node.split, node.rows)
            node.left = len(nodes)
            self._settle(node.rows[goes_left], nodes, open_leaves)
            self._settle(node.rows[~goes_left], nodes, open_leaves)
            n_leaves += 1
        return nodes

    def _settle(self, rows: Rows, nodes: list[_Node], open_leaves: list[tuple[float, int]]) -> None:
        total, second = self.weight[rows].sum(), self.second[rows].sum()
        nodes.append(_Node(rows, float(self._of(second / total))))
        if not 0 < second < total:
            return
        best = self._best(rows)
        if best.column < 0 or (self.stops and best.drop <= _TIE * nodes[-1].impurity):
            return
        nodes[-1].split = best
        heapq.heappush(open_leaves, (-_rounded(total * best.drop), len(nodes) - 1))

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
        cuts = np.flatnonzero(values[1:] > values[:-1])
        if len(cuts) == 0:
            return None
        cut, drop = self._best_cut(rows[order], cuts)
        low, high = float(values[cut]), float(values[cut + 1])
        middle = low / 2 + high / 2
        return _Split(drop, j, middle if middle > low else high)

    def _of_levels(self, j: int, cells: npt.NDArray[Any], rows: Rows) -> _Split | None:
        """The best set of levels: for two classes and a concave impurity one end of their order by the second's share.

        Breiman et al. 1984, theorem 4.5. The set with the first level goes left.
        """
        level, at = np.unique(cells, return_inverse=True)
        if len(level) < 2:
            return None
        share = np.bincount(at, self.second[rows]) / np.bincount(at, self.weight[rows])
        rank = np.empty(len(level), np.intp)
        rank[np.argsort(share, kind="stable")] = np.arange(len(level))
        order = np.argsort(rank[at], kind="stable")
        sorted_rank = rank[at][order]
        cut, drop = self._best_cut(rows[order], np.flatnonzero(sorted_rank[1:] > sorted_rank[:-1]))
        low = rank <= sorted_rank[cut]
        return _Split(drop, j, math.nan, level.astype(np.int32), low if low[0] else ~low)

    def _best_cut(self, ordered: Rows, cuts: Rows) -> tuple[int, float]:
        """The first of the best places to cut ordered rows, after which row, and its drop."""
        weight, second = np.cumsum(self.weight[ordered]), np.cumsum(self.second[ordered])
        total, ones = weight[-1], second[-1]
        left, right = weight[cuts], total - weight[cuts]
        below = left * self._of(second[cuts] / left) + right * self._of((ones - second[cuts]) / right)
        whole = float(self._of(ones / total))
        drops = np.atleast_1d(np.maximum(whole - below / total, 0.0))
        first = int(np.argmax(drops >= drops.max() - _TIE * whole))
        return int(cuts[first]), float(drops[first])

    def _goes_left(self, split: _Split, rows: Rows) -> npt.NDArray[np.bool_]:
        cells = self.table.columns[split.column][rows]
        if len(split.level):
            return np.asarray(split.level_left[np.searchsorted(split.level, cells)])
        return np.asarray(cells < split.threshold)


def _rounded(decrease: float) -> float:
    mantissa, exponent = math.frexp(decrease)
    return math.ldexp(round(math.ldexp(mantissa, 40)), exponent - 40)


def _as_tree(nodes: list[_Node], table: Table, target: ClassTarget, weight: Floats, impurity: Impurity) -> Tree:
    left = [node.left for node in nodes]
    order = pre_order(left, [v + 1 if v >= 0 else -1 for v in left]).tolist()
    place = np.empty(len(nodes), np.intp)
    place[order] = np.arange(len(nodes))
    inner = [not nodes[v].is_leaf for v in order]
    leaves = [nodes[v] for v in order]
    splits = [node.split if not node.is_leaf else None for node in leaves]
    classes = [target.codes[node.rows] for node in leaves]
    counted = [np.bincount(codes, weight[node.rows], 2) for codes, node in zip(classes, leaves, strict=True)]
    rows = [np.bincount(codes, minlength=2) for codes in classes]
    entries = [() if one else np.flatnonzero(found) for one, found in zip(inner, rows, strict=True)]
    levels = [split.level if split else () for split in splits]
    return Tree.from_arrays(
        table.schema,
        "classification",
        target.classes,
        {
            "children_left": [place[node.left] if not node.is_leaf else -1 for node in leaves],
            "children_right": [place[node.left + 1] if not node.is_leaf else -1 for node in leaves],
            "feature": [split.column if split else -2 for split in splits],
            "threshold": [split.threshold if split else -2.0 for split in splits],
            "missing_go_to_left": np.zeros(len(leaves), np.uint8),
            "level_ptr": np.cumsum([0, *map(len, levels)]),
            "level_code": [code for found in levels for code in found],
            "level_left": [side for split in splits if split for side in split.level_left],
            "n_node_samples": [len(node.rows) for node in leaves],
            "weighted_n_node_samples": [float(found.sum()) for found in counted],
            "impurity": [node.impurity for node in leaves],
            "label": [int(found[1] > found[0]) for found in counted],
            "count_ptr": np.cumsum([0, *map(len, entries)]),
            "count_class": [k for found in entries for k in found],
            "count_weight": [c[k] for c, found in zip(counted, entries, strict=True) for k in found],
            "count_rows": [c[k] for c, found in zip(rows, entries, strict=True) for k in found],
        },
        criterion=impurity.name,
        missing="error",
    )
