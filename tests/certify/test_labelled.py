"""Labels as a part of the hypothesis: every pruning of the full tree with every labelling, listed."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bristlecone as bc
from bristlecone.certify import gibbs_bound, kl_inverse, weigh_cells
from bristlecone.certify.labelled import LabelledPrunings
from bristlecone.certify.losses import Misclassification
from bristlecone.certify.rows import units_of
from bristlecone.subtrees import cut

DEPTH = 3


def cells(depth=DEPTH):
    """The cells of [0, 1] cut in the middle, by (depth, place)."""
    return [(d, k) for d in range(depth + 1) for k in range(2**d)]


def full_prunings(cell=(0, 0)):
    """Every pruning of the full tree below a cell, as tuples of cells."""
    d, k = cell
    if d == DEPTH:
        return [(cell,)]
    below = [full_prunings((d + 1, 2 * k + side)) for side in (0, 1)]
    return [(cell,), *(left + right for left, right in itertools.product(*below))]


def holds(cell, x):
    """{x <= middle} is the left half: a number on a boundary lies in the cell below it."""
    d, k = cell
    return max(math.ceil(x * 2**d) - 1, 0) == k


def prior_of(leaves, stop):
    inner = sum(1 for d, k in cells() if any(a > d and b >> (a - d) == k for a, b in leaves))
    stopped = sum(1 for d, _ in leaves if d < DEPTH)
    return stop**stopped * (1 - stop) ** inner


def listed(x, y, n_classes, lam, stop):
    """(KL, mean errors, tandem, chance of each class at each x), from all hypotheses."""
    masses, priors, errors, answers = [], [], [], []
    for leaves in full_prunings():
        at = [next(i for i, leaf in enumerate(leaves) if holds(leaf, value)) for value in x]
        for labels in itertools.product(range(n_classes), repeat=len(leaves)):
            answer = [labels[i] for i in at]
            wrong = sum(a != b for a, b in zip(answer, y, strict=True))
            priors.append(prior_of(leaves, stop) / n_classes ** len(leaves))
            masses.append(priors[-1] * math.exp(-lam * wrong))
            errors.append(wrong)
            answers.append(answer)
    assert math.fsum(priors) == pytest.approx(1, rel=1e-12)
    q = np.array(masses) / math.fsum(masses)
    kl = float(q @ (np.log(q) - np.log(priors)))
    chance = np.array([[q[[a[row] == c for a in answers]].sum() for c in range(n_classes)] for row in range(len(x))])
    return kl, float(q @ errors), chance


def built(x, y, n_classes, stop, *, shorter):
    tree = bc.grow.dyadic(np.array(x)[:, None], np.array(y), ranges=[[0, 1]], max_depth=DEPTH, stop_pure=False)
    if shorter:
        tree = cut(tree, tree.n_node_samples <= 1)
    counts = np.zeros((tree.n_nodes, n_classes))
    counts[:, tree.classes] = tree.counts
    units = units_of(np.array([*y, *[0] * 8]), Misclassification(), groups=None, corrupted=0.0)
    return LabelledPrunings(tree, counts, units, stop)


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 16), st.integers(0, 1)), min_size=1, max_size=7),
    st.floats(0.05, 2),
    st.sampled_from([0.1, 0.5, 0.8]),
)
def test_everything_is_that_of_all_hypotheses_listed(rows, lam, stop):
    x, y = [k / 16 for k, _ in rows], [label for _, label in rows]
    kl, lost, chance = listed(x, y, 2, lam, stop)
    for shorter in (False, True):  # chains of one row in closed form
        made = built(x, y, 2, stop, shorter=shorter)
        posterior, observed, nats = made.at(lam)
        assert nats == pytest.approx(kl, rel=1e-9, abs=1e-12)
        assert observed * made.units.n == pytest.approx(lost, rel=1e-9)
        assert posterior.prior_weighing.total == pytest.approx(0, abs=1e-12)
        grid_observed, grid_kl = made.grid(np.array([lam]))
        assert grid_observed[0] == pytest.approx(observed, rel=1e-9)
        assert grid_kl[0] == pytest.approx(nats, rel=1e-6, abs=1e-9)
    whole = built(x, y, 2, stop, shorter=False)
    weighed = _with(whole, lam)
    assert weighed.predict_proba(np.array(x)[:, None]) == pytest.approx(chance, rel=1e-9)
    wrong = 1 - chance[np.arange(len(y)), y]
    n = whole.units.n
    assert weighed.vote_risks.gibbs * n == pytest.approx(wrong.sum(), rel=1e-9)
    assert weighed.vote_risks.tandem * n == pytest.approx((wrong**2).sum(), rel=1e-9)
    assert weighed.vote_risks.disagreement * n == pytest.approx((1 - (chance**2).sum(axis=1)).sum(), rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 16), st.integers(0, 1)), min_size=1, max_size=7),
    st.lists(st.integers(0, 1), min_size=2**DEPTH, max_size=2**DEPTH),
    st.sampled_from([0.1, 0.5, 0.8]),
)
def test_what_the_prior_gives_to_answers_is_the_largest_of_all_hypotheses_listed(rows, answers, stop):
    """Answers of the finest cells; those that lie in one built cell answer alike."""
    made = built([k / 16 for k, _ in rows], [label for _, label in rows], 2, stop, shorter=False)
    middles = (np.arange(2**DEPTH) + 0.5) / 2**DEPTH
    nodes = made.tree.apply(middles[:, None])
    labels = np.zeros(made.tree.n_nodes, dtype=np.int64)
    labels[nodes] = answers  # of several in one built cell, one
    said = labels[nodes]
    best = 0.0
    for leaves in full_prunings():
        at = [next(i for i, leaf in enumerate(leaves) if holds(leaf, value)) for value in middles]
        if all(len({label for i, label in zip(at, said, strict=True) if i == leaf}) == 1 for leaf in set(at)):
            best = max(best, prior_of(leaves, stop) / 2 ** len(leaves))
    assert made.log_prior_of(labels) == pytest.approx(math.log(best), rel=1e-9)


def _with(hypotheses, lam):
    from bristlecone.certify.labelled import LabelledTree

    posterior, observed, kl = hypotheses.at(lam)
    return LabelledTree(
        hypotheses=hypotheses,
        posterior=posterior,
        classes=np.array([0, 1]),
        observed=observed,
        kl=kl,
        lam=lam,
        prior=hypotheses.name,
        n_priors=1,
        delta=0.05,
        assumes=(),
        notes=(),
    )


def test_three_classes_and_points_in_cells_without_rows():
    x, y = [0.1, 0.15, 0.9], [2, 2, 0]
    kl, lost, _ = listed(x, y, 3, 0.7, 0.5)
    made = built(x, y, 3, 0.5, shorter=True)
    _, observed, nats = made.at(0.7)
    assert nats == pytest.approx(kl, rel=1e-10)
    assert observed * made.units.n == pytest.approx(lost, rel=1e-10)


def noisy_squares(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
    y[rng.random(n) < 0.1] ^= 1
    return X, np.where(y, "in", "out")


@pytest.fixture(scope="module")
def squares():
    X, y = noisy_squares(800)
    return weigh_cells(X, y, ranges=[[0, 1], [0, 1]], max_depth=16, classes=["out", "in"])


def test_all_rows_certify_what_is_answered(squares):
    X, y = noisy_squares(800)
    said = squares.vote()
    assert (said.n, said.predictor) == (800, "vote")
    assert np.mean(squares.predict(X) != y) == pytest.approx(said.observed, abs=1e-12)
    assert squares.gibbs().value == gibbs_bound(squares.observed, squares.kl, 800, 0.05 / 5)
    assert squares.gibbs().value < 0.2
    fresh, truth = noisy_squares(20_000, seed=1)
    assert np.mean(squares.predict(fresh) != truth) <= said.value
    assert squares.gibbs().value <= kl_inverse(squares.observed, 0.1)
    assert "do not come from them" in str(said)


def test_groups_cells_outside_and_classes_without_rows(squares):
    X, y = noisy_squares(400)
    groups = np.repeat(np.arange(100), 4)
    asked = {"ranges": [[0, 1], [0, 1]], "max_depth": 8, "classes": ["out", "in", "never"]}
    by_group = weigh_cells(X, y, groups=groups, **asked)
    assert (by_group.gibbs().n, by_group.gibbs().unit) == (100, "group")
    assert "No certifying row is of class 'never'" in str(by_group.gibbs())
    assert by_group.predict_proba([[5.0, -3.0]]).sum() == pytest.approx(1)
    tampered = weigh_cells(X, y, corrupted=0.1, **asked)
    assert tampered.gibbs().value > weigh_cells(X, y, **asked).gibbs().value + 0.05


@pytest.mark.parametrize(
    ("changes", "kind", "said"),
    [
        ({"ranges": None}, TypeError, "taken from these rows, they would shape the tree by them"),
        ({"max_depth": None}, TypeError, "taken from these rows, they would shape the tree by them"),
        ({"ranges": [[0, 1]]}, ValueError, "ranges has shape"),
        ({"classes": ["in"]}, ValueError, "classes must hold at least two different labels"),
        ({"classes": ["in", "in"]}, ValueError, "classes must hold at least two different labels"),
        ({"classes": ["in", "no"]}, ValueError, "'out' is not one of the classes"),
        ({"delta": 1}, ValueError, "delta must be a number between 0 and 1"),
        ({"max_depth": -1}, ValueError, "max_depth"),
    ],
)
def test_what_is_refused(changes, kind, said):
    X, y = noisy_squares(20)
    asked = {"ranges": [[0, 1], [0, 1]], "max_depth": 4, "classes": ["in", "out"]} | changes
    with pytest.raises(kind) as error:
        weigh_cells(X, y, **asked)
    assert said in str(error.value)
    with pytest.raises(ValueError, match="5 certifying row"):
        weigh_cells(X[:5], y[:5], ranges=[[0, 1], [0, 1]], max_depth=4, classes=["in", "out"])
