"""Copies of the one point that lowers the covariance of the best split most. SPEC D8, 4."""

from __future__ import annotations

from typing import Any

import numpy as np

from bristlecone.grow.chance import Rng
from bristlecone.noise.sample import Change, Corrupted, Sample, budget, corrupt


def insert_worst(X: Any, y: Any, eta: float, *, random_state: Any = None) -> Corrupted:
    """Replace floor(eta n) rows, drawn at random, by copies of the worst point.

    With h and q as in `targeted_label_flip` and mu the share of the second class, the worst point is of the type (h, y)
    that minimises (h - q) (y - mu); its cells are those of the first row with this h. Two classes. SPEC D8, 4.
    """
    return corrupt(X, y, eta, random_state, _change)


def worst_point(sample: Sample) -> tuple[int, int]:
    """The row that holds the worst point's cells, and its class."""
    _, holds = sample.best_question()
    q, mu = holds.mean(), sample.second.mean()
    types = [(h, k) for h in (False, True) for k in (0, 1) if (holds == h).any()]
    h, k = min(types, key=lambda one: (one[0] - q) * (one[1] - mu))
    return int(np.argmax(holds == h)), k


def _change(sample: Sample, eta: float, rng: Rng) -> Change:
    rows = sample.random_rows(budget(eta, sample.n_rows), rng)
    place, code = worst_point(sample)
    return Change(rows, np.full(len(rows), code, np.int32), np.full(len(rows), place))
