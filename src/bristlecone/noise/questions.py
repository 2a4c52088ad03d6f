"""All the questions that a table's columns allow, as codes, and how each goes with the label. SPEC D2, D9.

code          a cell's place among the different values of its column, or its level; a missing cell has the last one.
question      a set of codes of one column that go left: values below a threshold, missing cells on either side, present
              against missing; of a category any set of levels, missing cells being one more level. The class H.
covariance    of "goes left" with "is of the second class", over some rows: Pr[left, second] - Pr[left] Pr[second].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.table import Table
from bristlecone.tree.conditions import LevelSet, Present, Threshold, Wording

__all__ = ["Question", "Questions"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]
Mask = npt.NDArray[np.bool_]

MOST_HEARD = 52  # columns in a row's standing: a float64 has no more binary places

_SAID = Wording(fold=3, missing=True)


@dataclass(frozen=True, slots=True)
class Question:
    """One question. column: its place; left: (n_codes,) which codes go left; covariance: see the head of this file."""

    column: int
    left: Mask
    covariance: float


class Questions:
    """The class H of a table.

    codes: (n_columns, n_rows); n_codes: (n_columns,), the code of missing cells included; values: per column its
    different values in order, of a category the codes of its levels.
    """

    def __init__(self, table: Table) -> None:
        table.refuse_infinite()
        self.schema = table.schema
        coded = [
            _coded(cells, column.is_missing(cells))
            for column, cells in zip(table.schema.columns, table.columns, strict=True)
        ]
        self.values = [values for values, _ in coded]
        self.codes: Ints = np.array([codes for _, codes in coded], dtype=np.int32)
        self.n_codes = np.array([len(values) + 1 for values in self.values])
        self.categorical = np.array([column.categorical for column in table.schema.columns])

    @property
    def count(self) -> int:
        """How many questions there are, opposites not counted: of K levels 2^(K - 1) - 1."""
        total = 0
        for values, codes, categorical in zip(self.values, self.codes, self.categorical, strict=True):
            has_missing = bool((codes == len(values)).any())
            n = len(values) + has_missing
            total += (2 ** max(n - 1, 0) - 1) if categorical else max(n - 1, 0) + has_missing * max(n - 2, 0)
        return total

    def best(self, rows: Ints, second: Mask) -> Question | None:
        """The question of the largest |covariance| over some rows, the first of equals; None where all are constant.

        rows: (m,) places; second: (m,) whether each is of the second class.
        """
        best: Question | None = None
        for j in range(len(self.codes)):
            found = self.best_of(j, self.codes[j][rows], second)
            if found is not None and (best is None or abs(found.covariance) > abs(best.covariance)):
                best = found
        return best

    def lean(self, rows: Ints, second: Mask) -> Floats:
        """How far the cells of every row speak for the second class, (n_rows,), in the eyes of some rows.

        The sum over columns of the covariance of the best question over those rows, where the cells go left by it.
        rows, second: as for `best`.
        """
        lean = np.zeros(self.codes.shape[1])
        for j, codes in enumerate(self.codes):
            best = self.best_of(j, codes[rows], second)
            if best is not None:
                lean += best.covariance * best.left[codes]
        return lean

    def standing(self, second: Mask) -> Floats:
        """Where the cells of every row stand between the first class and the second, (n_rows,).

        The best question of the column that says most counts 1 where the cells speak for the second class by it, that
        of the next column 1/2, then 1/4 and so on, of 52 columns at most: rows that stand together lie together in a
        tree. second: (n_rows,).
        """
        found = [self.best_of(j, codes, second) for j, codes in enumerate(self.codes)]
        says = [question for question in found if question is not None and question.covariance != 0]
        standing = np.zeros(self.codes.shape[1])
        for place, question in enumerate(sorted(says, key=lambda one: -abs(one.covariance))[:MOST_HEARD]):
            goes_left = question.left[self.codes[question.column]]
            standing += np.ldexp(1.0, -place) * (goes_left == (question.covariance > 0))
        return standing

    def answers(self, question: Question, rows: Ints) -> Mask:
        """Which of some rows go left."""
        left: Mask = question.left[self.codes[question.column][rows]]
        return left

    def say(self, question: Question) -> str:
        """What goes left, in words."""
        column, values = self.schema.columns[question.column], self.values[question.column]
        present, missing = question.left[:-1], bool(question.left[-1])
        if column.categorical:
            levels = [column.levels[code] for code in values[present].tolist()]
            rest = [column.levels[code] for code in values[~present].tolist()]
            return LevelSet(column, tuple(levels), tuple(rest), missing).left(_SAID)
        if present.all():
            return Present(column).left(_SAID)
        cut = int(present.sum())
        low, high = float(values[cut - 1]), float(values[cut])
        middle = low / 2 + high / 2
        has_missing = bool((self.codes[question.column] == len(values)).any())
        return Threshold(column, middle if middle > low else high, missing and has_missing).left(_SAID)

    def best_of(self, j: int, codes: Ints, second: Mask) -> Question | None:
        """As `best`, of one column; codes: (m,) of the rows in it."""
        present, at = _present(codes, int(self.n_codes[j]))
        if len(present) < 2:
            return None
        part = np.bincount(at, second - second.mean(), len(present)) / len(codes)
        missing = len(present) - 1 if present[-1] == self.n_codes[j] - 1 else len(present)
        goes = _level_sets(part) if self.categorical[j] else _thresholds(part, missing)
        left = np.zeros(self.n_codes[j], dtype=bool)
        if self.categorical[j]:
            left[present[goes]] = True
        else:
            # values that no row has here go with their neighbours below
            last = present[goes[goes < missing]].max()
            left[: last + 1] = True
            left[-1] = missing in goes
        return Question(j, left, float(part[goes].sum()))


def _coded(cells: npt.NDArray[Any], missing: Mask) -> tuple[npt.NDArray[Any], Ints]:
    values, at = np.unique(cells[~missing], return_inverse=True)
    codes = np.full(len(cells), len(values), dtype=np.int32)
    codes[~missing] = at
    return values, codes


def _present(codes: Ints, n_codes: int) -> tuple[Ints, Ints]:
    """The codes that some rows have, and the place of each row's code among them."""
    if 4 * len(codes) < n_codes:  # few rows: sorting them is faster than looking at every code
        present, at = np.unique(codes, return_inverse=True)
        return present, at
    seen = np.zeros(n_codes, dtype=bool)
    seen[codes] = True
    place = np.cumsum(seen) - 1
    return np.flatnonzero(seen), place[codes]


def _thresholds(part: Floats, missing: int) -> Ints:
    """Which places go left for the largest |covariance| of a threshold; part: each place's own covariance."""
    below = np.cumsum(part[:missing])
    if missing == len(part):
        return np.arange(int(np.argmax(np.abs(below[:-1]))) + 1)
    either = np.concatenate([below, below[:-1] + part[missing]])  # missing cells right, then left
    cut = int(np.argmax(np.abs(either)))
    if cut < missing:
        return np.arange(cut + 1)
    return np.append(np.arange(cut - missing + 1), missing)


def _level_sets(part: Floats) -> Ints:
    """As for thresholds, of sets of levels: all that go one way with the label. That with the first level goes left."""
    goes = part > 0
    if goes.all() or not goes.any():  # equal shares: every part is rounding
        return np.arange(1)
    return np.flatnonzero(goes if goes[0] else ~goes)
