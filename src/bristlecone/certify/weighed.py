"""A tree, all its prunings weighed by rows that had no part in growing it, and the certificates that follow. SPEC A7.

Four predictors come of it: the vote over all prunings, the Gibbs predictor, one pruning drawn from the posterior, and
one pruning chosen by its own bound. Each has certificates of its own, and each certificate may fail with chance delta:
the kind is to be fixed before the values are seen, or delta shared (`least`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.certify.bounds import check_delta, drawn_bound, gibbs_bound, pruning_bound
from bristlecone.certify.certificate import Certificate, least
from bristlecone.certify.rows import NodeLosses
from bristlecone.certify.vertices import Pruning
from bristlecone.certify.vote import majority_vote_bounds
from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.posterior import Posterior, VoteRisks
from bristlecone.tree import Tree

__all__ = ["VOTE_KINDS", "Drawn", "WeighedTree"]

VOTE_KINDS: Mapping[str, str] = {
    "first_order": "MV-2",
    "tandem": "MV-tandem",
    "cantelli": "MV-Cantelli",
    "c_bound": "C-bound 1",
}


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A pruning drawn from the posterior. leaves: a mask (n_nodes,); place: which of the draws it was, from 0."""

    leaves: npt.NDArray[np.bool_]
    place: int
    certificate: Certificate


@dataclass(frozen=True, eq=False)
class WeighedTree:
    """All prunings of a tree, weighed by certifying rows; `weigh` makes it.

    posterior: their chances. losses: what every node would lose on the certifying units. phrase, scale: of the risk.
    kl, observed: KL(posterior || prior) and the mean loss of the Gibbs predictor. lam: how much a loss weighs. prior,
    n_priors: its name, and among how many it was chosen, which has been charged for. vote: the vote's means, None where
    the risk is not one of right and wrong. pruning: the one of least bound. delta: what certificates may fail with.
    assumes: sentences.
    """

    posterior: Posterior
    losses: NodeLosses
    phrase: str
    scale: float
    observed: float
    kl: float
    lam: float
    prior: str
    n_priors: int
    vote_risks: VoteRisks | None
    pruning: Pruning
    delta: float
    assumes: tuple[str, ...]

    @property
    def tree(self) -> Tree:
        """The whole tree."""
        return self.posterior.tree

    @cached_property
    def pruned(self) -> Tree:
        """The pruning whose own bound is least, as a tree."""
        return cut(self.tree, self.pruning.leaves)

    def gibbs(self, delta: float | None = None, *, kind: str = "kl") -> Certificate:
        """For the Gibbs predictor, by the kl-inverse ("kl") or the lambda form ("lambda"). delta: default its own."""
        value = gibbs_bound(self._tampered(self.observed), self.kl, self._n, self._each(delta), kind=kind)  # type: ignore[arg-type]
        return self._said(
            value, "gibbs", f"PAC-Bayes-{kind}", self.observed, delta, {"kl": self.kl, "lambda": self.lam}
        )

    def vote(self, delta: float | None = None, *, kind: str = "least") -> Certificate:
        """For the vote: "first_order", "tandem", "cantelli", "c_bound" (two classes), or the least of them at a share
        of delta each.

        Raises ValueError for a risk that a vote has no bounds for, and for kinds that there are not.
        """
        if self.vote_risks is None:
            raise ValueError(f"the vote has bounds for errors, not for the {self.phrase}; ask for 'pruned' or 'gibbs'")
        kinds = [name for name in VOTE_KINDS if name != "c_bound" or self.tree.n_classes == 2]
        if kind == "least":
            shared = check_delta(self.delta if delta is None else delta) / len(kinds)
            return least(self.vote(shared, kind=name) for name in kinds)
        if kind not in kinds:
            raise ValueError(f"kind must be 'least' or one of {', '.join(map(repr, kinds))}, got {kind!r}")
        value = getattr(self._vote_bounds(self._each(delta)), kind)
        details = {"kl": self.kl, "lambda": self.lam, "gibbs": self.observed, "tandem": self.vote_risks.tandem}
        return self._said(value, "vote", VOTE_KINDS[kind], self.vote_risks.vote, delta, details)

    def _vote_bounds(self, delta: float) -> Any:
        assert self.vote_risks is not None
        moved = self.losses.units.tampered / self._n
        risks = self.vote_risks
        gibbs = min(risks.gibbs + moved, 1.0)
        tandem = min(max(risks.tandem + moved, gibbs * gibbs), gibbs)
        apart = max(risks.disagreement - moved, 0.0) if self.tree.n_classes == 2 else None
        return majority_vote_bounds(gibbs, tandem, self.kl, self._n, delta, disagreement=apart)

    def drawn(self, random_state: int = 0, delta: float | None = None, *, draws: int = 1) -> Drawn:
        """One pruning drawn from the posterior, with its certificate; of several draws the one of least bound.

        random_state: the seed, to be fixed before the rows are seen. draws: how many are looked at: each is charged, at
        delta / draws. Whoever draws again after a look has to ask for all draws so far; the first ones are the same.
        """
        if not isinstance(draws, int | np.integer) or isinstance(draws, bool) or draws < 1:
            raise ValueError(f"draws must be a whole number of at least 1, got {draws!r}")
        source = np.random.default_rng(random_state)
        every = [
            self._drawn(self.posterior.draw(source), k, random_state, delta, int(draws)) for k in range(int(draws))
        ]
        return min(every, key=lambda drawn: drawn.certificate.value)

    def _drawn(self, leaves: Any, place: int, seed: int, delta: float | None, draws: int) -> Drawn:
        observed = self.losses.of_pruning(leaves)
        posterior, prior = self.posterior.log_chance(leaves), self.posterior.log_prior(leaves)
        shared = self._each(delta) / draws
        value = drawn_bound(self._tampered(observed), min(posterior, 0.0), min(prior, 0.0), self._n, shared)
        details = {
            "seed": int(seed),
            "draws": draws,
            "draw": place,
            "leaves": int(np.count_nonzero(leaves)),
            "log_posterior": posterior,
            "log_prior": prior,
        }
        return Drawn(leaves, place, self._said(value, "drawn", "disintegrated PAC-Bayes-kl", observed, delta, details))

    def of_pruning(self, leaves: npt.ArrayLike | None = None, delta: float | None = None) -> Certificate:
        """For one pruning: the one of least bound, or any other, however it was chosen on the certifying rows.

        leaves: a mask (n_nodes,) of its leaves. Raises ValueError where they are not those of one pruning.
        """
        if leaves is None:
            mask, log_prior, name = self.pruning.leaves, self.pruning.log_prior, self.pruning.prior
        else:
            mask = np.asarray(leaves, dtype=np.bool_)
            log_prior, name = self.posterior.log_prior(mask), self.prior
        observed = self.losses.of_pruning(mask)
        value = pruning_bound(self._tampered(observed), min(log_prior, 0.0), self._n, self._each(delta))
        details = {"leaves": int(np.count_nonzero(mask)), "log_prior": log_prior, "prior": name}
        return self._said(value, "pruned", "PAC-Bayes-kl at one pruning", observed, delta, details)

    @property
    def _n(self) -> int:
        return self.losses.units.n

    def _each(self, delta: float | None) -> float:
        """What each prior's bound may fail with."""
        return check_delta(self.delta if delta is None else delta) / self.n_priors

    def _tampered(self, observed: float) -> float:
        return min(observed + self.losses.units.tampered / self._n, 1.0)

    def _said(
        self, value: float, predictor: str, kind: str, observed: float, delta: float | None, details: dict[str, Any]
    ) -> Certificate:
        return Certificate(
            value=value * self.scale,
            delta=self.delta if delta is None else delta,
            n=self._n,
            predictor=predictor,
            kind=kind,
            assumes=self.assumes,
            observed=observed * self.scale,
            constant=self.losses.constant * self.scale,
            risk=self.phrase,
            unit=self.losses.units.unit,
            details={"prior": self.prior, "priors": self.n_priors} | details,
        )
