"""A tree as a Python module that needs nothing but Python.

number     a cell of a column of numbers, as float; None and NaN are missing. Booleans are 0 and 1, dates and datetimes
           the counts that the tree compares (docs/model-format.md), made from the objects of `datetime`.
level      a cell of a category, compared by `==` as everywhere in Python: 1 and 1.0 are one level, 1 and "1" are two.
"""

import datetime
from collections.abc import Hashable
from typing import Any

from bristlecone.export.answers import Answers, answers_of, asked_columns, refuse_made_columns, tree_of
from bristlecone.export.blocks import block_lines, listed
from bristlecone.export.ladder import REFUSED, Asks, Rung, Test
from bristlecone.table.schema import ColumnSchema, Kind
from bristlecone.tree import Tree

__all__ = ["python"]

HEAD = '''\
"""A decision tree. Rows are sequences of all columns in the order of COLUMNS, or mappings from their names.

apply(row) gives the node where a row stops, predict(row) the answer{proba}.
"""

import datetime
import math

COLUMNS = {columns}
'''

CELLS = """

def _cell(row, place):
    return row[COLUMNS[place]] if hasattr(row, "keys") else row[place]


def _number(cell):
    return math.nan if cell is None else float(cell)


def _days(cell):
    return cell.toordinal() - 719163 if isinstance(cell, datetime.date) else _number(cell)


def _microseconds(cell):
    if not isinstance(cell, datetime.datetime):
        return _number(cell)
    if cell.tzinfo is not None:
        cell = cell.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return float((cell - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1))


def _level(cell):
    return None if cell is None or cell != cell else cell


def _refuse(place):
    raise ValueError(f"column {COLUMNS[place]!r}: the tree refuses this cell, missing or of an unknown level")


def apply(row):
"""

CLASSES = """

def predict(row):
    return CLASSES[ANSWERS[apply(row)]]


def predict_proba(row):
    shares = [0.0] * len(CLASSES)
    for place, share in SHARES[apply(row)].items():
        shares[place] = share
    return shares
"""

VALUES = """

def predict(row):
    return ANSWERS[apply(row)]
"""

_READ = {Kind.DATE: "_days", Kind.DATETIME: "_microseconds", Kind.CATEGORY: "_level"}


def python(model: Any) -> str:
    """The tree as the source of a Python module with `apply(row)`, `predict(row)` and `predict_proba(row)`.

    model: a Tree or a fitted estimator. The module imports the standard library only and answers as the model does,
    missing cells and unknown levels included; a row that the tree refuses raises ValueError.
    Errors: TypeError naming a class label or a level that has no plain Python literal.
    """
    tree = tree_of(model)
    refuse_made_columns(tree, "Python")
    answers = answers_of(tree, "Python")
    proba = "" if answers.labels is None else ",\npredict_proba(row) the shares of CLASSES"
    head = HEAD.format(proba=proba, columns=listed(map(ascii, tree.schema.names)))
    return head + _tables(answers) + CELLS + _walk(tree) + (VALUES if answers.labels is None else CLASSES)


def _tables(answers: Answers) -> str:
    pairs = zip(answers.stops, answers.answers, strict=True)
    said = f"ANSWERS = {listed((f'{stop}: {answer!r}' for stop, answer in pairs), '{}')}\n"
    if answers.labels is None:
        return said
    shares = (f"{stop}: {dict(held)!r}" for stop, held in zip(answers.stops, answers.shares, strict=True))
    return f"CLASSES = {listed(map(_literal, answers.labels))}\n{said}SHARES = {listed(shares, '{}')}\n"


def _walk(tree: Tree) -> str:
    asked = asked_columns(tree)
    columns = tree.schema.columns
    reads = [f"    c{j} = {_READ.get(columns[j].kind, '_number')}(_cell(row, {j}))" for j in asked]

    def said(test: Test) -> str:
        return _test(test, columns[test.feature])

    body = block_lines(tree, said, _stop, opens="if {}:", closes="")
    return "\n".join([*reads, *body]) + "\n"


def _stop(rung: Rung) -> str:
    return f"_refuse({rung.refuses})" if rung.stop == REFUSED else f"return {rung.stop}"


def _test(test: Test, column: ColumnSchema) -> str:
    cell = f"c{test.feature}"
    if column.categorical:
        return _level_test(test, column, cell)
    match test.asks:  # NaN is neither below nor at least: a `not` lets it pass
        case Asks.BELOW:
            return f"not {cell} >= {test.threshold!r}" if test.missing else f"{cell} < {test.threshold!r}"
        case Asks.AT_LEAST:
            return f"not {cell} < {test.threshold!r}" if test.missing else f"{cell} >= {test.threshold!r}"
    return f"{cell} {'==' if test.asks is Asks.PRESENT else '!='} {cell}"


def _level_test(test: Test, column: ColumnSchema, cell: str) -> str:
    if not test.codes:
        return f"{cell} is {'not ' if test.asks is Asks.PRESENT else ''}None"
    levels = "{" + ", ".join(_level_literal(column, code) for code in test.codes) + "}"
    if test.asks is Asks.ONE_OF:
        return (f"{cell} is None or " if test.missing else "") + f"{cell} in {levels}"
    return ("" if test.missing else f"{cell} is not None and ") + f"{cell} not in {levels}"


def _level_literal(column: ColumnSchema, code: int) -> str:
    level: Hashable = column.levels[code]
    if type(level) is datetime.date or (type(level) is datetime.datetime and level.tzinfo in (None, datetime.UTC)):
        return repr(level)
    if type(level) in (str, int, bool, float):
        return _literal(level)
    raise TypeError(f"column {column.name!r}: Python has no literal for the level {level!r} ({type(level).__name__})")


def _literal(value: Any) -> str:
    said = ascii(value)
    return f'float("{said}")' if said in ("inf", "-inf") else said
