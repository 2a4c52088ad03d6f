"""What a node costs as a leaf: the risk R(t) that weakest-link pruning and the penalties weigh against size. SPEC B3.

risk        by name: "impurity" (the impurity that the tree was grown by), "misclassification", or a loss matrix (K, K)
            with true classes in rows. In shares of all weight: the root's risk is its impurity, or its error rate, or
            its mean loss.
answer      a node is charged for its own label, whatever the label's origin.
counts      risks that are whole numbers in units of one share: then nothing is rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Floats

__all__ = ["NodeRisk", "impurity_risk", "misclassification_risk", "node_risk"]

Counts = npt.NDArray[np.int64]

# Weights in units of which all together are below this: sums of them are exact.
MOST_UNITS_BITS = 61
EXACT_IN_FLOATS = 2**53


@dataclass(frozen=True, slots=True)
class NodeRisk:
    """The risk of each node as a leaf. name: in a table's heading. of_nodes: (n_nodes,), in shares of all weight.

    counts: (n_nodes,) the same as whole numbers, `unit` in all; None where it is not a count.
    """

    name: str
    of_nodes: Floats
    counts: Counts | None = None
    unit: int = 1


def node_risk(tree: Tree, risk: Any) -> NodeRisk:
    """The risk that a name or a loss matrix asks for. Raises ValueError or TypeError for anything else."""
    if isinstance(risk, str):
        if risk == "impurity":
            return impurity_risk(tree)
        if risk == "misclassification" and tree.classes is not None:
            return misclassification_risk(tree)
        if risk == "misclassification":
            raise ValueError("risk='misclassification': a regression tree has no other risk than 'impurity'")
        raise ValueError(f"risk must be 'impurity', 'misclassification' or a loss matrix, got {risk!r}")
    return _loss_risk(tree, _as_loss(tree, risk))


def impurity_risk(tree: Tree) -> NodeRisk:
    """The impurity of each node times its share of the weight, as scikit-learn's cost-complexity pruning has it."""
    weight = tree.weighted_n_node_samples
    return NodeRisk(tree.criterion, weight / (weight[0] or 1.0) * tree.impurity)


def misclassification_risk(tree: Tree) -> NodeRisk:
    """The share of all weight that is in a node and not of its label."""
    units, whole = _in_units(tree.count_weight)
    running = np.concatenate([[0], np.cumsum(units)])
    total = int(running[-1])
    in_node = running[tree.count_ptr[tree.subtree_end]] - running[tree.count_ptr[:-1]]
    return _of_counts(tree, "misclassification", in_node - _of_own_label(tree, units), total, whole)


def _of_counts(tree: Tree, name: str, counts: Counts, total: int, whole: bool) -> NodeRisk:
    of_nodes = counts / float(total or 1)
    fits = int(np.abs(counts).max()) * tree.n_nodes < 1 << 62
    return NodeRisk(name, of_nodes, counts if whole and fits else None, total or 1)


def _in_units(weights: Floats) -> tuple[Counts, bool]:
    """Weights as whole numbers of a power of two, and whether they were whole to begin with."""
    total = float(weights.sum())
    if total < EXACT_IN_FLOATS and np.array_equal(np.rint(weights), weights):
        return weights.astype(np.int64), True
    # The mean first: the total may be beyond the floats.
    exponent = MOST_UNITS_BITS - int(np.frexp(weights.max())[1]) - len(weights).bit_length()
    return np.rint(np.ldexp(weights, exponent)).astype(np.int64), False


def _of_own_label(tree: Tree, units: Counts) -> Counts:
    """The weight of its own label in each node, (n_nodes,): a range of the entries of one class, in pre-order."""
    n_entries = len(tree.count_class)
    by_class = np.argsort(tree.count_class, kind="stable")
    place = tree.count_class[by_class].astype(np.int64) * n_entries + by_class
    running = np.concatenate([[0], np.cumsum(units[by_class])])
    own = tree.label.astype(np.int64) * n_entries
    first, last = (own + tree.count_ptr[at] for at in (np.arange(tree.n_nodes), tree.subtree_end))
    own_weight: Counts = running[np.searchsorted(place, last)] - running[np.searchsorted(place, first)]
    return own_weight


def _as_loss(tree: Tree, given: Any) -> Floats:
    if tree.classes is None:
        raise ValueError("risk: a loss matrix needs classes, and this is a regression tree")
    try:
        loss: Array = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"risk is not a matrix: {error}") from None
    if loss.dtype.kind not in "iufb":
        raise TypeError(f"risk must be 'impurity', 'misclassification' or a loss matrix of numbers, got {given!r}")
    k = tree.n_classes
    if loss.shape != (k, k):
        raise ValueError(f"risk: a loss matrix of {k} classes is {k} x {k}, true classes in rows; got {loss.shape}")
    matrix: Floats = loss.astype(np.float64)
    if not (np.isfinite(matrix).all() and (matrix >= 0).all()):
        raise ValueError("risk: a loss matrix holds finite numbers >= 0")
    if np.diag(matrix).any():
        raise ValueError("risk: a loss matrix is zero on its diagonal: a right answer costs nothing")
    return matrix


def _loss_risk(tree: Tree, loss: Floats) -> NodeRisk:
    answered = loss.T[tree.label]
    weights, entries = tree.counts, tree.count_weight
    whole = np.array_equal(np.rint(loss), loss) and np.array_equal(np.rint(entries), entries)
    if whole and float(entries.sum()) * float(loss.max()) < EXACT_IN_FLOATS:
        costs = np.einsum("tk,tk->t", weights, answered)
        return _of_counts(tree, "loss", costs.astype(np.int64), int(entries.sum()), True)
    # In units of a power of two: the sum of huge weights stays finite.
    weights = np.ldexp(weights, -int(np.frexp(entries.max())[1]))
    return NodeRisk("loss", np.einsum("tk,tk->t", weights / weights[0].sum(), answered))
