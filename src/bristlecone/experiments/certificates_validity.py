"""Whether certificates hold: many draws of rows from known truths, and how often each bound lies below the error.

problem     two columns of whole numbers, all pairs alike, and the chance of each class at every pair: the error of any
            predictor is then a sum, not an estimate.
truth       the error of the predictor that the certificate names.
invalid     the growing rows weigh again, as they must not: such bounds have to fail, or the trial could not tell.
uncharged   what is not a certificate, and stands beside those that are: the least of several bounds, or the best of
            fifty draws, without the share of delta that it costs to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import bristlecone as bc
from bristlecone.certify import WeighedTree, drawn_bound, gibbs_bound, holdout, pruning_bound, weigh, weigh_cells
from bristlecone.certify.losses import Misclassification
from bristlecone.certify.priors import family
from bristlecone.certify.rows import NodeLosses, node_losses, units_of
from bristlecone.certify.search import Prunings, search
from bristlecone.certify.vertices import least_bound
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.outcomes import grouped, markdown, write_rows
from bristlecone.subtrees import cut
from bristlecone.subtrees.evidence import Stops
from bristlecone.tree import Tree

__all__ = ["EXPERIMENT", "PROBLEMS", "Counted", "Problem", "Trial", "summary", "trials"]

NAME = "certificates-validity"

DELTA = 0.05
ROWS = 400
SIDE = 12
DRAWS = 50
CELL_DEPTH = 8

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Problem:
    """chances: the chance of each class at places (n, 2), (n, K)."""

    name: str
    chances: Callable[[Floats], Floats]

    @property
    def places(self) -> Floats:
        """All places, each as likely as any other, (SIDE^2, 2)."""
        return np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), axis=-1).reshape(-1, 2).astype(np.float64)

    def rows(self, n: int, rng: np.random.Generator) -> tuple[Floats, Ints]:
        """n rows and their labels."""
        places = self.places
        X = places[rng.integers(0, len(places), n)]
        cumulative = np.cumsum(self.chances(X), axis=1)
        y: Ints = (rng.random(n)[:, None] > cumulative).sum(axis=1).astype(np.int64)
        return X, y


def _two(chance: Floats) -> Floats:
    return np.column_stack([1 - chance, chance])


def _step(X: Floats) -> Floats:
    return _two(np.where(X[:, 0] >= SIDE / 2, 0.85, 0.15))


def _noise(X: Floats) -> Floats:
    return _two(np.full(len(X), 0.5))


def _squares(X: Floats) -> Floats:
    right = (X[:, 0] >= SIDE / 2).astype(int) + (X[:, 1] >= SIDE / 3).astype(int)
    return np.where(np.arange(3) == right[:, None], 0.8, 0.1)


PROBLEMS = (Problem("step", _step), Problem("noise", _noise), Problem("three classes", _squares))


@dataclass(frozen=True, slots=True)
class Trial:
    """One bound of one draw, and the error that it is about."""

    problem: str
    draw: int
    kind: str
    bound: float
    truth: float


@dataclass(frozen=True, slots=True)
class Counted:
    """violations: draws whose bound lay below the truth; ratio: the median of bound over truth."""

    problem: str
    kind: str
    draws: int
    violations: int
    ratio: float


def trials(problem: Problem, draws: int) -> Iterator[Trial]:
    """Every bound of so many draws of `ROWS` rows, half of which grow where a tree is grown."""
    for draw in range(draws):
        rng = np.random.default_rng([PROBLEMS.index(problem), draw])
        X, y = problem.rows(ROWS, rng)
        for kind, bound, truth in _bounds(problem, X, y, draw):
            yield Trial(problem.name, draw, kind, bound, truth)


def summary(found: Iterable[Trial]) -> list[Counted]:
    """Violations and median ratios by problem and kind."""
    groups = grouped(found, lambda trial: (trial.problem, trial.kind))
    return [
        Counted(
            problem,
            kind,
            len(of),
            sum(trial.bound < trial.truth * (1 - 1e-12) for trial in of),
            float(np.median([trial.bound / trial.truth for trial in of])),
        )
        for (problem, kind), of in groups.items()
    ]


Bound = tuple[str, float, float]


def _bounds(problem: Problem, X: Floats, y: Ints, seed: int) -> Iterator[Bound]:
    half = len(y) // 2
    tree = bc.grow.cart(X[:half], y[:half])
    weighed = weigh(tree, X[half:], y[half:], delta=DELTA)
    yield from _of_weighed(problem, weighed, seed)
    yield from _of_cells(problem, X, y)
    yield from _invalid(problem, tree, X[:half], y[:half])
    most = len(y) * 4 // 5
    model = bc.PrunedTreeClassifier(cv=3, rule="min").fit(X[:most], y[:most])
    yield "hold-out", holdout(y[most:], model.predict(X[most:]), delta=DELTA).value, _risk(problem, model.tree_)


def _of_weighed(problem: Problem, weighed: WeighedTree, seed: int) -> Iterator[Bound]:
    truth = weighed.posterior.risks_at(_true_stops(problem, weighed.tree))
    yield "gibbs, kl", weighed.gibbs().value, truth.gibbs
    yield "gibbs, lambda", weighed.gibbs(kind="lambda").value, truth.gibbs
    kinds = {kind: weighed.vote(kind=kind).value for kind in weighed._vote_kinds}
    for kind, value in kinds.items():
        yield f"vote, {kind}", value, truth.vote
    yield "vote, least", weighed.vote().value, truth.vote
    yield "vote, least, uncharged", min(kinds.values()), truth.vote
    pruned = _risk(problem, weighed.pruned)
    yield "pruned", weighed.of_pruning().value, pruned
    one = replace(weighed, n_priors=1)
    yield "pruned, priors uncharged", one.of_pruning().value, pruned
    first, best = weighed.drawn(seed), weighed.drawn(seed, draws=DRAWS)
    yield "drawn", first.certificate.value, _risk(problem, cut(weighed.tree, first.leaves))
    truth_of_best = _risk(problem, cut(weighed.tree, best.leaves))
    yield f"drawn, best of {DRAWS}", best.certificate.value, truth_of_best
    said = best.certificate
    logs = (said.details["log_posterior"], said.details["log_prior"])
    uncharged = drawn_bound(said.observed, *logs, said.n, DELTA / weighed.n_priors)
    yield f"drawn, best of {DRAWS}, uncharged", uncharged, truth_of_best


def _of_cells(problem: Problem, X: Floats, y: Ints) -> Iterator[Bound]:
    """All rows certify cells that none of them has shaped."""
    n_classes = problem.chances(problem.places[:1]).shape[1]
    ranges = [[-0.5, SIDE - 0.5]] * 2
    cells = weigh_cells(X, y, ranges=ranges, max_depth=CELL_DEPTH, classes=range(n_classes), delta=DELTA)
    chances, shares = problem.chances(problem.places), cells.predict_proba(problem.places)
    answers = cells.predict(problem.places)
    yield "cells, gibbs", cells.gibbs().value, float((chances * (1 - shares)).sum(axis=1).mean())
    yield "cells, vote", cells.vote().value, float(1 - chances[np.arange(len(chances)), answers].mean())


def _invalid(problem: Problem, tree: Tree, X: Floats, y: Ints) -> Iterator[Bound]:
    """The growing rows weigh again."""
    losses = _losses(tree, X, y)
    priors = family(tree)
    found = search([Prunings(losses, prior) for prior in priors], DELTA)
    truth = found.posterior.risks_at(_true_stops(problem, tree))
    shared = DELTA / len(priors)
    yield "invalid: gibbs", gibbs_bound(found.observed, found.kl, len(y), shared), truth.gibbs
    pruning = least_bound(losses, priors, DELTA)
    bound = pruning_bound(pruning.observed, pruning.log_prior, len(y), shared)
    yield "invalid: pruned", bound, _risk(problem, cut(tree, pruning.leaves))


def _losses(tree: Tree, X: Floats, y: Ints) -> NodeLosses:
    risk = Misclassification()
    return node_losses(tree, tree.apply(X), y, risk, units_of(y, risk, groups=None, corrupted=0.0))


def _true_stops(problem: Problem, tree: Tree) -> Stops:
    """Where places stop, and the chance of each class there."""
    places = problem.places
    chances = problem.chances(places) / len(places)
    at = np.zeros((tree.n_nodes, chances.shape[1]))
    np.add.at(at, tree.apply(places), chances)
    node, label = np.nonzero(at)
    ptr = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=tree.n_nodes))])
    return Stops(ptr, label.astype(np.int32), at[node, label])


def _risk(problem: Problem, tree: Tree) -> float:
    """The error of a tree."""
    places = problem.places
    chances = problem.chances(places)
    answers = tree.predict(places).astype(int)
    return float(1 - chances[np.arange(len(places)), answers].mean())


def by_kind(counted: Sequence[Counted]) -> dict[str, list[Counted]]:
    """The same, by kind."""
    return grouped(counted, lambda one: one.kind)


def table(counted: Sequence[Counted]) -> str:
    """A Markdown table: violations, and the median ratio, by kind and problem."""
    names = list(dict.fromkeys(one.problem for one in counted))
    rows = []
    for kind, of in by_kind(counted).items():
        at = {one.problem: f"{one.violations:,}, {one.ratio:.2f}" for one in of}
        rows.append([kind, *(at.get(name, "") for name in names)])
    return markdown(["bound", *names], rows)


def run(asked: Asked) -> str:
    """Count on every problem, and write what was counted."""
    found: list[Trial] = []
    for problem in PROBLEMS:
        found += trials(problem, asked.splits)
        asked.say(f"{problem.name} done")
    counted = summary(found)
    write_rows(asked.table(NAME), counted)
    return table(counted)


EXPERIMENT = Experiment(
    name=NAME,
    source="docs/certificates.md: how often bounds lie below errors that are known, and what invalid ones do",
    writes=(f"{NAME}.csv",),
    run=run,
    splits=2000,
    quick_splits=3,
)
