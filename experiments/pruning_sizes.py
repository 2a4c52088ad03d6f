"""Error and size of one tree, by the way its size is chosen, on real data sets.

    BRISTLECONE_DATA=FOLDER python experiments/pruning_sizes.py [--splits 5] [--output results/pruning_sizes.csv]

Each split draws rows to learn from (two thirds, `MOST_ROWS` at most) and up to `MOST_TESTS` of the others to judge by.
Columns of names are numbered for the others. scikit-learn's size is chosen as its users can: among its own alphas, at
most `MOST_ALPHAS` of them evenly spaced, by a grid search with 5 folds. rpart takes its 1-SE tree of 10 folds, grown as
far as it goes (30 levels), where R and rpart are there.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sets import SETS, DataSet, NotHere
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bristlecone as bc

MOST_ROWS, MOST_TESTS, MOST_ALPHAS = 4000, 4000, 20
WAYS = ("unpruned", "one_se", "min", "pessimistic", "scikit-learn", "rpart")
OF_OTHERS = ("scikit-learn", "rpart")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One tree. error: the share of wrong answers, or the mean squared error; seconds: of this process, to
    fit."""

    data: str
    split: int
    way: str
    error: float
    leaves: int
    seconds: float


def search(X: Any, y: Any, *, regression: bool) -> Any:
    """scikit-learn's tree at the best of its own alphas."""
    kind = DecisionTreeRegressor if regression else DecisionTreeClassifier
    alphas = np.unique(np.maximum(kind(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas, 0.0))
    chosen = alphas[np.unique(np.linspace(0, len(alphas) - 1, MOST_ALPHAS).round().astype(int))]
    return GridSearchCV(kind(random_state=0), {"ccp_alpha": chosen}, cv=5).fit(X, y).best_estimator_


def fitted(way: str, X: Any, y: Any, *, regression: bool) -> Any:
    """The tree that one of `WAYS` takes; None where a way does not know the task."""
    if way == "scikit-learn":
        return search(X, y, regression=regression)
    if way == "rpart":
        return None if shutil.which("Rscript") is None else Rpart(X, y, regression=regression)
    if way == "unpruned":
        return (bc.DecisionTreeRegressor if regression else bc.DecisionTreeClassifier)().fit(X, y)
    if regression:
        return None if way == "pessimistic" else bc.PrunedTreeRegressor(rule=way).fit(X, y)
    if way == "pessimistic":
        return bc.PrunedTreeClassifier(penalty="pessimistic", strength=0.25).fit(X, y)
    return bc.PrunedTreeClassifier(rule=way).fit(X, y)


class Rpart:
    """rpart's choice behind the methods that are asked here; a process of R for each tree."""

    def __init__(self, X: pd.DataFrame, y: Any, *, regression: bool) -> None:
        self.X, self.y, self.regression, self.leaves = X, y, regression, 0

    def predict(self, X: pd.DataFrame) -> Any:
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


def numbered(X: pd.DataFrame) -> pd.DataFrame:
    """Columns of names as numbers, in the order of the names."""
    held: pd.DataFrame = X.apply(lambda c: c if pd.api.types.is_numeric_dtype(c) else c.astype("category").cat.codes)
    return held


def outcomes(data: DataSet, n_splits: int) -> Iterable[Outcome]:
    """All ways on all splits of one data set."""
    X, y = data.load()
    plain = numbered(X)
    for split in range(n_splits):
        n_rows = min(MOST_ROWS, len(y) * 2 // 3)
        growing, others = train_test_split(np.arange(len(y)), train_size=n_rows, random_state=split)
        others = others[:MOST_TESTS]
        for way in WAYS:
            cells = plain if way in OF_OTHERS else X
            started = time.process_time()
            model = fitted(way, cells.iloc[growing], y[growing], regression=data.regression)
            seconds = time.process_time() - started
            if model is None:
                continue
            answers = model.predict(cells.iloc[others])
            wrong = (answers - y[others]) ** 2 if data.regression else answers != y[others]
            yield Outcome(data.name, split, way, float(np.mean(wrong)), int(model.get_n_leaves()), seconds)


def summary(found: Sequence[Outcome]) -> str:
    """A Markdown table: the mean error and the median leaves of each way, a row a data set."""
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for one in found:
        groups[one.data, one.way].append(one)
    lines = ["| data | " + " | ".join(WAYS) + " |", "|---" * (len(WAYS) + 1) + "|"]
    for name in dict.fromkeys(one.data for one in found):
        lines.append(f"| {name} | " + " | ".join(_cell(groups[name, way]) for way in WAYS) + " |")
    return "\n".join(lines)


def _cell(of: Sequence[Outcome]) -> str:
    if not of:
        return ""
    error = float(np.mean([one.error for one in of]))
    told = f"{error:.1%}" if error <= 1 and SETS[of[0].data].regression is False else f"{error:.4g}"
    return f"{told}, {np.median([one.leaves for one in of]):,.0f}"


def _measure(names: Sequence[str], n_splits: int, say: Callable[[str], Any]) -> list[Outcome]:
    found: list[Outcome] = []
    for name in names:
        try:
            found += outcomes(SETS[name], n_splits)
        except NotHere as lacking:
            say(f"skipped {name}: {lacking}\n")
            continue
        say(f"{name} done\n")
    return found


def main() -> None:
    """Run the study and write its results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(SETS))
    parser.add_argument("--output", type=Path, help="write every outcome here as CSV")
    options = parser.parse_args()
    found = _measure(options.sets, options.splits, sys.stderr.write)
    if options.output is not None:
        with options.output.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow([field.name for field in fields(Outcome)])
            rows.writerows(astuple(one) for one in found)
    print(summary(found))


if __name__ == "__main__":
    main()
