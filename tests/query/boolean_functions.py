"""Small Boolean functions for the tests of the query room."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from bristlecone.query import ProductDistribution
from bristlecone.query.functions import all_points

SETTINGS = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
CHANCES = [Fraction(1, 2), Fraction(1, 4), Fraction(7, 8), Fraction(1, 16)]


@st.composite
def functions(draw, most=4, least=1):
    """A truth table and its chances, exact in binary fractions."""
    n = draw(st.integers(least, most))
    table = tuple(draw(st.lists(st.integers(0, 1), min_size=2**n, max_size=2**n)))
    p = draw(st.lists(st.sampled_from(CHANCES), min_size=n, max_size=n))
    return table, p


def dist_of(p):
    return ProductDistribution([float(chance) for chance in p])


def as_array(table):
    return np.array(table, dtype=np.uint8)


def error_of(tree, answers, dist):
    """The exact error of a tree on a function of few variables, given by all of its answers."""
    points = all_points(dist.n, 0, 1 << dist.n)
    weight = np.where(points == 1, dist.p, 1 - dist.p).prod(axis=1)
    return float(weight[tree.predict(points.astype(float)) != answers].sum())
