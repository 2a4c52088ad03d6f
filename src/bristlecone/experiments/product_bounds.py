"""The size bounds of the two examples of the appendix (E.1, E.2), beside what the greedy tree needs. SPEC C6, AV-C7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.experiments.outcomes import grouped, markdown
from bristlecone.query import ProductDistribution, average_depth, build_top_down, delta_star, size_bounds
from bristlecone.query.targets import Target, balanced, chain

__all__ = ["EXPERIMENT", "Bounded", "examples"]

NAME = "product-bounds"
SHAPES = {"E.1": "full tree", "E.2": "path"}


@dataclass(frozen=True, slots=True)
class Bounded:
    """One example: the target's shape, the bounds as printed and as proved, and the exact greedy tree's leaves."""

    example: str
    leaves: int
    p: float
    epsilon: float
    depth: int
    average_depth: float
    delta_star: float
    printed: float
    proved: float
    greedy: int


def examples() -> Iterator[Bounded]:
    """Full trees of 8 and 16 leaves and paths of 5 and 15 variables, uniform and biased."""
    for p in (0.5, 0.3, 0.1):
        for epsilon in (0.15, 0.1):
            for example, target in (
                ("E.1", balanced(3, 7)),
                ("E.1", balanced(4, 15)),
                ("E.2", chain(6, 5)),
                ("E.2", chain(16, 15)),
            ):
                yield _bounded(example, target, p, epsilon)


def _bounded(example: str, target: Target, p: float, epsilon: float) -> Bounded:
    dist, tree = ProductDistribution([p] * target.n), target.tree
    average, star = average_depth(tree, dist), delta_star(tree, dist).value
    bounds = size_bounds(tree.max_depth, average, epsilon, delta_star=star)
    greedy = build_top_down(tree, dist, epsilon).size
    return Bounded(
        example, tree.n_leaves, p, epsilon, tree.max_depth, average, star, bounds.printed, bounds.proved, greedy
    )


def _text(found: Sequence[Bounded]) -> str:
    head = ("example", "leaves", "p", "epsilon", "depth", "average depth", "Delta*", "printed", "proved", "greedy")
    rows = [
        (
            f"{one.example}, {SHAPES[one.example]}",
            one.leaves,
            f"{one.p:g}",
            f"{one.epsilon:g}",
            one.depth,
            f"{one.average_depth:.6g}",
            f"{one.delta_star:.6g}",
            f"{one.printed:.6g}",
            f"{one.proved:.6g}",
            one.greedy,
        )
        for one in found
    ]
    return markdown(head, rows)


def _draw(found: Sequence[Bounded], axes: Sequence[Any]) -> None:
    """For each epsilon, the leaves of the greedy tree against both bounds."""
    for ax, (epsilon, ones) in zip(axes, grouped(found, lambda one: one.epsilon).items(), strict=True):
        for k, (target, these) in enumerate(grouped(ones, lambda one: (one.example, one.leaves)).items()):
            label = f"{target[0]}, {SHAPES[target[0]]} of {target[1]} leaves"
            greedy = [one.greedy for one in these]
            ax.plot([one.proved for one in these], greedy, "o", color=f"C{k}", label=label)
            ax.plot([one.printed for one in these], greedy, "x", color=f"C{k}")
        ax.set(xscale="log", yscale="log", xlabel="bound (o proved, x printed)", ylabel="leaves of the greedy tree")
        ax.set_title(f"epsilon = {epsilon:g}")
        ax.legend(fontsize="x-small")


def run(asked: Asked) -> str:
    """Compute, write and draw. It takes no time, so that --quick is the same."""
    needed("matplotlib")
    found = list(examples())
    keep(asked, NAME, found, _draw, 2)
    return _text(found)


EXPERIMENT = Experiment(
    name=NAME,
    source="Soltani Moakhar et al., Decision Tree Learning on Product Spaces, 2026, examples E.1 and E.2: size bounds",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=1,
    quick_splits=1,
)
