"""Chances on all prunings of a tree, and what follows from them, exactly. SPEC A2, A6.

Q           the posterior: the chance of a pruning is in proportion to e^(its sum of potentials).
P           the prior, of the same form.
w           of a node: the chance, under Q, that a pruning has it as a leaf.
Gibbs       the classifier that draws a pruning anew for every row; its risk is the mean risk of prunings under Q.
tandem      the chance that two prunings, drawn apart, err on a row together.
All is linear in the nodes. Everything is kept as logarithms: weights underflow otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.ballot import Ballot
from bristlecone.subtrees.cut import below, cut
from bristlecone.subtrees.evidence import Stops, evidence_of, stops_of
from bristlecone.subtrees.fold import Weighing, fold
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, read_only

__all__ = ["Posterior", "Potentials", "VoteRisks"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Potentials:
    """What a pruning's sum gets from each of its leaves and each of its inner nodes, as `fold` takes them.

    leaf: (n_nodes,) or (n_nodes, n_strengths); inner: None (0), a number, or an array as leaf's.
    """

    leaf: Floats
    inner: Any = None


@dataclass(frozen=True, slots=True)
class VoteRisks:
    """Over some rows: the risk of Gibbs, the tandem loss, the disagreement of two prunings, and the vote's own error.

    n: the weight of the rows.
    """

    gibbs: float
    tandem: float
    disagreement: float
    vote: float
    n: float


@dataclass(frozen=True, eq=False)
class Posterior:
    """A posterior Q and its prior P over the prunings of one tree. potentials, prior: (n_nodes,) each, one strength."""

    tree: Tree
    potentials: Potentials
    prior: Potentials

    @cached_property
    def weighing(self) -> Weighing:
        """The chances of nodes under Q, as logarithms; total: ln beta(root) of SPEC A2."""
        return fold(self.tree, self.potentials.leaf, self.potentials.inner, semiring="logaddexp")

    @cached_property
    def prior_weighing(self) -> Weighing:
        """The same under P; total: ln of its normaliser."""
        return fold(self.tree, self.prior.leaf, self.prior.inner, semiring="logaddexp")

    @cached_property
    def weights(self) -> Floats:
        """w of each node, (n_nodes,): along any path from the root to a leaf of the tree they sum to one."""
        return read_only(np.exp(self.weighing.leaf))

    @property
    def expected_leaves(self) -> float:
        """The mean number of leaves that hold growing rows, of a pruning under Q."""
        return float(self.weights[self.tree.n_node_samples > 0].sum())

    @property
    def kl(self) -> float:
        """KL(Q || P), by the chain rule: a pruning stops or goes on at each node, one after the other. SPEC A6."""
        q_here, q_stop, q_go = self._choices(self.weighing)
        _, p_stop, p_go = self._choices(self.prior_weighing)
        terms = np.exp(q_here) * (np.exp(q_stop) * (q_stop - p_stop) + np.exp(q_go) * (q_go - p_go))
        return float(max(terms.sum(), 0.0))

    @property
    def entropy(self) -> float:
        """-E ln Q, in nats."""
        here, stop, go = self._choices(self.weighing)
        return float(-(np.exp(here) * (np.exp(stop) * stop + np.exp(go) * go)).sum())

    def _choices(self, weighing: Weighing) -> tuple[Floats, Floats, Floats]:
        """Of inner nodes of the tree, as logarithms: that a pruning has it, stops there if so, goes on if so."""
        inner = np.flatnonzero(self.tree.children_left >= 0)
        here = weighing.node[inner]
        return here, weighing.leaf[inner] - here, weighing.node[self.tree.children_left[inner]] - here

    def risks(self, counts: Any = None) -> VoteRisks:
        """What prunings and their vote lose on the growing rows, or on others by their counts. SPEC A6.

        counts: (n_nodes, n_classes), as `count` gives them. Every node has a voice here, one without growing rows too;
        the practical vote of `PACBayesTreeClassifier` leaves those out.
        Raises ValueError or TypeError for counts that no rows can have, and where there are no rows.
        """
        return self.risks_at(stops_of(self.tree, counts))

    def risks_at(self, stops: Stops) -> VoteRisks:
        """The same for rows that stop at known nodes. Raises ValueError where there are none."""
        tree, ballot = self.tree, Ballot.of(self.tree, self.weighing)
        n = float(stops.weight.sum())
        if n == 0:
            raise ValueError("there are no rows to lose anything on")
        wrong = np.clip(1.0 - ballot.masses(stops.ptr, stops.label), 0.0, 1.0)  # masses are sums, and rounded
        of_node = np.bincount(stops.node, stops.weight, tree.n_nodes)
        return VoteRisks(
            gibbs=float(stops.weight @ wrong) / n,
            tandem=float(stops.weight @ (wrong * wrong)) / n,
            disagreement=float(of_node @ np.clip(1.0 - ballot.agreements(), 0.0, 1.0)) / n,
            vote=float(stops.weight[ballot.labels()[stops.node] != stops.label].sum()) / n,
            n=n,
        )

    def gibbs_errors(self, counts: Any = None) -> float:
        """The expected weight of errors of a pruning under Q: the sum of w times errors; what lambda multiplies."""
        seen = evidence_of(self.tree, counts)
        passing = 0.0 if seen.stopped is None else float(self._going_on @ seen.stopped)
        return float(self.weights @ seen.errors) + passing

    @property
    def _going_on(self) -> Floats:
        """The chance that a pruning has a node as an inner one, (n_nodes,)."""
        on = np.zeros(self.tree.n_nodes)
        inner = np.flatnonzero(self.tree.children_left >= 0)
        on[inner] = np.exp(self.weighing.node[self.tree.children_left[inner]])
        return on

    def likeliest(self) -> Mask:
        """The leaves of the pruning of greatest chance (MAP), a mask (n_nodes,); of equals the smallest."""
        inner = self.potentials.inner
        opposite = None if inner is None else -np.asarray(inner)
        return fold(self.tree, -self.potentials.leaf, opposite, semiring="min").leaf

    def map_pruning(self) -> Tree:
        """The pruning of greatest chance as a tree of its own."""
        return cut(self.tree, self.likeliest())

    def draw(self, random_state: Any) -> Mask:
        """The leaves of one pruning drawn from Q, a mask (n_nodes,). random_state: an int, or a numpy Generator."""
        rng = np.random.default_rng(random_state)
        stops = np.log(rng.random(self.tree.n_nodes)) < self.weighing.leaf - self.weighing.node
        stops |= self.tree.children_left < 0
        return stops & ~below(self.tree, stops)

    def log_chance(self, leaves: npt.ArrayLike) -> float:
        """ln Q of the pruning with these leaves, a mask (n_nodes,)."""
        return self._log_chance(self.potentials, self.weighing, leaves)

    def log_prior(self, leaves: npt.ArrayLike) -> float:
        """ln P of the pruning with these leaves, a mask (n_nodes,)."""
        return self._log_chance(self.prior, self.prior_weighing, leaves)

    def _log_chance(self, potentials: Potentials, weighing: Weighing, given: npt.ArrayLike) -> float:
        """Raises ValueError for a mask that is no pruning's leaves."""
        tree, leaves = self.tree, np.asarray(given)
        if leaves.shape != (tree.n_nodes,) or leaves.dtype != np.bool_:
            raise ValueError(f"leaves must be a mask ({tree.n_nodes},), got {leaves.dtype} {leaves.shape}")
        under = below(tree, leaves)
        inner = ~leaves & ~under
        if (leaves & under).any() or (inner & (tree.children_left < 0)).any():
            raise ValueError("leaves is not a mask of the leaves of one pruning")
        total = float(potentials.leaf[leaves].sum()) - float(weighing.total)
        if potentials.inner is None:
            return total
        return total + float(np.broadcast_to(potentials.inner, (tree.n_nodes,))[inner].sum())
