"""Bounds on one predictor: values of the specification, slow twins, and what must not be asked."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import certify as twin

from bristlecone.certify import (
    best_lambda,
    drawn_bound,
    gibbs_bound,
    holdout_bound,
    lambda_bound,
    mean_loss_bound,
    pruning_bound,
)

SHARES = st.floats(0, 0.9)
NATS = st.floats(0, 40)
ROWS = st.integers(8, 10**6)
DELTAS = st.floats(1e-6, 0.9)


def ten_digits(value):
    return pytest.approx(value, rel=1e-10, abs=1e-12)


def test_av_a3_gibbs():
    asked = {"r": 0.1, "kl": 5, "n": 1000, "delta": 0.05}
    assert best_lambda(**asked) == ten_digits(0.3861153305565524)
    assert gibbs_bound(**asked, kind="lambda") == ten_digits(0.1628970472428653)
    assert gibbs_bound(**asked) == ten_digits(0.1531096281951874)


def test_av_a13_holdout():
    assert holdout_bound(12, 200, 0.05) == ten_digits(0.0954014177298773)


@settings(max_examples=30, deadline=None)
@given(SHARES, NATS, ROWS, DELTAS)
def test_gibbs_against_seventy_digits(r, kl, n, delta):
    c = (kl + twin.log_term(n, delta)) / n
    got = gibbs_bound(r, kl, n, delta)
    assert got == pytest.approx(float(twin.kl_inverse(r, c)), rel=1e-12)
    assert got <= gibbs_bound(r, kl, n, delta, kind="lambda") * (1 + 1e-12)


@settings(deadline=None)
@given(SHARES, NATS, ROWS, DELTAS)
def test_the_lambda_form_is_the_least_over_lambda(r, kl, n, delta):
    c = (kl + twin.log_term(n, delta)) / n
    grid = np.linspace(1e-4, 1.9999, 4001)
    every = r / (1 - grid / 2) + c / (grid * (1 - grid / 2))
    lam = best_lambda(r, kl, n, delta)
    least = r / (1 - lam / 2) + c / (lam * (1 - lam / 2))
    assert gibbs_bound(r, kl, n, delta, kind="lambda") == pytest.approx(min(1.0, least), rel=1e-9)
    assert least <= every.min() * (1 + 1e-9)
    assert lambda_bound(lam, kl + lam * n * r, n, delta) == pytest.approx(least, rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 40), st.integers(1, 60), DELTAS)
def test_holdout_against_the_sum_of_chances(errors, more, delta):
    n = errors + more
    assert holdout_bound(errors, n, delta) == pytest.approx(twin.clopper_pearson(errors, n, delta), rel=1e-9)


@settings(deadline=None)
@given(st.integers(0, 200), st.integers(1, 300), DELTAS)
def test_losses_of_any_kind_cost_a_little(errors, more, delta):
    n = errors + more
    assert mean_loss_bound(errors / n, n, delta) >= holdout_bound(errors, n, delta) * (1 - 1e-12)


@settings(deadline=None)
@given(SHARES, st.floats(-30, 0), ROWS, DELTAS)
def test_one_pruning_is_a_posterior_that_is_sure(r, log_prior, n, delta):
    assert pruning_bound(r, log_prior, n, delta) == gibbs_bound(r, -log_prior, n, delta)
    assert drawn_bound(r, 0.0, log_prior, n, delta) == pytest.approx(pruning_bound(r, log_prior, n, delta), rel=1e-13)


def test_a_drawn_tree_that_the_prior_liked_better_costs_nothing():
    assert drawn_bound(0.1, -30.0, -1.0, 100, 0.05) == 0.1
    assert drawn_bound([0.1, 0.2], [-1.0, -2.0], -3.0, 100, 0.05).shape == (2,)


@pytest.mark.parametrize(("corrupted", "rows"), [(0.0, 0), (0.29, 29), (0.299, 29), (0.1, 10), (1.0, 100), (1e-9, 0)])
def test_rows_that_were_tampered_with_count_as_errors(corrupted, rows):
    assert holdout_bound(3, 100, 0.05, corrupted=corrupted) == holdout_bound(min(3 + rows, 100), 100, 0.05)


def test_the_ends_of_holdout():
    assert holdout_bound(5, 5, 0.05) == 1.0
    assert holdout_bound(0, 100, 0.05) == pytest.approx(1 - 0.05 ** (1 / 100), rel=1e-12)
    assert holdout_bound(np.int64(3), np.int64(50), 0.05) == holdout_bound(3.0, 50, 0.05)


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda: gibbs_bound(0.1, 1, 7, 0.05), ValueError, "n must be at least 8, got 7"),
        (lambda: gibbs_bound(0.1, 1, 10.5, 0.05), TypeError, "n must be a whole number of independent rows, got 10.5"),
        (lambda: gibbs_bound(0.1, 1, True, 0.05), TypeError, "n must be a whole number"),
        (lambda: gibbs_bound(0.1, -1, 10, 0.05), ValueError, "kl must be at least 0, got -1.0"),
        (lambda: gibbs_bound(0.1, math.nan, 10, 0.05), ValueError, "kl must be at least 0"),
        (lambda: gibbs_bound(1.1, 1, 10, 0.05), ValueError, "r must be in [0, 1], got 1.1"),
        (lambda: gibbs_bound(0.1, 1, 10, 0.0), ValueError, "delta must be a number between 0 and 1, got 0.0"),
        (lambda: gibbs_bound(0.1, 1, 10, 1), ValueError, "delta must be a number between 0 and 1, got 1"),
        (lambda: gibbs_bound(0.1, 1, 10, "5%"), ValueError, "delta must be a number between 0 and 1, got '5%'"),
        (lambda: gibbs_bound(0.1, 1, 10, 0.05, kind="mgf"), ValueError, "kind must be 'kl' or 'lambda', got 'mgf'"),
        (lambda: lambda_bound(2.0, 1, 10, 0.05), ValueError, "lam must be in (0, 2), got 2.0"),
        (lambda: pruning_bound(0.1, 1.0, 10, 0.05), ValueError, "-log_prior must be at least 0"),
        (lambda: drawn_bound(0.1, 0.5, -1, 10, 0.05), ValueError, "log_posterior must be at most 0"),
        (lambda: drawn_bound(0.1, -0.5, math.nan, 10, 0.05), ValueError, "log_prior must be at most 0"),
        (lambda: holdout_bound(1.5, 10, 0.05), TypeError, "errors must be a whole number of rows, got 1.5"),
        (lambda: holdout_bound(11, 10, 0.05), ValueError, "errors must be from 0 to n=10, got 11"),
        (lambda: holdout_bound(-1, 10, 0.05), ValueError, "errors must be from 0 to n=10, got -1"),
        (lambda: holdout_bound(math.nan, 10, 0.05), TypeError, "errors must be a whole number of rows, got nan"),
        (lambda: holdout_bound(math.inf, 10, 0.05), TypeError, "errors must be a whole number of rows, got inf"),
        (lambda: holdout_bound(1, 0, 0.05), ValueError, "n must be at least 1, got 0"),
        (lambda: holdout_bound(1, 10, 0.05, corrupted=1.5), ValueError, "corrupted must be a share in [0, 1], got 1.5"),
        (lambda: holdout_bound(1, 10, 0.05, corrupted=Fraction(3, 2)), ValueError, "corrupted must be a share"),
        (lambda: mean_loss_bound(0.2, 0, 0.05), ValueError, "n must be at least 1"),
    ],
)
def test_what_is_refused(call, kind, said):
    with pytest.raises(kind) as refused:
        call()
    assert said in str(refused.value)
