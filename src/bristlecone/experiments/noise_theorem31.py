"""Theorem 3.1 of the noise paper seen: clean error against the rate of noise and the size. SPEC D5.

gamma       of a target: the least, over all restrictions that leave both labels, of the largest covariance of a free
            bit over the variance; found by looking at all 3^n of them.
bound       eps + 4 (1 + gamma) eta / gamma + eta, with eps = 1 / (gamma sqrt(kappa / 2 ln t)) for t leaves: what the
            theorem leaves of the error. It speaks of distributions; here trees see samples.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.grow import IMPURITIES, top_down
from bristlecone.noise import ADVERSARIES, MonotoneTarget, error_bound, monotone_tree

__all__ = ["EXPERIMENT", "Point", "bound", "draw", "gamma_of", "study", "text"]

NAME = "noise-theorem31"

N_BITS, SIZE, ROWS = 8, 10, 4000
RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
LEAVES = (2, 4, 8, 16, 32, 64, 128)
WAYS = ("random_label_flip", "targeted_label_flip", "insert_worst", "greedy_cancel", "tribes_cancel")
SHARES = (0.5, 0.3)


@dataclass(frozen=True, slots=True)
class Point:
    """One tree. share: Pr[bit = 1]; gamma: of the target under it."""

    target: int
    share: float
    gamma: float
    impurity: str
    adversary: str
    rate: float
    leaves: int
    error: float


def study(n_targets: int = 5, leaves: Sequence[int] = LEAVES, rates: Sequence[float] = RATES) -> list[Point]:
    """All targets, measures, impurities, adversaries, rates and sizes."""
    found = []
    for seed, share in itertools.product(range(n_targets), SHARES):
        target = monotone_tree(N_BITS, SIZE, random_state=seed)
        gamma = gamma_of(target, share)
        X, y = target.sample(ROWS, share, random_state=seed)
        for adversary, rate in itertools.product(WAYS, rates):
            bad = ADVERSARIES[adversary](X, y, rate, random_state=seed)
            for impurity, size in itertools.product(IMPURITIES, leaves):
                tree = top_down(bad.X, bad.y, size, splits="projections", impurity=impurity)
                error = _clean_error(tree, target, share)
                found.append(Point(seed, share, gamma, impurity, adversary, rate, size, error))
    return found


def gamma_of(target: MonotoneTarget, share: float) -> float:
    """See the head of this file. share: Pr[bit = 1] of every bit."""
    n = target.n_features
    rows = _cube(n)
    labels, mass = 2.0 * target(rows) - 1, _mass(rows, share)
    shape = (2,) * n
    value = (labels * mass).reshape(shape)
    weight = mass.reshape(shape)
    least = math.inf
    for fixed in itertools.product((0, 1, None), repeat=n):
        free = [i for i, bit in enumerate(fixed) if bit is None]
        at = tuple(slice(None) if bit is None else bit for bit in fixed)
        v, w = value[at], weight[at]
        mean = v.sum() / w.sum()
        if not free or 1 - mean**2 < 1e-12:
            continue
        sums = [np.moveaxis(v, k, 0).reshape(2, -1).sum(axis=1) / w.sum() for k in range(len(free))]
        covariance = max(2 * (one[1] - share * mean) for one in sums)  # of the bit as -1 and +1
        least = min(least, float(covariance / (1 - mean**2)))
    return least


def bound(gamma: float, rate: float, leaves: int, kappa: float = 8.0) -> float:
    """See the head of this file."""
    eps = 1 / (math.sqrt(kappa / 2) * gamma * math.sqrt(math.log(leaves)))
    return error_bound(gamma, eps, rate)


def _clean_error(tree: Any, target: MonotoneTarget, share: float) -> float:
    rows = _cube(target.n_features)
    return float(_mass(rows, share)[tree.predict(rows) != target(rows)].sum())


def _cube(n: int) -> npt.NDArray[np.int64]:
    return np.array(list(itertools.product((0, 1), repeat=n)))


def _mass(rows: npt.NDArray[np.int64], share: float) -> npt.NDArray[np.float64]:
    ones = rows.sum(axis=1)
    mass: npt.NDArray[np.float64] = share**ones * (1 - share) ** (rows.shape[1] - ones)
    return mass


def text(found: Sequence[Point]) -> str:
    """A Markdown table: the mean clean error of 16 leaves by adversary and rate, Gini; and how far below the bound."""
    rates = sorted({point.rate for point in found})
    leaves = max(size for size in {point.leaves for point in found} if size <= 16)
    lines = [f"| Gini, {leaves} leaves | " + " | ".join(f"{rate:g}" for rate in rates) + " |"]
    lines.append("|---" * (len(rates) + 1) + "|")
    for adversary in dict.fromkeys(point.adversary for point in found):
        cells = [f"{_mean(found, adversary, rate, leaves, 'gini'):.3f}" for rate in rates]
        lines.append(f"| {adversary} | " + " | ".join(cells) + " |")
    over = [point.error > bound(point.gamma, point.rate, point.leaves, _kappa(point)) for point in found]
    gammas = sorted({point.gamma for point in found})
    most = max(point.leaves for point in found)
    lines += ["", f"{sum(over)} of {len(found)} trees above the bound; gamma {gammas[0]:.3f} to {gammas[-1]:.3f}"]
    lines.append(f"the bound without noise, Gini, {most} leaves, largest gamma: {bound(gammas[-1], 0.0, most):.3f}")
    return "\n".join(lines)


def _kappa(point: Point) -> float:
    return IMPURITIES[point.impurity].kappa or math.nan


def _mean(found: Sequence[Point], adversary: str, rate: float, leaves: int, impurity: str) -> float:
    wanted = (adversary, rate, leaves, impurity)
    return float(np.mean([p.error for p in found if (p.adversary, p.rate, p.leaves, p.impurity) == wanted]))


def draw(found: Sequence[Point], axes: Sequence[Any]) -> None:
    """Error by rate for each adversary, with the bound's part of the noise; by size at the largest rate, greedy."""
    rates, sizes = sorted({p.rate for p in found}), sorted({p.leaves for p in found})
    middle = max(size for size in sizes if size <= 16)
    gamma = float(np.mean([p.gamma for p in found]))
    for adversary in dict.fromkeys(p.adversary for p in found):
        axes[0].plot(rates, [_mean(found, adversary, r, middle, "gini") for r in rates], ".-", label=adversary)
    axes[0].plot(rates, [4 * (1 + gamma) * r / gamma + r for r in rates], "k:", label="bound's noise part")
    axes[0].set(xlabel="share of corrupted rows", ylabel="clean error", title=f"Gini, {middle} leaves", ylim=(0, 0.5))
    rate = rates[-1]
    for impurity in dict.fromkeys(p.impurity for p in found):
        errors = [_mean(found, "greedy_cancel", rate, size, impurity) for size in sizes]
        axes[1].plot(sizes, errors, ".-", label=impurity)
    axes[1].set(xscale="log", xlabel="leaves", title=f"greedy cancelling at {rate:g}", ylim=(0, 0.5))
    for ax in axes[:2]:
        ax.legend(fontsize="x-small")


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    needed("matplotlib")
    found = study(asked.splits, (4, 16), (0.0, 0.1)) if asked.quick else study(asked.splits)
    keep(asked, NAME, found, draw, 2)
    return text(found)


EXPERIMENT = Experiment(
    name=NAME,
    source="Blanc, Lange, Malik and Tan, ICML 2022, Theorem 3.1: clean error against the rate of noise, and the bound",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=5,
    quick_splits=1,
)
