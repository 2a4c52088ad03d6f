"""A tree put together again from its splits, or from its rules.

shape     of a full binary tree, by the numbers of its leaves in pre-order: a node with none has children.
hull      of a branch and a column, all cells of it that lead into the branch.
question  of an inner node, the one column whose cells the two hulls share out. Every other column that is asked about
          below has the same hull on both sides, for each branch takes all that comes to the node.

Of rules, the tree must ask nothing in vain: each side of each question gets some cell, each level named can come.
"""

import math
from dataclasses import dataclass

from reference.rules import Passes, read_rules
from strategies_tree import Split

from bristlecone.table.dates import days_of, microseconds_of
from bristlecone.table.schema import Kind

OTHERS = object()  # stands for all levels that no question names


@dataclass
class Hull:
    """Cells of one column. levels: a set, OTHERS among them, or None of numbers."""

    low: float = math.inf
    high: float = -math.inf
    levels: frozenset | None = None
    missing: bool = False

    @property
    def some(self):
        return bool(self.levels) if self.levels is not None else self.low < self.high

    def __or__(self, other):
        levels = None if self.levels is None else self.levels | other.levels
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Hull(low, high, levels, self.missing or other.missing)

    def shares_out(self, other):
        """Whether no cell is in both."""
        if self.missing and other.missing:
            return False
        if self.levels is not None:
            return not self.levels & other.levels
        return not (self.some and other.some) or self.high <= other.low


def hull_of(test, column):
    """The cells that pass a test, or all of them where the rule has none (None)."""
    test = test or Passes(missing=True)
    if not test.present:
        return Hull(levels=frozenset() if column.categorical else None, missing=test.missing)
    if column.categorical:
        every = frozenset([*column.levels, OTHERS])
        named = every if test.levels is None else frozenset(test.levels)
        return Hull(levels=every - named if test.others else named, missing=test.missing)
    if column.kind is Kind.BOOLEAN and test.levels is not None:
        low, high = (0.5, math.inf) if test.levels[0] else (-math.inf, 0.5)
        return Hull(low, high, missing=test.missing)
    low = -math.inf if test.low is None else count_of(column, test.low)
    high = math.inf if test.high is None else count_of(column, test.high)
    return Hull(low, high, missing=test.missing)


def count_of(column, bound):
    """A bound as a number: of dates the count that the tree compares."""
    if column.kind is Kind.NUMERIC:
        return bound
    return float(days_of(bound) if column.kind is Kind.DATE else microseconds_of(bound))


def tree_of_rules(text, schema, leaf_of):
    """The nested splits that rules say, of unseen="stop". leaf_of: a Leaf from a rule."""
    rules = read_rules(text)
    at_leaves = {rule.node: rule for rule in rules if not rule.stays}
    order = sorted(at_leaves)

    def branch(node):
        """The splits at a node, the number after its last one, and the rules that end in it."""
        if node in at_leaves:
            rule = at_leaves[node]
            return leaf_of(rule), node + 1, [rule]
        left, after, of_left = branch(node + 1)
        right, end, of_right = branch(after)
        stays = [rule for rule in rules if rule.stays and rule.node == node]
        return question(schema, of_left, of_right, left, right), end, [*of_left, *of_right, *stays]

    root, end, _ = branch(0)
    assert end == order[-1] + 1
    return root


def nested(splits, schema, leaf_of, node=0):
    """The nested splits of what a reader found by node. leaf_of: a Leaf from its number."""
    if node not in splits:
        return leaf_of(node)
    name, left, right, missing_left, asked = splits[node]
    column = schema.names.index(name)
    branches = [nested(splits, schema, leaf_of, child) for child in (left, right)]
    if not isinstance(asked, tuple):
        return Split(column, asked, *branches, missing_left)
    codes = [(schema.columns[column].levels.index(level), levels is asked[0]) for levels in asked for level in levels]
    return Split(column, math.nan, *branches, missing_left, tuple(sorted(codes)))


def question(schema, of_left, of_right, left, right):
    """The split that sends some rules left and others right."""
    (found,) = [
        (j, *hulls)
        for j, column in enumerate(schema.columns)
        if any(column.name in rule.tests for rule in of_left + of_right)
        for hulls in [[_union(column, rules) for rules in (of_left, of_right)]]
        if hulls[0].shares_out(hulls[1])
    ]
    j, one, other = found
    if one.levels is None:
        if not other.some:
            return Split(j, math.inf, left, right, False)
        assert one.high == other.low
        return Split(j, one.high, left, right, one.missing)
    codes = [(schema.columns[j].levels.index(level), hull is one) for hull in (one, other) for level in hull.levels]
    return Split(j, math.nan, left, right, one.missing, tuple(sorted(codes)))


def _union(column, rules):
    found, *others = [hull_of(rule.tests.get(column.name), column) for rule in rules]
    for hull in others:
        found = found | hull
    return found
