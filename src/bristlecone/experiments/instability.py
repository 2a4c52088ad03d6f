"""How unstable trees are: the theory page's "15-30 % disagreement" of deep trees on real data sets. SPEC B4.

The page gives no B and no data. Here B models of bootstrap samples answer rows that none of them saw: the share of rows
on which some two differ, which can only rise with B, and the share on which two of them differ on average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

import bristlecone.estimators as estimators
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.experiments.study import loaded
from bristlecone.stability import disagreement
from bristlecone.table.rows import take_rows

__all__ = ["EXPERIMENT", "Found", "draw", "study", "text"]

NAME = "instability"
ELEVEN = (
    *("spam", "eeg", "crowd", "wine quality", "digits", "letter", "bank", "adult", "mushroom", "covertype"),
    "tumours",
)

DEEP, PRUNED, FOREST = "whole tree", "pruned tree", "forest"
SIZES = (2, 5, 25, 100)
MOST_ROWS, MOST_TESTS = 4000, 2000

Data = tuple[str, Any, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """The disagreement of one kind of model on one data set, of n_bootstraps models."""

    data: str
    model: str
    n_bootstraps: int
    any: float
    pairwise: float
    root_columns: int
    leaves: float
    error: float


def study(sets: Iterable[Data], sizes: Sequence[int] = SIZES, forest: Callable[[], Any] | None = None) -> list[Found]:
    """Every model on every set. sets: (name, X, y), X a frame or an array.

    forest: makes one, for scale, where X is numbers; the last but one of the sizes is enough for it.
    """
    found: list[Found] = []
    for name, X, y in sets:
        order = np.random.default_rng(0).permutation(len(y))[: MOST_ROWS + MOST_TESTS]
        n_test = min(MOST_TESTS, len(order) // 3)
        test, growing = order[:n_test], order[n_test:]
        models: dict[str, Any] = {
            DEEP: estimators.DecisionTreeClassifier(),
            PRUNED: estimators.PrunedTreeClassifier(),
        }
        if forest is not None and np.asarray(X).dtype.kind in "iuf":
            models[FOREST] = forest()
        for kind, model in models.items():
            parts = (take_rows(X, growing), y[growing], take_rows(X, test))
            error = float(np.mean(model.fit(*parts[:2]).predict(parts[2]) != y[test]))
            for n in {DEEP: sizes, PRUNED: sizes[-1:]}.get(kind, sizes[-2:-1]):
                one = disagreement(model, *parts[:2], X_test=parts[2], n_bootstraps=n, random_state=0, n_jobs=2)
                leaves = float(np.mean(one.n_leaves)) if one.n_leaves else np.nan
                found.append(Found(name, kind, n, one.any, one.pairwise, len(one.columns), leaves, error))
    return found


def text(found: Sequence[Found]) -> str:
    """A Markdown table, a row a data set: shares of rows on which models differ."""
    sizes = sorted({one.n_bootstraps for one in found})
    heads = [*(f"some two of {n}" for n in sizes), "two", "roots"]
    heads += [f"{PRUNED}: some two of {sizes[-1]}", "two", f"{FOREST}: some two of {sizes[-2]}", "two"]
    lines = ["| data | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for data in dict.fromkeys(one.data for one in found):
        of = {(one.model, one.n_bootstraps): one for one in found if one.data == data}
        whole, pruned, forest = of[DEEP, sizes[-1]], of[PRUNED, sizes[-1]], of.get((FOREST, sizes[-2]))
        cells = [f"{of[DEEP, n].any:.0%}" for n in sizes]
        cells += [f"{whole.pairwise:.1%}", str(whole.root_columns)]
        for one in (pruned, forest):
            cells += ["", ""] if one is None else [f"{one.any:.0%}", f"{one.pairwise:.1%}"]
        lines.append(f"| {data} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw(found: Sequence[Found], axes: Sequence[Any]) -> None:
    """The share of rows on which some two whole trees differ, against B; the pairwise shares of all kinds of models."""
    names = list(dict.fromkeys(one.data for one in found))
    for k, name in enumerate(names):
        of = [one for one in found if (one.data, one.model) == (name, DEEP)]
        style = ".-" if k < 10 else ".:"  # there are ten colours
        axes[0].plot([one.n_bootstraps for one in of], [one.any for one in of], style, label=name)
    axes[0].axhspan(0.15, 0.30, color="0.9", label="the page's 15-30%")
    axes[0].set(xscale="log", xlabel="bootstrap models B", ylabel="rows on which some two differ", title=DEEP)
    axes[0].legend(fontsize="xx-small")
    for kind, marker in ((DEEP, "o"), (PRUNED, "s"), (FOREST, "^")):
        shares = {one.data: one.pairwise for one in found if one.model == kind}  # of the most models, which come last
        axes[1].plot([shares.get(name, np.nan) for name in names], range(len(names)), marker, label=kind)
    axes[1].set(xlabel="rows on which two differ", yticks=range(len(names)), yticklabels=names)
    axes[1].legend(fontsize="x-small")


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    needed("matplotlib")
    sets = ((data.name, data.X, data.y) for data in loaded(asked))
    found = study(sets, (2, 5) if asked.quick else SIZES, partial(RandomForestClassifier, 30, random_state=0))
    keep(asked, NAME, found, draw, 2)
    return text(found)


EXPERIMENT = Experiment(
    name=NAME,
    source="docs/stability.md: how far trees of bootstrap samples differ, on eleven real sets",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=1,
    sets=ELEVEN,
    quick_sets=("iris", "tumours"),
)
