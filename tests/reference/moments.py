"""Functions of a few bits under product measures, in exact rationals: moments and influences, row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

Function = Callable[[tuple[int, ...]], int]  # rows of 0 and 1 to -1 or +1


def rows(p: Sequence[Fraction], fixed: dict[int, int] | None = None) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every row of the restriction with its probability given the fixed bits."""
    found = []
    for x in product((0, 1), repeat=len(p)):
        if all(x[i] == bit for i, bit in (fixed or {}).items()):
            mass = Fraction(1)
            for i, bit in enumerate(x):
                if i not in (fixed or {}):
                    mass *= p[i] if bit else 1 - p[i]
            found.append((x, mass))
    return found


def mean(f: Function, p: Sequence[Fraction], fixed: dict[int, int] | None = None) -> Fraction:
    return sum((mass * f(x) for x, mass in rows(p, fixed)), Fraction(0))


def variance(f: Function, p: Sequence[Fraction], fixed: dict[int, int] | None = None) -> Fraction:
    return 1 - mean(f, p, fixed) ** 2


def covariance(i: int, f: Function, p: Sequence[Fraction], fixed: dict[int, int] | None = None) -> Fraction:
    """Cov(x_i, f), x_i as -1 or +1."""

    def bit(x: tuple[int, ...]) -> int:
        return 2 * x[i] - 1

    both = sum((mass * bit(x) * f(x) for x, mass in rows(p, fixed)), Fraction(0))
    return both - mean(bit, p, fixed) * mean(f, p, fixed)


def influence(i: int, f: Function, p: Sequence[Fraction]) -> Fraction:
    """The noise paper's: 2 Pr[f(x) != f(x with bit i drawn anew)]."""
    total = Fraction(0)
    for x, mass in rows(p):
        for bit in (0, 1):
            again = (*x[:i], bit, *x[i + 1 :])
            total += 2 * mass * (p[i] if bit else 1 - p[i]) * (f(x) != f(again))
    return total
