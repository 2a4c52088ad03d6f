"""What figures 2a and 2b of the product-space paper share: recovered sizes of the sampled greedy tree. SPEC C6.

exact       the size of the exact greedy tree at epsilon and at epsilon / 2, on average over ties broken at random, as
            samples break them: under the uniform distribution they decide the size of balanced targets.
series      the runs of one target and one chance of the variables.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.experiments.outcomes import grouped, markdown
from bristlecone.experiments.resumed import finish, resumed
from bristlecone.query import ProductDistribution, learn_tree
from bristlecone.query.functions import Function
from bristlecone.query.greedy import grow_greedily
from bristlecone.query.targets import Target, balanced, chain
from bristlecone.tree.arrays import Floats

__all__ = ["CHANCES", "Figure", "Recovered", "Task", "exponent", "recover", "recovered_at_half", "run"]

SOURCE = "Soltani Moakhar et al., Decision Tree Learning on Product Spaces, 2026"
CHANCES = (0.5, 0.3, 0.1)
DELTA = 0.1
MAKERS: dict[str, Callable[[int, int], Target]] = {"balanced": balanced, "chain": chain}


@dataclass(frozen=True, slots=True)
class Task:
    """One run. shape: "balanced" of a depth or "chain" of so many leaves, its measure; p: the chance of each of n
    variables.
    """

    shape: str
    measure: int
    n: int
    p: float
    epsilon: float
    seed: int


@dataclass(frozen=True, slots=True)
class Recovered:
    """What came of a run. size: leaves of the learned tree; leaves: of the target; exact, exact_half: of the exact
    greedy tree at epsilon and epsilon / 2; most_half: the most of the latter; seconds: of the run, and in the target.
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
    most_half: int
    certified: bool
    n_samples: int
    n_queries: int
    seconds: float
    seconds_in_target: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure. across: what its axis shows, by name and of a run; tasks: all of them, or the quick ones, of some
    seeds.
    """

    name: str
    across: str
    of: Callable[[Recovered], float]
    tasks: Callable[[Sequence[int]], Iterable[Task]]
    quick_tasks: Callable[[Sequence[int]], Iterable[Task]]

    @property
    def experiment(self) -> Experiment:
        """What `reproduce` runs."""
        return Experiment(
            name=self.name,
            source=f"{SOURCE}, {self.name.replace('product-figure', 'figure ')}: recovered size against {self.across}",
            writes=(f"{self.name}.csv", f"{self.name}.png"),
            run=partial(run, figure=self),
            splits=10,
            quick_splits=1,
        )


def recover(task: Task) -> Recovered:
    """Learn the target of a task, with the default mode."""
    target = MAKERS[task.shape](task.measure, task.n)
    dist = ProductDistribution([task.p] * task.n)
    started = time.perf_counter()
    found = learn_tree(target, dist, task.epsilon, DELTA, random_state=task.seed)
    seconds = time.perf_counter() - started
    halves = _exact_sizes(replace(task, epsilon=task.epsilon / 2, seed=0))
    return Recovered(
        target=target.name,
        leaves=target.tree.n_leaves,
        n=task.n,
        p=task.p,
        epsilon=task.epsilon,
        seed=task.seed,
        size=found.size,
        exact=float(np.mean(_exact_sizes(replace(task, seed=0)))),
        exact_half=float(np.mean(halves)),
        most_half=max(halves),
        certified=found.certified,
        n_samples=found.n_samples,
        n_queries=found.n_queries,
        seconds=seconds,
        seconds_in_target=found.oracle.seconds,
    )


def exponent(runs: Sequence[Recovered], of: Callable[[Recovered], float]) -> float:
    """The slope of ln(samples) in ln(of(run)) by least squares; nan where `of` has one value only."""
    x, y = ([math.log(f(run)) for run in runs] for f in (of, lambda run: run.n_samples))
    return float(np.polyfit(x, y, 1)[0]) if max(x) > min(x) else math.nan


def recovered_at_half(runs: Sequence[Recovered]) -> tuple[int, int]:
    """In how many settings the mean size is at most the exact one at epsilon / 2, and in how many it was measured."""
    above = _above(runs)
    return len(_settings(runs)) - len(above), len(_settings(runs))


def _settings(runs: Sequence[Recovered]) -> list[list[Recovered]]:
    return list(grouped(runs, lambda run: (run.target, run.n, run.p, run.epsilon)).values())


def _above(runs: Sequence[Recovered]) -> list[list[Recovered]]:
    return [one for one in _settings(runs) if np.mean([run.size for run in one]) > one[0].exact_half + 1e-9]


def run(asked: Asked, figure: Figure) -> str:
    """Measure, write, draw, and sum up."""
    needed("matplotlib")
    tasks = (figure.quick_tasks if asked.quick else figure.tasks)(range(asked.splits))
    found = []
    work = ((_key(task), partial(recover, task)) for task in tasks)
    for one in resumed(asked, figure.name, Recovered, work):
        asked.say(f"{one.target}, n={one.n}, p={one.p:g}, epsilon={one.epsilon:g}, seed {one.seed}: {one.size} leaves")
        found.append(one)
    keep(asked, figure.name, found, partial(_draw, figure=figure), 4)
    finish(asked, figure.name)
    return _text(figure, found)


def _key(task: Task) -> tuple[str | float, ...]:
    return (task.shape, task.measure, task.n, task.p, task.epsilon, task.seed)


def _series(found: Sequence[Recovered]) -> dict[tuple[str, float], list[Recovered]]:
    """By kind of target (a chain has fewer leaves where variables are few) and chance."""
    return grouped(found, lambda run: (run.target.split(",")[0], run.p))


def _text(figure: Figure, found: Sequence[Recovered]) -> str:
    """Mean sizes, with the exact ones at epsilon and epsilon / 2 in brackets; how samples grow; and the count."""
    at = sorted({figure.of(run) for run in found})
    rows = []
    for (target, p), runs in _series(found).items():
        by_place = grouped(runs, figure.of)
        cells = [_cell(by_place[x]) for x in at]
        rows.append((f"{target}, p = {p:g}", *cells, f"{exponent(runs, figure.of):.2f}"))
    held, settings = recovered_at_half(found)
    return "\n".join(
        [
            markdown((f"size by {figure.across}", *(f"{x:.3g}" for x in at), "exponent of samples"), rows),
            "",
            f"In brackets: exact greedy at epsilon, and at epsilon / 2. {len(found)} runs, "
            f"{sum(run.certified for run in found)} certified; at most the exact size at epsilon / 2 on average in "
            f"{held} of {settings} settings.",
            *(
                f"Above it: {one[0].target}, n = {one[0].n}, p = {one[0].p:g}, epsilon = {one[0].epsilon:g}: "
                f"{np.mean([run.size for run in one]):.1f}, where ties alone give {one[0].exact_half:.1f} on average "
                f"and up to {one[0].most_half}."
                for one in _above(found)
            ),
        ]
    )


def _cell(runs: Sequence[Recovered]) -> str:
    return f"{np.mean([run.size for run in runs]):.1f} ({runs[0].exact:.1f}, {runs[0].exact_half:.1f})"


def _draw(found: Sequence[Recovered], axes: Sequence[Any], figure: Figure) -> None:
    """Sizes of either target, the exact ones at epsilon / 2 dashed; samples, and queries, of both."""
    targets = list(dict.fromkeys(target for target, _ in _series(found)))
    for (target, p), runs in _series(found).items():
        by_place = grouped(runs, figure.of)
        at, place = sorted(by_place), targets.index(target)
        colour = f"C{CHANCES.index(p)}"
        sizes, halves, samples, queries = (
            [np.mean([getattr(run, name) for run in by_place[x]]) for x in at]
            for name in ("size", "exact_half", "n_samples", "n_queries")
        )
        axes[place].plot(at, sizes, "o-", color=colour, label=f"p = {p:g}")
        axes[place].plot(at, halves, "--", color=colour)
        axes[place].set(title=target, ylabel="leaves (dashed: exact at epsilon / 2)")
        for ax, values, said in ((axes[2], samples, "samples"), (axes[3], queries, "queries")):
            ax.plot(at, values, "o-" if place == 0 else "s--", color=colour, label=f"{target}, p = {p:g}")
            ax.set(ylabel=said)
    for ax in axes:
        ax.set(xscale="log", yscale="log", xlabel=figure.across)
        ax.legend(fontsize="x-small")


@lru_cache
def _exact_sizes(task: Task, orders: int = 40) -> tuple[int, ...]:
    """The sizes of exact greedy trees, ties broken at random."""
    target, sizes = MAKERS[task.shape](task.measure, task.n), []
    for seed in range(orders):
        generator = np.random.default_rng(seed)
        # far more than rounding, and far less than scores that differ do
        measure = partial(_jittered, generator=generator)
        sizes.append(grow_greedily(target.tree, ProductDistribution([task.p] * task.n), task.epsilon, measure).size)
    return tuple(sizes)


def _jittered(function: Function, generator: np.random.Generator) -> Floats:
    influences = function.influences
    return influences * (1.0 + 1e-9 * generator.random(len(influences)))
