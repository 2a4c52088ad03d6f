"""Which prunings carried the vote on one row: those that stop at each node on its way, and what they answer. SPEC A5.

voter       all prunings that answer from one node: those that have it as a leaf, or, at an inner node where the row has
            to stop, those that go on below as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bristlecone.subtrees.posterior import Posterior
from bristlecone.tree.boxes import boxes, words
from bristlecone.tree.conditions import Wording
from bristlecone.tree.names import percent, rows_in_words, shown_class
from bristlecone.tree.routing import paths

__all__ = ["Voter", "voters"]

BRIEF = Wording(fold=3, missing=False)


@dataclass(frozen=True, slots=True)
class Voter:
    """The prunings that answer from one node. share: of the vote; answer: its label; n_rows: its growing rows."""

    node: int
    share: float
    answer: Any
    n_rows: int
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def voters(posterior: Posterior, stop: int) -> tuple[Voter, ...]:
    """The vote on a row that stops at a node of the tree, the largest share first; the shares sum to one.

    A leaf that no row reached has no voice. Raises ValueError for a node that is none.
    """
    tree, weighing = posterior.tree, posterior.weighing
    if not 0 <= stop < tree.n_nodes:
        raise ValueError(f"node {stop} is not one of the {tree.n_nodes} nodes")
    way = paths(np.array([stop]), tree.parent, tree.depth).indices
    log = weighing.leaf[way].copy()
    log[-1] = weighing.node[stop]
    heard = tree.n_node_samples[way] > 0
    way, log = way[heard], log[heard]
    share = np.exp(log - log.max())
    share /= share.sum()
    wanted = set(way.tolist())
    said = {node: " and ".join(words(tree, box, BRIEF)) for node, box in boxes(tree) if node in wanted}
    order = np.argsort(-share, kind="stable")
    largest_first = zip(way[order].tolist(), share[order].tolist(), strict=True)
    return tuple(_voter(tree, node, part, said[node]) for node, part in largest_first)


def _voter(tree: Any, node: int, share: float, conditions: str) -> Voter:
    n_rows, where = int(tree.n_node_samples[node]), conditions or "all rows"
    answer = shown_class(tree.classes, int(tree.label[node]))
    sentence = f"{percent(share)} of the vote says {answer} at node {node}: {where} ({rows_in_words(n_rows)})."
    return Voter(node, share, tree.classes[tree.label[node]], n_rows, sentence)
