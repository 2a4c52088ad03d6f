"""Exports run as their users would run them: SQL in SQLite, C compiled, JavaScript in Node, Python by itself, ONNX.

runner    takes a tree and a table, and returns for each row its node (None where refused), its answer, its shares.
"""

from __future__ import annotations

import datetime
import json
import pickle
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from bristlecone.export.answers import asked_columns, free_names, stops_of
from bristlecone.export.c import c
from bristlecone.export.dialects import dialect_named
from bristlecone.export.javascript import javascript
from bristlecone.export.onnx import onnx
from bristlecone.export.python import python
from bristlecone.export.sql import sql
from bristlecone.export.trials import cells_of
from bristlecone.table.columns import Table
from bristlecone.table.schema import Kind, Schema
from bristlecone.tree import Tree

__all__ = ["RUNNERS", "CannotRun", "Ran"]

MOST_SHARES = 100_000  # that a query says
COMPILERS = ("cc", "gcc", "clang")


class CannotRun(RuntimeError):
    """What an export needs in order to be run is not here; the message says what."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What an export answered: by what it was run, and a node, an answer and the shares of each row.

    nodes: None where the row was refused; the answer and the shares do not count there. shares: None in regression, and
    where they were not asked for.
    """

    by: str
    nodes: list[int | None]
    answers: list[Any]
    shares: list[list[float]] | None


def _of_rows(by: str, tree: Tree, rows: list[tuple[Any, ...]]) -> Ran:
    nodes, answers, shares = (list(part) for part in zip(*rows, strict=True)) if rows else ([], [], [])
    return Ran(by, nodes, answers, None if tree.classes is None else shares)


PYTHON = """
import pickle, runpy, sys
tree = runpy.run_path(sys.argv[1])
found = []
for row in pickle.load(sys.stdin.buffer):
    try:
        node = tree["apply"](row)
    except ValueError:
        found.append((None, None, None))
        continue
    shares = tree["predict_proba"](row) if "predict_proba" in tree else None
    found.append((node, tree["predict"](row), shares))
sys.stdout.buffer.write(pickle.dumps(found))
"""


def run_python(tree: Tree, table: Table) -> Ran:
    """The module in an interpreter of its own, which sees nothing of this library."""
    with _file("tree.py", python(tree)) as path:
        words = [sys.executable, "-I", "-S", "-c", PYTHON, str(path)]
        said = _said_by(words, pickle.dumps(cells_of(table)))
    return _of_rows("Python", tree, pickle.loads(said))


NODE = """
const tree = require(process.argv[1]);
const rows = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(rows.map((row) => {
    try {
        return [tree.apply(row), tree.predict(row), tree.predictProba ? tree.predictProba(row) : null];
    } catch (fault) {
        if (!(fault instanceof RangeError)) throw fault;
        return [null, null, null];
    }
})));
"""


def run_javascript(tree: Tree, table: Table) -> Ran:
    """The file as a module of Node."""
    node = shutil.which("node")
    if node is None:
        raise CannotRun("there is no node to run JavaScript")
    rows = [[_json_cell(cell) for cell in row] for row in cells_of(_counted(table))]
    with _file("tree.js", javascript(tree)) as path:
        said = _said_by([node, "-e", NODE, str(path)], json.dumps(rows).encode())
    return _of_rows("Node", tree, json.loads(said))


def _json_cell(cell: Any) -> Any:
    return cell.isoformat() if isinstance(cell, datetime.date) else cell


def _counted(table: Table) -> Table:
    """The same with dates as the counts that they are, which JSON can say."""
    columns = [replace(c, kind=Kind.NUMERIC, unit="") if c.unit else c for c in table.schema.columns]
    return Table(Schema(tuple(columns), table.schema.named), table.columns, table.n_rows)


C_MAIN = """
#include <stdio.h>
int main(void) {
    static double row[%(columns)d], out[%(classes)d];
    while (fread(row, sizeof *row, %(columns)d, stdin) == %(columns)d) {
        const double node = tree_apply(row);
        double answer = %(answer)s;
        fwrite(&node, sizeof node, 1, stdout);
        fwrite(&answer, sizeof answer, 1, stdout);
        %(shares)s
    }
    return 0;
}
"""


def run_c(tree: Tree, table: Table) -> Ran:
    """The file compiled with a main of its own that reads rows of doubles."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        raise CannotRun(f"there is no C compiler ({', '.join(COMPILERS)})")
    k = tree.n_classes
    main = {
        "columns": tree.n_features,
        "classes": max(1, k),
        "answer": "tree_predict(row)" if k else "(tree_predict(row, out), out[0])",
        "shares": f"tree_predict_proba(row, out); fwrite(out, sizeof *out, {k}, stdout);" if k else "",
    }
    with _file("tree.c", c(tree) + C_MAIN % main) as path:
        program = path.with_name("tree")
        _said_by([compiler, "-std=c99", "-O0", str(path), "-o", str(program)], b"")
        said = _said_by([str(program)], _coded(table).tobytes())
    found = np.frombuffer(said).reshape(table.n_rows, 2 + k)
    nodes = [None if node < 0 else int(node) for node in found[:, 0]]
    answers = found[:, 1].tolist() if tree.classes is None else [tree.classes[int(place)] for place in found[:, 1]]
    return Ran(f"a program compiled by {Path(compiler).name}", nodes, answers, found[:, 2:].tolist() if k else None)


def _coded(table: Table) -> Any:
    """The cells as doubles, (n_rows, n_columns): codes of levels, NaN where missing."""
    columns = zip(table.schema.columns, table.columns, strict=True)
    cells = [np.where(column.is_missing(values), np.nan, values) for column, values in columns]
    return np.ascontiguousarray(np.column_stack(cells), dtype=np.float64)


def run_sql(tree: Tree, table: Table, *, dialect: str = "sqlite") -> Ran:
    """The query in SQLite, over a table in memory; of another dialect, the same tree as SQLite spells it.

    Without shares where these would be too many for a query: each class is a CASE of all leaves.
    """
    spelling = dialect_named("sqlite")
    asked = asked_columns(tree)  # others need not be in the table, which could not hold names that differ by case only
    held = [tree.schema.names[j] for j in asked]
    place, leaf_id, prediction = free_names(["row", "leaf_id", "prediction"], tree.schema.names)
    names = ", ".join(map(spelling.identifier, (place, *held)))
    database = sqlite3.connect(":memory:")
    try:
        # Columns without a type hold what they are given, as it is.
        database.execute(f"CREATE TABLE data ({names})")
        marks = ", ".join("?" * (1 + len(asked)))
        rows = ([i, *(_sqlite_cell(row[j]) for j in asked)] for i, row in enumerate(cells_of(table)))
        database.executemany(f"INSERT INTO data VALUES ({marks})", rows)
        shares = tree.n_classes * len(stops_of(tree)) <= MOST_SHARES
        query = sql(tree, dialect="sqlite", probabilities=shares, leaf_id=leaf_id, prediction=prediction)
        found = sorted(database.execute(query), key=itemgetter(0))
    except sqlite3.Error as fault:
        raise CannotRun(f"SQLite cannot hold these rows: {fault}") from fault
    finally:
        database.close()
    new = (row[1 + len(asked) :] for row in found)
    by = "SQLite" + ("" if dialect == "sqlite" else f" (as it is spelt there, not in {dialect})")
    ran = _of_rows(by, tree, [(node, said, given) for node, said, *given in new])
    return ran if shares else replace(ran, shares=None)


def _sqlite_cell(cell: Any) -> Any:
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(" ")
    return cell.isoformat() if isinstance(cell, datetime.date) else cell


def run_onnx(tree: Tree, table: Table, *, dtype: Any = "float64") -> Ran:
    """The model in onnxruntime; for a float32 model the cells are rounded first."""
    try:
        import onnxruntime
    except ImportError:
        raise CannotRun("onnxruntime is not installed") from None
    session = onnxruntime.InferenceSession(onnx(tree, dtype=dtype).SerializeToString())
    names = [output.name for output in session.get_outputs()]
    found = dict(zip(names, session.run(names, {"X": _coded(table).astype(dtype)}), strict=True))
    by = "onnxruntime"
    if tree.classes is None:
        return Ran(by, found["leaf_id"].tolist(), found["variable"][:, 0].tolist(), None)
    return Ran(by, found["leaf_id"].tolist(), found["label"].tolist(), found["probabilities"].tolist())


def _said_by(words: list[str], given: bytes) -> bytes:
    done = subprocess.run(words, input=given, capture_output=True, check=False)
    if done.returncode != 0:
        raise CannotRun(f"{Path(words[0]).name} failed: {done.stderr.decode(errors='replace').strip()[-500:]}")
    return done.stdout


@contextmanager
def _file(name: str, content: str) -> Iterator[Path]:
    """A file in a folder of its own, for the time of a block."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(content, encoding="utf-8")
        yield path


RUNNERS: dict[str, Callable[..., Ran]] = {
    "sql": run_sql,
    "python": run_python,
    "c": run_c,
    "javascript": run_javascript,
    "onnx": run_onnx,
}
