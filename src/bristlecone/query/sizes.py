"""How many points the sampled learner needs at each split. SPEC C4-C5.

split j     from 1 on: the tree has j leaves before it and j + 1 after it.
points      base points; each is asked about once, and once more for each coordinate whose fresh draw differs.
mode        "fresh": other points for the scores at every split. "pool": all points are kept, with a union over all
            subcubes in the logarithm that makes this sound. "as_printed": kept, with the numbers for fresh ones, and
            labels and errors at epsilon / 2, as the paper prints it: not proved (SPEC C5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from bristlecone.query.checks import check_delta, check_epsilon
from bristlecone.query.distributions import ProductDistribution
from bristlecone.query.functions import boolean
from bristlecone.tree.arrays import Floats

__all__ = [
    "MODES",
    "Mode",
    "Schedule",
    "asked_per_point",
    "error_points",
    "label_points",
    "pool_points",
    "schedule_of",
    "score_points",
]

Mode = Literal["pool", "fresh", "as_printed"]
MODES = ("pool", "fresh", "as_printed")


def score_points(j: int, delta: float, epsilon: float, n: int) -> float:
    """M_S: fresh pairs for each variable at split j, so that the split is within a factor 4 of the best."""
    return 12 * (j + 1) * n / epsilon * math.log(4 * j**2 * (j + 1) * n / delta)


def pool_points(j: int, delta: float, epsilon: float, n: int) -> float:
    """M_pool: pairs for each variable in all at split j, sound for pairs that are kept."""
    subcubes = sum(math.comb(n, k) << k for k in range(min(j - 1, n - 1) + 1))
    log = math.log(8) + 2 * math.log(j) + math.log(n) + math.log(subcubes) - math.log(delta)
    return 12 * (j + 1) * n / epsilon * log


def label_points(leaves: int, index: int, epsilon: float, delta: float) -> float:
    """M_LL: labelled points for the labels of so many leaves; index: the how-manieth labelling it is (j in the
    paper).
    """
    return 128 * (leaves * math.log(2) + math.log(16 * index**2 / delta)) / epsilon**2


def error_points(index: int, epsilon: float, delta: float) -> float:
    """M_EE: fresh labelled points for the how-manieth test of the error."""
    return 32 / epsilon**2 * math.log(16 * index**2 / delta)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The points of one run. root: whether the single leaf is tested first, with a share of delta of its own."""

    mode: Mode
    n: int
    epsilon: float
    delta: float
    root: bool

    def scores(self, j: int) -> int:
        """Points for the scores at split j: in all when they are kept, else fresh ones."""
        needed = pool_points if self.mode == "pool" else score_points
        return math.ceil(needed(j, self.delta, self.epsilon / 2, self.n))

    @property
    def keeps(self) -> bool:
        """Whether the points of earlier splits count."""
        return self.mode != "fresh"

    def labels(self, j: int) -> int:
        """Labelled points in all after split j (0: the single leaf)."""
        return math.ceil(label_points(j + 1, j + self.root, self._tested, self.delta))

    def errors(self, j: int) -> int:
        """Fresh labelled points for the test after split j (0: of the single leaf)."""
        return math.ceil(error_points(j + self.root, self._tested, self.delta))

    @property
    def _tested(self) -> float:
        return self.epsilon / 2 if self.mode == "as_printed" else self.epsilon


def schedule_of(
    mode: Mode, dist: ProductDistribution, epsilon: float, delta: float, check_root: bool | None
) -> Schedule:
    """The schedule of a run; check_root None: yes, but not in "as_printed". Raises ValueError naming the parameter."""
    check_epsilon(epsilon, positive=True)
    check_delta(delta)
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(map(repr, MODES))}, got {mode!r}")
    if check_root not in (None, True, False):
        raise ValueError(f"check_root must be None, True or False, got {check_root!r}")
    root = mode != "as_printed" if check_root is None else bool(check_root)
    return Schedule(mode, len(boolean(dist)), float(epsilon), float(delta), root)


def asked_per_point(p: Floats) -> float:
    """How many answers a base point takes on average: its own, and one for each coordinate whose fresh draw differs."""
    return 1.0 + float((2 * p * (1 - p)).sum())
