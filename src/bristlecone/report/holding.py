"""What a tree claims about its leaves, held against rows that it has not seen.

claim       of a leaf: the share of its growing rows that its answer gets wrong. It holds where it lies within the
            limits that the new rows give, for all leaves together.
shift       of a leaf: that new rows come to it more, or less, often than growing rows did (Fisher's exact test, at its
            part of delta).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from bristlecone.report.evidence import Evidence
from bristlecone.report.leaves import Rule
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Ints

__all__ = ["Held", "differing_shares", "hold", "shifts"]


@dataclass(frozen=True, slots=True)
class Held:
    """One leaf: its rule, the claim (NaN of numbers), whether that lies outside the limits, and whether rows shifted.

    came: the share of the new rows that came here.
    """

    rule: Rule
    claimed: float
    fails: bool
    came: float
    shifted: bool

    @property
    def says(self) -> str:
        """What is wrong with the leaf, in words; "" where nothing is."""
        told = []
        if self.fails:
            told.append("worse than claimed" if (self.rule.low or 0.0) > self.claimed else "better than claimed")
        if self.shifted:
            told.append("more rows than it was grown from" if self.came > self.rule.share else "fewer rows")
        return ", ".join(told)


def hold(tree: Tree, evidence: Evidence, found: list[Rule], delta: float) -> list[Held]:
    """Every rule with what new rows say of its claim; claims of classes only, and only where there are limits."""
    shifted = shifts(tree, np.bincount(evidence.nodes, minlength=tree.n_nodes), delta)
    held = []
    for rule in found:
        claimed = 1.0 - rule.purity
        fails = rule.low is not None and rule.high is not None and not rule.low <= claimed <= rule.high
        held.append(
            Held(rule, claimed, fails and rule.measured > 0, rule.measured / evidence.n, bool(shifted[rule.leaf]))
        )
    return held


def shifts(tree: Tree, came: Ints, delta: float) -> np.ndarray:
    """Whether each node is a leaf to which rows come more or less often than in growth, (n_nodes,).

    came: (n_nodes,) rows of new data that stop at each node.
    """
    leaves = np.flatnonzero(tree.children_left < 0)
    marked = np.zeros(tree.n_nodes, dtype=bool)
    n_grown, n_new = int(tree.n_node_samples[0]), int(came.sum())
    marked[leaves] = differing_shares(tree.n_node_samples[leaves], came[leaves], n_grown, n_new, delta)
    return marked


def differing_shares(before: Ints, after: Ints, n_before: int, n_after: int, delta: float) -> np.ndarray:
    """Whether each place has another share of one sample than of the other, (n_places,).

    before, after: how many of n_before and of n_after rows are at each place. Fisher's exact test, each at
    delta / n_places: with probability at least 1 - delta none is marked where both samples are of one kind.
    """
    different, where = np.unique(
        np.stack([before, after], axis=1), axis=0, return_inverse=True
    )  # many leaves are alike
    tables = [[[old, n_before - old], [new, n_after - new]] for old, new in different.tolist()]
    marked = np.array([stats.fisher_exact(table).pvalue < delta / len(before) for table in tables], dtype=bool)
    of_places: np.ndarray = marked[where.reshape(-1)]
    return of_places
