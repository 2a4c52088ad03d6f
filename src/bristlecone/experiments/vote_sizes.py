"""The vote over all prunings of a CART tree beside single prunings of it: error and leaves on real data sets.

Each split draws rows as `pruning_sizes` does. scikit-learn's pruning is chosen among its own alphas by a grid search
with ten folds. The vote is measured as it is by default, and with other choices of its own, to see what helps. A mean
ratio is the mean over data sets, each counted once, and so is its standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import bristlecone as bc
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.outcomes import Outcome, Ratio, grouped, markdown, ratio
from bristlecone.experiments.pictures import panels, saved
from bristlecone.experiments.pruning_sizes import MOST_TESTS, numbered, searched, two_thirds
from bristlecone.experiments.sets import SETS, SHIPPED
from bristlecone.experiments.study import Fitted, Loaded, measured, split_of, study

__all__ = ["EXPERIMENT", "mean_ratio"]

NAME = "vote-sizes"
BASELINE = "1-SE"
PRUNINGS = (BASELINE, "min", "scikit-learn")
VOTE = "vote"


def _vote(**parameters: Any) -> Callable[[Any, Any], Fitted]:
    return lambda X, y: bc.PACBayesTreeClassifier(**parameters).fit(X, y)


OURS: dict[str, Callable[[Any, Any], Fitted]] = {
    BASELINE: lambda X, y: bc.PrunedTreeClassifier(rule="one_se").fit(X, y),
    "min": lambda X, y: bc.PrunedTreeClassifier(rule="min").fit(X, y),
    VOTE: _vote(),
    "vote, 5 folds": _vote(selection_folds=5),
    "vote, 10 folds": _vote(selection_folds=10),
    "vote, leaf_cost 0": _vote(leaf_cost=0.0),
    "vote, leaf_cost 3": _vote(leaf_cost=3.0),
    "vote, leaf_cost cv": _vote(leaf_cost="cv"),
    "vote, 5 folds, leaf_cost cv": _vote(selection_folds=5, leaf_cost="cv"),
    "vote, 10 folds, leaf_cost cv": _vote(selection_folds=10, leaf_cost="cv"),
    "vote, 5 folds, lambda2 1": _vote(selection_folds=5, lambda2=1.0),
    "vote, lambda1 1, lambda2 1": _vote(lambda1=1.0, lambda2=1.0),
    "vote, lambda1 2, lambda2 1": _vote(lambda1=2.0, lambda2=1.0),
    "vote, lambda1 4, lambda2 3": _vote(lambda1=4.0, lambda2=3.0),
}
THEIRS: dict[str, Callable[[Any, Any], Fitted]] = {
    "scikit-learn": partial(searched, folds=10),
    "vote, 5 folds, scikit-learn's tree": _vote(base=DecisionTreeClassifier(random_state=0), selection_folds=5),
}
ALL_SETS = tuple(
    name for name, one in SETS.items() if not one.regression and name not in ("mushroom", "adult", "flights")
)


def outcomes(data: Loaded, asked: Asked) -> Iterator[Outcome]:
    """All methods on all splits of one data set."""
    plain = numbered(data)
    for number in range(asked.splits):
        split = split_of(len(data.y), number, growing=two_thirds(len(data.y)), others=MOST_TESTS)
        yield from measured(data, split, OURS, base="cart", describe=_described)
        yield from measured(plain, split, THEIRS, base="cart")


def _described(model: Any) -> str:
    names = ("lambda1_", "lambda2_", "leaf_cost_", "strength_")
    return " ".join(f"{name}={getattr(model, name):.4g}" for name in names if hasattr(model, name))


def mean_ratio(ratios: Sequence[Ratio]) -> Ratio:
    """The mean of ratios that are numbers, and its standard error over them."""
    values = np.array([one.value for one in ratios if math.isfinite(one.value)])
    if not len(values):
        return Ratio(math.nan, math.nan)
    spread = float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan
    return Ratio(float(values.mean()), spread)


def ratios_of(found: Sequence[Outcome], under: str) -> dict[tuple[str, str], Ratio]:
    """Of each method's error to that of `under`, by (set, method)."""
    errors = {key: [one.error for one in of] for key, of in grouped(found, lambda one: (one.set, one.method)).items()}
    return {key: ratio(of, errors[key[0], under]) for key, of in errors.items()}


def summary(found: Sequence[Outcome]) -> str:
    """Markdown: errors and leaves a set, then each method's mean ratio to each of the prunings."""
    of = grouped(found, lambda one: (one.set, one.method))
    names = list(dict.fromkeys(one.set for one in found))
    shown = (*PRUNINGS, VOTE)
    sets = [[name, *(_cell(of[name, method]) for method in shown)] for name in names]
    over = {under: ratios_of(found, under) for under in PRUNINGS}
    means = []
    for method in dict.fromkeys(one.method for one in found):
        cells = [mean_ratio([over[under][name, method] for name in names]) for under in PRUNINGS]
        sizes = [_leaves(of[name, method]) / _leaves(of[name, BASELINE]) for name in names]
        means.append([method, *cells, f"{np.median(sizes):.2f}"])
    head = ["method", *(f"error over {under}'s" for under in PRUNINGS), f"leaves over {BASELINE}'s, median"]
    return markdown(["set", *shown], sets) + "\n\n" + markdown(head, means)


def _cell(of: Sequence[Outcome]) -> str:
    return f"{np.mean([one.error for one in of]):.2%}, {_leaves(of):,.0f}"


def _leaves(of: Sequence[Outcome]) -> float:
    return float(np.median([one.leaves for one in of]))


def _draw(found: Sequence[Outcome], asked: Asked) -> None:
    names = list(dict.fromkeys(one.set for one in found))
    figure, axes = panels(2, columns=2)
    errors, of = ratios_of(found, BASELINE), grouped(found, lambda one: (one.set, one.method))
    for place, method in enumerate((*PRUNINGS[1:], VOTE)):
        where = np.arange(len(names)) + 0.22 * (place - 1)
        mine = [errors[name, method] for name in names]
        bars = {"fmt": "o", "markersize": 4, "color": f"C{place}", "label": method}
        axes[0].errorbar([one.value for one in mine], where, xerr=[one.error for one in mine], **bars)
        leaves = [_leaves(of[name, method]) for name in names]
        axes[1].plot(leaves, where, "o", markersize=4, color=f"C{place}", label=method)
    at_base = [_leaves(of[name, BASELINE]) for name in names]
    axes[1].plot(at_base, np.arange(len(names)), "|", color="black", markersize=9, label=BASELINE)
    axes[0].axvline(1.0, color="black", linewidth=0.8)
    axes[0].set(xlabel=f"error over {BASELINE}'s")
    axes[1].set(xlabel="leaves", xscale="log")
    for ax, corner in zip(axes, ("upper right", "lower right"), strict=True):
        ax.set_yticks(range(len(names)), names)
        ax.invert_yaxis()
        ax.legend(fontsize=7, loc=corner)
    saved(figure, asked.picture(NAME))


EXPERIMENT = Experiment(
    name=NAME,
    source="docs/vote.md: the vote over the prunings of a CART tree beside single prunings, on fifteen real sets",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=study(NAME, outcomes, summary, _draw),
    sets=ALL_SETS,
    quick_sets=SHIPPED,
    splits=20,
)
