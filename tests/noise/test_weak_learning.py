"""Advantages at the nodes of a tree, the theorem's numbers, and the game over all reweightings."""

from __future__ import annotations

import functools
import itertools
import math

import hypothesis
import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from reference.questions import left_sides
from reference.reweighting import best_margin
from scipy.optimize import linprog
from sklearn.tree import DecisionTreeClassifier
from strategies import data_sets

import bristlecone as bc
from bristlecone import grow, noise
from bristlecone.grow import IMPURITIES, Impurity, Predicates
from bristlecone.noise.questions import Questions
from bristlecone.noise.reweighting import reweighted_advantage
from bristlecone.table import as_table

RNG = np.random.default_rng(0)
CUBIC = Impurity("cubic", lambda p: 1 - np.abs(2 * p - 1) ** 3)


@pytest.mark.parametrize(
    ("gamma", "eps", "size"), [(0.5, 0.5, 54.5981500331), (0.5, 0.25, 8886110.52051), (0.25, 0.25, 6.23514908081e27)]
)
def test_av_d4(gamma, eps, size):
    assert math.exp(noise.log_size(gamma, eps)) == pytest.approx(size, rel=1e-10)
    assert noise.log_size(gamma, eps, kappa=4.0) == pytest.approx(2 * noise.log_size(gamma, eps))


@pytest.mark.parametrize(
    ("gamma", "target", "eta"),
    [(0.5, 0.2, 0.00769230769231), (0.25, 0.2, 0.0047619047619), (0.1, 0.1, 0.00111111111111)],
)
def test_av_d5(gamma, target, eta):
    assert noise.eta_max(gamma, target) == pytest.approx(eta, rel=1e-10)
    assert noise.error_bound(gamma, target / 2, noise.eta_max(gamma, target)) == pytest.approx(target)


def test_the_size_may_be_beyond_every_number():
    assert noise.log_size(1e-200, 0.1) == math.inf


@pytest.mark.parametrize("gamma", [1.01, 0.0])
def test_no_advantage_is_above_one(gamma):
    for call in (noise.eta_max, noise.log_size, functools.partial(noise.error_bound, eta=0.1)):
        with pytest.raises(ValueError, match="gamma="):
            call(gamma, 0.1)


@pytest.mark.parametrize("n_ones", range(1, 60))
def test_a_split_that_is_the_label_has_the_advantage_one(n_ones):
    X = np.repeat([0, 1], [60 - n_ones, n_ones])[:, None]
    report = noise.weak_learning_report(grow.cart(X, X[:, 0]), X, X[:, 0], target=np.float64(0.2))
    assert report.gamma_min == pytest.approx(1.0) and report.gamma_min <= 1 and report.eta_max > 0


def test_an_estimator_knows_the_impurity_of_its_own():
    X, y = [[0], [1], [2], [3]], [0, 1, 0, 1]
    model = bc.DecisionTreeClassifier(criterion=CUBIC).fit(X, y)
    found = noise.weak_learning_report(model, X, y)
    assert found == noise.weak_learning_report(model.tree_, X, y, impurity=CUBIC) and found.impurity == "cubic"


def test_a_tree_that_asks_nothing():
    report = noise.weak_learning_report(grow.cart([[0], [0]], [0, 1]), [[0], [0]], [0, 1])
    assert report.sentence.startswith("No node that asks") and math.isnan(report.gamma_min)


@pytest.mark.parametrize("name", ["gamma", "eps", "eta"])
@pytest.mark.parametrize("value", [-1.0, float("nan"), "a", None])
def test_bad_numbers_of_the_theorem_are_named(name, value):
    with pytest.raises(ValueError, match=f"{name}="):
        noise.error_bound(**{"gamma": 0.5, "eps": 0.1, "eta": 0.1} | {name: value})


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt"])
@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=60, deadline=None)
def test_every_node_is_measured_as_defined(criterion, data):
    """Against the node's rows, every question of every column looked at."""
    found = data.draw(data_sets(criterion, n_classes=2))
    hypothesis.assume(len(set(found.y)) == 2)
    tree = grow.cart(found.X, found.y, criterion=criterion, categorical_features=found.categorical_features or None)
    report = noise.weak_learning_report(tree, found.X, found.y)
    path = tree.decision_path(found.X).toarray() > 0
    second, impurity = found.y == 1, IMPURITIES[criterion]
    assert [node.node for node in report.nodes] == np.flatnonzero(tree.children_left >= 0).tolist()
    for node in report.nodes:
        rows = path[:, node.node]
        h, y = path[rows, tree.children_left[node.node]], second[rows]
        q, mu = h.mean(), y.mean()
        cov = (h & y).mean() - q * mu
        assert (node.n_rows, node.weight) == (rows.sum(), rows.mean())
        assert node.covariance == pytest.approx(cov, abs=1e-12)
        assert node.gamma == pytest.approx(abs(cov) / (mu * (1 - mu)))
        scale = 2 if criterion == "gini" else 1  # the paper's Gini is 4p(1-p)
        assert node.drop == pytest.approx(scale * tree.gain(node.node), abs=1e-9)
        assert node.drop_floor == pytest.approx(2 * impurity.kappa * cov**2)
        assert node.drop >= node.drop_floor - 1e-12
        best = max(
            abs((side[rows] & y).mean() - side[rows].mean() * mu)
            for cells, categorical in zip(found.columns, found.categorical, strict=True)
            for side in left_sides(cells, categorical)
        )
        assert abs(node.best_covariance) == pytest.approx(best, abs=1e-12)
        assert node.replace_margin == pytest.approx(best, abs=1e-12)
        assert node.best_gamma >= node.gamma - 1e-12
        assert node.balanced_advantage == node.best_gamma / 2
        assert node.replace_margin <= node.label_flip_margin <= 2 * node.replace_margin + 1e-12
        pairs = report.n_questions * len(report.nodes)
        assert node.band == pytest.approx(
            math.sqrt(math.log(2 * pairs / 0.05) / (2 * node.n_rows)) + 1 / (4 * node.n_rows)
        )
    if report.nodes:
        assert report.gamma_min == min(node.best_gamma for node in report.nodes)
        weights = [node.weight for node in report.nodes]
        assert report.gamma_mean == pytest.approx(np.average([n.best_gamma for n in report.nodes], weights=weights))


def test_balanced_advantage_is_a_half_minus_the_balanced_error():
    """SPEC D3, Remark 2.8."""
    X, y = RNG.integers(0, 2, (300, 1)), RNG.integers(0, 2, 300)
    node = noise.weak_learning_report(grow.cart(X, y), X, y).nodes[0]
    h = X[:, 0] if np.cov(X[:, 0], y)[0, 1] > 0 else 1 - X[:, 0]
    balanced_error = (np.mean(h[y == 1] == 0) + np.mean(h[y == 0] == 1)) / 2
    assert node.balanced_advantage == pytest.approx(0.5 - balanced_error)


def test_the_margin_cannot_be_undercut():
    """Fewer than |Cov| n replaced rows leave a covariance, whoever replaces them."""
    X, y = RNG.integers(0, 2, (40, 1)).astype(float), RNG.integers(0, 2, 40)
    y[:15] = X[:15, 0]
    node = noise.weak_learning_report(grow.cart(X, y), X, y).nodes[0]
    few = (math.ceil(node.replace_margin * 40) - 1) / 40
    bad = noise.greedy_cancel(X, y, few, random_state=0)
    assert abs(np.cov(bad.X[:, 0], bad.y, bias=True)[0, 1]) > 0
    enough = noise.greedy_cancel(X, y, 1.0, random_state=0)
    assert node.replace_margin * 40 - 1e-9 <= len(enough.indices) < 40


def test_the_band_covers_on_fresh_rows():
    tree = grow.top_down(*noise.monotone_tree(6, 8, random_state=0).sample(400, random_state=1), 8)
    target = noise.monotone_tree(6, 8, random_state=0)
    truth = {
        n.node: n.covariance for n in noise.weak_learning_report(tree, *target.sample(200_000, random_state=2)).nodes
    }
    for seed in range(20):
        for node in noise.weak_learning_report(tree, *target.sample(300, random_state=3 + seed)).nodes:
            assert abs(node.covariance - truth[node.node]) <= node.band


def test_estimators_and_questions_of_a_users_own():
    X = pd.DataFrame({"a": RNG.random(100), "b": RNG.random(100)})
    y = np.where(X.a < X.b, "up", "down")
    asked = Predicates(["a < b"], lambda table: (table.columns[0] < table.columns[1])[:, None])
    report = noise.weak_learning_report(grow.top_down(X, y, splits=asked), X, y)
    assert report.gamma_min == pytest.approx(1.0) and report.n_questions == 1
    assert report.nodes[0].best_split == report.nodes[0].split == "a < b is false"
    for estimator in (bc.DecisionTreeClassifier(), bc.PrunedTreeClassifier()):
        assert noise.weak_learning_report(estimator.fit(X, y), X, y).n_rows == 100
    own = Impurity("cubic", lambda p: 1 - np.abs(2 * p - 1) ** 3)
    tree = grow.top_down(X, y, 4, impurity=own)
    assert math.isnan(noise.weak_learning_report(tree, X, y, impurity=own).log_size)
    with pytest.raises(ValueError, match="impurity='cubic'"):
        noise.weak_learning_report(tree, X, y)


def test_words():
    X, y = noise.monotone_tree(8, 8, random_state=3).sample(500, random_state=0)
    report = noise.weak_learning_report(grow.cart(X, y), X, y)
    assert "which no finite sample can certify" in report.sentence and "usually astronomically large" in report.sentence
    assert "tolerates" not in str(report)
    assert f"advantage >= {report.gamma_min:.3g}" in report.sentence
    assert len(pd.DataFrame(report.to_dict())) == len(report.nodes) == len(pd.DataFrame(report.nodes))
    assert "more nodes" in report.text(2) and "more nodes" not in report.text()
    pure = noise.weak_learning_report(grow.cart(X, y), X[y == 1], y[y == 1])
    assert pure.nodes == () and math.isnan(pure.gamma_min) and "no advantage" in str(pure)
    xor = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert "With the advantage 0" in str(noise.weak_learning_report(grow.cart(xor, [0, 1, 1, 0]), xor, [0, 1, 1, 0]))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"target": 0.0}, "target=0.0"),
        ({"delta": 1.0}, "delta=1.0"),
        ({"reweighted": 1}, "reweighted=1"),
        ({"model": 3}, "int holds no Tree"),
        ({"model": bc.DecisionTreeClassifier()}, "not fitted"),
        ({"model": DecisionTreeClassifier()}, "DecisionTreeClassifier holds no Tree: give a Tree or a fitted"),
        ({"X": np.empty((0, 1)), "y": []}, "X has no rows"),
        ({"y": [0, 1]}, "4 rows but y has 2"),
        ({"y": [0, 1, 2, 1]}, "2"),
        ({"model": grow.cart([[0], [1], [2]], [0, 1, 2]), "X": [[0]], "y": [0]}, "two classes; the tree has 3"),
        ({"model": grow.cart([[0], [1]], [0.5, 1.5], criterion="squared_error")}, "the tree answers with numbers"),
        ({"model": grow.top_down([[0], [1]], [0, 1], impurity=CUBIC)}, "impurity='cubic', known by its name alone"),
        ({"target": 1}, "target=1"),
        ({"delta": "0.1"}, "delta='0.1'"),
    ],
)
def test_bad_input_is_named(given, words):
    X, y = [[0], [1], [2], [3]], [0, 1, 0, 1]
    held = {"model": grow.cart(X, y), "X": X, "y": y} | given
    with pytest.raises((ValueError, TypeError), match=words):
        noise.weak_learning_report(held.pop("model"), held.pop("X"), held.pop("y"), **held)


def test_trees_of_scikit_learn_are_read():
    X = RNG.standard_normal((200, 3))
    y = X[:, 0] + X[:, 1] > 0
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    found = noise.weak_learning_report(theirs, X, y)
    assert [node.n_rows for node in found.nodes] == [
        n for n, left in zip(theirs.tree_.n_node_samples, theirs.tree_.children_left, strict=True) if left >= 0
    ]
    assert found.nodes[0].split.startswith("x")


@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=80, deadline=None)
def test_the_game_is_that_of_all_questions(data):
    found = data.draw(data_sets("gini", n_classes=2))
    table = as_table(found.X, categorical_features=found.categorical_features or None)
    second = found.y == 1
    answers = [np.ones(len(second))]
    for cells, categorical in zip(found.columns, found.categorical, strict=True):
        answers += [np.where(side, 1.0, -1.0) for side in left_sides(cells, categorical)]
    agreement = np.array(answers) * np.where(second, 1.0, -1.0)
    both = np.concatenate([agreement, -agreement]) / 2
    solved = linprog(
        np.r_[np.zeros(len(second)), 1.0],
        A_ub=np.c_[both, -np.ones(len(both))],
        b_ub=np.zeros(len(both)),
        A_eq=np.r_[np.ones(len(second)), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * len(second) + [(None, None)],
    )
    assert reweighted_advantage(Questions(table), second) == pytest.approx(solved.fun, abs=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_weights_and_votes_meet(seed):
    """Columns of many values, levels of both classes and of one, missing cells: no run may be joined wrongly."""
    rng = np.random.default_rng(seed)
    n = 120
    numbers = np.where(rng.random((n, 2)) < 0.1, np.nan, rng.standard_normal((n, 2)).round(seed % 3))
    levels = pd.Categorical.from_codes(rng.integers(-1, 9, n), categories=list("abcdefghi"))
    frame = pd.DataFrame({"x": numbers[:, 0], "z": numbers[:, 1], "level": levels, "row": rng.permutation(n)})
    second = (frame.x.fillna(1) + rng.standard_normal(n) > 0) | (frame.level == "c")
    questions = Questions(as_table(frame))
    assert reweighted_advantage(questions, second.to_numpy()) == pytest.approx(
        best_margin(questions, second.to_numpy()), rel=1e-6
    )


@pytest.mark.parametrize(("n_runs", "cost"), [(1000, 999), (2001, 2001)])
def test_the_game_of_thousands_of_rows(n_runs, cost):
    """Runs of two rows whose class alternates: a vote pays for each step between runs, and for a constant where the
    first and the last run are of one class."""
    x = np.arange(2 * n_runs)
    assert reweighted_advantage(Questions(as_table(x[:, None])), x // 2 % 2 == 1) == pytest.approx(1 / (2 * cost))


def test_majority_of_three_bits_has_a_sixth():
    X = np.array(list(itertools.product([0, 1], repeat=3)))
    assert reweighted_advantage(Questions(as_table(X)), X.sum(axis=1) > 1) == pytest.approx(1 / 6)
    assert reweighted_advantage(Questions(as_table(X)), X.sum(axis=1) % 2 > 0) == pytest.approx(0, abs=1e-9)
    assert reweighted_advantage(Questions(as_table([[0.0], [0.0]])), np.array([True, False])) == 0.0
