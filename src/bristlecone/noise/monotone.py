"""Monotone targets: functions of bits that never fall when a bit rises. SPEC D7.

term      some bits that must all be 1; a target is 1 where one of its terms holds. Every monotone function is of this
          form.
size      of a tree that computes the target: its leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.grow.chance import Rng, generator
from bristlecone.grow.parameters import Check, check_parameters, number, whole
from bristlecone.grow.targets import as_floats

__all__ = ["MonotoneTarget", "monotone_dnf", "monotone_tree"]

_TRIES = 1000
_LEAST = Check(lambda value: number(0.0, 0.5).passes(value) and value < 0.5, "a number of at least 0 and below 1/2")


def as_bits(X: Any, n_columns: int) -> npt.NDArray[np.bool_]:
    """Which cells of rows of numbers are above 0, (n_rows, n_columns). ValueError for another shape, or no numbers."""
    cells = as_floats(X, "X")
    if cells.ndim != 2 or cells.shape[1] != n_columns:
        raise ValueError(f"X has shape {cells.shape}; expected (n_rows, {n_columns})")
    if np.isnan(cells).any():
        row, column = np.argwhere(np.isnan(cells))[0].tolist()
        raise ValueError(f"X: the cell in row {row}, column {column} is missing")
    return cells > 0


@dataclass(frozen=True, slots=True)
class MonotoneTarget:
    """A monotone function of n_features bits. terms: see the head; size: leaves of a tree that computes it, or None."""

    n_features: int
    terms: tuple[tuple[int, ...], ...]
    size: int | None = None

    def __post_init__(self) -> None:
        check_parameters({"n_features": self.n_features}, {"n_features": whole(1)}, "MonotoneTarget")
        named = {bit for term in self.terms for bit in term}
        for bit in named:
            if not whole(0).passes(bit) or bit >= self.n_features:
                raise ValueError(f"MonotoneTarget: terms: {bit!r} is not one of the {self.n_features} bits, from 0")

    def __call__(self, X: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """0 or 1 for rows of 0 and 1 (of numbers, above 0 is 1), (n_rows, n_features) to (n_rows,)."""
        bits = as_bits(X, self.n_features)
        answers = np.zeros(len(bits), dtype=np.int64)
        for term in self.terms:
            answers |= bits[:, list(term)].all(axis=1)
        return answers

    def sample(
        self, n: int, p: Any = 0.5, random_state: Any = None
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """n rows of a product distribution and their labels. p: Pr[bit = 1], one number or (n_features,)."""
        check_parameters({"n": n}, {"n": whole(1)}, "sample")
        shares = as_floats(p, "p")
        if shares.shape not in ((), (self.n_features,)):
            raise ValueError(f"p has shape {shares.shape}; expected one number, or ({self.n_features},)")
        if not ((shares > 0) & (shares < 1)).all():
            raise ValueError(f"p={p!r:.100}: must lie between 0 and 1")
        X = (generator(random_state).random((n, self.n_features)) < shares).astype(np.int64)
        return X, self(X)


def monotone_dnf(n_features: int, n_terms: int, width: int, *, random_state: Any = None) -> MonotoneTarget:
    """A target of n_terms random terms of `width` bits each: OR of ANDs. ValueError for width > n_features."""
    given = {"n_features": n_features, "n_terms": n_terms, "width": width}
    check_parameters(given, dict.fromkeys(given, whole(1)))
    if n_features < width:
        raise ValueError(f"n_features={n_features!r}: must be at least the width, {width}")
    rng = generator(random_state)
    terms = [tuple(sorted(rng.choice(n_features, width, replace=False).tolist())) for _ in range(n_terms)]
    return MonotoneTarget(int(n_features), tuple(terms))


def monotone_tree(n_features: int, size: int, *, least: float = 0.1, random_state: Any = None) -> MonotoneTarget:
    """A monotone target that a tree of `size` leaves computes, drawn at random.

    It is a formula of ANDs and ORs that names no bit twice. B is asked where A leaves the answer open: with a_0 and a_1
    leaves of either label of A, and b of B, "A or B" has a_1 + a_0 b. Targets whose rarer label has less than `least`
    of the uniform cube are drawn again. Raises ValueError where none is found, as for too few bits.
    """
    check_parameters({"n_features": n_features, "size": size}, {"n_features": whole(1), "size": whole(2)})
    check_parameters({"least": least}, {"least": _LEAST})
    rng = generator(random_state)
    for _ in range(_TRIES):
        formula = _formula(size, rng)
        if formula.n_bits <= n_features and least <= formula.mass <= 1 - least:
            place = rng.permutation(n_features)
            terms = [tuple(sorted(int(place[bit]) for bit in term)) for term in formula.terms]
            return MonotoneTarget(int(n_features), tuple(sorted(terms)), int(size))
    raise ValueError(f"no monotone target of size={size} over n_features={n_features} bits was found in {_TRIES} draws")


@dataclass(frozen=True, slots=True)
class _Formula:
    """A formula over bits 0 to n_bits - 1. zeros, ones: leaves of either label of its tree; mass: Pr[1], uniform."""

    n_bits: int = 1
    terms: tuple[tuple[int, ...], ...] = ((0,),)
    zeros: int = 1
    ones: int = 1
    mass: float = 0.5

    def joined(self, other: _Formula, both: bool) -> _Formula:
        """This and the other one (both), or this or the other one, the other's bits renamed."""
        theirs = tuple(tuple(bit + self.n_bits for bit in term) for term in other.terms)
        n_bits = self.n_bits + other.n_bits
        if both:
            terms = tuple(one + two for one in self.terms for two in theirs)
            zeros, ones = self.zeros + self.ones * other.zeros, self.ones * other.ones
            return _Formula(n_bits, terms, zeros, ones, self.mass * other.mass)
        zeros, ones = self.zeros * other.zeros, self.ones + self.zeros * other.ones
        return _Formula(n_bits, self.terms + theirs, zeros, ones, 1 - (1 - self.mass) * (1 - other.mass))


def _formula(size: int, rng: Rng) -> _Formula:
    """A random formula whose tree has `size` leaves."""
    parts: list[tuple[_Formula, bool]] = []
    while size > 2:
        both = bool(rng.random() < 0.5)
        first = _formula(int(rng.integers(2, min(size, 10))), rng)
        open_leaves = first.ones if both else first.zeros
        rest, odd = divmod(size - (first.zeros + first.ones - open_leaves), open_leaves)
        if odd or rest < 2:
            first, rest = _Formula(), size - 1
        parts.append((first, both))
        size = rest
    formula = _Formula()
    for first, both in reversed(parts):
        formula = first.joined(formula, both)
    return formula
