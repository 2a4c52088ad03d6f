"""Greed held against the optimum, and influence against the purity of CART and ID3, on Boolean functions.

stuck       growth by purity ends where no single variable lowers the impurity, whatever the error: parity is the
            extreme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.special

from bristlecone.query import ProductDistribution, build_top_down, optimal_tree
from bristlecone.query.functions import Function
from bristlecone.query.greedy import Built, grow_greedily
from bristlecone.query.targets import Target, balanced, chain, junta, majority, parity, random_tree, tribes
from bristlecone.tree.arrays import Floats

__all__ = ["Compared", "against_optimum", "against_purity", "purity"]

CHANCES = (0.5, 0.3, 0.1)
Impurity = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Compared:
    """One function: leaves and error that a way to grow took to come within epsilon, and the smallest tree's leaves."""

    function: str
    n: int
    p: float
    epsilon: float
    seed: int
    way: str
    size: int
    error: float
    optimum: int


def gini(q: float) -> float:
    """4 q (1 - q)."""
    return 4.0 * q * (1.0 - q)


def entropy(q: float) -> float:
    """In bits."""
    return float(scipy.special.entr([q, max(0.0, 1.0 - q)]).sum() / np.log(2))


def purity(impurity: Impurity, p: Floats) -> Callable[[Function], Floats]:
    """The gain of each variable at a function: what `grow_greedily` measures by."""

    def measure(function: Function) -> Floats:
        gains = np.zeros(len(p))
        for i in np.flatnonzero(function.influences > 0):  # a variable without influence gains nothing
            low, high = function.restricted(int(i))
            mixed = (1.0 - p[i]) * impurity(low.ones) + p[i] * impurity(high.ones)
            gains[i] = impurity(function.ones) - mixed
        # what is within rounding of zero is zero: else noise would split a parity
        return np.where(gains > 1e-12, gains, 0.0)

    return measure


def against_optimum(
    *,
    variables: Sequence[int] = (4, 6, 8, 10),
    seeds: Sequence[int] = range(10),
    epsilons: Sequence[float] = (0.0, 0.1),
) -> Iterator[Compared]:
    """Random functions and random trees of n leaves, greedy by influence."""
    for n in variables:
        for seed in seeds:
            table = np.random.default_rng(seed).integers(0, 2, 1 << n, dtype=np.int8) * 2 - 1
            noise = Target(f"random function, n = {n}", n, junta(table, range(n), n).answers)
            for target in (noise, random_tree(n, n, seed)):
                for p in CHANCES:
                    for epsilon in epsilons:
                        yield from _ways(target, p, epsilon, seed, ("influence",))


def against_purity(*, seeds: Sequence[int] = range(10), epsilon: float = 0.05) -> Iterator[Compared]:
    """Known functions and random trees, grown by influence, by Gini and by entropy."""
    fixed = [parity([0, 1, 2], 6), parity([0, 1, 2, 3, 4], 8), majority(7), tribes(2, 4), balanced(3, 8), chain(8, 8)]
    for target, seed in [(target, 0) for target in fixed] + [(random_tree(16, 10, seed), seed) for seed in seeds]:
        for p in CHANCES:
            yield from _ways(target, p, epsilon, seed, ("influence", "gini", "entropy"))


def _ways(target: Target, p: float, epsilon: float, seed: int, ways: Sequence[str]) -> Iterator[Compared]:
    dist = ProductDistribution([p] * target.n)
    optimum = optimal_tree(target.table, dist, epsilon).size
    for way in ways:
        built = _grown(target, dist, epsilon, way)
        yield Compared(target.name, target.n, p, epsilon, seed, way, built.size, built.error, optimum)


def _grown(target: Target, dist: ProductDistribution, epsilon: float, way: str) -> Built:
    if way == "influence":
        return build_top_down(target.table, dist, epsilon)
    return grow_greedily(target.table, dist, epsilon, purity({"gini": gini, "entropy": entropy}[way], dist.p))
