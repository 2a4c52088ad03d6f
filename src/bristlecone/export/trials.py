"""Rows that try every question of a tree: cells at each threshold and beside it, missing, of every kind of level.

trial    a row of the data that passes a node, with one cell put in place of its own: one that the node's question
         turns on. Where no row passes a node, any row is taken.
fresh    a value that no level of a column equals, of the levels' own type.
"""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.table.columns import Table, cell_of
from bristlecone.table.schema import MISSING_CODE, UNSEEN_CODE, ColumnSchema, Kind
from bristlecone.tree import Tree

__all__ = ["cells_of", "nodes_of", "trials"]

FARTHEST = {Kind.DATE: 700_000.0, Kind.DATETIME: 2.0**53}  # counts that are dates of Python's calendar, and exact
LEVELS_A_NODE = 20


def trials(tree: Tree, table: Table) -> Table:
    """The rows of a table, and after them the trials of a tree; numbers as float64."""
    passing = _rows_passing(tree, table)
    row, feature, cell = [], [], []
    for node in np.flatnonzero(tree.children_left >= 0).tolist():
        for tried in _cells(tree, node):
            row.append(passing[node])
            feature.append(int(tree.feature[node]))
            cell.append(tried)
    base = np.concatenate([np.arange(table.n_rows), np.array(row, dtype=np.intp)])
    changed, where = np.array(feature, dtype=np.intp), np.array(cell, dtype=np.float64)
    columns = []
    for j, values in enumerate(table.columns):
        kind = np.int32 if tree.schema.columns[j].categorical else np.float64
        taken = values.astype(kind)[base]
        taken[table.n_rows :][changed == j] = where[changed == j].astype(kind)
        columns.append(taken)
    return Table(tree.schema, columns, len(base))


def _rows_passing(tree: Tree, table: Table) -> npt.NDArray[np.intp]:
    """A row that passes each node, (n_nodes,); rows that the tree refuses pass none."""
    stops = np.array([-1 if node is None else node for node in nodes_of(tree, table)])
    order = np.argsort(stops, kind="stable")
    # The nodes below a node follow it: the first stop not before it is below it, or nothing is.
    place = np.searchsorted(stops[order], np.arange(tree.n_nodes))
    found = order[np.minimum(place, table.n_rows - 1)]
    return np.where(stops[found] < tree.subtree_end, found, order[-1])


def nodes_of(tree: Tree, table: Table) -> list[int | None]:
    """Where each row stops; None for one that the tree refuses."""
    if tree.missing != "error" and tree.unseen != "error":
        nodes: list[int | None] = tree.apply(table).tolist()
        return nodes
    return [_node_of(tree, table, i) for i in range(table.n_rows)]


def _node_of(tree: Tree, table: Table, row: int) -> int | None:
    try:
        return int(tree.apply(table.take([row]))[0])
    except ValueError:
        return None


def _cells(tree: Tree, node: int) -> list[float]:
    column = tree.schema.columns[tree.feature[node]]
    if column.categorical:
        levels = list(range(min(len(column.levels), LEVELS_A_NODE)))
        return [*levels, MISSING_CODE, *([] if fresh(column) is None else [UNSEEN_CODE])]
    threshold = float(tree.threshold[node])
    if column.kind is Kind.BOOLEAN:
        return [0.0, 1.0, math.nan]
    if math.isinf(threshold):
        return [0.0, math.nan]
    if column.kind is Kind.NUMERIC:
        beside = [math.nextafter(threshold, -math.inf), threshold, math.nextafter(threshold, math.inf)]
        return [x for x in beside if math.isfinite(x)] + [math.nan]
    first = math.ceil(threshold)
    return [float(x) for x in (first - 1, first, first + 1) if abs(x) < FARTHEST[column.kind]] + [math.nan]


def cells_of(table: Table) -> list[list[Any]]:
    """The cells of each row as people write them: None where missing, a fresh value for an unknown level."""
    columns = []
    for column, values in zip(table.schema.columns, table.columns, strict=True):
        unseen = fresh(column) if column.categorical else None
        unknown = (column.categorical & (values == UNSEEN_CODE)).tolist()
        cells = zip(values.tolist(), unknown, strict=True)
        columns.append([unseen if replaced else cell_of(column, value) for value, replaced in cells])
    return [list(row) for row in zip(*columns, strict=True)]


def fresh(column: ColumnSchema) -> Any:
    """A value that is no level of a category, of a type that its levels have; None where there is none."""
    levels = set(column.levels)
    if all(isinstance(level, bool) for level in levels):
        return next((value for value in (False, True) if value not in levels), None)
    if all(isinstance(level, int | float) for level in levels):
        return next(value for value in range(len(levels) + 1) if value not in levels)
    dates = [level for level in levels if isinstance(level, datetime.date)]
    if len(dates) == len(levels):
        days = (min(dates) + datetime.timedelta(days=day) for day in range(len(levels) + 1))
        return next((day for day in days if day not in levels), None)
    return next(text for text in (f"unseen {i}" for i in range(len(levels) + 1)) if text not in levels)
