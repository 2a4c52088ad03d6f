"""A shift towards another table: rows of another place, another year. SPEC D8."""

from __future__ import annotations

from typing import Any

from bristlecone.grow.chance import Rng
from bristlecone.noise.sample import Change, Corrupted, Sample, budget, corrupt


def table_shift(X: Any, y: Any, eta: float, *, to: Any, random_state: Any = None) -> Corrupted:
    """Replace floor(eta n) rows, drawn at random, by rows of another table.

    to: (X, y) of the other table, with the same columns and no other labels; its rows are drawn without repetition
    where it has enough of them. Columns of numbers of different types become one type, and so do texts.
    """
    if to is None:
        raise TypeError("to must be a pair (X, y), the other table and its labels")
    return corrupt(X, y, eta, random_state, _change, other=to)


def _change(sample: Sample, eta: float, rng: Rng) -> Change:
    assert sample.other is not None
    table, codes = sample.other
    rows = sample.random_rows(budget(eta, sample.n_rows), rng)
    drawn = rng.choice(table.n_rows, len(rows), replace=len(rows) > table.n_rows)
    return Change(rows, codes[drawn], sample.n_rows + drawn)
