"""Weights on all prunings as the PAC-Bayes tree has them: fewer errors weigh more, more and thinner leaves weigh less.

n_A, err_A   the rows in node A, and those of them that are not of its label.
D0, |T0|     the depth of the whole tree, and the number of its nodes without the empty leaves.
penalty      what a node is charged beside its errors, lambda2 times.
prior        what a pruning weighs before rows speak. An empty leaf of a space tree is a dummy: potential 0.
Nguyen and Kpotufe, NeurIPS 2018; SPEC A3, A4.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.evidence import Evidence, evidence_of
from bristlecone.subtrees.fold import fold
from bristlecone.subtrees.posterior import Posterior, Potentials
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, read_only

__all__ = [
    "PENALTIES",
    "PRIORS",
    "pac_bayes_posterior",
    "pac_bayes_potentials",
    "pac_bayes_weights",
    "theoretical_posterior",
    "theoretical_weights",
]

LOG_HALF = math.log(0.5)
BLOCK = 1 << 12  # nodes whose potentials are made at a time: what is made on the way stays in the cache

PenaltyFunction = Callable[[Tree, Floats], npt.ArrayLike]


def _root(_tree: Tree, rows: Floats) -> Floats:
    return np.sqrt(rows)


def _adaptive(tree: Tree, rows: Floats) -> Floats:
    charge: Floats = np.sqrt(8.0 * np.maximum(rows, tree.depth) * tree.depth)
    return charge


def _bernstein(tree: Tree, _rows: Floats) -> Floats:
    return tree.depth.astype(np.float64)


def _nothing(tree: Tree, _rows: Floats) -> Floats:
    return np.zeros(tree.n_nodes)


PENALTIES: Mapping[str, PenaltyFunction] = {
    "root": _root,
    "ada": _adaptive,
    "bernstein": _bernstein,
    "none": _nothing,
}


def _by_halves(tree: Tree) -> Potentials:
    """Helmbold and Schapire's prior: at every inner node of the tree a fair coin says whether a pruning goes on."""
    return Potentials(np.where(tree.children_left >= 0, LOG_HALF, 0.0), LOG_HALF)


PRIORS: Mapping[str, Callable[[Tree], Potentials]] = {
    "uniform": lambda tree: Potentials(np.zeros(tree.n_nodes)),
    "helmbold_schapire": _by_halves,
}


def pac_bayes_weights(
    tree: Tree,
    *,
    lambda1: npt.ArrayLike,
    lambda2: npt.ArrayLike,
    leaf_cost: npt.ArrayLike = 1.0,
    counts: Any = None,
    penalty: Any = "root",
    prior: Any = "leaves",
) -> Floats:
    """The chance of every node to be a leaf of a pruning, by the practical posterior. SPEC A4.

    A pruning weighs e^-(lambda1 errors + lambda2 sum of penalties + leaf_cost leaves), leaves without rows free.
    lambda1, lambda2, leaf_cost: numbers of at least 0, or arrays of one shape (n_strengths,): a whole grid in one pass.
    counts: (n_nodes, n_classes) other rows as `count` gives them; default the growing rows. penalty: "root" (the square
    root of n_A: the paper's sqrt(phat / n), as the authors' own runs have it), "ada" (sqrt(8 max(n_A, d) d), d the
    depth), "bernstein" (d), "none", or a function from (tree, n_A) to an array (n_nodes,). prior: "leaves",
    "helmbold_schapire", "uniform" (both without leaf_cost), or a function from a tree to `Potentials`. Returns
    (n_nodes,), or (n_nodes, n_strengths). With the growing rows, as in practice, no certificate follows from it.
    Raises ValueError or TypeError naming the parameter, for a regression tree, and for counts that no rows can have.
    """
    potentials, _ = pac_bayes_potentials(
        tree, lambda1=lambda1, lambda2=lambda2, leaf_cost=leaf_cost, counts=counts, penalty=penalty, prior=prior
    )
    weighing = fold(tree, potentials.leaf, potentials.inner, semiring="logaddexp")
    return read_only(np.exp(weighing.leaf, out=potentials.leaf))  # large arrays are slow to come by


def pac_bayes_posterior(
    tree: Tree,
    *,
    lambda1: float,
    lambda2: float,
    leaf_cost: float = 1.0,
    counts: Any = None,
    penalty: Any = "root",
    prior: Any = "leaves",
) -> Posterior:
    """The practical posterior with all that follows from it. Parameters as `pac_bayes_weights`, numbers only."""
    potentials, before = pac_bayes_potentials(
        tree, lambda1=lambda1, lambda2=lambda2, leaf_cost=leaf_cost, counts=counts, penalty=penalty, prior=prior
    )
    if potentials.leaf.ndim > 1:
        raise ValueError("a posterior has one lambda1, lambda2 and leaf_cost; arrays are for pac_bayes_weights")
    return Posterior(tree, potentials, before)


def pac_bayes_potentials(
    tree: Tree,
    *,
    lambda1: npt.ArrayLike,
    lambda2: npt.ArrayLike,
    leaf_cost: npt.ArrayLike = 1.0,
    counts: Any = None,
    penalty: Any = "root",
    prior: Any = "leaves",
    seen: Evidence | None = None,
) -> tuple[Potentials, Potentials]:
    """The potentials of the practical posterior, and those of its prior. seen: the evidence, if it is known already."""
    strengths = {"lambda1": lambda1, "lambda2": lambda2, "leaf_cost": leaf_cost}
    first, second, cost = _grid({name: _strength(value, name) for name, value in strengths.items()})
    seen = evidence_of(tree, counts) if seen is None else seen
    occupied = seen.rows > 0
    charge = np.where(occupied, _charges(tree, penalty, seen.rows), 0.0)
    # One cost for a whole grid needs no column for each strength.
    before = _prior(tree, prior, occupied, cost[0] if cost.ndim and (cost == cost[0]).all() else cost)
    leaf = np.empty((tree.n_nodes, *first.shape))
    prior_leaf = before.leaf[:, None] if leaf.ndim > before.leaf.ndim else before.leaf
    for start in range(0, tree.n_nodes, BLOCK):
        nodes = slice(start, start + BLOCK)
        leaf[nodes] = _times(seen.errors[nodes], -first)
        leaf[nodes] += prior_leaf[nodes]
        leaf[nodes] -= _times(charge[nodes], second)
    if not np.isfinite(leaf).all():
        raise ValueError(f"lambda1={lambda1!r}, lambda2={lambda2!r}: too large for floats")
    if seen.stopped is None:
        return Potentials(leaf, before.inner), before
    passed = _times(seen.stopped, -first)
    if before.inner is None:
        return Potentials(leaf, passed), before
    inner = np.broadcast_to(before.inner, (tree.n_nodes,) if np.ndim(before.inner) == 0 else np.shape(before.inner))
    return Potentials(leaf, passed + (inner[:, None] if passed.ndim > inner.ndim else inner)), before


def theoretical_weights(tree: Tree, *, lam: float, delta: float, counts: Any = None) -> Floats:
    """The chance of every node to be a leaf of a pruning, by the posterior of the paper's Theorem 1. SPEC A3.

    phi(A) = -lam err_A - lam sqrt(2 n_A ln(|T0| / delta)) - 3 D0; 0 for empty leaves, unless `counts` has rows there.
    lam: between 0 and 2; delta: between 0 and 1; counts: as `pac_bayes_weights` takes them. Returns (n_nodes,). The
    square root is restored (the printed one is lost), and the oracle bound that goes with it holds the Bayes error,
    which nobody knows: it is not a certificate. Raises ValueError or TypeError naming the parameter.
    """
    return theoretical_posterior(tree, lam=lam, delta=delta, counts=counts).weights


def theoretical_posterior(tree: Tree, *, lam: float, delta: float, counts: Any = None) -> Posterior:
    """The posterior of Theorem 1 with all that follows from it. Parameters as `theoretical_weights`."""
    _between(lam, "lam", 2)
    _between(delta, "delta", 1)
    seen = evidence_of(tree, counts)
    real = tree.n_node_samples > 0
    prior = np.where(real, -3.0 * tree.max_depth, 0.0)
    width = np.sqrt(2.0 * seen.rows * math.log(np.count_nonzero(real) / delta))
    inner = None if seen.stopped is None else -lam * seen.stopped
    return Posterior(tree, Potentials(prior - lam * (seen.errors + width), inner), Potentials(prior))


def _charges(tree: Tree, penalty: Any, rows: Floats) -> Floats:
    if isinstance(penalty, str):
        if penalty not in PENALTIES:
            raise ValueError(f"penalty must be one of {', '.join(map(repr, PENALTIES))}, got {penalty!r}")
        return np.asarray(PENALTIES[penalty](tree, rows), dtype=np.float64)
    if not callable(penalty):
        raise TypeError(f"penalty must be a name or a function from (tree, rows) to an array, got {penalty!r}")
    found = np.asarray(penalty(tree, rows))
    if found.dtype.kind not in "biuf" or found.shape != (tree.n_nodes,):
        raise ValueError(f"a penalty gives one number a node, ({tree.n_nodes},); got {found.dtype} {found.shape}")
    if not np.isfinite(found).all():
        node = int(np.argmin(np.isfinite(found)))
        raise ValueError(f"the penalty gives {found[node]} at node {node}; penalties are finite")
    return found.astype(np.float64)


def _prior(tree: Tree, prior: Any, occupied: npt.NDArray[np.bool_], cost: Floats) -> Potentials:
    if isinstance(prior, str):
        if prior == "leaves":
            return Potentials(-_times(occupied.astype(np.float64), cost))
        if prior not in PRIORS:
            names = ", ".join(map(repr, ["leaves", *PRIORS]))
            raise ValueError(f"prior must be one of {names}, got {prior!r}")
        return PRIORS[prior](tree)
    if not callable(prior):
        raise TypeError(f"prior must be a name or a function from a tree to Potentials, got {prior!r}")
    found = prior(tree)
    if not isinstance(found, Potentials):
        raise TypeError(f"a prior gives Potentials, got {type(found).__name__}")
    if np.shape(found.leaf) != (tree.n_nodes,) or np.shape(found.inner or 0.0) not in ((), (tree.n_nodes,)):
        raise ValueError(f"a prior's potentials are ({tree.n_nodes},), got {np.shape(found.leaf)}")
    return Potentials(np.asarray(found.leaf, dtype=np.float64), found.inner)


def _strength(given: npt.ArrayLike, name: str) -> Floats:
    try:
        held = np.asarray(given)
    except ValueError:
        raise TypeError(f"{name} must be a number, or an array (n_strengths,) of them, got {given!r}") from None
    if held.dtype.kind not in "iuf" or held.ndim > 1 or held.size == 0:
        raise TypeError(f"{name} must be a number of at least 0, or an array (n_strengths,) of them, got {given!r}")
    bad = ~(np.isfinite(held) & (held >= 0))
    if bad.any():
        raise ValueError(f"{name} must be a finite number of at least 0, got {held[bad].reshape(-1)[0]}")
    return held.astype(np.float64)


def _grid(strengths: Mapping[str, Floats]) -> list[Floats]:
    try:
        return list(np.broadcast_arrays(*strengths.values()))
    except ValueError:
        lengths = ", ".join(f"{name} {value.shape}" for name, value in strengths.items())
        raise ValueError(f"arrays of strengths must be equally long, got {lengths}") from None


def _times(of_nodes: Floats, strength: Floats) -> Floats:
    """A number for each node times one, or times each of a grid: (n_nodes,) or (n_nodes, n_strengths)."""
    with np.errstate(over="ignore"):
        return np.multiply.outer(of_nodes, strength)


def _between(value: Any, name: str, high: int) -> None:
    if not isinstance(value, int | float | np.number) or not 0 < value < high:
        raise ValueError(f"{name} must be a number between 0 and {high}, got {value!r}")
