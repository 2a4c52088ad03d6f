"""Copies of the one point that lowers the covariance of the best split most. SPEC D8, 4.

type        of a row or a point: h, whether the best split holds for it, and y, its class. With q = Pr[h = 1] and mu the
            share of the second class it adds (h - q) (y - mu) to the covariance.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from bristlecone.grow.chance import Rng
from bristlecone.noise.sample import Change, Corrupted, Floats, Mask, Sample, budget, corrupt


def insert_worst(X: Any, y: Any, eta: float, *, random_state: Any = None) -> Corrupted:
    """Replace floor(eta n) rows by copies of the worst point.

    The worst point is of the type that adds least to the covariance of the best split, h as in `targeted_label_flip`;
    its cells are those of the row with this h that speak loudest against its label, over the best questions of all
    columns. The rows of the type that adds most go first, of them those whose cells speak least for their label, by the
    best question of the strongest column first: with them goes all that is known of some region. Two classes. SPEC D8,
    4, which leaves open which rows go, and which point of the type comes.
    """
    return corrupt(X, y, eta, random_state, _change)


def worst_point(sample: Sample) -> tuple[int, int]:
    """The row that holds the worst point's cells, and its class."""
    _, holds = sample.best_question()
    types = [(h, k) for h, k in itertools.product((False, True), (0, 1)) if (holds == h).any()]
    q, mu = holds.mean(), sample.second.mean()
    h, k = min(types, key=lambda one: (one[0] - q) * (one[1] - mu))
    rows = np.flatnonzero(holds == h)
    lean = sample.questions.lean(np.arange(sample.n_rows), sample.second)[rows]
    return int(rows[np.argmin(lean if k else -lean)]), k


def _added(holds: Mask, second: Mask) -> Floats:
    """What each row adds to the covariance."""
    added: Floats = (holds - holds.mean()) * (second - second.mean())
    return added


def _change(sample: Sample, eta: float, rng: Rng) -> Change:
    _, holds = sample.best_question()
    shuffled = rng.permutation(sample.n_rows)
    order = np.lexsort((sample.own_standing()[shuffled], -_added(holds, sample.second)[shuffled]))
    rows = shuffled[order[: budget(eta, sample.n_rows)]]
    place, code = worst_point(sample)
    return Change(rows, np.full(len(rows), code, np.int32), np.full(len(rows), place))
