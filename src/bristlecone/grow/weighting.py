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

from bristlecone.grow.targets import ClassTarget, Floats, as_floats

__all__ = ["ClassWeighting", "expected_loss_labels", "weigh_classes"]


@dataclass(frozen=True, slots=True)
class ClassWeighting:
    """weights: (n_rows,) growth weights or None for ones; alteration: (K,) the loss matrix's factor in them, or None;
    loss: (K, K) or None."""

    weights: Floats | None
    alteration: Floats | None = None
    loss: Floats | None = None


def weigh_classes(
    target: ClassTarget, weights: Floats | None, class_weight: Any, priors: Any, loss: Any
) -> ClassWeighting:
    """Combine row weights with class weights, priors and a loss matrix. Raises ValueError naming the parameter."""
    factor = np.ones(target.n_classes)
    if class_weight is not None:
        factor = factor * _class_factors(target, weights, class_weight)
    totals = np.bincount(target.codes, weights, target.n_classes) * factor
    if priors is not None:
        factor = factor * _prior_factors(target, totals, priors)
        totals = np.bincount(target.codes, weights, target.n_classes) * factor
    matrix = None if loss is None else _loss_matrix(target, loss)
    alteration = None if matrix is None else _alteration(matrix, totals)
    combined = factor if alteration is None else factor * alteration
    if (combined == combined[0]).all() and combined[0] == 1.0:
        return ClassWeighting(weights, alteration, matrix)
    rows = combined[target.codes]
    grown = rows if weights is None else rows * weights
    if not grown.any():
        raise ValueError("class_weight leaves no row with a positive weight")
    return ClassWeighting(grown, alteration, matrix)


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
        raise ValueError(f"priors: class {target.classes[k]!r} has {shares[k]}; priors are positive")
    present = totals > 0
    shares = np.where(present, shares, 0.0)
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
    if k > 1 and (matrix.sum(axis=1) == 0).any():
        row = int(np.flatnonzero(matrix.sum(axis=1) == 0)[0])
        raise ValueError(f"loss: every answer to class {target.classes[row]!r} is free")
    return matrix


def _alteration(matrix: Floats, totals: Floats) -> Floats | None:
    cost = matrix.sum(axis=1)
    if (cost == cost[0]).all():
        return None
    altered: Floats = cost * totals.sum() / (cost * totals).sum()
    return altered


def expected_loss_labels(shares: Floats, loss: Floats) -> npt.NDArray[np.int32]:
    """The cheapest answer of each node. shares: (n_nodes, K) weights; loss: (K, K). Ties go to the lowest class."""
    cost = shares @ loss
    nearly_least = cost <= cost.min(axis=1, keepdims=True) * (1 + 1e-12)
    labels: npt.NDArray[np.int32] = nearly_least.argmax(axis=1).astype(np.int32)
    return labels
