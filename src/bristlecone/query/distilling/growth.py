"""Best-first growth of a tree from answers that are asked for at each leaf.

score       of a leaf: its share of the space times what its best split gains (purity), or times the largest influence
            of a coordinate there. Growth by influence is the greedy heuristic of SPEC part C carried over to thresholds
            and level sets, for which its theorem is not proved.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.query.distilling.spaces import Region, Sample, Space
from bristlecone.query.distilling.splitting import Pairs, Split, best_cut, purest_split
from bristlecone.query.distributions import Places
from bristlecone.query.oracle import BudgetSpentError

__all__ = ["Asker", "Grower", "Grown", "Node"]

Kinds = npt.NDArray[np.int64]
ROUNDS = 3  # of looking for the coordinate of most influence; each keeps the better quarter


class Asker:
    """The model, asked at places; answers to rows of the table are kept."""

    def __init__(self, kinds: Callable[[Any], Kinds], points: Callable[[Places], Any], base: Places) -> None:
        self._kinds, self._points, self._base = kinds, points, base
        self._of_rows = np.full(len(base), -1, dtype=np.int64)

    def __call__(self, places: Places) -> Kinds:
        """The kinds of answer at places (m, n)."""
        return self._kinds(self._points(places)) if len(places) else np.empty(0, dtype=np.int64)

    def of(self, sample: Sample) -> Kinds:
        """The kinds of answer to a sample."""
        lacking = sample.rows[self._of_rows[sample.rows] < 0]
        if len(lacking):
            self._of_rows[lacking] = self(self._base[lacking])
        return np.concatenate([self._of_rows[sample.rows], self(sample.places[len(sample.rows) :])])


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
        """Split the leaf of the highest score, the earliest where scores are equal, until there are enough."""
        stopped = ""
        try:
            self._add(self.space.root())
            while self.waiting and len(self.nodes) < 2 * max_leaves - 1:
                self._split()
        except BudgetSpentError as spent:
            if not self.nodes:
                raise ValueError(f"the model was never asked: {spent.reason}") from None
            stopped = spent.reason
        return Grown(self.nodes, self.space.name, self.growth, stopped)

    def _split(self) -> None:
        _, place, split = heapq.heappop(self.waiting)
        node, n_nodes = self.nodes[place], len(self.nodes)
        try:
            for left in (True, False):
                self._add(node.region.without(split, self.space.base, left))
        except BudgetSpentError:
            del self.nodes[n_nodes:]  # half a split is none
            raise
        node.split, node.children = split, (n_nodes, n_nodes + 1)

    def _add(self, region: Region) -> int:
        place, sample = len(self.nodes), self.space.draw(region, self.m, self.generator)
        kinds = self.ask.of(sample)
        mass = self.space.mass(region)
        self.nodes.append(Node(region, mass, np.bincount(kinds)))
        if len(kinds) and (kinds != kinds[0]).any():
            found = self._best(region, sample, kinds)
            if found is not None:
                split, score = found
                heapq.heappush(self.waiting, (-mass * score, place, split))
        return place

    def _best(self, region: Region, sample: Sample, kinds: Kinds) -> tuple[Split, float] | None:
        if self.growth == "gain":
            return purest_split(self.space.dist, sample.places, kinds)
        return self._most_influential(region, sample, kinds)

    def _most_influential(self, region: Region, sample: Sample, kinds: Kinds) -> tuple[Split, float] | None:
        dist = self.space.dist
        open_ = [i for i in range(dist.n) if len(region.marginal(dist, i)[0]) > 1]
        none = np.empty(0, dtype=np.int64)
        pairs = {i: Pairs(none, none, none.astype(bool)) for i in open_}
        for _ in range(ROUNDS):
            if not open_:
                return None
            share = max(4, self.m // (ROUNDS * len(open_)))
            for i, more in zip(open_, self._pairs(region, sample, kinds, open_, share), strict=True):
                pairs[i] = pairs[i].and_also(more)
            open_.sort(key=lambda i: (-pairs[i].influence, i))
            open_ = open_[: max(1, len(open_) // 4)]
        column = open_[0]
        split = best_cut(column, dist.coordinates[column], *region.marginal(dist, column), pairs[column])
        return None if split is None else (split, pairs[column].influence)

    def _pairs(self, region: Region, sample: Sample, kinds: Kinds, columns: list[int], share: int) -> list[Pairs]:
        """For each of some columns, so many points of the sample with that column drawn afresh, all asked at once."""
        dist = self.space.dist
        taken = self.generator.integers(len(kinds), size=(len(columns), share))
        changed = sample.places[taken.ravel()]
        fresh = np.array([region.redraw(dist, i, share, self.generator) for i in columns])
        before = np.array([sample.places[rows, i] for i, rows in zip(columns, taken, strict=True)])
        changed[np.arange(len(changed)), np.repeat(columns, share)] = fresh.ravel()
        moved = (fresh != before).ravel()
        differ = np.zeros(len(changed), dtype=bool)
        differ[moved] = self.ask(changed[moved]) != kinds[taken.ravel()[moved]]
        return [Pairs(b, f, d) for b, f, d in zip(before, fresh, differ.reshape(before.shape), strict=True)]
