"""A tree as one SQL query over a table: all its columns, the leaf of each row, the answer, and if asked for the shares.

Each new column is one CASE expression, the tree with other things at its stops, which stands by itself: looking answers
up by leaf would make databases evaluate the tree again for every leaf. CASE is nested only into the smaller of two
subtrees (`export.ladder`), so that deep trees meet no limit of nesting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bristlecone.export.answers import Answers, answers_of, asked_columns, free_names, refuse_made_columns, tree_of
from bristlecone.export.dialects import Dialect, dialect_named
from bristlecone.export.ladder import REFUSED, Test, ladder
from bristlecone.export.sql_tests import SqlColumn, writable
from bristlecone.tree import Tree
from bristlecone.tree.names import probability_name

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
    "postgresql", "duckdb", "bigquery" or "snowflake". probabilities: also a column `probability_LABEL` a class, with a
    number behind it where that name is taken. leaf_id, prediction: names of the new columns. Numbers are compared as
    doubles, text by code point, NULL (and NaN where the database stores it) is missing. A row that the tree refuses
    gets NULL, since SQL cannot refuse it. In SQLite dates are text as Python's sqlite3 stores them, booleans 0 and 1;
    dates lie in the years 1 to 9999. Errors: ValueError for an unknown dialect, for a new column that bears the name of
    one that the tree knows, and for columns whose names differ by case only where the database takes them for one;
    TypeError naming the column and level, or the label, that SQL cannot write.
    """
    tree, spelling = tree_of(model), dialect_named(dialect)
    refuse_made_columns(tree, "SQL")
    answers = answers_of(tree, "SQL")
    places = [spelling.identifier(part) for part in ([table] if isinstance(table, str) else table)]
    _check_old_names(tree, spelling)
    _check_names(tree, [leaf_id, prediction])
    names = [leaf_id, prediction, *(_probability_names(tree, answers, (leaf_id, prediction)) if probabilities else [])]
    rungs = _rungs(tree, spelling)
    said = _at_stops(spelling, answers, probabilities)
    columns = [f"{_case(rungs, at)} AS {spelling.identifier(name)}" for name, at in zip(names, said, strict=True)]
    return f"SELECT source.*,\n  {_JOINED.join(columns)}\nFROM {'.'.join(places)} AS source\n"


_JOINED = ",\n  "


def _probability_names(tree: Tree, answers: Answers, others: tuple[str, ...]) -> list[str]:
    wanted = [writable(probability_name(label)) for label in answers.labels or ()]
    return free_names(wanted, (*tree.schema.names, *others))


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


def _rungs(tree: Tree, dialect: Dialect) -> list[tuple[int, str, int]]:
    """The ladder of a tree: depth, the condition of a test ("" at a stop), the stop."""
    columns = {j: SqlColumn(tree.schema.columns[j], dialect) for j in asked_columns(tree)}

    def condition(test: Test | None) -> str:
        return "" if test is None else columns[test.feature].condition(test)

    return [(rung.depth, condition(rung.test), rung.stop) for rung in ladder(tree)]


def _case(rungs: list[tuple[int, str, int]], at: Mapping[int, str]) -> str:
    """CASE from a ladder: a block of tests is a CASE, one that is only a stop is what stands `at` it."""
    lines = []
    waiting: str | None = ""  # what a block that begins stands after
    for depth, condition, stop in rungs:
        indent = "  " + "  " * depth
        if condition:
            if waiting is not None:
                lines.append(waiting + "CASE")
            waiting = f"{indent}  WHEN {condition} THEN "
            continue
        said = "NULL" if stop == REFUSED else at[stop]
        lines += [waiting + said] if waiting is not None else [f"{indent}  ELSE {said}", f"{indent}END"]
        waiting = None
    return "\n".join(lines)


def _at_stops(dialect: Dialect, answers: Answers, probabilities: bool) -> Iterator[Mapping[int, str]]:
    """What each new column says at the stops: the node, the answer, the share of each class."""
    yield {stop: str(stop) for stop in answers.stops}
    labels = answers.labels
    said = [dialect.number(a) if labels is None else _literal(dialect, labels[a]) for a in answers.answers]
    yield dict(zip(answers.stops, said, strict=True))
    shares = [dict(held) for held in answers.shares]
    for place in range(len(labels or ()) if probabilities else 0):
        given = (dialect.number(held.get(place, 0.0)) for held in shares)
        yield dict(zip(answers.stops, given, strict=True))


def _literal(dialect: Dialect, label: Any) -> str:
    if isinstance(label, bool):
        return str(label).upper()
    if isinstance(label, str):
        return dialect.text(writable(label))
    return dialect.number(label) if isinstance(label, float) else str(label)
