"""Strengths of a vote, chosen on held-out rows, one after the other. SPEC A9.

grid       of a strength: first equally far apart by ratio, over all that make sense; then equally far apart by
           difference, from half of the best one to twice it.
search     along one strength at a time, the others held; "error first": lambda1 before lambda2.
protocol   "paper", or "code": what the authors' own runs do otherwise (SPEC A9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bristlecone.tree.arrays import Floats

__all__ = ["AXES", "CODE", "PAPER", "Axis", "Protocol", "Searched", "search"]

TIED = 1e-12


@dataclass(frozen=True, slots=True)
class Axis:
    """A strength to search. low, high: of the first grid; most: what the second grid does not pass."""

    name: str
    low: float
    high: float
    most: float = np.inf


AXES = {
    axis.name: axis
    for axis in (
        Axis("lambda1", 2.0**-8, 2.0**6),
        Axis("lambda2", 2.0**-8, 2.0**6),
        Axis("leaf_cost", 2.0**-8, 2.0**6),
        Axis("beta", 2.0**-8, 2.0**-0.05, 2.0**-0.05),
    )
}


@dataclass(frozen=True, slots=True)
class Protocol:
    """How grids are made. extra: strengths beside the first grid's ten, where the axis goes so far; n_linear: of the
    second; steady: whether, after the second grid, a strength steps back from a neighbour whose risk is more than half
    as large again."""

    extra: tuple[float, ...] = ()
    n_linear: int = 10
    steady: bool = False


PAPER = Protocol()
CODE = Protocol(extra=(1.0,), n_linear=11, steady=True)
SIZE = 10


@dataclass(frozen=True, slots=True)
class Searched:
    """chosen: the strengths, by name; tried: of every point of the grids, by name, (n_points,); risk: (n_points,), on
    n_folds folds."""

    chosen: Mapping[str, float]
    tried: Mapping[str, Floats]
    risk: Floats
    n_folds: int = 0


@dataclass(slots=True)
class _Trail:
    """All points so far."""

    risk_of: Callable[[Mapping[str, Floats]], Floats]
    points: list[Mapping[str, Floats]] = field(default_factory=list)
    risks: list[Floats] = field(default_factory=list)

    def along(self, at: Mapping[str, float], name: str, grid: Floats) -> Floats:
        points = {other: np.full(len(grid), value) for other, value in at.items()} | {name: grid}
        self.points.append(points)
        self.risks.append(self.risk_of(points))
        return self.risks[-1]


def search(
    risk_of: Callable[[Mapping[str, Floats]], Floats],
    start: Mapping[str, float],
    axes: Sequence[Axis],
    protocol: Protocol = PAPER,
) -> Searched:
    """The strengths of least risk along one axis after the other; of ties the smallest strength.

    On the second grid, that is, which has the best of the first; a steady protocol may then step back.

    risk_of: arrays by name, all (n_points,), to the risk of each point, (n_points,); start: a number for each name,
    also for those that have no axis and stay.
    """
    at, trail = dict(start), _Trail(risk_of)
    for axis in axes:
        extra = [strength for strength in protocol.extra if strength <= axis.most]
        first = np.sort(np.append(np.geomspace(axis.low, axis.high, SIZE), extra))
        best = first[_least(trail.along(at, axis.name, first))]
        second = np.linspace(best / 2, min(2 * best, axis.most), protocol.n_linear)
        if 2 * best > axis.most:  # else the best is among them
            second = np.union1d(second, [best])
        risk = trail.along(at, axis.name, second)
        k = _least(risk)
        at[axis.name] = float(second[_stepped_back(risk, k) if protocol.steady else k])
    names = list(start)
    tried = {name: np.concatenate([points[name] for points in trail.points]) for name in names} if trail.points else {}
    return Searched(at, tried, np.concatenate(trail.risks) if trail.risks else np.empty(0))


def _least(risk: Floats) -> int:
    return int(np.argmax(risk <= risk.min() * (1 + TIED)))


def _stepped_back(risk: Floats, k: int) -> int:
    while 0 < k < len(risk) - 1 and risk[k] > 0 and (risk[k + 1] - risk[k]) / risk[k] > 0.5:
        k -= 1
    return k
