"""What would have to be otherwise for a row to end in another leaf.

change      one column whose cell does not fit the leaf's box.
distance    of a change of a number: the share of the rows that lie between the cell and the nearest one that fits; of
            any other change, and from or to a missing cell: 1. Of a leaf: the sum over the changes.
Fewest changes come first, then the least distance, then the first leaf.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bristlecone.tree.arrays import Array, Ints
from bristlecone.tree.boxes import Box, Side, boxes, sides, words
from bristlecone.tree.conditions import Wording
from bristlecone.tree.names import percent, rows_in_words, shown_class, value_format
from bristlecone.tree.rows import Rows

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree

NEAR = 3
ADVICE = Wording(missing=False)  # nobody makes a cell missing to get another answer


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another leaf: what it answers, and the conditions, of those that lead to it, that the row does not meet."""

    leaf: int
    answer: Any
    n_rows: int
    conditions: tuple[str, ...]
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Alternatives:
    """flip: the nearest leaf that answers another class; None where none does, and of numbers. near: the nearest
    leaves, whatever they answer."""

    flip: Alternative | None
    near: tuple[Alternative, ...]

    def __str__(self) -> str:
        flip = [] if self.flip is None else [f"  Nearest other answer: {self.flip}"]
        near = (other for other in self.near if other is not self.flip)
        return "\n".join([*flip, *(f"  Near is leaf {other.leaf}: {other}" for other in near)])


def flips(tree: "Tree", table: Rows, nodes: Ints) -> Ints:
    """The nearest leaf of another class for each row of a table, (n_rows,), -1 where none is.

    nodes: where the rows stop. Distances are among these rows.

    Raises ValueError for a regression tree, in which every leaf is another answer.
    """
    if tree.classes is None:
        raise ValueError("the nearest other answer is one of classes; this tree answers numbers")
    labels = tree.label[nodes]
    found = np.full(len(nodes), -1)
    for most in _caps(tree):
        left = np.flatnonzero(found < 0)
        found[left] = _flips_within(tree, table.take(left), table, labels[left], most)
    return found


def _flips_within(tree: "Tree", table: Rows, among: Rows, labels: Ints, most: int) -> Ints:
    """As `flips`, -1 also where more changes than `most` are needed. labels: the rows' answers."""
    found = np.full(table.n_rows, -1)
    best, far = np.full(table.n_rows, most + 1), np.zeros(table.n_rows, dtype=np.int64)

    def closer(rows: Ints, changes: Ints, distance: Ints) -> Array:
        nearer: Array = (changes < best[rows]) | ((changes == best[rows]) & (distance < far[rows]))
        return nearer

    for leaf, _, rows, changes, distance in _walk(tree, table, among, closer):
        other = tree.label[leaf] != labels[rows]
        rows = rows[other]
        best[rows], far[rows], found[rows] = changes[other], distance[other], leaf
    return found


def alternatives(tree: "Tree", X: Any, row: int) -> Alternatives:
    """The leaves that are nearest to row `row` of X (counted from 0); distances are among the rows of X.

    Raises as `explain` does for a row that does not exist, or that the tree refuses.
    """
    from bristlecone.tree.explain import one_row

    table, one = one_row(tree, X, row)
    node = int(tree.route(one, first_row=row).nodes[0])
    own = None if tree.classes is None else tree.label[node]
    reached: dict[int, tuple[int, int, Box]] = {}
    others: list[int] = []
    other_answers: list[int] = []
    for most in _caps(tree):
        for leaf, box, _, changes, distance in _walk(tree, one, table, _within(most)):
            reached[leaf] = (int(changes[0]), int(distance[0]), box)
        others = sorted((leaf for leaf in reached if leaf != node), key=lambda leaf: (*reached[leaf][:2], leaf))
        other_answers = [leaf for leaf in others if own is not None and tree.label[leaf] != own]
        if len(others) >= NEAR and (other_answers or own is None):
            break
    wanted = {*others[:NEAR], *other_answers[:1]}
    told = {leaf: _alternative(tree, one, leaf, reached[leaf][2]) for leaf in wanted}
    flip = told[other_answers[0]] if other_answers else None
    return Alternatives(flip, tuple(told[leaf] for leaf in others[:NEAR]))


def missed(tree: "Tree", table: Rows, row: int, box: Box) -> Box:
    """The sides of a box that a row's cells do not fit."""
    return {column: side for column, side in box.items() if not side.holds(table.columns[column][row : row + 1])[0]}


def unmet(tree: "Tree", table: Rows, leaf: Ints) -> list[str | None]:
    """For each row of a table, what the leaf named for it asks for and the row does not meet, in words; None for -1."""
    told: list[str | None] = [None] * table.n_rows
    wanted = set(leaf.tolist())
    for node, box in boxes(tree):
        if node not in wanted:
            continue
        rows = np.flatnonzero(leaf == node)
        some = table.take(rows)
        said = list(words(tree, box, ADVICE))
        out = np.column_stack([~side.holds(some.columns[column]) for column, side in box.items()])
        for row, wrong in zip(rows, out, strict=True):
            told[row] = " and ".join(condition for condition, is_out in zip(said, wrong, strict=True) if is_out)
    return told


def _alternative(tree: "Tree", one: Rows, leaf: int, box: Box) -> Alternative:
    conditions = tuple(words(tree, missed(tree, one, 0, box), ADVICE))
    n_rows = int(tree.n_node_samples[leaf])
    answer: Any
    if tree.classes is None:
        answer = float(tree.prediction[leaf])
        said = f"{answer:{value_format(abs(answer))}}"
    else:
        answer, code = tree.classes[tree.label[leaf]], int(tree.label[leaf])
        share = float(tree.fractions_at(np.array([leaf]))[0, code])
        said = f"{shown_class(tree.classes, code)} ({percent(share)}"
        return Alternative(leaf, answer, n_rows, conditions, f"{said}, {rows_in_words(n_rows)}) if {_all(conditions)}.")
    return Alternative(leaf, answer, n_rows, conditions, f"{said} ({rows_in_words(n_rows)}) if {_all(conditions)}.")


def _all(conditions: tuple[str, ...]) -> str:
    return " and ".join(conditions)


def _caps(tree: "Tree") -> Iterator[int]:
    """How many changes to look at: most rows need one, and few leaves are so near. The last is as many as can be."""
    n_columns, most = len(np.unique(tree.feature[tree.feature >= 0])), 1
    while most < n_columns:
        yield most
        most *= 2
    yield n_columns


Wanted = Callable[[Ints, Ints, Ints], Array]


def _within(most: int) -> Wanted:
    """Rows with at most so many changes."""
    return lambda rows, changes, distance: changes <= most


def _walk(tree: "Tree", table: Rows, among: Rows, wanted: Wanted) -> Iterator[tuple[int, Box, Ints, Ints, Ints]]:
    """Leaves in order, each with its box and the rows that are still wanted there, their changes and distances.

    wanted: whether rows, (m,) places in the table, with so many changes and so much distance at a node are to go on:
    below it they have no less. Distances are counted in rows of `among`, so that sums are exact. Leaves that no row can
    reach are left out.
    """
    asked = np.unique(tree.feature[tree.feature >= 0]).tolist()
    in_order = {j: np.sort(among.columns[j].astype(np.float64)) for j in asked}
    nothing = np.zeros(table.n_rows, dtype=np.int64)
    stack: list[tuple[int, Box, Ints, Ints, Ints]] = [(0, {}, np.arange(table.n_rows), nothing, nothing)]
    while stack:
        node, box, rows, changes, distance = stack.pop()
        on = wanted(rows, changes, distance)
        if not on.any():
            continue
        rows, changes, distance = rows[on], changes[on], distance[on]
        if tree.children_left[node] < 0:
            yield node, box, rows, changes, distance
            continue
        column = int(tree.feature[node])
        cells, places = table.columns[column][rows], in_order[column]
        if column in box:
            out, far = _missed_by(box[column], cells, places)
            changes, distance = changes - out, distance - far
        for child, side in sides(tree, node, box):
            if not side.empty:
                out, far = _missed_by(side, cells, places)
                stack.append((child, box | {column: side}, rows, changes + out, distance + far))


def _missed_by(side: Side, cells: Array, in_order: Array) -> tuple[Ints, Ints]:
    """Whether each cell lies outside a side, 0 or 1, and how many rows lie between; (m,) each."""
    out = ~side.holds(cells)
    return out.astype(np.int64), np.where(out, _distance(side, cells, in_order), 0)


def _distance(side: Side, cells: Array, in_order: Array) -> Ints:
    whole = max(len(in_order), 1)
    if side.levels is not None or not side.some:
        return np.full(len(cells), whole)
    cells = cells.astype(np.float64, copy=False)
    present = in_order[: int(np.searchsorted(in_order, np.nan))]  # missing ones stand last
    goal = np.where(cells < side.low, side.low, math.nextafter(side.high, -math.inf))
    lower, upper = np.minimum(cells, goal), np.maximum(cells, goal)
    between = np.searchsorted(present, upper, "left") - np.searchsorted(present, lower, "right")
    return np.where(np.isnan(cells), whole, np.maximum(between, 0))
