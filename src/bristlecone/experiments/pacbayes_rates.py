"""The theory of the PAC-Bayes tree seen: excess risk against the number of rows, where the truth is known.

finest      in the last problem the tree is cut until cells hold one row, and chances lie between 0.3 and 0.7: where a
            leaf is charged less than its errors save, the noise of the last cells is believed, however large n is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import bristlecone as bc
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.needs import needed
from bristlecone.experiments.outcomes import grouped, markdown, write_rows
from bristlecone.experiments.pictures import panels, saved
from bristlecone.experiments.truths import GAP, PROBLEMS, Problem, Sample, excess
from bristlecone.subtrees import Posterior, fold
from bristlecone.subtrees.ballot import Ballot
from bristlecone.subtrees.helmbold_schapire import labels_of, node_values
from bristlecone.tree import Tree

__all__ = ["EXPERIMENT", "rates", "slope"]

NAME = "pacbayes-rates"

SIZES = tuple(1 << k for k in range(8, 19))
QUICK_SIZES = SIZES[:3]
LATE = 1 << 14  # where slopes are fitted once more


@dataclass(frozen=True, slots=True)
class Rate:
    """One sample. excess: of the method's answers; bayes: the Bayes risk."""

    problem: str
    dimension: int
    columns: int
    rows: int
    repeat: int
    method: str
    excess: float
    bayes: float


def _by_node(sample: Sample, tree: Tree, label: Any) -> float:
    """The excess of the classes that the nodes answer to the rows which stop there."""
    return excess(sample, np.asarray(tree.classes)[label[tree.apply(sample.fresh)]])


def _best_in_truth(sample: Sample) -> float:
    """The least excess of any pruning, by the fresh rows themselves."""
    tree = bc.grow.dyadic(sample.X, sample.y)
    at, classes = tree.apply(sample.fresh), np.asarray(tree.classes)
    costs = np.zeros(tree.n_nodes)
    for answer in range(tree.n_classes):
        missed = sample.lost * (sample.right != classes[answer])
        running = np.concatenate([[0.0], np.cumsum(np.bincount(at, missed, tree.n_nodes))])
        costs += (tree.label == answer) * (running[tree.subtree_end] - running[:-1])
    return float(fold(tree, costs, semiring="min").total) / len(sample.fresh)


def _pruning(sample: Sample) -> float:
    chosen = bc.PrunedTreeClassifier(base="dyadic", penalty="leaves", rule="min", cv=2)
    return excess(sample, chosen.fit(sample.X, sample.y).predict(sample.fresh))


def _vote(sample: Sample) -> float:
    return excess(sample, bc.PACBayesTreeClassifier(base="dyadic").fit(sample.X, sample.y).predict(sample.fresh))


def _of_posterior(sample: Sample, posterior: Posterior) -> float:
    return _by_node(sample, posterior.tree, Ballot.of(posterior.tree, posterior.weighing).labels())


def _in_theory(sample: Sample, **limits: Any) -> float:
    """The posterior of Theorem 1: the tree from one half, the weights from the other."""
    half = len(sample.y) // 2
    tree = bc.grow.dyadic(sample.X[:half], sample.y[:half], **limits)
    if tree.n_classes < 2:
        return excess(sample, np.full(len(sample.fresh), sample.y[0]))
    counts = bc.subtrees.count(tree, sample.X[half:], sample.y[half:])
    return _of_posterior(sample, bc.subtrees.theoretical_posterior(tree, lam=1.0, delta=0.05, counts=counts))


def _finest(sample: Sample) -> Tree:
    return bc.grow.dyadic(sample.X, sample.y, **_deep(sample))


def _deep(sample: Sample) -> dict[str, Any]:
    return {"max_depth": 3 * math.ceil(math.log2(len(sample.y))), "ranges": [[0.0, 1.0]]}


def _weighed(**parameters: Any) -> Callable[[Sample], float]:
    def measure(sample: Sample) -> float:
        return _of_posterior(sample, bc.subtrees.pac_bayes_posterior(_finest(sample), **parameters))

    return measure


def _helmbold_schapire(sample: Sample) -> float:
    tree = _finest(sample)
    posterior = bc.subtrees.helmbold_schapire_posterior(tree, beta=0.5, empty="parent")
    return _by_node(sample, tree, labels_of(posterior, node_values(tree, "parent")))


Methods = Mapping[str, Callable[[Sample], float]]
METHODS: Methods = {
    "best pruning, in truth": _best_in_truth,
    "pruning": _pruning,
    "vote": _vote,
    "vote, as in theory": _in_theory,
}
GAP_METHODS: Methods = {
    "e^-errors": _weighed(lambda1=1.0, lambda2=0.0, prior="uniform"),
    "e^-(errors + leaves)": _weighed(lambda1=1.0, lambda2=0.0),
    "Helmbold-Schapire, beta 1/2": _helmbold_schapire,
    "with Delta: lambda1 = lambda2 = 1": _weighed(lambda1=1.0, lambda2=1.0),
    "vote, as in theory": lambda sample: _in_theory(sample, **_deep(sample)),
}


def rates(problem: Problem, methods: Methods, sizes: Sequence[int], repeats: int) -> Iterator[Rate]:
    """Every method on every sample."""
    bayes = problem.bayes_risk
    for n in sizes:
        for repeat in range(repeats):
            sample = Sample.of(problem, n, np.random.default_rng([problem.columns, problem.dimension, n, repeat]))
            same = (problem.name, problem.dimension, problem.columns, n, repeat)
            for method, measure in methods.items():
                yield Rate(*same, method, measure(sample), bayes)


def means(found: Sequence[Rate]) -> dict[int, float]:
    """The mean excess by the number of rows."""
    return {n: float(np.mean([one.excess for one in of])) for n, of in grouped(found, lambda one: one.rows).items()}


def slope(of: Mapping[int, float]) -> float:
    """The exponent of n that fits mean excesses best, by least squares on log axes; nan where one is zero."""
    n, risk = np.array(list(of)), np.array(list(of.values()))
    if len(n) < 2 or (risk <= 0).any():
        return math.nan
    return float(np.polyfit(np.log(n), np.log(risk), 1)[0])


def summary(found: Sequence[Rate]) -> str:
    """A Markdown table: the excess of each method on each problem, its slope, and the slope of the bound."""
    bounds = {problem.name: problem.bound for problem in (*PROBLEMS, GAP)}
    sizes = sorted({one.rows for one in found})
    shown = sorted({sizes[0], sizes[len(sizes) // 2], sizes[-1]})
    rows = []
    for (problem, method), of in grouped(found, lambda one: (one.problem, one.method)).items():
        mean = means(of)
        cells = [f"{mean[n]:.5f}" for n in shown]
        late = {n: risk for n, risk in mean.items() if n >= LATE}
        rows.append([problem, method, *cells, *(f"{one:.2f}" for one in (slope(mean), slope(late), bounds[problem]))])
    head = ["problem", "method", *(f"{n:,} rows" for n in shown), "slope", f"from {LATE:,}", "of the bound"]
    return markdown(head, rows)


def _draw(found: Sequence[Rate], asked: Asked) -> None:
    problems = grouped(found, lambda one: one.problem)
    bounds = {problem.name: problem.bound for problem in (*PROBLEMS, GAP)}
    figure, axes = panels(len(problems), columns=3)
    for ax, (problem, of) in zip(axes, problems.items(), strict=True):
        for method, mine in grouped(of, lambda one: one.method).items():
            mean = {n: risk for n, risk in means(mine).items() if risk > 0}
            ax.loglog(list(mean), list(mean.values()), marker="o", markersize=3, label=method)
        n = np.array(sorted({one.rows for one in of}), dtype=float)
        top = max(one.excess for one in of)
        ax.loglog(n, top * (n / n[0]) ** bounds[problem], "k:", label=f"n^{bounds[problem]:.2f}, the bound")
        ax.set(title=problem, xlabel="rows", ylabel="excess risk")
        ax.legend(fontsize=7)
    saved(figure, asked.picture(NAME))


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    needed("matplotlib")
    sizes = QUICK_SIZES if asked.quick else SIZES
    found: list[Rate] = []
    for problem in PROBLEMS:
        found += rates(problem, METHODS, sizes, asked.splits)
        asked.say(f"{problem.name} done")
    found += rates(GAP, GAP_METHODS, sizes, asked.splits)
    write_rows(asked.table(NAME), found)
    _draw(found, asked)
    return summary(found)


EXPERIMENT = Experiment(
    name=NAME,
    source="Nguyen and Kpotufe, NeurIPS 2018, Theorem 1 and Corollary 1: excess risk where the truth is known",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=5,
)
