"""Symmetric label noise: every row is as likely to lose its label as any other. SPEC D8, 1."""

from __future__ import annotations

from typing import Any

from bristlecone.grow.chance import Rng
from bristlecone.noise.sample import Change, Corrupted, Sample, budget, corrupt


def random_label_flip(X: Any, y: Any, eta: float, *, random_state: Any = None) -> Corrupted:
    """Give floor(eta n) rows, drawn at random, another label, each other class with the same chance.

    X: array, frame or Table; y: (n_rows,) labels of any number of classes. As weights, a flip of share r scales every
    Gini gain by (1 - 2 r)^2 and leaves the tree as it is; entropy does not. SPEC D8, 1.
    """
    return corrupt(X, y, eta, random_state, _change)


def _change(sample: Sample, eta: float, rng: Rng) -> Change:
    rows = sample.random_rows(budget(eta, sample.n_rows), rng)
    return Change(rows, sample.other_labels(rows, rng))
