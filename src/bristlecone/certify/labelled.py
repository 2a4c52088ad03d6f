"""Trees that no row has shaped: the label of every leaf is part of what is weighed, and all rows certify. SPEC A6, A7.

T0          the full dyadic tree of fixed depth over given ranges: its cells are known before any row is seen.
hypothesis  a pruning T of T0 and a label for each of its leaves.
prior       P(T) times 1/L for every leaf, L the number of classes; P stops with a given chance at each cell, and surely
            at the full depth, so that it sums to one in every branch.
err_A(l)    the certifying rows in cell A that are not of class l.

Proposition. Let Q be in proportion to the prior times e^(-lambda errors). Then, with
    g(A) = ln( (1/L) sum over l of e^(-lambda err_A(l)) ),     q_A(l) = e^(-lambda err_A(l)) / (L e^g(A)),
(1) a pruning's chance under Q is that of the potentials phi_P(A) + g(A) at its leaves, and given the pruning its labels
    are independent, that of leaf A being l with chance q_A(l);
(2) KL(Q || prior) = KL of the prunings + sum over A of w(A) KL(q_A || uniform), w(A) = Q(A is a leaf);
(3) the chance that Q answers l at a point with the cells A_0, A_1, ... is M(l) = sum over i of w(A_i) q_{A_i}(l);
(4) a branch without rows sums to one under P and g = 0 there: it need not be built, and its labels are uniform; a
    branch of one row has the same g in the one cell of each depth that holds it, so that it sums to e^g, whatever its
    depth: Q stops there as P does, and what it adds to KL is KL(q || uniform) once.
Proof. (1) The errors of (T, labels) are a sum over leaves, so the weight is P(T) times a product over leaves of
(1/L) e^(-lambda err_A(l_A)); sum over each label apart. (2) ln(Q / prior) = ln(Q(T) / P(T)) + sum over leaves of
ln(q_A(l_A) L); take means, first over labels. (3) By (1), and because T has just one leaf on the path. (4) By induction
from below, s being the chance to stop: beta = s e^g + (1 - s) beta(child with rows) beta(child without) = s e^g +
(1 - s) e^g; Q stops with chance s e^g / beta = s, as P does, so that by the chain rule the branching adds nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from bristlecone.certify.bounds import check_delta, pruning_bound
from bristlecone.certify.losses import Misclassification, codes_of
from bristlecone.certify.rows import Units, absent_classes, targets_of, units_of
from bristlecone.certify.same import alike_below
from bristlecone.certify.search import search
from bristlecone.certify.stated import VOTE_KINDS, Stated
from bristlecone.grow.dyadic import dyadic
from bristlecone.subtrees.ballot import along_paths
from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.fold import fold
from bristlecone.subtrees.posterior import Posterior, Potentials, VoteRisks
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Floats, Ints

__all__ = ["LabelledPrunings", "LabelledTree", "weigh_cells"]

STOPS = (0.1, 0.3, 0.5, 0.7, 0.9)  # the prior's chances to stop, among which the rows choose


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPrunings:
    """Hypotheses of the head, for one prior. counts: (n_nodes, L) units by class; stop: the prior's chance to stop."""

    tree: Tree
    counts: Floats
    units: Units
    stop: float

    @property
    def name(self) -> str:
        """How a certificate calls the prior."""
        return f"stop with chance {self.stop:g}, labels alike"

    @property
    def prior(self) -> Potentials:
        """P over prunings; sums to one."""
        inner = self.tree.children_left >= 0
        return Potentials(np.where(inner, math.log(self.stop), 0.0), math.log1p(-self.stop))

    def log_prior_of(self, labels: Ints) -> float:
        """ln of what the prior gives to the likeliest hypothesis that answers as these labels say, (n_nodes,).

        It has a leaf wherever all leaves below a cell answer alike, if that is likelier than to go on; an empty cell,
        which is built no further, may also go on to cells that all answer alike.
        """
        tree, leaf = self.tree, self.tree.children_left < 0
        alike, _ = alike_below(tree, leaf, labels)
        label, stop, going_on = math.log(self.counts.shape[1]), -math.log(self.stop), -math.log1p(-self.stop)
        whole = [label]  # what one label costs in a cell, by the levels that are left below it
        for _ in range(tree.max_depth):
            whole.append(min(stop + label, going_on + 2 * whole[-1]))
        costs = np.where(leaf, np.array(whole)[tree.max_depth - tree.depth], stop + label)
        barred = 1.0 + costs.sum() + tree.n_nodes * going_on
        return -float(fold(tree, np.where(alike, costs, costs + barred), going_on, semiring="min").total)

    def labels_at(self, lam: float) -> tuple[Floats, Floats]:
        """g, (n_nodes,), and ln q, (n_nodes, L)."""
        raised = -lam * (self.counts.sum(axis=1, keepdims=True) - self.counts)
        total = special.logsumexp(raised, axis=1)
        return total - math.log(self.counts.shape[1]), raised - total[:, None]

    def lost_at(self, log_chance: Floats) -> Floats:
        """The mean errors of each cell as a leaf, (n_nodes,)."""
        lost: Floats = self.counts.sum(axis=1) - (np.exp(log_chance) * self.counts).sum(axis=1)
        return lost

    def grid(self, lams: Floats) -> tuple[Floats, Floats]:
        """Mean loss and KL at each lambda, (len(lams),) each: KL is ln Z_P - ln Z - lambda losses, Z_P being one."""
        found = [self._on_grid(float(lam)) for lam in lams]
        return np.array([r for r, _ in found]), np.array([kl for _, kl in found])

    def _on_grid(self, lam: float) -> tuple[float, float]:
        cells, log_chance = self.labels_at(lam)
        weighing = fold(self.tree, self.prior.leaf + cells, self.prior.inner, semiring="logaddexp")
        lost = float(np.exp(weighing.leaf) @ self.lost_at(log_chance))
        return min(lost / self.units.n, 1.0), max(-weighing.total - lam * lost, 0.0)

    def at(self, lam: float) -> tuple[Posterior, float, float]:
        """The posterior over prunings, the mean loss, and KL by (2)."""
        cells, log_chance = self.labels_at(lam)
        posterior = Posterior(self.tree, Potentials(self.prior.leaf + cells, self.prior.inner), self.prior)
        lost = float(posterior.weights @ self.lost_at(log_chance))
        apart = np.maximum((np.exp(log_chance) * log_chance).sum(axis=1) + math.log(self.counts.shape[1]), 0.0)
        return posterior, min(lost / self.units.n, 1.0), posterior.kl + float(posterior.weights @ apart)


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledTree(Stated):
    """Prunings of a dyadic tree with all labels, weighed by rows that all certify; `weigh_cells` makes it.

    hypotheses: see the head. classes: (L,). The other fields are those of `Stated`; `tree` holds the cells with rows,
    each with an empty one beside it where there is none, and T0 has more.
    """

    hypotheses: LabelledPrunings
    classes: Array

    @property
    def units(self) -> Units:
        """What certifies."""
        return self.hypotheses.units

    @property
    def constant(self) -> float:
        """The error of the commonest class of these rows: no label is known beforehand."""
        return 1.0 - float(self.hypotheses.counts[0].max()) / self.units.n

    @property
    def _vote_kinds(self) -> tuple[str, ...]:
        return tuple(name for name in VOTE_KINDS if name != "c_bound" or len(self.classes) == 2)

    def _as_tree(self, delta: float | None) -> float:
        seen = self._tampered(self.vote_risks.vote)
        log_prior = self.hypotheses.log_prior_of(self.masses.argmax(axis=1))
        return float(pruning_bound(seen, log_prior, self._n, self._each(delta)))

    @cached_property
    def masses(self) -> Floats:
        """M of (3) at every cell as the last one of a path, (n_nodes, L)."""
        _, log_chance = self.hypotheses.labels_at(self.lam)
        everywhere, voiced = np.arange(self.tree.n_nodes), np.zeros(self.tree.n_nodes, np.bool_)
        chance: Floats = np.exp(log_chance)
        return along_paths(self.tree, self.posterior.weighing, lambda cells: chance[cells], everywhere, voiced)

    @cached_property
    def vote_risks(self) -> VoteRisks:
        """The means of the vote on the certifying units."""
        leaves = np.flatnonzero(self.tree.children_left < 0)
        counts, masses, n = self.hypotheses.counts[leaves], self.masses[leaves], float(self.units.n)
        wrong = np.clip(1.0 - masses, 0.0, 1.0)
        answered = counts[np.arange(len(leaves)), masses.argmax(axis=1)]
        return VoteRisks(
            gibbs=float((counts * wrong).sum()) / n,
            tandem=float((counts * wrong * wrong).sum()) / n,
            disagreement=float(counts.sum(axis=1) @ np.clip(1.0 - np.square(masses).sum(axis=1), 0.0, 1.0)) / n,
            vote=float((counts.sum(axis=1) - answered).sum()) / n,
            n=n,
        )

    def predict_proba(self, X: Any) -> Floats:
        """The classes' shares of the vote, (n_rows, L)."""
        shares: Floats = self.masses[self.tree.apply(X)]
        return shares

    def predict(self, X: Any) -> Array:
        """The vote for each row: a label, (n_rows,); of equals the first class."""
        nodes: Ints = self.tree.apply(X)
        answers: Array = self.classes[self.masses.argmax(axis=1)[nodes]]
        return answers


def weigh_cells(
    X: Any,
    y: Any,
    *,
    ranges: Any,
    max_depth: int,
    classes: Sequence[Any] | Array,
    delta: float = 0.05,
    groups: Any = None,
    corrupted: float = 0.0,
) -> LabelledTree:
    """Weigh all prunings of a dyadic tree with all labels; no row grows anything, so that all of them certify.

    X: array, frame or Table of numbers; y: (n_rows,) labels among `classes`. ranges: (n_features, 2), max_depth and
    classes, (L,), must not come from these rows: from what the columns can be, or from others. A row beyond the ranges
    counts to the cell at the edge. delta, groups, corrupted: as `weigh` takes them. SPEC A6, A7; the proof is at the
    head. Raises ValueError or TypeError naming the parameter, column or row, and for fewer than 8 rows or groups.
    """
    check_delta(delta)
    labels, known = targets_of(y, numbers=False), np.asarray(classes)
    if known.ndim != 1 or len(known) < 2 or len(set(known.tolist())) < len(known):
        raise ValueError(f"classes must hold at least two different labels, got {classes!r}")
    codes = _codes(labels, known)
    units = units_of(labels, Misclassification(), groups=groups, corrupted=corrupted)
    if ranges is None or max_depth is None:
        raise TypeError("ranges and max_depth must be given: taken from these rows, they would shape the tree by them")
    weight = None if groups is None else units.weight
    tree = dyadic(X, codes, sample_weight=weight, max_depth=max_depth, ranges=ranges, stop_pure=False)
    # By (4) the numbers are those of the tree without what is below cells of one row; the answers to new rows are not.
    shorter = cut(tree, tree.n_node_samples <= 1)
    found = search([LabelledPrunings(shorter, _by_class(shorter, known), units, stop) for stop in STOPS], delta)
    assert isinstance(found.hypotheses, LabelledPrunings)
    whole = LabelledPrunings(tree, _by_class(tree, known), units, found.hypotheses.stop)
    return LabelledTree(
        hypotheses=whole,
        posterior=whole.at(found.lam)[0],
        classes=known,
        observed=found.observed,
        kl=found.kl,
        lam=found.lam,
        prior=whole.name,
        n_priors=len(STOPS),
        delta=float(delta),
        assumes=(*units.assumes, "the ranges, the depth and the list of classes do not come from them"),
        notes=absent_classes([label for k, label in enumerate(known.tolist()) if not whole.counts[0, k]]),
    )


def _by_class(tree: Tree, classes: Array) -> Floats:
    """Units by class in each cell, (n_nodes, L): the tree's own classes are the codes of those that it has."""
    counts = np.zeros((tree.n_nodes, len(classes)))
    counts[:, tree.classes] = tree.counts
    return counts


def _codes(labels: Array, classes: Array) -> Ints:
    codes = codes_of(classes, labels)
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        raise ValueError(f"y, row {row}: {labels[row : row + 1].tolist()[0]!r} is not one of the classes")
    return codes
