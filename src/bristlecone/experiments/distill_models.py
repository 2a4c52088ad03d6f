"""Distilled trees of fitted models beside the usual surrogate, on rows that neither has seen.

usual       the surrogate that people make: a CART tree of as many leaves on the model's answers to the training rows.
fidelity    of a tree: the share of the other rows that it answers as the model does.
limit       the certified one, from training rows that `distill` puts aside: it knows nothing of the other rows.
cell        one model and one number of leaves, over all splits.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.experiments.outcomes import grouped, markdown
from bristlecone.experiments.resumed import finish, resumed
from bristlecone.experiments.study import Loaded, loaded, split_of
from bristlecone.grow import cart
from bristlecone.query import Oracle, distill

__all__ = ["EXPERIMENT", "Cell", "Distillation", "cells", "distilled"]

NAME = "distill-models"
# Smaller seeds were looked at while the method was made.
FIRST_SPLIT = 2000
# The forest answers some twenty thousand questions a second: it is asked on one split in so many.
FOREST_EVERY = 5
LEAVES = (16, 64, 256)
TRAINING = 0.7
LINES = (("fidelity", "distilled", "o-"), ("limit", "its limit", ":"), ("usual", "usual", "s--"))
MODEL_OF = {
    "adult": "forest",
    "bank": "forest",
    "flights": "boosting",
    "wine quality": "boosting",
    "letter": "network",
    "iris": "forest",
    "tumours": "boosting",
}


@dataclass(frozen=True, slots=True)
class Distillation:
    """One tree beside the usual one. difference: of their fidelities, deviation: its standard error over the rows of
    the split; kept: the fidelity on rows put aside, limit: the one certified there; seconds: of distilling, and of it
    in the model.
    """

    set: str
    model: str
    split: int
    leaves: int
    space: str
    growth: str
    tree_leaves: int
    usual_leaves: int
    fidelity: float
    usual: float
    difference: float
    deviation: float
    kept: float
    limit: float
    tree_error: float
    usual_error: float
    model_error: float
    n_queries: int
    seconds: float
    seconds_in_model: float


@dataclass(frozen=True, slots=True)
class Cell:
    """Means over splits. error: the standard error of the mean difference, from the spread over splits, or from rows
    where there is one split.
    """

    difference: float
    error: float

    @property
    def less_faithful(self) -> bool:
        """Whether it is behind by more than its standard error."""
        return self.difference < -self.error


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model, and the rows of a split."""

    model: Any
    X: Any
    y: Any
    X_other: Any
    y_other: Any


def cells(found: Sequence[Distillation]) -> dict[tuple[str, str, int], Cell]:
    """The cells, by set, model and leaves."""
    return {key: _cell(ones) for key, ones in grouped(found, lambda one: (one.set, one.model, one.leaves)).items()}


def _cell(ones: Sequence[Distillation]) -> Cell:
    differences = [one.difference for one in ones]
    spread = np.std(differences, ddof=1) / math.sqrt(len(ones)) if len(ones) > 1 else ones[0].deviation
    return Cell(float(np.mean(differences)), float(spread))


def distilled(data: Loaded, split: int, leaves: int, *, trees: int = 500) -> Distillation:
    """Distil the model of a set, fitted on 7 in 10 of its rows, and judge it on the others."""
    fitted = _fitted(data, split, trees)
    oracle = Oracle(fitted.model, most_kinds=None)
    started = time.perf_counter()
    found = distill(oracle, fitted.X, max_leaves=leaves, random_state=split, X=fitted.X_other, y=fitted.y_other)
    seconds = time.perf_counter() - started
    usual = cart(fitted.X, fitted.model.predict(fitted.X), max_leaf_nodes=leaves)
    truth = fitted.model.predict(fitted.X_other)
    usual_said = usual.predict(fitted.X_other)
    ours, theirs = found.predict(fitted.X_other) == truth, usual_said == truth
    gained = ours.astype(float) - theirs
    assert found.tree_error is not None and found.model_error is not None
    return Distillation(
        set=data.name,
        model=MODEL_OF[data.name],
        split=split,
        leaves=leaves,
        space=found.space,
        growth=found.growth,
        tree_leaves=found.tree.n_leaves,
        usual_leaves=usual.n_leaves,
        fidelity=float(ours.mean()),
        usual=float(theirs.mean()),
        difference=float(gained.mean()),
        deviation=float(gained.std() / math.sqrt(len(gained))),
        kept=found.fidelity,
        limit=found.fidelity_lower,
        tree_error=found.tree_error,
        usual_error=float(np.mean(usual_said != fitted.y_other)),
        model_error=found.model_error,
        n_queries=found.n_queries,
        seconds=seconds,
        seconds_in_model=oracle.seconds,
    )


def _model(name: str, split: int, trees: int) -> Any:
    words = make_column_selector(dtype_exclude="number")
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    numbers = make_column_transformer((encoder, words), remainder="passthrough")
    if name == "forest":
        return make_pipeline(numbers, RandomForestClassifier(trees, random_state=split))
    if name == "boosting":
        return make_pipeline(numbers, GradientBoostingClassifier(random_state=split))
    return make_pipeline(numbers, StandardScaler(), MLPClassifier(early_stopping=True, random_state=split))


_LAST: dict[tuple[str, int, int], Fitted] = {}


def _fitted(data: Loaded, split: int, trees: int) -> Fitted:
    """The model of a split: one is kept, for trees of all sizes."""
    key = (data.name, split, trees)
    if key not in _LAST:
        rows = split_of(len(data.y), split, growing=int(TRAINING * len(data.y)), others=len(data.y))
        X, y = data.X.iloc[rows.growing], data.y[rows.growing]
        model = _model(MODEL_OF[data.name], split, trees).fit(X, y)
        _LAST.clear()
        _LAST[key] = Fitted(model, X, y, data.X.iloc[rows.others], data.y[rows.others])
    return _LAST[key]


def _text(found: Sequence[Distillation]) -> str:
    """A row a cell: means over splits."""
    head = ("model, leaves", "fidelity", "limit", "usual", "difference", "error of tree", "of usual", "of model")
    made = cells(found)
    by_cell = grouped(found, lambda one: (one.set, one.model, one.leaves))
    rows = [_row(ones, made[key]) for key, ones in by_cell.items()]
    more = sum(cell.difference > 0 for cell in made.values())
    less = sum(cell.less_faithful for cell in made.values())
    held = sum(one.limit <= one.fidelity for one in found)
    return "\n".join(
        [
            markdown((*head, "queries", "seconds", "won by"), rows),
            "",
            f"{len(found)} trees; more faithful than the usual one in {more} of {len(made)} cells, less faithful by "
            f"more than the standard error in {less}; the limit was below the fidelity on other rows {held} times.",
        ]
    )


def _row(ones: Sequence[Distillation], cell: Cell) -> tuple[str, ...]:
    one = ones[0]
    return (
        f"{one.model}, {one.set}, {one.leaves}",
        *(_mean(ones, name) for name in ("fidelity", "limit", "usual")),
        f"{cell.difference:+.4f} ± {cell.error:.4f}",
        *(_mean(ones, name) for name in ("tree_error", "usual_error", "model_error")),
        f"{np.mean([one.n_queries for one in ones]):,.0f}",
        f"{np.mean([one.seconds for one in ones]):.0f}",
        " ".join(sorted({f"{one.space}/{one.growth}" for one in ones})),
    )


def _mean(ones: Sequence[Distillation], name: str) -> str:
    return f"{np.mean([getattr(one, name) for one in ones]):.4f}"


def _draw(found: Sequence[Distillation], axes: Sequence[Any]) -> None:
    """Fidelity against leaves, a panel a model: distilled with its limit, and the usual tree."""
    for ax, (of, ones) in zip(axes, grouped(found, lambda one: (one.model, one.set)).items(), strict=False):
        by_leaves = grouped(ones, lambda one: one.leaves)
        for name, label, mark in LINES:
            means = [np.mean([getattr(one, name) for one in by_leaves[leaves]]) for leaves in sorted(by_leaves)]
            ax.plot(sorted(by_leaves), means, mark, label=label)
        ax.set(xscale="log", xlabel="leaves", ylabel="agreement with the model", title=", ".join(of))
        ax.minorticks_off()
        ax.set_xticks(sorted(by_leaves), map(str, sorted(by_leaves)))
        ax.legend(fontsize="x-small")


def _work(asked: Asked) -> Iterator[Any]:
    sets = list(loaded(asked))
    sizes = LEAVES[:1] if asked.quick else LEAVES
    for split in range(FIRST_SPLIT, FIRST_SPLIT + asked.splits):
        for data in sets:
            if MODEL_OF[data.name] == "forest" and (split - FIRST_SPLIT) % FOREST_EVERY:
                continue
            for leaves in sizes:
                measure = partial(distilled, data, split, leaves, trees=20 if asked.quick else 500)
                yield (data.name, split, leaves, asked.quick), measure


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    needed("matplotlib")
    found = []
    for one in resumed(asked, NAME, Distillation, _work(asked)):
        said = f"fidelity {one.fidelity:.4f}, usual {one.usual:.4f}, {one.seconds:.0f} s"
        asked.say(f"{one.model} on {one.set}, split {one.split}, {one.leaves} leaves: {said}")
        found.append(one)
    keep(asked, NAME, found, _draw, max(1, len({one.set for one in found})), columns=3)
    finish(asked, NAME)
    return _text(found)


EXPERIMENT = Experiment(
    name=NAME,
    source="docs/query.md: trees distilled from a forest, a boosting and a network beside the usual surrogates",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=5,
    sets=("letter", "wine quality", "bank", "adult", "flights"),
    quick_sets=("iris", "tumours"),
    quick_splits=1,
)
