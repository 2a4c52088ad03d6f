"""Why one row gets its answer: every question on its way, the row's value, and where it stops."""

import operator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from bristlecone.table.schema import ColumnSchema
from bristlecone.tree.arrays import Array, Floats
from bristlecone.tree.conditions import LevelSet, Wording, of_node
from bristlecone.tree.details import counts_in_words
from bristlecone.tree.distributions import node_counts, probabilities
from bristlecone.tree.names import percent, rows_in_words, shown, shown_class, shown_level, value_format
from bristlecone.tree.routing import paths
from bristlecone.tree.rows import Rows

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree


PRESENT = Wording(fold=3, missing=False)


@dataclass(frozen=True, slots=True)
class Step:
    """One question on the way.

    node: where it is asked. column: its name. value: the row's cell as a person sees it, None when missing. left: the
    side taken. condition: that side in words, exact. sentence: the step in words, long lists folded.
    """

    node: int
    column: str
    value: Any
    left: bool
    condition: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ClassShare:
    """One class among the rows answered from: its training rows, their weight, its fraction as predict_proba says."""

    label: Any
    rows: int
    weight: float
    fraction: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """One row's way through a tree.

    row: its position. answer: the label or value predicted. steps: the questions. node: where it stops. stopped: why
    there, in words. n_rows: training rows at that node; 0 at a leaf that none reached, which answers from those of the
    node above it. classes: the classes of the rows answered from, the largest fraction first; empty in regression.
    sentence: the answer in words. `str` gives the whole as text.
    """

    row: int
    answer: Any
    steps: tuple[Step, ...]
    node: int
    stopped: str
    n_rows: int
    classes: tuple[ClassShare, ...]
    sentence: str
    counts: str

    def __str__(self) -> str:
        digits = len(str(len(self.steps)))
        steps = [f"  {number:>{digits}}. {step.sentence}" for number, step in enumerate(self.steps, 1)]
        return "\n".join([self.sentence, *steps, f"  {self.stopped}", f"  Training rows there: {self.counts}"])


def explain(tree: "Tree", X: Any, row: int) -> Explanation:
    """The way of row `row` (by position) of X, an array, a frame or a Table.

    Raises ValueError when there is no such row, or where the tree refuses it; TypeError when row is not a whole number.
    """
    _, one = one_row(tree, X, row)
    row = operator.index(row)
    path = paths(tree.route(one, first_row=row).nodes, tree.parent, tree.depth).indices.tolist()
    node = path[-1]
    steps = tuple(_step(tree, one, at, after) for at, after in pairwise(path))
    where = _at_leaf(tree, node) if tree.children_left[node] < 0 else _unknown_level(tree, one, node)
    if tree.classes is None:
        return _of_value(tree, row, steps, node, where)
    return _of_class(tree, tree.classes, row, steps, node, where)


def one_row(tree: "Tree", X: Any, row: int) -> tuple[Rows, Rows]:
    """All rows of X as the tree reads them, and the one that is asked for. Raises as `explain` does."""
    try:
        if isinstance(row, bool | np.bool_):
            raise TypeError
        place = operator.index(row)
    except TypeError:
        raise TypeError(f"row must be a whole number, the position of one row; got {row!r}") from None
    table = tree.schema.read(X)
    if not 0 <= place < table.n_rows:
        raise ValueError(f"row {place} does not exist: there are {table.n_rows} rows, counted from 0")
    return table, table.take([place])


def _of_value(tree: "Tree", row: int, steps: tuple[Step, ...], node: int, where: str) -> Explanation:
    value, n_rows = float(tree.prediction[node]), int(tree.n_node_samples[node])
    sentence = f"Row {row} gets {value:{value_format(abs(value))}}, learned from {rows_in_words(n_rows)}."
    return Explanation(row, value, steps, node, where, n_rows, (), sentence, f"{n_rows:,}")


def _of_class(tree: "Tree", classes: Array, row: int, steps: tuple[Step, ...], node: int, where: str) -> Explanation:
    code, n_rows, source = int(tree.label[node]), int(tree.n_node_samples[node]), int(tree.informed_by[node])
    fractions = probabilities(tree, np.array([node]))[0]
    answer = f"{shown_class(classes, code)} ({percent(float(fractions[code]))})"
    elsewhere = "" if source == node else f" of node {source}"
    sentence = f"Row {row} gets {answer}, learned from {rows_in_words(int(tree.n_node_samples[source]))}{elsewhere}."
    counts = ("" if source == node else f"none; at node {source}: ") + counts_in_words(tree, classes, source)
    shares = _shares(tree, classes, source, fractions)
    return Explanation(row, classes[code], steps, node, where, n_rows, shares, sentence, counts)


def _at_leaf(tree: "Tree", node: int) -> str:
    if tree.n_node_samples[node] > 0:
        return f"Stops at leaf {node}."
    source = tree.informed_by[node]
    return f"Stops at leaf {node}, which no training row reached: it answers from the rows of node {source} above it."


def _shares(tree: "Tree", classes: Array, node: int, fractions: Floats) -> tuple[ClassShare, ...]:
    code, weight, rows = node_counts(tree, node)
    held = {c: (r, w) for c, r, w in zip(code.tolist(), rows.tolist(), weight.tolist(), strict=True)}
    present = np.flatnonzero(fractions)
    order = present[np.argsort(-fractions[present], kind="stable")].tolist()
    return tuple(ClassShare(classes[c], *held.get(c, (0, 0.0)), float(fractions[c])) for c in order)


def _step(tree: "Tree", one: Rows, node: int, after: int) -> Step:
    column = tree.schema.columns[tree.feature[node]]
    cell = one.columns[tree.feature[node]][0].item()
    left = bool(after == tree.children_left[node])
    condition = of_node(tree, node)
    say = condition.left if left else condition.right
    words = say(PRESENT)
    fact = f"{shown(column.name)} is {_said(column, one, cell)}"
    sentence = fact if fact == words else f"{fact}, so {words}"
    if isinstance(condition, LevelSet):
        n_levels = len(condition.left_levels if left else condition.right_levels)
        if PRESENT.folds(n_levels):
            sentence = f"{fact}, so {shown(column.name)} is one of {n_levels:,} levels"
    if column.categorical and not column.is_missing(cell) and cell not in _known(tree, node):
        sentence = f"{fact}, not known here: goes with the heavier branch, {words}"
    elif fact != words and column.is_missing(cell):
        sentence = f"{fact}: missing values go with {words}"
    return Step(node, column.name, one.row(0)[column.name], left, say(), sentence)


def _known(tree: "Tree", node: int) -> list[int]:
    known: list[int] = tree.level_code[tree.level_ptr[node] : tree.level_ptr[node + 1]].tolist()
    return known


def _unknown_level(tree: "Tree", one: Rows, node: int) -> str:
    feature = tree.feature[node]
    column = tree.schema.columns[feature]
    said = _said(column, one, one.columns[feature][0].item())
    return f"Stops at node {node}: {shown(column.name)} is {said}, which is not among the levels known there."


def _said(column: ColumnSchema, one: Rows, cell: float) -> str:
    if column.is_missing(cell):
        return "missing"
    if not column.categorical:
        return column.format(cell)
    return shown_level(one.row(0)[column.name])
