"""`explain -o`: for every row of a file the answer, the reasons for it, and what would change it, as a file.

reason      what the row's node asks of one column, in words; first the column that adds most to the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.table import Table
from bristlecone.tree import Tree
from bristlecone.tree.boxes import boxes, words
from bristlecone.tree.contributions import at_nodes
from bristlecone.tree.nearest import flips, unmet

if TYPE_CHECKING:
    import polars as pl

REASONS = 4


def reasons_frame(tree: Tree, table: Table) -> pl.DataFrame:
    """Return a line a row: row (from 1), prediction, probability, leaf, reason_1, ..., nearest answer and change."""
    import polars as pl

    nodes = tree.apply(table)
    stops, place = np.unique(nodes, return_inverse=True)
    columns: dict[str, Any] = {"row": np.arange(1, table.n_rows + 1), "prediction": tree.answers_at(nodes).tolist()}
    if tree.classes is not None:
        shares = tree.fractions_at(stops)[np.arange(len(stops)), tree.label[stops]]
        columns["probability"] = shares[place]
    columns["leaf"] = nodes
    reasons = _reasons(tree, stops)
    for k in range(REASONS):
        told = np.array([given[k] if k < len(given) else None for given in reasons], dtype=object)
        columns[f"reason_{k + 1}"] = pl.Series(told[place].tolist(), dtype=pl.String)
    if tree.classes is not None:
        leaf = flips(tree, table, nodes)
        other = [None if at < 0 else answer for at, answer in zip(leaf, tree.answers_at(leaf).tolist(), strict=True)]
        columns["nearest_answer"] = other
        columns["nearest_change"] = pl.Series(unmet(tree, table, leaf), dtype=pl.String)
    return pl.DataFrame(columns)


def _reasons(tree: Tree, stops: NDArray[Any]) -> list[list[str]]:
    """What each of some nodes asks of its columns, first what adds most to the answer, or moves a number most."""
    added = at_nodes(tree, stops)
    if tree.classes is None:
        weight = np.abs(added[:, :, 0])
    else:
        weight = np.take_along_axis(added, tree.label[stops][:, None, None].astype(np.intp), axis=2)[:, :, 0]
    wanted = set(stops.tolist())
    every = {node: box for node, box in boxes(tree) if node in wanted}
    found = []
    for stop, of_columns in zip(stops.tolist(), weight, strict=True):
        asked = dict(zip(every[stop], words(tree, every[stop]), strict=True))
        order = sorted(asked, key=lambda column: -float(of_columns[column]))
        found.append([asked[column] for column in order[:REASONS]])
    return found
