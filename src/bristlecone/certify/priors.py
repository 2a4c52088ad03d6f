"""Priors over the prunings of a tree: what is believed before the certifying rows speak. SPEC A7, A8.

A prior may depend in any way on rows that do not certify: on those that the tree was grown from, which cost nothing,
and on others that were kept from growing. Choosing among K of them by the certifying rows costs delta / K.
Its normaliser is never guessed: the fold sums it. A cost may be negative: then large prunings are believed in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np
import numpy.typing as npt

from bristlecone.certify.rows import NodeLosses
from bristlecone.subtrees.evidence import evidence_of
from bristlecone.subtrees.pac_bayes import PRIORS
from bristlecone.subtrees.posterior import Potentials
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["COSTS", "STRENGTHS", "Prior", "by_leaves", "by_losses", "family", "helmbold_schapire"]

COSTS = (-5.0, -2.0, -0.5, 0.5, 1.0, math.log(4), 2.0, 3.0, 5.0, 8.0)  # of a leaf
STRENGTHS = (0.5, 2.0)  # of a loss on rows that do not certify
LARGEST = 1e100


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """A prior and how it is called in a certificate."""

    name: str
    potentials: Potentials


def helmbold_schapire(tree: Tree) -> Prior:
    """At every inner node of the tree a fair coin says whether a pruning goes on; sums to one. SPEC A8."""
    return Prior("Helmbold-Schapire", PRIORS["helmbold_schapire"](tree))


def by_leaves(tree: Tree, cost: float) -> Prior:
    """In proportion to e^(-cost) for every leaf, cells without growing rows left out. SPEC A4."""
    _check_number("cost", cost)
    return Prior(f"e^({-cost:+.4g} leaves)", Potentials(np.where(tree.n_node_samples > 0, -cost, 0.0)))


def by_losses(tree: Tree, lost: npt.ArrayLike, strength: float, cost: float, stopped: Floats | None = None) -> Prior:
    """e^(-strength losses - cost leaves). lost: (n_nodes,) on rows that do not certify; stopped: at inner nodes."""
    _check_number("strength", strength)
    leaf = by_leaves(tree, cost).potentials.leaf - strength * np.asarray(lost)
    inner = None if stopped is None else -strength * stopped
    return Prior(f"e^({-strength:+.4g} losses {-cost:+.4g} leaves)", Potentials(leaf, inner))


def _check_number(name: str, given: object) -> None:
    """Raises ValueError for what is no number, or so large that sums over a tree could leave the range of floats."""
    if isinstance(given, bool) or not isinstance(given, Real) or not abs(float(given)) <= LARGEST:
        raise ValueError(f"{name} must be a number from {-LARGEST:g} to {LARGEST:g}, got {given!r}")


def family(tree: Tree, informed_by: NodeLosses | None = None, *, costs: Sequence[float] = COSTS) -> list[Prior]:
    """Helmbold and Schapire's prior, one by each cost of a leaf, and those by each cost and each strength of losses.

    Losses are errors on the growing rows, or those on the rows of `informed_by`, which neither grew nor certify. A
    regression tree has no errors: there, without such rows, leaves alone count.
    """
    plain = [helmbold_schapire(tree), *(by_leaves(tree, cost) for cost in costs)]
    pairs = [(strength, cost) for strength in STRENGTHS for cost in costs]
    if informed_by is not None:
        lost, stopped = informed_by.leaf, informed_by.stopped
        return [*plain, *(by_losses(tree, lost, strength, cost, stopped) for strength, cost in pairs)]
    if tree.classes is None:
        return plain
    errors = evidence_of(tree).errors
    return [*plain, *(by_losses(tree, errors, strength, cost) for strength, cost in pairs)]
