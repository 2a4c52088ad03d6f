"""Weights of classes: class weights, priors and a loss matrix, as factors on the rows' weights.

A row of class k weighs sample_weight * class_weight[k] * prior factor[k]. The prior factor makes the classes' shares of
the total weight the given priors. A loss matrix alters the priors further, for growth only: class i counts
sum_j loss[i][j] times, the total kept (rpart's altered priors; Breiman et al. 1984, 4.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.grow.targets import ClassTarget, Floats, as_floats, check_total

__all__ = ["ClassWeighting", "expected_loss_labels", "weigh_classes"]


@dataclass(frozen=True, slots=True)
class ClassWeighting:
    """weights: (n_rows,) growth weights or None for ones; alteration: (K,) the loss matrix's factor in them, or None;
    loss: (K, K) or None; factor: (K,) what class weights and priors make of a row's own weight, or None for ones."""

    weights: Floats | None
    alteration: Floats | None = None
    loss: Floats | None = None
    factor: Floats | None = None


def weigh_classes(
    target: ClassTarget, weights: Floats | None, class_weight: Any, priors: Any, loss: Any
) -> ClassWeighting:
    """Combine row weights with class weights, priors and a loss matrix. Raises ValueError naming the parameter."""
    if class_weight is None and priors is None and loss is None:
        return ClassWeighting(weights)
    factor = np.ones(target.n_classes)
    rows = np.bincount(target.codes, weights, target.n_classes).astype(np.float64, copy=False)
    if class_weight is not None:
        factor = factor * _class_factors(target, weights, class_weight)
    totals = _totals(rows, factor, "class_weight")
    if priors is not None:
        factor = factor * _prior_factors(target, totals, priors)
        totals = _totals(rows, factor, "priors")
    matrix = None if loss is None else _loss_matrix(target, loss)
    alteration = None if matrix is None else _alteration(matrix, totals)
    combined = factor if alteration is None else factor * alteration
    if (combined == combined[0]).all() and combined[0] == 1.0:
        return ClassWeighting(weights, alteration, matrix)
    of_rows = combined[target.codes]
    grown = of_rows if weights is None else of_rows * weights
    if not grown.any():
        raise ValueError("class_weight leaves no row with a positive weight")
    check_total(grown, "loss")
    return ClassWeighting(grown, alteration, matrix, None if (factor == 1.0).all() else factor)


def _totals(rows: Floats, factor: Floats, name: str) -> Floats:
    with np.errstate(over="ignore"):
        totals = rows * factor
    check_total(totals, name)
    return totals


def _class_factors(target: ClassTarget, weights: Floats | None, class_weight: Any) -> Floats:
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight must be 'balanced' or one weight a class; got {class_weight!r}")
        # Rows of weight zero are absent, and so are classes that have no others.
        rows = np.bincount(target.codes if weights is None else target.codes[weights > 0], minlength=target.n_classes)
        return np.where(rows > 0, rows.sum() / (np.count_nonzero(rows) * np.maximum(rows, 1)), 1.0)
    return target.per_class(class_weight, "class_weight")


def _prior_factors(target: ClassTarget, totals: Floats, priors: Any) -> Floats:
    shares = target.per_class(priors, "priors")
    if (shares <= 0).any():
        k = int(np.flatnonzero(shares <= 0)[0])
        raise ValueError(f"priors: class {target.label(k)!r} has {float(shares[k])!r}; priors are positive")
    present = totals > 0
    shares = np.where(present, _scaled(shares), 0.0)
    with np.errstate(over="ignore"):  # a factor beyond the floats is refused with the totals it makes
        return np.where(present, shares / shares.sum() * totals.sum() / np.where(present, totals, 1.0), 1.0)


def _loss_matrix(target: ClassTarget, loss: Any) -> Floats:
    matrix = as_floats(loss, "loss")
    k = target.n_classes
    if matrix.shape != (k, k):
        raise ValueError(f"loss must be a {k} x {k} matrix, true classes in rows; got shape {matrix.shape}")
    if not (np.isfinite(matrix).all() and (matrix >= 0).all()):
        raise ValueError("loss must hold finite numbers >= 0")
    if np.diag(matrix).any():
        raise ValueError("loss must be zero on its diagonal: a right answer costs nothing")
    free = ~matrix.any(axis=1)
    if k > 1 and free.any():
        row = int(np.argmax(free))
        raise ValueError(f"loss: every answer to class {target.label(row)!r} is free")
    return matrix


def _alteration(matrix: Floats, totals: Floats) -> Floats | None:
    cost = _scaled(_scaled(matrix).sum(axis=1))
    if (cost == cost[0]).all():
        return None
    altered: Floats = cost * totals.sum() / (cost * totals).sum()
    return altered


def _scaled(values: Floats) -> Floats:
    """The values over a power of two that makes the largest about one: sums stay finite, and digits as they are."""
    scaled: Floats = np.ldexp(values, -np.frexp(values.max())[1])
    return scaled


def expected_loss_labels(shares: Floats, loss: Floats) -> npt.NDArray[np.int32]:
    """The cheapest answer of each node. shares: (n_nodes, K) weights; loss: (K, K). Ties go to the lowest class."""
    per_node = np.ldexp(shares, -np.frexp(shares.max(axis=1, keepdims=True))[1])
    cost = per_node @ _scaled(loss)
    nearly_least = cost <= cost.min(axis=1, keepdims=True) * (1 + 1e-12)
    labels: npt.NDArray[np.int32] = nearly_least.argmax(axis=1).astype(np.int32)
    return labels
