"""Candidates that grow side by side, and which one is kept, by rows on which all are compared.

behind      how much less faithful a candidate is than the most faithful one; its standard error comes from the rows on
            which only one of the two is right. Far behind: by more than two of them.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bristlecone.query.distilling.growth import Grower, Grown
from bristlecone.query.distilling.result import Candidate
from bristlecone.query.oracle import Oracle
from bristlecone.tree import Tree

__all__ = ["Contender", "chosen", "far_behind"]

Agreements = npt.NDArray[np.bool_]
FAR = 2.0  # standard errors


class Contender:
    """One way to grow. share, seconds: the most queries and time that it may take, None for no limit; left: why it
    grows no more.
    """

    def __init__(self, grower: Grower, share: int | None, seconds: float | None = None) -> None:
        self.grower, self.share, self.seconds = grower, share, seconds
        self.n_queries, self.spent, self.left = 0, 0.0, ""
        self.grown: Grown | None = None

    def grow(self, oracle: Oracle, leaves: int) -> Grown:
        """Grow to so many leaves, from where it is."""
        before, started = oracle.n_queries, time.monotonic()
        queries = None if self.share is None else max(0, self.share - self.n_queries)
        seconds = None if self.seconds is None else max(0.0, self.seconds - self.spent)
        with oracle.narrowed(queries, seconds):
            self.grown = self.grower.grow(leaves)
        self.n_queries += oracle.n_queries - before
        self.spent += time.monotonic() - started
        if self.grown.stopped and self.seconds is not None and self.spent >= self.seconds:
            self.grown = replace(self.grown, stopped=f"its share of the time, {self.seconds:.3g} s, is over")
        return self.grown

    def end(self, reason: str) -> None:
        """Leave it as it is, to be compared as the others are."""
        assert self.grown is not None
        self.grown = replace(self.grown, stopped=self.grown.stopped or reason)

    def candidate(self, tree: Tree, agreement: npt.NDArray[np.bool_] | None) -> Candidate:
        """What came of it. agreement: with the model on the rows to compare on."""
        assert self.grown is not None
        fidelity = None if agreement is None else float(agreement.mean())
        stopped = self.left or self.grown.stopped
        return Candidate(self.grown.space, self.grown.growth, tree.n_leaves, self.n_queries, fidelity, stopped)


def chosen(agreements: Agreements) -> int:
    """The first candidate that is not far behind: their order is what is best as a rule.

    agreements: (n_candidates, n_rows) where each answers as the model. Of several that are much alike the most faithful
    one is the one that was luckiest on these rows.
    """
    return int(np.argmin(far_behind(agreements)))


def far_behind(agreements: Agreements) -> npt.NDArray[np.bool_]:
    """Which candidates are far behind."""
    best = agreements[int(np.argmax(agreements.sum(axis=1)))]
    difference = best.astype(np.float64) - agreements
    far: npt.NDArray[np.bool_] = difference.mean(axis=1) > FAR * difference.std(axis=1) / np.sqrt(difference.shape[1])
    return far
