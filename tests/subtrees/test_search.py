"""The search of strengths on held-out rows, against grids walked by hand."""

import numpy as np
import pytest

import bristlecone as bc
from bristlecone.subtrees.folds import Fold
from bristlecone.subtrees.selection import AXES, CODE, Growth, pac_bayes_labels, search, select_strengths

WIDE = np.geomspace(2**-8, 64, 10)


def test_error_first_walks_one_axis_after_the_other():
    seen = []

    def risk_of(points):
        seen.append(points)
        return (np.log(points["lambda1"]) - 1) ** 2 + (np.log(points["lambda2"]) + points["lambda1"] / 4) ** 2

    axes = [AXES["lambda1"], AXES["lambda2"]]
    found = search(risk_of, {"lambda1": 1.0, "lambda2": 1.0, "leaf_cost": 3.0}, axes)
    assert [len(points["lambda1"]) for points in seen] == [10, 10, 10, 10]
    np.testing.assert_allclose(WIDE[[0, 1, 8, 9]], [0.00390625, 0.0114823007, 21.772640002790, 64], rtol=1e-8)
    np.testing.assert_allclose(seen[0]["lambda1"], WIDE)
    assert set(seen[0]["lambda2"]) == set(seen[1]["lambda2"]) == {1.0}
    first = WIDE[np.argmin((np.log(WIDE) - 1) ** 2 + (WIDE / 4) ** 2)]
    np.testing.assert_allclose(seen[1]["lambda1"], np.linspace(first / 2, 2 * first, 10))
    assert set(seen[2]["lambda1"]) == set(seen[3]["lambda1"]) == {found.chosen["lambda1"]}
    assert found.chosen["leaf_cost"] == 3.0 and found.risk.shape == found.tried["leaf_cost"].shape == (40,)
    assert found.chosen["lambda2"] in found.tried["lambda2"][30:]


def test_of_ties_the_smallest_strength():
    found = search(lambda points: np.ones(len(points["lambda1"])), {"lambda1": 1.0}, [AXES["lambda1"]])
    assert found.chosen["lambda1"] == 2**-9
    risk = {2**-8: 0.5}
    found = search(
        lambda points: np.array([risk.get(x, 0.5 * (1 + 1e-15)) for x in points["lambda1"]]),
        {"lambda1": 1.0},
        [AXES["lambda1"]],
    )
    assert found.chosen["lambda1"] == 2**-9


def test_the_authors_own_protocol():
    def risk_of(points):
        x = points["lambda1"]
        return np.where(x > 1.05, 1.0, 0.5 - 0.01 * x)

    found = search(risk_of, {"lambda1": 1.0}, [AXES["lambda1"]], CODE)
    assert len(found.risk) == 22 and 1.0 in found.tried["lambda1"][:11]
    grid = found.tried["lambda1"][11:]
    np.testing.assert_allclose(grid, np.linspace(0.5, 2, 11))
    best = int(np.argmin(found.risk[11:]))
    assert grid[best] == 0.95 and found.chosen["lambda1"] == grid[best - 1]  # its neighbour is twice as bad


def test_betas_stay_below_one():
    found = search(lambda points: 1 - points["beta"], {"beta": 0.5}, [AXES["beta"]])
    assert found.chosen["beta"] == 2**-0.05
    np.testing.assert_allclose(found.tried["beta"][:10], np.geomspace(2**-8, 2**-0.05, 10))
    assert (found.tried["beta"] < 1).all()


def test_the_risk_is_that_of_the_folds_own_votes():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (120, 3)).astype(float), rng.integers(0, 3, 120)
    weights = rng.integers(0, 3, 120).astype(float)
    table = bc.table.as_table(X)
    parameters = bc.DecisionTreeClassifier()._checked()
    growth = Growth(table, y, weights, parameters, parameters)
    folds = [np.flatnonzero(weights[:60] > 0), 60 + np.flatnonzero(weights[60:] > 0)]
    made = [Fold(rows, weights[rows]) for rows in folds]
    found = select_strengths(
        growth,
        pac_bayes_labels,
        lambda rows: [made],
        {"lambda1": 1.0, "lambda2": 1.0, "leaf_cost": 1.0},
        [AXES["lambda1"]],
        n_threads=2,
    )
    for k in (0, 7, 15):
        wrong = 0.0
        for held, grown in (folds, folds[::-1]):
            vote = bc.PACBayesTreeClassifier(lambda1=float(found.tried["lambda1"][k]), lambda2=1.0)
            vote.fit(X[grown], y[grown], weights[grown])
            wrong += weights[held] @ (vote.predict(X[held]) != y[held])
        assert found.risk[k] == pytest.approx(wrong / weights.sum())


def test_a_loss_matrix_has_no_vote():
    X, y = np.arange(8.0)[:, None], np.array([0, 1] * 4)
    parameters = bc.DecisionTreeClassifier(loss=[[0, 1], [2, 0]])._checked()
    growth = Growth(bc.table.as_table(X), y, None, parameters, parameters)
    with pytest.raises(ValueError, match="a loss matrix or a numeric target has no vote"):
        select_strengths(growth, pac_bayes_labels, lambda rows: [], {}, [])
