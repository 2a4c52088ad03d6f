"""The slow, obvious space trees: the specification of ``cpp/grow/dyadic.cpp`` and ``cpp/grow/kd.cpp``. SPEC A1.

Cells, medians and spreads are rationals; a number becomes a float only where the core's definition says so: at the
middle of a cell and at a threshold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import numpy as np

SLACK = Fraction(1, 10**12)


@dataclass
class Sample:
    """Rows of numbers with class codes and weights; rows of weight zero are absent."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None = None

    def __post_init__(self) -> None:
        self.X = np.asarray(self.X, dtype=float) + 0.0
        given = np.ones(len(self.X)) if self.weights is None else self.weights
        self.weight = [Fraction(float(w)) for w in given]
        self.rows = [row for row, w in enumerate(self.weight) if w > 0]

    @property
    def n_columns(self) -> int:
        return self.X.shape[1]

    @property
    def log_size(self) -> int:
        present = [self.weight[row] for row in self.rows]
        whole = all(w.denominator == 1 for w in present)
        return math.floor(math.log(sum(present) if whole else len(present)))

    def by_class(self, rows: Iterable[int]) -> dict[int, Fraction]:
        found: dict[int, Fraction] = {}
        for row in rows:
            found[int(self.y[row])] = found.get(int(self.y[row]), Fraction(0)) + self.weight[row]
        return dict(sorted(found.items()))


@dataclass
class Cell:
    """The numbers of a column that a node holds: from low, inside only at the root's own edge, to high."""

    low: float
    high: float
    low_inside: bool = True

    @property
    def one_number(self) -> bool:
        return self.low == self.high or (not self.low_inside and math.nextafter(self.low, math.inf) == self.high)

    @property
    def middle(self) -> float:
        rounded = float((Fraction(self.low) + Fraction(self.high)) / 2)
        return rounded if rounded < self.high else self.low


@dataclass
class SpaceNode:
    rows: list[int]
    depth: int
    label: int
    cells: list[Cell] = field(default_factory=list)
    turn: int = 0
    column: int = -2
    threshold: float = -2.0
    left: SpaceNode | None = None
    right: SpaceNode | None = None

    def preorder(self) -> list[SpaceNode]:
        found, waiting = [], [self]
        while waiting:
            found.append(node := waiting.pop())
            if node.left is not None and node.right is not None:
                waiting += [node.right, node.left]
        return found


def dyadic_twin(
    sample: Sample, max_depth: int | None = None, ranges: object = None, stop_pure: bool = True
) -> SpaceNode:
    edges = _own_ranges(sample) if ranges is None else np.asarray(ranges, dtype=float) + 0.0
    root = _plant(sample, sample.rows, None)
    root.cells = [Cell(low, high) for low, high in edges.tolist()]
    cycle = [j for j, cell in enumerate(root.cells) if not cell.one_number]
    deepest = len(cycle) * sample.log_size if max_depth is None else max_depth
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not _finished(sample, node, deepest, stop_pure) and _cut_in_the_middle(sample, node, cycle):
            waiting += [node.left, node.right]
    return root


def kd_twin(sample: Sample, axis: str = "cycle", max_depth: int | None = None, stop_pure: bool = True) -> SpaceNode:
    root = _plant(sample, sample.rows, None)
    deepest = sample.n_columns * sample.log_size if max_depth is None else max_depth
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if _finished(sample, node, deepest, stop_pure):
            continue
        for column in _axes(sample, node, axis):
            threshold = median_threshold(_weighted_values(sample, node.rows, column))
            if threshold is not None:
                _divide(sample, node, column, threshold)
                waiting += [node.left, node.right]
                break
    return root


def median_threshold(values: list[tuple[float, Fraction]]) -> float | None:
    """The cut of the middle: between neighbouring values, the sides' weights as equal as can be, the lower on ties."""
    total = sum(weight for _, weight in values)
    distinct = sorted({value for value, _ in values})
    cuts = []
    for low, high in pairwise(distinct):
        left = sum(weight for value, weight in values if value <= low)
        cuts.append((abs(2 * left - total), low, high))
    if not cuts:
        return None
    _, low, high = min(cuts)
    middle = low / 2 + high / 2
    return middle if middle > low else high


def _own_ranges(sample: Sample) -> np.ndarray:
    present = sample.X[sample.rows]
    return np.column_stack([present.min(axis=0), present.max(axis=0)])


def _plant(sample: Sample, rows: list[int], parent: SpaceNode | None) -> SpaceNode:
    found = sample.by_class(rows)
    label = max(found, key=lambda k: (found[k], -k)) if found else parent.label
    return SpaceNode(rows, 0 if parent is None else parent.depth + 1, label)


def _finished(sample: Sample, node: SpaceNode, deepest: int, stop_pure: bool) -> bool:
    pure = len({int(sample.y[row]) for row in node.rows}) == 1
    return not node.rows or node.depth == deepest or (stop_pure and pure)


def _divide(sample: Sample, node: SpaceNode, column: int, threshold: float) -> None:
    goes_left = [row for row in node.rows if sample.X[row, column] < threshold]
    goes_right = [row for row in node.rows if not sample.X[row, column] < threshold]
    node.column, node.threshold = column, threshold
    node.left, node.right = _plant(sample, goes_left, node), _plant(sample, goes_right, node)


def _cut_in_the_middle(sample: Sample, node: SpaceNode, cycle: list[int]) -> bool:
    for passed in range(len(cycle)):
        turn = (node.turn + passed) % len(cycle)
        column = cycle[turn]
        cell = node.cells[column]
        if cell.one_number:
            continue
        _divide(sample, node, column, math.nextafter(cell.middle, math.inf))
        halves = (Cell(cell.low, cell.middle, cell.low_inside), Cell(cell.middle, cell.high, False))
        for child, half in zip((node.left, node.right), halves, strict=True):
            child.turn = (turn + 1) % len(cycle)
            child.cells = [*node.cells[:column], half, *node.cells[column + 1 :]]
        return True
    return False


def _weighted_values(sample: Sample, rows: list[int], column: int) -> list[tuple[float, Fraction]]:
    return [(float(sample.X[row, column]), sample.weight[row]) for row in rows]


def _axes(sample: Sample, node: SpaceNode, axis: str) -> list[int]:
    n = sample.n_columns
    if axis == "cycle":
        return [(node.depth + passed) % n for passed in range(n)]
    spreads = [_squared_spread(sample, node.rows, column) for column in range(n)]
    # Spreads closer than a relative 1e-12 are a tie; these are their squares.
    return [next(j for j, spread in enumerate(spreads) if spread >= max(spreads) * (1 - 2 * SLACK))]


def _squared_spread(sample: Sample, rows: list[int], column: int) -> Fraction:
    """The square of (largest - smallest) / standard deviation, the deviation that of all rows."""
    everywhere = [(Fraction(value), weight) for value, weight in _weighted_values(sample, sample.rows, column)]
    total = sum(weight for _, weight in everywhere)
    mean = sum(weight * value for value, weight in everywhere) / total
    variance = sum(weight * (value - mean) ** 2 for value, weight in everywhere) / total
    here = [Fraction(float(sample.X[row, column])) for row in rows]
    return (max(here) - min(here)) ** 2 / (variance or 1)
