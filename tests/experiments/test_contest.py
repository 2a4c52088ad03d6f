"""The paper's four methods with parameters chosen one way: arithmetic of the protocols on toy data."""

import numpy as np
import pytest

import bristlecone as bc
from bristlecone.experiments.contest import METHODS, PROTOCOLS, Answering, chosen, contestants, folds_of, pruned_labels
from bristlecone.subtrees.selection import CODE, PAPER


def rows(n=160, k=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    y = np.where(rng.random(n) < 0.2, rng.integers(0, k, n), (X[:, 0] * k).astype(int))
    return X, y


@pytest.mark.parametrize("base", ["dyadic", "kd"])
@pytest.mark.parametrize("penalty", ["leaves", "scott_nowak"])
def test_labels_of_prunings_are_what_prunings_answer(base, penalty):
    X, y = rows(k=3)
    tree = getattr(bc.grow, base)(X, y)
    strengths = np.array([0.01, 0.5, 2.0, 50.0])
    labels = pruned_labels(penalty, tree, {"lambda": strengths})
    fresh = np.random.default_rng(1).random((400, 2)) * 1.4 - 0.2
    for k, strength in enumerate(strengths):
        pruning = bc.subtrees.cheapest_pruning(tree, penalty, strength)
        assert (tree.classes[labels[tree.apply(fresh), k]] == pruning.predict(fresh)).all()


@pytest.mark.parametrize("n_rows", [2, 3, 20, 21])
def test_two_halves_hold_every_row_out_once(n_rows):
    first, second = folds_of("paper", n_rows, 0)
    assert abs(len(first.held_out) - len(second.held_out)) <= 1
    assert sorted([*first.held_out, *second.held_out]) == list(range(n_rows))
    assert (first.held == 1).all()


def test_one_part_of_35_percent_is_held_out_once():
    (only,) = folds_of("code", 200, 0)
    assert len(only.held_out) == 70 and len(set(only.held_out)) == 70
    (other,) = folds_of("code", 200, 1)
    assert set(other.held_out) != set(only.held_out)


def wrong_on(strength, X, y, folds):
    """The errors on held-out rows of C1's prunings, grown and pruned one by one."""
    wrong = 0
    for fold in folds:
        out = np.isin(np.arange(len(y)), fold.held_out)
        pruning = bc.subtrees.cheapest_pruning(bc.grow.dyadic(X[~out], y[~out]), "leaves", strength)
        wrong += int((pruning.predict(X[out]) != y[out]).sum())
    return wrong


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("seed", range(4))
def test_the_strength_is_the_best_of_both_grids(protocol, seed):
    X, y = rows(seed=seed)
    found = chosen(METHODS["C1"], X, y, base="dyadic", protocol=protocol, seed=seed)
    folds = folds_of(protocol, len(y), seed)
    first = np.geomspace(2.0**-8, 2.0**6, 10)
    first = np.sort([*first, 1.0]) if protocol == "code" else first
    best = min(first, key=lambda strength: wrong_on(strength, X, y, folds))
    second = np.linspace(best / 2, 2 * best, len(first))
    errors = [wrong_on(strength, X, y, folds) for strength in second]
    k = int(np.argmin(errors))
    while protocol == "code" and 0 < k < len(second) - 1 and errors[k] and errors[k + 1] / errors[k] > 1.5:
        k -= 1
    assert found.strengths["lambda"] == pytest.approx(second[k], rel=1e-12)
    pruning = bc.subtrees.cheapest_pruning(bc.grow.dyadic(X, y), "leaves", second[k])
    assert (found.predict(X) == pruning.predict(X)).all()


def test_the_grids_are_the_paper_s():
    assert (PROTOCOLS["paper"], PROTOCOLS["code"]) == (PAPER, CODE)
    (axis,) = METHODS["C1"].axes
    grid = np.geomspace(axis.low, axis.high, 10)
    assert grid[[0, 1, 4, 9]] == pytest.approx([0.00390625, 0.0114823007, 0.2916322599, 64.0], abs=1e-10)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_beta_stays_below_one_in_every_protocol(protocol):
    X, y = rows()
    found = chosen(METHODS["HS"], X, y, base="kd", protocol=protocol, seed=0)
    assert 0 < found.strengths["beta"] < 1


@pytest.mark.parametrize("base", ["dyadic", "kd"])
def test_the_vote_is_the_estimator_s_at_the_same_strengths(base):
    X, y = rows(k=3)
    found = chosen(METHODS["vote"], X, y, base=base, protocol="paper", seed=0)
    assert set(found.strengths) == {"lambda1", "lambda2"}
    model = bc.PACBayesTreeClassifier(base=base, **found.strengths).fit(X, y)
    fresh = np.random.default_rng(2).random((300, 2))
    assert (found.predict(fresh) == model.predict(fresh)).all()
    assert found.get_n_leaves() == model.get_n_leaves()


def test_leaves_are_counted_after_merging_what_answers_alike():
    X, y = rows()
    tree = bc.grow.kd(X, y)
    assert Answering(tree, np.zeros(tree.n_nodes, np.int32), {}).get_n_leaves() == 1
    assert Answering(tree, tree.label, {}).get_n_leaves() == bc.subtrees.simplify(tree).n_leaves


def test_helmbold_and_schapire_vote_over_two_classes_only():
    assert list(contestants(2)) == ["C1", "SN", "HS", "vote"]
    assert list(contestants(3)) == ["C1", "SN", "vote"]


def test_parameters_are_told():
    tree = bc.grow.kd([[0.0], [1.0]], [0, 1])
    assert str(Answering(tree, tree.label, {"lambda1": 2.0, "lambda2": 1 / 3})) == "lambda1=2 lambda2=0.3333"
