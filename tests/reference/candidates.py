"""Every split a node could make, in the canonical order: the specification of ``cpp/search``.

A *problem* is the growing rows (weight zero already removed), the criterion and the limits. A *node* is some of its
rows, its depth and, under monotone constraints, the bounds of its value. A *split* sends the groups of a column
(one per distinct value or level, and one of the missing rows) left or right. Order: lowest column, lowest
threshold, missing left, missing right, and last "present | missing".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
from reference.impurity import (
    CLASSIFICATION,
    EMPTY,
    EXACT_CRITERIA,
    Exact,
    Group,
    Number,
    exact,
    group_of,
    impurity,
    mean,
    value_of,
)

EXHAUSTIVE_LEVELS = 10
SLACK = 1e-12  # relative: two gains nearer than this times the node's impurity are equal


@dataclass(frozen=True)
class Limits:
    """When growth stops; ``min_samples_*`` count rows, the others weight."""

    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_weight_split: float = 0.0
    min_weight_leaf: float = 0.0
    max_leaf_nodes: int | None = None
    min_impurity_decrease: float = 0.0
    zero_gain: str = "split"


@dataclass(frozen=True)
class Column:
    """One feature: floats with NaN missing, or (``categorical``) integer codes with -1 missing."""

    values: tuple[float, ...]
    categorical: bool = False

    def missing(self, row: int) -> bool:
        return self.values[row] == -1 if self.categorical else math.isnan(self.values[row])


@dataclass(frozen=True)
class Problem:
    """What is to be grown. Targets are numbers or 0 .. ``n_classes`` - 1, where every class has rows."""

    columns: tuple[Column, ...]
    targets: list[Exact]
    weights: list[Exact]
    n_classes: int
    criterion: str
    limits: Limits = Limits()
    monotone: tuple[int, ...] = ()

    @cached_property
    def total_weight(self) -> Exact:
        return sum(self.weights)

    @cached_property
    def root_risk(self) -> float:
        """Weight times impurity of all rows: the scale of weighted gains."""
        whole = root(self)
        return float(self.total_weight) * float(self.impurity_of(whole.group, whole.bounds))

    @cached_property
    def min_weight_leaf(self) -> Exact:
        shared = exact(self.limits.min_weight_fraction_leaf) * self.total_weight
        return max(exact(self.limits.min_weight_leaf), shared)

    @property
    def exact(self) -> bool:
        return self.criterion in EXACT_CRITERIA

    @property
    def bounded(self) -> bool:
        return any(self.monotone)

    def slack(self, node_impurity: Number) -> Number:
        """Gains nearer to each other than this tie; exact ones only if equal."""
        return 0 if self.exact else SLACK * float(node_impurity)

    def impurity_of(self, group: Group, bounds: Bounds) -> Number:
        """Mean loss around the group's value, clipped into the bounds where constraints are set."""
        value = bounds.clip(value_of(self.criterion, group)) if self.bounded else None
        return impurity(self.criterion, group, self.n_classes, value)


def problem(
    columns: Sequence[tuple[Sequence[float], bool]],
    targets: Sequence[float],
    weights: Sequence[float] | None,
    n_classes: int,
    criterion: str,
    limits: Limits = Limits(),
    monotone: Sequence[int] = (),
) -> Problem:
    """A problem from plain sequences; ``columns`` are (values, categorical) pairs. Rows of weight zero are dropped."""
    given = [1.0] * len(targets) if weights is None else list(weights)
    kept = [row for row, weight in enumerate(given) if weight != 0]
    return Problem(
        columns=tuple(Column(tuple(float(cells[row]) for row in kept), levels) for cells, levels in columns),
        targets=[exact(targets[row]) for row in kept],
        weights=[exact(given[row]) for row in kept],
        n_classes=n_classes,
        criterion=criterion,
        limits=limits,
        monotone=tuple(monotone),
    )


@dataclass(frozen=True)
class Bounds:
    """Where monotone constraints above a node keep its value."""

    low: Exact | None = None
    high: Exact | None = None

    def clip(self, value: Exact) -> Exact:
        if self.low is not None and value < self.low:
            return self.low
        return self.high if self.high is not None and value > self.high else value


@dataclass(frozen=True)
class Node:
    rows: tuple[int, ...]
    group: Group
    depth: int = 0
    bounds: Bounds = Bounds()


@dataclass(frozen=True)
class Split:
    """One way to send a node's rows left or right."""

    column: int
    left: Group
    right: Group
    gain: Number
    threshold: float = math.nan
    left_levels: frozenset[int] | None = None
    missing_left: bool | None = None  # None: the node misses no value of this column

    @cached_property
    def ratio(self) -> float:
        """C4.5's gain ratio."""
        shares = [
            float(Fraction(side.weight) / (self.left.weight + self.right.weight)) for side in (self.left, self.right)
        ]
        return float(self.gain) / -math.fsum(p * math.log2(p) for p in shares)

    @property
    def missing_goes_left(self) -> bool:
        """The learned side, else the heavier child's, left on ties."""
        return self.left.weight >= self.right.weight if self.missing_left is None else self.missing_left

    def sends_left(self, column: Column, row: int) -> bool:
        if column.missing(row):
            return self.missing_goes_left
        value = column.values[row]
        return value < self.threshold if self.left_levels is None else value in self.left_levels


@dataclass(frozen=True)
class Scene:
    """A node's rows as one column sees them: a group per distinct value or level (ascending), and the missing rows."""

    problem: Problem
    node: Node
    index: int
    by_value: dict[float, Group] = field(default_factory=dict)
    missing: Group = EMPTY

    @property
    def column(self) -> Column:
        return self.problem.columns[self.index]

    def sides(self, left_values: Sequence[float]) -> tuple[Group, Group]:
        chosen = frozenset(left_values)
        left = sum((group for value, group in self.by_value.items() if value in chosen), EMPTY)
        return left, sum((group for value, group in self.by_value.items() if value not in chosen), EMPTY)


def scene(problem: Problem, node: Node, index: int) -> Scene:
    column, by_value, missing = problem.columns[index], {}, []
    for row in node.rows:
        if column.missing(row):
            missing.append(row)
        else:
            by_value.setdefault(column.values[row], []).append(row)
    groups = {value: group_of(by_value[value], problem.targets, problem.weights) for value in sorted(by_value)}
    return Scene(problem, node, index, groups, group_of(missing, problem.targets, problem.weights))


def candidates(problem: Problem, node: Node) -> Iterator[Split]:
    """All admissible splits of the node in canonical order, heuristic columns left out."""
    for index in range(len(problem.columns)):
        seen = scene(problem, node, index)
        if not heuristic(seen):
            yield from column_candidates(seen)


def column_candidates(seen: Scene) -> Iterator[Split]:
    """All admissible splits of one column; of a level set only those the search is stated to look at."""
    for described, left, right in _present_partitions(seen):
        if seen.missing.rows:
            yield from admitted(seen, {**described, "missing_left": True}, left + seen.missing, right)
            yield from admitted(seen, {**described, "missing_left": False}, left, right + seen.missing)
        else:
            yield from admitted(seen, described, left, right)
    if seen.missing.rows and seen.by_value:
        everything = sum(seen.by_value.values(), EMPTY)
        levels = {"left_levels": frozenset(map(int, seen.by_value))}
        described = levels if seen.column.categorical else {"threshold": math.inf}
        yield from admitted(seen, {**described, "missing_left": False}, everything, seen.missing)


def _present_partitions(seen: Scene) -> Iterator[tuple[dict, Group, Group]]:
    values = list(seen.by_value)
    if seen.column.categorical:
        for left_levels in level_sets(seen):
            yield {"left_levels": frozenset(map(int, left_levels))}, *seen.sides(left_levels)
        return
    below = list(itertools.accumulate(seen.by_value.values(), initial=EMPTY))
    above = list(itertools.accumulate(reversed(seen.by_value.values()), initial=EMPTY))[::-1]
    for cut in range(1, len(values)):
        yield {"threshold": midpoint(values[cut - 1], values[cut])}, below[cut], above[cut]


def midpoint(low: float, high: float) -> float:
    """Between two neighbours, without overflow, and above the lower one even if they are adjacent floats."""
    middle = low / 2 + high / 2
    return middle if middle > low else high


def level_sets(seen: Scene) -> Iterator[tuple[float, ...]]:
    """Left sets to try, each with the first level present: prefixes where a theorem allows it, else all subsets."""
    levels = list(seen.by_value)
    if len(levels) < 2:
        return
    if sorted_prefixes_suffice(seen):
        for prefix, others in _prefixes(seen):
            yield tuple(prefix if levels[0] in prefix else others)
        return
    for mask in range(2 ** (len(levels) - 1) - 1):
        yield (levels[0], *(level for bit, level in enumerate(levels[1:]) if mask >> bit & 1))


def _prefixes(seen: Scene) -> Iterator[tuple[list[float], list[float]]]:
    ordered = sorted(seen.by_value, key=lambda level: (_level_mean(seen, level), level))
    for cut in range(1, len(ordered)):
        yield ordered[:cut], ordered[cut:]


def _level_mean(seen: Scene, level: float) -> Exact:
    group = seen.by_value[level]
    return group.share(1) if seen.problem.criterion in CLASSIFICATION else mean(group)


def levels_have_an_order(problem: Problem) -> bool:
    """Whether sorting levels by their mean puts the best split of all, limits aside, between two neighbours."""
    return problem.n_classes == 2 or problem.criterion in ("squared_error", "poisson")


def sorted_prefixes_suffice(seen: Scene) -> bool:
    """The theorem knows no limits: where one forbids a prefix, the best split may be no prefix."""
    if not levels_have_an_order(seen.problem):
        return False
    for prefix, _ in _prefixes(seen):
        left, right = seen.sides(prefix)
        for one, other in ((left + seen.missing, right), (left, right + seen.missing)):
            if not (_large_enough(seen.problem, one) and _large_enough(seen.problem, other)):
                return False
    return True


def heuristic(seen: Scene) -> bool:
    """Whether the column's level sets are chosen by the stated heuristic, out of reach of an obvious twin."""
    too_many = seen.column.categorical and len(seen.by_value) > EXHAUSTIVE_LEVELS
    return too_many and not sorted_prefixes_suffice(seen)


def admitted(seen: Scene, described: dict, left: Group, right: Group) -> Iterator[Split]:
    """The split, if both sides are large enough and the constraints allow it."""
    if not (_large_enough(seen.problem, left) and _large_enough(seen.problem, right)):
        return
    if not respects_constraint(seen, left, right):
        return
    yield Split(seen.index, left, right, gain_of(seen.problem, seen.node, left, right), **described)


def _large_enough(problem: Problem, side: Group) -> bool:
    if side.rows < max(problem.limits.min_samples_leaf, 1) or side.weight < problem.min_weight_leaf:
        return False
    return problem.criterion != "poisson" or side.total > 0


def respects_constraint(seen: Scene, left: Group, right: Group) -> bool:
    sign = seen.problem.monotone[seen.index] if seen.problem.bounded else 0
    if sign == 0:
        return True
    criterion, clip = seen.problem.criterion, seen.node.bounds.clip
    return sign * clip(value_of(criterion, left)) <= sign * clip(value_of(criterion, right))


def gain_of(problem: Problem, node: Node, left: Group, right: Group) -> Number:
    """Impurity minus the children's, each weighted by its share of the node's weight."""
    parent, *children = (problem.impurity_of(group, node.bounds) for group in (node.group, left, right))
    shares = [Fraction(side.weight) / node.group.weight for side in (left, right)]
    if all(isinstance(number, int | Fraction) for number in (parent, *children)):
        return parent - shares[0] * children[0] - shares[1] * children[1]
    terms = [float(parent), *(-float(share) * float(child) for share, child in zip(shares, children, strict=True))]
    return math.fsum(terms)


def child_bounds(problem: Problem, node: Node, split: Split) -> tuple[Bounds, Bounds]:
    """A constrained split parts its children's ranges midway between their values; others hand the bounds down."""
    sign = problem.monotone[split.column] if problem.bounded else 0
    if sign == 0:
        return node.bounds, node.bounds
    left, right = (node.bounds.clip(value_of(problem.criterion, side)) for side in (split.left, split.right))
    middle = Fraction(left + right) / 2
    below, above = Bounds(node.bounds.low, middle), Bounds(middle, node.bounds.high)
    return (below, above) if sign > 0 else (above, below)


def children(problem: Problem, node: Node, split: Split) -> tuple[Node, Node]:
    column = problem.columns[split.column]
    sides = [split.sends_left(column, row) for row in node.rows]
    left_rows = tuple(itertools.compress(node.rows, sides))
    right_rows = tuple(itertools.compress(node.rows, np.logical_not(sides)))
    left_bounds, right_bounds = child_bounds(problem, node, split)
    return (
        Node(left_rows, split.left, node.depth + 1, left_bounds),
        Node(right_rows, split.right, node.depth + 1, right_bounds),
    )


def root(problem: Problem) -> Node:
    rows = tuple(range(len(problem.targets)))
    return Node(rows, group_of(rows, problem.targets, problem.weights))
