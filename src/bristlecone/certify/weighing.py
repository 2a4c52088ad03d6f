"""Weigh the prunings of a tree by rows that had no part in growing it, so that certificates follow. SPEC A7."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy.stats import binom

from bristlecone.certify.bounds import check_delta
from bristlecone.certify.losses import ErrorOfClass, Misclassification, Risk, as_risk, codes_of
from bristlecone.certify.priors import Prior, family
from bristlecone.certify.rows import NodeLosses, absent_classes, node_losses, targets_of, units_of
from bristlecone.certify.same import answered
from bristlecone.certify.search import Found, Prunings, search
from bristlecone.certify.vertices import least_bound
from bristlecone.certify.weighed import WeighedTree
from bristlecone.subtrees.evidence import Stops
from bristlecone.subtrees.posterior import Posterior, VoteRisks
from bristlecone.table.rows import check_same_rows
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Ints

__all__ = ["THEIR_OWN", "grew", "informed_priors", "weigh"]

TELLING = 4  # leaves from which on equal counts in all of them are no accident
NO_CHANCE = 1e-4  # of what independent rows do
THEIR_OWN = (
    "these are the rows that grew the tree, or most of them: no more of any class come to any leaf. A certificate "
    "needs rows that had no part in it; keep some from growth, as PACBayesTreeClassifier(mode='certified') does with a "
    "base to grow"
)


def weigh(
    tree: Tree,
    X: Any,
    y: Any,
    *,
    delta: float = 0.05,
    risk: Any = "error",
    groups: Any = None,
    corrupted: float = 0.0,
    priors: Sequence[Prior] | None = None,
) -> WeighedTree:
    """Find the posterior over a tree's prunings whose bound is least, on rows that had no part in growing it.

    tree: its questions and its answers must not have seen X and y. X: array, frame or Table; y: (n_rows,) labels or
    numbers. delta: the chance that each certificate may fail with. risk: "error", "brier", a loss matrix over the
    tree's classes, or `ErrorOfClass(label)`, `Beyond(radius)`. groups: (n_rows,) equal where rows belong together: a
    group then counts once, by its mean loss. Weights have no place here, for n counts independent rows. corrupted: the
    largest share of rows (groups) that may have been tampered with. priors: what is believed before, by default a
    family made from the growing rows; see `informed_priors`.
    SPEC A7. Raises ValueError or TypeError naming the parameter, and for fewer than 8 rows, groups, or rows of a class.
    """
    check_delta(delta)
    if not isinstance(tree, Tree):
        raise TypeError(f"expected a Tree, got {type(tree).__name__}")
    asked = as_risk(risk, tree.classes)
    targets = _targets(tree, y)
    stops = _stops_of(tree, X, targets)
    if grew(tree, stops, targets):
        raise ValueError(THEIR_OWN)
    losses = node_losses(tree, stops, targets, asked, units_of(targets, asked, groups=groups, corrupted=corrupted))
    priors = family(tree) if priors is None else _checked(priors, tree)
    found = search([Prunings(losses, prior) for prior in priors], delta)
    units = losses.units
    assumes = (*units.assumes, "they had no part in growing the tree, in its answers, or in the choice of this method")
    return WeighedTree(
        posterior=found.posterior,
        losses=losses,
        phrase=asked.phrase,
        scale=asked.scale,
        observed=found.observed,
        kl=found.kl,
        lam=found.lam,
        prior=_name(found),
        n_priors=len(priors),
        vote_risks=_vote_risks(found.posterior, losses, asked, targets),
        pruning=least_bound(losses, priors, delta),
        delta=float(delta),
        assumes=assumes,
        notes=_notes(tree, targets[units.rows], asked),
    )


def informed_priors(tree: Tree, X: Any, y: Any, *, risk: Any = "error") -> list[Prior]:
    """Priors made from rows that neither grew the tree nor will certify: prunings that lose less on them weigh more.

    X, y, risk: as `weigh` takes them, which takes the result as `priors`. SPEC A7, informed prior.
    """
    targets, asked = _targets(tree, y), as_risk(risk, tree.classes)
    units = units_of(targets, asked, groups=None, corrupted=0.0)
    return family(tree, node_losses(tree, _stops_of(tree, X, targets), targets, asked, units))


def grew(tree: Tree, stops: Ints, y: Array) -> bool:
    """Whether rows are those that grew a tree, or so many of them that it shows. stops: (n_rows,), where they stop.

    As many of every class come to every leaf as grew it; or no more of any class to any leaf, which independent rows do
    with a chance below `NO_CHANCE`. Of a few of the growing rows, and of small trees, nothing shows.
    """
    if tree.n_leaves < TELLING or len(y) > tree.n_node_samples[0]:
        return False
    grown, seen = _in_leaves(tree, stops, y)
    if (seen > grown).any():
        return False
    if len(y) == tree.n_node_samples[0]:
        return tree.classes is not None or _means_are_answers(tree, stops, y)
    if tree.classes is None:
        return False  # without classes, counts alone say too little
    shares = grown[grown > 0] / tree.n_node_samples[0]
    return bool(binom.logcdf(grown[grown > 0], len(y), shares).sum() < math.log(NO_CHANCE))


def _means_are_answers(tree: Tree, stops: Ints, y: Array) -> bool:
    """Whether these rows' numbers give the leaves' own answers, or what is between, where those are medians."""
    found = np.bincount(stops, y, tree.n_nodes)
    leaves = np.flatnonzero(tree.children_left < 0)
    if tree.criterion == "absolute_error":
        return all(np.median(y[stops == leaf]) == tree.prediction[leaf] for leaf in leaves.tolist())
    means, room = found[leaves] / tree.n_node_samples[leaves], 1e-9 * (1.0 + np.abs(y).max())
    return bool((np.abs(means - tree.prediction[leaves]) <= room).all())


def _in_leaves(tree: Tree, stops: Ints, y: Array) -> tuple[Ints, Ints]:
    """Of every leaf, and there of every class: the rows that grew it, and these; rows elsewhere stand at the end."""
    if tree.classes is None:
        grown = np.where(tree.children_left < 0, tree.n_node_samples, 0)
        return np.append(grown, 0), np.append(np.bincount(stops, minlength=tree.n_nodes), 0)
    codes, size = _codes(tree, y), tree.n_nodes * tree.n_classes
    entries = np.repeat(np.arange(tree.n_nodes), np.diff(tree.count_ptr)) * tree.n_classes + tree.count_class
    grown = np.bincount(entries, tree.count_rows, size + 1).astype(np.int64)
    return grown, np.bincount(np.where(codes < 0, size, stops * tree.n_classes + codes), minlength=size + 1)


def _checked(priors: Sequence[Prior], tree: Tree) -> list[Prior]:
    if isinstance(priors, Prior) or not isinstance(priors, Iterable):
        raise TypeError(f"priors must be a sequence of priors, got {type(priors).__name__}")
    given = list(priors)
    if not given:
        raise ValueError("priors must hold at least one prior")
    for prior in given:
        if not isinstance(prior, Prior):
            raise TypeError(f"priors must hold priors, got {type(prior).__name__}")
        if prior.potentials.leaf.shape != (tree.n_nodes,):
            raise ValueError(f"priors: {prior.name} has {len(prior.potentials.leaf)} nodes, the tree {tree.n_nodes}")
    return given


def _stops_of(tree: Tree, X: Any, y: Array) -> Ints:
    stops = tree.apply(X)
    check_same_rows(len(stops), len(y))
    return stops


def _targets(tree: Tree, y: Any) -> Array:
    """y as labels or numbers. Raises ValueError where not one of the labels is the tree's."""
    targets = targets_of(y, numbers=tree.classes is None)
    known = set() if tree.classes is None else set(tree.classes.tolist())
    if known and len(targets) and known.isdisjoint(targets.tolist()):
        raise ValueError(f"y: not one label is among the tree's classes, such as {next(iter(known))!r}")
    return targets


def _notes(tree: Tree, y: Array, risk: Risk) -> tuple[str, ...]:
    """That the rows are of some classes only, where they are."""
    if tree.classes is None or isinstance(risk, ErrorOfClass):
        return ()
    known, present = tree.classes.tolist(), set(y.tolist())
    return absent_classes([label for label in known if label not in present])


def _name(found: Found) -> str:
    assert isinstance(found.hypotheses, Prunings)
    return found.hypotheses.prior.name


def _vote_risks(posterior: Posterior, losses: NodeLosses, risk: Risk, y: Array) -> VoteRisks | None:
    """The vote's means over the units; a class that no node answers is always answered wrongly, by all alike."""
    if not isinstance(risk, Misclassification | ErrorOfClass):
        return None
    tree, units = posterior.tree, losses.units
    codes = _codes(tree, y[units.rows])
    known = np.isin(codes, answered(tree))
    lost = float(units.weight[~known].sum())
    if not known.any():
        return VoteRisks(1.0, 1.0, 0.0, 1.0, float(units.n))
    risks = posterior.risks_at(_stops(tree, losses.stops[known], codes[known], units.weight[known]))
    share = (units.n - lost) / units.n

    def whole(mean: float) -> float:
        return min(mean * share + lost / units.n, 1.0)

    return VoteRisks(whole(risks.gibbs), whole(risks.tandem), risks.disagreement * share, whole(risks.vote), units.n)


def _codes(tree: Tree, labels: Array) -> Ints:
    assert tree.classes is not None
    return codes_of(tree.classes, labels)


def _stops(tree: Tree, nodes: Ints, codes: Ints, weight: Any) -> Stops:
    place, entry = np.unique(nodes * tree.n_classes + codes, return_inverse=True)
    node = place // tree.n_classes
    ptr = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=tree.n_nodes))])
    return Stops(ptr, (place % tree.n_classes).astype(np.int32), np.bincount(entry, weight).astype(np.float64))
