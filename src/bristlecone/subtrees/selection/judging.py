"""Cross-validation: what each strength of pruning costs rows that were held out.

strength    how strongly a penalty prunes: the alpha of cost-complexity pruning, the factor of another penalty.
R_cv        the mean loss of the held-out rows, by weight; SE, its standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.folds import Fold, are_counts
from bristlecone.subtrees.heldout import Tally
from bristlecone.subtrees.losses import Loss
from bristlecone.subtrees.selection.growth import FoldFit, Growth

__all__ = ["CrossValidation", "cross_validate", "in_threads", "judge"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """strengths: (K,), the number by which each fold was pruned; risk, se: (K,), R_cv and its standard error in the
    target's units; fold_risk: (n_folds, K), all repeats; fold_weight: (n_folds,), the weight held out."""

    strengths: Floats
    risk: Floats
    se: Floats
    fold_risk: Floats
    fold_weight: Floats

    def __post_init__(self) -> None:
        k, n_folds = len(self.strengths), len(self.fold_weight)
        shapes = {"strengths": (k,), "risk": (k,), "se": (k,), "fold_risk": (n_folds, k), "fold_weight": (n_folds,)}
        for name, shape in shapes.items():
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype.kind not in "iuf":
                raise ValueError(f"{name} is not an array of numbers of shape {shape}")


def cross_validate(
    growth: Growth,
    loss: Loss,
    rounds: Sequence[Sequence[Fold]],
    strengths: Floats,
    tally: Callable[[FoldFit], Tally],
    n_threads: int = 1,
) -> CrossValidation:
    """What every strength costs rows that were held out.

    tally: the held-out losses of one fold's fit at all strengths, in the order of `strengths`. Folds run in threads;
    the result does not depend on their number.
    """
    flat = [fold for folds in rounds for fold in folds]
    tallies = in_threads(n_threads, lambda fold: tally(FoldFit.of(growth, fold)), flat)
    return judge(growth, loss, rounds, strengths, tallies)


def judge(
    growth: Growth, loss: Loss, rounds: Sequence[Sequence[Fold]], strengths: Floats, tallies: Sequence[Tally]
) -> CrossValidation:
    """R_cv and SE out of the tallies of all folds, the means over the rounds."""
    weights = growth.row_weights
    risks, errors, fold_risks, fold_weights, done = [], [], [], [], 0
    for folds in rounds:
        of_round, done = tallies[done : done + len(folds)], done + len(folds)
        held = [_Held.of(fold, loss) for fold in folds]
        risk, se = _risk_and_error(sum(of_round[1:], of_round[0]), held, weights)
        risks.append(risk)
        errors.append(se)
        fold_risks += [_mean(one.loss, part.counted) for one, part in zip(of_round, held, strict=True)]
        fold_weights += [part.weight for part in held]
    if not risks:
        unknown = np.full(len(strengths), np.nan)
        return CrossValidation(strengths, unknown, unknown, np.empty((0, len(strengths))), np.empty(0))
    risk, se = np.mean(risks, axis=0), np.mean(errors, axis=0)
    return CrossValidation(
        strengths, loss.scale(risk), loss.scale(se), loss.scale(np.array(fold_risks)), np.array(fold_weights)
    )


@dataclass(frozen=True, slots=True)
class _Held:
    """What the held-out rows of a fold weigh: by weight, factor x weight, factor^2 x weight. rows: those that count."""

    weight: float
    counted: float
    squared: float
    rows: Ints

    @classmethod
    def of(cls, fold: Fold, loss: Loss) -> _Held:
        if loss.factor is None:
            total = float(fold.held.sum())
            return cls(total, total, total, fold.held_out)
        factor = loss.factor[fold.held_out]
        counts = factor > 0
        factor, weight = factor[counts], fold.held[counts]
        return cls(float(weight.sum()), float(weight @ factor), float(weight @ factor**2), fold.held_out[counts])


def _mean(total: Floats, counted: float) -> Floats:
    """NaN in a fold whose rows do not count at all: class weights may be zero."""
    return total / counted if counted > 0 else np.full(len(total), np.nan)


def _risk_and_error(tally: Tally, held: Sequence[_Held], weights: Floats) -> tuple[Floats, Floats]:
    """Of one round. The error is that of a mean over independent rows: a whole weight counts as so many of them, and
    where weights are no whole numbers each row counts as one."""
    weight, counted, squared = (sum(getattr(part, name) for part in held) for name in ("weight", "counted", "squared"))
    risk = tally.loss / counted
    with np.errstate(invalid="ignore"):  # infinite losses
        spread = (tally.square - 2 * risk * tally.linear + risk * risk * squared) / weight
    ever = np.zeros(len(weights), dtype=np.bool_)
    ever[np.concatenate([part.rows for part in held])] = True
    once = weights[ever]
    n = once.sum() if are_counts(once) else len(once)
    error = np.sqrt(np.maximum(spread, 0.0) / n) / (counted / weight)
    return risk, np.where(np.isfinite(risk), error, np.inf)


def in_threads(n_threads: int, work: Callable[[Any], T], items: Sequence[Any]) -> list[T]:
    """work(item) for every item, in order; in this thread alone where there is one."""
    n_threads = min(n_threads, len(items))
    if n_threads <= 1:
        return [work(item) for item in items]
    pool = ThreadPoolExecutor(n_threads)
    try:
        return list(pool.map(work, items))
    finally:
        pool.shutdown(cancel_futures=True)
