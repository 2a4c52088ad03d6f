"""The rows that reach a node, as one set a column: what the questions on the way leave of it, redundant bounds merged.

side        of a column, what is left: numbers low <= x < high, or level codes, and whether a missing cell is.
box         of a node, its sides by column; a column that is not asked about on the way has none.
empty       a side that no cell fits: two questions that contradict each other; no row reaches such a node.
stop        a node where a row's way may end: a leaf, or, where unknown levels stop, a node that asks for a level.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bristlecone.table.schema import UNSEEN_CODE, ColumnSchema, Kind, format_number
from bristlecone.tree.arrays import Array
from bristlecone.tree.conditions import EXACT, LevelSet, Present, Threshold, Wording
from bristlecone.tree.names import shown

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree

PLAIN = Wording(missing=False)


@dataclass(frozen=True, slots=True)
class Side:
    """What is left of one column. levels: codes, -2 standing for all levels that no row had; None for numbers."""

    low: float
    high: float
    levels: frozenset[int] | None
    missing: bool
    kind: Kind

    @property
    def some(self) -> bool:
        """Whether any cell that is there fits."""
        if self.levels is not None:
            return bool(self.levels)
        if self.kind is Kind.BOOLEAN:
            return bool(self.truths)
        if self.kind is not Kind.NUMERIC:  # dates are whole counts
            return bool(np.ceil(self.low) < np.ceil(self.high))
        return self.low < self.high

    @property
    def empty(self) -> bool:
        """Whether no cell fits."""
        return not (self.missing or self.some)

    @property
    def truths(self) -> list[bool]:
        """Of booleans, those that fit."""
        return [truth for truth in (False, True) if self.low <= truth < self.high]

    def holds(self, cells: Array) -> Array:
        """Whether each of some cells, numbers or codes, fits; (len(cells),)."""
        if self.levels is None:
            cells = cells.astype(np.float64, copy=False)  # beside a float32 cell the bounds would be rounded
            found: Array = (cells >= self.low) & (cells < self.high) | (np.isnan(cells) & self.missing)
            return found
        codes = [*self.levels, *([-1] if self.missing else [])]
        return np.isin(cells, codes)


Box = dict[int, Side]


def boxes(tree: "Tree") -> Iterator[tuple[int, Box]]:
    """Every node with its box, in order; linear in nodes and in the columns that are asked about on the way."""
    stack: list[tuple[int, Box]] = [(0, {})]
    left, feature = tree.children_left.tolist(), tree.feature.tolist()
    while stack:
        node, box = stack.pop()
        yield node, box
        if left[node] < 0:
            continue
        column = feature[node]
        stack += [(child, box | {column: side}) for child, side in sides(tree, node, box)]


def sides(tree: "Tree", node: int, box: Box) -> Iterator[tuple[int, Side]]:
    """The children of an inner node, the right one first, and what is left of its column there."""
    column = int(tree.feature[node])
    side = box.get(column) or _all_of(tree, column)
    yield int(tree.children_right[node]), _narrowed(tree, side, node, False)
    yield int(tree.children_left[node]), _narrowed(tree, side, node, True)


def stops(tree: "Tree") -> Iterator[tuple[int, Box]]:
    """Every stop that a row can reach, in order, with the box of the rows that stop there."""
    inner = (tree.children_left >= 0).tolist()
    asks_levels = (np.diff(tree.level_ptr) > 0).tolist()
    for node, box in boxes(tree):
        if any(side.empty for side in box.values()):
            continue
        if not inner[node]:
            yield node, box
        elif asks_levels[node] and tree.unseen == "stop":
            column = int(tree.feature[node])
            side = box.get(column) or _all_of(tree, column)
            levels = (side.levels or frozenset()).difference(_known(tree, node).tolist())
            if levels:
                yield node, box | {column: replace(side, missing=False, levels=levels)}


def words(tree: "Tree", box: Box, wording: Wording = EXACT) -> Iterator[str]:
    """A box as conditions that all hold, one a column, in the order in which the columns are first asked about."""
    return (_say(tree.schema.columns[column], side, wording) for column, side in box.items())


def _all_of(tree: "Tree", column: int) -> Side:
    schema = tree.schema.columns[column]
    levels = frozenset([UNSEEN_CODE, *range(len(schema.levels))]) if schema.categorical else None
    return Side(-math.inf, math.inf, levels, tree.missing != "error", schema.kind)


def _known(tree: "Tree", node: int) -> Array:
    return tree.level_code[tree.level_ptr[node] : tree.level_ptr[node + 1]]


def _narrowed(tree: "Tree", side: Side, node: int, left: bool) -> Side:
    threshold = float(tree.threshold[node])
    if threshold == math.inf:  # left has a value, right has none
        if left:
            return replace(side, missing=False)
        return replace(side, high=-math.inf, levels=None if side.levels is None else frozenset())
    missing = side.missing and bool(tree.missing_go_to_left[node]) == left
    if side.levels is None:
        if left:
            return replace(side, missing=missing, high=min(side.high, threshold))
        return replace(side, missing=missing, low=max(side.low, threshold))
    known = _known(tree, node)
    goes = (tree.level_left[tree.level_ptr[node] : tree.level_ptr[node + 1]] == 1) == left
    levels = side.levels.intersection(known[goes].tolist())
    if tree.unseen == "heavier" and bool(tree.heavier_left[node]) == left:
        levels |= side.levels.difference(known.tolist())
    return replace(side, missing=missing, levels=levels)


def _say(column: ColumnSchema, side: Side, wording: Wording) -> str:
    if side.empty:
        return f"{shown(column.name)} is never what is asked for"
    if side.levels is not None:
        return _say_levels(column, side, side.levels, wording)
    if not side.some:
        return Present(column).right()
    or_missing = " or missing" if side.missing and wording.missing else ""
    if column.kind is Kind.BOOLEAN and len(side.truths) == 1:
        half = Threshold(column, 0.5, False)
        return (half.right(PLAIN) if side.truths[0] else half.left(PLAIN)) + or_missing
    if math.isinf(side.low) and math.isinf(side.high):
        return Present(column).left()
    if math.isinf(side.low):
        return Threshold(column, side.high, False).left(wording) + or_missing
    lower = Threshold(column, side.low, True).right(wording)
    if math.isinf(side.high):
        return lower + or_missing
    if column.kind is Kind.NUMERIC:
        return f"{format_number(side.low)} ≤ {shown(column.name)} < {format_number(side.high)}{or_missing}"
    upper = Threshold(column, side.high, False).left(wording).removeprefix(shown(column.name))
    return f"{lower} and{upper}{or_missing}"


def _say_levels(column: ColumnSchema, side: Side, levels: frozenset[int], wording: Wording) -> str:
    known = [column.levels[code] for code in sorted(levels) if code >= 0]
    if UNSEEN_CODE not in levels:
        return LevelSet(column, tuple(known), (), side.missing).left(wording)
    others = tuple(level for code, level in enumerate(column.levels) if code not in levels)
    if not others:
        return Present(column).left() + (" or missing" if side.missing and wording.missing else "")
    but = LevelSet(column, others, (), False).left(wording).removeprefix(f"{shown(column.name)} is ")
    return f"{shown(column.name)} is none of {but}" + (" or missing" if side.missing and wording.missing else "")
