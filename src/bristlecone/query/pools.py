"""Points kept by the leaf that they reach, packed to bits, with counts that follow the tree.

mark        what is counted of a point: the coordinates whose fresh draw changed its answer, or its answer.
pool        points and their marks. When a leaf is split only its own points are counted again.
part        packed points of one leaf (cpp/query/marks.hpp), and how many points each stands for; none given: one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.query.bare import BareTree

__all__ = ["Part", "Pool"]

Bits = npt.NDArray[np.uint8]
Times = npt.NDArray[np.uint32]
MERGED = 1 << 16  # points of a leaf from which on repeated ones are merged
TRIED = 1 << 12  # of them are looked at first, whether they repeat at all
FEWEST_REPEATED = TRIED // 50  # of those tried: less would save little
SINGLE = np.empty(0, dtype=np.uint32)


class Part(NamedTuple):
    """packed: (m, n_bytes) points and marks. times: (m,), or empty where each is one point."""

    packed: Bits
    times: Times

    def where(self, chosen: npt.NDArray[np.bool_]) -> Part:
        """Some of the points."""
        return Part(self.packed[chosen], self.times[chosen] if len(self.times) else SINGLE)

    def and_also(self, other: Part) -> Part:
        """These points and others; many that repeat are merged."""
        packed = np.concatenate([self.packed, other.packed])
        times = SINGLE
        if len(self.times) or len(other.times):
            times = np.concatenate([part.times if len(part.times) else _ones(part) for part in (self, other)])
        joined = Part(packed, times)
        return joined.merged() if len(packed) >= MERGED else joined

    def merged(self) -> Part:
        """Equal points as one, if a look at some of them says that it is worth it."""
        tried = _keys(self.packed[:: max(1, len(self.packed) // TRIED)])
        if len(tried) - len(np.unique(tried)) < FEWEST_REPEATED:
            return self
        times = self.times if len(self.times) else _ones(self)
        _, first, place = np.unique(_keys(self.packed), return_index=True, return_inverse=True)
        return Part(self.packed[first], np.bincount(place, times).astype(np.uint32))


class Pool:
    """counts: (n_nodes, n_marks) how many points of each leaf have each mark; what stands at inner nodes is stale.

    keeps: whether points are kept, so that the counts can follow a split; a pool that does not is to be cleared. Kept
    are those that have a mark: n / 8 and n_marks / 8 whole bytes each; with 4 more, one for many that are equal.
    """

    def __init__(self, bare: BareTree, n_marks: int, *, keeps: bool) -> None:
        self.bare, self.n_marks, self.keeps = bare, n_marks, keeps
        self.clear()

    def clear(self) -> None:
        """Forget all points."""
        self.counts = np.zeros((len(self.bare), self.n_marks), dtype=np.int64)
        self._parts: dict[int, list[Part]] = {}

    def add(self, X: Bits, marks: Bits) -> None:
        """Add points (m, n) with their marks (m, n_marks), 0 or 1."""
        self._make_room()
        leaf, start, packed = _core.marks_by_leaf(*self.bare.arrays(), X, marks, self.keeps, self.counts)
        for k, place in enumerate(leaf.tolist()):
            self._keep(place, Part(packed[start[k] : start[k + 1]].copy(), SINGLE))

    def follow(self, leaf: int) -> None:
        """Count again the points of a leaf that has just been split, at its children."""
        self._make_room()
        children = self.bare.left[leaf], self.bare.right[leaf]
        for part in self._parts.pop(leaf, []):
            high, counts = _core.sides_of_marks(*part, self.bare.n, self.n_marks, self.bare.variable[leaf])
            self.counts[list(children)] += counts
            for side, child in enumerate(children):
                if (high == side).any():
                    self._keep(child, part.where(high == side))

    def _keep(self, leaf: int, part: Part) -> None:
        parts = self._parts.setdefault(leaf, [])
        parts.append(part)
        # Parts grow as powers of two, so that joining all of them costs a logarithm.
        while len(parts) > 1 and len(parts[-1].packed) >= len(parts[-2].packed):
            parts[-2:] = [parts[-2].and_also(parts[-1])]

    def _make_room(self) -> None:
        lacking = len(self.bare) - len(self.counts)
        if lacking > 0:
            self.counts = np.vstack([self.counts, np.zeros((max(lacking, len(self.counts)), self.n_marks), np.int64)])


def _ones(part: Part) -> Times:
    return np.ones(len(part.packed), dtype=np.uint32)


def _keys(packed: Bits) -> npt.NDArray[np.generic]:
    """A number for each packed point, or its bytes where they are too many for one."""
    n_bytes = packed.shape[1]
    if n_bytes > 8:
        return np.ascontiguousarray(packed).view(np.dtype((np.void, n_bytes))).ravel()
    wide = np.zeros((len(packed), 8), dtype=np.uint8)
    wide[:, :n_bytes] = packed
    return wide.view(np.uint64).ravel()
