"""What the noise paper proves about drops, moments and distances, and the scaling law of symmetric label noise."""

from __future__ import annotations

from fractions import Fraction

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from reference.top_down import drop_of

from bristlecone import grow
from bristlecone.grow import IMPURITIES


@st.composite
def laws(draw, n_points=6):
    """A distribution on a few points in exact rationals."""
    masses = draw(st.lists(st.integers(0, 9), min_size=n_points, max_size=n_points))
    hypothesis.assume(sum(masses))
    return [Fraction(mass, sum(masses)) for mass in masses]


def functions(n_points=6):
    return st.lists(st.sampled_from([Fraction(k, 4) for k in range(5)]), min_size=n_points, max_size=n_points)


def mean(law, f):
    return sum((p * v for p, v in zip(law, f, strict=True)), Fraction(0))


def covariance(law, f, g):
    return mean(law, [a * b for a, b in zip(f, g, strict=True)]) - mean(law, f) * mean(law, g)


def distance(one, other):
    return sum((abs(a - b) for a, b in zip(one, other, strict=True)), Fraction(0)) / 2


@hypothesis.given(
    rows=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(1, 5)), min_size=2, max_size=12)
)
@hypothesis.settings(max_examples=200, deadline=None)
def test_lemma_3_2_the_drop_of_gini_is_four_covariances_squared(rows):
    h, y, weight = (np.array(column) for column in zip(*rows, strict=True))
    law = [Fraction(int(w), int(weight.sum())) for w in weight]
    cov, q = covariance(law, h.tolist(), y.tolist()), mean(law, h.tolist())
    drop = drop_of(tuple(range(len(h))), h, y, weight)
    if 0 < q < 1:
        assert drop == 4 * cov**2 / (q * (1 - q))
    assert drop >= 16 * cov**2
    for impurity in IMPURITIES.values():
        whole, floor = float(impurity.of(np.array(float(mean(law, y.tolist()))))), 2 * impurity.kappa * float(cov) ** 2
        below = 0.0
        for side in (0, 1):
            share = mean(law, (h == side).astype(int).tolist())
            if share:
                p = covariance_free_mean(law, h == side, y)
                below += float(share) * float(impurity.of(np.array(float(p))))
        assert whole - below >= floor - 1e-12


def covariance_free_mean(law, side, y):
    inside = [p if s else Fraction(0) for p, s in zip(law, side, strict=True)]
    return mean(inside, y.tolist()) / sum(inside)


@hypothesis.given(one=laws(), other=laws(), f=functions(), g=functions())
@hypothesis.settings(max_examples=300, deadline=None)
def test_lemma_3_3_moments_move_by_no_more_than_the_distance(one, other, f, g):
    """Of the covariance too: SPEC D4 derives the constant 1, where the paper has 2."""
    eta = distance(one, other)
    assert abs(mean(one, f) - mean(other, f)) <= eta
    assert abs(covariance(one, f, f) - covariance(other, f, f)) <= eta
    assert abs(covariance(one, f, g) - covariance(other, f, g)) <= eta


@hypothesis.given(one=laws(), other=laws())
@hypothesis.settings(max_examples=300, deadline=None)
def test_lemma_b_4_leaves_are_twice_as_far_on_average(one, other):
    """Three leaves of two points each."""
    expected = Fraction(0)
    for leaf in range(3):
        mine, theirs = one[2 * leaf : 2 * leaf + 2], other[2 * leaf : 2 * leaf + 2]
        if sum(mine) and sum(theirs):
            inside = distance([p / sum(mine) for p in mine], [p / sum(theirs) for p in theirs])
        else:
            inside = Fraction(1)  # the leaf is empty under one of the laws: as far as can be
        expected += sum(theirs) * inside
    assert expected <= 2 * distance(one, other)


def noisy(X, y, clean, flipped):
    """Symmetric label noise as weights: every row in both classes."""
    return np.concatenate([X, X]), np.concatenate([y, 1 - y]), np.repeat([clean, flipped], len(y))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("clean", "flipped"), [(4, 1), (3, 2), (9, 1)])
def test_symmetric_label_noise_scales_gini_gains_and_leaves_the_tree_as_it_is(seed, clean, flipped):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 5, (60, 4)).astype(float), rng.integers(0, 2, 60)
    tree = grow.cart(X, y, zero_gain="stop")
    noisy_X, noisy_y, weight = noisy(X, y, clean, flipped)
    of_noise = grow.cart(noisy_X, noisy_y, sample_weight=weight, zero_gain="stop")
    for name in ("children_left", "children_right", "feature", "threshold", "label"):
        assert np.array_equal(getattr(tree, name), getattr(of_noise, name)), name
    r = flipped / (clean + flipped)
    for v in range(tree.n_nodes):
        assert of_noise.gain(v) == pytest.approx((1 - 2 * r) ** 2 * tree.gain(v), abs=1e-12)
    best_first = [
        grow.top_down(*rows, 9, zero_gain="stop", sample_weight=w)
        for *rows, w in ((X, y, None), (noisy_X, noisy_y, weight))
    ]
    assert np.array_equal(best_first[0].feature, best_first[1].feature)


def test_symmetric_label_noise_changes_a_tree_grown_by_entropy():
    """Entropy prefers 40 pure rows to a lean of 77 to 23, until a fifth of the labels is noise; Gini never does."""
    y = np.repeat([1, 0], 100)
    pure = np.repeat([1.0, 0.0], [40, 160])
    lean = np.repeat([1.0, 0.0, 1.0, 0.0], [77, 23, 23, 77])
    X = np.column_stack([pure, lean])
    noisy_X, noisy_y, weight = noisy(X, y, 4, 1)
    asked = {
        criterion: (
            grow.cart(X, y, criterion=criterion).feature[0],
            grow.cart(noisy_X, noisy_y, criterion=criterion, sample_weight=weight).feature[0],
        )
        for criterion in ("gini", "entropy")
    }
    assert asked == {"gini": (1, 1), "entropy": (0, 1)}
