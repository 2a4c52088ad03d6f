"""Predicates that a module holds, for tests that save trees."""

import numpy as np

from bristlecone.grow import Predicates


def _ask(table):
    first, second = (np.asarray(column) for column in table.columns[:2])
    return np.column_stack([first < second, first + second > 1])


rising = Predicates(("first below second", "sum above 1"), _ask)
