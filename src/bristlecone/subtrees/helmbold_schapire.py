"""Helmbold and Schapire's vote: prunings that predict the chance of class 1, weighed by how far they are off. SPEC A8.

value     of a node: its share of class 1. An empty leaf's is 0, as the PAC-Bayes tree paper's own runs have it, or that
          of the node above it.
U         1 - (1 - beta) |value - y|: what a row of class y leaves of the weight of a pruning that predicts `value`.
|P|       of a pruning: how many of its nodes are inner ones of the whole tree. Before rows speak, it weighs 2^-|P|.
r         the mean of the prunings' values at a row, by weight; F, the prediction made of it.
Helmbold and Schapire, Machine Learning 1997.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from bristlecone.subtrees.ballot import along_paths
from bristlecone.subtrees.evidence import checked_counts, stopping_counts
from bristlecone.subtrees.pac_bayes import PRIORS
from bristlecone.subtrees.posterior import Posterior, Potentials
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints

__all__ = [
    "EMPTY",
    "check_beta",
    "helmbold_schapire_posterior",
    "helmbold_schapire_weights",
    "labels_of",
    "log_ratio",
    "means_at",
    "node_values",
    "prediction_of",
    "second_class",
]

EMPTY = ("zero", "parent")


def helmbold_schapire_weights(tree: Tree, *, beta: float, counts: Any = None, empty: str = "zero") -> Floats:
    """The chance of every node to be a leaf of a pruning, by Helmbold and Schapire's batch weights. SPEC A8.

    beta: in [0, 1); the lower, the more an error weighs. counts: (n_nodes, 2), the rows that weigh, as `count` gives
    them; default the growing rows. What nodes predict rests on the growing rows always. empty: the value of an empty
    leaf, "zero" or the "parent"'s. Returns (n_nodes,). Raises ValueError or TypeError naming the parameter, and for a
    tree that has not two classes.
    """
    return helmbold_schapire_posterior(tree, beta=beta, counts=counts, empty=empty).weights


def helmbold_schapire_posterior(tree: Tree, *, beta: float, counts: Any = None, empty: str = "zero") -> Posterior:
    """The same as a posterior, with all that follows from it."""
    check_beta(beta)
    value, prior = node_values(tree, empty), PRIORS["helmbold_schapire"](tree)
    rows = tree.counts if counts is None else checked_counts(tree, counts)
    if counts is None:
        return Posterior(tree, Potentials(prior.leaf + _log_weights(value, rows, beta), prior.inner), prior)
    gone_on = np.where(tree.children_left >= 0, _log_weights(value, stopping_counts(tree, rows), beta), 0.0)
    return Posterior(tree, Potentials(prior.leaf + _log_weights(value, rows, beta), prior.inner + gone_on), prior)


def _log_weights(value: Floats, rows: Floats, beta: float) -> Floats:
    """What rows leave of the weight of a pruning that ends at each node, as a logarithm; updates commute."""
    zeros, ones = np.maximum(rows, 0.0).T
    # U of each class, without what cancels in 1 - (1 - beta) |value - y|
    logs: Floats = xlogy(ones, value + beta * (1.0 - value)) + xlogy(zeros, (1.0 - value) + beta * value)
    if not np.isfinite(logs).all():
        node = int(np.argmin(np.isfinite(logs)))
        raise ValueError(f"beta={beta!r}: node {node} is sure of a class and errs, which leaves it no weight")
    return logs


def node_values(tree: Tree, empty: str = "zero") -> Floats:
    """The value of each node, (n_nodes,). Raises ValueError for a tree that has not two classes."""
    if not isinstance(tree, Tree):
        raise TypeError(f"expected a Tree, got {type(tree).__name__}")
    if tree.n_classes != 2:
        raise ValueError(f"Helmbold and Schapire's vote is over two classes, the tree has {tree.n_classes}")
    if empty not in EMPTY:
        raise ValueError(f"empty must be {' or '.join(map(repr, EMPTY))}, got {empty!r}")
    value = tree.value[:, 0, 1].copy()
    if empty == "zero":
        value[tree.n_node_samples == 0] = 0.0
    return value


def check_beta(beta: Any) -> None:
    """Raises ValueError for what is not in [0, 1)."""
    if not isinstance(beta, int | float | np.number) or isinstance(beta, bool) or not 0 <= beta < 1:
        raise ValueError(f"beta must be a number of at least 0 and below 1, got {beta!r}")


def log_ratio(beta: float) -> float:
    """ln(2 / (1 + beta)), also near 1."""
    return -math.log1p((beta - 1.0) / 2.0)


def second_class(mean: Floats) -> npt.NDArray[np.bool_]:
    """Whether class 1 is the answer: r is above 1/2, by more than rounding."""
    above: npt.NDArray[np.bool_] = mean > 0.5 * (1.0 + 1e-12)
    return above


def means_at(posterior: Posterior, value: Floats, nodes: Ints) -> Floats:
    """r of rows that stop at these nodes, (len(nodes),)."""
    voiced = np.zeros(posterior.tree.n_nodes, dtype=np.bool_)
    return along_paths(posterior.tree, posterior.weighing, lambda at: value[at, None], nodes, voiced)[:, 0]


def prediction_of(mean: Floats, beta: float) -> Floats:
    """F of r, in [0, 1]: nearer to 0 or 1 than r; above 1/2 where r is."""
    half = (1.0 + beta) * log_ratio(beta) / (2.0 * (1.0 - beta))
    return np.clip(0.5 - (1.0 - 2.0 * mean) / (4.0 * half), 0.0, 1.0)


def labels_of(posterior: Posterior, value: Floats) -> npt.NDArray[np.int32]:
    """The class of the vote for a row that stops at each node, (n_nodes,)."""
    nodes = np.arange(posterior.tree.n_nodes)
    return second_class(means_at(posterior, value, nodes)).astype(np.int32)
