"""What comes out of distilling: a tree, and how faithful it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy.typing as npt

from bristlecone.query.distilling.fidelity import Fidelity
from bristlecone.tree import Tree

__all__ = ["Candidate", "Distilled"]


class Candidate(NamedTuple):
    """One way to grow, and what came of it when candidates were compared: fidelity on rows that are put aside for that,
    None if there was one candidate only; stopped: why growth ended early, if it did.
    """

    space: str
    growth: str
    n_leaves: int
    n_queries: int
    fidelity: float | None
    stopped: str


@dataclass(frozen=True, eq=False)
class Distilled:
    """A tree that stands for a model.

    on_like: agreement on rows put aside for it alone (or fresh points of the distribution that was given). on_space:
    agreement on fresh points of the space that growth asked about, up to 2,000; in the space of the rows one for each
    row put aside. fidelity and fidelity_lower are the share and the
    limit of on_like; each limit holds with chance at least 1 - delta. space, growth: of the winning candidate.
    n_queries: every answer asked for, of all candidates and measurements. tree_error, model_error: on the labelled rows
    that were given, else None. n_changed: repeated questions answered differently. notes: sentences for people.
    """

    tree: Tree
    space: str
    growth: str
    on_like: Fidelity
    on_space: Fidelity
    delta: float
    n_queries: int
    n_changed: int
    candidates: tuple[Candidate, ...]
    like_rows: bool
    tree_error: float | None
    model_error: float | None
    notes: tuple[str, ...]

    @property
    def fidelity(self) -> float:
        """The share of put-aside rows on which the tree answers as the model."""
        return self.on_like.share

    @property
    def fidelity_lower(self) -> float:
        """The Clopper-Pearson limit of the fidelity, at level delta."""
        return self.on_like.at_least(self.delta)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The tree's answers to rows, (n_rows,)."""
        return self.tree.predict(X)

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def sentences(self) -> list[str]:
        """What is known of the tree, in words."""
        rows = "rows put aside" if self.like_rows else "fresh points of the distribution"
        around = "points of the product of the columns" if self.space == "product" else "rows with one column redrawn"
        told = [
            f"{self.tree.n_leaves} leaves by {self.growth} in the {self.space} space, {self.n_queries:,} queries",
            f"Agrees with the model on {self._said(self.on_like, rows)}",
            f"Agrees with the model on {self._said(self.on_space, around)}",
        ]
        if self.tree_error is not None:
            errors = f"the tree errs on {self.tree_error:.2%}, the model on {self.model_error:.2%}"
            told.append(f"On the labelled rows {errors}")
        if self.n_changed:
            told.append(f"The model changed {self.n_changed} answers when it was asked again")
        return [*told, *self.notes]

    def _said(self, fidelity: Fidelity, what: str) -> str:
        lower = fidelity.at_least(self.delta)
        return (
            f"{fidelity.share:.2%} of {fidelity.n:,} {what} (at least {lower:.2%} with {1 - self.delta:.0%} confidence)"
        )
