"""The size bounds of the two examples of the appendix (E.1, E.2), beside what the greedy tree needs. SPEC C6, AV-C7."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bristlecone.query import ProductDistribution, average_depth, build_top_down, delta_star, size_bounds
from bristlecone.query.targets import Target, balanced, chain

__all__ = ["Bounded", "examples"]

SOURCE = "Decision Tree Learning on Product Spaces, appendix E"


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
