"""Bounds on the vote: values of the specification, slow twins, the order they stand in."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference import certify as twin

from bristlecone.certify import gibbs_bound, majority_vote_bounds
from bristlecone.certify.bounds import tampered
from bristlecone.certify.vote import log_xi


def ten_digits(value):
    return pytest.approx(value, rel=1e-10)


def test_av_a4_the_vote():
    bounds = majority_vote_bounds(gibbs=0.1, tandem=0.03, kl=5, n=1000, delta=0.05)
    assert bounds.tandem == ten_digits(0.2909812746164227)
    assert bounds.tandem_lambda == ten_digits(0.3340324759891964)
    assert bounds.cantelli == ten_digits(0.2953313391327656)
    assert bounds.first_order == 2 * gibbs_bound(0.1, 5, 1000, 0.05)
    assert bounds.c_bound is None


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 0.6), st.floats(0, 1), st.floats(0, 30), st.integers(8, 10**5), st.floats(1e-4, 0.5))
def test_against_the_slow_twins(r, share, kl, n, delta):
    t = r * r + share * (r - r * r)
    bounds = majority_vote_bounds(r, t, kl, n, delta)
    c = (2 * kl + twin.log_term(n, delta)) / n
    assert bounds.tandem == pytest.approx(min(1.0, 4 * float(twin.kl_inverse(t, c))), rel=1e-12)
    assert bounds.tandem <= bounds.tandem_lambda * (1 + 1e-12)
    slow = twin.cantelli(r, t, kl, n, delta)
    assert bounds.cantelli == pytest.approx(min(1.0, slow), rel=1e-5)
    assert bounds.cantelli >= min(1.0, slow) * (1 - 1e-12)


CLEAN = st.tuples(st.floats(0, 0.45), st.floats(0, 1), st.floats(0, 5), st.integers(100, 10**5))


@settings(max_examples=60, deadline=None)
@example((0.1, 0.22, 1.0, 20_000), 0.01, (1, -1, 1))  # the vote is worst where single prunings err the least
@given(CLEAN, st.floats(0, 0.1), st.tuples(*[st.sampled_from([-1, 0, 1])] * 3))
def test_tampered_means_bound_no_less_than_any_that_they_may_come_from(clean, corrupted, ways):
    """Whoever moved the means by the share that is allowed for has not made any bound smaller."""
    r, share, kl, n = clean
    t = r * r + share * (r - r * r)
    d = 2 * (r - t)
    moved = tampered(n, corrupted) / n
    seen, together, apart = (min(max(m + way * moved, 0.0), 1.0) for m, way in zip((r, t, d), ways, strict=True))
    tandem = min(max(together, seen * seen), seen)
    shown = majority_vote_bounds(seen, tandem, kl, n, 0.05, apart, corrupted=corrupted)
    true = majority_vote_bounds(r, t, kl, n, 0.05, d)
    for name in ("first_order", "tandem", "tandem_lambda", "cantelli", "c_bound"):
        assert getattr(shown, name) >= getattr(true, name) * (1 - 1e-9), name
    slow = twin.cantelli(seen, tandem, kl, n, 0.05, moved)
    assert shown.cantelli == pytest.approx(min(1.0, slow), rel=1e-5)


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 0.6), st.floats(0, 1), st.floats(0, 30), st.integers(8, 300), st.floats(1e-4, 0.5))
def test_the_c_bound_against_its_parts(r, share, kl, n, delta):
    t = r * r + share * (r - r * r)
    d = min(2 * (r - t), 1.0)
    got = majority_vote_bounds(r, t, kl, n, delta, disagreement=d).c_bound
    term = math.log(2 * twin.xi(n)) - math.log(delta)
    most = min(0.5, float(twin.kl_inverse(r, (kl + term) / n)))
    apart = float(twin.kl_inverse(d, (2 * kl + term) / n, upper=False))
    slow = 1.0 if most == 0.5 or apart >= 0.5 else 1 - (1 - 2 * most) ** 2 / (1 - 2 * apart)
    assert got == pytest.approx(min(1.0, max(0.0, slow)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 15, 16, 17, 40, 333])
def test_xi_is_its_sum(n):
    assert math.exp(log_xi(n)) == pytest.approx(float(twin.xi(n)), rel=1e-13)
    assert log_xi(n) <= math.log(2 * math.sqrt(n)) * (1 + 1e-15)


def test_xi_of_a_million_costs_nothing():
    # sqrt(pi n / 2) + 2/3 + O(1 / sqrt n)
    for n in (10**6, 10**12):
        assert math.exp(log_xi(n)) == pytest.approx(math.sqrt(math.pi * n / 2) + 2 / 3, rel=0.2 / n)


def test_what_says_nothing_says_one():
    bounds = majority_vote_bounds(0.5, 0.3, 10, 50, 0.05, disagreement=0.4)
    assert (bounds.first_order, bounds.tandem, bounds.cantelli, bounds.c_bound) == (1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"tandem": 0.2}, "tandem must be from gibbs^2 to gibbs=0.1"),
        ({"tandem": 0.005}, "tandem must be from gibbs^2 to gibbs=0.1"),
        ({"gibbs": 2.0}, "gibbs must be in [0, 1], got 2.0"),
        ({"disagreement": -0.1}, "disagreement must be in [0, 1], got -0.1"),
        ({"kl": -1.0}, "kl must be at least 0"),
        ({"n": 5}, "n must be at least 8, got 5"),
        ({"delta": 2}, "delta must be a number between 0 and 1, got 2"),
        ({"corrupted": -0.1}, "corrupted must be a share in [0, 1], got -0.1"),
    ],
)
def test_what_is_refused(numbers, said):
    asked = {"gibbs": 0.1, "tandem": 0.03, "kl": 5.0, "n": 1000, "delta": 0.05} | numbers
    with pytest.raises(ValueError) as refused:
        majority_vote_bounds(**asked)
    assert said in str(refused.value)
