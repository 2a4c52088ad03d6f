"""Concave impurities of two classes, with the curvature that the noise paper's bounds ask for. SPEC D1-D2.

impurity    G from the share p of the second class to a number: concave, G(p) = G(1 - p), G(0) = G(1) = 0, G(1/2) = 1.
kappa       the least curvature, the infimum of -G'' over (0, 1): a split of covariance c drops G by at least
            2 kappa c^2 (Blanc, Lange, Malik and Tan, ICML 2022, Remark C.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bristlecone.grow.criteria import Criterion, names_of
from bristlecone.grow.parameters import Check, check_parameters, none_or, number, one_of

__all__ = ["IMPURITIES", "Impurity", "criterion_check", "criterion_of", "named_impurity"]

Floats = npt.NDArray[np.float64]

_GRID = np.linspace(0.0, 1.0, 1025)
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Impurity:
    """A concave impurity. name: what trees and messages call it; of: G, from an array of shares to an array; kappa: see
    the head of this file, None where it is not known.

    G and kappa are held to their definition on a grid of 1,025 shares: ValueError where they fail it, which no grid can
    do for all shares between.
    """

    name: str
    of: Callable[[Floats], Floats]
    kappa: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ValueError(f"name must be a word; got {self.name!r:.100}")
        if not callable(self.of):
            raise TypeError(f"of must be a function of an array of shares; got {self.of!r:.100}")
        try:
            values = np.asarray(self.of(_GRID.copy()), dtype=np.float64)
        except Exception as error:  # whatever a user's function may raise
            raise ValueError(f"impurity {self.name!r} cannot be asked: {type(error).__name__}: {error}") from error
        if values.shape != _GRID.shape or not np.isfinite(values).all():
            raise ValueError(f"impurity {self.name!r} does not answer an array of shares with as many finite numbers")
        ends_and_middle = values[[0, -1, len(values) // 2]]
        if np.abs(ends_and_middle - [0.0, 0.0, 1.0]).max() > _SLACK:
            found = ", ".join(f"{value:.6g}" for value in ends_and_middle.tolist())
            raise ValueError(f"impurity {self.name!r} is {found} at 0, 1 and 1/2; it must be 0, 0 and 1 there")
        if np.abs(values - values[::-1]).max() > _SLACK:
            raise ValueError(f"impurity {self.name!r} is not the same for p and 1 - p")
        self._check_curvature(values)

    def _check_curvature(self, values: Floats) -> None:
        step = _GRID[1]
        curved = values[1:-1] - (values[:-2] + values[2:]) / 2
        if curved.min() < -_SLACK:
            at = float(_GRID[1 + int(np.argmin(curved))])
            raise ValueError(f"impurity {self.name!r} is not concave near p = {at:.4g}")
        if self.kappa is None:
            return
        check_parameters({"kappa": self.kappa}, {"kappa": none_or(number(0.0))})
        if (curved < self.kappa * step**2 / 2 - _SLACK).any():
            raise ValueError(f"kappa={self.kappa!r}: impurity {self.name!r} curves less than that")


def _entropy(p: Floats) -> Floats:
    inside = np.clip(p, np.finfo(np.float64).tiny, 1.0)
    outside = np.clip(1.0 - p, np.finfo(np.float64).tiny, 1.0)
    return np.abs(p * np.log2(inside) + (1.0 - p) * np.log2(outside))


IMPURITIES = {
    impurity.name: impurity
    for impurity in (
        Impurity("gini", lambda p: 4.0 * p * (1.0 - p), 8.0),
        Impurity("entropy", _entropy, 4.0 / math.log(2.0)),
        Impurity("sqrt", lambda p: 2.0 * np.sqrt(np.maximum(p * (1.0 - p), 0.0)), 4.0),
    )
}
"""Those the library knows, by name. "gini" is twice what the tree of the same name holds: here G(1/2) = 1."""


def named_impurity(impurity: str | Impurity) -> Impurity:
    """An impurity by its name, or as it is. Raises ValueError for a name that is none, TypeError for anything else."""
    if isinstance(impurity, Impurity):
        if impurity.name in names_of("classification") and impurity != IMPURITIES.get(impurity.name):
            raise ValueError(f"impurity {impurity.name!r} has the name of a criterion; give it another")
        return impurity
    if not isinstance(impurity, str):
        raise TypeError(f"impurity must be a name or an Impurity; got {impurity!r:.100}")
    if impurity not in IMPURITIES:
        listed = ", ".join(map(repr, IMPURITIES))
        raise ValueError(f"impurity={impurity!r}: must be one of {listed}, or an Impurity")
    return IMPURITIES[impurity]


def criterion_check(*tasks: str) -> Check:
    """What a criterion may be: a name, of these tasks; where classes are among them, also an `Impurity`."""
    named = one_of(*(name for task in tasks for name in names_of(task)))
    if "classification" not in tasks:
        return named
    return Check(
        lambda value: isinstance(value, Impurity) or named.passes(value), f"{named.wanted}, or a grow.Impurity"
    )


def criterion_of(given: str | Impurity) -> Criterion | Impurity:
    """The criterion that the compiled growth knows, or the impurity, which only numpy can work out.

    Raises ValueError for an impurity that bears the name of another criterion.
    """
    if not isinstance(given, Impurity):
        return Criterion(given)
    named = named_impurity(given)
    return Criterion(named.name) if named.name in IMPURITIES else named
