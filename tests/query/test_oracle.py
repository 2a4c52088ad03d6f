"""Oracles: what is counted, remembered, refused and found out about a black box."""

from __future__ import annotations

import time
from contextlib import ExitStack

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from query.boolean_functions import SETTINGS

from bristlecone.query import BudgetSpentError, Oracle, ProductDistribution, build_top_down, influence, learn_tree
from bristlecone.query.functions import all_points


def first(X):
    return X[:, 0]


def test_queries_are_counted_repeats_too():
    oracle = Oracle(first, recheck=0)
    X = all_points(3, 0, 8)
    assert oracle(X).tolist() == X[:, 0].tolist()
    oracle(X)
    assert oracle.n_queries == 16 and oracle.n_distinct is None and oracle.seconds > 0


def test_a_cache_asks_nothing_twice_and_a_log_keeps_everything():
    oracle = Oracle(first, cache=True, log=True)
    X = all_points(3, 0, 8)
    for _ in range(3):
        np.testing.assert_array_equal(oracle(np.vstack([X, X])), np.tile(X[:, 0], 2))
    assert oracle.n_queries == oracle.n_distinct == 8 and oracle.n_rechecked == 0
    asked = np.vstack([questions for questions, _ in oracle.log])
    assert len(np.unique(asked, axis=0)) == len(asked) == 8


def test_what_a_cache_cannot_tell_apart_is_refused():
    oracle = Oracle(lambda X: np.zeros(len(X)), cache=True)
    for X in (pd.DataFrame({"a": [1]}), np.array([["a"]], dtype=object)):
        with pytest.raises(
            TypeError,
            match=r"rows of arrays \(m, n\) of numbers, got an? (DataFrame|array \(shape \(1, 1\)\) of object)",
        ):
            oracle(X)


def test_learners_of_two_kinds_refuse_an_oracle_of_many():
    oracle = Oracle(lambda X: X.sum(axis=1), most_kinds=None)
    for learn in (influence, lambda f, dist: learn_tree(f, dist, 0.2), lambda f, dist: build_top_down(f, dist, 0)):
        with pytest.raises(ValueError, match="two kinds of labels"):
            learn(oracle, ProductDistribution([0.5] * 3))


def test_batches_are_not_larger_than_asked_for():
    sizes = []

    def watched(X):
        sizes.append(len(X))
        return X[:, 0]

    Oracle(watched, batch_size=3)(all_points(3, 0, 8))
    assert sizes == [3, 3, 2]


def test_models_with_predict_and_frames():
    class Model:
        def predict(self, X):
            return X["a"].to_numpy()

    frame = pd.DataFrame({"a": ["no", "yes", "no"]})
    assert Oracle(Model())(frame).tolist() == ["no", "yes", "no"]
    with pytest.raises(TypeError, match="callable or an object with predict"):
        Oracle(3)


@pytest.mark.parametrize("labels", [[-1, 1], [True, False], ["b", "a"], [0.5, 0.25], [None.__class__.__name__, 3]])
def test_kinds_are_numbered_as_met_and_sorted_at_the_end(labels):
    answers = np.array([labels[1], labels[0], labels[1]], dtype=object if len({type(x) for x in labels}) > 1 else None)
    oracle = Oracle(lambda X: answers)
    found = oracle(np.zeros((3, 1)))
    assert found.tolist() == answers.tolist()
    classes, rank = oracle.classes()
    assert classes[rank[oracle.kinds(np.zeros((3, 1)))]].tolist() == answers.tolist()


def test_many_kinds():
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    oracle = Oracle(lambda X: letters[X[:, 0]], most_kinds=None)
    for start in (3, 0, 10):
        X = np.arange(start, 26)[:, None]
        assert oracle(X).tolist() == letters[start:].tolist()
    assert oracle.classes()[0].tolist() == letters.tolist()


def test_changing_answers_are_reported():
    rng = np.random.default_rng(0)
    moody = Oracle(lambda X: rng.integers(0, 2, len(X)))
    for _ in range(4):
        moody.kinds(np.zeros((1024, 2), np.uint8))
    assert moody.n_rechecked >= 32 and 0 < moody.n_changed < moody.n_rechecked
    steady = Oracle(first)
    influence(steady, ProductDistribution([0.5] * 12))
    assert steady.n_rechecked > 0 and steady.n_changed == 0
    assert steady.n_queries == 4096 + steady.n_rechecked


def test_small_tables_are_checked_once_at_the_end():
    calls = []

    def moody(X):
        calls.append(len(X))
        return X[:, 0] ^ (len(calls) > 1)

    built = build_top_down(Oracle(moody), ProductDistribution([0.5] * 3), 0.0)
    assert built.oracle.n_changed == 8


def test_budgets_are_never_passed():
    oracle = Oracle(first, max_queries=10)
    oracle(np.zeros((6, 1), np.uint8))
    with pytest.raises(BudgetSpentError, match="max_queries=10 is spent") as spent:
        oracle(np.zeros((5, 1), np.uint8))
    assert spent.value.needed == 5 and oracle.n_queries == 6 and oracle.queries_left == 4
    with pytest.raises(BudgetSpentError, match="max_seconds=0"):
        Oracle(first, max_seconds=0)(np.zeros((1, 1)))
    for name in ("max_queries", "max_seconds"):
        with pytest.raises(ValueError, match=f"{name} must not be negative"):
            Oracle(first, **{name: -1})


@SETTINGS
@given(st.none() | st.integers(0, 20), st.lists(st.none() | st.integers(0, 20), max_size=3), st.integers(0, 5))
def test_narrowed_is_the_lesser_budget_and_gives_the_old_one_back(own, narrower, asked):
    oracle = Oracle(first, max_queries=own, recheck=0)
    if asked > oracle.queries_left:
        return
    oracle(np.zeros((asked, 1), np.uint8))
    left = oracle.queries_left
    with ExitStack() as stack:
        for most in narrower:
            stack.enter_context(oracle.narrowed(most))
        expected = min([left, *(most for most in narrower if most is not None)])
        assert oracle.queries_left == expected
        if expected < np.inf:
            with pytest.raises(BudgetSpentError, match="max_queries"):
                oracle(np.zeros((int(expected) + 1, 1), np.uint8))
            oracle(np.zeros((int(expected), 1), np.uint8))
            assert oracle.queries_left == 0
    assert oracle.max_queries == own and oracle.queries_left == left - (oracle.n_queries - asked)


def test_narrowed_seconds_run_from_its_start_and_end_with_it():
    oracle, one = Oracle(first, max_seconds=1000), np.zeros((1, 1), np.uint8)
    with oracle.narrowed(max_seconds=2000):
        assert 900 < oracle.seconds_left <= 1000
    with pytest.raises(BudgetSpentError, match="max_seconds=0 are over"), oracle.narrowed(max_seconds=0):
        oracle(one)
    assert oracle.max_seconds == 1000 and 900 < oracle.seconds_left <= 1000
    assert len(oracle(one)) == 1 and Oracle(first).seconds_left == np.inf
    for wrong in ({"max_queries": -1}, {"max_seconds": -1}, {"max_queries": 1.5}, {"max_seconds": "a"}):
        with pytest.raises((ValueError, TypeError), match=next(iter(wrong))), oracle.narrowed(**wrong):
            pass
    assert (oracle.max_queries, oracle.max_seconds) == (None, 1000)


def fails(X):
    raise ZeroDivisionError("by nought")


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (fails, "raised ZeroDivisionError on 4 points: by nought"),
        (lambda X: [1, 2, 3], r"asked about 4 points and returned answers of shape \(3,\)"),
        (lambda X: None, r"shape \(\)"),
        (lambda X: np.zeros((4, 2)), r"shape \(4, 2\)"),
        (lambda X: np.array([0, 1, np.nan, 0]), "answer to point 2"),
        (lambda X: np.array(["a", None, "b", "a"], dtype=object), "answer to point 1"),
        (lambda X: np.arange(4), "more than 2 labels: 0, 1, 2"),
    ],
)
def test_what_an_oracle_does_wrong_is_named(f, message):
    with pytest.raises(ValueError, match=message):
        Oracle(f)(np.zeros((4, 3)))


def test_column_vectors_and_lists_are_answers():
    assert Oracle(lambda X: X[:, :1])(np.array([[1], [0]])).tolist() == [1, 0]
    assert Oracle(lambda X: ["x"] * len(X))(np.zeros((2, 1))).tolist() == ["x", "x"]


@pytest.mark.parametrize(
    ("name", "value"), [("batch_size", 0), ("recheck", -1), ("batch_size", 2.5), ("batch_size", True)]
)
def test_whole_numbers(name, value):
    with pytest.raises(ValueError, match=f"{name} must be a whole number"):
        Oracle(first, **{name: value})


def test_c69_a_black_box_is_asked_not_sampled():
    def xor(X):
        return X[:, 1] ^ X[:, 3]

    oracle = Oracle(xor, cache=True, log=True)
    dist = ProductDistribution([0.5] * 5)
    built = build_top_down(oracle, dist, 0.0)
    points = all_points(5, 0, 32)
    assert built.size == 4 and set(built.tree.feature[built.tree.feature >= 0]) == {1, 3}
    assert (built.tree.predict(points.astype(float)) == xor(points)).sum() == 32
    assert oracle.n_queries == oracle.n_distinct <= 32
    asked = np.vstack([questions for questions, _ in oracle.log])
    assert len(np.unique(asked, axis=0)) == len(asked)


def test_c69_answers_that_are_random_but_repeatable():
    flipped = np.random.default_rng(0).random(32) < 0.05
    weights = 1 << np.arange(5)

    def noisy(X):
        return X[:, 1] ^ X[:, 3] ^ flipped[X @ weights]

    oracle = Oracle(noisy, cache=True)
    built = build_top_down(oracle, ProductDistribution([0.5] * 5), flipped.mean())
    assert built.size == 4 and built.error == pytest.approx(flipped.mean())
    assert oracle.n_changed == 0


@pytest.mark.parametrize("kinds", [0, -2, "a", 2.5, True])
def test_how_many_kinds_there_may_be_is_a_whole_number(kinds):
    with pytest.raises(ValueError, match="most_kinds must be None or a whole number of at least 1"):
        Oracle(first, most_kinds=kinds)


def test_a_cache_tells_numbers_apart_and_not_their_signs_of_zero():
    oracle = Oracle(lambda X: X[:, 0] > 5, cache=True)
    assert oracle(np.array([[0.0], [-0.0], [1.0]])).tolist() == [False, False, False]
    assert oracle.n_queries == oracle.n_distinct == 2
    assert oracle(np.array([[1.0]]).view(np.int64)).tolist() == [True]  # another number whose bytes are alike
    assert oracle.n_queries == 3


def test_a_check_asks_nothing_when_the_time_is_over(monkeypatch):
    now = 0.0

    def slow(X):
        nonlocal now
        now += 2.0
        return X[:, 0]

    monkeypatch.setattr(time, "monotonic", lambda: now)
    oracle = Oracle(slow, max_seconds=1)
    assert oracle(np.zeros((5000, 2), np.uint8)).tolist() == [0] * 5000  # what was answered is not lost
    oracle.final_check()
    assert oracle.n_queries == 5000 and oracle.n_rechecked == 0


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, pd.NA, pd.NaT, np.datetime64("NaT")])
def test_an_answer_that_is_missing_is_found_whatever_it_is(missing):
    answers = np.empty(5, dtype=object)
    answers[:] = ["a", "b", "a", missing, None]
    with pytest.raises(ValueError, match="answer to point 3 of a batch is missing"):
        Oracle(lambda X: answers)(np.zeros((5, 1)))
