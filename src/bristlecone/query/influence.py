"""How much each variable matters: influences in three conventions, and what the theory builds on them. SPEC C1, C3.

re-randomised   Pr[f(x) != f(x^(i))], coordinate i drawn afresh: the convention of this library.
osss            twice that (O'Donnell, Saks, Schramm, Servedio, and the noise-tolerance paper).
flip            Pr[f(x) != f(x with i flipped)]: the re-randomised one over 2 p_i (1 - p_i).
variance        Pr[f(x) != f(y)] of two independent points, 2 q (1 - q) with q the chance of a 1: the one convention
                that fits re-randomised influences (SPEC C1; the source mixes it with 4 q (1 - q)).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.query.checks import check_whole, generator_of
from bristlecone.query.depth import average_depth
from bristlecone.query.distributions import ProductDistribution, bits
from bristlecone.query.functions import TableFunction, as_oracle, boolean, known
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["Monotonicity", "convert", "influence", "monotonicity", "osss_ratio", "total_influence", "variance"]

Convention = Literal["rerandomised", "osss", "flip"]
CONVENTIONS = ("rerandomised", "osss", "flip")
CHUNK_BYTES = 1 << 23  # of questions that an estimate asks at a time


def influence(
    f: Any,
    dist: ProductDistribution,
    *,
    convention: Convention = "rerandomised",
    n_samples: int | None = None,
    random_state: Any = None,
) -> Floats:
    """The influence of each variable, (n,).

    f: a truth table (2^n,), bit i of the place being x_i; a Tree over n columns of 0 and 1, of any n, for which nothing
    is enumerated; or a callable on (m, n) uint8 arrays. Labels are of any two kinds. Exact unless n_samples is given:
    then it is estimated at so many points, each with every coordinate drawn afresh; a callable of more than 20
    variables can only be estimated. Raises ValueError or TypeError for anything else. Source: SPEC C1.
    """
    if n_samples is None:
        found = known(f, dist).function.influences.copy()
    else:
        found = _estimated(f, dist, n_samples, generator_of(random_state))
    return convert(found, dist, to=convention)


def convert(
    influences: npt.ArrayLike, dist: ProductDistribution, *, of: Convention = "rerandomised", to: Convention
) -> Floats:
    """Influences (n,) of one convention in another. Source: SPEC C1."""
    p = boolean(dist)
    for given in (of, to):
        if given not in CONVENTIONS:
            raise ValueError(f"convention must be one of {', '.join(map(repr, CONVENTIONS))}, got {given!r}")
    try:
        found: Floats = np.asarray(influences, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"influences must be numbers, got {influences!r}") from None
    if found.shape != (len(p),):
        raise ValueError(f"influences must be ({len(p)},), got {found.shape}")
    if of == to:
        return found
    differ = 2.0 * p * (1.0 - p)  # the chance that a fresh draw is another value
    parts: dict[str, Floats | float] = {"rerandomised": 1.0, "osss": 0.5, "flip": differ}
    return found * parts[of] / parts[to]


def total_influence(f: Any, dist: ProductDistribution) -> float:
    """The sum of the re-randomised influences, exactly; f as in `influence`."""
    return float(known(f, dist).function.influences.sum())


def variance(f: Any, dist: ProductDistribution) -> float:
    """Pr[f(x) != f(y)] = 2 q (1 - q), exactly; f as in `influence`."""
    function = known(f, dist).function
    return 2.0 * function.zeros * function.ones


def osss_ratio(f: Any, tree: Tree, dist: ProductDistribution) -> float:
    """max_i Inf_i over Variance / (average depth of a tree that computes f): at least 1 (SPEC C3, C.1; OSSS 2005).

    Equal to 1 for a conjunction. Raises ValueError where f is constant.
    """
    function = known(f, dist).function
    spread = 2.0 * function.zeros * function.ones
    if spread == 0:
        raise ValueError("f is constant: it has no variance to compare with")
    return float(function.influences.max() * average_depth(tree, dist) / spread)


class Monotonicity(NamedTuple):
    """Which way answers go when a variable grows, (n,) each: whether some rise, and whether some fall."""

    rises: npt.NDArray[np.bool_]
    falls: npt.NDArray[np.bool_]

    @property
    def monotone(self) -> bool:
        """Whether no answer falls when a variable grows from 0 to 1."""
        return not self.falls.any()

    @property
    def unate(self) -> bool:
        """Whether each variable moves answers one way only."""
        return not (self.rises & self.falls).any()


def monotonicity(f: Any, dist: ProductDistribution) -> Monotonicity:
    """Which variables ever raise or lower the answer (the greater label counts as 1), exactly; f as in `influence`."""
    function = known(f, dist).function
    if not isinstance(function, TableFunction):
        return Monotonicity(function.rise > 0, function.fall > 0)
    rises, falls = np.zeros(dist.n, dtype=bool), np.zeros(dist.n, dtype=bool)
    for i in range(dist.n):
        halves = function.table.reshape(-1, 2, 1 << i)
        rises[i], falls[i] = (halves[:, 0] < halves[:, 1]).any(), (halves[:, 0] > halves[:, 1]).any()
    return Monotonicity(rises, falls)


def _estimated(f: Any, dist: ProductDistribution, n_samples: int, generator: np.random.Generator) -> Floats:
    p = boolean(dist)
    check_whole(1, n_samples=n_samples)
    oracle = as_oracle(f, dist)
    changes = np.zeros(len(p), dtype=np.int64)
    chunk = max(1, CHUNK_BYTES // len(p) ** 2)
    for start in range(0, int(n_samples), chunk):
        X = bits(p, min(chunk, int(n_samples) - start), generator)
        answers = oracle.kinds(X.copy())
        Y, row, i = _core.redraws(X, bits(p, len(X), generator))
        changes += np.bincount(i[oracle.kinds(Y) != answers[row]], minlength=len(p))
    return changes / int(n_samples)
