"""Depth near the number of rows: every walk is a loop, and the cost of a prediction is the length of its path."""

import pickle
import time

import numpy as np
import pytest

import bristlecone as bc
from bristlecone.grow import cart

SIZES = [3000, pytest.param(20000, marks=pytest.mark.slow)]


def _staircase(n):
    """All labels differ, so by Gini every threshold is worth the same and the lowest wins: depth n - 1."""
    return np.arange(float(n)).reshape(-1, 1), np.arange(n)


@pytest.fixture(scope="module", params=SIZES)
def deep(request):
    n = request.param
    X, y = _staircase(n)
    model = bc.DecisionTreeClassifier().fit(X, y)
    return n, X, y, model


def test_the_staircase_is_a_staircase(deep):
    n, X, y, model = deep
    assert model.get_depth() == n - 1
    assert model.get_n_leaves() == n
    assert (model.predict(X) == y).all()


def test_print(deep):
    n, _, _, model = deep
    text = str(model.tree_)
    assert text
    assert len(text) < 2000 * n, "a drawing whose every line is indented by its depth is quadratic"
    assert repr(model.tree_)


def test_save_and_load(deep, tmp_path, assert_identical_tree):
    n, X, y, model = deep
    bc.save(model, tmp_path / "deep.json")
    assert (tmp_path / "deep.json").stat().st_size < 2000 * n
    loaded = bc.load(tmp_path / "deep.json")
    assert_identical_tree(model.tree_, loaded.tree_)
    assert (loaded.predict(X) == y).all()


def test_explain(deep):
    n, X, _, model = deep
    assert str(model.tree_.explain(X, 0))
    assert str(model.tree_.explain(X, n - 1))


def test_pickle(deep, assert_identical_tree):
    n, X, y, model = deep
    data = pickle.dumps(model)
    assert len(data) < 500 * n
    loaded = pickle.loads(data)
    assert_identical_tree(model.tree_, loaded.tree_)
    assert (loaded.predict(X) == y).all()


def test_path_of_some_rows(deep):
    n, X, _, model = deep
    rows = [0, 1, n // 2, n - 2, n - 1]
    indicator = model.decision_path(X[rows])
    assert np.diff(indicator.indptr).tolist() == [min(row + 1, n - 1) + 1 for row in rows]


def test_importances_and_proba(deep):
    n, X, _, model = deep
    assert model.feature_importances_.tolist() == [1.0]
    proba = model.predict_proba(X[[0, n - 1]])
    assert proba.shape == (2, n)
    assert proba[0, 0] == proba[1, n - 1] == 1.0


def test_cost_of_a_prediction_by_depth(capsys):
    """Printed, not asserted: nanoseconds a row at growing depth, by the row that walks furthest."""
    lines = []
    for n in (30, 300, 3000):
        X, y = _staircase(n)
        model = bc.DecisionTreeClassifier().fit(X, y)
        query = np.full((20000, 1), float(n - 1))
        model.apply(query[:10])
        started = time.perf_counter()
        nodes = model.apply(query)
        spent = time.perf_counter() - started
        assert (nodes == nodes[0]).all()
        a_row = spent / len(query) * 1e9
        lines.append(f"depth {n - 1:>5}: {a_row:10.1f} ns a row, {a_row / n:6.2f} ns a step")
    with capsys.disabled():
        print("", *lines, sep="\n")


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_a_deep_regression_tree(criterion, tmp_path, assert_identical_tree):
    """Targets that grow tenfold a row: each split takes the largest off."""
    n = 150
    X, y = np.arange(float(n)).reshape(-1, 1), 10.0 ** np.arange(n)
    tree = cart(X, y, criterion=criterion)
    assert tree.n_leaves == n
    np.testing.assert_array_equal(tree.predict(X), y)
    bc.save(tree, tmp_path / "t.json")
    assert_identical_tree(tree, bc.load(tmp_path / "t.json"))


def test_deep_columns_of_identity_with_missing_and_text(tmp_path):
    n = 500
    X = np.where(np.identity(n) == 1, np.nan, 0.0)
    tree = cart(X, np.arange(n))
    assert tree.n_leaves == n
    assert (tree.predict(X) == np.arange(n)).all()
    assert str(tree)
    assert str(tree.explain(X, 5))
    bc.save(tree, tmp_path / "t.json")
    assert (bc.load(tmp_path / "t.json").predict(X) == np.arange(n)).all()
