"""Certified mode: one part of the rows grows the tree, the other weighs its prunings and certifies. SPEC A7."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from bristlecone.certify import Certificate, WeighedTree, weigh
from bristlecone.certify.kept import from_values, to_values
from bristlecone.certify.rows import group_numbers
from bristlecone.certify.split import LATER, split_rows
from bristlecone.certify.weighed import check_count
from bristlecone.certify.weighing import THEIR_OWN, grew
from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.marks import numbered
from bristlecone.subtrees.selection import Growth
from bristlecone.tree import Tree

__all__ = ["CertifiedMode", "certified_fit", "from_values", "refuse_own_rows", "to_values"]

KINDS = ("vote", "pruned", "drawn", "gibbs")


def certified_fit(
    growth: Growth, *, fraction: float, seed: int, groups: Any, time: Any, there: Tree | None = None, **asked: Any
) -> WeighedTree:
    """Grow on a share of the rows, drawn by a seed, and weigh the prunings by the others.

    groups, time: (n_rows,) as `fit` takes them. there: the tree that is there, in which rows are counted instead of
    growing one: those that stop above its leaves, at a level that it does not know, have none to be counted in.
    Raises ValueError as `weigh` does.
    """
    n_rows = growth.table.n_rows
    group = None if groups is None else group_numbers(groups, n_rows)[0]
    when = None if time is None else numbered(time, "time", n_rows)[1]
    split = split_rows(n_rows, 1.0 - fraction, seed, group=group, time=when)
    present = np.zeros(n_rows)
    present[split.growing] = 1.0
    if there is not None:
        present[there.children_left[there.apply(growth.table)] >= 0] = 0.0
        if not present.any():
            raise ValueError("base: not one of the growing rows comes to a leaf of it; all are of levels unknown to it")
    tree = dataclasses.replace(growth, weights=present).tree()
    rows = split.held_out
    apart = None if group is None else group[rows]
    weighed = weigh(tree, growth.table.take(rows), np.asarray(growth.y)[rows], groups=apart, **asked)
    if time is None:
        return weighed
    return dataclasses.replace(weighed, assumes=(*weighed.assumes, LATER))


def refuse_own_rows(tree: Tree | None, growth: Growth) -> None:
    """Raises ValueError for a tree that is there, where these are the rows that it was grown from."""
    if tree is not None and tree.classes is not None and grew(tree, tree.apply(growth.table), growth.y):
        raise ValueError(f"base: {THEIR_OWN}")


class CertifiedMode:
    """What an estimator answers about its certificates; a part of one, not for use by itself."""

    mode: str
    weighed_: WeighedTree
    seed_: int
    n_draws_: int

    @property
    def certificate_(self) -> Certificate:
        """What bounds the error of `predict`, the vote: the least of its bounds, which shared delta."""
        return self.certificate("vote")

    def certificate(self, kind: str = "vote", delta: float | None = None) -> Certificate:
        """A bound on the error of one predictor, with probability at least 1 - delta (SPEC A7).

        kind: "vote" (what `predict` answers), "pruned" (`pruned_tree`), "drawn" (the tree that `draw` gave, charged for
        all draws so far) or "gibbs" (a pruning drawn anew for every answer). delta: None for the estimator's own. The
        kind has to be chosen before the values are seen; to look at K of them, ask for each at delta / K.
        Raises AttributeError in practical mode, with the reason, and ValueError for another kind.
        """
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(map(repr, KINDS))}, got {kind!r}")
        weighed = self._weighed(f"a certificate of the {kind}")
        if kind == "drawn":
            return weighed.drawn(self.seed_, delta, draws=self.n_draws_).certificate
        if kind == "pruned":
            return weighed.of_pruning(delta=delta)
        return weighed.vote(delta) if kind == "vote" else weighed.gibbs(delta)

    def pruned_tree(self) -> Tree:
        """The pruning whose own bound is least: one readable tree, certified by `certificate("pruned")`."""
        return self._weighed("a pruned tree with a bound").pruned

    def draw(self, draws: int = 1) -> Tree:
        """One pruning drawn from the posterior by the estimator's seed, certified by `certificate("drawn")`.

        draws: how many are looked at; the one of least bound is given, and each is charged for, also later on.
        """
        weighed = self._weighed("a drawn tree with a bound")
        check_count("draws", draws, 1)
        drawn = weighed.drawn(self.seed_, draws=max(draws, self.n_draws_))
        self.n_draws_ = max(draws, self.n_draws_)
        return cut(weighed.tree, drawn.leaves)

    def _weighed(self, what: str) -> WeighedTree:
        weighed = vars(self).get("weighed_")
        if weighed is not None:
            return weighed  # type: ignore[no-any-return]
        if self.mode == "certified":
            raise AttributeError(f"{what} needs a fit: call fit first")
        raise AttributeError(
            f"{what} cannot be had in practical mode: the rows that weigh the prunings have grown the tree, so that no "
            "bound holds. Fit with mode='certified', where a part of the rows grows and the others weigh and certify, "
            "or certify this model by its answers to fresh rows: bristlecone.certify.holdout(y, model.predict(X))"
        )
