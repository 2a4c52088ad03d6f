"""Where a model is asked: the product of the columns' marginals, or near the rows of a table.

region      what the conditions above a node leave of the space: by column, which of its values are still possible.
product     every coordinate is drawn on its own, from its marginal within the region. The space of the theory.
rows        a row of the table that lies in the region, with one coordinate drawn afresh within it. Keeps what columns
            have to do with each other, and asks about little that never happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bristlecone.query.distilling.splitting import Split
from bristlecone.query.distributions import Places, ProductDistribution
from bristlecone.tree.arrays import Floats

__all__ = ["ProductSpace", "Region", "RowSpace", "Sample", "Space"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Region:
    """possible: by column, which values are left; columns that are not named are whole. rows: those that lie in it."""

    possible: dict[int, Mask]
    rows: npt.NDArray[np.int64]

    def marginal(self, dist: ProductDistribution, i: int) -> tuple[Places, Floats]:
        """The values of coordinate i that are possible here, and their running masses; not kept, as there are many."""
        coordinate = dist.coordinates[i]
        if i not in self.possible:
            return coordinate.places, coordinate.running
        places = np.flatnonzero(self.possible[i])
        running = np.cumsum(coordinate.masses[places])
        return places, running / running[-1]

    def redraw(self, dist: ProductDistribution, i: int, m: int, generator: np.random.Generator) -> Places:
        """m values of coordinate i, from its marginal within the region."""
        places, running = self.marginal(dist, i)
        return places[np.searchsorted(running, generator.random(m), side="right")]

    def without(self, split: Split, base: Places, left: bool) -> Region:
        """The part of the region on one side of a split of it."""
        side = split.left if left else ~split.left
        possible = self.possible | {split.column: self.possible.get(split.column, np.True_) & side}
        return Region(possible, self.rows[side[base[self.rows, split.column]]])


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of a region, (m, n) places; the first of them are `rows` of the table as they are."""

    places: Places
    rows: npt.NDArray[np.int64]


class Space(Protocol):
    """A space that can be asked, region by region."""

    name: str
    dist: ProductDistribution
    base: Places

    def root(self) -> Region:
        """The whole space."""

    def mass(self, region: Region) -> float:
        """The share of the space that a region is."""

    def draw(self, region: Region, m: int, generator: np.random.Generator) -> Sample:
        """At least m points of a region; none where nothing of the space lies in it."""


class ProductSpace:
    """The product of the marginals."""

    name = "product"

    def __init__(self, dist: ProductDistribution) -> None:
        self.dist, self.base = dist, np.empty((0, dist.n), dtype=np.int64)

    def root(self) -> Region:
        return Region({}, np.empty(0, dtype=np.int64))

    def mass(self, region: Region) -> float:
        total = 1.0
        for i, mask in region.possible.items():
            total *= float(self.dist.coordinates[i].masses[mask].sum())
        return total

    def draw(self, region: Region, m: int, generator: np.random.Generator) -> Sample:
        columns = [region.redraw(self.dist, i, m, generator) for i in range(self.dist.n)]
        return Sample(np.column_stack(columns), np.empty(0, dtype=np.int64))


class RowSpace:
    """The rows of a table, given as places, and what lies around them."""

    name = "rows"

    def __init__(self, dist: ProductDistribution, base: Places) -> None:
        self.dist, self.base = dist, base

    def root(self) -> Region:
        return Region({}, np.arange(len(self.base)))

    def mass(self, region: Region) -> float:
        return len(region.rows) / len(self.base)

    def draw(self, region: Region, m: int, generator: np.random.Generator) -> Sample:
        rows = region.rows
        lacking = m - len(rows)
        if len(rows) == 0 or lacking <= 0:
            return Sample(self.base[rows], rows)
        near = self.base[generator.choice(rows, lacking)]
        column = generator.integers(self.dist.n, size=lacking)
        for i in np.unique(column).tolist():
            here = column == i
            near[here, i] = region.redraw(self.dist, i, int(here.sum()), generator)
        return Sample(np.vstack([self.base[rows], near]), rows)
