"""The pruning whose own bound is least, exactly. SPEC A7, rule="bound".

lost        a pruning's losses on the certifying units, in all.
complexity  -ln P of the pruning, but for the normaliser.
vertex      a pruning that is cheapest for some direction: a lost + b complexity, a and b at least 0.

The bound kl-inverse(lost / n, (complexity + const) / n) rises in both and is concave, for it is the largest p of a
convex set (kl(q, p) <= c, kl being convex in both): over all prunings it is least at a vertex. Vertices are found by
halving: between two neighbours, the direction in which they cost the same has a cheaper pruning, or nothing lies
between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bristlecone.certify.bounds import pruning_bound
from bristlecone.certify.priors import Prior
from bristlecone.certify.rows import NodeLosses
from bristlecone.subtrees.fold import Cheapest, fold
from bristlecone.tree.arrays import Floats, Ints

__all__ = ["Corners", "Pruning", "corners", "least_bound", "vertices"]

AT_ONCE = 1 << 22  # numbers of a fold over many directions
CHEAPER = 1e-10  # relative: by less, a pruning is none of its own


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


def vertices(losses: NodeLosses, prior: Prior) -> tuple[Floats, Floats]:
    """Losses and complexity of all vertices, (m, 2), from least losses to least complexity; and their directions."""
    costs = _Costs.of(losses, prior)
    directions = np.eye(2)
    points = costs.points(directions)
    open_ = np.array([True])  # of each gap between neighbours, whether something may lie in it
    while open_.any():
        gaps = np.flatnonzero(open_)
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


def least_bound(losses: NodeLosses, priors: list[Prior], delta: float) -> Pruning:
    """The pruning of least bound over all prunings and priors; each of K priors gets delta / K."""
    units = losses.units
    every = [_candidates(losses, prior) for prior in priors]
    lost, log_prior = (np.concatenate([one[k] for one in every]) for k in (0, 1))
    observed = np.clip((lost + units.tampered) / units.n, 0.0, 1.0)
    best = int(np.argmin(pruning_bound(observed, log_prior, units.n, delta / len(priors))))
    which = int(np.searchsorted(np.cumsum([len(one[0]) for one in every]), best, side="right"))
    direction = np.concatenate([one[2] for one in every])[best : best + 1]
    leaves = _Costs.of(losses, priors[which]).cheapest(direction).leaf[:, 0]
    return Pruning(leaves, float(log_prior[best]), losses.of_pruning(leaves), priors[which].name)


def corners(losses: NodeLosses, prior: Prior) -> Corners:
    """Every pruning that the bound can be least at under a prior, with its size."""
    lost, log_prior, directions = _candidates(losses, prior)
    # At either end, of prunings that cost the same in one way, one may cost more in the other; both ends may be one.
    kept = np.flatnonzero(np.append(np.diff(lost) > CHEAPER * np.maximum(lost[1:], 1.0), True))
    kept = kept[np.append(True, np.diff(log_prior[kept]) > CHEAPER)]
    return Corners(lost[kept], log_prior[kept], _Costs.of(losses, prior).n_leaves(directions[kept]))


def _candidates(losses: NodeLosses, prior: Prior) -> tuple[Floats, Floats, Floats]:
    """Of all vertices: losses, ln P, and directions."""
    points, directions = vertices(losses, prior)
    normaliser = fold(losses.tree, prior.potentials.leaf, prior.potentials.inner, semiring="logaddexp").total
    return points[:, 0], np.minimum(-points[:, 1] - normaliser, 0.0), directions
