"""A tree as a JavaScript module without dependencies, for browsers and Node.

number     a cell of a column of numbers; null, undefined and NaN are missing. Booleans are 0 and 1, dates and datetimes
           the counts that the tree compares (docs/model-format.md); a Date is taken as its UTC instant.
level      a cell of a category, compared as Map keys are: 1 and "1" are two levels. Dates are ISO text.
"""

import json
import math
from typing import Any

from bristlecone.export.answers import Answers, answers_of, asked_columns, refuse_made_columns, tree_of
from bristlecone.export.blocks import block_lines, listed
from bristlecone.export.ladder import REFUSED, Asks, Rung, Test
from bristlecone.export.level_text import LARGEST_WHOLE, plain_levels
from bristlecone.table.schema import ColumnSchema, Kind
from bristlecone.tree import Tree

__all__ = ["javascript"]

HEAD = """\
// A decision tree. Rows are arrays of all columns in the order of COLUMNS, or objects with their names as keys.
// apply(row) gives the node where a row stops, predict(row) the answer%s.
"use strict";

"""

CELLS = """
function cellOf(row, place) {
    const name = Array.isArray(row) ? place : COLUMNS[place];
    // Every object has a "constructor": only one of its own is a cell.
    return name in Object.prototype && !Object.prototype.hasOwnProperty.call(row, name) ? undefined : row[name];
}

function numberOf(cell, times, per) {
    if (cell === null || cell === undefined) return NaN;
    if (cell instanceof Date) return Math.floor(cell.getTime() * times / per);
    if (typeof cell === "string") throw new TypeError("a number was expected, not the text " + JSON.stringify(cell));
    return Number(cell);
}

function levelOf(cell) {
    return cell === undefined || Number.isNaN(cell) ? null : cell;
}

function refuse(place) {
    throw new RangeError("column " + COLUMNS[place] + ": the tree refuses this cell, missing or of an unknown level");
}

function apply(row) {
"""

CLASSES = """}

function predict(row) {
    return CLASSES[ANSWERS[apply(row)]];
}

function predictProba(row) {
    const shares = new Array(CLASSES.length).fill(0);
    for (const [place, share] of SHARES[apply(row)]) shares[place] = share;
    return shares;
}

if (typeof module !== "undefined") module.exports = { COLUMNS, CLASSES, apply, predict, predictProba };
"""

VALUES = """}

function predict(row) {
    return ANSWERS[apply(row)];
}

if (typeof module !== "undefined") module.exports = { COLUMNS, apply, predict };
"""


def javascript(model: Any) -> str:
    """The tree as JavaScript source with `apply(row)`, `predict(row)` and `predictProba(row)`; ECMAScript 2015.

    model: a Tree or a fitted estimator. Answers as the model does, missing cells and unknown levels included; a row
    that the tree refuses throws RangeError. A column of levels that are numbers and booleans keeps them apart.
    Errors: TypeError naming a class label or level that JavaScript cannot write (whole numbers beyond 2**53, and types
    other than text, number, boolean and date).
    """
    tree = tree_of(model)
    refuse_made_columns(tree, "JavaScript")
    answers = answers_of(tree, "JavaScript")
    proba = "" if answers.labels is None else ", predictProba(row) the shares of CLASSES"
    head = HEAD % proba + f"const COLUMNS = {listed(map(_literal, tree.schema.names))};\n"
    return head + _tables(answers) + CELLS + _walk(tree) + (VALUES if answers.labels is None else CLASSES)


def _tables(answers: Answers) -> str:
    pairs = zip(answers.stops, answers.answers, strict=True)
    said = f"const ANSWERS = {listed((f'{stop}: {answer!r}' for stop, answer in pairs), '{}')};\n"
    if answers.labels is None:
        return said
    for label in answers.labels:
        if type(label) is int and abs(label) > LARGEST_WHOLE:
            raise TypeError(f"JavaScript cannot write the class label {label} exactly")
    shares = (
        f"{stop}: [{', '.join(f'[{place}, {share!r}]' for place, share in held)}]"
        for stop, held in zip(answers.stops, answers.shares, strict=True)
    )
    labels = listed(map(_literal, answers.labels))
    return f"const CLASSES = {labels};\n{said}const SHARES = {listed(shares, '{}')};\n"


def _walk(tree: Tree) -> str:
    asked = asked_columns(tree)
    columns = tree.schema.columns
    levels = {j: plain_levels(columns[j], "JavaScript") for j in asked if columns[j].categorical}
    reads = [f"    const c{j} = {_read(columns[j], j)};" for j in asked]

    def said(test: Test) -> str:
        return _test(test, levels.get(test.feature))

    body = block_lines(tree, said, _stop, opens="if ({}) {{", closes="}")
    return "\n".join([*reads, *body]) + "\n"


def _read(column: ColumnSchema, place: int) -> str:
    if column.categorical:
        return f"levelOf(cellOf(row, {place}))"
    from_milliseconds = {Kind.DATE: "1, 86400000", Kind.DATETIME: "1000, 1"}.get(column.kind, "1, 1")
    return f"numberOf(cellOf(row, {place}), {from_milliseconds})"


def _stop(rung: Rung) -> str:
    return f"refuse({rung.refuses});" if rung.stop == REFUSED else f"return {rung.stop};"


def _test(test: Test, levels: list[Any] | None) -> str:
    cell = f"c{test.feature}"
    if levels is not None:
        return _level_test(test, levels, cell)
    match test.asks:  # NaN is neither below nor at least: a negation lets it pass
        case Asks.BELOW:
            return f"!({cell} >= {test.threshold!r})" if test.missing else f"{cell} < {test.threshold!r}"
        case Asks.AT_LEAST:
            return f"!({cell} < {test.threshold!r})" if test.missing else f"{cell} >= {test.threshold!r}"
    return f"{'!' * (test.asks is Asks.PRESENT)}Number.isNaN({cell})"


def _level_test(test: Test, levels: list[Any], cell: str) -> str:
    if not test.codes:
        return f"{cell} {'!==' if test.asks is Asks.PRESENT else '==='} null"
    known = f"[{', '.join(_literal(levels[code]) for code in test.codes)}].includes({cell})"
    if test.asks is Asks.ONE_OF:
        return (f"{cell} === null || " if test.missing else "") + known
    return ("" if test.missing else f"{cell} !== null && ") + "!" + known


def _literal(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "Infinity" if value > 0 else "-Infinity"
    # The source may stand inside a page, where "</script>" would end it.
    return json.dumps(value, ensure_ascii=True).replace("<", "\\u003c")
