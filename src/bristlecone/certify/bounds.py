"""Bounds on the error of one predictor, from its mean loss on rows that had no part in making it. SPEC A7.

n           independent certifying rows (or groups, each of which counts once).
delta       the chance that a bound fails, over the draw of those rows.
r           the mean loss on them, in [0, 1]: of one tree, or of the Gibbs predictor, which draws a pruning anew for
            every answer.
kl          KL(posterior || prior) in nats: what it costs that the posterior was chosen on the certifying rows.
complexity  what stands in its place for one tree: ln of what the prior gave it, and of what the draw gave it.
B           ln(2 sqrt(n) / delta).
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bristlecone.certify.kl import chances, kl_inverse, scalar_or_array
from bristlecone.subtrees.penalties import upper_error_rate
from bristlecone.tree.arrays import Floats

__all__ = [
    "best_lambda",
    "drawn_bound",
    "gibbs_bound",
    "holdout_bound",
    "lambda_bound",
    "mean_loss_bound",
    "pruning_bound",
    "tampered",
]

FEWEST = 8


def gibbs_bound(r: npt.ArrayLike, kl: npt.ArrayLike, n: int, delta: float, kind: Literal["kl", "lambda"] = "kl") -> Any:
    """The most that the error of the Gibbs predictor can be, with probability at least 1 - delta.

    r: its mean loss on n rows; kl: nats, at least 0; numbers, or arrays that go together. Holds for all posteriors at
    once, so that r and kl may be those of one that was chosen on these rows. kind: "kl" (the inverse of the binary kl
    at (kl + B) / n; Maurer, Seeger) or "lambda" (r + c + sqrt(c^2 + 2 r c) with c = (kl + B) / n: the least over lambda
    of Thiemann et al. 2017, Proposition 1 of the PAC-Bayes tree paper; never below the other).
    SPEC A7. Raises ValueError for fewer than 8 rows and for numbers out of range, by name.
    """
    risk, budget = chances("r", r), per_row(kl, n, delta)
    if kind == "kl":
        return kl_inverse(risk, budget)
    if kind != "lambda":
        raise ValueError(f"kind must be 'kl' or 'lambda', got {kind!r}")
    return scalar_or_array(lambda_form(risk, budget))


def lambda_form(r: npt.ArrayLike, c: npt.ArrayLike) -> Floats:
    """r + c + sqrt(c^2 + 2 r c), at most 1: reached at c = 1 whatever r is, so that larger ones, inf too, are that."""
    risk, budget = np.asarray(r, dtype=np.float64), np.minimum(np.asarray(c, dtype=np.float64), 1.0)
    bound: Floats = np.minimum(risk + budget + np.sqrt(budget * budget + 2 * risk * budget), 1.0)
    return bound


def best_lambda(r: npt.ArrayLike, kl: npt.ArrayLike, n: int, delta: float) -> Any:
    """The lambda in (0, 1] at which `lambda_bound` is least: 2 / (sqrt(2 r / c + 1) + 1), c = (kl + B) / n. SPEC A7.

    Arguments and errors as in `gibbs_bound`.
    """
    return scalar_or_array(np.asarray(2 / (np.sqrt(2 * chances("r", r) / per_row(kl, n, delta) + 1) + 1)))


def lambda_bound(lam: npt.ArrayLike, log_ratio: npt.ArrayLike, n: int, delta: float) -> Any:
    """Proposition 1 at the posterior of one lambda, from the weights of all prunings alone: F(lambda) of SPEC A7.

    lam: in (0, 2). log_ratio: ln of the prior's total over that of the posterior P(T) e^(-lam errors(T)), in nats:
    kl + lam n r of that posterior. F = (log_ratio + B) / (lam (1 - lam / 2) n), not clipped at 1.
    Raises ValueError for lam outside (0, 2) and as `gibbs_bound` does.
    """
    lam = np.asarray(lam, dtype=np.float64)
    if not ((lam > 0) & (lam < 2)).all():
        raise ValueError(f"lam must be in (0, 2), got {lam}")
    return scalar_or_array(np.asarray(per_row(log_ratio, n, delta) / (lam * (1 - lam / 2))))


def pruning_bound(r: npt.ArrayLike, log_prior: npt.ArrayLike, n: int, delta: float) -> Any:
    """The most that the error of one pruning can be, however it was chosen on the certifying rows. SPEC A7.

    r: its mean loss on n rows; log_prior: ln of what the prior gave it, at most 0. The kl-inverse at (-log_prior + B)
    / n: `gibbs_bound` of a posterior that is sure of it. Errors as in `gibbs_bound`.
    """
    return kl_inverse(chances("r", r), per_row(-np.asarray(log_prior, dtype=np.float64), n, delta, name="-log_prior"))


def drawn_bound(r: npt.ArrayLike, log_posterior: npt.ArrayLike, log_prior: npt.ArrayLike, n: int, delta: float) -> Any:
    """The most that the error of one pruning drawn from the posterior can be, over the rows and the draw. SPEC A7.

    r: its mean loss on n rows; log_posterior, log_prior: ln of its chances under both. The kl-inverse at
    (max(0, log_posterior - log_prior + B)) / n. The draw must not depend on the rows but through the posterior, as with
    a seed fixed beforehand. It holds for that draw: who looks at K of them shares delta among the K.

    Proof: the mean over draws from the posterior of (prior / posterior) e^(n kl(r, R)) is at most its mean over draws
    from the prior, and that, over the rows, is at most 2 sqrt(n) (Maurer 2004); Markov. Errors as in `gibbs_bound`.
    """
    posterior, prior = (np.asarray(given, dtype=np.float64) for given in (log_posterior, log_prior))
    for name, values in (("log_posterior", posterior), ("log_prior", prior)):
        if not (values <= 1e-9).all():
            raise ValueError(f"{name} must be at most 0, the logarithm of a chance, got {values}")
    if not np.isfinite(posterior).all():
        raise ValueError(f"log_posterior must be finite, for what was drawn had a chance, got {posterior}")
    return kl_inverse(chances("r", r), np.maximum(posterior - prior + log_term(n, delta), 0.0) / n)


def holdout_bound(errors: int, n: int, delta: float, *, corrupted: float = 0.0) -> float:
    """The most that the error of a classifier can be which n independent rows had no part in making. SPEC A7.

    errors: how many of them it gets wrong, 0 to n; Clopper and Pearson's exact upper limit, one-sided. corrupted: the
    most that can have been tampered with, as a share of the n rows: so many errors are added. It holds then as long as
    what was done to the growing rows did not depend on these.
    Raises ValueError or TypeError by name. For losses that are not 0 or 1 there is `mean_loss_bound`.
    """
    check_rows(n, 1)
    check_delta(delta)
    if isinstance(errors, bool | np.bool_) or not isinstance(errors, Real) or errors % 1 != 0:
        raise TypeError(f"errors must be a whole number of rows, got {errors!r}")
    if not 0 <= errors <= n:
        raise ValueError(f"errors must be from 0 to n={n}, got {errors!r}")
    wrong = min(int(errors) + tampered(n, corrupted), n)
    return float(upper_error_rate(wrong, n - wrong, delta))


def mean_loss_bound(r: npt.ArrayLike, n: int, delta: float) -> Any:
    """The most that the mean loss of a predictor can be which n independent rows had no part in making.

    r: its mean loss on them, each loss in [0, 1], fractions included. The kl-inverse at ln(1 / delta) / n (Chernoff,
    Hoeffding 1963): a little above `holdout_bound`, which losses of 0 and 1 alone allow. Errors as there.
    """
    check_rows(n, 1)
    return kl_inverse(chances("r", r), -math.log(check_delta(delta)) / n)


def tampered(n: int, corrupted: float) -> int:
    """The most rows of n that a share `corrupted` of them can be. Raises ValueError outside [0, 1]."""
    if isinstance(corrupted, bool | np.bool_) or not isinstance(corrupted, Real) or not 0 <= corrupted <= 1:
        raise ValueError(f"corrupted must be a share in [0, 1], got {corrupted!r}")
    # As it is written: 0.29 of 100 rows are 29, which the nearest float falls short of.
    return math.floor(Fraction(repr(float(corrupted))) * n)


def per_row(kl: npt.ArrayLike, n: int, delta: float, *, factor: float = 1.0, name: str = "kl") -> Floats:
    """(factor kl + B) / n. Raises ValueError for what the bounds cannot take."""
    nats = np.asarray(kl, dtype=np.float64)
    if not (nats >= -1e-9).all():  # what the rounding of a sum of logarithms leaves
        raise ValueError(f"{name} must be at least 0, got {nats}")
    return np.asarray((factor * np.maximum(nats, 0.0) + log_term(n, delta)) / n)


def log_term(n: int, delta: float) -> float:
    """B, once n and delta have been checked."""
    return math.log(2 * math.sqrt(check_rows(n, FEWEST))) - math.log(check_delta(delta))


def check_rows(n: int, fewest: int) -> int:
    """n. Raises TypeError or ValueError unless it is a whole number of at least `fewest`."""
    if isinstance(n, bool | np.bool_) or not isinstance(n, Integral):
        raise TypeError(f"n must be a whole number of independent rows, got {n!r}")
    if n < fewest:
        raise ValueError(f"n must be at least {fewest}, got {n}: a bound from so few rows says nothing")
    return int(n)


def check_delta(delta: float) -> float:
    """delta. Raises ValueError unless it is a chance, 0 and 1 excluded."""
    if isinstance(delta, bool | np.bool_) or not isinstance(delta, Real) or not 0 < delta < 1:
        raise ValueError(f"delta must be a number between 0 and 1, got {delta!r}")
    return float(delta)
