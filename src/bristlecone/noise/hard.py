"""The noise paper's hard instance: so little corruption that no single column says anything any more. SPEC D6.

tribes       g(x) = +1 iff all w columns of some of the m blocks are +1; k = w m relevant columns of d, uniform.
E            a bit b in all relevant columns, the others uniform, the label -b.
eta          the share of E at which every covariance is zero: v / (1 + v), v = Cov(x_i, y) of a relevant column.
Columns and labels are -1 or +1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.grow.chance import generator
from bristlecone.grow.parameters import Check, check_parameters, one_of, whole
from bristlecone.noise.monotone import as_bits

__all__ = ["TribesInstance", "tribes_instance"]

Ints = npt.NDArray[np.int64]

MOST_COLUMNS = 20  # of an exact table: a row for each of 2^d points and more

_OF_SAMPLE = {"n": whole(1), "corrupted": Check(lambda value: isinstance(value, bool | np.bool_), "True or False")}
_CHECKS: dict[str, Check] = {"w": whole(1), "m": whole(1), "d": whole(1), "relevant": one_of("first", "last")}


@dataclass(frozen=True)
class TribesInstance:
    """The distribution D of the noise paper's Theorem 4.1 and its corruption, with exact numbers."""

    w: int
    m: int
    d: int
    relevant: str = "last"

    def __post_init__(self) -> None:
        check_parameters({name: getattr(self, name) for name in _CHECKS}, _CHECKS, "tribes_instance")
        for name in ("w", "m", "d"):
            object.__setattr__(self, name, int(getattr(self, name)))  # numpy's whole numbers overflow
        if self.d < self.k:
            raise ValueError(f"d={self.d}: must be at least w * m = {self.k}, the number of relevant columns")

    @property
    def k(self) -> int:
        """How many columns are relevant."""
        return self.w * self.m

    @property
    def relevant_columns(self) -> list[int]:
        """Their places."""
        first = 0 if self.relevant == "first" else self.d - self.k
        return list(range(first, first + self.k))

    @property
    def q(self) -> Fraction:
        """Pr[g = -1]."""
        return Fraction((2**self.w - 1) ** self.m, 2**self.k)

    @property
    def covariance(self) -> Fraction:
        """v, the covariance of each relevant column with the label, both of -1 and +1."""
        return 2 * self.q / Fraction(2**self.w - 1)

    @property
    def eta(self) -> Fraction:
        """The share of E, and the total variation between D and its corruption."""
        v = self.covariance
        return v / (1 + v)

    @property
    def gamma(self) -> Fraction:
        """The advantage of the best projection, on D and on every restriction of it at least this."""
        return self.covariance / (4 * self.q * (1 - self.q))

    @property
    def minority(self) -> Fraction:
        """The clean error of a tree that has not found a relevant column: the mass of the rarer label."""
        return min(self.q, 1 - self.q)

    def labels(self, X: npt.ArrayLike) -> Ints:
        """The clean labels of rows of -1 and +1, (n_rows, d) to (n_rows,)."""
        bits = as_bits(X, self.d)[:, self.relevant_columns]
        whole_blocks = np.logical_and.reduce(bits.reshape(len(bits), self.m, self.w), axis=2)
        return np.where(np.logical_or.reduce(whole_blocks, axis=1), 1, -1)

    def sample(self, n: int, random_state: Any = None, corrupted: bool = True) -> tuple[Ints, Ints]:
        """n independent rows of -1 and +1, (n, d), with their labels, (n,). corrupted: of the mixture, else of D."""
        check_parameters({"n": n, "corrupted": corrupted}, _OF_SAMPLE, "sample")
        rng = generator(random_state)
        X = 2 * rng.integers(0, 2, (n, self.d)) - 1
        y = self.labels(X)
        if corrupted:
            rows = np.flatnonzero(rng.random(n) < float(self.eta))
            bit = X[rows, self.relevant_columns[0]]
            X[rows[:, None], self.relevant_columns] = bit[:, None]
            y[rows] = -bit
        return X, y

    def table(self, corrupted: bool = True) -> tuple[Ints, Ints, Ints]:
        """The whole distribution: rows (n, d), labels (n,) and whole weights (n,), in proportion to the probabilities.

        Grown with these weights, Gini gains are compared as exact rationals. Raises ValueError beyond 20 columns.
        """
        check_parameters({"corrupted": corrupted}, _OF_SAMPLE, "table")
        if self.d > MOST_COLUMNS:
            raise ValueError(f"d={self.d}: a table of all rows is made for at most {MOST_COLUMNS} columns; use sample")
        X = _cube(self.d)
        y, weight = self.labels(X), np.ones(len(X), dtype=np.int64)
        if not corrupted:
            return X, y, weight
        free = [j for j in range(self.d) if j not in self.relevant_columns]
        E = np.empty((2 * 2 ** len(free), self.d), dtype=np.int64)
        E[:, free] = np.tile(_cube(len(free)), (2, 1))
        bit = np.repeat([-1, 1], 2 ** len(free))
        E[:, self.relevant_columns] = bit[:, None]
        clean, dirty = self._weights()
        parts = [np.full(len(X), clean), np.full(len(E), dirty)]
        return np.concatenate([X, E]), np.concatenate([y, -bit]), np.concatenate(parts)

    def _weights(self) -> tuple[int, int]:
        """Of one row of D and one of E: (1 - eta) / 2^d to eta / 2^(d - k + 1), in least whole numbers."""
        clean = self.eta.denominator - self.eta.numerator
        dirty = self.eta.numerator * 2 ** (self.k - 1)
        shared = math.gcd(clean, dirty)
        return clean // shared, dirty // shared


def tribes_instance(w: int, m: int, d: int, *, relevant: str = "last") -> TribesInstance:
    """The hard instance over the tribes function of m blocks of w columns, in d columns.

    relevant: "last" or "first", where the w * m relevant columns stand. Ties go to the lowest column, so with "last"
    growth asks every other column first, as the theorem lets the adversary choose. Its numbers are exact fractions:
    `eta`, `gamma`, `covariance`, `minority`. Blanc, Lange, Malik and Tan, ICML 2022, Theorem 4.1; the function is SPEC
    D6's, for Proposition 4.6's was not to be had. Raises ValueError for d < w * m.
    """
    return TribesInstance(w, m, d, relevant)


def _cube(n_columns: int) -> Ints:
    """All rows of -1 and +1."""
    places = np.arange(2**n_columns)
    return 2 * ((places[:, None] >> np.arange(n_columns)[::-1]) & 1) - 1
