"""Error and size of one tree, by the way its size is chosen, on real data sets.

Each split draws rows to learn from (two thirds, `MOST_ROWS` at most) and up to `MOST_TESTS` of the others to judge by.
Columns of names are numbered for the others. scikit-learn's size is chosen as its users can: among its own alphas, at
most `MOST_ALPHAS` of them evenly spaced, by a grid search with 5 folds. rpart takes its 1-SE tree of 10 folds, grown as
far as it goes (30 levels), where R and rpart are there.
"""

from __future__ import annotations

import copy
import dataclasses
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bristlecone as bc
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.needs import needed
from bristlecone.experiments.outcomes import Outcome, grouped, markdown
from bristlecone.experiments.sets import SETS, SHIPPED
from bristlecone.experiments.study import Fitted, Loaded, measured, split_of, study

__all__ = ["EXPERIMENT", "numbered", "searched", "two_thirds"]

NAME = "pruning-sizes"
MOST_ROWS, MOST_TESTS, MOST_ALPHAS = 4000, 4000, 20
WAYS = ("unpruned", "one_se", "min", "pessimistic", "scikit-learn", "rpart")

Methods = dict[str, Callable[[Any, Any], Fitted]]


def searched(X: Any, y: Any, *, folds: int, regression: bool = False) -> Any:
    """scikit-learn's tree at the best of its own alphas, as its grid search finds it; X: numbers.

    A tree of each fold is grown once, and pruned by scikit-learn at every alpha: growing it anew for each, as the grid
    search does, gives the same trees.
    """
    kind = DecisionTreeRegressor if regression else DecisionTreeClassifier
    whole = kind(random_state=0).fit(X, y)
    alphas = np.unique(np.maximum(whole.cost_complexity_pruning_path(X, y).ccp_alphas, 0.0))
    alphas = alphas[np.unique(np.linspace(0, len(alphas) - 1, MOST_ALPHAS).round().astype(int))]
    scores = []
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")  # rare classes are a fact of the sets
        parts = list(check_cv(folds, y, classifier=not regression).split(X, y))
    for growing, held_out in parts:
        model = kind(random_state=0).fit(X.iloc[growing], y[growing])
        scores.append([_pruned(model, alpha).score(X.iloc[held_out], y[held_out]) for alpha in alphas])
    return _pruned(whole, alphas[int(np.argmax(np.mean(scores, axis=0)))])


def _pruned(model: Any, alpha: float) -> Any:
    """A fitted tree as `fit` would have left it with this `ccp_alpha`."""
    pruned = copy.copy(model).set_params(ccp_alpha=alpha)
    pruned._prune_tree()
    return pruned


class Rpart:
    """rpart's choice behind the methods that are asked here; a process of R for each tree."""

    def __init__(self, X: Any, y: Any, *, regression: bool) -> None:
        self.X, self.y, self.regression, self.leaves = X, y, regression, 0

    def predict(self, X: Any) -> Any:
        """Learn, and answer the rows."""
        with tempfile.TemporaryDirectory() as folder:
            learn, ask, answers = (Path(folder) / name for name in ("learn.csv", "ask.csv", "answers"))
            names = [f"x{k}" for k in range(X.shape[1])]
            self.X.set_axis(names, axis=1).assign(y=self.y).to_csv(learn, index=False)
            X.set_axis(names, axis=1).to_csv(ask, index=False)
            script = Path(__file__).with_name("rpart_one_se.R")
            words = [str(script), str(learn), str(ask), str(answers), "anova" if self.regression else "class"]
            done = subprocess.run(["Rscript", *words], capture_output=True, text=True, check=True)
            self.leaves = int(done.stdout.split()[-1])
            return np.array(answers.read_text().split(), dtype=float if self.regression else self.y.dtype)

    def get_n_leaves(self) -> int:
        """The leaves of the tree that answered last."""
        return self.leaves


def _ours(regression: bool) -> Methods:
    if regression:
        plain, pruned = bc.DecisionTreeRegressor, bc.PrunedTreeRegressor
    else:
        plain, pruned = bc.DecisionTreeClassifier, bc.PrunedTreeClassifier
    ways: Methods = {
        "unpruned": lambda X, y: plain().fit(X, y),
        "one_se": lambda X, y: pruned(rule="one_se").fit(X, y),
        "min": lambda X, y: pruned(rule="min").fit(X, y),
    }
    if not regression:
        ways["pessimistic"] = lambda X, y: bc.PrunedTreeClassifier(penalty="pessimistic", strength=0.25).fit(X, y)
    return ways


def _of_others(regression: bool) -> Methods:
    ways: Methods = {"scikit-learn": partial(searched, folds=5, regression=regression)}
    if shutil.which("Rscript") is not None:
        ways["rpart"] = partial(Rpart, regression=regression)
    return ways


def numbered(data: Loaded) -> Loaded:
    """The set with columns of names as numbers, in the order of the names."""
    is_number = needed("pandas").api.types.is_numeric_dtype
    cells = data.X.apply(lambda c: c if is_number(c) else c.astype("category").cat.codes)
    return dataclasses.replace(data, X=cells)


def two_thirds(n_rows: int) -> int:
    """How many rows are learned from."""
    return min(MOST_ROWS, n_rows * 2 // 3)


def outcomes(data: Loaded, asked: Asked) -> Iterator[Outcome]:
    """All ways on all splits of one data set."""
    plain = numbered(data)
    for number in range(asked.splits):
        split = split_of(len(data.y), number, growing=two_thirds(len(data.y)), others=MOST_TESTS)
        yield from measured(data, split, _ours(data.regression), base="cart")
        yield from measured(plain, split, _of_others(data.regression), base="cart")


def summary(found: Sequence[Outcome]) -> str:
    """A Markdown table: the mean error and the median leaves of each way, a row a data set."""
    of = grouped(found, lambda one: (one.set, one.method))
    names = dict.fromkeys(one.set for one in found)
    return markdown(["data", *WAYS], [[name, *(_cell(of.get((name, way), [])) for way in WAYS)] for name in names])


def _cell(of: Sequence[Outcome]) -> str:
    if not of:
        return ""
    error = float(np.mean([one.error for one in of]))
    told = f"{error:.4g}" if SETS[of[0].set].regression else f"{error:.1%}"
    return f"{told}, {np.median([one.leaves for one in of]):,.0f}"


EXPERIMENT = Experiment(
    name=NAME,
    source="docs/pruning.md, what it buys: error and leaves by the way the size of a tree is chosen",
    writes=(f"{NAME}.csv",),
    run=study(NAME, outcomes, summary),
    sets=tuple(name for name in SETS if name not in ("magic", "landsat", "german credit", "adult", "flights")),
    quick_sets=SHIPPED,
    splits=5,
)
