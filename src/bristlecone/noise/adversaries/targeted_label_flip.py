"""Labels flipped where it hurts the best split most. SPEC D8, 2.

region      rows of a group that lie together. Where three of five labels are flipped, growth takes the other two for
            noise, and the whole region goes wrong.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from bristlecone.grow.chance import Rng
from bristlecone.noise.sample import Change, Corrupted, Sample, budget, corrupt

FLIPPED = Fraction(3, 5)
"""The share of a region's labels."""


def targeted_label_flip(X: Any, y: Any, eta: float, *, random_state: Any = None) -> Corrupted:
    """Flip floor(eta n) labels so that the best split of all rows loses covariance fastest.

    Let h be the question of the largest |Cov(h, y)|, turned so that it is positive, and q = Pr[h = 1]. Flipping a share
    f of the rows with h = 1 and the second class lowers it by f (1 - q), of those with h = 0 and the first class by
    f q: the better group is flipped first, then the other. Of a group the rows are flipped whose cells speak least for
    their label, by the best questions of all columns, the strongest first: three in five of them, at random, so far as
    the group has enough. Two classes. SPEC D8, 2, which leaves open which rows of a group.
    """
    return corrupt(X, y, eta, random_state, _change)


def _change(sample: Sample, eta: float, rng: Rng) -> Change:
    _, holds = sample.best_question()
    groups = [np.flatnonzero(holds & sample.second), np.flatnonzero(~holds & ~sample.second)]
    if holds.mean() > 0.5:
        groups.reverse()
    standing, left, chosen = sample.own_standing(), budget(eta, sample.n_rows), []
    for group in groups:
        k = min(left, len(group))
        shuffled = rng.permutation(group)
        region = shuffled[np.argsort(standing[shuffled], kind="stable")][: math.ceil(k / FLIPPED)]
        chosen.append(rng.permutation(region)[:k])
        left -= k
    rows = np.concatenate(chosen)
    return Change(rows, 1 - sample.target.codes[rows])
