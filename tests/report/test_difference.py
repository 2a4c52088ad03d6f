"""A difference of errors in words: its limits are never closer in print than they are, and where there are none."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import bristlecone as bc
from bristlecone.report.difference import of_pairs, of_samples
from bristlecone.report.words import limit_in_percent, outward


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_a_limit_in_print_is_never_inside_of_what_it_is(value):
    low, high = outward(value, False), outward(value, True)
    assert Fraction(low) <= Fraction(value) <= Fraction(high)
    if abs(value) > 1e-300:  # the smallest numbers have not four digits
        assert Fraction(high) - Fraction(low) <= abs(Fraction(value)) / 999


@given(st.floats(0, 1))
def test_a_limit_in_percent_has_one_decimal_and_is_never_inside(share):
    low, high = (limit_in_percent(share, up) for up in (False, True))
    assert re.fullmatch(r"\d+\.\d%", low) and re.fullmatch(r"\d+\.\d%", high)
    slack = Fraction(1, 10**10)
    assert Fraction(low[:-1]) <= 100 * Fraction(share) + slack and 100 * Fraction(share) - slack <= Fraction(high[:-1])
    assert Fraction(high[:-1]) - Fraction(low[:-1]) <= Fraction(1, 10)


@pytest.mark.parametrize(("share", "said"), [(0.07, "7.0%"), (0.1, "10.0%"), (0.0, "0.0%"), (1.0, "100.0%")])
def test_shares_of_one_decimal_are_said_as_they_are(share, said):
    assert limit_in_percent(share, True) == limit_in_percent(share, False) == said


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60), st.floats(0.01, 0.5))
def test_limits_of_pairs_are_those_of_the_two_shares(pairs, delta):
    a, b = np.array(pairs, dtype=float).T
    n, only = len(a), [int(np.sum(a > b)), int(np.sum(b > a))]
    least = [stats.beta.ppf(delta / 4, k, n - k + 1) if k else 0.0 for k in only]
    most = [stats.beta.ppf(1 - delta / 4, k + 1, n - k) if k < n else 1.0 for k in only]
    found = of_pairs(a, b, True, delta, "")
    assert found.limits == pytest.approx((least[1] - most[0], most[1] - least[0]), abs=1e-9)
    assert found.low <= found.value <= found.high


def test_equal_numbers_bear_no_limits_and_others_do():
    same = of_pairs(np.ones(9), np.full(9, 3.0), False, 0.05, "")
    assert same.limits is None and same.value == 2.0 and same.unlimited == "errors that are all equal bear no limits"
    assert of_pairs(np.ones(9), np.arange(9.0), False, 0.05, "").limits is not None
    assert of_samples(np.ones(9), np.arange(9.0), False, 0.05, "").limits is not None
    assert of_samples(np.ones(1), np.arange(9.0), False, 0.05, "").unlimited == "one row bears no limits"


def test_two_equal_trees_of_numbers_bear_no_limits():
    X = np.random.default_rng(0).random((90, 2))
    model = bc.DecisionTreeRegressor(max_depth=2).fit(X[:60], X[:60, 0])
    found = bc.compare(model, model.tree_, X[60:], X[60:, 0] + X[60:, 1], rows="new")
    assert found.low is None and not found.disagree.any()
    assert "Both err as much; nothing follows for other rows, for errors that are all equal bear no limits." in str(
        found
    )


def test_the_sentence_says_the_limits_and_who_is_the_better():
    wrong, right = np.array([1.0] * 40 + [0.0] * 60), np.array([1.0] * 8 + [0.0] * 92)
    found = of_pairs(wrong, right, True, 0.05, "")
    said = found.in_words("b is right more often", "the error of b less that of a", ("either", "a", "b"))
    low, high = re.search(r"lies from (-[\d.]+)% to (-[\d.]+)%: b\.$", said).groups()
    assert float(low) <= 100 * found.low < float(low) + 0.1 and float(high) - 0.1 < 100 * found.high <= float(high)
    assert said.startswith(
        "b is right more often. With probability at least 95% over the draw of these rows, on new data"
    )


def test_differences_that_are_too_large_bear_no_limits():
    a, b = np.zeros(9), np.arange(9.0) * 1e200
    for found in (of_pairs(a, b, False, 0.05, ""), of_samples(a, b, False, 0.05, "")):
        assert found.limits is None and found.unlimited == "errors so large bear no limits"
    assert of_samples(a, a, False, 0.05, "").unlimited == "errors that are all equal bear no limits"
