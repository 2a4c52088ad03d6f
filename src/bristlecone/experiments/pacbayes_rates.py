"""The theory of the PAC-Bayes tree seen: excess risk against the number of rows, where the truth is known.

problem     rows in [0, 1]^D whose chance of class 1 is eta = 1/2 + a f, f Lipschitz (alpha = 1) in the first columns.
            Where rows lie on a surface of d dimensions in [0, 1]^D, the first d columns are its coordinates.
excess      the risk above Bayes's: the mean of 2 |eta - 1/2| over fresh rows that are not answered as Bayes would. No
            label is drawn for it, so that only places are random.
bound       Corollary 1: the excess falls at least as n^-(alpha / (2 alpha + d)). It allows for every Lipschitz truth.
margin      an exponent m: the share of rows with |eta - 1/2| <= t grows as t^m. It makes the excess fall faster, as
            n^-(alpha (1 + m) / (2 alpha + d)) where estimates are as good as can be (Audibert and Tsybakov). Of waves m
            is 1; the rough truth has waves of all lengths, the shorter the lower, and m = 1/4: near the bound.
finest      in the last problem the tree is cut until cells hold one row, and chances lie between 0.3 and 0.7: where a
            leaf is charged less than its errors save, the noise of the last cells is believed, however large n is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bristlecone as bc
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.needs import needed
from bristlecone.experiments.outcomes import grouped, markdown, write_rows
from bristlecone.experiments.pictures import panels, saved
from bristlecone.subtrees import Posterior, fold
from bristlecone.subtrees.ballot import Ballot
from bristlecone.subtrees.helmbold_schapire import labels_of, node_values
from bristlecone.tree import Tree

__all__ = ["EXPERIMENT", "GAP", "PROBLEMS", "Problem", "excess", "rates", "slope"]

NAME = "pacbayes-rates"
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

SHIFT = (math.sqrt(5.0) - 1.0) / 2.0  # no crossing of 1/2 lies on a cut of a dyadic tree
FRESH = 1 << 16
SIZES = tuple(1 << k for k in range(8, 19))
QUICK_SIZES = SIZES[:3]
LATE = 1 << 14  # where slopes are fitted once more
N_STRIPS, CROWDING, STEEP = 11, 0.25, 16.0
QUADRATURE = 1 << 20


def wave(X: Floats) -> Floats:
    """A triangle wave of period 1 in each column, uniform on [-1, 1], multiplied over the columns."""
    product: Floats = (4.0 * np.abs((X + SHIFT) % 1.0 - 0.5) - 1.0).prod(axis=1)
    return product


def rough(X: Floats) -> Floats:
    """Waves of height and length 2^-i in strip i of the first column; strips get narrower by the fourth root of 2.

    At the edges of strips the height falls to 0 with slope `STEEP`, so that the whole is Lipschitz.
    """
    edges = np.concatenate([[0.0], np.cumsum(2.0 ** (-CROWDING * np.arange(N_STRIPS)))])
    edges /= edges[-1]
    strip = np.clip(np.searchsorted(edges, X[:, 0], side="right") - 1, 0, N_STRIPS - 1)
    inside = np.minimum(X[:, 0] - edges[strip], edges[strip + 1] - X[:, 0])
    height: Floats = np.minimum(2.0**-strip, STEEP * inside)
    return height * wave(X * 2.0 ** strip[:, None])


@dataclass(frozen=True, slots=True)
class Problem:
    """dimension: d; columns: D; truth: f, of the first `waves` columns; height: a; margin: the margin exponent."""

    name: str
    dimension: int
    columns: int
    waves: int
    height: float
    truth: Callable[[Floats], Floats] = wave
    margin: float = 1.0

    def rows(self, n: int, rng: np.random.Generator) -> Floats:
        """n rows, (n, D)."""
        places = rng.random((n, self.dimension))
        bent = [
            0.5 + 0.5 * np.sin(2.0 * np.pi * places[:, j % self.dimension] + j)
            for j in range(self.dimension, self.columns)
        ]
        return np.column_stack([places, *bent])

    def eta(self, X: Floats) -> Floats:
        """The chance of class 1 at each row."""
        return 0.5 + self.height * self.truth(X[:, : self.waves])

    @property
    def bayes_risk(self) -> float:
        """By the midpoint rule."""
        side = round(QUADRATURE ** (1.0 / self.waves))
        axes = np.meshgrid(*[(np.arange(side) + 0.5) / side] * self.waves)
        return 0.5 - float(np.abs(self.eta(np.column_stack([axis.ravel() for axis in axes])) - 0.5).mean())

    @property
    def bound(self) -> float:
        """The exponent of Corollary 1, alpha = 1."""
        return -1.0 / (2.0 + self.dimension)


PROBLEMS = (
    Problem("plane", 2, 2, 2, 0.5),
    Problem("rough plane", 2, 2, 2, 0.5, rough, CROWDING),
    Problem("surface in 8 columns", 2, 8, 2, 0.5),
    Problem("cube of 8 dimensions", 8, 8, 2, 0.5),
)
GAP = Problem("finest cells, noise", 1, 1, 1, 0.2)


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


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows to learn from, and fresh ones. lost: what a fresh row costs if it is not answered as Bayes would."""

    X: Floats
    y: NDArray[np.int64]
    fresh: Floats
    right: Mask
    lost: Floats

    @classmethod
    def of(cls, problem: Problem, n: int, rng: np.random.Generator) -> Sample:
        X, fresh = problem.rows(n, rng), problem.rows(FRESH, rng)
        y = (rng.random(n) < problem.eta(X)).astype(np.int64)
        chance = problem.eta(fresh)
        return cls(X, y, fresh, chance > 0.5, 2.0 * np.abs(chance - 0.5))


def excess(sample: Sample, answers: Any) -> float:
    """The excess risk of answers, 0 or 1, to the fresh rows."""
    return float(np.mean(sample.lost * (np.asarray(answers) != sample.right)))


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
