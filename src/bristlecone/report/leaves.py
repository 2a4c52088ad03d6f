"""The rules table: a line a leaf, with what rows that were not used for growing say of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import numpy as np

from bristlecone.report.evidence import Evidence
from bristlecone.report.limits import leaf_limits
from bristlecone.tree import Tree, Wording
from bristlecone.tree.boxes import boxes, words
from bristlecone.tree.distributions import label_shares
from bristlecone.tree.names import percent, shown_class, value_format

__all__ = ["Answers", "Rule", "rules"]

MOST_RULES = 1000
MOST_CONDITIONS = 40  # of one rule, in words
FOLDED = Wording(fold=6)


@dataclass(frozen=True, slots=True)
class Rule:
    """One leaf. support: growing rows; share: of their weight; purity: of the answer among them, NaN of numbers.

    measured: rows of the evidence that came here; wrong: of them, answered wrongly; low, high: limits on that rate,
    None where there are none.
    """

    leaf: int
    conditions: str
    answer: str
    support: int
    share: float
    purity: float
    measured: int
    wrong: int
    low: float | None
    high: float | None

    @property
    def rate(self) -> float | None:
        """The share answered wrongly; None where no row came."""
        return self.wrong / self.measured if self.measured else None


class Answers:
    """What nodes answer, as text; and the share of each node's weight that has that answer (1 of numbers)."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._format = value_format(float(np.abs(tree.prediction).max()) if tree.classes is None else 0.0)
        self._names = [shown_class(tree.classes, k) for k in range(tree.n_classes)] if tree.classes is not None else []
        self.shares = label_shares(tree) if tree.classes is not None else np.ones(tree.n_nodes)

    def __getitem__(self, node: int) -> str:
        tree = self._tree
        return f"{tree.prediction[node]:{self._format}}" if tree.classes is None else self._names[tree.label[node]]

    def with_share(self, node: int) -> str:
        """The answer, of classes with its share."""
        return self[node] if self._tree.classes is None else f"{self[node]} ({percent(float(self.shares[node]))})"


def rules(tree: Tree, evidence: Evidence | None, delta: float, most: int | None = MOST_RULES) -> list[Rule]:
    """The leaves with most growing rows first, at most so many (None: all). The limits are those of all leaves."""
    answers, leaves = Answers(tree), np.flatnonzero(tree.children_left < 0)
    measured, wrong = (np.zeros(tree.n_nodes, dtype=np.int64) for _ in range(2))
    limits = None
    if evidence is not None:
        measured = np.bincount(evidence.nodes, minlength=tree.n_nodes)
        wrong = np.bincount(evidence.nodes[evidence.wrong], minlength=tree.n_nodes)
        if not evidence.unlimited:
            low, high = (np.empty(tree.n_nodes) for _ in range(2))
            low[leaves], high[leaves] = leaf_limits(wrong[leaves], measured[leaves], delta)
            limits = low, high
    by_support = leaves[np.argsort(-tree.n_node_samples[leaves], kind="stable")][:most]
    kept = set(by_support.tolist())
    said = {leaf: _in_words(words(tree, box, FOLDED), len(box)) for leaf, box in boxes(tree) if leaf in kept}
    weight = tree.weighted_n_node_samples
    total = float(weight[0]) or 1.0
    return [
        Rule(
            leaf=leaf,
            conditions=said[leaf],
            answer=answers[leaf],
            support=int(tree.n_node_samples[leaf]),
            share=float(weight[leaf]) / total,
            purity=float(answers.shares[leaf]) if tree.classes is not None else float("nan"),
            measured=int(measured[leaf]),
            wrong=int(wrong[leaf]),
            low=None if limits is None else float(limits[0][leaf]),
            high=None if limits is None else float(limits[1][leaf]),
        )
        for leaf in by_support.tolist()
    ]


def _in_words(conditions: Iterable[str], n: int) -> str:
    rest = n - MOST_CONDITIONS
    kept = list(islice(conditions, MOST_CONDITIONS))
    if n > 1:
        kept = [f"({one})" if one.endswith(" or missing") else one for one in kept]
    told = " and ".join(kept) or "all rows"
    return told + (f" and {rest:,} more conditions" if rest > 0 else "")
