"""What a pruning is charged for, as potentials of nodes: the one thing a new penalty has to say. SPEC A8.

risk        what a node's answer costs on the growing rows, in shares of all weight: errors, or the mean loss of growth
            in regression.
charge      what a leaf costs besides, per unit of strength.
costs       both together: the cheapest pruning has the least sum of them over its leaves.
n, n_A      the weight of all growing rows, and of those in node A: whole weights are repeated rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from scipy import special

from bristlecone.subtrees.risks import class_weights, impurity_risk, misclassification_risk, node_risk
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = [
    "CostComplexity",
    "Costs",
    "Leaves",
    "Penalty",
    "Pessimistic",
    "ScottNowak",
    "charged",
    "needed",
    "no_strength",
    "upper_error_rate",
]


@dataclass(frozen=True, slots=True)
class Costs:
    """What each node costs where a pruning ends at it, and where it goes on (None: nothing).

    leaf: (n_nodes,) or (n_nodes, n_strengths); inner: None or the same.
    """

    leaf: Floats
    inner: Floats | None = None


@runtime_checkable
class Penalty(Protocol):
    """What turns a tree into costs."""

    def costs(self, tree: Tree, strengths: Floats | None) -> Costs:
        """The costs of the tree's nodes for every strength, (n_strengths,); None where none was given."""


@dataclass(frozen=True, slots=True)
class Leaves:
    """C1 of the PAC-Bayes tree paper: strength / n for every leaf that holds rows, added to the risk."""

    def costs(self, tree: Tree, strengths: Floats | None) -> Costs:
        """risk + strength 1[n_A > 0] / n."""
        weight = node_weights(tree)
        return charged(tree, (weight > 0) / (weight[0] or 1.0), strengths, "leaves")


@dataclass(frozen=True, slots=True)
class ScottNowak:
    """C2 of the PAC-Bayes tree paper, after Scott and Nowak: leaves that hold much, or lie deep, cost more.

    sqrt8: whether the charge is sqrt(8) times as large, as in the authors' code.
    """

    sqrt8: bool = False

    def costs(self, tree: Tree, strengths: Floats | None) -> Costs:
        """risk + strength sqrt(max(n_A / n, d_A / n) d_A / n), d_A the depth; 0 for empty leaves, and for the root."""
        weight = node_weights(tree)
        n = weight[0] or 1.0
        depth = tree.depth / n
        charge = np.where(weight > 0, np.sqrt(np.maximum(weight / n, depth) * depth), 0.0)
        return charged(tree, math.sqrt(8) * charge if self.sqrt8 else charge, strengths, "scott_nowak")


@dataclass(frozen=True, slots=True)
class CostComplexity:
    """Cost-complexity pruning: strength (alpha) for every leaf, added to a risk of `weakest_link_path`. SPEC B3."""

    risk: Any = "impurity"

    def costs(self, tree: Tree, strengths: Floats | None) -> Costs:
        """risk + strength."""
        return Costs(node_risk(tree, self.risk).of_nodes[:, None] + needed(strengths, "cost_complexity"))


@dataclass(frozen=True, slots=True)
class Pessimistic:
    """C4.5's pessimistic pruning: every node is charged for the errors that it might make on new rows. C75.

    confidence: CF. A node of N rows and E errors is charged N times the upper limit of its error rate: the rate at
    which E or fewer errors have the chance CF (exact binomial; by the beta distribution where weights are fractions).
    A lower confidence prunes more.
    """

    confidence: float = 0.25

    def __post_init__(self) -> None:
        if not isinstance(self.confidence, Real) or not 0 < self.confidence < 1:
            raise ValueError(f"confidence must be a number between 0 and 1, got {self.confidence!r}")

    def costs(self, tree: Tree, strengths: Floats | None) -> Costs:
        """N times the upper limit, for each node: errors, not shares."""
        no_strength(strengths, "pessimistic")
        if tree.classes is None:
            raise ValueError("pessimistic pruning counts errors, and a regression tree makes none")
        weights = class_weights(tree)
        rows, right = weights.floats(weights.in_node), weights.floats(weights.of_label)
        return Costs(rows * upper_error_rate(rows - right, right, self.confidence))


def charged(tree: Tree, charge: Floats, strengths: Floats | None, name: str) -> Costs:
    """The risk of each node plus strength times its charge. Raises ValueError where there is no strength."""
    risk = impurity_risk(tree) if tree.classes is None else misclassification_risk(tree)
    return Costs(risk.of_nodes[:, None] + charge[:, None] * needed(strengths, name))


def needed(strengths: Floats | None, name: str) -> Floats:
    """The strengths. Raises ValueError where there are none."""
    if strengths is None:
        raise ValueError(f"the penalty {name!r} needs a strength")
    return strengths


def no_strength(strengths: Floats | None, name: str) -> None:
    """Raises ValueError where there is a strength."""
    if strengths is not None:
        raise ValueError(f"the penalty {name!r} has no strength, got {strengths[0]}")


def node_weights(tree: Tree) -> Floats:
    """The weight in each node, (n_nodes,), without what a loss matrix adds for growth."""
    if tree.classes is None:
        return tree.weighted_n_node_samples
    weights = class_weights(tree)
    return weights.floats(weights.in_node)


def upper_error_rate(errors: npt.ArrayLike, right: npt.ArrayLike, confidence: float) -> Floats:
    """The error rate at which so few errors, beside so many right answers, have the chance `confidence`.

    One-sided Clopper-Pearson limits; fractions are allowed. 1 where nothing is right, 0 where there is nothing at all.
    """
    wrong, good = (np.asarray(given, dtype=np.float64) for given in (errors, right))
    some = good > 0
    limit = special.betainccinv(wrong + 1.0, np.where(some, good, 1.0), confidence)
    rate: Floats = np.where(some, limit, np.where(wrong > 0, 1.0, 0.0))
    return rate
