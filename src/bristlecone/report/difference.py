"""A difference of two errors, its limits, and both in words: what comparisons of trees and of rows have in common.

loss        what a row costs: 1 for a wrong label, else the squared error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bristlecone.certify.certificate import sureness
from bristlecone.report.evidence import Evidence
from bristlecone.report.limits import error_limit
from bristlecone.report.words import limit_in_percent, outward, share
from bristlecone.tree.arrays import Floats

__all__ = ["Difference", "Differing", "losses", "of_pairs", "of_samples"]

Limits = tuple[float, float] | None
TOO_FEW = "one row bears no limits"
ALL_EQUAL = "errors that are all equal bear no limits"
TOO_LARGE = "errors so large bear no limits"


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean loss of b less that of a.

    limits: with probability at least 1 - delta it lies between them on new data (of squared errors: approximately);
    None where the rows bear none, and then `unlimited` says why. of_classes: whether it is a share of rows.
    """

    value: float
    limits: Limits
    of_classes: bool
    delta: float
    unlimited: str

    @property
    def low(self) -> float | None:
        """The lower limit, None where there is none."""
        return None if self.limits is None else self.limits[0]

    @property
    def high(self) -> float | None:
        """The upper limit, None where there is none."""
        return None if self.limits is None else self.limits[1]

    @property
    def size(self) -> str:
        """How large it is, whoever has the larger loss: a share of rows, or a mean squared error."""
        return share(abs(self.value)) if self.of_classes else f"{abs(self.value):.4g}"

    def in_words(self, told: str, whose: str, verdicts: tuple[str, str, str]) -> str:
        """The sentence `told` of these rows, and what follows for others.

        whose: of what new data the limits speak. verdicts: where zero lies between the limits, where all of them are
        above it, and below.
        """
        if self.limits is None:
            return f"{told}; nothing follows for other rows, for {self.unlimited}."
        chance = f"{'at least' if self.of_classes else 'about'} {sureness(self.delta)}"
        low, high = (self._signed(limit, up) for limit, up in zip(self.limits, (False, True), strict=True))
        verdict = verdicts[1 if self.limits[0] > 0 else 2 if self.limits[1] < 0 else 0]
        return (
            f"{told}. With probability {chance} over the draw of these rows, on new data {whose} lies from {low} to "
            f"{high}: {verdict}."
        )

    def _signed(self, limit: float, up: bool) -> str:
        """A limit, rounded away from the other one: in print they are never closer than they are."""
        said = limit_in_percent(limit, up) if self.of_classes else outward(limit, up)
        return said if said.startswith("-") else f"+{said}"


@dataclass(frozen=True, slots=True)
class Differing:
    """What holds the difference of two errors."""

    differs: Difference

    @property
    def difference(self) -> float:
        """The error of b less that of a, on these rows."""
        return self.differs.value

    @property
    def low(self) -> float | None:
        """The lower limit of the difference on new data."""
        return self.differs.low

    @property
    def high(self) -> float | None:
        """The upper limit of the difference on new data."""
        return self.differs.high


def losses(evidence: Evidence) -> Floats:
    """What each row costs, (n,)."""
    if evidence.codes is not None:
        return evidence.wrong.astype(np.float64)
    off: Floats = evidence.y.astype(np.float64) - evidence.answers
    return off**2


def of_pairs(a: Floats, b: Floats, of_classes: bool, delta: float, unlimited: str) -> Difference:
    """The difference on the same rows, or on pairs of rows; (n,) losses. unlimited: why there are no limits, or "".

    Of classes by Clopper and Pearson's limits of the shares that only one of the two gets wrong, each side at
    delta / 4, so that they hold for every number of rows; of numbers by Student's interval.
    """
    value, n = float(np.mean(b - a)), len(a)
    limits: Limits = None
    if not unlimited and of_classes:
        only = [int(((one > 0) & (other == 0)).sum()) for one, other in ((a, b), (b, a))]
        limits = _apart(*(_both_limits(k, n, delta) for k in only))
    elif not unlimited:
        unlimited = TOO_FEW if n < 2 else ALL_EQUAL if np.ptp(b - a) == 0 else ""
        if not unlimited:
            with np.errstate(over="ignore"):
                half = float(stats.t.ppf(1 - delta / 2, n - 1) * np.std(b - a, ddof=1) / np.sqrt(n))
            limits, unlimited = ((value - half, value + half), "") if math.isfinite(half) else (None, TOO_LARGE)
    return Difference(value, limits, of_classes, delta, unlimited)


def of_samples(a: Floats, b: Floats, of_classes: bool, delta: float, unlimited: str) -> Difference:
    """The difference on independent samples; losses (n,) and (m,). unlimited: why there are no limits, or "".

    Of classes by Clopper and Pearson's limits of both shares, each side at delta / 4; of numbers by Welch's interval.
    """
    value = float(np.mean(b) - np.mean(a))
    limits: Limits = None
    if not unlimited and of_classes:
        limits = _apart(*(_both_limits(int((of > 0).sum()), len(of), delta) for of in (a, b)))
    elif not unlimited:
        half = _welch(a, b, delta)
        if half is None:
            unlimited = (
                TOO_FEW if min(len(a), len(b)) < 2 else TOO_LARGE if max(np.ptp(a), np.ptp(b)) > 0 else ALL_EQUAL
            )
        limits = None if half is None else (value - half, value + half)
    return Difference(value, limits, of_classes, delta, unlimited)


def _both_limits(k: int, n: int, delta: float) -> tuple[float, float]:
    """Of a share seen k times in n, each of which fails with probability delta / 4."""
    return 1 - error_limit(n - k, n, delta / 4), error_limit(k, n, delta / 4)


def _apart(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    """Limits of b less a, from those of both."""
    return b[0] - a[1], b[1] - a[0]


def _welch(a: NDArray[Any], b: NDArray[Any], delta: float) -> float | None:
    """Half of Welch's interval; None where too few or equal losses give none."""
    if min(len(a), len(b)) < 2 or (np.ptp(a) == 0 and np.ptp(b) == 0):
        return None
    with np.errstate(over="ignore"):
        of_a, of_b = (float(np.var(of, ddof=1)) / len(of) for of in (a, b))
    if not 0 < of_a + of_b < math.inf:
        return None
    part = of_a / (of_a + of_b)
    freedom = 1 / (part**2 / (len(a) - 1) + (1 - part) ** 2 / (len(b) - 1))  # Welch and Satterthwaite
    return float(stats.t.ppf(1 - delta / 2, freedom)) * math.sqrt(of_a + of_b)
