"""What a model is distilled on: the values to ask with, the rows to grow on, and the rows put aside."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bristlecone.query.distributions import Places, ProductDistribution
from bristlecone.table import CellError

__all__ = ["Ground", "ground_of"]

SPACES = ("rows", "product")
GROWTHS = ("gain", "influence")
MOST_ASIDE = 5000  # rows to certify on
COMPARED = 2  # times as many are compared on: candidates are much alike
FEWEST_ASIDE = 100  # of a table that has ten times as many; a tenth of smaller ones
FEWEST_ROWS = 10


@dataclass(frozen=True, eq=False)
class Ground:
    """dist: all values, with their marginals. growing, comparing, certifying: rows that have no other use, as places,
    or points of a distribution. candidates: pairs of space and growth. like_rows: whether rows were given.
    """

    dist: ProductDistribution
    growing: Places
    comparing: Places
    certifying: Places
    candidates: tuple[tuple[str, str], ...]
    like_rows: bool


def ground_of(like: Any, space: str, growth: str, aside: float, generator: np.random.Generator) -> Ground:
    """The ground of a table or a distribution. Raises ValueError naming what is wrong; warns of constant columns."""
    for name, value, allowed in (("space", space, SPACES), ("growth", growth, GROWTHS)):
        if value not in ("auto", *allowed):
            raise ValueError(f"{name} must be 'auto' or one of {', '.join(map(repr, allowed))}, got {value!r}")
    if isinstance(aside, bool) or not isinstance(aside, int | float | np.number) or not 0 < aside <= 0.4:
        raise ValueError(f"aside must be a share of the rows, above 0 and at most 0.4, got {aside!r}")
    growths = GROWTHS if growth == "auto" else (growth,)
    if isinstance(like, ProductDistribution):
        if space == "rows":
            raise ValueError("space='rows' needs a table in like, not a distribution")
        n = MOST_ASIDE // 2
        drawn = like.draw(2 * n, generator)
        return Ground(like, drawn[:0], drawn[:n], drawn[n:], tuple(("product", g) for g in growths), False)
    dist = _marginals(like)
    assert dist.row_places is not None
    rows = dist.row_places[generator.permutation(len(dist.row_places))]
    if len(rows) < FEWEST_ROWS:
        raise ValueError(f"like has {len(rows)} rows; at least {FEWEST_ROWS} are needed, some of which are put aside")
    _warn_of_constants(dist)
    n = max(1, min(MOST_ASIDE, max(int(aside * len(rows)), min(FEWEST_ASIDE, len(rows) // 10))))
    spaces = SPACES if space == "auto" else (space,)
    candidates = tuple((s, g) for s in spaces for g in growths)
    compared = min(COMPARED * n, len(rows) // 3) if len(candidates) > 1 else 0
    return Ground(dist, rows[compared + n :], rows[:compared], rows[compared : compared + n], candidates, True)


def _marginals(like: Any) -> ProductDistribution:
    if like is None or isinstance(like, str | bytes | Path):
        raise ValueError(f"like: expected an array, a frame, a Table or a ProductDistribution, got {like!r}")
    try:
        return ProductDistribution.from_table(like)
    except (ValueError, TypeError) as fault:
        of_text = isinstance(fault, CellError) and isinstance(like, np.ndarray | list)
        advice = ", or hand over a frame, whose columns of text are categories" if of_text else ""
        raise (TypeError if isinstance(fault, TypeError) else ValueError)(f"like: {fault}{advice}") from fault


def _warn_of_constants(dist: ProductDistribution) -> None:
    constant = [c.column.name for c in dist.coordinates if len(c.values) == 1]
    if constant:
        named = ", ".join(map(repr, constant[:10])) + (" and more" if len(constant) > 10 else "")
        why = "what the model does with other values cannot be learned from it"
        warnings.warn(f"like never varies {named}: {why}", stacklevel=4)
