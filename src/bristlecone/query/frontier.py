"""Which leaf is split next: the one of the highest score, ties to the one made first.

tie         scores within a relative 1e-12 of the highest: equal scores that were summed in another order.
"""

from __future__ import annotations

import heapq

__all__ = ["TIE", "Frontier"]

TIE = 1e-12


class Frontier:
    """Leaves by score."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int]] = []
        self._tied: list[int] = []
        self._high = 0.0

    def __bool__(self) -> bool:
        return bool(self._heap or self._tied)

    def push(self, leaf: int, score: float) -> None:
        """Add a leaf; one of score 0 is never split and not kept."""
        if score > 0:
            heapq.heappush(self._heap, (-score, leaf))

    def pop(self) -> int:
        """Take out the leaf that is split next."""
        if self._heap and (not self._tied or -self._heap[0][0] > self._high * (1 + TIE)):
            for leaf in self._tied:
                heapq.heappush(self._heap, (-self._high, leaf))
            self._tied, self._high = [], -self._heap[0][0]
        while self._heap and -self._heap[0][0] >= self._high * (1 - TIE):
            heapq.heappush(self._tied, heapq.heappop(self._heap)[1])
        return heapq.heappop(self._tied)

    def within(self, factor: float) -> list[int]:
        """The leaves whose score is at least the highest over `factor`, in the order in which they were made."""
        scores = [(leaf, -negative) for negative, leaf in self._heap] + [(leaf, self._high) for leaf in self._tied]
        least = max(score for _, score in scores) / factor * (1 - TIE)
        return sorted(leaf for leaf, score in scores if score >= least)

    def remove(self, leaf: int) -> None:
        """Take out a leaf that `within` named."""
        self._tied = [other for other in self._tied if other != leaf]
        self._heap = [entry for entry in self._heap if entry[1] != leaf]
        heapq.heapify(self._heap)
