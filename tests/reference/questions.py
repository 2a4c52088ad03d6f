"""All questions that a column allows, one after another: the specification of ``noise.questions``."""

from __future__ import annotations

import itertools

import numpy as np


def left_sides(cells, categorical):
    """Every set of rows that some question of a column sends left."""
    present = ~np.isnan(cells)
    values = np.unique(cells[present])
    if categorical:
        groups = [cells == v for v in values] + [~present]
        for chosen in itertools.product([False, True], repeat=len(groups)):
            yield np.any(
                [g for g, one in zip(groups, chosen, strict=True) if one] or [np.zeros(len(cells), bool)], axis=0
            )
        return
    for t in values:
        yield present & (cells <= t)
        yield (present & (cells <= t)) | ~present
