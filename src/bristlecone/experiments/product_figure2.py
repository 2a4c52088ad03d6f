"""Recovered sizes of the sampled greedy tree: against 1/epsilon (figure 2a) and against n (figure 2b). SPEC C6.

exact       the size of the exact greedy tree at epsilon and at epsilon / 2, on average over orders of the variables:
            where scores tie, which variable comes first decides the size, and samples break ties at random.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bristlecone.query import ProductDistribution, learn_tree
from bristlecone.query.functions import TreeFunction, known
from bristlecone.query.greedy import grow_known
from bristlecone.query.targets import Target, balanced, chain

__all__ = ["Recovered", "exponent", "figure2a", "figure2b"]

SOURCE_2A = "Decision Tree Learning on Product Spaces, figure 2a"
SOURCE_2B = "Decision Tree Learning on Product Spaces, figure 2b"
CHANCES = (0.5, 0.3, 0.1)
EPSILONS = (0.30, 0.25, 0.20, 0.15, 0.10)
VARIABLES = (3, 4, 5, 6, 7)
DELTA = 0.1


@dataclass(frozen=True, slots=True)
class Recovered:
    """One run. p: the chance of every variable; size: leaves of the learned tree; leaves: of the target; exact,
    exact_half: of the exact greedy tree at epsilon and epsilon / 2; seconds: of the run, and in the target alone.
    """

    target: str
    leaves: int
    n: int
    p: float
    epsilon: float
    seed: int
    size: int
    exact: float
    exact_half: float
    certified: bool
    n_samples: int
    n_queries: int
    seconds: float
    seconds_in_target: float


def figure2a(*, seeds: Sequence[int] = range(10), epsilons: Sequence[float] = EPSILONS) -> Iterator[Recovered]:
    """Balanced trees of depth 4 and chains of 16 leaves over 20 variables: one run for each epsilon, chance and
    seed.
    """
    for target in (balanced(4, 20), chain(16, 20)):
        for p in CHANCES:
            for epsilon in epsilons:
                yield from _runs(target, p, epsilon, seeds)


def figure2b(*, seeds: Sequence[int] = range(10), variables: Sequence[int] = VARIABLES) -> Iterator[Recovered]:
    """Balanced trees of depth 3 and chains of 8 leaves over few variables (fewer leaves where they do not fit)."""
    for n in variables:
        for target in (balanced(3, n), chain(8, n)):
            for p in CHANCES:
                yield from _runs(target, p, 0.15, seeds)


def exponent(runs: Sequence[Recovered], of: Callable[[Recovered], float]) -> float:
    """The slope of ln(samples) in ln(of(run)) by least squares."""
    x, y = ([math.log(f(run)) for run in runs] for f in (of, lambda run: run.n_samples))
    return float(np.polyfit(x, y, 1)[0])


def _runs(target: Target, p: float, epsilon: float, seeds: Sequence[int]) -> Iterator[Recovered]:
    dist = ProductDistribution([p] * target.n)
    exact, exact_half = (_exact_size(target, dist, e) for e in (epsilon, epsilon / 2))
    for seed in seeds:
        started = time.perf_counter()
        found = learn_tree(target, dist, epsilon, DELTA, random_state=seed)
        yield Recovered(
            target=target.name,
            leaves=target.tree.n_leaves,
            n=target.n,
            p=p,
            epsilon=epsilon,
            seed=seed,
            size=found.size,
            exact=exact,
            exact_half=exact_half,
            certified=found.certified,
            n_samples=found.n_samples,
            n_queries=found.n_queries,
            seconds=time.perf_counter() - started,
            seconds_in_target=found.oracle.seconds,
        )


def _exact_size(target: Target, dist: ProductDistribution, epsilon: float, orders: int = 10) -> float:
    function = known(target.tree, dist).function
    assert isinstance(function, TreeFunction)
    sizes = []
    for seed in range(orders):
        order = np.random.default_rng(seed).permutation(dist.n).astype(np.int32)
        left, right, variable, answer = function.arrays
        renamed = (left, right, np.where(left >= 0, order[variable], -1).astype(np.int32), answer)
        sizes.append(grow_known(replace(function, arrays=renamed), dist, epsilon).size)
    return float(np.mean(sizes))
