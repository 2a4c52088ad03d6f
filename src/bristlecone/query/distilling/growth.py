"""Best-first growth of a tree from answers that are asked for at each leaf.

score       of a leaf: its share of the space times what its best split gains (purity), or times the largest influence
            of a coordinate there. Growth by influence is the greedy heuristic of SPEC part C carried over to thresholds
            and level sets, for which its theorem is not proved.
group       leaves that are split at once, the best eighth of those that wait: one question about the children of all of
            them, as models answer many points at a time much faster than few.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bristlecone.query.distilling.searching import Asker, Place, most_influential
from bristlecone.query.distilling.spaces import Region, Space
from bristlecone.query.distilling.splitting import Split, purest_split
from bristlecone.query.oracle import BudgetSpentError

__all__ = ["Grower", "Grown", "Node"]

Kinds = npt.NDArray[np.int64]
GROUP = 8  # one in so many waiting leaves is split at once
MOST_ASKED = 1 << 15  # points about which a group's children are asked at once


@dataclass
class Node:
    """A node: its region and mass, the answers counted there, and its split and children once it has them."""

    region: Region
    mass: float
    counts: Kinds
    split: Split | None = None
    children: tuple[int, int] = (-1, -1)


@dataclass(frozen=True, eq=False)
class Grown:
    """Nodes, the root first, children after parents. stopped: the reason if a budget ended growth, else ""."""

    nodes: list[Node]
    space: str
    growth: str
    stopped: str


class Grower:
    """Grows one tree. m: points that are asked about at each leaf; growth: "gain" or "influence"."""

    def __init__(self, space: Space, ask: Asker, growth: str, m: int, generator: np.random.Generator) -> None:
        self.space, self.ask, self.growth, self.m, self.generator = space, ask, growth, m, generator
        self.nodes: list[Node] = []
        self.waiting: list[tuple[float, int, Split]] = []

    def grow(self, max_leaves: int) -> Grown:
        """Split the leaves of the highest scores, the earliest where scores are equal, until there are enough.

        Called again with more, it goes on from there. Raises BudgetSpentError where nothing can be asked at all.
        """
        stopped = ""
        try:
            if not self.nodes:
                self._add([self.space.root()])
            while self.waiting and len(self.nodes) < 2 * max_leaves - 1:
                self._split_group(max_leaves - (len(self.nodes) + 1) // 2)
        except BudgetSpentError as spent:
            if not self.nodes:
                raise
            stopped = spent.reason
        return Grown(self.nodes, self.space.name, self.growth, stopped)

    def _split_group(self, most: int) -> None:
        """Split a group of at most so many leaves; only the best one where the budget does not reach for all."""
        size = max(1, min(len(self.waiting) // GROUP, most, MOST_ASKED // (2 * self.m)))
        group = [heapq.heappop(self.waiting) for _ in range(size)]
        try:
            self._split(group)
        except BudgetSpentError:
            if size == 1:
                raise
            for left_out in group[1:]:
                heapq.heappush(self.waiting, left_out)
            self._split(group[:1])

    def _split(self, group: Sequence[tuple[float, int, Split]]) -> None:
        n_nodes = len(self.nodes)
        parts = [(self.nodes[place].region, split) for _, place, split in group]
        try:
            self._add(
                [region.without(split, self.space.base, left) for region, split in parts for left in (True, False)]
            )
        except BudgetSpentError:
            del self.nodes[n_nodes:]  # half a split is none
            raise
        for k, (_, place, split) in enumerate(group):
            self.nodes[place].split = split
            self.nodes[place].children = (n_nodes + 2 * k, n_nodes + 2 * k + 1)

    def _add(self, regions: Sequence[Region]) -> None:
        """Ask about some regions, make them nodes, and look for their best splits."""
        first, samples = len(self.nodes), [self.space.draw(region, self.m, self.generator) for region in regions]
        answers = self.ask.of(samples)
        self.nodes += [
            Node(region, self.space.mass(region), np.bincount(kinds))
            for region, kinds in zip(regions, answers, strict=True)
        ]
        mixed = [k for k, kinds in enumerate(answers) if len(kinds) and (kinds != kinds[0]).any()]
        best = self._best([Place(regions[k], samples[k], answers[k]) for k in mixed])
        for k, found in zip(mixed, best, strict=True):
            if found is not None:
                split, score = found
                heapq.heappush(self.waiting, (-self.nodes[first + k].mass * score, first + k, split))

    def _best(self, places: Sequence[Place]) -> list[tuple[Split, float] | None]:
        """The best split of each region, and what it gains."""
        if self.growth == "gain":
            return [purest_split(self.space.dist, place.sample.places, place.kinds) for place in places]
        return most_influential(places, self.space.dist, self.ask, self.m, self.generator)
