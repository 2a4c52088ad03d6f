"""The set of levels that leaves least influence.

pairs       of levels at points that are otherwise equal and are answered differently.
remaining   influence of a parting of the levels: for each side, its pairs over its mass.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bristlecone.query.distributions import Places
from bristlecone.tree.arrays import Floats

__all__ = ["MOST_LEVELS", "best_levels"]

Mask = npt.NDArray[np.bool_]
Ends = tuple[Places, Places]
MOST_LEVELS = 10  # levels all of whose parts in two are tried
LEAST_MASS = 1e-300


def best_levels(ends: Ends, mass: Floats) -> Mask:
    """Which of k levels go left, (k,), so that least influence remains; ends: of the pairs, (n_pairs,) levels each.

    Of up to 10 levels the best set; of more one that no change of a single level makes better.
    """
    return _searched(ends, mass) if len(mass) <= MOST_LEVELS else _climbed(ends, mass)


def _searched(ends: Ends, mass: Floats) -> Mask:
    """The best of all sets that have the first level and lack another."""
    k = len(mass)
    sets = (np.arange(1 << (k - 1))[:, None] >> np.arange(k - 1) & 1).astype(bool)[:-1]
    sets = np.column_stack([np.ones(len(sets), dtype=bool), sets])
    total = np.zeros(len(sets))
    for side in (sets, ~sets):
        total += (side[:, ends[0]] & side[:, ends[1]]).sum(axis=1) / np.maximum(side @ mass, LEAST_MASS)
    return sets[int(np.argmin(total))]  # type: ignore[no-any-return]


def _climbed(ends: Ends, mass: Floats) -> Mask:
    """The best single level, and from it on the best change of one level, as long as it helps."""
    parting, least = Parting(ends, mass), np.inf
    while True:
        after = parting.after_each_change()
        level = int(np.argmin(after))
        if not after[level] < least * (1 - 1e-12):
            return parting.left
        least = float(after[level])
        parting.change(level)


class Parting:
    """Levels parted in two, at first all to the right, with what a change of any of them would do.

    left: (k,). all, same: pairs at each level, and those of them whose other level is on the same side.
    """

    def __init__(self, ends: Ends, mass: Floats) -> None:
        k, here = len(mass), np.concatenate(ends)
        order = np.argsort(here, kind="stable")
        self.mass, self.left = mass, np.zeros(k, dtype=bool)
        self.all = np.bincount(here, minlength=k)
        self.same = self.all.copy()
        self.others = np.split(np.concatenate(ends[::-1])[order], np.cumsum(self.all)[:-1])

    def after_each_change(self) -> Floats:
        """The influence that would remain if one level changed its side, (k,); infinity where that empties a side."""
        moved, counts = np.where(self.left, -1, 1), []
        for side, joins in ((self.left, ~self.left), (~self.left, self.left)):
            inside = int(self.same[side].sum()) // 2  # each pair stands at both of its levels
            counts.append(inside + np.where(joins, self.all - self.same, -self.same))
        sizes = int(self.left.sum()) + moved
        low = float(self.mass[self.left].sum()) + moved * self.mass
        high = float(self.mass[~self.left].sum()) - moved * self.mass
        remains = counts[0] / np.maximum(low, LEAST_MASS) + counts[1] / np.maximum(high, LEAST_MASS)
        return np.where((sizes > 0) & (sizes < len(sizes)), remains, np.inf)

    def change(self, level: int) -> None:
        """Move one level to the other side."""
        others = self.others[level]
        near = self.left[others] == self.left[level]
        np.add.at(self.same, others, np.where(near, -1, 1))
        self.same[level] = self.all[level] - self.same[level]
        self.left[level] = not self.left[level]
