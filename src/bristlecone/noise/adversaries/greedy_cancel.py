"""Point by point against whatever split is best just then. SPEC D8, 6.

question    here a threshold of numbers (missing cells right) or a single level of a category: of a set of levels the
            covariance is the sum of theirs.
lean        of some cells: the sum over columns of the best question's covariance, where it holds for them.
window      steps between two looks at all questions. One step moves no covariance by more than 1 / n, so a question
            that is behind the largest by more than two steps' worth a step cannot overtake it within a window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bristlecone.grow.chance import Rng
from bristlecone.noise.questions import Questions
from bristlecone.noise.sample import Change, Corrupted, Ints, Mask, Sample, budget, corrupt

WINDOW = 64
DRAWS = 32
TYPES = tuple((h, k) for h in (False, True) for k in (False, True))


def greedy_cancel(X: Any, y: Any, eta: float, *, random_state: Any = None) -> Corrupted:
    """Replace up to floor(eta n) rows one after another, each so that the largest |Cov(h, y)| falls most.

    At every step h is the question of the largest |covariance| just then, a threshold or a single level of a category,
    and the types (h, y) of the row that goes and of the one that comes are those that lower it most. Of 32 random rows
    of these types, the one goes whose cells speak loudest for its label, and the cells come that speak loudest against
    theirs, over the best questions of all columns; cells are those of some row of the sample as it was. No row is
    replaced twice. It ends early where no replacement lowers the covariance. Two classes. SPEC D8, 6, which leaves open
    which rows of a type.
    """
    return corrupt(X, y, eta, random_state, _change)


def _change(sample: Sample, eta: float, rng: Rng) -> Change:
    state = State(sample.questions, sample.second)
    steps = budget(eta, sample.n_rows)
    while steps:
        window = min(WINDOW, steps)
        if state.cancel(window, rng) < window:
            break
        steps -= window
    rows = np.flatnonzero(state.replaced)
    return Change(rows, state.second[rows].astype(np.int32), state.source[rows])


@dataclass(slots=True)
class Running:
    """Questions that may be the largest within a window, and how many rows each holds for, in all and of the second
    class. A question of a number holds for codes up to its own, one of a category for its own level only."""

    column: Ints
    code: Ints
    level: Mask
    rows: Ints
    second: Ints

    def holds(self, codes: Ints) -> Mask:
        """Which of them hold for a row with these codes, (n_columns,)."""
        own = codes[self.column]
        return np.where(self.level, own == self.code, own <= self.code)


class State:
    """The sample as it stands. second: each row's label; source: the row of the first sample whose cells it has."""

    def __init__(self, questions: Questions, second: Mask) -> None:
        self.questions = questions
        self.second = second.copy()
        self.source = np.arange(len(second))
        self.replaced = np.zeros(len(second), dtype=bool)

    def cancel(self, steps: int, rng: Rng) -> int:
        """Make so many steps, and return how many there was a reason for."""
        running = self._running(steps)
        self.lean = self.questions.lean(self.source, self.second)
        n, n_second = len(self.second), int(self.second.sum())
        for done in range(steps):
            covariance = n * running.second - running.rows * n_second  # times n^2, in whole numbers
            if not covariance.any():
                return done
            at = int(np.argmax(np.abs(covariance)))
            chosen = self._choose(running, at, n_second, rng)
            if chosen is None:
                return done
            n_second += self._replace(running, *chosen)
        return steps

    def _running(self, steps: int) -> Running:
        """The questions within reach of the largest one in so many steps, by one look at all of them."""
        n, n_second = len(self.second), int(self.second.sum())
        held = []
        for j, n_codes in enumerate(self.questions.n_codes):
            codes, level = self.questions.codes[j][self.source], bool(self.questions.categorical[j])
            rows, second = np.bincount(codes, minlength=n_codes), np.bincount(codes[self.second], minlength=n_codes)
            if not level:
                rows, second = np.cumsum(rows), np.cumsum(second)
            held.append((np.full(n_codes, j), np.arange(n_codes), np.full(n_codes, level), rows, second))
        column, code, level_, rows, second = (np.concatenate(arrays) for arrays in zip(*held, strict=True))
        size = np.abs(n * second - rows * n_second)
        within = size >= size.max() - 2 * steps * n
        return Running(column[within], code[within], level_[within], rows[within], second[within])

    def _choose(self, running: Running, at: int, n_second: int, rng: Rng) -> tuple[int, int, bool] | None:
        """The row to replace, the row that lends its cells, and the label; None where nothing lowers the covariance."""
        codes, n = self.questions.codes[running.column[at]], len(self.second)
        first = codes == running.code[at] if running.level[at] else codes <= running.code[at]
        now = first[self.source]
        free = ~self.replaced
        rows, second = int(running.rows[at]), int(running.second[at])
        best, found = abs(n * second - rows * n_second), None
        for h, k in TYPES:
            if not (free & (now == h) & (self.second == k)).any():
                continue
            for new_h, new_k in TYPES:
                moved = n * (second + (new_h and new_k) - (h and k)) - (rows + new_h - h) * (n_second + new_k - k)
                if abs(moved) < best and (first == new_h).any():
                    best, found = abs(moved), (h, k, new_h, new_k)
        if found is None:
            return None
        h, k, new_h, new_k = found
        out = self._drawn(np.flatnonzero(free & (now == h) & (self.second == k)), rng)
        lenders = self._drawn(np.flatnonzero(first == new_h), rng)
        row = out[np.argmax((k - 0.5) * self.lean[self.source[out]])]
        lender = lenders[np.argmin((new_k - 0.5) * self.lean[lenders])]
        return int(row), int(lender), new_k

    def _drawn(self, rows: Ints, rng: Rng) -> Ints:
        drawn: Ints = rows[rng.integers(len(rows), size=DRAWS)]
        return drawn

    def _replace(self, running: Running, row: int, lender: int, label: bool) -> int:
        """Replace a row, and return what that adds to the rows of the second class."""
        codes = self.questions.codes
        before, after = running.holds(codes[:, self.source[row]]), running.holds(codes[:, lender])
        running.rows += after.astype(np.int64) - before
        running.second += (after & label).astype(np.int64) - (before & self.second[row])
        added = int(label) - int(self.second[row])
        self.source[row], self.second[row], self.replaced[row] = lender, label, True
        return added
