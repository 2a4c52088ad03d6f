"""The binary kl and its inverses, to the last digits, against seventy of them."""

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference import certify as twin

from bristlecone.certify import kl, kl_inverse

SMALL = st.floats(1e-30, 1e-12)
CHANCES = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(1e-30, 1) | SMALL | SMALL.map(lambda x: 1 - x)
NATS = st.floats(1e-3, 50) | st.floats(1e-12, 1e-3)


def test_av_a3_the_lower_inverse():
    assert kl_inverse(0.1, 0.012142757093605, upper=False) == pytest.approx(0.05972406868523278, abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(CHANCES, NATS)
@example(0.0, 1e-40)
@example(1.0, 1.0)
@example(1e-30, 1e-3)
@example(0.5, 1e-12)
def test_the_inverses_are_right_to_the_last_digits(q, c):
    high, low = kl_inverse(q, c), kl_inverse(q, c, upper=False)
    assert 0 <= low <= q <= high <= 1
    # the answer is the outer neighbour: at most three floats away, and what kl itself can resolve
    for got, upper in ((high, True), (low, False)):
        exact = float(twin.kl_inverse(q, c, upper, twin.EXACT))
        tolerance = 8 * np.spacing(max(got, exact)) + 1e-15 * _condition(q, c, exact) + 1e-100
        assert abs(got - exact) <= tolerance


def _condition(q, c, p):
    """By how much p moves when the two terms of kl are a relative 1e-16 off."""
    if p in (0.0, 1.0) or p == q:
        return 0.0
    slope = abs((p - q) / (p * (1 - p)))
    sizes = abs(q * math.log(q / p)) if q > 0 else 0.0
    sizes += abs((1 - q) * math.log1p((p - q) / (1 - p))) if q < 1 else 0.0
    return sizes / slope


@settings(deadline=None)
@given(CHANCES, CHANCES)
def test_kl_is_what_it_is_by_seventy_digits(q, p):
    exact = float(twin.kl(Decimal(q), Decimal(p)))
    rounding = 2e-16 * abs(p - q) + 1e-300
    assert kl(q, p) == (math.inf if math.isinf(exact) else pytest.approx(exact, rel=1e-9, abs=rounding))


@settings(deadline=None)
@given(CHANCES, st.floats(1e-6, 5), st.booleans())
def test_c_more_is_farther(q, c, upper):
    nearer, farther = kl_inverse(q, [c, 2 * c], upper=upper)
    assert farther >= nearer if upper else farther <= nearer


def test_ends():
    assert kl_inverse(0.0, 0.1) == pytest.approx(-math.expm1(-0.1), rel=3e-16)
    assert kl_inverse(1.0, 0.1, upper=False) == pytest.approx(math.exp(-0.1), rel=3e-16)
    assert kl_inverse([0.0, 0.3, 1.0], 0.0).tolist() == [0.0, 0.3, 1.0]
    assert kl_inverse([0.0, 0.3, 1.0], math.inf).tolist() == [1.0, 1.0, 1.0]
    assert kl_inverse([0.0, 0.3, 1.0], math.inf, upper=False).tolist() == [0.0, 0.0, 0.0]
    assert kl_inverse(0.3, 1e6) == 1.0
    assert kl(0.3, 0.0) == kl(0.3, 1.0) == math.inf
    assert kl(0.0, 0.0) == kl(1.0, 1.0) == kl(0.3, 0.3) == 0.0
    assert isinstance(kl_inverse(0.3, 0.1), float)
    assert kl_inverse(np.full((2, 3), 0.1), 0.2).shape == (2, 3)
    assert kl_inverse(np.empty(0), 0.2).shape == (0,)


@pytest.mark.parametrize(
    ("q", "c", "said"),
    [
        (1.5, 0.1, "q must be in [0, 1], got 1.5"),
        (-0.1, 0.1, "q must be in [0, 1], got -0.1"),
        (math.nan, 0.1, "q must be in [0, 1], got nan"),
        ([0.1, 2.0], 0.1, "q must be in [0, 1], got 2.0"),
        (0.1, -1.0, "c must be at least 0, got -1.0"),
        (0.1, math.nan, "c must be at least 0, got nan"),
    ],
)
def test_what_is_refused(q, c, said):
    with pytest.raises(ValueError) as refused:
        kl_inverse(q, c)
    assert str(refused.value) == said
