"""`ccp_alpha` and `cost_complexity_pruning_path`: scikit-learn's shapes, and every alpha gives its own subtree."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from bristlecone import DecisionTreeClassifier, DecisionTreeRegressor
from bristlecone.subtrees import weakest_link_path

IRIS, CANCER, DIABETES = (load(return_X_y=True) for load in (load_iris, load_breast_cancer, load_diabetes))


def test_c39_refits_at_every_alpha_of_sixty_paths_give_the_subtrees_of_the_paths():
    entries = 0
    for seed in range(60):
        rng = np.random.RandomState(seed)
        X, y = rng.randint(0, 6, (80, 3)), rng.randint(0, 3, 80)
        model = DecisionTreeClassifier()
        path = model.cost_complexity_pruning_path(X, y)
        alphas, whole = path.ccp_alphas, weakest_link_path(model.fit(X, y).tree_)
        assert alphas[0] == 0.0
        assert (np.diff(alphas) > 0).all()
        assert (np.diff(whole.n_leaves) < 0).all()
        assert whole.n_leaves[-1] == 1
        for k, alpha in enumerate(alphas):
            refit = DecisionTreeClassifier(ccp_alpha=alpha).fit(X, y).tree_
            assert refit.equals(whole.tree(k))
            entries += 1
            if k + 1 < len(alphas):
                between = DecisionTreeClassifier(ccp_alpha=(alpha + alphas[k + 1]) / 2).fit(X, y).tree_
                assert between.equals(refit)
    assert entries > 1000


@pytest.mark.parametrize(
    ("ours", "theirs", "data"),
    [
        (DecisionTreeClassifier(min_samples_leaf=5), TheirClassifier(min_samples_leaf=5, random_state=0), IRIS),
        (DecisionTreeClassifier(max_depth=3), TheirClassifier(max_depth=3, random_state=0), CANCER),
        (DecisionTreeRegressor(max_depth=4), TheirRegressor(max_depth=4, random_state=0), DIABETES),
    ],
)
def test_the_path_is_scikit_learns_where_that_is_right(ours, theirs, data):
    found, expected = (model.cost_complexity_pruning_path(*data) for model in (ours, theirs))
    assert set(found) == set(expected) == {"ccp_alphas", "impurities"}
    assert found.ccp_alphas.dtype == expected.ccp_alphas.dtype
    np.testing.assert_allclose(found.ccp_alphas, expected.ccp_alphas, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(found.impurities, expected.impurities, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(
    ("model", "data"), [(DecisionTreeClassifier(), CANCER), (DecisionTreeRegressor(min_samples_leaf=3), DIABETES)]
)
def test_the_path_takes_weights_and_leaves_the_estimator_alone(model, data):
    X, y = data
    w = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = model.cost_complexity_pruning_path(X, y, sample_weight=w)
    model = clone(model).set_params(**({"min_samples_leaf": 1} if isinstance(model, DecisionTreeRegressor) else {}))
    weighted = model.cost_complexity_pruning_path(X, y, sample_weight=w)
    repeated = model.cost_complexity_pruning_path(X.repeat(w, axis=0), y.repeat(w))
    np.testing.assert_allclose(weighted.ccp_alphas, repeated.ccp_alphas, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(weighted.impurities, repeated.impurities, rtol=1e-9, atol=1e-12)
    with pytest.raises(NotFittedError):
        model.predict(X)
    pruning = clone(model).set_params(ccp_alpha=0.5)
    np.testing.assert_array_equal(pruning.cost_complexity_pruning_path(X, y, w).ccp_alphas, weighted.ccp_alphas)


def test_no_alpha_leaves_the_tree_as_it_grew_and_zero_takes_what_does_not_pay():
    X = np.arange(8.0)[:, None]
    y = [0, 1, 1, 0, 0, 1, 1, 0]
    grown = DecisionTreeClassifier().fit(X, y)
    assert grown.get_params()["ccp_alpha"] is None
    assert DecisionTreeClassifier(ccp_alpha=0.0).fit(X, y).get_n_leaves() == grown.get_n_leaves()
    same = DecisionTreeClassifier(ccp_alpha=0.0).fit([[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1])
    whole = DecisionTreeClassifier().fit([[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1])
    assert (whole.get_n_leaves(), same.get_n_leaves()) == (2, 1)
    assert DecisionTreeClassifier(ccp_alpha=np.inf).fit(X, y).get_n_leaves() == 1
    assert DecisionTreeClassifier(ccp_alpha=1).fit(X, y).get_n_leaves() == 1


def test_c41_a_zero_gain_root_whose_branch_pays_stays_at_alpha_zero():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    path = DecisionTreeClassifier().cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(path.ccp_alphas, [0, 1 / 6], rtol=1e-12)
    np.testing.assert_allclose(path.impurities, [0, 0.5], rtol=1e-12)
    leaves = [DecisionTreeClassifier(ccp_alpha=alpha).fit(X, y).get_n_leaves() for alpha in path.ccp_alphas]
    assert leaves == [4, 1]


def test_c41_no_alpha_is_negative():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        X, y = rng.random((60, 2)), 5 + 1e-3 * rng.random(60)
        assert (DecisionTreeRegressor().cost_complexity_pruning_path(X, y).ccp_alphas >= 0).all()


@pytest.mark.parametrize("bad", [-0.1, -1e-300, np.nan, "0.1", True, -np.inf, [0.1]])
@pytest.mark.parametrize("estimator", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_what_is_no_alpha_is_refused(estimator, bad):
    with pytest.raises(
        ValueError, match=rf"^{estimator.__name__}: ccp_alpha=.*: must be None or a number of at least 0"
    ):
        estimator(ccp_alpha=bad).fit([[0.0], [1.0]], [0, 1])


def test_c42_the_gini_of_a_useful_split_is_not_its_errors():
    s = np.repeat([1, 0], [5, 10])[:, None]
    y = [1, 1, 0, 0, 0] + [1] + [0] * 9
    path = DecisionTreeClassifier().cost_complexity_pruning_path(s, y)
    np.testing.assert_allclose(path.ccp_alphas, [0, 0.04], atol=1e-15)
    np.testing.assert_allclose(path.impurities, [0.28, 0.32])
    by_errors = weakest_link_path(DecisionTreeClassifier().fit(s, y).tree_, risk="misclassification")
    assert by_errors.n_leaves.tolist() == [1]
    assert by_errors.risks.tolist() == [0.2]


def test_alphas_can_be_searched():
    X, y = CANCER
    alphas = DecisionTreeClassifier().cost_complexity_pruning_path(X, y).ccp_alphas
    search = GridSearchCV(DecisionTreeClassifier(), {"ccp_alpha": [*alphas[::3], None]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
