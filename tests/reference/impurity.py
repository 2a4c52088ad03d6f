"""Impurities of a group of rows, written out from their definitions: the specification of ``cpp/impurity``.

A *group* is some rows of a node, added up: how many rows, their weight, and the weight of each distinct target. A
target is a class index or a number. Sums are exact (whole numbers or fractions). Gini, squared and absolute error
stay exact to the end; entropy, sqrt and Poisson need a logarithm or a root and end as floats.

The *value* of a group is what a leaf would answer: the mean, the lower weighted median, or (two classes) the
probability of class 1. An impurity is the mean loss around a value; without a given value it is taken around the
group's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

Exact = int | Fraction
Number = int | Fraction | float

EXACT_CRITERIA = frozenset({"gini", "squared_error", "absolute_error"})
CLASSIFICATION = ("gini", "entropy", "sqrt", "gain_ratio")
REGRESSION = ("squared_error", "absolute_error", "poisson")


def exact(number: float) -> Exact:
    """The rational number a float stands for; whole numbers as ``int``, whose sums are quick."""
    return int(number) if float(number).is_integer() else Fraction(float(number))


@dataclass(frozen=True)
class Group:
    """Rows added up; ``by_target`` maps each target to its weight."""

    rows: int
    weight: Exact
    by_target: dict[Exact, Exact]

    def __add__(self, other: Group) -> Group:
        by_target = dict(self.by_target)
        for target, weight in other.by_target.items():
            by_target[target] = by_target.get(target, 0) + weight
        return Group(self.rows + other.rows, self.weight + other.weight, by_target)

    @property
    def total(self) -> Exact:
        """Weighted sum of the targets."""
        return sum(weight * target for target, weight in self.by_target.items())

    @property
    def pure(self) -> bool:
        return len(self.by_target) <= 1

    def share(self, target: Exact) -> Fraction:
        return Fraction(self.by_target.get(target, 0)) / self.weight


EMPTY = Group(0, 0, {})


def group_of(rows: Iterable[int], targets: list[Exact], weights: list[Exact]) -> Group:
    """The group of some rows of a data set."""
    count, weight, by_target = 0, 0, {}
    for row in rows:
        count += 1
        weight += weights[row]
        by_target[targets[row]] = by_target.get(targets[row], 0) + weights[row]
    return Group(count, weight, by_target)


def mean(group: Group) -> Fraction:
    return Fraction(group.total) / group.weight


def lower_median(group: Group) -> Exact:
    """The smallest target whose cumulative weight reaches half of the whole."""
    cumulative: Exact = 0
    for target in sorted(group.by_target):
        cumulative += group.by_target[target]
        if 2 * cumulative >= group.weight:
            return target
    raise ValueError("an empty group has no median")


def _gini(group: Group, value: Number | None, n_classes: int) -> Number:
    if value is None:
        squares = sum(weight * weight for weight in group.by_target.values())
        return 1 - Fraction(squares) / group.weight / group.weight
    answered = (1 - value, value)
    return 1 - sum(2 * group.share(k) * q - q * q for k, q in enumerate(answered))


def _entropy(group: Group, value: Number | None, n_classes: int) -> float:
    shares = {k: float(group.share(k)) for k in group.by_target}
    answered = shares if value is None else {0: float(1 - value), 1: float(value)}
    if any(answered[k] == 0.0 for k in shares):
        return math.inf
    return math.fsum(-p * math.log2(answered[k]) for k, p in shares.items()) + 0.0


def _sqrt(group: Group, value: Number | None, n_classes: int) -> float:
    if value is not None:
        raise ValueError("sqrt has no monotone form")
    roots = [2 * math.sqrt(share * (1 - share)) for share in map(group.share, group.by_target)]
    return roots[0] if n_classes == 2 else math.fsum(roots)


def _squared_error(group: Group, value: Number | None, n_classes: int) -> Number:
    centre = Fraction(mean(group) if value is None else value)
    whole, part = centre.numerator, centre.denominator  # sums of whole numbers are quick
    squares = sum(weight * (part * y - whole) ** 2 for y, weight in group.by_target.items())
    return Fraction(squares) / part**2 / group.weight


def _absolute_error(group: Group, value: Number | None, n_classes: int) -> Number:
    centre = lower_median(group) if value is None else value
    return Fraction(sum(weight * abs(y - centre) for y, weight in group.by_target.items())) / group.weight


def _poisson(group: Group, value: Number | None, n_classes: int) -> float:
    """Mean half deviance: (1/W) sum of w (y ln(y/v) - y + v); the last two cancel around the mean."""
    centre = mean(group) if value is None else value
    if centre <= 0:
        return 0.0 if group.total == 0 and centre == 0 else math.inf
    whole, part = Fraction(centre).numerator, Fraction(centre).denominator
    terms = [float(weight * (whole - part * y)) / part for y, weight in group.by_target.items()]
    terms += [float(weight * y) * math.log(y * part / whole) for y, weight in group.by_target.items() if y > 0]
    return math.fsum(terms) / float(group.weight)


_IMPURITIES: dict[str, Callable[[Group, Number | None, int], Number]] = {
    "gini": _gini,
    "entropy": _entropy,
    "gain_ratio": _entropy,
    "sqrt": _sqrt,
    "squared_error": _squared_error,
    "absolute_error": _absolute_error,
    "poisson": _poisson,
}


def impurity(criterion: str, group: Group, n_classes: int, value: Number | None = None) -> Number:
    """Mean loss of the group around ``value``, or around its own value."""
    if value is None and group.pure:
        return 0
    return _IMPURITIES[criterion](group, value, n_classes)


def value_of(criterion: str, group: Group) -> Exact:
    """What a leaf with these rows answers: mean, lower median, or the probability of class 1."""
    if criterion == "absolute_error":
        return lower_median(group)
    return mean(group) if criterion in REGRESSION else group.share(1)
