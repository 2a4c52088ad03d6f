"""The estimators among scikit-learn's tools: cloning, pickles, searches, pipelines, routing, threads."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skops import io as skops

from bristlecone import DecisionTreeClassifier, DecisionTreeRegressor
from bristlecone.tree import Tree

IRIS_X, IRIS_Y = load_iris(return_X_y=True)
DIABETES_X, DIABETES_Y = load_diabetes(return_X_y=True)

FITS = [
    pytest.param(DecisionTreeClassifier(min_samples_leaf=3), IRIS_X, IRIS_Y, id="classifier"),
    pytest.param(DecisionTreeRegressor(min_samples_leaf=3), DIABETES_X, DIABETES_Y, id="regressor"),
]


@pytest.mark.parametrize(("estimator", "X", "y"), FITS)
class TestEither:
    def test_what_fitting_sets(self, estimator, X, y):
        model = clone(estimator).fit(X, y)
        assert isinstance(model.tree_, Tree)
        assert model.n_features_in_ == X.shape[1]
        assert model.get_depth() == model.tree_.max_depth > 1
        assert model.get_n_leaves() == model.tree_.n_leaves > 2
        assert model.feature_importances_.shape == (X.shape[1],)
        assert model.feature_importances_.sum() == pytest.approx(1.0)

    def test_apply_path_and_predict_agree(self, estimator, X, y):
        model = clone(estimator).fit(X, y)
        path = model.decision_path(X)
        leaves = model.apply(X)
        assert sparse.issparse(path)
        assert path.format == "csr"
        assert path.shape == (len(X), model.tree_.n_nodes)
        assert path[:, 0].sum() == len(X)
        np.testing.assert_array_equal(path.indices[path.indptr[1:] - 1], leaves)
        np.testing.assert_array_equal(model.predict(X), model.tree_.predict(X))
        assert (model.tree_.children_left[leaves] == -1).all()

    def test_explain_tells_the_leaf(self, estimator, X, y):
        model = clone(estimator).fit(X, y)
        assert str(model.explain(X, 7)) == str(model.tree_.explain(X, 7))
        with pytest.raises((ValueError, IndexError), match=str(len(X))):
            model.explain(X, len(X))

    def test_parameters_go_through_get_and_set(self, estimator, X, y):
        values = estimator.get_params()
        assert type(estimator)(**values).get_params() == values
        assert clone(estimator).set_params(max_depth=2).fit(X, y).get_depth() == 2

    def test_pickles_predict_the_same(self, estimator, X, y):
        model = clone(estimator).fit(X, y)
        again = pickle.loads(pickle.dumps(model))
        assert again.tree_.equals(model.tree_)
        np.testing.assert_array_equal(again.predict(X), model.predict(X))

    def test_skops_needs_trust_in_our_own_names_only(self, estimator, X, y):
        model = clone(estimator).fit(X, y)
        saved = skops.dumps(model)
        names = skops.get_untrusted_types(data=saved)
        assert all(name.startswith("bristlecone.") for name in names)
        np.testing.assert_array_equal(skops.loads(saved, trusted=names).predict(X), model.predict(X))

    def test_unfitted(self, estimator, X, y):
        for use in ("predict", "apply", "decision_path"):
            with pytest.raises(NotFittedError):
                getattr(clone(estimator), use)(X)
        for ask in ("get_depth", "get_n_leaves"):
            with pytest.raises(NotFittedError):
                getattr(clone(estimator), ask)()
        with pytest.raises(NotFittedError):
            clone(estimator).explain(X, 0)
        with pytest.raises(NotFittedError):
            clone(estimator).feature_importances_  # noqa: B018

    def test_any_number_of_threads_gives_the_same_tree(self, estimator, X, y):
        trees = [clone(estimator).set_params(n_jobs=n_jobs).fit(X, y).tree_ for n_jobs in (None, 1, 2, 3, -1)]
        assert all(tree.equals(trees[0]) for tree in trees)

    def test_any_number_of_threads_gives_the_same_answers(self, estimator, X, y):
        one = clone(estimator).fit(X, y)
        two = clone(estimator).set_params(n_jobs=2).fit(X, y)
        many = np.tile(X, (40, 1))
        for method in ("predict", "apply"):
            np.testing.assert_array_equal(getattr(one, method)(many), getattr(two, method)(many))

    def test_weights_of_whole_numbers_are_repeated_rows(self, estimator, X, y):
        weights = np.random.default_rng(0).integers(0, 4, len(y))
        weighted = clone(estimator).set_params(min_samples_leaf=1).fit(X, y, sample_weight=weights)
        repeated = clone(estimator).set_params(min_samples_leaf=1).fit(X.repeat(weights, axis=0), y.repeat(weights))
        np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-12)
        np.testing.assert_array_equal(weighted.tree_.feature, repeated.tree_.feature)

    def test_grid_search_and_cross_validation(self, estimator, X, y):
        search = GridSearchCV(clone(estimator), {"max_depth": [1, 3, None], "min_samples_leaf": [1, 0.1]}, cv=3).fit(
            X, y
        )
        assert search.best_score_ > 0.2
        assert search.best_estimator_.get_params()["max_depth"] == search.best_params_["max_depth"]
        assert cross_val_score(clone(estimator), X, y, cv=3).mean() > -1

    def test_in_a_pipeline_with_the_data_in_a_frame(self, estimator, X, y):
        frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
        steps = ColumnTransformer([("scale", StandardScaler(), ["f0", "f1"])], remainder="passthrough")
        pipeline = make_pipeline(steps.set_output(transform="pandas"), clone(estimator)).fit(frame, y)
        assert pipeline[-1].feature_names_in_.tolist()[:2] == ["scale__f0", "scale__f1"]
        assert pipeline.score(frame, y) > 0.5

    def test_weights_are_routed_when_asked_for(self, estimator, X, y):
        weights = np.where(np.arange(len(y)) % 2, 1.0, 0.0)
        parameter = f"{type(estimator).__name__.lower()}__max_depth"
        with sklearn.config_context(enable_metadata_routing=True):
            asking = clone(estimator).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
            steps = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), asking)
            search = GridSearchCV(steps, {parameter: [2]}, cv=2).fit(X, y, sample_weight=weights)
        tree = search.best_estimator_[-1].tree_
        assert tree.n_node_samples[0] == np.count_nonzero(weights)
        assert tree.weighted_n_node_samples[0] == weights.sum()

    def test_weights_are_refused_when_nobody_asks(self, estimator, X, y):
        with sklearn.config_context(enable_metadata_routing=True):
            search = GridSearchCV(clone(estimator), {"max_depth": [2]}, cv=2)
            with pytest.raises(ValueError, match="sample_weight"):
                search.fit(X, y, sample_weight=np.ones(len(y)))

    def test_permutation_importance_finds_the_column(self, estimator, X, y):
        model = clone(estimator).fit(X, y)
        found = permutation_importance(model, X, y, n_repeats=2, random_state=0).importances_mean
        assert found[int(model.feature_importances_.argmax())] > 0


@pytest.mark.parametrize("estimator", [DecisionTreeClassifier(), DecisionTreeRegressor(max_leaf_nodes=300)])
def test_threads_do_not_change_a_tree_of_many_rows(estimator):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(20_000, 4))
    X[generator.random(X.shape) < 0.05] = np.nan
    y = (np.nansum(X, axis=1) + generator.normal(size=len(X))).round()
    trees = [clone(estimator).set_params(n_jobs=n_jobs).fit(X, y).tree_ for n_jobs in (1, 2, 3)]
    assert trees[0].n_leaves >= 300
    assert all(tree.equals(trees[0]) for tree in trees)


@pytest.mark.parametrize(
    "labels",
    [["setosa", "versicolor", "a very long name"], [10, -5, 7], [0.0, 2.0, 1.0]],
    ids=["text of mixed lengths", "integers", "whole floats"],
)
def test_classes_keep_their_type_and_order(labels):
    y = np.array(labels)[IRIS_Y]
    model = DecisionTreeClassifier().fit(IRIS_X, y)
    assert model.classes_.dtype == y.dtype
    assert model.classes_.tolist() == sorted(labels)
    assert model.n_classes_ == 3
    assert model.predict(IRIS_X).dtype == y.dtype
    assert model.score(IRIS_X, y) == 1.0
    shares = model.predict_proba(IRIS_X)
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], y)
    np.testing.assert_array_equal(model.predict_log_proba(IRIS_X), np.where(shares > 0, 0.0, -np.inf))


def test_boolean_labels():
    y = IRIS_Y == 1
    model = DecisionTreeClassifier().fit(IRIS_X, y)
    assert model.classes_.tolist() == [False, True]
    assert model.predict(IRIS_X).dtype == bool
    np.testing.assert_array_equal(model.predict(IRIS_X), y)


def test_bagging_keeps_the_classes_of_rows_that_weigh_nothing():
    model = BaggingClassifier(DecisionTreeClassifier(), n_estimators=5, random_state=0).fit(IRIS_X, IRIS_Y)
    assert model.score(IRIS_X, IRIS_Y) > 0.95


def test_a_class_without_weight_stays_in_classes():
    model = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], ["a", "b", "c"], sample_weight=[1, 1, 0])
    assert model.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(model.predict_proba([[0.0], [2.0]]), [[1, 0, 0], [0, 1, 0]])


def test_class_weight_multiplies_sample_weight():
    X, y = [[0.0], [0.0], [0.0], [1.0], [1.0]], [0, 0, 1, 1, 1]
    model = DecisionTreeClassifier(class_weight="balanced").fit(X, y, sample_weight=[1, 1, 1, 1, 3])
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.75, 0.25]])
    by_hand = DecisionTreeClassifier(class_weight={0: 5 / 4, 1: 5 / 6}).fit(X, y, sample_weight=[1, 1, 1, 1, 3])
    np.testing.assert_allclose(by_hand.predict_proba([[0.0]]), [[0.75, 0.25]])


@pytest.mark.parametrize("priors", [[0.5, 0.5], np.array([2, 2]), {"yes": 0.5, "no": 0.5}])
def test_priors_set_the_share_of_each_class(priors):
    y = ["no"] * 8 + ["yes"] * 2
    model = DecisionTreeClassifier(priors=priors, max_depth=0).fit(np.zeros((10, 1)), y)
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.5, 0.5]])


def test_loss_moves_the_answer_and_leaves_the_counts():
    y = ["good"] * 7 + ["risk"] * 3
    plain = DecisionTreeClassifier(max_depth=0).fit(np.zeros((10, 1)), y)
    costly = DecisionTreeClassifier(max_depth=0, loss=[[0, 1], [5, 0]]).fit(np.zeros((10, 1)), y)
    assert plain.predict([[0.0]]).tolist() == ["good"]
    assert costly.predict([[0.0]]).tolist() == ["risk"]
    np.testing.assert_allclose(costly.predict_proba([[0.0]]), [[0.7, 0.3]])


def test_poisson_refuses_what_is_not_a_count():
    with pytest.raises(ValueError, match="negative"):
        DecisionTreeRegressor(criterion="poisson").fit([[0.0], [1.0]], [1.0, -1.0])
    with pytest.raises(ValueError, match="zero"):
        DecisionTreeRegressor(criterion="poisson").fit([[0.0], [1.0]], [0.0, 0.0])


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1, -1, 1], "row 1"),
        ([1, 1, np.nan], "row 2"),
        ([np.inf, 1, 1], "row 0"),
        ([0, 0, 0], "zero"),
        (0, "zero"),
        ([1, 1], "shape"),
        ([[1], [1], [1]], "shape"),
    ],
    ids=str,
)
@pytest.mark.parametrize("estimator", [DecisionTreeClassifier(), DecisionTreeRegressor()])
def test_bad_weights_are_refused(estimator, weights, said):
    with pytest.raises(ValueError, match=f"sample_weight.*{said}"):
        clone(estimator).fit([[0.0], [1.0], [2.0]], [0, 1, 0], sample_weight=weights)


@pytest.mark.parametrize("weights", [[1, 1, 2], (1, 1, 2), np.float32([1, 1, 2]), pd.Series([1, 1, 2])], ids=type)
def test_weights_in_any_container(weights):
    model = DecisionTreeClassifier(max_depth=0).fit([[0.0], [1.0], [2.0]], [0, 1, 1], sample_weight=weights)
    np.testing.assert_array_equal(model.predict_proba([[0.0]]), [[0.25, 0.75]])


def test_one_weight_for_all_rows():
    model = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1], sample_weight=2)
    assert model.tree_.weighted_n_node_samples.tolist() == [4.0, 2.0, 2.0]


@pytest.mark.parametrize(
    "y", [[0.0, np.nan], [0.0, np.inf], [0.0, None], pd.Series([0, pd.NA], dtype="Int64")], ids=str
)
def test_a_target_that_is_not_finite_is_refused_with_its_row(y):
    with pytest.raises(ValueError, match="y, row 1"):
        DecisionTreeRegressor().fit([[0.0], [1.0]], y)
