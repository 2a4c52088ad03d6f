"""The posterior of least bound: values of the specification, enumeration of all prunings, steps that never go up."""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from certify.strategies_certify import all_prunings, certifying, mask_of, prior_mass, some_priors
from hypothesis import given, settings
from hypothesis import strategies as st
from random_data import noisy_classes
from reference import certify as twin
from strategies_tree import Leaf, Split, build

import bristlecone as bc
from bristlecone.certify import by_leaves, gibbs_bound, helmbold_schapire, majority_vote_bounds, pruning_bound, weigh
from bristlecone.certify.losses import Misclassification
from bristlecone.certify.priors import family
from bristlecone.certify.rows import node_losses, units_of
from bristlecone.certify.search import LAMBDAS, Prunings, search, settle
from bristlecone.certify.vertices import _corners, _Least, least_bound, vertices
from bristlecone.certify.weighing import _vote_risks
from bristlecone.subtrees import fold
from bristlecone.table.schema import ColumnSchema, Kind, Schema

DELTA = 0.05
ONE_COLUMN = Schema((ColumnSchema("x", Kind.NUMERIC),))
E1 = {0: (8, 1), 1: (0, 5), 2: (3, 1), 3: (2, 10)}  # leaves from left to right: (label 0, label 1)


def ten_digits(value):
    return pytest.approx(value, rel=1e-10)


def example(counts):
    """SPEC part E, example tree E1, grown from other counts: all questions are about one column."""
    inner = Split(0, 4.0, Leaf(counts[1]), Leaf(counts[2]))
    return build(
        Split(0, 5.0, Split(0, 3.0, Leaf(counts[0]), inner), Leaf(counts[3])), classes=(0, 1), schema=ONE_COLUMN
    )


def rows_of_e1(times):
    """The rows of E1, so many times each: cells by the column's name, and labels."""
    x, y = [], []
    for at, (zeros, ones) in zip((2.0, 3.5, 4.5, 6.0), E1.values(), strict=True):
        x += [at] * (zeros + ones) * times
        y += ([0] * zeros + [1] * ones) * times
    return np.array(x), np.array(y)


def losses_of(tree, times=20):
    x, y = rows_of_e1(times)
    stops = np.array([int(v) for v in np.select([x < 3, x < 4, x < 5], [2, 4, 5], 6)])
    risk = Misclassification()
    return node_losses(tree, stops, y, risk, units_of(y, risk, groups=None, corrupted=0.0)), stops, y


def test_av_a5_alternating_minimisation():
    losses, _, _ = losses_of(example(E1))
    found = settle(Prunings(losses, by_leaves(losses.tree, math.log(4))), DELTA, kind="lambda", start=1.0)
    assert found.lam == ten_digits(0.4091085729169126)
    assert found.value == ten_digits(0.2256478061251048)
    assert found.observed == ten_digits(0.133333354179431)
    assert found.kl == ten_digits(4.442645826808446)
    assert gibbs_bound(found.observed, found.kl, 600, DELTA) == ten_digits(0.2082074727242148)


def test_av_a6_the_full_certificate():
    grown = example({0: (5, 1), 1: (1, 3), 2: (2, 1), 3: (1, 6)})
    losses, stops, y = losses_of(grown)
    found = settle(Prunings(losses, helmbold_schapire(grown)), DELTA, kind="lambda")
    assert found.posterior.prior_weighing.total == pytest.approx(0.0, abs=1e-15)
    assert found.lam == ten_digits(0.3744668734219841)
    assert found.observed == ten_digits(0.1333333541663775)
    assert found.kl == ten_digits(2.07943654841318)
    assert found.value == ten_digits(0.2131515478577109)
    assert gibbs_bound(found.observed, found.kl, 600, DELTA) == ten_digits(0.1991228136494046)
    risks = _vote_risks(found.posterior, losses, Misclassification(), y)
    assert risks.tandem == ten_digits(0.1333333125003022)
    assert risks.disagreement == pytest.approx(8.333215053638507e-8, rel=1e-8)  # a difference of chances near one
    assert risks.vote * 600 == ten_digits(80)
    bounds = majority_vote_bounds(found.observed, risks.tandem, found.kl, 600, DELTA, disagreement=risks.disagreement)
    assert bounds.first_order == ten_digits(0.3982456272988091)
    assert bounds.tandem == ten_digits(0.8286427536317675)
    assert bounds.cantelli == ten_digits(0.6552790185056851)
    assert len(stops) == 600


@settings(max_examples=25, deadline=None)
@given(certifying(), st.floats(0.01, 3), st.integers(0, 3))
def test_mean_loss_and_kl_are_those_of_all_prunings_listed(made, lam, which):
    tree, stops, y, losses = made
    prior = some_priors(tree)[which]
    every = all_prunings(tree)
    lost = [_lost(tree, stops, y, losses, leaves) for leaves in every]
    masses = [prior_mass(tree, prior, leaves) for leaves in every]
    _, kl, mean = twin.weighed(masses, [(lam * one, one) for one in lost])
    posterior, observed, nats = Prunings(losses, prior).at(lam)
    assert observed * losses.units.n == pytest.approx(mean, rel=1e-9, abs=1e-12)
    assert nats == pytest.approx(kl, rel=1e-7, abs=1e-12)
    grid_mean, grid_kl = Prunings(losses, prior).grid(np.array([lam, 1.0]))
    assert grid_mean[0] == pytest.approx(observed, rel=1e-9, abs=1e-15)
    assert grid_kl[0] == pytest.approx(nats, rel=1e-6, abs=1e-9)
    for leaves, one in zip(every[:20], lost[:20], strict=False):
        assert losses.of_pruning(mask_of(tree, leaves)) * losses.units.n == pytest.approx(one, rel=1e-12, abs=1e-12)
    assert posterior.tree is tree


def _lost(tree, stops, y, losses, leaves):
    at = [twin.answering_node(tree.parent.tolist(), leaves, int(stop)) for stop in stops]
    wrong = tree.classes[tree.label[at]] != y
    return math.fsum((losses.units.weight * wrong).tolist())


@settings(max_examples=25, deadline=None)
@given(certifying())
def test_the_least_pruning_is_the_least_of_all_listed(made):
    tree, stops, y, losses = made
    priors = some_priors(tree)
    found = least_bound(losses, priors, DELTA)
    n, shared = losses.units.n, DELTA / len(priors)
    values = []
    for prior in priors:
        masses = {leaves: prior_mass(tree, prior, leaves) for leaves in all_prunings(tree)}
        total = math.fsum(masses.values())
        for leaves, mass in masses.items():
            observed = min(_lost(tree, stops, y, losses, leaves) / n, 1.0)
            values.append(pruning_bound(observed, min(math.log(mass / total), 0.0), n, shared))
    got = pruning_bound(min(found.observed, 1.0), min(found.log_prior, 0.0), n, shared)
    assert got == pytest.approx(min(values), rel=1e-9)
    assert found.observed * n == pytest.approx(
        _lost(tree, stops, y, losses, frozenset(np.flatnonzero(found.leaves).tolist())), rel=1e-12, abs=1e-12
    )


@pytest.mark.parametrize("corrupted", [0.0, 0.03])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_looking_only_where_it_is_worth_it_misses_nothing(n_classes, corrupted):
    """Against the bounds at all vertices under all priors, of a tree with more than a hundred leaves."""
    tree = bc.grow.cart(*noisy_classes(1000, n_classes=n_classes))
    assert tree.n_leaves > 100
    X, y = noisy_classes(800, seed=1, n_classes=n_classes)
    found = weigh(tree, X, y, corrupted=corrupted)
    units, every = found.units, []
    for prior in family(tree):
        points, _ = vertices(found.losses, prior)
        total = fold(tree, prior.potentials.leaf, prior.potentials.inner, semiring="logaddexp").total
        seen, log_prior = np.minimum((points[:, 0] + units.tampered) / 800, 1.0), np.minimum(-points[:, 1] - total, 0.0)
        every.append(pruning_bound(seen, log_prior, 800, 0.05 / 31))
    assert found.of_pruning().value == pytest.approx(np.concatenate(every).min(), rel=1e-9)
    asked = []
    vertices(found.losses, family(tree)[0], lambda points, corners: asked.append(len(corners)) or corners[:, 0] < 0)
    assert asked == [1]


@pytest.mark.parametrize("step", [2, 5, 100])
def test_nothing_between_two_neighbours_is_below_their_corner(step):
    """All vertices but each `step`-th are left out: no bound of one is below those of its triangle."""
    tree = bc.grow.cart(*noisy_classes(1000))
    losses, checked = weigh(tree, *noisy_classes(800, seed=1)).losses, 0
    for prior in family(tree):
        points, directions = vertices(losses, prior)
        kept = np.unique([*range(0, len(points), step), len(points) - 1])
        corners = _corners(points[kept], directions[kept], np.arange(len(kept) - 1))
        for n, delta in ((800, 0.05), (800, 1e-6), (5000, 0.5)):
            least = _Least(dataclasses.replace(losses.units, n=n), delta, points[:, 1].min() * -1)
            value, low = least.bounds(points), least.bounds(corners)
            for gap, (first, last) in enumerate(itertools.pairwise(kept)):
                assert (value[first : last + 1] >= min(low[gap], value[first], value[last]) * (1 - 1e-12)).all()
                assert least.within(corners[[gap]], low[gap] * (1 + 1e-9)).all()
                assert not least.within(corners[[gap]], low[gap] * (1 - 1e-9)).any()
                checked += last - first > 1
    assert checked > 20


@settings(max_examples=20, deadline=None)
@given(certifying())
def test_vertices_lie_on_a_convex_curve(made):
    losses = made[3]
    for prior in some_priors(losses.tree):
        points, _ = vertices(losses, prior)
        steps = np.diff(points, axis=0)
        assert (steps[:, 0] >= -1e-9).all() and (steps[:, 1] <= 1e-9).all()
        assert len(points) <= 40


@settings(max_examples=20, deadline=None)
@given(certifying(), st.sampled_from(["kl", "lambda"]))
def test_steps_never_go_up_and_the_search_is_no_worse_than_any_lambda(made, kind):
    losses = made[3]
    hypotheses = Prunings(losses, by_leaves(losses.tree, 1.0))
    found = search([hypotheses], DELTA, kind)
    for lam in LAMBDAS[::4]:
        _, observed, kl = hypotheses.at(float(lam))
        start = gibbs_bound(observed, kl, losses.units.n, DELTA, kind=kind)
        assert settle(hypotheses, DELTA, kind=kind, start=float(lam)).value <= start * (1 + 1e-12)
        assert found.value <= start * (1 + 1e-9)


def test_more_priors_cost_what_they_cost():
    losses, _, _ = losses_of(example(E1))
    alone = search([Prunings(losses, helmbold_schapire(losses.tree))], DELTA / 31).value
    every = family(losses.tree)
    assert len(every) == 31
    assert search([Prunings(losses, prior) for prior in every], DELTA).value <= alone


def test_the_whole_way_from_rows():
    grown = example({0: (5, 1), 1: (1, 3), 2: (2, 1), 3: (1, 6)})
    x, y = rows_of_e1(20)
    weighed = weigh(grown, x[:, None], y, priors=[helmbold_schapire(grown)], delta=DELTA)
    assert weighed.gibbs().value <= 0.1991228136494046 * (1 + 1e-12)
    assert weighed.gibbs().value == pytest.approx(0.19912281, rel=1e-6)
