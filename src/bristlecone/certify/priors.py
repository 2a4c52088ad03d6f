"""Priors over the prunings of a tree: what is believed before the certifying rows speak. SPEC A7, A8.

A prior may depend in any way on rows that do not certify: on those that the tree was grown from, and on others that were
kept from growing (an informed prior). Choosing among K of them by the certifying rows costs delta / K.
Its normaliser is never guessed: the fold sums it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from bristlecone.certify.rows import NodeLosses
from bristlecone.subtrees.pac_bayes import PRIORS
from bristlecone.subtrees.posterior import Potentials
from bristlecone.tree import Tree

__all__ = ["LEAF_COSTS", "Prior", "by_leaves", "helmbold_schapire", "informed", "plain"]

LEAF_COSTS = (0.5, 1.0, math.log(4), 2.0, 3.0, 5.0)
STRENGTHS = (0.25, 0.5, 0.75, 1.0, 1.5)  # of errors on the rows of an informed prior


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """A prior and how it is called in a certificate."""

    name: str
    potentials: Potentials


def helmbold_schapire(tree: Tree) -> Prior:
    """At every inner node of the tree a fair coin says whether a pruning goes on; sums to one. SPEC A8."""
    return Prior("helmbold_schapire", PRIORS["helmbold_schapire"](tree))


def by_leaves(tree: Tree, cost: float) -> Prior:
    """In proportion to e^(-cost) for every leaf, cells without growing rows left out. SPEC A4."""
    return Prior(f"e^(-{cost:.4g} leaves)", Potentials(np.where(tree.n_node_samples > 0, -cost, 0.0)))


def plain(tree: Tree, costs: Iterable[float] = LEAF_COSTS) -> list[Prior]:
    """Helmbold and Schapire's, and one for each cost of a leaf."""
    return [helmbold_schapire(tree), *(by_leaves(tree, cost) for cost in costs)]


def informed(losses: NodeLosses, costs: Iterable[float] = LEAF_COSTS) -> list[Prior]:
    """e^(-strength losses - cost leaves), for every strength and cost: losses on rows that neither grew nor certify."""
    return [_informed(losses, strength, cost) for strength in STRENGTHS for cost in costs]


def _informed(losses: NodeLosses, strength: float, cost: float) -> Prior:
    inner = None if losses.stopped is None else -strength * losses.stopped
    leaf = by_leaves(losses.tree, cost).potentials.leaf - strength * losses.leaf
    return Prior(f"e^(-{strength:g} losses - {cost:.4g} leaves)", Potentials(leaf, inner))
