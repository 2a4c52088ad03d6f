"""Which adversary wins where: what each adds to the clean error of trees that learn monotone targets. SPEC D8.

added       the clean error after corruption, less that without, both exact: over the whole uniform cube.
at least    an adversary is at least as bad as random flips against a target if it adds no less at the largest rate,
            on average over the seeds.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bristlecone.estimators import DecisionTreeClassifier, PrunedTreeClassifier
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.noise import ADVERSARIES, MonotoneTarget, monotone_dnf, monotone_tree

__all__ = ["EXPERIMENT", "Point", "draw", "study", "targets", "text"]

NAME = "noise-adversaries"

BITS, ROWS = 12, 2000
RATES = (0.05, 0.1, 0.2)
BASE = "random_label_flip"
WAYS = tuple(name for name in ADVERSARIES if name != "table_shift")  # which needs a second table
TREES = ("tree of 16 leaves", "pruned tree", "whole tree")


@dataclass(frozen=True, slots=True)
class Point:
    """One fit. error: clean; added: see the head of this file."""

    target: str
    adversary: str
    rate: float
    repeat: int
    tree: str
    error: float
    added: float


def targets() -> dict[str, MonotoneTarget]:
    """Nine monotone functions of twelve bits."""
    named = {
        "majority of 5": MonotoneTarget(BITS, tuple(itertools.combinations(range(5), 3))),
        "AND of 2": MonotoneTarget(BITS, ((0, 1),)),
        "two tribes": MonotoneTarget(BITS, ((0, 1, 2), (3, 4, 5))),
    }
    named |= {f"tree {seed}": monotone_tree(BITS, 12, random_state=seed) for seed in range(4)}
    return named | {f"DNF {seed}": monotone_dnf(BITS, 4, 3, random_state=seed) for seed in range(2)}


def study(
    asked: Mapping[str, MonotoneTarget], adversaries: Mapping[str, Any], rates: Sequence[float], repeats: int
) -> list[Point]:
    """Every tree against every adversary at every rate on every target."""
    cube = np.array(list(itertools.product([0, 1], repeat=BITS)))
    found = []
    for (name, target), repeat in itertools.product(asked.items(), range(repeats)):
        X, y = target.sample(ROWS, 0.5, random_state=repeat)
        truth = target(cube)

        def errors(X: Any, y: Any, truth: Any = truth) -> list[float]:
            return [float(np.mean(tree.fit(X, y).predict(cube) != truth)) for tree in _trees()]

        clean = errors(X, y)
        for (adversary, corrupt), rate in itertools.product(adversaries.items(), rates):
            bad = corrupt(X, y, rate, random_state=repeat)
            for tree, error, before in zip(TREES, errors(bad.X, bad.y), clean, strict=True):
                found.append(Point(name, adversary, rate, repeat, tree, error, error - before))
    return found


def _trees() -> list[Any]:
    return [DecisionTreeClassifier(max_leaf_nodes=16), PrunedTreeClassifier(), DecisionTreeClassifier()]


def text(found: Sequence[Point]) -> str:
    """A Markdown table: mean added error by rate; and against how many targets each is at least as bad as flips."""
    lines = ["| adversary | " + " | ".join(TREES) + " |", "|---" * (len(TREES) + 1) + "|"]
    for adversary in dict.fromkeys(point.adversary for point in found):
        cells = [_cell(found, adversary, tree) for tree in TREES]
        lines.append(f"| `{adversary}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(found: Sequence[Point], adversary: str, tree: str) -> str:
    of = [point for point in found if point.tree == tree]
    rates = sorted({point.rate for point in of})
    means = [np.mean([p.added for p in of if (p.adversary, p.rate) == (adversary, rate)]) for rate in rates]
    said = ", ".join(f"{mean:.3f}" for mean in means)
    if adversary == BASE:
        return said
    names = dict.fromkeys(point.target for point in of)
    added = {
        (p.target, way): np.mean([q.added for q in of if (q.target, q.adversary, q.rate) == (p.target, way, rates[-1])])
        for p in of
        for way in (adversary, BASE)
        if p.rate == rates[-1] and p.repeat == 0
    }
    return f"{said} ({sum(added[name, adversary] >= added[name, BASE] for name in names)})"


def draw(found: Sequence[Point], axes: Sequence[Any]) -> None:
    """Added error against the rate, a line an adversary, a picture a tree."""
    for ax, tree in zip(axes, TREES, strict=True):
        of = [point for point in found if point.tree == tree]
        for adversary in dict.fromkeys(point.adversary for point in of):
            rates = sorted({point.rate for point in of})
            means = [np.mean([p.added for p in of if (p.adversary, p.rate) == (adversary, rate)]) for rate in rates]
            ax.plot(rates, means, ".-", label=adversary)
        ax.set(xlabel="share of corrupted rows", ylabel="added clean error", title=tree)
    axes[0].legend(fontsize="x-small")


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    needed("matplotlib")
    few = {name: target for name, target in targets().items() if not asked.quick or name == "AND of 2"}
    ways = {name: ADVERSARIES[name] for name in WAYS}
    found = study(few, ways, RATES[-1:] if asked.quick else RATES, asked.splits)
    keep(asked, NAME, found, draw, len(TREES))
    return text(found)


EXPERIMENT = Experiment(
    name=NAME,
    source="docs/noise.md, who wins where: what every adversary adds to the error on monotone targets",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=3,
    quick_splits=1,
)
