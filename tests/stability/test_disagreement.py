"""Disagreement of bootstrap trees: AV-B10, the definition recomputed, intervals that cover, any classifier."""

from __future__ import annotations

import itertools
import math
import sys

import hypothesis
import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import bristlecone as bc
from bristlecone.stability import disagreement, of_answers
from bristlecone.table import as_table

RNG = np.random.default_rng(0)
X = RNG.standard_normal((200, 4))
Y = np.where(X[:, 0] + X[:, 1] + 0.5 * RNG.standard_normal(200) > 0, "yes", "no")


def test_av_b10():
    found = of_answers([(0, 1, 1, 0, 2), (0, 1, 0, 0, 2), (0, 1, 1, 1, 2)])
    assert found.any == 0.4
    assert found.pairwise == pytest.approx(0.2666666666666667, abs=1e-15)
    assert (found.n_bootstraps, found.n_test) == (3, 5)


@hypothesis.given(
    answers=st.integers(2, 6).flatmap(
        lambda b: st.lists(st.lists(st.sampled_from("abc"), min_size=b, max_size=b), min_size=1, max_size=12)
    )
)
@hypothesis.settings(max_examples=150, deadline=None)
def test_the_measures_are_their_definitions(answers):
    by_model = np.array(answers).T
    found = of_answers(by_model)
    n = len(answers)
    assert found.any == sum(len(set(row)) > 1 for row in answers) / n
    pairs = [np.mean(a != b) for a, b in itertools.combinations(by_model, 2)]
    assert found.pairwise == pytest.approx(np.mean(pairs), abs=1e-12)
    for row, entropy in zip(answers, found.entropy, strict=True):
        shares = [row.count(one) / len(row) for one in set(row)]
        assert entropy == pytest.approx(-sum(s * math.log2(s) for s in shares), abs=1e-12)
    if len(by_model) > 2:
        without = [
            np.mean([np.mean(a != b) for a, b in itertools.combinations(np.delete(by_model, k, axis=0), 2)])
            for k in range(len(by_model))
        ]
        b = len(by_model)
        half = 1.959963984540054 * math.sqrt((b - 1) / b * np.sum((without - np.mean(without)) ** 2))
        expected = (max(0, found.pairwise - half), min(1, found.pairwise + half))
        assert found.pairwise_interval == pytest.approx(expected, abs=1e-9)
    else:
        assert all(map(math.isnan, found.pairwise_interval))


def test_many_rows_and_answers_are_looked_at_in_parts(monkeypatch):
    answers = RNG.integers(0, 50, (7, 300))
    whole = of_answers(answers)
    monkeypatch.setattr(sys.modules["bristlecone.stability.disagreement"], "_CELLS", 1000)
    parts = of_answers(answers)
    assert (parts.any, parts.pairwise) == (whole.any, pytest.approx(whole.pairwise))
    assert np.allclose(parts.entropy, whole.entropy)


def test_any_can_only_rise_with_more_models():
    answers = RNG.integers(0, 2, (20, 100)) & RNG.integers(0, 2, (20, 100))
    shares = [of_answers(answers[:b]).any for b in range(2, 21)]
    assert shares == sorted(shares)


def test_bootstraps_as_weights_are_bootstraps_of_rows():
    seed, n = 7, len(Y)
    found = disagreement(bc.DecisionTreeClassifier(), X, Y, n_bootstraps=6, random_state=seed)
    rng = np.random.default_rng(seed)
    draws = [rng.integers(n, size=n) for _ in range(6)]
    models = [bc.DecisionTreeClassifier().fit(X[drawn], Y[drawn]) for drawn in draws]
    by_hand = of_answers([model.predict(X) for model in models])
    assert (found.any, found.pairwise) == (by_hand.any, by_hand.pairwise)
    assert np.array_equal(found.entropy, by_hand.entropy)
    assert found.n_leaves == tuple(model.get_n_leaves() for model in models)
    roots = [model.tree_.schema.names[model.tree_.feature[0]] for model in models]
    assert found.columns == {name: roots.count(name) for name in sorted(set(roots), key=lambda r: -roots.count(r))}
    assert sum(found.questions.values()) == 6 and all(" < " in words for words in found.questions)


@pytest.mark.parametrize("estimator", [bc.DecisionTreeClassifier(), DecisionTreeClassifier(random_state=0)])
def test_rows_are_drawn_with_their_weights(estimator):
    seed, n_models = 7, 5
    weight = np.random.default_rng(1).integers(0, 4, len(Y)) / 2
    there = np.flatnonzero(weight)
    found = disagreement(estimator, X, Y, sample_weight=weight, n_bootstraps=n_models, random_state=seed)
    rng = np.random.default_rng(seed)
    draws = [there[rng.integers(len(there), size=len(there))] for _ in range(n_models)]
    models = [clone(estimator).fit(X[drawn], Y[drawn], weight[drawn]) for drawn in draws]
    by_hand = of_answers([model.predict(X[there]) for model in models])
    assert (found.any, found.pairwise, found.n_test) == (by_hand.any, by_hand.pairwise, len(there))
    with pytest.raises(ValueError, match="sample_weight, row 3"):
        disagreement(estimator, X, Y, sample_weight=np.where(np.arange(len(Y)) == 3, np.nan, 1.0))


@pytest.mark.parametrize(
    "estimator",
    [
        bc.DecisionTreeClassifier(max_depth=3),
        bc.PrunedTreeClassifier(cv=3),
        bc.PACBayesTreeClassifier(),
        bc.PACBayesTreeClassifier(mode="certified"),
        bc.PrunedTreeClassifier(rule="bound"),
        bc.HelmboldSchapireClassifier(),
        bc.PrunedTreeClassifier(base="dyadic", penalty="leaves", strength=1.0),
        DecisionTreeClassifier(random_state=0),
        RandomForestClassifier(3, random_state=0),
    ],
    ids=lambda one: type(one).__name__,
)
def test_every_kind_of_classifier(estimator):
    found = disagreement(estimator, X, Y, n_bootstraps=4, X_test=X[:50], random_state=0)
    assert found.n_test == 50 and 0 <= found.pairwise <= found.any <= 1
    again = disagreement(estimator, X, Y, n_bootstraps=4, X_test=X[:50], random_state=0, n_jobs=2)
    assert (again.any, again.pairwise, again.columns) == (found.any, found.pairwise, found.columns)
    assert (found.n_leaves is None) is isinstance(estimator, RandomForestClassifier)
    assert not hasattr(estimator, "tree_") and str(found)


def test_pruning_and_a_forest_are_steadier_than_a_whole_tree():
    noisy = np.where(RNG.random(200) < 0.2, Y[::-1], Y)
    whole, pruned, forest = (
        disagreement(one, X[:150], noisy[:150], n_bootstraps=12, X_test=X[150:], random_state=0).pairwise
        for one in (
            bc.DecisionTreeClassifier(),
            bc.PrunedTreeClassifier(cv=3),
            RandomForestClassifier(30, random_state=0),
        )
    )
    assert whole > pruned and whole > forest


def test_frames_categories_and_the_estimators_own_categories():
    frame = pd.DataFrame({"c": ["a", "b", None, "d"] * 30, "v": RNG.random(120)})
    y = np.where((frame.c == "a") | (frame.v > 0.8), 1, 0)
    for cells in (frame, as_table(frame)):
        found = disagreement(bc.DecisionTreeClassifier(), cells, y, n_bootstraps=5, random_state=0)
        assert set(found.columns) <= {"c", "v"}
    codes = RNG.integers(0, 5, (100, 1)).astype(float)
    labels = np.isin(codes[:, 0], [0, 2, 4]) ^ (RNG.random(100) < 0.1)
    as_levels = disagreement(
        bc.DecisionTreeClassifier(categorical_features=[0]), codes, labels, n_bootstraps=4, random_state=0
    )
    assert all(" is " in words for words in as_levels.questions)
    inside = bc.PrunedTreeClassifier(base=bc.DecisionTreeClassifier(categorical_features=[0]), cv=3)
    assert all(" is " in w for w in disagreement(inside, codes, labels, n_bootstraps=4, random_state=0).questions)


def test_intervals_cover():
    """Wilson's over rows and the jackknife's over models, each against many draws of what it speaks of."""
    chance = np.linspace(0.02, 0.5, 8)
    inside = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        rows = rng.integers(0, 8, 60)
        answers = rng.random((40, 60)) < chance[rows]
        found = of_answers(answers)
        truth = float(np.mean(2 * chance[rows] * (1 - chance[rows])))
        inside += found.pairwise_interval[0] <= truth <= found.pairwise_interval[1]
    assert inside >= 180
    covered = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        low, high = of_answers([np.zeros(80), rng.random(80) < 0.2]).any_interval
        covered += low <= 0.2 <= high
    assert covered >= 180


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n_bootstraps": 1}, "n_bootstraps=1"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"random_state": -1}, "random_state=-1"),
        ({"y": ["a", "b"]}, "200 rows but y has 2"),
        ({"estimator": bc.DecisionTreeRegressor()}, "not a classifier"),
        ({"estimator": "tree"}, "not an estimator"),
        ({"X_test": X[:, :2]}, "2"),
        ({"X_test": X[:0]}, "X_test has no rows"),
        ({"sample_weight": np.eye(200)[3]}, "sample_weight is above zero in one row only"),
        ({"X": X[:1], "y": Y[:1]}, "X has one row only"),
    ],
)
def test_bad_input_is_named(given, words):
    held = {"estimator": bc.DecisionTreeClassifier(), "X": X, "y": Y, "n_bootstraps": 2} | given
    with pytest.raises((ValueError, TypeError), match=words):
        disagreement(held.pop("estimator"), held.pop("X"), held.pop("y"), **held)


@pytest.mark.parametrize("answers", [[[1, 2]], [1, 2], [[], []]])
def test_no_answers_no_measure(answers):
    with pytest.raises(ValueError, match="answers has shape"):
        of_answers(answers)


def test_an_answer_that_is_missing_is_named():
    with pytest.raises(ValueError, match="model 1 has none to row 2"):
        of_answers([[0.0, 1.0, 1.0], [0.0, 1.0, np.nan]])
    with pytest.raises(ValueError, match="model 0 has none to row 0"):
        of_answers([[None, "a"], ["b", "a"]])


def test_two_models_have_no_interval_over_models():
    told = str(disagreement(bc.DecisionTreeClassifier(), X, Y, n_bootstraps=2, random_state=0))
    assert "nan" not in told and "over models" not in told and "95% over rows" in told


def test_words():
    found = disagreement(bc.DecisionTreeClassifier(), X, Y, n_bootstraps=3, random_state=0)
    told = str(found)
    assert f"{found.any:.1%} of 200 rows" in told and "some two of 3 models" in told and "asked first" in told
