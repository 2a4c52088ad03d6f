"""A tree as rules, one line a stop: conditions, answer, rows behind it, the classes' shares. Each row fits one rule.

    2: income >= 29500.5 and purpose in {"car", "house"} -> "yes"  [811 of 1600 rows; "no" 0.0888, "yes" 0.9112]

number     the node of the tree.
rows       of the growing rows; ", of other levels" where the rule is for levels that none of them had there.
condition  one for each column asked about, all its questions merged: `a <= x < b`, `x in {...}`, `x not in {...}`,
           `x = true`, `x missing`, `x present`; `(... or x missing)` where a missing cell fits too; `all rows` where
           nothing is asked. Numbers are exact, text stands in quotes as in JSON, dates are ISO.
"""

import json
import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from bristlecone.export.answers import answers_of, tree_of
from bristlecone.table.schema import UNSEEN_CODE, ColumnSchema, Kind
from bristlecone.tree import Tree
from bristlecone.tree.boxes import Side, stops

__all__ = ["Rule", "rule_list", "rules"]

_WORDS = {"and", "or", "in", "not", "missing", "present", "true", "false", "all"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to an answer.

    node: where it ends. conditions: in words, one a column. answer: the label or value. n_rows: training rows there;
    of_rows: all of them. shares: class and share, classes of share 0 left out; empty in regression. stays: it ends at
    an inner node, for levels which that node does not know; n_rows are then those of the whole node, of other levels.
    """

    node: int
    conditions: tuple[str, ...]
    answer: Any
    n_rows: int
    of_rows: int
    shares: tuple[tuple[Any, float], ...]
    stays: bool = False

    def __str__(self) -> str:
        conditions = " and ".join(self.conditions) or "all rows"
        shares = ", ".join(f"{_literal(label)} {share!r}" for label, share in self.shares)
        support = f"{self.n_rows} of {self.of_rows} rows" + (", of other levels" if self.stays else "")
        support += f"; {shares}" if shares else ""
        return f"{self.node}: {conditions} -> {_literal(self.answer)}  [{support}]"


def rules(model: Any) -> str:
    """The tree as text, one rule a line, for people and for programs: read back, it gives the same answers.

    model: a Tree or a fitted estimator. Lines that begin with # say what is refused. Errors: TypeError naming a class
    label that is not text, a number or a boolean.
    """
    tree = tree_of(model)
    return "".join(f"{line}\n" for line in [*_refusals(tree), *map(str, rule_list(tree))])


def rule_list(model: Any) -> list[Rule]:
    """The rules of a tree, in the order of its nodes; leaves that no row can reach have none."""
    tree = tree_of(model)
    answers = answers_of(tree, "a rule")
    labels = answers.labels
    said = dict(zip(answers.stops, zip(answers.answers, answers.shares, strict=True), strict=True))
    found = []
    for node, box in stops(tree):
        answer, shares = said[node]
        found.append(
            Rule(
                node,
                tuple(_condition(tree.schema.columns[j], side) for j, side in box.items()),
                answer if labels is None else labels[answer],
                int(tree.n_node_samples[node]),
                int(tree.n_node_samples[0]),
                tuple((labels[place], share) for place, share in shares) if labels else (),
                stays=bool(tree.children_left[node] >= 0),
            )
        )
    return found


def _refusals(tree: Tree) -> list[str]:
    lines = []
    if tree.n_nodes > 1 and tree.missing == "error":
        lines.append("# A row that lacks a value it is asked for fits no rule.")
    if len(tree.level_code) and tree.unseen == "error":
        lines.append("# A row with a level that a question does not know fits no rule.")
    return lines


def _condition(column: ColumnSchema, side: Side) -> str:
    name = column.name if column.name.isidentifier() and column.name not in _WORDS else _text(column.name)
    if not side.some:
        return f"{name} missing"
    if side.levels is not None:
        said = _levels(column, side.levels, name)
    elif column.kind is Kind.BOOLEAN:
        said = f"{name} = {_literal(side.truths[0])}" if len(side.truths) == 1 else f"{name} present"
    else:
        said = _interval(column, side, name)
    return f"({said} or {name} missing)" if side.missing else said


def _levels(column: ColumnSchema, fitting: frozenset[int], name: str) -> str:
    others = UNSEEN_CODE in fitting
    listed = [level for code, level in enumerate(column.levels) if (code in fitting) != others]
    if not listed:
        return f"{name} present"
    return f"{name} {'not ' if others else ''}in {{{', '.join(map(_literal, listed))}}}"


def _interval(column: ColumnSchema, side: Side, name: str) -> str:
    low, high = (_bound(column, bound) for bound in (side.low, side.high))
    if low and high:
        return f"{low} <= {name} < {high}"
    return f"{name} >= {low}" if low else f"{name} < {high}" if high else f"{name} present"


def _bound(column: ColumnSchema, bound: float) -> str:
    if math.isinf(bound):
        return ""
    # Dates are whole counts, so x < t and x < ceil(t) are the same dates.
    return column.format(float(math.ceil(bound)) if column.kind in (Kind.DATE, Kind.DATETIME) else bound)


def _literal(value: Hashable) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    return value.isoformat() if hasattr(value, "isoformat") else repr(value)


def _text(value: str) -> str:
    """Text as JSON, on one line: what cannot be printed as an escape."""
    said = json.dumps(value, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in said)
