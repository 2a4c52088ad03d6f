"""How `fit` grows a tree and chooses its size."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.made import Vote
from bristlecone.cli.options import Certify, FitOptions, Prune, Risk, Task
from bristlecone.cli.sample import Sample
from bristlecone.cli.target import Target
from bristlecone.grow.cart import thread_count
from bristlecone.grow.criteria import Criterion
from bristlecone.grow.limits import Limits
from bristlecone.subtrees import Pessimistic, cheapest_pruning, pac_bayes_posterior
from bristlecone.subtrees.cut import places_in
from bristlecone.subtrees.folds import Fold, Rows, rounds
from bristlecone.subtrees.selection import (
    AXES,
    Choice,
    Growth,
    Searched,
    pac_bayes_labels,
    select,
    select_strengths,
    vote_tree,
)
from bristlecone.subtrees.summary import PruningTable
from bristlecone.tree import Tree

RULES = {Prune.ONE_SE: "one_se", Prune.MIN: "min"}
FOLDS = 10
VOTE_FOLDS = 2
CONFIDENCE = 0.25


@dataclasses.dataclass(frozen=True, slots=True)
class Sized:
    """A tree of chosen size. grown: leaves before pruning; table: what there was to choose from, if one was made; vote:
    where the tree is the vote of all prunings; bounded: "vote" or "pruning", where a bound chose it; weights: of a
    vote, the share of it that stops at each node."""

    tree: Tree
    grown: int
    table: PruningTable | None = None
    vote: Vote | None = None
    bounded: str = ""
    weights: NDArray[np.float64] | None = None


def check_size(options: FitOptions, target: Target) -> None:
    """Raise `Fault` for words about size that do not go together, or not with the target."""
    by_cv = options.prune in RULES
    for flag, value in (("--folds", options.folds), ("--risk", options.risk)):
        if value is not None and not by_cv:
            raise Fault(f"{flag} goes with --prune one-se or min; here it is {options.prune.value}")
    if options.vote:
        _check_vote(options, target)
    if options.confidence is not None and options.prune is not Prune.PESSIMISTIC:
        raise Fault(f"--confidence goes with --prune pessimistic; here it is {options.prune.value}")
    if options.confidence in (0.0, 1.0):
        raise Fault(f"--confidence {options.confidence:g} must lie between 0 and 1")
    if target.task is Task.REGRESSION:
        asked = "--prune pessimistic" if options.prune is Prune.PESSIMISTIC else "--risk misclassification"
        if options.prune is Prune.PESSIMISTIC or options.risk is Risk.MISCLASSIFICATION:
            raise Fault(f"{asked} counts wrong answers; {quoted(target.name)} is a number ({target.reason})")
    _check_radius(options, target)
    if options.certify is Certify.PAC_BAYES:
        _check_pac_bayes(options, target)
    if options.group is not None and options.time is not None:
        raise Fault("--group and --time are both given: rows are held out by group, or the last ones")


def _check_radius(options: FitOptions, target: Target) -> None:
    if options.radius is None:
        return
    if not math.isfinite(options.radius):
        raise Fault(f"--radius {options.radius:g} must be finite")
    if target.task is Task.CLASSIFICATION:
        raise Fault(f"--radius is for numbers; {quoted(target.name)} holds classes ({target.reason})")
    if options.certify is Certify.NONE:
        raise Fault("--radius is what a certificate speaks of; --certify none asks for none")


def _check_pac_bayes(options: FitOptions, target: Target) -> None:
    if options.prune is not Prune.ONE_SE:
        raise Fault(
            f"--certify pac-bayes chooses the pruning by its bound; here --prune {options.prune.value} is given"
        )
    for flag, value in (("--folds", options.folds), ("--risk", options.risk)):
        if value is not None:
            raise Fault(f"{flag} goes with cross-validation, and --certify pac-bayes chooses by the bound")
    if target.task is Task.REGRESSION and options.radius is None:
        raise Fault(
            f"{quoted(target.name)} is a number ({target.reason}): for --certify pac-bayes --radius says how far off "
            "an answer may be"
        )
    if options.weights is not None:
        raise Fault("--certify pac-bayes counts independent rows; --weights cannot be given with it")
    if options.holdout == 0.0:
        raise Fault("--certify pac-bayes weighs by the rows held out; --holdout 0 holds none out")


def _check_vote(options: FitOptions, target: Target) -> None:
    if options.prune is not Prune.ONE_SE:
        raise Fault(f"--vote takes the place of --prune; here both are given (--prune {options.prune.value})")
    if options.risk is not None:
        raise Fault("--risk goes with --prune; a vote counts errors")
    if target.task is Task.REGRESSION:
        raise Fault(f"--vote is over classes; {quoted(target.name)} is a number ({target.reason})")


def grow_to_size(sample: Sample, target: Target, options: FitOptions) -> Sized:
    """Grow the whole tree and take the pruning that the options ask for. Raises `Fault` where folds cannot be made."""
    growth = growth_of(sample, target, options)
    if options.vote or options.prune is Prune.PESSIMISTIC:
        growth = growth.in_rows()
    tree = growth.tree()
    if options.vote:
        return _voted(growth, tree, sample, options)
    if options.prune is Prune.NONE:
        return Sized(tree, tree.n_leaves)
    if options.prune is Prune.PESSIMISTIC:
        confidence = CONFIDENCE if options.confidence is None else options.confidence
        return Sized(cheapest_pruning(tree, Pessimistic(confidence)), tree.n_leaves)
    folds = _dealer(_fold_count(sample, options, FOLDS), sample, options)
    risk = options.risk
    if risk is None:
        risk = Risk.MISCLASSIFICATION if target.task is Task.CLASSIFICATION else Risk.IMPURITY
    choice = Choice(rule=RULES[options.prune], risk=risk.value)
    selection = select(growth, tree, choice, folds, thread_count(options.n_jobs))
    return Sized(selection.tree, tree.n_leaves, selection.table if selection.cv is not None else None)


def _dealer(n_folds: int, sample: Sample, options: FitOptions) -> Callable[[Rows], Sequence[Sequence[Fold]]]:
    def folds(rows: Rows) -> Sequence[Sequence[Fold]]:
        return rounds(n_folds, rows, groups=sample.group, time=sample.time, seed=options.seed)

    return folds


def _voted(growth: Growth, tree: Tree, sample: Sample, options: FitOptions) -> Sized:
    """The vote of all prunings as a tree."""
    n_folds = _fold_count(sample, options, VOTE_FOLDS)
    axes = [AXES["lambda1"], AXES["lambda2"]]
    searched = select_strengths(
        growth,
        pac_bayes_labels,
        _dealer(n_folds, sample, options),
        {"lambda1": 1.0, "lambda2": 1.0, "leaf_cost": 1.0},
        axes,
        n_threads=thread_count(options.n_jobs),
    )
    chosen = dict(searched.chosen)
    labels = pac_bayes_labels(tree, {name: np.array([value]) for name, value in chosen.items()})[:, 0]
    posterior = pac_bayes_posterior(tree, **chosen)
    risk = _risk_at(searched) if len(searched.risk) else None
    voted = vote_tree(tree, labels)
    vote = Vote(chosen, risk, searched.n_folds, posterior.expected_leaves)
    return Sized(voted, tree.n_leaves, vote=vote, weights=posterior.weights[places_in(tree, voted)])


def _risk_at(searched: Searched) -> float:
    """The risk of the chosen point, which was tried."""
    at = np.all([searched.tried[name] == value for name, value in searched.chosen.items()], axis=0)
    return float(searched.risk[np.flatnonzero(at)[-1]])


def _fold_count(sample: Sample, options: FitOptions, default: int) -> int:
    """As many folds as were asked for; else the default, or what there is."""
    role = "group" if sample.group is not None else "time"
    marks = sample.group if sample.group is not None else sample.time
    if marks is None:
        return options.folds or default
    n_different = len(np.unique(marks))
    most = n_different - (role == "time")  # the first stretch of time is never held out
    wanted = options.folds or max(2, min(default, most))
    if wanted > most:
        least = wanted + (role == "time")
        raise Fault(
            f"{role} {quoted(getattr(options, role))} has {n_different} different value(s) among the rows to grow on; "
            f"{wanted} folds need at least {least}"
        )
    return wanted


def growth_of(sample: Sample, target: Target, options: FitOptions) -> Growth:
    """Return all that makes the whole tree of a sample."""
    criterion = options.criterion
    if criterion is None:
        criterion = Criterion.GINI if target.task is Task.CLASSIFICATION else Criterion.SQUARED_ERROR
    rules = Limits(
        max_depth=options.max_depth,
        max_leaf_nodes=options.max_leaf_nodes,
        min_samples_split=options.min_samples_split,
        min_samples_leaf=options.min_samples_leaf,
    ).values()
    given: dict[str, Any] = {
        "criterion": criterion.value,
        "missing": options.missing.value,
        "unseen": options.unseen.value,
        "n_runners": options.runners,
        "n_jobs": options.n_jobs,
        "monotonic_cst": None,
    }
    return Growth(sample.table, sample.y, sample.weight, rules, given)
