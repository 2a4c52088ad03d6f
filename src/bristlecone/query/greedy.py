"""The greedy tree, exactly: split the leaf and variable of the highest score until the error is small. SPEC C1-C2.

score       of a leaf: the chance to reach it times the largest influence of a variable there.
cost        of a bare tree: the sum over its leaves of that chance times the total influence there. A split lowers it by
            exactly the leaf's score (Lemma 4.3), and the error is never above it (Lemma 4.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from bristlecone.query.bare import BareTree, to_tree
from bristlecone.query.checks import check_epsilon, check_factor, check_whole, generator_of
from bristlecone.query.distributions import ProductDistribution
from bristlecone.query.frontier import TIE, Frontier
from bristlecone.query.functions import Function, Known, known
from bristlecone.query.oracle import Oracle
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["Built", "Step", "build_top_down", "grow_greedily"]

Measure = Callable[[Function], Floats]


class Step(NamedTuple):
    """One split: its leaf (nodes numbered as they were made), variable and score; cost and error of the tree after
    it.
    """

    leaf: int
    variable: int
    score: float
    cost: float
    error: float


@dataclass(frozen=True, eq=False)
class Built:
    """A greedy tree. cost and error: of the tree, exactly; history: one Step a split; reached: whether error <=
    epsilon.

    n_queries: answers that were asked for, 0 for a truth table or a Tree; oracle: what was asked, if anything.
    """

    tree: Tree
    error: float
    cost: float
    history: tuple[Step, ...]
    reached: bool
    n_queries: int = 0
    oracle: Oracle | None = None

    @property
    def size(self) -> int:
        """The number of leaves."""
        return self.tree.n_leaves


def build_top_down(
    f: Any,
    dist: ProductDistribution,
    epsilon: float,
    *,
    within: float = 1.0,
    max_leaves: int | None = None,
    random_state: Any = None,
) -> Built:
    """BuildTopDownDT: split the leaf and variable of the highest score until the best labels err at most epsilon.

    f: a truth table (2^n,), a Tree over n columns of 0 and 1 (n may be thousands), or a callable of at most 20
    variables, which is asked about all 2^n points once. epsilon: 0 to 1; 0 asks for f itself. within: take, at random,
    any leaf whose score is within this factor of the best (4 in Theorem 5.1; for study). max_leaves: stop there.

    Ties go to the leaf made first, then to the lowest variable, and leaves with equal chances answer the lower label.
    In the tree, weights are chances, and `n_node_samples` counts leaves, as no row was read. Raises ValueError naming
    the parameter. Source: Algorithm 1; SPEC C2.
    """
    check_epsilon(epsilon)
    check_factor("within", within)
    check_whole(1, optional=True, max_leaves=max_leaves)
    growth = Growth(known(f, dist), dist, lambda function: function.influences)
    generator = generator_of(random_state)
    return growth.until(epsilon, max_leaves or math.inf, within, generator)


def grow_greedily(f: Any, dist: ProductDistribution, epsilon: float, measure: Measure) -> Built:
    """As `build_top_down`, with other scores: measure(function) is one number a variable. It ends where all are 0."""
    check_epsilon(epsilon)
    return Growth(known(f, dist), dist, measure).until(epsilon, math.inf, 1.0, np.random.default_rng(0))


class ExactSum:
    """A sum of floats without rounding, so that what was added can be taken away again."""

    BITS = 1074  # of the smallest float

    def __init__(self) -> None:
        self._units = 0

    def add(self, number: float) -> None:
        above, below = number.as_integer_ratio()
        self._units += (above << self.BITS) // below

    def __float__(self) -> float:
        return self._units / (1 << self.BITS)


@dataclass
class Leaf:
    """A leaf of the growing tree: the function there, the chance to reach it, and how its variables measure."""

    function: Function
    reach: float
    measure: Measure

    @property
    def error(self) -> float:
        """The chance to reach it and to err with the better label."""
        return self.reach * min(self.function.zeros, self.function.ones)

    @property
    def impure(self) -> bool:
        """Whether it has answers of both kinds, however small the chance to reach them is."""
        return not self.function.constant

    @property
    def cost(self) -> float:
        """The chance to reach it times the total influence."""
        return self.reach * float(self.function.influences.sum())

    @cached_property
    def best(self) -> tuple[int, float]:
        """The variable of the highest measure, the lowest of those that tie, and the score."""
        measured = self.measure(self.function)
        variable = int(np.argmax(measured >= measured.max() * (1 - TIE)))
        return variable, self.reach * float(measured[variable])


class Growth:
    """A bare tree with the function at each of its leaves."""

    def __init__(self, target: Known, dist: ProductDistribution, measure: Measure) -> None:
        self.target, self.p, self.measure = target, dist.p, measure
        self.bare, self.frontier = BareTree(dist.n), Frontier()
        self.leaves: dict[int, Leaf] = {}
        self.error, self.cost = ExactSum(), ExactSum()
        self.n_impure = 0
        self.history: list[Step] = []
        self._add(0, Leaf(target.function, 1.0, measure))

    def until(self, epsilon: float, most: float, within: float, generator: np.random.Generator) -> Built:
        while not self.reached(epsilon) and self.frontier and self.bare.n_leaves < most:
            self._split(self._next(within, generator))
        asked = {"n_queries": self.target.n_queries, "oracle": self.target.oracle}
        history, reached = tuple(self.history), self.reached(epsilon)
        return Built(self._tree(), float(self.error), float(self.cost), history, reached, **asked)  # type: ignore[arg-type]

    def reached(self, epsilon: float) -> bool:
        """Whether the error is at most epsilon, which is a decimal: 0.1 equals 1/10 here."""
        return self.n_impure == 0 or (epsilon > 0 and float(self.error) <= epsilon * (1 + TIE))

    def _next(self, within: float, generator: np.random.Generator) -> int:
        if within == 1:
            return self.frontier.pop()
        leaf = int(generator.choice(self.frontier.within(within)))
        self.frontier.remove(leaf)
        return leaf

    def _split(self, place: int) -> None:
        leaf = self.leaves.pop(place)
        variable, score = leaf.best
        for total, part in ((self.error, leaf.error), (self.cost, leaf.cost)):
            total.add(-part)
        self.n_impure -= leaf.impure
        chances = (1.0 - self.p[variable], self.p[variable])
        children = self.bare.split(place, variable)
        for child, function, chance in zip(children, leaf.function.restricted(variable), chances, strict=True):
            self._add(child, Leaf(function, leaf.reach * float(chance), self.measure))
        self.history.append(Step(place, variable, score, float(self.cost), float(self.error)))

    def _add(self, place: int, leaf: Leaf) -> None:
        self.leaves[place] = leaf
        self.error.add(leaf.error)
        self.cost.add(leaf.cost)
        self.n_impure += leaf.impure
        self.frontier.push(place, leaf.best[1])

    def _tree(self) -> Tree:
        weights = np.zeros((len(self.bare), 2))
        for place, leaf in self.leaves.items():
            weights[place] = leaf.reach * leaf.function.zeros, leaf.reach * leaf.function.ones
        return to_tree(self.bare, self.target.classes, weights[:, : len(self.target.classes)])
