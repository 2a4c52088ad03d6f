"""How often a tree answers as a model does, with a limit that holds."""

from __future__ import annotations

from typing import NamedTuple

from bristlecone.certify import holdout_bound

__all__ = ["Fidelity"]


class Fidelity(NamedTuple):
    """agreeing of n points that nothing was chosen by got the model's answer from the tree."""

    agreeing: int
    n: int

    @property
    def share(self) -> float:
        """The share of agreeing points."""
        return self.agreeing / self.n

    def at_least(self, delta: float) -> float:
        """The Clopper-Pearson limit: below the true share with chance at least 1 - delta over independent points."""
        return 1.0 - holdout_bound(self.n - self.agreeing, self.n, delta)
