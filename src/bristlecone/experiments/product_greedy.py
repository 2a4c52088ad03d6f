"""Greed held against the optimum, and influence against the purity of CART and ID3, on Boolean functions.

stuck       growth by purity ends where no single variable lowers the impurity, whatever the error: parity is the
            extreme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.special

from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.experiments.outcomes import grouped, markdown
from bristlecone.query import ProductDistribution, build_top_down, optimal_tree
from bristlecone.query.functions import Function
from bristlecone.query.greedy import Built, grow_greedily
from bristlecone.query.targets import Target, balanced, chain, junta, majority, parity, random_tree, tribes
from bristlecone.tree.arrays import Floats

__all__ = ["EXPERIMENT", "Compared", "against_optimum", "against_purity", "purity"]

NAME = "product-greedy"
WAYS = ("influence", "gini", "entropy")
CHANCES = (0.5, 0.3, 0.1)
Impurity = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Compared:
    """One function: leaves and error that a way to grow took to come within epsilon, and the smallest tree's leaves;
    study: "optimum" or "purity".
    """

    study: str
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
                        yield from _ways(target, p, epsilon, seed, ("influence",), "optimum")


def against_purity(*, seeds: Sequence[int] = range(10), epsilon: float = 0.05) -> Iterator[Compared]:
    """Known functions and random trees, grown by influence, by Gini and by entropy."""
    fixed = [parity([0, 1, 2], 6), parity([0, 1, 2, 3, 4], 8), majority(7), tribes(2, 4), balanced(3, 8), chain(8, 8)]
    for target, seed in [(target, 0) for target in fixed] + [(random_tree(16, 10, seed), seed) for seed in seeds]:
        for p in CHANCES:
            yield from _ways(target, p, epsilon, seed, WAYS, "purity")


def _ways(target: Target, p: float, epsilon: float, seed: int, ways: Sequence[str], study: str) -> Iterator[Compared]:
    dist = ProductDistribution([p] * target.n)
    optimum = optimal_tree(target.table, dist, epsilon).size
    for way in ways:
        built = _grown(target, dist, epsilon, way)
        yield Compared(study, target.name, target.n, p, epsilon, seed, way, built.size, built.error, optimum)


def _grown(target: Target, dist: ProductDistribution, epsilon: float, way: str) -> Built:
    if way == "influence":
        return build_top_down(target.table, dist, epsilon)
    return grow_greedily(target.table, dist, epsilon, purity({"gini": gini, "entropy": entropy}[way], dist.p))


def _text(found: Sequence[Compared]) -> str:
    studies = grouped(found, lambda one: one.study)
    ratios = [
        (function, f"{epsilon:g}", *(_ratio([one for one in ones if one.p == p]) for p in CHANCES))
        for (function, epsilon), ones in grouped(studies["optimum"], lambda one: (one.function, one.epsilon)).items()
    ]
    by_function = grouped(studies["purity"], lambda one: (f"{one.function}, n = {one.n}", one.p))
    purity = [
        (function, f"{p:g}", f"{np.mean([one.optimum for one in ones]):.3g}", *_by_way(ones))
        for (function, p), ones in by_function.items()
    ]
    said = "greedy over smallest: mean (most)"
    return "\n".join(
        [
            markdown((said, "epsilon", *(f"p = {p:g}" for p in CHANCES)), ratios),
            "",
            markdown(("leaves (error where it is stuck)", "p", "smallest", *WAYS), purity),
        ]
    )


def _ratio(ones: Sequence[Compared]) -> str:
    ratios = [one.size / one.optimum for one in ones]
    return f"{np.mean(ratios):.3f} ({max(ratios):.3f})"


def _by_way(ones: Sequence[Compared]) -> list[str]:
    by_way = grouped(ones, lambda one: one.way)
    return [_came(by_way[way]) for way in WAYS]


def _came(ones: Sequence[Compared]) -> str:
    """Mean leaves; where growth was stuck above epsilon, the mean error too, and how often."""
    stuck = [one for one in ones if one.error > one.epsilon * (1 + 1e-9) + 1e-12]
    leaves = f"{np.mean([one.size for one in ones]):.3g}"
    if not stuck:
        return leaves
    return f"{leaves} (stuck {len(stuck)} of {len(ones)}: {np.mean([one.error for one in stuck]):.3g})"


def _draw(found: Sequence[Compared], axes: Sequence[Any]) -> None:
    """Greedy size against the smallest, and the size by either purity against that by influence."""
    studies = grouped(found, lambda one: one.study)
    for p, ones in grouped(studies["optimum"], lambda one: one.p).items():
        axes[0].plot([one.optimum for one in ones], [one.size for one in ones], ".", label=f"p = {p:g}")
    axes[0].set(xlabel="leaves of the smallest tree", ylabel="leaves of the greedy tree", title="greed and the optimum")
    by_way = grouped(studies["purity"], lambda one: one.way)
    for way in WAYS[1:]:
        pairs = list(zip(by_way["influence"], by_way[way], strict=True))
        for mark, stuck in (("o", False), ("x", True)):
            of = [(a.size, b.size) for a, b in pairs if (b.error > b.epsilon + 1e-12) is stuck]
            label = f"{way}, stuck above epsilon" if stuck else way
            axes[1].plot(*np.array(of).reshape(-1, 2).T, mark, color=f"C{WAYS.index(way)}", label=label, alpha=0.6)
    axes[1].set(xlabel="leaves by influence", ylabel="leaves by purity", title="influence and purity")
    for ax in axes:
        least, most = 1, max(*ax.get_xlim(), *ax.get_ylim())
        ax.plot([least, most], [least, most], "k:", linewidth=0.8)
        ax.set(xscale="log", yscale="log")
        ax.legend(fontsize="x-small")


def run(asked: Asked) -> str:
    """Compute, write and draw."""
    needed("matplotlib")
    seeds = range(asked.splits)
    variables = (4, 6) if asked.quick else (4, 6, 8, 10)
    found = [*against_optimum(variables=variables, seeds=seeds), *against_purity(seeds=seeds)]
    keep(asked, NAME, found, _draw, 2)
    return _text(found)


EXPERIMENT = Experiment(
    name=NAME,
    source="docs/query.md: greedy trees beside the smallest ones, and influence beside Gini and entropy",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=10,
    quick_splits=2,
)
