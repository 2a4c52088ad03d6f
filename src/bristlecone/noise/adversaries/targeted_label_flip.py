"""Labels flipped where it hurts the best split most. SPEC D8, 2."""

from __future__ import annotations

from typing import Any

import numpy as np

from bristlecone.grow.chance import Rng
from bristlecone.noise.sample import Change, Corrupted, Sample, budget, corrupt


def targeted_label_flip(X: Any, y: Any, eta: float, *, random_state: Any = None) -> Corrupted:
    """Flip floor(eta n) labels so that the best split of all rows loses covariance fastest.

    Let h be the question of the largest |Cov(h, y)|, turned so that it is positive, and q = Pr[h = 1]. Flipping a share
    f of the rows with h = 1 and the second class lowers it by f (1 - q), of those with h = 0 and the first class by
    f q: the better group is flipped first, rows drawn at random, then the other. Two classes. SPEC D8, 2.
    """
    return corrupt(X, y, eta, random_state, _change)


def _change(sample: Sample, eta: float, rng: Rng) -> Change:
    _, holds = sample.best_question()
    groups = [np.flatnonzero(holds & sample.second), np.flatnonzero(~holds & ~sample.second)]
    if holds.mean() > 0.5:
        groups.reverse()
    rows = np.concatenate([rng.permutation(group) for group in groups])[: budget(eta, sample.n_rows)]
    return Change(rows, 1 - sample.target.codes[rows])
