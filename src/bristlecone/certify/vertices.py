"""The pruning whose own bound is least, exactly. SPEC A7, rule="bound".

lost        a pruning's losses on the certifying units, in all.
complexity  -ln P of the pruning, but for the normaliser.
vertex      a pruning that is cheapest for some direction: a lost + b complexity, a and b at least 0.

The bound kl-inverse(lost / n, (complexity + const) / n) rises in both and is concave, for it is the largest p of a
convex set (kl(q, p) <= c, kl being convex in both): over all prunings it is least at a vertex. Vertices are found by
halving: between two neighbours, the direction in which they cost the same has a cheaper pruning, or nothing lies
between.
corner      where the two lines meet on which neighbours lie, each in the direction that it is cheapest for: whatever is
            between them lies in the triangle of all three, and its bound is no less than the least of theirs. Where the
            bound at the corner is no less than one that is known, nobody need look between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bristlecone.certify.bounds import per_row, pruning_bound
from bristlecone.certify.kl import kl
from bristlecone.certify.priors import Prior
from bristlecone.certify.rows import NodeLosses, Units
from bristlecone.subtrees.fold import Cheapest, fold
from bristlecone.tree.arrays import Floats, Ints

__all__ = ["Corners", "Pruning", "corners", "least_bound", "vertices"]

AT_ONCE = 1 << 22  # numbers of a fold over many directions
CHEAPER = 1e-10  # relative: by less, a pruning is none of its own
NEARLY = 1e-9  # relative: what rounding may do to a bound

Worth = Callable[[Floats, Floats], npt.NDArray[np.bool_]]
"""Of the vertices so far, (m, 2), and of some corners between them, (k, 2), which corners to look below."""


@dataclass(frozen=True, slots=True, eq=False)
class Pruning:
    """leaves: a mask (n_nodes,); log_prior: ln of what `prior` gives it; observed: its mean loss, certifying."""

    leaves: npt.NDArray[np.bool_]
    log_prior: float
    observed: float
    prior: str


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """All vertices under one prior, from least losses to least complexity, (m,) each: losses, ln P, and leaves."""

    lost: Floats
    log_prior: Floats
    leaves: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Costs:
    """What ends and what goes on costs at each node, (n_nodes, 2): losses and complexity."""

    losses: NodeLosses
    leaf: Floats
    inner: Floats

    @classmethod
    def of(cls, losses: NodeLosses, prior: Prior) -> _Costs:
        n_nodes = losses.tree.n_nodes
        stopped = np.zeros(n_nodes) if losses.stopped is None else losses.stopped
        iota = 0.0 if prior.potentials.inner is None else np.asarray(prior.potentials.inner)
        inner = np.stack([stopped, np.broadcast_to(-iota, n_nodes)], axis=1)
        return cls(losses, np.stack([losses.leaf, -prior.potentials.leaf], axis=1), inner)

    def cheapest(self, directions: Floats) -> Cheapest:
        """directions: (m, 2)."""
        return fold(self.losses.tree, self.leaf @ directions.T, self.inner @ directions.T, semiring="min")

    def points(self, directions: Floats) -> Floats:
        """Losses and complexity of the cheapest prunings, (m, 2)."""
        found = [place.leaf.T @ self.leaf + place.inner.T @ self.inner for place in self._in_parts(directions)]
        return np.concatenate(found)

    def n_leaves(self, directions: Floats) -> Ints:
        """Leaves of the cheapest prunings, (m,)."""
        return np.concatenate([np.count_nonzero(place.leaf, axis=0) for place in self._in_parts(directions)])

    def _in_parts(self, directions: Floats) -> Iterator[Cheapest]:
        step = max(1, AT_ONCE // self.losses.tree.n_nodes)
        for first in range(0, len(directions), step):
            yield self.cheapest(directions[first : first + step])


def vertices(losses: NodeLosses, prior: Prior, worth: Worth | None = None) -> tuple[Floats, Floats]:
    """Losses and complexity of all vertices, (m, 2), from least losses to least complexity; and their directions.

    worth: tells where to look; by default everywhere.
    """
    costs = _Costs.of(losses, prior)
    directions = np.eye(2)
    points = costs.points(directions)
    open_ = np.array([True])  # of each gap between neighbours, whether something may lie in it
    while open_.any():
        gaps = np.flatnonzero(open_)
        if worth is not None:
            open_[gaps] = worth(points, _corners(points, directions, gaps))
            gaps = np.flatnonzero(open_)
        if not len(gaps):
            break
        asked = np.abs(points[gaps + 1] - points[gaps])[:, ::-1]
        asked = asked / np.maximum(asked.sum(axis=1, keepdims=True), 1e-300)
        between = costs.points(asked)
        known = (points[gaps] * asked).sum(axis=1)
        least_gain = CHEAPER * (np.abs(points[gaps]) * asked).sum(axis=1)
        cheaper = (between * asked).sum(axis=1) < known - least_gain
        open_[gaps] = False
        at = gaps[cheaper] + 1
        points, directions = np.insert(points, at, between[cheaper], 0), np.insert(directions, at, asked[cheaper], 0)
        open_ = np.insert(open_, gaps[cheaper], True)
        fresh = gaps[cheaper] + np.arange(1, len(at) + 1)  # where the inserted points stand now
        open_[fresh - 1] = open_[fresh] = True
    return points, directions


def _corners(points: Floats, directions: Floats, gaps: Ints) -> Floats:
    """The corner of each gap, (len(gaps), 2): in the box of its neighbours, where rounding would have it elsewhere."""
    first, second, one, other = points[gaps], points[gaps + 1], directions[gaps], directions[gaps + 1]
    turn = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    along, across = (one * first).sum(axis=1), (other * second).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        meeting = np.stack([along * other[:, 1] - across * one[:, 1], across * one[:, 0] - along * other[:, 0]], axis=1)
        meeting = meeting / turn[:, None]
    least = np.minimum(first, second)
    inside = np.clip(meeting, least, np.maximum(first, second))
    corner: Floats = np.where((turn > 0)[:, None] & np.isfinite(meeting), inside, least)
    return corner


@dataclass(slots=True)
class _Least:
    """The least bound on any pruning so far. delta: that of one prior; normaliser: of the prior that is looked at."""

    units: Units
    delta: float
    normaliser: float = 0.0
    value: float = field(default=np.inf)

    def bounds(self, points: Floats) -> Floats:
        """At losses and complexity, (m, 2)."""
        n = self.units.n
        bounds: Floats = pruning_bound(self._observed(points), self.log_prior(points), n, self.delta)
        return bounds

    def log_prior(self, points: Floats) -> Floats:
        """ln P at them, (m,)."""
        return np.minimum(-points[:, 1] - self.normaliser, 0.0)

    def worth(self, points: Floats, corners: Floats) -> npt.NDArray[np.bool_]:
        """Which corners have a bound that is not above the least one known."""
        better = points if self.value > 1 else points[self.within(points, self.value * (1 - NEARLY))]
        if len(better):
            self.value = float(self.bounds(better).min())
        return self.within(corners, min(self.value * (1 + NEARLY), 1.0))

    def _observed(self, points: Floats) -> Floats:
        return np.clip((points[:, 0] + self.units.tampered) / self.units.n, 0.0, 1.0)

    def within(self, points: Floats, value: float) -> npt.NDArray[np.bool_]:
        """Whether their bounds are at most a value: no inverse is needed for that."""
        observed, budget = self._observed(points), per_row(-self.log_prior(points), self.units.n, self.delta)
        inside: npt.NDArray[np.bool_] = (observed <= value) & ((value >= 1) | (kl(observed, value) >= budget))
        return inside


def least_bound(losses: NodeLosses, priors: Sequence[Prior], delta: float) -> Pruning:
    """The pruning of least bound over all prunings and priors; each of K priors gets delta / K."""
    least, best, chosen = _Least(losses.units, delta / len(priors)), np.inf, None
    for prior in priors:
        least.normaliser = _normaliser(losses, prior)
        points, directions = vertices(losses, prior, least.worth)
        near = np.flatnonzero(least.within(points, min(best, 1.0)))
        bounds = least.bounds(points[near])
        if len(near) and (chosen is None or bounds.min() < best):
            at = near[int(np.argmin(bounds))]
            best, chosen = float(bounds.min()), (prior, directions[at : at + 1], float(least.log_prior(points)[at]))
    assert chosen is not None
    prior, direction, log_prior = chosen
    leaves = _Costs.of(losses, prior).cheapest(direction).leaf[:, 0]
    return Pruning(leaves, log_prior, losses.of_pruning(leaves), prior.name)


def _normaliser(losses: NodeLosses, prior: Prior) -> float:
    return float(fold(losses.tree, prior.potentials.leaf, prior.potentials.inner, semiring="logaddexp").total)


def corners(losses: NodeLosses, prior: Prior) -> Corners:
    """Every pruning that the bound can be least at under a prior, with its size."""
    points, directions = vertices(losses, prior)
    lost, log_prior = points[:, 0], np.minimum(-points[:, 1] - _normaliser(losses, prior), 0.0)
    # At either end, of prunings that cost the same in one way, one may cost more in the other; both ends may be one.
    kept = np.flatnonzero(np.append(np.diff(lost) > CHEAPER * np.maximum(lost[1:], 1.0), True))
    kept = kept[np.append(True, np.diff(log_prior[kept]) > CHEAPER)]
    return Corners(lost[kept], log_prior[kept], _Costs.of(losses, prior).n_leaves(directions[kept]))
