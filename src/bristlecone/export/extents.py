"""Which cells lead a row to a stop: the questions on its way, merged column by column.

extent    the cells of one column that pass all questions about it: an interval of numbers or a set of levels, and
          whether a missing cell passes.
other     levels that the schema does not have.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bristlecone.table.schema import Kind
from bristlecone.tree import Tree

__all__ = ["Extent", "Levels", "Numbers", "extents"]


@dataclass(frozen=True, slots=True)
class Numbers:
    """low <= x < high where `present`, and a missing cell where `missing`; whole: of whole numbers only."""

    low: float = -math.inf
    high: float = math.inf
    present: bool = True
    missing: bool = True
    whole: bool = False

    @property
    def some(self) -> bool:
        """Whether any number passes."""
        low, high = (np.ceil(bound) if self.whole else bound for bound in (self.low, self.high))
        return self.present and bool(low < high)

    @property
    def empty(self) -> bool:
        """Whether no cell passes."""
        return not (self.missing or self.some)


@dataclass(frozen=True, slots=True)
class Levels:
    """Levels by a mask over the schema's codes; every level that the schema does not have, where `other`."""

    known: npt.NDArray[np.bool_]
    other: bool = True
    missing: bool = True

    @property
    def empty(self) -> bool:
        """Whether no cell passes."""
        return not (self.missing or self.other or self.known.any())


Extent = Numbers | Levels


def extents(tree: Tree) -> Iterator[tuple[int, dict[int, Extent]]]:
    """Each stop of a tree in node order, with the extents of the columns asked on its way, in the order of asking.

    The mapping is the walk's own and changes as it goes on. A stop that no row can reach is left out.
    """
    held: dict[int, Extent] = {}
    todo: list[tuple[int, int, Extent | None]] = [(0, -1, None)]
    while todo:
        node, feature, extent = todo.pop()
        if node < 0:
            _restore(held, feature, extent)
            continue
        before = held.get(feature)
        if extent is not None:
            if extent.empty:
                continue
            held[feature] = extent
            todo.append((-1, feature, before))
        if tree.children_left[node] < 0:
            yield node, held
            continue
        asked = int(tree.feature[node])
        now = held.get(asked) or _all_cells(tree, asked)
        if isinstance(now, Levels) and tree.unseen == "stop":
            stays = _stays(tree, node, now)
            if not stays.empty:
                yield node, held | {asked: stays}
        left, right = _sides(tree, node, now)
        todo += [(int(tree.children_right[node]), asked, right), (int(tree.children_left[node]), asked, left)]


def _restore(held: dict[int, Extent], feature: int, extent: Extent | None) -> None:
    if extent is None:
        del held[feature]
    else:
        held[feature] = extent


def _all_cells(tree: Tree, feature: int) -> Extent:
    column = tree.schema.columns[feature]
    if column.categorical:
        return Levels(np.ones(len(column.levels), dtype=bool))
    if column.kind is Kind.BOOLEAN:
        return Numbers(0.0, 2.0, whole=True)
    return Numbers(whole=column.kind is not Kind.NUMERIC)


def _sides(tree: Tree, node: int, now: Extent) -> tuple[Extent, Extent]:
    """What goes left and what goes right of an extent."""
    missing_left = bool(tree.missing_go_to_left[node])
    missing = now.missing and tree.missing != "error"
    goes = (missing and missing_left, missing and not missing_left)
    if isinstance(now, Levels):
        left, right = (_levels(tree, node, now, side) for side in (True, False))
        return replace(left, missing=goes[0]), replace(right, missing=goes[1])
    threshold = float(tree.threshold[node])
    if threshold == math.inf:
        return replace(now, missing=goes[0]), replace(now, present=False, missing=goes[1])
    high, low = min(now.high, threshold), max(now.low, threshold)
    return replace(now, high=high, missing=goes[0]), replace(now, low=low, missing=goes[1])


def _levels(tree: Tree, node: int, now: Levels, left: bool) -> Levels:
    codes, sides = _known(tree, node)
    follows = tree.unseen == "heavier" and bool(tree.heavier_left[node]) == left
    named = np.full(len(now.known), follows)
    named[codes] = sides == left
    return Levels(now.known & named, now.other and follows)


def _stays(tree: Tree, node: int, now: Levels) -> Levels:
    """The levels that a node does not know, with which a row stops there."""
    unknown = now.known.copy()
    unknown[_known(tree, node)[0]] = False
    return Levels(unknown, now.other, missing=False)


def _known(tree: Tree, node: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    entries = slice(tree.level_ptr[node], tree.level_ptr[node + 1])
    return tree.level_code[entries], tree.level_left[entries]
