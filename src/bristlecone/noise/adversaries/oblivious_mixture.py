"""Noise that does not look at the sample: rows drawn from a mixture of two distributions. SPEC D8, 7."""

from __future__ import annotations

from typing import Any

import numpy as np

from bristlecone.grow.chance import Rng
from bristlecone.noise.adversaries.insert_worst import worst_point
from bristlecone.noise.sample import Change, Corrupted, Sample, corrupt


def oblivious_mixture(X: Any, y: Any, eta: float, *, towards: Any = None, random_state: Any = None) -> Corrupted:
    """Make every row a draw of (1 - eta) D + eta E: with chance eta it is replaced by a draw of E.

    towards: (X, y) of a second table, whose rows E draws alike; None for the worst point of `insert_worst`.
    The number of replaced rows is binomial; the mixture lies within eta of D in total variation. Raises ValueError for
    a second table with other columns or labels. SPEC D8, 7.
    """
    return corrupt(X, y, eta, random_state, _change, other=towards)


def _change(sample: Sample, eta: float, rng: Rng) -> Change:
    rows = np.flatnonzero(rng.random(sample.n_rows) < eta)
    if sample.other is None:
        place, code = worst_point(sample)
        return Change(rows, np.full(len(rows), code, np.int32), np.full(len(rows), place))
    table, codes = sample.other
    drawn = rng.integers(table.n_rows, size=len(rows))
    return Change(rows, codes[drawn], sample.n_rows + drawn)
