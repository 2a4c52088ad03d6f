"""The binary relative entropy and its inverses: what turns a mean on rows into a bound on the mean to come. SPEC A7.

kl(q, p)    the relative entropy of two coins that show heads with chances q and p, in nats.
upper       the largest p with kl(q, p) <= c; at least q.
lower       the smallest such p; at most q.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.tree.arrays import Floats

__all__ = ["kl", "kl_inverse"]

AT_ONCE = 128  # points between two floats: an array operation costs as much for one


def kl(q: npt.ArrayLike, p: npt.ArrayLike) -> Any:
    """q ln(q / p) + (1 - q) ln((1 - q) / (1 - p)), in nats; a float, or an array where one is given. SPEC A7.

    q, p: chances in [0, 1]. Infinite where p is 0 or 1 and q is not. Raises ValueError for anything but chances.
    """
    first, second = np.broadcast_arrays(chances("q", q), chances("p", p))
    return scalar_or_array(_kl(first, second))


def kl_inverse(q: npt.ArrayLike, c: npt.ArrayLike, upper: bool = True) -> Any:
    """The largest p in [q, 1] with kl(q, p) <= c, or (upper=False) the smallest in [0, q]. SPEC A7, Maurer/Seeger.

    q: chances in [0, 1]; c: nats, 0 and infinity included; numbers or arrays that go together. By bisection over the
    floats themselves, down to two neighbours: the outer one is answered, so that no bound is too small by rounding.
    Raises ValueError for q outside [0, 1] and for c that is negative or NaN.
    """
    chance = chances("q", q)
    budget = np.asarray(c, dtype=np.float64)
    if not (budget >= 0).all():
        raise ValueError(f"c must be at least 0, got {_first(budget, ~(budget >= 0))}")
    chance, budget = np.broadcast_arrays(chance, budget)
    end = np.full(chance.shape, 1.0 if upper else 0.0)
    inside = np.isinf(budget) | (_kl(chance, end) <= budget)
    return scalar_or_array(np.where(budget == 0, chance, np.where(inside, end, _bisected(chance, budget, end))))


def chances(name: str, given: npt.ArrayLike) -> Floats:
    """Numbers in [0, 1]. Raises ValueError naming the first that is none."""
    values = np.asarray(given, dtype=np.float64)
    good = (values >= 0) & (values <= 1)
    if not good.all():
        raise ValueError(f"{name} must be in [0, 1], got {_first(values, ~good)}")
    return values


def scalar_or_array(values: Floats) -> Any:
    """A number for what has no dimensions."""
    return float(values) if values.ndim == 0 else values


def _bisected(q: Floats, c: Floats, end: Floats) -> Floats:
    """The float on the far side of the root between q and end; kl(q, .) is at most c at q, and above it at end."""
    # Floats of one sign lie in the order of their bits: a few cuts reach any accuracy, small numbers too.
    near, far = (np.ascontiguousarray(side).view(np.int64).reshape(q.shape) for side in (q + 0.0, end))
    parts = max(2, AT_ONCE // max(q.size, 1))
    cuts = np.arange(1, parts).reshape(-1, *[1] * q.ndim)
    while (np.abs(far - near) > 1).any():
        step = (far - near) // parts
        step = np.where(step == 0, np.sign(far - near), step)
        low, high = np.minimum(near, far), np.maximum(near, far)
        points = np.clip(near + cuts * step, low, high)
        inside = (_kl(q, points.view(np.float64)) <= c).sum(axis=0)
        outer = np.where(inside == parts - 1, far, np.clip(near + (inside + 1) * step, low, high))
        near, far = np.clip(near + inside * step, low, high), outer
    return far.view(np.float64)


def _kl(q: Floats, p: Floats) -> Floats:
    """kl; the two terms nearly cancel where p is near q, so that each is taken from the difference."""
    apart = p - q
    return np.maximum(-(_weighed_log(q, p, apart) + _weighed_log(1 - q, 1 - p, -apart)), 0.0)


def _weighed_log(a: Floats, b: Floats, apart: Floats) -> Floats:
    """a ln(b / a), apart being b - a; 0 where a is."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        close = np.abs(apart) < 0.5 * a
        ratio = np.where(close, np.log1p(np.where(close, apart / a, 0.0)), np.log(b) - np.log(a))
        return np.where(a == 0, 0.0, a * ratio)


def _first(values: Floats, bad: npt.NDArray[np.bool_]) -> float:
    return float(values[bad].flat[0]) if values.ndim else float(values)
