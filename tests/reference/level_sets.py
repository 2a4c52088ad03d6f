"""Which levels go left so that least influence remains: every set, or every change of one level, summed up anew."""

from __future__ import annotations

from itertools import product

import numpy as np


def remaining(left, pairs, mass):
    """What influence a parting leaves: for each side the pairs within it over its mass."""
    total = 0.0
    for side in (left, ~left):
        total += sum(bool(side[a] and side[b]) for a, b in pairs) / mass[side].sum()
    return total


def best_of_all(pairs, mass):
    """The least that any set of the levels leaves."""
    sets = [np.array(chosen) for chosen in product([False, True], repeat=len(mass))]
    return min(remaining(left, pairs, mass) for left in sets if 0 < left.sum() < len(mass))


def climbed(pairs, mass):
    """The set that single changes lead to, from none on, each time the change that leaves least."""
    left, least = np.zeros(len(mass), dtype=bool), np.inf
    while True:
        near = [left ^ (np.arange(len(mass)) == level) for level in range(len(mass))]
        after = [remaining(other, pairs, mass) if 0 < other.sum() < len(mass) else np.inf for other in near]
        level = int(np.argmin(after))
        if not after[level] < least * (1 - 1e-12):
            return left
        left, least = near[level], after[level]
