"""The coordinate of most influence in each of some regions, looked for in all of them at once.

round       of looking: each coordinate that is still open gets the same number of pairs; the better quarter stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.query.distilling.spaces import Region, Sample
from bristlecone.query.distilling.splitting import Pairs, Split, best_cut
from bristlecone.query.distributions import Places, ProductDistribution

__all__ = ["Asker", "Place", "most_influential"]

Kinds = npt.NDArray[np.int64]
ROUNDS = 3
CELLS = 1 << 22  # of the points that are asked about at a time


class Asker:
    """The model, asked at places; answers to rows of the table are kept."""

    def __init__(self, kinds: Callable[[Any], Kinds], points: Callable[[Places], Any], base: Places) -> None:
        self._kinds, self._points, self._base = kinds, points, base
        self._of_rows = np.full(len(base), -1, dtype=np.int64)

    def __call__(self, places: Places) -> Kinds:
        """The kinds of answer at places (m, n)."""
        return self._kinds(self._points(places)) if len(places) else np.empty(0, dtype=np.int64)

    def of(self, samples: Sequence[Sample]) -> list[Kinds]:
        """The kinds of answer to each of some samples, asked at once."""
        rows = np.unique(np.concatenate([sample.rows for sample in samples]))
        lacking = rows[self._of_rows[rows] < 0]
        near = [sample.places[len(sample.rows) :] for sample in samples]
        found = self(np.concatenate([self._base[lacking], *near]))
        self._of_rows[lacking] = found[: len(lacking)]
        parts = np.split(found[len(lacking) :], np.cumsum([len(places) for places in near])[:-1])
        return [np.concatenate([self._of_rows[s.rows], part]) for s, part in zip(samples, parts, strict=True)]


@dataclass(frozen=True, eq=False)
class Place:
    """A region with a sample of it, and the answers there."""

    region: Region
    sample: Sample
    kinds: Kinds


def most_influential(
    places: Sequence[Place], dist: ProductDistribution, ask: Asker, m: int, generator: np.random.Generator
) -> list[tuple[Split, float] | None]:
    """For each place the split of its most influential coordinate that leaves least influence, and the coordinate's;
    None where nothing changes an answer. About m pairs are asked about at each place.
    """
    searches = [Search(place, dist) for place in places]
    for _ in range(ROUNDS):
        searching = [search for search in searches if search.open]
        if not searching:
            break
        drawn = [search.redrawn(m, generator) for search in searching]
        for search, one, found in zip(searching, drawn, _answers(drawn, ask), strict=True):
            search.take(one, found)
    return [search.best() for search in searches]


@dataclass(frozen=True, eq=False)
class Drawn:
    """Points of a sample (m, n) with one of some columns drawn afresh: rows of the sample, and the column's values
    before and after, (n_columns, share).
    """

    sample: Places
    columns: npt.NDArray[np.int64]
    rows: Places
    before: Places
    fresh: Places

    @cached_property
    def moved(self) -> npt.NDArray[np.int64]:
        """Which of the draws, counted along the columns, are other values: what is asked about."""
        return np.flatnonzero(self.fresh != self.before)

    def points(self, start: int, stop: int) -> Places:
        """Some of the points that are asked about."""
        of = self.moved[start:stop]
        points: Places = self.sample[self.rows.ravel()[of]]
        points[np.arange(len(of)), self.columns[of // self.rows.shape[1]]] = self.fresh.ravel()[of]
        return points


def _answers(drawn: Sequence[Drawn], ask: Asker) -> list[Kinds]:
    """The answers to the points of each, asked about in bundles: as many as memory should hold at a time."""
    step = max(1, CELLS // drawn[0].sample.shape[1])
    bundle, size, found = [], 0, []
    for one in drawn:
        for start in range(0, len(one.moved), step):
            bundle.append(one.points(start, start + step))
            size += len(bundle[-1])
            if size >= step:
                found.append(ask(np.concatenate(bundle)))
                bundle, size = [], 0
    found.append(ask(np.concatenate([*bundle, drawn[0].points(0, 0)])))
    return np.split(np.concatenate(found), np.cumsum([len(one.moved) for one in drawn])[:-1])


@dataclass(eq=False)
class Search:
    """The search in one region. open: coordinates in question; pairs: by coordinate, what was seen."""

    place: Place
    dist: ProductDistribution
    open: list[int] = field(init=False)
    pairs: dict[int, Pairs] = field(init=False)

    def __post_init__(self) -> None:
        none = np.empty(0, dtype=np.int64)
        self.open = [i for i in range(self.dist.n) if len(self.place.region.marginal(self.dist, i)[0]) > 1]
        self.pairs = {i: Pairs(none, none, none.astype(bool)) for i in self.open}

    def redrawn(self, m: int, generator: np.random.Generator) -> Drawn:
        """Points that differ from the sample in one open coordinate, to be asked about."""
        sample, share = self.place.sample.places, max(4, m // (ROUNDS * len(self.open)))
        rows = generator.integers(len(sample), size=(len(self.open), share))
        fresh = np.array([self.place.region.redraw(self.dist, i, share, generator) for i in self.open])
        columns = np.array(self.open)
        return Drawn(sample, columns, rows, sample[rows, columns[:, None]], fresh)

    def take(self, drawn: Drawn, answers: Kinds) -> None:
        """Count what those points were answered, and keep the better quarter open."""
        differ = np.zeros(drawn.rows.shape, dtype=bool)
        differ.ravel()[drawn.moved] = answers != self.place.kinds[drawn.rows.ravel()[drawn.moved]]
        for i, before, fresh, found in zip(self.open, drawn.before, drawn.fresh, differ, strict=True):
            self.pairs[i] = self.pairs[i].and_also(Pairs(before, fresh, found))
        self.open.sort(key=lambda i: (-self.pairs[i].influence, i))
        self.open = self.open[: max(1, len(self.open) // 4)]

    def best(self) -> tuple[Split, float] | None:
        """The best split of the coordinate that is left, and its influence."""
        if not self.open:
            return None
        column = self.open[0]
        possible, running = self.place.region.marginal(self.dist, column)
        split = best_cut(column, self.dist.coordinates[column], possible, running, self.pairs[column])
        return None if split is None else (split, self.pairs[column].influence)
