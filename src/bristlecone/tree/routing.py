"""Rows to nodes: the one traversal, and what it says when a rule refuses a row."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bristlecone import _core
from bristlecone.table.schema import UNSEEN_CODE
from bristlecone.tree.arrays import Ints
from bristlecone.tree.layout import spread
from bristlecone.tree.rows import Rows

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree

ROUTED = (
    "children_left",
    "children_right",
    "feature",
    "threshold",
    "missing_go_to_left",
    "heavier_left",
    "level_ptr",
    "level_code",
    "level_left",
)


@dataclass(frozen=True, slots=True)
class Routing:
    """Where rows stop.

    nodes: (n_rows,) leaves, or the inner node at which an unknown level stops the walk.
    n_unseen: how many rows met a level that a node on their way does not know, whatever the tree does with them.
    """

    nodes: npt.NDArray[np.intp]
    n_unseen: int


def make_router(tree: "Tree") -> _core.Router:
    """The compiled walk over a tree's arrays; ValueError when they are not those of one tree."""
    return _core.Router({name: getattr(tree, name) for name in ROUTED}, len(tree.schema))


def route(tree: "Tree", router: _core.Router, table: Rows, n_threads: int, first_row: int = 0) -> Routing:
    """Send each row of a table down; ValueError naming row and column when the tree refuses one.

    first_row: the number of the table's first row, where the table is a part of what the caller has.
    """
    nodes, n_unseen, row, column, infinite = router.apply(
        table.core, tree.unseen, tree.missing == "error", table.unchecked, n_threads
    )
    if table.unchecked and infinite:
        table.refuse_infinite()
    if row >= 0:
        raise ValueError(f"row {first_row + row}, {_refusal(table, row, column)}")
    return Routing(nodes.astype(np.intp, copy=False), n_unseen)


def _refusal(table: Rows, row: int, column: int) -> str:
    schema = table.schema.columns[column]
    cell = table.columns[column][row].item()
    where = f"column {schema.name!r}"
    if schema.is_missing(cell):
        return f"{where}: the value is missing, and this tree refuses missing values (missing='error')"
    if cell == UNSEEN_CODE:
        level, where_not = table.row(row)[schema.name], "in training"
    else:
        level, where_not = schema.levels[cell], "in training at the node that asks for it"
    return f"{where}: {level!r} did not occur {where_not}, and this tree refuses such levels (unseen='error')"


def paths(nodes: Ints, parent: Ints, depth: Ints) -> sparse.csr_matrix:
    """The nodes from the root to each given node, a sparse matrix of ones, (len(nodes), n_nodes)."""
    stops, row_stop = np.unique(nodes, return_inverse=True)
    end = np.cumsum(depth[stops] + 1)
    start = end - depth[stops] - 1
    visited = np.empty(int(end[-1]) if len(end) else 0, dtype=np.int64)
    at: Ints = stops
    place = end - 1
    while len(at):
        visited[place] = at
        going_up = parent[at] >= 0
        at, place = parent[at[going_up]], place[going_up] - 1
    indices = visited[spread(start[row_stop], end[row_stop])]
    indptr = np.concatenate([[0], np.cumsum(depth[nodes] + 1)])
    ones = np.ones(len(indices), dtype=np.int64)
    return sparse.csr_matrix((ones, indices, indptr), shape=(len(nodes), len(parent)))
