"""Random trees of every kind of question, and rows that try each: at thresholds, beside them, missing, unseen."""

import datetime
import math

import numpy as np
from strategies_tree import Leaf, Split, build

from bristlecone.table.columns import Table
from bristlecone.table.dates import date_of, datetime_of
from bristlecone.table.schema import UNSEEN_CODE, ColumnSchema, Kind, Schema
from bristlecone.tree.boxes import stops

WORDS = ("red", "o'k", "", "a, b", 'c"(1', "né\n\\", "é🎄")
DAYS = (datetime.date(1969, 12, 31), datetime.date(2024, 2, 29), datetime.date(2030, 1, 1))
NAMED = Schema(
    (
        ColumnSchema("age", Kind.NUMERIC),
        ColumnSchema('price, EUR "net"', Kind.NUMERIC),
        ColumnSchema("word", Kind.CATEGORY, WORDS),
        ColumnSchema("not asked", Kind.NUMERIC),
        ColumnSchema("branch", Kind.CATEGORY, (101, 204, 310, 7)),
        ColumnSchema("share`é", Kind.CATEGORY, (0.1, 2.5, 3)),
        ColumnSchema("day", Kind.CATEGORY, DAYS),
        ColumnSchema("hired\nfirst", Kind.DATE, unit="D"),
        ColumnSchema("Select", Kind.BOOLEAN),
        ColumnSchema("seen", Kind.DATETIME, unit="us"),
        ColumnSchema("seen there", Kind.DATETIME, unit="us UTC"),
    )
)
CLASSES = ("z", "a", "m", "b's")
FLOATS = (0.1, -0.35, 1e-300, 5e-324, 1.7e308, -1e22, 20250614.5, 2.0**60, 1 / 3, 0.0, 29500.5, 1e15 + 0.5)


def random_tree(seed, schema=NAMED, *, splits=12, unseen=None, missing="learn", regression=None):
    """A tree with up to so many splits of all kinds, a pure function of the seed."""
    rng = np.random.default_rng([seed, 5])
    regression = rng.random() < 0.3 if regression is None else regression
    k = int(rng.integers(2, len(CLASSES) + 1))

    def leaf(empty):
        if regression:
            return Leaf(value=float(rng.normal()), n=int(rng.integers(1, 9)))
        rows = rng.integers(0, 4, k)
        return Leaf(rows=tuple(rows * (not (empty and rng.random() < 0.1))) if rows.any() else (1,) * k)

    forest = [leaf(empty=False)]
    for _ in range(int(rng.integers(0, splits + 1))):
        place = int(rng.integers(len(forest)))
        sides = [forest.pop(place), leaf(empty=True)]
        if rng.random() < 0.5 and forest:
            sides[1] = forest.pop()
        left, right = sides[:: int(rng.choice([1, -1]))]
        forest.append(random_split(rng, schema, left, right))
    tree = forest[0]
    for other in forest[1:]:
        tree = random_split(rng, schema, tree, other)
    unseen = unseen or str(rng.choice(["stop", "heavier"]))
    return build(tree, schema=schema, classes=None if regression else CLASSES[:k], unseen=unseen, missing=missing)


def random_split(rng, schema, left, right):
    feature = int(rng.choice([j for j, column in enumerate(schema.columns) if column.name != "not asked"]))
    column, missing_left = schema.columns[feature], bool(rng.random() < 0.5)
    if column.categorical:
        codes = rng.permutation(len(column.levels))[: int(rng.integers(1, len(column.levels) + 1))]
        sides = [(int(code), bool(rng.random() < 0.5)) for code in codes]
        if all(side == missing_left for _, side in sides):
            sides[0] = (sides[0][0], not missing_left)
        return Split(feature, math.nan, left, right, missing_left, tuple(sides))
    if rng.random() < 0.1:
        return Split(feature, math.inf, left, right, False)
    threshold = float(rng.choice(FLOATS)) if rng.random() < 0.5 else float(rng.normal() * 100)
    if column.kind is Kind.BOOLEAN:
        threshold = float(rng.choice([0.5, 1.0, 0.0, 3.0]))
    elif column.kind is Kind.DATETIME:
        threshold *= 1e9 if abs(threshold) < 1e290 else 1.0
    return Split(feature, threshold, left, right, missing_left)


def probes(tree, seed=0, per_stop=6):
    """Rows that reach every stop that can be, and as many at random: a Table, and cells as people write them."""
    rng = np.random.default_rng([seed, 7])
    n_columns = len(tree.schema)
    codes = []
    for _, box in stops(tree):
        for _ in range(per_stop):
            codes.append([_cell(rng, tree, j, box.get(j)) for j in range(n_columns)])
            codes.append([_cell(rng, tree, j, None) for j in range(n_columns)])
    columns = [
        np.array(cells, dtype=np.int32 if column.categorical else np.float64)
        for cells, column in zip(zip(*codes, strict=True), tree.schema.columns, strict=True)
    ]
    table = Table(tree.schema, columns)
    rows = [[_shown(column, cell) for column, cell in zip(tree.schema.columns, row, strict=True)] for row in codes]
    return table, rows


def _cell(rng, tree, j, side):
    """A cell that fits a side of a box where it can, and at a threshold of the column or beside it for numbers."""
    column = tree.schema.columns[j]
    for _ in range(20):
        cell = _any_cell(rng, tree, j, column)
        if side is None or side.holds(np.array([cell]))[0]:
            return cell
    return cell


def _any_cell(rng, tree, j, column):
    if column.categorical:
        return int(rng.integers(UNSEEN_CODE, len(column.levels)))
    if rng.random() < 0.15:
        return math.nan
    if column.kind is Kind.BOOLEAN:
        return float(rng.integers(2))
    at = tree.threshold[(tree.feature == j) & np.isfinite(tree.threshold)]
    cell = float(rng.choice(at)) if len(at) and rng.random() < 0.8 else float(rng.normal() * 100)
    if column.kind is Kind.NUMERIC:
        return [cell, math.nextafter(cell, -math.inf), math.nextafter(cell, math.inf)][int(rng.integers(3))]
    farthest = 700_000.0 if column.kind is Kind.DATE else 2.0**52
    return float(np.clip(np.ceil(cell) + rng.integers(-1, 2), -farthest, farthest))


def _shown(column, cell):
    if column.is_missing(cell):
        return None
    if column.categorical:
        return UNSEEN[type(column.levels[0])] if cell == UNSEEN_CODE else column.levels[cell]
    if column.kind is Kind.BOOLEAN:
        return bool(cell)
    if column.kind is Kind.DATE:
        return date_of(cell)
    return datetime_of(cell, column.unit) if column.kind is Kind.DATETIME else cell


UNSEEN = {str: "Red", int: 99, float: 0.10000000000000002, datetime.date: datetime.date(2024, 3, 1)}


def expected(tree, table):
    """Nodes, answers, and shares or None, as the tree itself gives them."""
    nodes = tree.apply(table)
    shares = None if tree.classes is None else tree.fractions_at(nodes)
    return nodes, tree.answers_at(nodes), shares
