"""Cases about trees that run elsewhere: C02 C11 C15 C20 C21 C22 C24 C31 C32 C72. Every export that can be is run."""

import numpy as np
import pandas
import pytest

import bristlecone as bc
from bristlecone.export import CannotRun
from bristlecone.export.running import RUNNERS


@pytest.fixture(params=RUNNERS)
def answers_elsewhere(request):
    """(model, X) -> what an export answers: labels, nodes and shares."""

    def run(model, X):
        try:
            return RUNNERS[request.param](model.tree_, model.tree_.schema.read(X))
        except CannotRun as missing:
            pytest.skip(str(missing))

    return run


def agree(model, X, ran):
    assert list(ran.answers) == model.predict(X).tolist()
    assert ran.nodes == model.apply(X).tolist()
    if ran.shares is not None:
        assert np.array_equal(ran.shares, model.predict_proba(X))


def test_c02_a_value_equal_to_the_threshold(answers_elsewhere):
    X = np.concatenate([np.random.default_rng(seed).random((2, 1)) + seed for seed in range(200)])
    model = bc.DecisionTreeClassifier().fit(X, np.arange(400) % 7)
    at = model.tree_.threshold[model.tree_.feature >= 0][:, None]
    agree(model, at, answers_elsewhere(model, at))


def test_c11_dates_written_as_integers(answers_elsewhere):
    X = np.array([[20250614]] * 6 + [[20250615]] * 12)
    model = bc.DecisionTreeClassifier().fit(X, np.array([1] * 6 + [0] * 12))
    assert answers_elsewhere(model, X).answers == [1] * 6 + [0] * 12


def test_c15_the_node_elsewhere_ends_the_path_here(answers_elsewhere):
    X = np.array([[1.0], [np.nan], [np.nan], [5.0], [6.0]])
    model = bc.DecisionTreeClassifier().fit(X, [0, 0, 0, 1, 1])
    ran = answers_elsewhere(model, X)
    paths = model.decision_path(X)
    assert ran.nodes == [paths[i].indices[-1] for i in range(5)] == model.apply(X).tolist()


def test_c20_missing_at_predict_time_only(answers_elsewhere):
    model = bc.DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1])
    ran = answers_elsewhere(model, [[np.nan]])
    assert ran.answers == [0] and ran.shares == [[1.0, 0.0]]


def test_c21_c22_the_learned_side_of_missing(answers_elsewhere):
    X = np.array([np.nan] * 3 + [1.0, 2.0, 3.0, 4.0])[:, None]
    model = bc.DecisionTreeClassifier().fit(X, ["b"] * 3 + ["a"] * 3 + ["b"])
    assert answers_elsewhere(model, [[np.nan], [2.2], [3.9]]).answers == ["b", "a", "b"]


@pytest.mark.parametrize("seed", range(3))
def test_c22_every_row_with_a_gap(answers_elsewhere, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (120, 3)).astype(float)
    X[rng.random(X.shape) < 0.3] = np.nan
    model = bc.DecisionTreeClassifier().fit(X, rng.integers(0, 3, 120))
    agree(model, X, answers_elsewhere(model, X))


def test_c24_a_level_never_seen_stops_at_the_node(answers_elsewhere):
    frame = pandas.DataFrame({"c": ["a"] * 4 + ["b"] * 4 + ["d"] * 4})
    model = bc.DecisionTreeClassifier().fit(frame, ["p"] * 4 + ["q"] * 4 + ["p"] * 4)
    ran = answers_elsewhere(model, pandas.DataFrame({"c": ["z", None, "b"]}))
    assert ran.answers[0] == "p" and ran.shares[0] == [8 / 12, 4 / 12]
    assert ran.nodes[0] == 0 != ran.nodes[1] and ran.answers[2] == "q"


def test_c31_names_and_levels_with_separators_and_quotes(answers_elsewhere):
    levels = ["3 speed", "4, x", "o'k", "", 'c"(1', None]
    frame = pandas.DataFrame({'price, EUR "net"': np.arange(24.0) % 5, "le vel": [levels[i % 6] for i in range(24)]})
    model = bc.DecisionTreeClassifier().fit(frame, ["a, b" if i % 6 in (1, 3, 5) else "it's" for i in range(24)])
    agree(model, frame, answers_elsewhere(model, frame))


@pytest.mark.parametrize("labels", [("z", "a", "m"), (9, 1, 5), (100, -1, 25), ("long label", "b", "ccc")])
def test_c32_labels_in_an_order_of_their_own(answers_elsewhere, labels):
    X = np.arange(10.0)[:, None]
    y = np.array([labels[0]] * 2 + [labels[1]] * 5 + [labels[2]] * 3)
    model = bc.DecisionTreeClassifier().fit(X, y)
    assert list(answers_elsewhere(model, X).answers) == y.tolist()


def test_c72_columns_that_are_never_asked(answers_elsewhere):
    X = np.random.default_rng(0).random((4, 5))
    X[:, 3] = [0.0, 1.0, 0.0, 1.0]
    X[:, [0, 1, 2, 4]] = 0.5
    model = bc.DecisionTreeClassifier().fit(X, ["n", "y", "n", "y"])
    assert list(answers_elsewhere(model, X).answers) == ["n", "y", "n", "y"]
