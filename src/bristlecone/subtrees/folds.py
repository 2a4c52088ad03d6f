"""Folds of cross-validation: the rows that a tree is grown on, and the rows it is then judged by.

fold       a division of rows into some to grow on and some held out.
deal       folds of equal share, made so that every row is held out once.
copies     rows of equal cells and equal target; a whole weight is so many copies. A deal keeps them in one fold, so
           that no row is judged by a copy of itself. But where equal cells come with different targets, rows are no
           copies: chance is at work, and they are dealt one by one, a whole weight as so many rows. The same goes for
           all rows where these outnumber the combinations of values that the columns have: rows must then agree, and
           a fold without any row of a combination could say nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.content import Contents, seeded, value_marks
from bristlecone.subtrees.marks import numbered
from bristlecone.table import Table

__all__ = ["Fold", "Rows", "are_counts", "folds_by_content", "folds_by_group", "folds_by_time", "given_folds", "rounds"]

Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]
Marks = npt.NDArray[np.uint64]

ABSENT = -1  # the fold of rows without weight
EXACT = 2.0**53  # whole weights in all, up to which they are counted one by one


@dataclass(frozen=True, slots=True)
class Fold:
    """held_out: the places of the rows to judge by, all of positive weight; held: (len(held_out),), how much of each
    row's weight is held out. times: (n_rows,), how often each row is grown on; None: all that is not held out."""

    held_out: npt.NDArray[np.intp]
    held: Floats
    times: npt.NDArray[Any] | None = None

    def grown_on(self, weights: Floats) -> Floats:
        """The weights of the rows to grow on, (n_rows,). weights: those of all rows."""
        if self.times is not None:
            drawn: Floats = weights * self.times
            return drawn
        rest = weights.copy()
        rest[self.held_out] -= self.held
        return rest


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows to be dealt. target: (n_rows,), class codes or numbers; strata: (n_rows,) classes, or zeros where there are
    none; weights: (n_rows,), zero is absent."""

    table: Table
    target: npt.NDArray[Any]
    strata: Ints
    weights: Floats


def rounds(
    cv: Any,
    rows: Rows,
    *,
    groups: Any = None,
    time: Any = None,
    repeats: int = 1,
    seed: int = 0,
    given: tuple[Any, Any] | None = None,
) -> list[list[Fold]]:
    """The folds of every repetition of a cross-validation.

    cv: a number of folds, or what `given_folds` takes (`given`: the X and y that a splitter is shown). A number of
    folds deals by content; with fewer rows to deal it holds them out one by one, and of a single row there is no fold.
    With `groups` it keeps groups together, with `time` it goes forward in time. repeats: deals with
    seeds seed, seed + 1, ... Raises ValueError or TypeError for what cannot be done.
    """
    if groups is not None and time is not None:
        raise ValueError("groups and time are both given: folds keep groups together, or go forward in time")
    if not isinstance(cv, Integral | bool | np.bool_):
        _refuse(time is not None, "time", "a number of folds as cv")
        _refuse(repeats > 1, f"repeats={repeats}", "a number of folds as cv; a splitter may repeat by itself")
        X, y = given or (np.zeros((len(rows.weights), 1)), rows.strata)
        return [given_folds(cv, X, y, groups, rows.weights)]
    n_folds = check_count(cv)
    if time is not None:
        _refuse(
            repeats > 1, f"repeats={repeats}", "folds that can be dealt anew, but those by time are always the same"
        )
        return [folds_by_time(time, rows.weights, n_folds)]
    seeds = range(seed, seed + repeats)
    if groups is None:
        known = Known.of(rows)
        return [folds for each in seeds if len(folds := folds_by_content(known, n_folds, each)) > 1]
    return [folds_by_group(groups, rows.strata, rows.weights, n_folds, each) for each in seeds]


def _refuse(given: bool, what: str, needs: str) -> None:
    if given:
        raise ValueError(f"{what} needs {needs}")


def folds_of_deal(dealt: Ints, weights: Floats) -> list[Fold]:
    """One fold a number: its rows are held out, all others are grown on. dealt: (n_rows,), -1 where a row is absent."""
    held_out = [np.flatnonzero(dealt == k) for k in range(int(dealt.max()) + 1)]
    return [Fold(rows, weights[rows]) for rows in held_out]


def are_counts(weights: Floats) -> bool:
    """Whether weights are numbers of rows: whole, and not too many to be counted one by one."""
    return bool(weights.sum() < EXACT and (weights == np.rint(weights)).all())


@dataclass(frozen=True, slots=True)
class Known:
    """The rows with weight, by place, and what is known of each: its stratum, its weight, the number of its cells and
    that of its cells and target together. crowded: whether rows outnumber the combinations of values."""

    places: npt.NDArray[np.intp]
    strata: Ints
    weights: Floats
    cells: Ints
    content: Ints
    crowded: bool

    @classmethod
    def of(cls, rows: Rows) -> Known:
        """Numbers for the contents of all rows with weight."""
        places = np.flatnonzero(rows.weights > 0)
        contents = Contents.of_cells(rows.table, places)
        cells = contents.numbers()
        contents.refine(rows.target[places])
        weights = rows.weights[places]
        n_rows = int(weights.sum()) if are_counts(weights) else len(places)
        crowded = n_rows > len(np.unique(cells)) and _outnumber_combinations(n_rows, rows.table, places)
        return cls(places, rows.strata[places], weights, cells, contents.numbers(), crowded)

    def take(self, order: npt.NDArray[np.intp]) -> Known:
        """The same rows in another order."""
        return replace(self, **{name: getattr(self, name)[order] for name in _EACH_ROW})


_EACH_ROW = ("places", "strata", "weights", "cells", "content")


def _outnumber_combinations(n_rows: int, table: Table, places: npt.NDArray[np.intp]) -> bool:
    """Whether so many rows are at least as many as the combinations of the values in a table's columns.

    More than two values of a number count squared: it may have been measured, and its copies be copies, unless each
    value has more of them than there are values.
    """
    combinations = 1
    for column, cells in zip(table.schema.columns, table.columns, strict=True):
        n_values = len(np.unique(cells[places]))
        combinations *= n_values if column.categorical or n_values <= 2 else n_values**2
        if combinations > n_rows:
            return False
    return True


def folds_by_content(known: Known, n_folds: int, seed: int) -> list[Fold]:
    """In every stratum copies take turns as one, and what is no copy row by row, in an order that a seed shuffles.

    So neither the order of rows nor whole weights in the place of copies say what is held out when. Where there are
    fewer turns than folds, copies are dealt one by one as well; then there may be fewer folds.
    """
    deal = Deal.of(known, n_folds, seed)
    n_folds = min(n_folds, deal.n_turns)
    return [deal.fold(k, n_folds) for k in range(n_folds)]


@dataclass(frozen=True, slots=True)
class Deal:
    """places: rows in the order in which they take turns; turn: the first turn of each; shared: how many turns the
    whole weight of a row is shared out over, 0 for a row that takes one turn with all of its weight."""

    places: npt.NDArray[np.intp]
    weights: Floats
    turn: Ints
    shared: Ints
    n_turns: int

    @classmethod
    def of(cls, known: Known, n_folds: int, seed: int) -> Deal:
        """The turns of all rows with weight."""
        rows = known.take(np.lexsort((known.weights, seeded(known.content, seed), known.strata)))
        weights = rows.weights
        first = np.concatenate([[True], rows.content[1:] != rows.content[:-1]])
        whole = are_counts(weights)
        alone = weights.astype(np.int64) if whole else np.ones(len(weights), dtype=np.int64)
        # Cells that have several contents come with several targets.
        apart = np.bincount(rows.cells[first], minlength=len(weights))[rows.cells] > 1
        if rows.crowded or np.where(apart, alone, first).sum() < n_folds:
            apart[:] = True
        taken = np.where(apart, alone, first)
        turn = np.cumsum(taken) - np.where(apart, taken, 1)  # copies after the first take the first one's turn
        return cls(rows.places, weights, turn, alone * (apart & whole), int(taken.sum()))

    def fold(self, k: int, n_folds: int) -> Fold:
        """What is held out in fold k: every n_folds-th turn."""
        held = np.where(self.turn % n_folds == k, self.weights, 0.0)
        apart = self.shared > 0
        if apart.any():
            before = self.turn[apart] - 1 - k
            held[apart] = (before + self.shared[apart]) // n_folds - before // n_folds
        out = held > 0
        return Fold(self.places[out], held[out])


def folds_by_group(groups: Any, strata: Ints, weights: Floats, n_folds: int, seed: int) -> list[Fold]:
    """Rows of one group stay together, and each fold gets its share of every stratum.

    Groups go one by one, the heaviest first, where their strata are lightest so far (each stratum counted in shares of
    its own weight); ties by the group's mark. weights: (n_rows,), zero is absent. Raises ValueError for fewer groups
    than folds.
    """
    label, number = numbered(groups, "groups", len(weights))
    present = weights > 0
    held = np.unique(number[present])
    if len(held) < n_folds:
        raise ValueError(f"cv={n_folds} folds need at least {n_folds} groups of positive weight, there are {len(held)}")
    marks = seeded(value_marks(label)[:-2], seed)
    fold_of_group = _share_out(number[present], strata[present], weights[present], marks, n_folds)
    return folds_of_deal(np.where(present, fold_of_group[number], ABSENT), weights)


def _share_out(number: Ints, strata: Ints, weights: Floats, marks: Marks, n_folds: int) -> Ints:
    n_strata = int(strata.max()) + 1
    total = np.bincount(strata, weights, n_strata)
    entry, place = np.unique(number.astype(np.int64) * n_strata + strata, return_inverse=True)
    owner, stratum = entry // n_strata, entry % n_strata
    share = np.bincount(place, weights) / total[stratum]
    start = np.searchsorted(owner, np.arange(len(marks) + 1))
    # In single precision, so that the order in which weights were added up does not show.
    weight = np.bincount(number, weights, len(marks)).astype(np.float32)
    held = np.zeros((n_folds, n_strata))
    fold_of_group = np.full(len(marks), ABSENT, dtype=np.int64)
    for group in np.lexsort((marks, -weight)):
        entries = slice(start[group], start[group + 1])
        if start[group] == start[group + 1]:
            continue
        # Of all folds the one that makes the sum of squared shares grow least; then the one that holds least.
        crowding = (held[:, stratum[entries]] @ share[entries]).astype(np.float32)
        fold = int(np.lexsort((held.sum(axis=1).astype(np.float32), crowding))[0])
        held[fold, stratum[entries]] += share[entries]
        fold_of_group[group] = fold
    return fold_of_group


def folds_by_time(time: Any, weights: Floats, n_folds: int) -> list[Fold]:
    """Folds that grow on the past only: each holds out a stretch of time and grows on all rows before it.

    The different times are cut as scikit-learn's TimeSeriesSplit cuts rows, so rows of one time stay together and
    stretches have equal numbers of times; the rows before the first stretch are never held out. Raises ValueError for
    too few different times.
    """
    _, number = numbered(time, "time", len(weights))
    present = weights > 0
    held, moment = np.unique(number[present], return_inverse=True)
    if len(held) <= n_folds:
        raise ValueError(
            f"cv={n_folds} folds in order of time need at least {n_folds + 1} different times of positive weight, "
            f"there are {len(held)}"
        )
    moments = np.full(len(present), ABSENT, dtype=np.int64)
    moments[present] = moment
    length = len(held) // (n_folds + 1)
    starts = len(held) - length * np.arange(n_folds, 0, -1)
    held_out = [np.flatnonzero((moments >= start) & (moments < start + length)) for start in starts]
    return [Fold(rows, weights[rows], moments < start) for rows, start in zip(held_out, starts, strict=True)]


def given_folds(cv: Any, X: Any, y: Any, groups: Any, weights: Floats) -> list[Fold]:
    """The folds of a splitter in scikit-learn's form, or of an iterable of (rows to grow on, rows held out), as given.

    Rows are given by place or by mask. Raises TypeError for anything else, ValueError naming a fold without rows and a
    place that is not in the table.
    """
    splits = cv.split(X, y, groups) if hasattr(cv, "split") and not isinstance(cv, str | bytes) else cv
    folds = [_as_fold(split, number, weights) for number, split in enumerate(_each(splits))]
    if not folds:
        raise ValueError("cv gives no fold")
    return folds


def _each(splits: Any) -> Iterator[Any]:
    if not isinstance(splits, Iterable) or isinstance(splits, str | bytes):
        raise TypeError(
            f"cv={splits!r}: expected a whole number of folds, a splitter with a method `split`, or an iterable of "
            "(rows to grow on, rows held out)"
        )
    return iter(splits)


def _as_fold(split: Any, number: int, weights: Floats) -> Fold:
    try:
        growing, held_out = split
    except (TypeError, ValueError):
        raise TypeError(f"cv, fold {number}: expected a pair of arrays of rows, got {split!r:.60}") from None
    growing, held_out = (_places(rows, number, len(weights)) for rows in (growing, held_out))
    for rows, use in ((growing, "grow on"), (held_out, "hold out")):
        if not weights[rows].any():
            raise ValueError(f"cv, fold {number}: no row of positive weight to {use}")
    held_out = held_out[weights[held_out] > 0]
    return Fold(held_out, weights[held_out], np.bincount(growing, minlength=len(weights)))


def _places(rows: Any, number: int, n_rows: int) -> npt.NDArray[np.intp]:
    held = np.asarray(rows)
    if held.dtype == bool and held.shape == (n_rows,):
        return np.flatnonzero(held)
    if held.ndim != 1 or (held.size and held.dtype.kind not in "iu"):
        raise TypeError(f"cv, fold {number}: rows are places or a mask of {n_rows} rows, got {rows!r:.60}")
    outside = (held < 0) | (held >= n_rows)
    if outside.any():
        raise ValueError(f"cv, fold {number}: row {held[outside][0]} is not one of the {n_rows} rows")
    return held.astype(np.intp)


def check_count(cv: Any) -> int:
    """A whole number of folds. Raises ValueError below 2, TypeError for a truth value."""
    if isinstance(cv, bool | np.bool_):
        raise TypeError(f"cv={cv!r}: expected a whole number of folds of at least 2")
    if not isinstance(cv, Integral) or cv < 2:
        raise ValueError(f"cv={cv!r}: cross-validation needs at least 2 folds")
    return int(cv)
