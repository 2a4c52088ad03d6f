"""The certificate that `fit` prints and `certify` asks for: how wrong the tree can be on new rows, and how surely."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.certify import Beyond, Certificate, WeighedTree, holdout, weigh
from bristlecone.certify.bounds import FEWEST
from bristlecone.certify.split import LATER
from bristlecone.cli.options import FitOptions
from bristlecone.cli.rows import people_count
from bristlecone.cli.sample import Sample
from bristlecone.subtrees.selection import Growth, vote_tree
from bristlecone.tree import Tree

__all__ = ["Certified", "of_answers", "of_held_out", "weighed_by", "worst_off"]

OFTEN = 0.9  # of the growing rows lie within the radius that a regression tree is certified for


@dataclasses.dataclass(frozen=True, slots=True)
class Certified:
    """A certificate, or why there is none."""

    certificate: Certificate | None
    reason: str = ""


def of_held_out(tree: Tree, growing: Sample, held_out: Sample, options: FitOptions) -> Certified:
    """Certify a tree by the rows that were held out of its growth."""
    if held_out.weight is not None:
        return Certified(None, "none: the rows have weights, and a certificate counts independent rows")
    units = len(held_out.rows) if held_out.group is None else len(np.unique(held_out.group))
    if units < FEWEST:
        what = "rows" if held_out.group is None else "groups"
        told = f"none: {units} {what} held out, and a certificate needs at least {FEWEST}"
        return Certified(None, f"{told}; a larger --holdout holds out more")
    lenient = tree if tree.unseen != "error" else dataclasses.replace(tree, unseen="stop")
    radius = options.radius
    if radius is None and tree.classes is None:
        radius = worst_off(growing.y, lenient.predict(growing.table))
    answers, group = lenient.predict(held_out.table), held_out.group
    found = of_answers(tree, held_out.y, answers, options.delta, group, radius, options.corrupted)
    return Certified(found if held_out.time is None else _of_last_rows(found))


def of_answers(
    tree: Tree,
    y: NDArray[Any],
    answers: NDArray[Any],
    delta: float,
    group: Any = None,
    radius: float | None = None,
    corrupted: float = 0.0,
) -> Certificate:
    """Certify a tree by its answers to rows that it never saw; radius: for numbers."""
    asked: dict[str, Any] = {"delta": delta, "groups": group, "corrupted": corrupted}
    if tree.classes is not None:
        return holdout(y, answers, constant=tree.classes[tree.label[0]], classes=tree.classes, **asked)
    return holdout(y, answers, risk=Beyond(radius or 0.0), constant=float(tree.prediction[0]), **asked)


def worst_off(y: NDArray[Any], answers: NDArray[Any]) -> float:
    """The radius that nine in ten of the growing rows lie within, rounded up to three digits."""
    radius = float(np.quantile(np.abs(y - answers), OFTEN))
    if radius == 0.0 or not math.isfinite(radius):
        return 0.0 if radius == 0.0 else float(np.finfo(np.float64).max)
    unit = 10.0 ** (math.floor(math.log10(radius)) - 2)
    return float(f"{math.ceil(radius / unit * (1 - 1e-12)) * unit:.3g}")


def weighed_by(growth: Growth, held_out: Sample, options: FitOptions) -> tuple[Tree, WeighedTree, Certificate]:
    """Grow, weigh all prunings by the rows held out, and take the one of least bound, or with --vote their vote."""
    risk = "error" if options.radius is None else Beyond(options.radius)
    grown = growth.tree()
    asked: dict[str, Any] = {
        "delta": options.delta,
        "groups": held_out.group,
        "corrupted": options.corrupted,
        "risk": risk,
    }
    with people_count(options.data, held_out.rows):
        weighed = weigh(grown, held_out.table, held_out.y, **asked)
    if options.vote:
        tree, found = vote_tree(weighed.tree, weighed.answers), weighed.vote()
    else:
        tree, found = weighed.pruned, weighed.of_pruning()
    if options.radius is not None:
        found = dataclasses.replace(found, details={**found.details, "radius": options.radius})
    return tree, weighed, found if held_out.time is None else _of_last_rows(found)


def _of_last_rows(certificate: Certificate) -> Certificate:
    return dataclasses.replace(certificate, assumes=(*certificate.assumes, LATER))
