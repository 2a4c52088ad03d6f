"""A tree as one SQL query over a table: all its columns, the leaf of each row, the answer, and if asked for the shares.

The tree is one CASE expression, the column "leaf_id"; around it the answers are looked up by leaf. CASE is nested only
into the smaller of two subtrees (`export.ladder`), so that deep trees meet no limit of nesting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bristlecone.export.answers import Answers, answers_of, asked_columns, tree_of
from bristlecone.export.dialects import Dialect, dialect_named
from bristlecone.export.ladder import REFUSED, Rung, ladder
from bristlecone.export.sql_tests import SqlColumn, writable
from bristlecone.tree import Tree

__all__ = ["sql"]


def sql(
    model: Any,
    *,
    table: str | Sequence[str] = "data",
    dialect: str = "ansi",
    probabilities: bool = False,
    leaf_id: str = "leaf_id",
    prediction: str = "prediction",
) -> str:
    """The tree as a query: every column of `table`, the node where the row stops, and the answer.

    model: a Tree or a fitted estimator. table: its name, or the parts of a qualified one. dialect: "ansi", "sqlite",
    "postgresql", "duckdb", "bigquery" or "snowflake". probabilities: also a column `probability_LABEL` a class.
    leaf_id, prediction: names of the new columns. Numbers are compared as doubles, text by code point, NULL (and NaN
    where the database stores it) is missing. A row that the tree refuses gets NULL, since SQL cannot refuse it.
    In SQLite dates are text as Python's sqlite3 stores them, booleans 0 and 1; dates lie in the years 1 to 9999.
    Errors: ValueError for an unknown dialect, for a new column that bears the name of one that the tree knows, and for
    columns whose names differ by case only where the database takes them for one; TypeError naming the column and
    level, or the label, that SQL cannot write.
    """
    tree, spelling = tree_of(model), dialect_named(dialect)
    answers = answers_of(tree, "SQL")
    places = [spelling.identifier(part) for part in ([table] if isinstance(table, str) else table)]
    names = [leaf_id, prediction, *(_probability_names(answers) if probabilities else [])]
    _check_old_names(tree, spelling)
    _check_names(tree, names)
    leaf = spelling.identifier(leaf_id)
    looked_up = [_answer(spelling, answers, leaf)]
    if probabilities:
        looked_up += _shares(spelling, answers, leaf)
    columns = [f"{said} AS {spelling.identifier(name)}" for said, name in zip(looked_up, names[1:], strict=True)]
    inner = f"    SELECT source.*,\n{_case(tree, spelling)} AS {leaf}\n    FROM {'.'.join(places)} AS source"
    return "SELECT scored.*,\n  " + ",\n  ".join(columns) + f"\nFROM (\n{inner}\n) AS scored\n"


def _probability_names(answers: Answers) -> list[str]:
    return [f"probability_{label}" for label in answers.labels or ()]


def _check_old_names(tree: Tree, dialect: Dialect) -> None:
    """Refuse two columns that are one to a database which takes a and A for the same name."""
    seen: dict[str, str] = {}
    for name in (tree.schema.names[j] for j in asked_columns(tree)) if dialect.folds_case else ():
        if seen.setdefault(name.lower(), name) != name:
            raise ValueError(f"the columns {seen[name.lower()]!r} and {name!r} have one name in {dialect.name}")


def _check_names(tree: Tree, names: list[str]) -> None:
    taken = {name.lower() for name in tree.schema.names}
    for name in names:
        writable(name)
        if name.lower() in taken:
            raise ValueError(f"the query has two columns {name!r}; name the new ones by leaf_id= and prediction=")
        taken.add(name.lower())


def _case(tree: Tree, dialect: Dialect) -> str:
    columns = {j: SqlColumn(tree.schema.columns[j], dialect) for j in asked_columns(tree)}
    return "\n".join(_lines(tree, columns))


def _lines(tree: Tree, columns: dict[int, SqlColumn]) -> Iterator[str]:
    """CASE from a ladder: a block of tests is a CASE, one that is only a stop is the node's number."""
    waiting: str | None = "      "  # what a block that begins stands after
    for rung in ladder(tree):
        indent = "      " + "  " * rung.depth
        if rung.test is not None:
            if waiting is not None:
                yield waiting + "CASE"
            waiting = f"{indent}  WHEN {columns[rung.test.feature].condition(rung.test)} THEN "
            continue
        if waiting is not None:
            yield waiting + _stop(rung)
        else:
            yield f"{indent}  ELSE {_stop(rung)}"
            yield f"{indent}END"
        waiting = None


def _stop(rung: Rung) -> str:
    return "NULL" if rung.stop == REFUSED else str(rung.stop)


def _answer(dialect: Dialect, answers: Answers, leaf: str) -> str:
    if answers.labels is None:
        return _by_leaf(dialect, leaf, list(zip(answers.stops, answers.answers, strict=True)))
    labels = [_literal(dialect, label) for label in answers.labels]
    stops: dict[int, list[str]] = {}
    for stop, place in zip(answers.stops, answers.answers, strict=True):
        stops.setdefault(place, []).append(str(stop))
    arms = (f"    WHEN {leaf} IN ({', '.join(held)}) THEN {labels[place]}\n" for place, held in sorted(stops.items()))
    return f"CASE\n{''.join(arms)}  END"


def _shares(dialect: Dialect, answers: Answers, leaf: str) -> list[str]:
    by_class: list[list[tuple[int, float]]] = [[] for _ in answers.labels or ()]
    for stop, held in zip(answers.stops, answers.shares, strict=True):
        for place, share in held:
            by_class[place].append((stop, share))
    otherwise = f"\n    WHEN {leaf} IS NOT NULL THEN {dialect.number(0.0)}"
    return [_by_leaf(dialect, leaf, held, otherwise) for held in by_class]


def _by_leaf(dialect: Dialect, leaf: str, held: list[tuple[int, float]], otherwise: str = "") -> str:
    arms = "".join(f"\n    WHEN {leaf} = {stop} THEN {dialect.number(value)}" for stop, value in held)
    return f"CASE{arms}{otherwise}\n  END"


def _literal(dialect: Dialect, label: Any) -> str:
    if isinstance(label, bool):
        return str(label).upper()
    if isinstance(label, str):
        return dialect.text(writable(label))
    return dialect.number(label) if isinstance(label, float) else str(label)
