"""Cells of other rows: the labels stay, what they are labels of does not. SPEC D8, 3."""

from __future__ import annotations

from typing import Any

from bristlecone.grow.chance import Rng
from bristlecone.noise.sample import Change, Corrupted, Sample, budget, corrupt


def feature_replace(X: Any, y: Any, eta: float, *, random_state: Any = None) -> Corrupted:
    """Give floor(eta n) rows, drawn at random, all the cells of another random row; they keep their labels.

    X: array, frame or Table of at least two rows; y: (n_rows,) labels of any number of classes. SPEC D8, 3.
    """
    return corrupt(X, y, eta, random_state, _change)


def _change(sample: Sample, eta: float, rng: Rng) -> Change:
    rows = sample.random_rows(budget(eta, sample.n_rows), rng)
    if sample.n_rows < 2 and len(rows):
        raise ValueError("feature_replace needs at least two rows")
    others = (rows + rng.integers(1, max(sample.n_rows, 2), len(rows))) % sample.n_rows
    return Change(rows, sample.target.codes[rows], others)
