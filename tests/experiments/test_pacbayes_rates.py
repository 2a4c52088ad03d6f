"""Problems whose truth is known, and what is measured on them."""

import itertools
import math

import numpy as np
import pytest

import bristlecone as bc
from bristlecone.experiments import pacbayes_rates as rates
from bristlecone.experiments import truths
from bristlecone.experiments.pacbayes_rates import slope
from bristlecone.experiments.truths import GAP, PROBLEMS, Problem, Sample, excess

ALL = (*PROBLEMS, GAP)
WAVES = [problem for problem in ALL if problem.margin == 1.0]
ROUGH = next(problem for problem in ALL if problem.margin != 1.0)


def drawn(problem, n=300, seed=0):
    return Sample.of(problem, n, np.random.default_rng(seed))


@pytest.mark.parametrize("problem", ALL, ids=lambda problem: problem.name)
def test_rows_lie_in_the_cube_and_chances_are_chances(problem):
    X = problem.rows(5000, np.random.default_rng(0))
    assert X.shape == (5000, problem.columns) and X.min() >= 0 and X.max() <= 1
    eta = problem.eta(X)
    assert eta.min() >= 0.5 - problem.height and eta.max() <= 0.5 + problem.height


@pytest.mark.parametrize("problem", WAVES, ids=lambda problem: problem.name)
def test_the_bayes_risk_of_waves_in_closed_form(problem):
    """Each wave is uniform on [-1, 1]: the mean of its absolute value is 1/2."""
    assert problem.bayes_risk == pytest.approx(0.5 - problem.height / 2.0**problem.waves, rel=1e-5)


@pytest.mark.parametrize("problem", ALL, ids=lambda problem: problem.name)
def test_the_bayes_risk_is_that_of_bayes_on_drawn_labels(problem):
    rng = np.random.default_rng(1)
    eta = problem.eta(problem.rows(400_000, rng))
    wrong = (rng.random(len(eta)) < eta) != (eta > 0.5)
    assert wrong.mean() == pytest.approx(problem.bayes_risk, abs=4 * 0.5 / math.sqrt(len(eta)))


@pytest.mark.parametrize("problem", ALL, ids=lambda problem: problem.name)
def test_truths_are_lipschitz(problem):
    rng = np.random.default_rng(2)
    X = problem.rows(100_000, rng)
    near = np.clip(X + rng.uniform(-1e-4, 1e-4, X.shape), 0, 1)
    far = np.abs(near - X)[:, : problem.waves].sum(axis=1)
    most = problem.height * (4.0 + (truths.STEEP if problem is ROUGH else 0.0))
    assert (np.abs(problem.eta(near) - problem.eta(X)) <= most * far * (1 + 1e-6) + 1e-12).all()


@pytest.mark.parametrize("problem", [WAVES[0], ROUGH], ids=lambda problem: problem.name)
def test_the_margin_exponent(problem):
    """The share of rows within t of 1/2, against t. Of a product of waves it has a logarithm besides."""
    away = np.abs(problem.eta(problem.rows(400_000, np.random.default_rng(3))) - 0.5)
    near, far = 2.0**-8, 2.0**-5
    found = math.log((away < far).mean() / (away < near).mean()) / math.log(far / near)
    assert found == pytest.approx(problem.margin, abs=0.3)
    assert (found > 0.6) == (problem.margin == 1.0)


def test_bayes_has_no_excess_and_its_opposite_has_all():
    sample = drawn(PROBLEMS[0])
    assert excess(sample, sample.right.astype(int)) == 0.0
    assert excess(sample, 1 - sample.right) == pytest.approx(sample.lost.mean(), rel=1e-12)
    # E 2 |eta - 1/2| = 1 - 2 R, R the Bayes risk.
    assert sample.lost.mean() == pytest.approx(1 - 2 * PROBLEMS[0].bayes_risk, abs=0.01)


def prunings(tree, node=0):
    """The leaves of every pruning."""
    yield [node]
    left, right = tree.children_left[node], tree.children_right[node]
    if left >= 0:
        for one, other in itertools.product(prunings(tree, left), prunings(tree, right)):
            yield one + other


@pytest.mark.parametrize("seed", range(5))
def test_the_best_pruning_in_truth_is_the_best_of_all(seed):
    sample = drawn(PROBLEMS[0], n=12, seed=seed)
    tree = bc.grow.dyadic(sample.X, sample.y)
    found = []
    for leaves in prunings(tree):
        mask = np.zeros(tree.n_nodes, dtype=bool)
        mask[leaves] = True
        found.append(excess(sample, bc.subtrees.cut(tree, mask).predict(sample.fresh)))
    assert rates._best_in_truth(sample) == pytest.approx(min(found), rel=1e-9, abs=1e-15)


def test_one_class_in_the_growing_rows_is_no_crash():
    sample = drawn(PROBLEMS[0], n=20)
    alone = Sample(sample.X, np.ones_like(sample.y), sample.fresh, sample.right, sample.lost)
    for method in (*rates.METHODS.values(),):
        assert method(alone) == pytest.approx(excess(alone, np.ones(len(alone.fresh))))


def test_slopes():
    assert slope({1 << k: 3.0 * 2.0 ** (-0.25 * k) for k in range(14, 19)}) == pytest.approx(-0.25, rel=1e-12)
    assert slope({256: 2.0, 1024: 1.0}) == pytest.approx(-0.5, rel=1e-12)
    assert math.isnan(slope({256: 1.0})) and math.isnan(slope({256: 1.0, 512: 0.0}))


def test_bounds_are_corollary_1_s():
    assert [round(problem.bound, 4) for problem in ALL] == [-0.25, -0.25, -0.25, -0.1, -0.3333]


def test_older_weights_keep_a_gap_that_delta_closes():
    """Cells of one row, noise of at least 0.3: the excess is the same at 512 rows as at 8,192 without Delta."""
    mean = {
        n: {
            name: np.mean([method(drawn(GAP, n, seed)) for seed in range(4)])
            for name, method in rates.GAP_METHODS.items()
        }
        for n in (1 << 9, 1 << 13)
    }
    for older in ("e^-errors", "e^-(errors + leaves)", "Helmbold-Schapire, beta 1/2"):
        assert mean[1 << 13][older] > 0.04
        assert mean[1 << 13][older] == pytest.approx(mean[1 << 9][older], rel=0.3)
    assert mean[1 << 13]["with Delta: lambda1 = lambda2 = 1"] < 0.015
    assert mean[1 << 13]["vote, as in theory"] < mean[1 << 9]["vote, as in theory"]


def test_rates_have_a_row_for_each_method_size_and_repeat():
    problem = Problem("toy", 1, 1, 1, 0.3)
    found = list(rates.rates(problem, {"zero": lambda sample: 0.0}, [8, 16], 3))
    assert [(one.rows, one.repeat) for one in found] == [(n, k) for n in (8, 16) for k in range(3)]
    assert {one.bayes for one in found} == {problem.bayes_risk}
