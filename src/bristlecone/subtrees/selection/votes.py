"""What the votes of folds' own trees lose on the rows held out from them, at a whole grid of strengths in one pass."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.ballot import Ballot
from bristlecone.subtrees.evidence import evidence_of
from bristlecone.subtrees.fold import fold
from bristlecone.subtrees.folds import Fold, Rows
from bristlecone.subtrees.helmbold_schapire import helmbold_schapire_posterior, labels_of, node_values
from bristlecone.subtrees.losses import ClassLoss
from bristlecone.subtrees.pac_bayes import pac_bayes_potentials
from bristlecone.subtrees.risks import with_labels
from bristlecone.subtrees.selection.growth import FoldFit, Growth, loss_and_rows
from bristlecone.subtrees.selection.judging import in_threads
from bristlecone.subtrees.selection.search import PAPER, Axis, Protocol, Searched, search
from bristlecone.subtrees.simplify import simplify
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints

__all__ = ["LabelsAt", "helmbold_schapire_labels", "pac_bayes_labels", "select_strengths", "vote_tree"]

Labels = npt.NDArray[np.int32]
LabelsAt = Callable[[Tree, Mapping[str, Floats]], Labels]


def pac_bayes_labels(tree: Tree, strengths: Mapping[str, Floats]) -> Labels:
    """The practical vote at every node where a row may stop, (n_nodes, n_strengths); strengths: (n_strengths,) each.

    A leaf without growing rows has no voice (SPEC A5).
    """
    potentials, _ = pac_bayes_potentials(tree, **strengths, seen=evidence_of(tree))
    weighing = fold(tree, potentials.leaf, potentials.inner, semiring="logaddexp")
    return Ballot.of(tree, weighing, tree.n_node_samples == 0).labels()


def helmbold_schapire_labels(tree: Tree, strengths: Mapping[str, Floats], empty: str = "zero") -> Labels:
    """The same of Helmbold and Schapire's vote, by `beta`."""
    value = node_values(tree, empty)
    posteriors = (helmbold_schapire_posterior(tree, beta=float(beta), empty=empty) for beta in strengths["beta"])
    return np.column_stack([labels_of(posterior, value) for posterior in posteriors])


def vote_tree(tree: Tree, labels: Labels) -> Tree:
    """The vote as one ordinary tree: the tree with these labels, without questions that change no answer. SPEC A7."""
    return simplify(with_labels(tree, labels))


@dataclass(frozen=True, slots=True)
class _HeldOut:
    """Held-out rows of one fold by the node where they stop and by class: what each class weighs there."""

    tree: Tree
    node: Ints
    label: Ints
    weight: Floats

    @classmethod
    def of(cls, fit: FoldFit, loss: ClassLoss) -> _HeldOut:
        weights = fit.weights if loss.factor is None else fit.weights * loss.factor[fit.rows]
        k = fit.tree.n_classes
        entry, of_row = np.unique(fit.stops * k + loss.codes[fit.rows], return_inverse=True)
        return cls(fit.tree, entry // k, entry % k, np.bincount(of_row, weights, len(entry)).astype(np.float64))

    def wrong(self, labels: Labels) -> Floats:
        """The weight that labels of nodes, (n_nodes, n_strengths), get wrong, (n_strengths,)."""
        errors: Floats = self.weight @ (labels[self.node] != self.label[:, None])
        return errors


def select_strengths(
    growth: Growth,
    labels_at: LabelsAt,
    rounds_of: Callable[[Rows], Sequence[Sequence[Fold]]],
    start: Mapping[str, float],
    axes: Sequence[Axis],
    *,
    protocol: Protocol = PAPER,
    n_threads: int = 1,
) -> Searched:
    """The strengths at which the votes of the folds' trees err least on the rows held out from them. SPEC A9.

    Each fold grows its own tree once. start: strengths by name; axes: those that are searched, in this order. Where
    there is nothing to hold out (a single row), the start is chosen. Raises ValueError for a loss matrix.
    """
    loss, rows = loss_and_rows(growth)
    if not isinstance(loss, ClassLoss) or loss.matrix is not None:
        raise ValueError("a vote counts errors, each for one; a loss matrix or a numeric target has no vote")
    folds = [fold for folds in rounds_of(rows) for fold in folds] if axes else []
    if not folds:
        return search(lambda _: np.empty(0), start, ())
    fits = in_threads(n_threads, lambda fold: _HeldOut.of(FoldFit.of(growth, fold), loss), folds)
    total = sum(float(fit.weight.sum()) for fit in fits)

    def risk_of(strengths: Mapping[str, Floats]) -> Floats:
        wrong = in_threads(n_threads, lambda fit: fit.wrong(labels_at(fit.tree, strengths)), fits)
        risk: Floats = np.sum(wrong, axis=0) / (total or 1.0)
        return risk

    return dataclasses.replace(search(risk_of, start, axes, protocol), n_folds=len(folds))
