"""Whether an export, run, gives the tree's own answers: on rows, and on trials of every question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.export.answers import tree_of
from bristlecone.export.running import RUNNERS, Ran
from bristlecone.export.trials import nodes_of, trials
from bristlecone.table.columns import Table
from bristlecone.tree import Tree

__all__ = ["Check", "check"]


@dataclass(frozen=True, slots=True)
class Check:
    """What a check found.

    to: the format. by: what ran it. n_rows: rows of the data; n_trials: rows made for the tree's questions. differ: the
    places of rows, trials after the data, for which node, answer or shares are not the tree's.
    """

    to: str
    by: str
    n_rows: int
    n_trials: int
    differ: tuple[int, ...]

    def __str__(self) -> str:
        n = self.n_rows + self.n_trials
        said = "the tree's node and answer for all" if not self.differ else f"another answer for {len(self.differ):,}"
        made = f"{self.n_trials:,} made to try its questions: at thresholds, beside them, missing, unseen"
        return f"{self.to}, run by {self.by}, gives {said} of {n:,} rows ({self.n_rows:,} of the data, {made})"


def check(model: Any, X: Any, to: str, **options: Any) -> Check:
    """Run an export and compare it with the tree: nodes, answers and class shares, bit for bit.

    model: a Tree or a fitted estimator. X: array, frame or Table of at least one row, read by the tree's schema. to:
    "sql" (whose shares are left out where classes times leaves are more than 100,000), "python", "c", "javascript" or
    "onnx". options: `dialect` for sql, which is run in SQLite's spelling whatever
    it is; `dtype` for onnx, whose "float32" is compared on rows rounded to it.
    Errors: ValueError for another format and for no rows; CannotRun (a RuntimeError) where what would run the export is
    not here; those of the export.
    """
    if to not in RUNNERS:
        raise ValueError(f"to must be one of {', '.join(map(repr, RUNNERS))}, which can be run; got {to!r}")
    tree = tree_of(model)
    table = tree.schema.read(X)
    if table.n_rows == 0:
        raise ValueError("X has no rows to check with")
    tried = trials(tree, table)
    narrow = options.get("dtype") == "float32"
    rows = np.arange(tried.n_rows)
    if narrow:
        tried, rows = _rounded(tried)
    ran = RUNNERS[to](tree, tried, **options)
    differ = _differences(tree, tried, ran, np.float32 if narrow else np.float64)
    n_rows = int((rows < table.n_rows).sum())
    return Check(to, ran.by, n_rows, len(rows) - n_rows, tuple(rows[differ].tolist()))


def _rounded(table: Table) -> tuple[Table, npt.NDArray[np.intp]]:
    """Numbers as float32 holds them, and which rows these are: those beyond its range are left out."""
    with np.errstate(over="ignore"):
        columns = [v if v.dtype.kind == "i" else v.astype(np.float32).astype(np.float64) for v in table.columns]
    inside = np.flatnonzero(~np.any([np.isinf(values) for values in columns], axis=0))
    return Table(table.schema, [values[inside] for values in columns]), inside


def _differences(tree: Tree, table: Table, ran: Ran, kind: type[np.floating[Any]]) -> npt.NDArray[np.intp]:
    """The rows of a table for which an export answered something else."""
    nodes = nodes_of(tree, table)
    answered = np.array([node is not None for node in nodes])
    found = np.array([node is not None for node in ran.nodes])
    same = np.array([ours == theirs for ours, theirs in zip(nodes, ran.nodes, strict=True)], dtype=bool)
    both = np.flatnonzero(answered & found)
    stops = np.array([nodes[i] for i in both], dtype=np.intp)
    answers = tree.answers_at(stops)
    if tree.classes is None:
        answers = answers.astype(kind)
    same[both] &= [ours == ran.answers[i] for ours, i in zip(answers.tolist(), both.tolist(), strict=True)]
    if ran.shares is not None and len(both):
        theirs = np.array([ran.shares[i] for i in both], dtype=np.float64)
        same[both] &= (tree.fractions_at(stops).astype(kind) == theirs).all(axis=1)
    return np.flatnonzero(~same)
