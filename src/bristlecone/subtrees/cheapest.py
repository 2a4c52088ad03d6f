"""The pruning that costs least under a penalty; of equals the one with the fewest leaves. SPEC A8."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.fold import INNER, LEAF, OUTSIDE, Cheapest, fold
from bristlecone.subtrees.path import weakest_link_path
from bristlecone.subtrees.penalties import (
    CostComplexity,
    Costs,
    Leaves,
    Penalty,
    Pessimistic,
    ScottNowak,
    charged,
    needed,
)
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["PENALTIES", "cheapest_pruning", "cheapest_prunings"]

PENALTIES: dict[str, Callable[[], Penalty]] = {
    "cost_complexity": CostComplexity,
    "leaves": Leaves,
    "scott_nowak": ScottNowak,
    "pessimistic": Pessimistic,
}

PenaltyFunction = Callable[[Tree], npt.ArrayLike]


def cheapest_pruning(tree: Tree, penalty: Any, strength: float | None = None) -> Tree:
    """The pruning that costs least under a penalty; of ties the one with the fewest leaves. SPEC A8.

    penalty: "cost_complexity", "leaves", "scott_nowak" or "pessimistic"; an object of those classes, or any other that
    is a `Penalty`; or a function from a tree to an array (n_nodes,): with a strength its values are charged besides the
    risk (errors, or the mean loss in regression), without one they are all that leaves cost. strength: a number >= 0
    that charges are multiplied by; left out where a penalty has none ("pessimistic", `ReducedError`).
    Raises TypeError or ValueError for anything else, and for a tree that the penalty does not fit.
    """
    strengths = None if strength is None else [strength]
    if isinstance(rule := _as_penalty(penalty), CostComplexity):
        alpha = needed(None if strengths is None else _as_strengths(strengths), "cost_complexity")
        return weakest_link_path(tree, risk=rule.risk).tree_at(alpha[0])
    return cut(tree, cheapest_prunings(tree, penalty, strengths).leaf.reshape(-1))


def cheapest_prunings(tree: Tree, penalty: Any, strengths: npt.ArrayLike | None = None) -> Cheapest:
    """As `cheapest_pruning`, for many strengths in one pass, and as the places of the tree's nodes.

    strengths: (n_strengths,); places are (n_nodes, n_strengths). None: no strength, places are (n_nodes,).
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"pruning needs a Tree, got {type(tree).__name__}")
    rule = _as_penalty(penalty)
    given = None if strengths is None else _as_strengths(strengths)
    if isinstance(rule, CostComplexity):
        return _on_the_path(tree, rule, needed(given, "cost_complexity"))
    costs = rule.costs(tree, given)
    return fold(tree, costs.leaf, costs.inner, semiring="min")


def _on_the_path(tree: Tree, rule: CostComplexity, alphas: Floats) -> Cheapest:
    """T(alpha) itself: its ties are exact, and at an alpha of the path it is that path's subtree."""
    path = weakest_link_path(tree, risk=rule.risk)
    reached = path.alphas[[path.index_at(alpha) for alpha in alphas]]
    outside = path.covered[:, None] <= reached
    leaf = ~outside & (path.collapse[:, None] <= reached)
    place = np.where(outside, OUTSIDE, np.where(leaf, LEAF, INNER)).astype(np.uint8)
    return Cheapest(path.risk.of_nodes @ leaf + alphas * leaf.sum(axis=0), place)


@dataclass(frozen=True, slots=True)
class _Given:
    """A user's function as a penalty."""

    function: PenaltyFunction

    def costs(self, tree: Tree, strengths: Floats | None) -> Costs:
        found = np.asarray(self.function(tree))
        if found.dtype.kind not in "biuf" or found.shape != (tree.n_nodes,):
            raise ValueError(f"a penalty gives one number a node, ({tree.n_nodes},); got {found.dtype} {found.shape}")
        charge = found.astype(np.float64)
        return Costs(charge) if strengths is None else charged(tree, charge, strengths, "penalty")


def _as_penalty(given: Any) -> Penalty:
    if isinstance(given, str):
        if given not in PENALTIES:
            raise ValueError(f"penalty must be one of {', '.join(map(repr, PENALTIES))}, got {given!r}")
        return PENALTIES[given]()
    if not isinstance(given, type):
        if isinstance(given, Penalty):
            return given
        if callable(given):
            return _Given(cast(PenaltyFunction, given))
    raise TypeError(f"penalty must be a name, a Penalty or a function from a tree to an array, got {given!r}")


def _as_strengths(given: npt.ArrayLike) -> Floats:
    strengths = np.asarray(given)
    if strengths.ndim != 1 or strengths.size == 0 or strengths.dtype.kind not in "iuf":
        raise TypeError(f"strength must be a number of at least 0, got {given!r}")
    bad = ~(np.isfinite(strengths) & (strengths >= 0))
    if bad.any():
        raise ValueError(f"strength must be a finite number of at least 0, got {strengths[bad][0]}")
    return strengths.astype(np.float64)
