"""Monotone targets, and the lemmas of the noise paper about them, in exact rationals."""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from itertools import product

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from reference.moments import covariance, influence, mean, variance

from bristlecone import noise

HALF = Fraction(1, 2)


def values_of(target):
    rows = list(product((0, 1), repeat=target.n_features))
    return {row: int(label) for row, label in zip(rows, 2 * target(np.array(rows)) - 1, strict=True)}


@st.composite
def targets(draw):
    seed = draw(st.integers(0, 10**6))
    if draw(st.booleans()):
        return noise.monotone_tree(5, draw(st.integers(2, 8)), least=0.02, random_state=seed)
    return noise.monotone_dnf(5, draw(st.integers(1, 4)), draw(st.integers(1, 3)), random_state=seed)


@st.composite
def measures(draw, n=5):
    return [draw(st.sampled_from([HALF, Fraction(3, 10), Fraction(9, 10), Fraction(7, 10)])) for _ in range(n)]


@hypothesis.given(target=targets())
@hypothesis.settings(max_examples=60, deadline=None)
def test_targets_are_monotone(target):
    values = values_of(target)
    for row, value in values.items():
        for i in range(5):
            assert value <= values[*row[:i], 1, *row[i + 1 :]]
    assert len(set(values.values())) == 2


@hypothesis.given(target=targets(), p=measures())
@hypothesis.settings(max_examples=25, deadline=None)
def test_lemma_5_1_influence_is_covariance(target, p):
    f = values_of(target).__getitem__
    for i in range(5):
        assert influence(i, f, p) == covariance(i, f, p)


@hypothesis.given(target=targets(), p=measures())
@hypothesis.settings(max_examples=25, deadline=None)
def test_lemma_5_3_some_projection_has_advantage(target, p):
    """With gamma = 1 / log2 s under the uniform measure; in general only with the average depth of a tree, which is no
    more than its depth (SPEC D7: the printed 1 / log2 s is false there, AV-D2). Corollary 4.4 without KKL's constant,
    which the source does not give: the largest of k covariances is at least Var / k."""
    f = values_of(target).__getitem__
    size = target.size or 2**5
    for measure, depth in (([HALF] * 5, math.log2(size)), (p, min(size - 1, 5))):
        largest = max(covariance(i, f, measure) for i in range(5))
        assert float(largest) >= float(variance(f, measure)) / depth - 1e-15
    k = sum(covariance(i, f, [HALF] * 5) > 0 for i in range(5))
    assert max(covariance(i, f, [HALF] * 5) for i in range(5)) >= variance(f, [HALF] * 5) / k


def test_av_d2_osss_with_log_s_is_false_off_the_uniform_measure():
    p = [Fraction(7, 10)] * 2

    def both(x):
        return 1 if all(x) else -1

    assert influence(0, both, p) == covariance(0, both, p) == Fraction(588, 1000)
    assert variance(both, p) == Fraction(9996, 10000)
    average_depth = 1 + Fraction(7, 10)  # the first bit, then the second where the first is 1
    assert variance(both, p) / average_depth == Fraction(588, 1000)
    assert float(variance(both, p)) / math.log2(3) == pytest.approx(0.63067738167, abs=1e-11)
    assert mean(both, p) == 2 * Fraction(49, 100) - 1


def least_leaves(values, fixed=()):
    """The leaves of the smallest tree, by looking at every subcube."""

    @functools.cache
    def of(fixed):
        rows = [row for row in values if all(b in (None, a) for a, b in zip(row, fixed, strict=True))]
        inside = {values[row] for row in rows}
        if len(inside) == 1:
            return 1
        free = [i for i, bit in enumerate(fixed) if bit is None]
        return min(sum(of((*fixed[:i], bit, *fixed[i + 1 :])) for bit in (0, 1)) for i in free)

    return of((None,) * len(next(iter(values))))


@pytest.mark.parametrize("size", [2, 3, 5, 8, 12])
@pytest.mark.parametrize("seed", range(3))
def test_a_tree_of_the_size_computes_the_target(size, seed):
    target = noise.monotone_tree(7, size, least=0.01, random_state=seed)
    assert target.size == size and len(target.terms) < size
    assert size / 2 <= least_leaves(values_of(target)) <= size
    X, y = target.sample(2000, [0.3] * 7, random_state=0)
    assert abs(X.mean() - 0.3) < 0.02 and np.array_equal(target(X), y)
    assert noise.monotone_tree(7, size, least=0.01, random_state=seed) == target


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: noise.monotone_tree(3, 1), "size=1"),
        (lambda: noise.monotone_tree(2, 9), "no monotone target of size=9"),
        (lambda: noise.monotone_tree(3, 4, least=0.6), "least=0.6"),
        (lambda: noise.monotone_dnf(3, 2, 4), "n_features=3"),
        (lambda: noise.monotone_dnf(3, 0, 2), "n_terms=0"),
        (lambda: noise.monotone_dnf(3, 1, 2).sample(5, 1.0), "p=1.0"),
        (lambda: noise.monotone_dnf(3, 1, 2).sample(5, [0.1, 0.2]), r"p has shape \(2,\)"),
        (lambda: noise.monotone_dnf(True, 1, 1), "n_features=True"),
        (lambda: noise.monotone_dnf(3, 1, 2)(np.zeros((2, 4))), r"shape \(2, 4\)"),
        (lambda: noise.monotone_dnf(3, 1, 2)([["a", "b", "c"]]), "X must be made of numbers"),
        (lambda: noise.monotone_dnf(3, 1, 2)([[0, 1, 0], [0, np.nan, 1]]), "row 1, column 1 is missing"),
        (lambda: noise.monotone_tree(3, 4, least="a"), "least='a'"),
        (lambda: noise.MonotoneTarget(3, ((0, 3),)), "3 is not one of the 3 bits"),
        (lambda: noise.MonotoneTarget(3, ((-1,),)), "-1 is not one of the 3 bits"),
        (lambda: noise.MonotoneTarget(0, ()), "n_features=0"),
    ],
)
def test_bad_targets_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
