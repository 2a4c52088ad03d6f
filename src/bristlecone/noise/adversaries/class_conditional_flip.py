"""Label noise in one class only, such as positives that nobody noticed. SPEC D8, 1."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from bristlecone.grow.chance import Rng
from bristlecone.grow.targets import plain
from bristlecone.noise.sample import Change, Corrupted, Sample, budget, corrupt


def class_conditional_flip(X: Any, y: Any, eta: float, *, label: Any = None, random_state: Any = None) -> Corrupted:
    """Give floor(eta n) rows of one class, drawn at random, another label; all its rows where it has no more.

    label: the class; None for the last one, in order. eta is a share of all rows, not of the class. Raises ValueError
    for a label that y does not have.
    """

    def change(sample: Sample, eta: float, rng: Rng) -> Change:
        labels = [plain(one) for one in sample.target.classes]
        if label is not None and not (isinstance(label, Hashable) and plain(label) in labels):
            raise ValueError(f"label={label!r} is not a class; the classes are {labels!r:.200}")
        code = len(labels) - 1 if label is None else labels.index(plain(label))
        of_class = np.flatnonzero(sample.target.codes == code)
        rows = rng.choice(of_class, min(budget(eta, sample.n_rows), len(of_class)), replace=False)
        return Change(rows, sample.other_labels(rows, rng))

    return corrupt(X, y, eta, random_state, change)
