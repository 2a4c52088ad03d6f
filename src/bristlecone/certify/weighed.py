"""A tree, all its prunings weighed by rows that had no part in growing it, and the certificates that follow. SPEC A7.

Four predictors come of it: the vote over all prunings, the Gibbs predictor, one pruning drawn from the posterior, and
one pruning chosen by its own bound. Each has certificates of its own, and each certificate may fail with chance delta:
the kind is to be fixed before the values are seen, or delta shared (`least`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bristlecone.certify.bounds import drawn_bound, pruning_bound
from bristlecone.certify.certificate import Certificate
from bristlecone.certify.rows import NodeLosses, Units
from bristlecone.certify.same import answered, log_prior_of_answers
from bristlecone.certify.stated import VOTE_KINDS, Stated
from bristlecone.certify.vertices import Pruning
from bristlecone.subtrees.ballot import Ballot
from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.posterior import VoteRisks
from bristlecone.tree import Tree

__all__ = ["Drawn", "WeighedTree", "check_count"]


def check_count(name: str, given: object, least: int) -> None:
    """Raises ValueError for what is not a whole number of at least `least`."""
    if not isinstance(given, int | np.integer) or isinstance(given, bool) or given < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {given!r}")


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A pruning drawn from the posterior. leaves: a mask (n_nodes,); place: which of the draws it was, from 0."""

    leaves: npt.NDArray[np.bool_]
    place: int
    certificate: Certificate


@dataclass(frozen=True, eq=False, kw_only=True)
class WeighedTree(Stated):
    """All prunings of a tree, weighed by certifying rows; `weigh` makes it.

    losses: what every node would lose on the certifying units. pruning: the one of least bound. The other fields are
    those of `Stated`.
    """

    losses: NodeLosses
    pruning: Pruning
    vote_risks: VoteRisks | None

    @property
    def units(self) -> Units:
        """What certifies."""
        return self.losses.units

    @property
    def constant(self) -> float:
        """The mean loss of the root's answer."""
        return self.losses.constant

    @cached_property
    def pruned(self) -> Tree:
        """The pruning whose own bound is least, as a tree."""
        return cut(self.tree, self.pruning.leaves)

    @property
    def _vote_kinds(self) -> tuple[str, ...]:
        return tuple(name for name in VOTE_KINDS if name != "c_bound" or len(answered(self.tree)) <= 2)

    def _as_tree(self, delta: float | None) -> float:
        assert self.vote_risks is not None
        log_prior = log_prior_of_answers(self.tree, self.answers, self.posterior.prior)
        seen = self._tampered(self.vote_risks.vote)
        return float(pruning_bound(seen, min(log_prior, 0.0), self._n, self._each(delta)))

    @cached_property
    def answers(self) -> npt.NDArray[np.int32]:
        """What the vote answers to a row that stops at each node."""
        return Ballot.of(self.tree, self.posterior.weighing).labels()

    def drawn(self, random_state: int = 0, delta: float | None = None, *, draws: int = 1) -> Drawn:
        """One pruning drawn from the posterior, with its certificate; of several draws the one of least bound.

        random_state: the seed, to be fixed before the rows are seen. draws: how many are looked at: each is charged, at
        delta / draws. Whoever draws again after a look has to ask for all draws so far; the first ones are the same.
        """
        check_count("random_state", random_state, 0)
        check_count("draws", draws, 1)
        source = np.random.default_rng(random_state)
        every = [self.posterior.draw(source) for _ in range(int(draws))]
        observed = np.array([self.losses.of_pruning(leaves) for leaves in every])
        posterior = np.minimum([self.posterior.log_chance(leaves) for leaves in every], 0.0)
        prior = np.minimum([self.posterior.log_prior(leaves) for leaves in every], 0.0)
        seen = np.minimum(observed + self.units.tampered / self._n, 1.0)
        # Chosen at this tree's own delta, whatever is asked: another delta must not speak of another draw.
        best = int(np.argmin(drawn_bound(seen, posterior, prior, self._n, self._each(None) / int(draws))))
        value = drawn_bound(seen[best], posterior[best], prior[best], self._n, self._each(delta) / int(draws))
        details = {
            "seed": int(random_state),
            "draws": int(draws),
            "draw": best,
            "leaves": int(np.count_nonzero(every[best])),
            "log_posterior": float(posterior[best]),
            "log_prior": float(prior[best]),
        }
        kind = "disintegrated PAC-Bayes-kl"
        said = self._said(float(value), "drawn", kind, float(observed[best]), delta, details)
        return Drawn(every[best], best, said)

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
