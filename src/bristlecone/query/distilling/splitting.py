"""Splits of a region, and which one is best: by purity, or by influence.

purity      the drop of Gini impurity over the answers at points of the region, as `grow.cart` finds the best.
influence   pairs of points that differ in one coordinate, both values drawn from its marginal in the region. A split of
            the coordinate leaves the influence that pairs on one side still show; the best leaves least.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bristlecone.grow import cart
from bristlecone.query.distilling.level_sets import MOST_LEVELS, best_levels
from bristlecone.query.distributions import Coordinate, Places, ProductDistribution
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["Pairs", "Split", "best_cut", "purest_split"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Split:
    """column: which; left: which of all the values of its coordinate go left; threshold: left is below it, NaN for
    level sets, infinity where present is parted from missing; heuristic: not all level sets were tried.
    """

    column: int
    left: Mask
    threshold: float
    heuristic: bool = False


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of values of one coordinate, as places (k,), at points that are otherwise equal; differ: their answers
    do.
    """

    first: Places
    second: Places
    differ: Mask

    @property
    def influence(self) -> float:
        """The share of pairs whose answers differ."""
        return float(self.differ.mean()) if len(self.differ) else 0.0

    def and_also(self, other: Pairs) -> Pairs:
        """These pairs and others."""
        return Pairs(
            np.concatenate([self.first, other.first]),
            np.concatenate([self.second, other.second]),
            np.concatenate([self.differ, other.differ]),
        )


def purest_split(dist: ProductDistribution, places: Places, kinds: npt.NDArray[np.int64]) -> tuple[Split, float] | None:
    """The split of the greatest purity gain at points with these answers, and the gain; None where nothing is
    gained.
    """
    stump = cart(dist.table(places), kinds, max_depth=1)
    if stump.n_nodes == 1 or not stump.gain(0) > 0:
        return None
    column = int(stump.feature[0])
    return _split_of(stump, column, dist.coordinates[column]), stump.gain(0)


def _split_of(stump: Tree, column: int, coordinate: Coordinate) -> Split:
    """The root's split; levels that no point had go with the heavier side, so that rows do not stop there."""
    threshold = float(stump.threshold[0])
    missing_left = bool(stump.missing_go_to_left[0])
    missing = coordinate.column.is_missing(coordinate.values)
    if not coordinate.column.categorical:
        with np.errstate(invalid="ignore"):
            return Split(column, np.where(missing, missing_left, coordinate.values < threshold), threshold)
    left = np.full(len(coordinate.values), bool(stump.heavier_left[0]))
    known = dict(zip(stump.level_code.tolist(), stump.level_left.astype(bool).tolist(), strict=True))
    for place, code in enumerate(coordinate.values.tolist()):
        left[place] = known.get(code, left[place])
    left[missing] = missing_left
    return Split(column, left, math.nan, bool(stump.heuristic[0]))


def best_cut(column: int, coordinate: Coordinate, possible: Places, running: Floats, pairs: Pairs) -> Split | None:
    """The split of a coordinate that leaves least influence, given pairs of its values; None where no pair differs.

    possible, running: its values in the region and their running masses. Values that are not possible go left or right
    as their neighbours, levels right.
    """
    if len(possible) < 2 or not pairs.differ.any():
        return None
    first, second = (np.searchsorted(possible, side[pairs.differ]) for side in (pairs.first, pairs.second))
    if coordinate.column.categorical:
        return _of_levels(column, coordinate, possible, np.diff(running, prepend=0.0), (first, second))
    # a cut at t leaves the pairs with both places below t, and those with both from t on
    k = len(possible)
    below = np.cumsum(np.bincount(np.maximum(first, second), minlength=k))[:-1]
    from_on = np.cumsum(np.bincount(np.minimum(first, second), minlength=k)[::-1])[::-1][1:]
    left_mass = running[:-1]
    cut = int(np.argmin(below / left_mass + from_on / np.maximum(1.0 - left_mass, 1e-300))) + 1
    low, high = (float(coordinate.values[possible[place]]) for place in (cut - 1, cut))
    left = np.arange(len(coordinate.values)) < possible[cut]
    if math.isnan(high):  # missing is the last value
        return Split(column, left, math.inf)
    middle = low / 2 + high / 2
    return Split(column, left, middle if middle > low else high)


def _of_levels(
    column: int, coordinate: Coordinate, possible: Places, mass: Floats, ends: tuple[Places, Places]
) -> Split:
    left = np.zeros(len(coordinate.values), dtype=bool)
    left[possible[best_levels(ends, mass)]] = True
    return Split(column, left, math.nan, len(possible) > MOST_LEVELS)
