"""How `fit` grows a tree and chooses its size."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.options import FitOptions, Prune, Risk, Task
from bristlecone.cli.sample import Sample
from bristlecone.cli.target import Target
from bristlecone.grow.cart import thread_count
from bristlecone.grow.criteria import Criterion
from bristlecone.grow.limits import Limits
from bristlecone.subtrees import Pessimistic, cheapest_pruning
from bristlecone.subtrees.folds import Fold, Rows, rounds
from bristlecone.subtrees.selection import Choice, Growth, select
from bristlecone.subtrees.summary import PruningTable
from bristlecone.tree import Tree

RULES = {Prune.ONE_SE: "one_se", Prune.MIN: "min"}
FOLDS = 10
CONFIDENCE = 0.25


@dataclasses.dataclass(frozen=True, slots=True)
class Sized:
    """A tree of chosen size. grown: leaves before pruning; table: what there was to choose from, if one was made."""

    tree: Tree
    grown: int
    table: PruningTable | None = None


def check_size(options: FitOptions, target: Target) -> None:
    """Raise `Fault` for words about size that do not go together, or not with the target."""
    by_cv = options.prune in RULES
    for flag, value in (("--folds", options.folds), ("--risk", options.risk)):
        if value is not None and not by_cv:
            raise Fault(f"{flag} goes with --prune one-se or min; here it is {options.prune.value}")
    if options.confidence is not None and options.prune is not Prune.PESSIMISTIC:
        raise Fault(f"--confidence goes with --prune pessimistic; here it is {options.prune.value}")
    if options.confidence in (0.0, 1.0):
        raise Fault(f"--confidence {options.confidence:g} must lie between 0 and 1")
    if target.task is Task.REGRESSION:
        asked = "--prune pessimistic" if options.prune is Prune.PESSIMISTIC else "--risk misclassification"
        if options.prune is Prune.PESSIMISTIC or options.risk is Risk.MISCLASSIFICATION:
            raise Fault(f"{asked} counts wrong answers; {quoted(target.name)} is a number ({target.reason})")
    if options.group is not None and options.time is not None:
        raise Fault("--group and --time are both given: rows are held out by group, or the last ones")


def grow_to_size(sample: Sample, target: Target, options: FitOptions) -> Sized:
    """Grow the whole tree and take the pruning that the options ask for. Raises `Fault` where folds cannot be made."""
    growth = _growth(sample, target, options)
    tree = growth.tree()
    if options.prune is Prune.NONE:
        return Sized(tree, tree.n_leaves)
    if options.prune is Prune.PESSIMISTIC:
        confidence = CONFIDENCE if options.confidence is None else options.confidence
        return Sized(cheapest_pruning(tree, Pessimistic(confidence)), tree.n_leaves)
    n_folds = _fold_count(sample, options)

    def folds(rows: Rows) -> Sequence[Sequence[Fold]]:
        return rounds(n_folds, rows, groups=sample.group, time=sample.time, seed=options.seed)

    risk = options.risk
    if risk is None:
        risk = Risk.MISCLASSIFICATION if target.task is Task.CLASSIFICATION else Risk.IMPURITY
    choice = Choice(rule=RULES[options.prune], risk=risk.value)
    selection = select(growth, tree, choice, folds, thread_count(options.n_jobs))
    return Sized(selection.tree, tree.n_leaves, selection.table if selection.cv is not None else None)


def _fold_count(sample: Sample, options: FitOptions) -> int:
    """As many folds as were asked for; else ten, or what there is."""
    role = "group" if sample.group is not None else "time"
    marks = sample.group if sample.group is not None else sample.time
    if marks is None:
        return options.folds or FOLDS
    n_different = len(np.unique(marks))
    most = n_different - (role == "time")  # the first stretch of time is never held out
    wanted = options.folds or max(2, min(FOLDS, most))
    if wanted > most:
        least = wanted + (role == "time")
        raise Fault(
            f"{role} {quoted(getattr(options, role))} has {n_different} different value(s) among the rows to grow on; "
            f"{wanted} folds need at least {least}"
        )
    return wanted


def _growth(sample: Sample, target: Target, options: FitOptions) -> Growth:
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
