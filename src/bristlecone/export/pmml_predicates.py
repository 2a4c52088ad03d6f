"""What PMML says of one column: its field, and the predicates of the two children of a node that asks about it.

unknown   what a predicate says of a missing cell, unless it asks for just that; then the default child takes the row.
"""

from __future__ import annotations

import datetime
import math
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from bristlecone.export.level_text import first_instant, level_family
from bristlecone.table.dates import MICROSECONDS_UTC
from bristlecone.table.schema import Kind
from bristlecone.tree import Tree

__all__ = ["ENTITIES", "PmmlColumn"]

ENTITIES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_TYPES = {
    "text": ("string", "string"),
    "whole": ("integer", "int"),
    "number": ("double", "real"),
    "boolean": ("boolean", "string"),
    "date": ("date", "string"),
    "datetime": ("dateTime", "string"),
}
LAST_DAY, LAST_INSTANT = "9999-12-31", "9999-12-31T23:59:59.999999"


class PmmlColumn:
    """One column of a tree. Raises TypeError naming it, and ValueError, for what PMML cannot say of it."""

    def __init__(self, tree: Tree, feature: int) -> None:
        self.tree, self.column = tree, tree.schema.columns[feature]
        self.name = self.column.name
        if self.column.unit == MICROSECONDS_UTC:
            raise TypeError(f"column {self.name!r}: PMML has no datetimes in UTC")
        self.family = level_family(self.column, "PMML") if self.column.categorical else ""
        if self.family == "datetime in UTC":
            raise TypeError(f"column {self.name!r}: PMML has no datetimes in UTC")
        self.field = quoteattr(self.name, ENTITIES)
        self.levels = [self._level(level) for level in self.column.levels]

    def _level(self, level: Any) -> str:
        if isinstance(level, bool):
            return "true" if level else "false"
        if isinstance(level, datetime.date):
            return level.isoformat()
        return level if isinstance(level, str) else repr(level)

    def data_field(self) -> str:
        """The field's element for the data dictionary."""
        kind = self.column.kind
        if kind is Kind.CATEGORY:
            values = "".join(f"<Value value={quoteattr(level, ENTITIES)}/>" for level in self.levels)
            said = f'optype="categorical" dataType="{_TYPES[self.family][0]}"'
            return f"<DataField name={self.field} {said}>{values}</DataField>"
        said = {
            Kind.NUMERIC: 'optype="continuous" dataType="double"',
            Kind.BOOLEAN: 'optype="categorical" dataType="boolean"',
            Kind.DATE: 'optype="ordinal" dataType="date"',
            Kind.DATETIME: 'optype="ordinal" dataType="dateTime"',
        }[kind]
        return f"<DataField name={self.field} {said}/>"

    def predicates(self, node: int) -> tuple[str, str]:
        """The predicates of the left and the right child of a node."""
        threshold = float(self.tree.threshold[node])
        if self.column.categorical:
            return self._of_levels(node)
        if threshold == math.inf:
            return self._set("isNotIn", []), self._set("isIn", [])
        if self.column.kind is Kind.BOOLEAN:
            passing = [said for value, said in ((0.0, "false"), (1.0, "true")) if value < threshold]
            if not passing:
                return self._set("isNotIn", ["false", "true"]), self._set("isIn", ["false", "true"])
            return self._set("isIn", passing), self._set("isNotIn", passing)
        said = repr(threshold) if self.column.kind is Kind.NUMERIC else self._instant(threshold)
        if said is None:
            last = LAST_DAY if self.column.kind is Kind.DATE else LAST_INSTANT
            sides = self._simple("lessOrEqual", last), self._simple("greaterThan", last)
            return sides if threshold > 0 else sides[::-1]
        return self._simple("lessThan", said), self._simple("greaterOrEqual", said)

    def _instant(self, threshold: float) -> str | None:
        found = first_instant(self.column.unit, threshold)
        if found is None:
            return None
        return found.date().isoformat() if self.column.kind is Kind.DATE else found.isoformat()

    def _of_levels(self, node: int) -> tuple[str, str]:
        tree = self.tree
        entries = slice(tree.level_ptr[node], tree.level_ptr[node + 1])
        known = list(zip(tree.level_code[entries].tolist(), tree.level_left[entries].tolist(), strict=True))
        left, right = ([self.levels[code] for code, side in known if side == wanted] for wanted in (1, 0))
        follows_left = tree.unseen == "heavier" and bool(tree.heavier_left[node])
        follows_right = tree.unseen == "heavier" and not follows_left
        return self._side(left, right, follows_left), self._side(right, left, follows_right)

    def _side(self, own: list[str], others: list[str], follows: bool) -> str:
        """The predicate of a child that takes its own levels, or all but the other child's."""
        return self._set("isNotIn", others) if follows else self._set("isIn", own)

    def _simple(self, operator: str, value: str | None = None) -> str:
        said = "" if value is None else f" value={quoteattr(value, ENTITIES)}"
        return f'<SimplePredicate field={self.field} operator="{operator}"{said}/>'

    def _set(self, operator: str, values: list[str]) -> str:
        if not values:  # only a missing cell, or all others
            if self.tree.missing == "error":
                raise ValueError(f"PMML cannot refuse a missing cell where {self.name!r} is asked whether it is there")
            return self._simple("isMissing" if operator == "isIn" else "isNotMissing")
        if any("\\" in value for value in values):  # before a quote in an array it would read as an escape
            inside = operator == "isIn"
            each = "".join(self._simple("equal" if inside else "notEqual", value) for value in values)
            joined = f'<CompoundPredicate booleanOperator="{"or" if inside else "and"}">{each}</CompoundPredicate>'
            return each if len(values) == 1 else joined
        kind = _TYPES[self.family][1] if self.family else "string"
        said = " ".join(_quoted(value) if kind == "string" else value for value in values)
        array = f'<Array type="{kind}" n="{len(values)}">{escape(said, ENTITIES)}</Array>'
        return f'<SimpleSetPredicate field={self.field} booleanOperator="{operator}">{array}</SimpleSetPredicate>'


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'
