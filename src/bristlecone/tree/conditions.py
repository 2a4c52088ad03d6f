"""The three kinds of split, each able to say either side of itself in words.

Threshold   left is x < threshold. Dates read "before" and "on or after", booleans "is false" and "is true".
LevelSet    left and right name the levels known at the node; any other level belongs to neither side.
Present     left has a value, right has none.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bristlecone.table.schema import ColumnSchema, Kind, format_number
from bristlecone.tree.names import listed, rounded_number, shown, shown_level

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree


@dataclass(frozen=True, slots=True)
class Wording:
    """How much a condition says: fold lists more than this many levels (None: never), say where missing goes.

    digits: of numbers, so many that count (None: all of them).
    """

    fold: int | None = None
    missing: bool = True
    digits: int | None = None

    def folds(self, n_levels: int) -> bool:
        """Whether a list of so many levels is cut short; one that hides a single level never is."""
        return self.fold is not None and n_levels > self.fold + 1


EXACT = Wording()


@dataclass(frozen=True, slots=True)
class Threshold:
    """Left is x < threshold; missing values go left when missing_left. No number is rounded unless asked for."""

    column: ColumnSchema
    threshold: float
    missing_left: bool

    def left(self, wording: Wording = EXACT) -> str:
        """The left side in words."""
        return self._say(True, wording.digits) + _or_missing(self.missing_left and wording.missing)

    def right(self, wording: Wording = EXACT) -> str:
        """The right side in words."""
        return self._say(False, wording.digits) + _or_missing(not self.missing_left and wording.missing)

    def _say(self, left: bool, digits: int | None) -> str:
        name, kind = shown(self.column.name), self.column.kind
        if kind is Kind.BOOLEAN and 0 < self.threshold <= 1:
            return f"{name} is {'false' if left else 'true'}"
        if kind in (Kind.DATE, Kind.DATETIME):
            return f"{name} {'before' if left else 'on or after'} {self._date()}"
        said = format_number(self.threshold) if digits is None else rounded_number(self.threshold, digits)
        return f"{name} {'<' if left else '≥'} {said}"

    def _date(self) -> str:
        # Dates are whole counts, so x < t and x < ceil(t) are the same dates.
        return self.column.format(float(math.ceil(self.threshold)))


@dataclass(frozen=True, slots=True)
class LevelSet:
    """Two sets of levels, in the schema's order; missing values go left when missing_left."""

    column: ColumnSchema
    left_levels: tuple[Hashable, ...]
    right_levels: tuple[Hashable, ...]
    missing_left: bool

    def left(self, wording: Wording = EXACT) -> str:
        """The left side in words."""
        return self._say(self.left_levels, self.missing_left, wording)

    def right(self, wording: Wording = EXACT) -> str:
        """The right side in words."""
        return self._say(self.right_levels, not self.missing_left, wording)

    def _say(self, levels: tuple[Hashable, ...], takes_missing: bool, wording: Wording) -> str:
        name = shown(self.column.name)
        if not levels:
            return f"{name} is missing"
        known = listed([shown_level(level) for level in levels], wording.fold)
        return f"{name} is {known}" + _or_missing(takes_missing and wording.missing)


@dataclass(frozen=True, slots=True)
class Present:
    """Left has a value, right is missing."""

    column: ColumnSchema

    def left(self, wording: Wording = EXACT) -> str:
        """The left side in words."""
        return f"{shown(self.column.name)} is present"

    def right(self, wording: Wording = EXACT) -> str:
        """The right side in words."""
        return f"{shown(self.column.name)} is missing"


Condition = Threshold | LevelSet | Present


def _or_missing(said: bool) -> str:
    return " or missing" if said else ""


def of_node(tree: "Tree", node: int) -> Condition:
    """The split of an inner node. Raises ValueError at a leaf or beyond the tree."""
    if not 0 <= node < tree.n_nodes or tree.children_left[node] < 0:
        raise ValueError(f"node {node} is not an inner node of this tree of {tree.n_nodes} nodes")
    column = tree.schema.columns[tree.feature[node]]
    missing_left = bool(tree.missing_go_to_left[node])
    threshold = float(tree.threshold[node])
    if threshold == math.inf:
        return Present(column)
    if not column.categorical:
        return Threshold(column, threshold, missing_left)
    entries = slice(tree.level_ptr[node], tree.level_ptr[node + 1])
    sides = zip(tree.level_code[entries].tolist(), tree.level_left[entries].tolist(), strict=True)
    known = [(column.levels[code], left) for code, left in sides]
    left_levels = tuple(level for level, left in known if left)
    return LevelSet(column, left_levels, tuple(level for level, left in known if not left), missing_left)
