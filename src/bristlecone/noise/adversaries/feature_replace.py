"""Cells of other rows: the labels stay, what they are labels of does not. SPEC D8, 3."""

from __future__ import annotations

from typing import Any

import numpy as np

from bristlecone.grow.chance import Rng
from bristlecone.grow.parameters import check_parameters, one_of
from bristlecone.noise.sample import Change, Corrupted, Ints, Sample, budget, corrupt

_CHECKS = {"lenders": one_of("other_class", "any")}


def feature_replace(X: Any, y: Any, eta: float, *, lenders: str = "other_class", random_state: Any = None) -> Corrupted:
    """Give floor(eta n) rows, drawn at random, all the cells of another random row; they keep their labels.

    X: array, frame or Table of at least two rows; y: (n_rows,) labels of any number of classes. lenders: "other_class"
    draws the other row from those of another class (from all where y has one class only), "any" from all, which
    leaves the row as good as it was where the lender happens to be of its class. SPEC D8, 3, whose draw is "any".
    """
    check_parameters({"lenders": lenders}, _CHECKS)

    def change(sample: Sample, eta: float, rng: Rng) -> Change:
        rows = sample.random_rows(budget(eta, sample.n_rows), rng)
        if sample.n_rows < 2 and len(rows):
            raise ValueError("feature_replace needs at least two rows")
        drawn = _of_other_class if lenders == "other_class" and sample.target.n_classes > 1 else _of_all
        return Change(rows, sample.target.codes[rows], drawn(sample, rows, rng))

    return corrupt(X, y, eta, random_state, change)


def _of_all(sample: Sample, rows: Ints, rng: Rng) -> Ints:
    return (rows + rng.integers(1, max(sample.n_rows, 2), len(rows))) % sample.n_rows


def _of_other_class(sample: Sample, rows: Ints, rng: Rng) -> Ints:
    """For each row one of another class: rows in order of classes, of which its own class's are stepped over."""
    order = np.argsort(sample.target.codes, kind="stable")
    size = np.bincount(sample.target.codes)
    own = sample.target.codes[rows]
    place = rng.integers(sample.n_rows - size[own])
    start = (np.cumsum(size) - size)[own]
    return order[np.where(place < start, place, place + size[own])]
