"""What the posteriors over prunings share: certificates of the Gibbs predictor and of the vote. SPEC A7."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bristlecone.certify.bounds import check_delta, gibbs_bound
from bristlecone.certify.certificate import Certificate, least
from bristlecone.certify.rows import Units
from bristlecone.certify.vote import VoteBounds, majority_vote_bounds
from bristlecone.subtrees.posterior import Posterior, VoteRisks
from bristlecone.tree import Tree

__all__ = ["VOTE_KINDS", "Stated"]

VOTE_KINDS: Mapping[str, str] = {
    "tree": "PAC-Bayes-kl at the tree that the vote is",
    "first_order": "MV-2",
    "tandem": "MV-tandem",
    "cantelli": "MV-Cantelli",
    "c_bound": "C-bound 1",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Stated(ABC):
    """Numbers of a posterior on certifying units, and what they certify; a base, not for use by itself.

    posterior: over prunings. phrase, scale: of the risk. observed, kl: mean loss of the Gibbs predictor, KL(posterior
    || prior). lam: how much a loss weighs. prior, n_priors: its name, and among how many it was chosen, which is
    charged for. delta: what a certificate may fail with. assumes, notes: sentences. Of an heir: units (what certifies),
    constant (mean loss of one answer for all), vote_risks (the vote's means, None where the risk is not one of right
    and wrong).
    """

    posterior: Posterior
    phrase: str = "error"
    scale: float = 1.0
    observed: float
    kl: float
    lam: float
    prior: str
    n_priors: int
    delta: float
    assumes: tuple[str, ...]
    notes: tuple[str, ...]

    if TYPE_CHECKING:  # no fields here, for an heir may compute them

        @property
        def vote_risks(self) -> VoteRisks | None: ...

    @property
    def tree(self) -> Tree:
        """The tree whose prunings are weighed."""
        return self.posterior.tree

    @property
    @abstractmethod
    def units(self) -> Units:
        """What certifies."""

    @property
    @abstractmethod
    def constant(self) -> float:
        """The mean loss of one answer that is given to all certifying rows."""

    @property
    @abstractmethod
    def _vote_kinds(self) -> tuple[str, ...]:
        """The kinds of bound that this vote has."""

    @abstractmethod
    def _as_tree(self, delta: float | None) -> float:
        """The bound of the one tree that answers as the vote does, where the prior knows it."""

    def gibbs(self, delta: float | None = None, *, kind: str = "kl") -> Certificate:
        """For the Gibbs predictor, by the kl-inverse ("kl") or the lambda form ("lambda"). delta: default its own."""
        value = gibbs_bound(self._tampered(self.observed), self.kl, self._n, self._each(delta), kind=kind)  # type: ignore[arg-type]
        return self._said(
            value, "gibbs", f"PAC-Bayes-{kind}", self.observed, delta, {"kl": self.kl, "lambda": self.lam}
        )

    def vote(self, delta: float | None = None, *, kind: str = "least") -> Certificate:
        """For the vote, by one inequality, or by the least of them, each at a share of delta.

        kind: "tree" (the vote is one tree, and the prior knows it: see `same`), "first_order" (twice the Gibbs bound),
        "tandem", "cantelli", "c_bound" (two classes), or "least". Raises ValueError for a risk that a vote has no
        bounds for, and for kinds that there are not.
        """
        if self.vote_risks is None:
            raise ValueError(f"the vote has bounds for errors, not for the {self.phrase}; ask for 'pruned' or 'gibbs'")
        kinds = self._vote_kinds
        if kind == "least":
            shared = check_delta(self.delta if delta is None else delta) / len(kinds)
            return least(self.vote(shared, kind=name) for name in kinds)
        if kind not in kinds:
            raise ValueError(f"kind must be 'least' or one of {', '.join(map(repr, kinds))}, got {kind!r}")
        value = self._as_tree(delta) if kind == "tree" else getattr(self._vote_bounds(self._each(delta)), kind)
        details = {"kl": self.kl, "lambda": self.lam, "gibbs": self.observed, "tandem": self.vote_risks.tandem}
        return self._said(value, "vote", VOTE_KINDS[kind], self.vote_risks.vote, delta, details)

    def _vote_bounds(self, delta: float) -> VoteBounds:
        assert self.vote_risks is not None
        gibbs, risks = self.vote_risks.gibbs, self.vote_risks
        tandem = min(max(risks.tandem, gibbs * gibbs), gibbs)  # where rounding parts what is equal
        apart = risks.disagreement if "c_bound" in self._vote_kinds else None
        return majority_vote_bounds(gibbs, tandem, self.kl, self._n, delta, apart, corrupted=self.units.corrupted)

    @property
    def _n(self) -> int:
        return self.units.n

    def _each(self, delta: float | None) -> float:
        """What each prior's bound may fail with."""
        return check_delta(self.delta if delta is None else delta) / self.n_priors

    def _tampered(self, observed: float) -> float:
        return min(observed + self.units.tampered / self._n, 1.0)

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
            notes=self.notes,
            observed=observed * self.scale,
            constant=self.constant * self.scale,
            risk=self.phrase,
            unit=self.units.unit,
            details={"prior": self.prior, "priors": self.n_priors} | details,
        )
