"""Points kept by the leaf that they reach, packed to bits, with counts that follow the tree.

mark        what is counted of a point: the coordinates whose fresh draw changed its answer, or its answer.
pool        points and their marks. When a leaf is split only its own points are counted again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.query.bare import BareTree, reached

__all__ = ["Pool"]

Bits = npt.NDArray[np.uint8]
MERGED = 1 << 16  # points of a leaf from which on repeated ones are merged


class Pool:
    """counts: (n_nodes, n_marks) how many points of each leaf have each mark; what stands at inner nodes is stale.

    keeps: whether points are kept, so that the counts can follow a split; a pool that does not is to be cleared.
    """

    def __init__(self, bare: BareTree, n_marks: int, *, keeps: bool) -> None:
        self.bare, self.n_marks, self.keeps = bare, n_marks, keeps
        self.clear()

    def clear(self) -> None:
        """Forget all points."""
        self.counts = np.zeros((len(self.bare), self.n_marks), dtype=np.int64)
        self._points: dict[int, list[tuple[Bits, Bits, npt.NDArray[np.int64]]]] = {}

    def add(self, X: Bits, marks: npt.NDArray[Any]) -> None:
        """Add points (m, n) with their marks (m, n_marks), 0 or 1."""
        self._make_room()
        leaf = reached(*self.bare.arrays(), X)
        order = np.argsort(leaf, kind="stable")
        present, start = np.unique(leaf[order], return_index=True)
        if len(present) == 0:
            return
        self.counts[present] += np.add.reduceat(marks[order], start, axis=0, dtype=np.int64)
        if self.keeps:
            packed, packed_marks = np.packbits(X[order], axis=1), np.packbits(marks[order], axis=1)
            bounds = [*start.tolist(), len(order)]
            for place, a, b in zip(present.tolist(), bounds[:-1], bounds[1:], strict=True):
                self._keep(place, packed[a:b], packed_marks[a:b], np.ones(b - a, dtype=np.int64))

    def follow(self, leaf: int) -> None:
        """Count again the points of a leaf that has just been split, at its children."""
        self._make_room()
        variable = self.bare.variable[leaf]
        for packed, marks, times in self._points.pop(leaf, []):
            high = (packed[:, variable // 8] >> (7 - variable % 8) & 1).astype(bool)
            for child, chosen in ((self.bare.left[leaf], ~high), (self.bare.right[leaf], high)):
                if chosen.any():
                    held = marks[chosen], times[chosen]
                    unpacked = np.unpackbits(held[0], axis=1, count=self.n_marks)
                    self.counts[child] += held[1] @ unpacked
                    self._keep(child, packed[chosen], *held)

    def _keep(self, leaf: int, packed: Bits, marks: Bits, times: npt.NDArray[np.int64]) -> None:
        parts = self._points.setdefault(leaf, [])
        parts.append((packed, marks, times))
        # Parts grow as powers of two, so that merging all of them costs a logarithm.
        while len(parts) > 1 and len(parts[-1][0]) >= max(MERGED, len(parts[-2][0])):
            parts[-2:] = [_merged(parts[-2], parts[-1])]

    def _make_room(self) -> None:
        lacking = len(self.bare) - len(self.counts)
        if lacking > 0:
            self.counts = np.vstack([self.counts, np.zeros((max(lacking, len(self.counts)), self.n_marks), np.int64)])


Part = tuple[Bits, Bits, npt.NDArray[np.int64]]


def _merged(a: Part, b: Part) -> Part:
    """Both parts, equal points with equal marks as one that stands for several."""
    packed, marks, times = (np.concatenate([x, y]) for x, y in zip(a, b, strict=True))
    rows = np.ascontiguousarray(np.hstack([packed, marks]))
    keys = rows.view(np.dtype((np.void, rows.shape[1]))).ravel()
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return packed[first], marks[first], np.bincount(place, times).astype(np.int64)
