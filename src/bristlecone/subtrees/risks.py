"""What a node costs as a leaf: the risk R(t) that weakest-link pruning and the penalties weigh against size. SPEC B3.

risk        by name: "impurity" (the impurity that the tree was grown by), "misclassification", or a loss matrix (K, K)
            with true classes in rows. In shares of all weight: the root's risk is its impurity, or its error rate, or
            its mean loss.
answer      a node is charged for its own label; by a loss matrix, for the label that costs least, which it then has.
counts      risks that are whole numbers in units of one share: then nothing is rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.tree import Tree
from bristlecone.tree.arrays import FIELDS, Array, Floats, frozen

__all__ = [
    "ClassWeights",
    "NodeRisk",
    "class_weights",
    "impurity_risk",
    "misclassification_risk",
    "node_risk",
    "with_labels",
]

Counts = npt.NDArray[np.int64]

MOST_UNITS_BITS = 61  # of all weights together: sums of them are exact
EXACT_IN_FLOATS = 2**53


@dataclass(frozen=True, slots=True)
class NodeRisk:
    """The risk of each node as a leaf. name: in a table's heading. of_nodes: (n_nodes,), in shares of all weight.

    tree: the one whose answers are charged for: the given one, except for labels. counts: (n_nodes,) the risk as whole
    numbers, `unit` in all; None where it is not a count.
    """

    name: str
    tree: Tree
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
    return NodeRisk(tree.criterion, tree, weight / (weight[0] or 1.0) * tree.impurity)


def misclassification_risk(tree: Tree) -> NodeRisk:
    """The share of all weight that is in a node and not of its label."""
    weights = class_weights(tree)
    counts = weights.in_node - weights.of_label
    return _of_counts(tree, "misclassification", counts, int(weights.in_node[0]), weights.whole)


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """The weight in each node, and of its own label in it, (n_nodes,): whole numbers of 2**-exponent.

    whole: whether the weights were whole to begin with (then the exponent is 0).
    """

    in_node: Counts
    of_label: Counts
    exponent: int
    whole: bool

    def floats(self, units: Counts) -> Floats:
        """Units as weights."""
        return np.ldexp(units.astype(np.float64), -self.exponent)


def class_weights(tree: Tree) -> ClassWeights:
    """Weights of nodes by the class counts of the leaves below them, exactly to 2**-61 of all weight."""
    units, exponent, whole = _in_units(tree.count_weight)
    in_node, of_label = (np.empty(tree.n_nodes, dtype=np.int64) for _ in range(2))
    _core.own_label_units(
        tree.children_left,
        tree.children_right,
        tree.count_ptr.astype(np.int64, copy=False),
        tree.count_class,
        units,
        tree.label,
        tree.n_classes,
        in_node,
        of_label,
    )
    return ClassWeights(in_node, of_label, exponent, whole)


def _of_counts(tree: Tree, name: str, counts: Counts, total: int, whole: bool) -> NodeRisk:
    of_nodes = counts / float(total or 1)
    fits = int(np.abs(counts).max()) * tree.n_nodes < 1 << 62
    return NodeRisk(name, tree, of_nodes, counts if whole and fits else None, total or 1)


def _in_units(weights: Floats) -> tuple[Counts, int, bool]:
    """Weights as whole numbers of 2**-exponent, the exponent, and whether they were whole to begin with."""
    whole = _whole(weights)
    if whole is not None:
        return whole, 0, True
    # From the largest weight: the total may be beyond the floats.
    exponent = MOST_UNITS_BITS - int(np.frexp(weights.max())[1]) - len(weights).bit_length()
    return np.rint(np.ldexp(weights, exponent)).astype(np.int64), exponent, False


def _whole(numbers: Floats) -> Counts | None:
    """The numbers as whole ones, if they are: to a relative 1e-12, as class weights are multiplied in and taken out."""
    with np.errstate(over="ignore"):
        total = float(numbers.sum())
    nearest = np.rint(numbers)
    if total >= EXACT_IN_FLOATS or (np.abs(numbers - nearest) > 1e-12 * numbers).any():
        return None
    return nearest.astype(np.int64)


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
    entries = tree.count_weight
    # In units of a power of two: sums of huge weights stay finite.
    weights = np.ldexp(tree.counts, -int(np.frexp(entries.max(initial=0.0))[1]))
    costs = weights @ loss
    cheapest = costs <= costs.min(axis=1, keepdims=True) * (1 + 1e-12)
    answering = with_labels(tree, cheapest.argmax(axis=1).astype(np.int32)[tree.informed_by])
    whole = _whole(entries)
    if whole is not None and np.array_equal(np.rint(loss), loss) and whole.sum() * loss.max() < EXACT_IN_FLOATS:
        counts = (np.rint(tree.counts) @ loss)[np.arange(tree.n_nodes), answering.label].astype(np.int64)
        return _of_counts(answering, "loss", counts, int(whole.sum()), True)
    of_nodes = costs[np.arange(tree.n_nodes), answering.label] / (weights[0].sum() or 1.0)
    return NodeRisk("loss", answering, of_nodes)


def with_labels(tree: Tree, labels: npt.NDArray[np.int32]) -> Tree:
    """The tree with these labels."""
    if np.array_equal(labels, tree.label):
        return tree
    held = {name: getattr(tree, name) for name in FIELDS} | {"label": frozen(labels)}
    choices = {name: getattr(tree, name) for name in ("criterion", "unseen", "missing", "runners")}
    return Tree.grown(tree.schema, tree.task, tree.classes, held, **choices)
