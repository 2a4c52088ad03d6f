"""Which posterior over prunings makes the bound least: a grid over lambda, then steps that only go down. SPEC A7.

lambda      Q(T) is in proportion to P(T) e^(-lambda losses(T)); any lambda will do, for bounds hold for all posteriors.
step        at the present posterior the bound is replaced by its tangent in (mean loss, KL). Both inverses are concave
            there, so that the tangent lies above; it is least at a posterior of the same form, whose lambda is the
            ratio of the tangent's slopes: alternating minimisation, which never goes up.
            of "kl": ln(p (1 - q) / (q (1 - p))), q the mean loss and p the bound; of "lambda": `best_lambda`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from bristlecone.certify.bounds import best_lambda, gibbs_bound
from bristlecone.certify.priors import Prior
from bristlecone.certify.rows import NodeLosses, Units
from bristlecone.subtrees.fold import fold
from bristlecone.subtrees.posterior import Posterior, Potentials
from bristlecone.tree.arrays import Floats

__all__ = ["Found", "Hypotheses", "Kind", "Prunings", "search", "settle"]

Kind = Literal["kl", "lambda"]

LAMBDAS = 2.0 ** np.linspace(-9, 4, 27)
LARGEST = 1e3  # beyond it, losses weigh so much that nothing changes
MOST_STEPS = 200
SETTLED = {"kl": 1e-6, "lambda": 1e-13}  # relative change of lambda; the bound's own is far smaller


class Hypotheses(Protocol):
    """Predictors under one prior, and the posteriors of one family."""

    @property
    def units(self) -> Units: ...

    def grid(self, lams: Floats) -> tuple[Floats, Floats]:
        """Mean loss and KL at each lambda, (len(lams),) each; KL to rounding."""

    def at(self, lam: float) -> tuple[Posterior, float, float]:
        """The posterior over prunings at a lambda, the mean loss and the KL."""


@dataclass(frozen=True, slots=True, eq=False)
class Prunings:
    """The prunings of a tree with its labels, which no certifying row had a part in."""

    losses: NodeLosses
    prior: Prior

    @property
    def units(self) -> Units:
        return self.losses.units

    def _potentials(self, lam: Floats | float) -> Potentials:
        before, losses = self.prior.potentials, self.losses
        leaf = np.add.outer(before.leaf, np.zeros(np.shape(lam))) - np.multiply.outer(losses.leaf, lam)
        if losses.stopped is None:
            return Potentials(leaf, before.inner)
        passed = -np.multiply.outer(losses.stopped, lam)
        if before.inner is None:
            return Potentials(leaf, passed)
        inner = np.broadcast_to(before.inner, losses.leaf.shape)
        return Potentials(leaf, passed + np.add.outer(inner, np.zeros(np.shape(lam))))

    def grid(self, lams: Floats) -> tuple[Floats, Floats]:
        """The KL is ln Z_P - ln Z - lam losses: one pass over the tree for all lambdas."""
        asked, before = self._potentials(lams), self.prior.potentials
        weighing = fold(self.losses.tree, asked.leaf, asked.inner, semiring="logaddexp")
        lost = np.exp(weighing.leaf).T @ self.losses.leaf
        if self.losses.stopped is not None:
            inner = np.flatnonzero(self.losses.tree.children_left >= 0)
            below = self.losses.tree.children_left[inner]
            lost += np.exp(weighing.node[below]).T @ self.losses.stopped[inner]
        total = fold(self.losses.tree, before.leaf, before.inner, semiring="logaddexp").total
        return _share(lost / self.units.n), np.maximum(total - weighing.total - lams * lost, 0.0)

    def at(self, lam: float) -> tuple[Posterior, float, float]:
        posterior = Posterior(self.losses.tree, self._potentials(lam), self.prior.potentials)
        lost = float(posterior.weights @ self.losses.leaf)
        if self.losses.stopped is not None:
            inner = np.flatnonzero(self.losses.tree.children_left >= 0)
            going = np.exp(posterior.weighing.node[self.losses.tree.children_left[inner]])
            lost += float(going @ self.losses.stopped[inner])
        return posterior, float(_share(np.asarray(lost / self.units.n))), posterior.kl


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A posterior and its bound. observed: mean loss on the certifying units; value: the bound, in shares."""

    hypotheses: Hypotheses
    posterior: Posterior
    lam: float
    observed: float
    kl: float
    value: float


def search(candidates: Iterable[Hypotheses], delta: float, kind: Kind = "kl") -> Found:
    """The least bound over priors and a grid of lambdas, and then by steps; each of K priors gets delta / K."""
    given = list(candidates)
    shared, units = delta / len(given), given[0].units
    observed, kl = map(np.stack, zip(*(one.grid(LAMBDAS) for one in given), strict=True))
    values = gibbs_bound(_tampered(observed, units), kl, units.n, shared, kind=kind)
    best, at = np.unravel_index(int(np.argmin(values)), values.shape)
    return settle(given[best], shared, kind=kind, start=float(LAMBDAS[at]))


def settle(hypotheses: Hypotheses, delta: float, *, kind: Kind = "kl", start: float = 1.0) -> Found:
    """Steps from one lambda until it no longer changes. SPEC A7, AV-A5."""
    lam, best = start, None
    for _ in range(MOST_STEPS):
        found = _at(hypotheses, lam, delta, kind)
        if best is None or found.value <= best.value:
            best = found
        following = _next(found, delta, kind)
        if abs(following - lam) <= SETTLED[kind] * lam:
            break
        lam = following
    assert best is not None
    return best


def _at(hypotheses: Hypotheses, lam: float, delta: float, kind: Kind) -> Found:
    posterior, observed, kl = hypotheses.at(lam)
    units = hypotheses.units
    value = gibbs_bound(float(_tampered(np.asarray(observed), units)), kl, units.n, delta, kind=kind)
    return Found(hypotheses, posterior, lam, observed, kl, value)


def _next(found: Found, delta: float, kind: Kind) -> float:
    units = found.hypotheses.units
    q, p = float(_tampered(np.asarray(found.observed), units)), found.value
    if kind == "lambda":
        return float(best_lambda(q, found.kl, units.n, delta))
    if q <= 0 or p >= 1:
        return LARGEST if q <= 0 else found.lam
    return min(math.log(p) - math.log(q) + math.log1p(-q) - math.log1p(-p), LARGEST)


def _tampered(observed: Floats, units: Units) -> Floats:
    return _share(observed + units.tampered / units.n)


def _share(values: Floats) -> Floats:
    return np.clip(values, 0.0, 1.0)
