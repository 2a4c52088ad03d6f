"""The four failure cases of the theory page's section 8, each with its cure. SPEC B1, B4.

staircase   a diagonal boundary: leaves and error of trees by the number of rows, beside a linear model.
unstable    the first question of trees of bootstrap samples where two columns say nearly the same.
overfit     error on growing and on fresh rows against depth, with pruning and a forest as cures.
many-valued pure noise: how often the first question is about a column, by how many values it has; by gain and by gain
            ratio, the values taken as numbers (thresholds) and as names (sets of levels, two sides however many).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from bristlecone.estimators import DecisionTreeClassifier, PrunedTreeClassifier
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.stability import disagreement

__all__ = ["EXPERIMENT", "Point", "draw", "study", "text"]

NAME = "failure-cases"

ROWS = (100, 300, 1000, 3000, 10_000)
DEPTHS = tuple(range(1, 21))
VALUES = (2, 4, 8, 16, 64, 256)
REPEATS, BOOTSTRAPS = 20, 50
TESTS = 5000

Rows = tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class Point:
    """One number of one picture: what it is of, at which x."""

    case: str
    of: str
    x: float
    value: float


def study(
    linear: Callable[[], Any] | None = None,
    forest: Callable[[], Any] | None = None,
    repeats: int = REPEATS,
    n_bootstraps: int = BOOTSTRAPS,
) -> list[Point]:
    """All four. linear, forest: make a linear classifier and a forest in scikit-learn's form, for comparison."""
    return [*_staircase(linear), *_unstable(forest, n_bootstraps), *_overfit(forest), *_many_valued(repeats)]


def diagonal(n: int, seed: int) -> Rows:
    """Two columns, the label says on which side of the diagonal."""
    X = np.random.default_rng(seed).standard_normal((n, 2))
    return X, X.sum(axis=1) > 0


def _staircase(linear: Callable[[], Any] | None) -> list[Point]:
    found = []
    X_test, y_test = diagonal(TESTS, 99)
    for n in ROWS:
        X, y = diagonal(n, 1)
        models = {"tree": DecisionTreeClassifier()} | ({} if linear is None else {"linear model": linear()})
        for name, model in models.items():
            error = float(np.mean(model.fit(X, y).predict(X_test) != y_test))
            found.append(Point("staircase", f"{name}: error", n, error))
        found.append(Point("staircase", "tree: leaves", n, models["tree"].get_n_leaves()))
    return found


def _unstable(forest: Callable[[], Any] | None, n: int) -> list[Point]:
    rng = np.random.default_rng(2)
    X = rng.standard_normal((500, 5))
    X[:, 1] = X[:, 0] + 0.2 * rng.standard_normal(500)
    y = X[:, 0] + X[:, 1] + X[:, 2] + rng.standard_normal(500) > 0
    models = {"whole tree": DecisionTreeClassifier(), "pruned tree": PrunedTreeClassifier()}
    models |= {} if forest is None else {"forest": forest()}
    found = []
    for name, model in models.items():
        one = disagreement(model, X[:300], y[:300], X_test=X[300:], n_bootstraps=n, random_state=0)
        found.append(Point("unstable", f"{name}: two differ", n, one.pairwise))
        found += [Point("unstable", f"{name}: first question", int(c[1:]), k / n) for c, k in one.columns.items()]
    return found


def _overfit(forest: Callable[[], Any] | None) -> list[Point]:
    def rows(n: int, seed: int) -> Rows:
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((n, 6))
        return X, ((X[:, 0] * X[:, 1] > 0) | (X[:, 2] > 1)) ^ (rng.random(n) < 0.15)

    (X, y), (X_test, y_test) = rows(1000, 3), rows(TESTS, 4)
    found = []
    for depth in DEPTHS:
        model = DecisionTreeClassifier(max_depth=depth).fit(X, y)
        found.append(Point("overfit", "growing rows", depth, float(np.mean(model.predict(X) != y))))
        found.append(Point("overfit", "fresh rows", depth, float(np.mean(model.predict(X_test) != y_test))))
    cures = {"pruned": PrunedTreeClassifier()} | ({} if forest is None else {"forest": forest()})
    for name, model in cures.items():
        error = float(np.mean(model.fit(X, y).predict(X_test) != y_test))
        found.append(Point("overfit", name, DEPTHS[-1], error))
    return found


def _many_valued(repeats: int) -> list[Point]:
    kinds = {"thresholds": None, "sets of levels": range(len(VALUES))}
    asked = {(criterion, kind): np.zeros(len(VALUES)) for criterion in ("entropy", "gain_ratio") for kind in kinds}
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.integers(0, k, 300) for k in VALUES]).astype(float)
        y = rng.integers(0, 2, 300)
        for (criterion, kind), counts in asked.items():
            model = DecisionTreeClassifier(criterion=criterion, max_depth=1, categorical_features=kinds[kind])
            counts[model.fit(X, y).tree_.feature[0]] += 1 / repeats
    return [
        Point("many-valued", f"{criterion}, {kind}", k, float(share))
        for (criterion, kind), counts in asked.items()
        for k, share in zip(VALUES, counts, strict=True)
    ]


def text(found: Sequence[Point]) -> str:
    """A Markdown table a case."""
    lines: list[str] = []
    for case in dict.fromkeys(point.case for point in found):
        of = [point for point in found if point.case == case]
        xs = sorted({point.x for point in of})
        lines += [f"| {case} | " + " | ".join(f"{x:g}" for x in xs) + " |", "|---" * (len(xs) + 1) + "|"]
        for name in dict.fromkeys(point.of for point in of):
            at = {point.x: f"{point.value:.4g}" for point in of if point.of == name}
            lines.append(f"| {name} | " + " | ".join(at.get(x, "") for x in xs) + " |")
        lines.append("")
    return "\n".join(lines[:-1])


def draw(found: Sequence[Point], axes: Sequence[Any]) -> None:
    """A picture a case, on four axes."""
    for ax, case in zip(axes, ("staircase", "unstable", "overfit", "many-valued"), strict=False):
        names = dict.fromkeys(point.of for point in found if point.case == case and not point.of.endswith("leaves"))
        for k, name in enumerate(names):
            at = sorted((point.x, point.value) for point in found if (point.case, point.of) == (case, name))
            if len(at) == 1:
                ax.axhline(at[0][1], color=f"C{k}", linestyle="--", linewidth=0.9, label=name)
            else:
                style = "ox"[k % 2] if case == "unstable" else ".-"  # columns have no order
                ax.plot(*zip(*at, strict=True), style, color=f"C{k}", label=name)
        ax.set(title=case, xscale="linear" if case in ("overfit", "unstable") else "log")
        ax.legend(fontsize="x-small")
    for ax, label in zip(axes, ("rows", "column", "depth", "values of the column"), strict=False):
        ax.set(xlabel=label)


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    needed("matplotlib")
    size = {"repeats": asked.splits} | ({"n_bootstraps": 5} if asked.quick else {})
    found = study(LogisticRegression, partial(RandomForestClassifier, 30, random_state=0), **size)
    keep(asked, NAME, found, draw, 4)
    return text(found)


EXPERIMENT = Experiment(
    name=NAME,
    source="docs/stability.md: four ways for a tree to fail, and their cures",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=REPEATS,
)
