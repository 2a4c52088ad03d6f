"""Bounds on the error of the vote over all prunings, from means over the posterior. SPEC A7.

gibbs         the mean error of one pruning drawn from the posterior.
tandem        the chance that two prunings, drawn independently, both err on a row.
disagreement  the chance that they answer differently.
R, T, D       their values to come, where the former are their means on n certifying rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from bristlecone.certify.bounds import check_delta, check_rows, gibbs_bound, lambda_form, per_row, tampered
from bristlecone.certify.kl import chances, kl_inverse

__all__ = ["VoteBounds", "log_xi", "majority_vote_bounds"]

LARGE = 16  # from here on Stirling's series for ln n! is exact to the last digits


@dataclass(frozen=True, slots=True)
class VoteBounds:
    """Upper bounds on the error of the vote, each with probability at least 1 - delta, clipped at 1.

    first_order: MV-2, twice the Gibbs bound. tandem, tandem_lambda: four times a bound on the tandem loss. cantelli:
    from both. c_bound: Germain's C-bound 1, for two classes; None where no disagreement was given. Each holds by
    itself: whoever takes the least of K of them must have asked for each at delta / K.
    """

    first_order: float
    tandem: float
    tandem_lambda: float
    cantelli: float
    c_bound: float | None = None


def majority_vote_bounds(
    gibbs: float,
    tandem: float,
    kl: float,
    n: int,
    delta: float,
    disagreement: float | None = None,
    *,
    corrupted: float = 0.0,
) -> VoteBounds:
    """What the error of the vote can be at most, from means on n rows over a posterior with KL `kl` to its prior.

    gibbs, tandem, disagreement: means in [0, 1], see the head of this file; any number of classes, but a disagreement
    is for two classes alone. MV-2: the vote errs where at least half of the mass does. MV-tandem: Masegosa et al. 2020,
    the tandem loss being bounded with 2 kl, as it is that of pairs. MV-Cantelli: Chebyshev-Cantelli on the mass that
    errs; R and T are bounded at delta / 2 each, from both sides. Germain et al. 2015, C-bound 1: 1 - (1 - 2R)^2 / (1 -
    2D), with R from above and D from below at delta / 2 each and xi(n) in the place of 2 sqrt(n). SPEC A7.
    corrupted: the most of the n rows that can have been tampered with, as a share: every mean may be off by so much, up
    or down, and the bounds are those of the worst case.
    Raises ValueError by name for numbers out of range, for tandem above gibbs, and for n below 8.
    """
    r, t = (float(chances(name, given)) for name, given in (("gibbs", gibbs), ("tandem", tandem)))
    if not r * r * (1 - 1e-9) <= t <= r * (1 + 1e-9):
        raise ValueError(f"tandem must be from gibbs^2 to gibbs={r}, as it is on any rows, got {t}")
    pair = float(per_row(kl, n, delta, factor=2.0))
    moved = tampered(n, corrupted) / n
    least, most = max(r - moved, 0.0), min(r + moved, 1.0)
    t = min(t + moved, most)
    return VoteBounds(
        first_order=min(1.0, 2 * gibbs_bound(most, kl, n, delta)),
        tandem=min(1.0, 4 * kl_inverse(t, pair)),
        tandem_lambda=min(1.0, 4 * float(lambda_form(t, pair))),
        cantelli=_cantelli((least, most), t, kl, n, delta),
        c_bound=None if disagreement is None else _c_bound(most, disagreement, moved, kl, n, delta),
    )


def _cantelli(r: tuple[float, float], t: float, kl: float, n: int, delta: float) -> float:
    """(T - R^2) / (T - R + 1/4) at its largest over what R and T may be. r: from and to where the mean error may be.

    It rises in T, and in R up to R = 2T, from where on it falls: a smaller R can be the worse one.
    """
    one, pair = (float(per_row(kl, n, delta / 2, factor=factor)) for factor in (1.0, 2.0))
    lowest, highest, together = kl_inverse(r[0], one, upper=False), kl_inverse(r[1], one), kl_inverse(t, pair)
    if highest >= 0.5 or together >= 0.25:
        return 1.0
    worst = min(max(2 * together, lowest), highest)
    return float(min(1.0, max(0.0, (together - worst**2) / (together - worst + 0.25))))


def _c_bound(r: float, d: float, moved: float, kl: float, n: int, delta: float) -> float:
    term = math.log(2) + log_xi(n) - math.log(check_delta(delta))
    nats = max(float(kl), 0.0)
    highest = min(0.5, kl_inverse(r, (nats + term) / n))
    seen = max(float(chances("disagreement", d)) - moved, 0.0)
    apart = min(kl_inverse(seen, (2 * nats + term) / n, upper=False), 0.5)
    if highest >= 0.5 or apart >= 0.5:
        return 1.0
    return float(min(1.0, max(0.0, 1 - (1 - 2 * highest) ** 2 / (1 - 2 * apart))))


def log_xi(n: int) -> float:
    """ln of xi(n), the sum over k = 0..n of C(n, k) (k / n)^k (1 - k / n)^(n - k).

    The sum is n! / n^n times that of n^k / k! (by Abel's identity), hence sqrt(2 pi n) e^s(n) times the chance that a
    Poisson number of mean n is at most n, s(n) being what Stirling's formula leaves of ln n!: nothing is summed.
    """
    check_rows(n, 1)
    return 0.5 * math.log(2 * math.pi * n) + _stirling_rest(n) + math.log(float(special.gammaincc(n + 1.0, float(n))))


def _stirling_rest(n: int) -> float:
    """ln n! - ((n + 1/2) ln n - n + ln(2 pi) / 2)."""
    if n < LARGE:
        return math.lgamma(n + 1) - ((n + 0.5) * math.log(n) - n + 0.5 * math.log(2 * math.pi))
    squared = 1 / (float(n) * n)
    series = np.polynomial.polynomial.polyval(squared, (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360))
    return float(series / n)
