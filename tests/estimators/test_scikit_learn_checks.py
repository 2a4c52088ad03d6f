"""scikit-learn's own checks of estimators, with no expected failure: its own trees have none either."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import DecisionTreeRegressor as TheirRegressor
from sklearn.utils._test_common.instance_generator import _get_expected_failed_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from bristlecone import DecisionTreeClassifier, DecisionTreeRegressor

ESTIMATORS = [
    DecisionTreeClassifier(),
    DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=8, n_jobs=2),
    DecisionTreeClassifier(criterion="sqrt"),
    DecisionTreeClassifier(criterion="gain_ratio", missing="error", unseen="error"),
    DecisionTreeClassifier(zero_gain="stop"),
    DecisionTreeRegressor(),
    DecisionTreeRegressor(criterion="absolute_error", max_leaf_nodes=8),
    DecisionTreeRegressor(criterion="poisson"),
    DecisionTreeRegressor(missing="error", n_jobs=2),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_check(estimator, check):
    check(estimator)


def test_scikit_learn_expects_no_failure_of_its_own_trees():
    assert not _get_expected_failed_checks(TheirClassifier())
    assert not _get_expected_failed_checks(TheirRegressor())


@pytest.mark.parametrize("estimator", [DecisionTreeClassifier(), DecisionTreeRegressor()])
def test_tags_are_honest(estimator):
    tags = estimator.__sklearn_tags__()
    assert tags.input_tags.allow_nan
    assert tags.input_tags.categorical
    assert not tags.input_tags.sparse
    assert not tags.input_tags.string
    assert tags.target_tags.required
    assert not tags.target_tags.multi_output
    assert not tags.target_tags.positive_only
    assert not estimator.set_params(missing="error").__sklearn_tags__().input_tags.allow_nan


def test_poisson_asks_for_targets_that_are_not_negative():
    assert DecisionTreeRegressor(criterion="poisson").__sklearn_tags__().target_tags.positive_only


def test_missing_values_as_the_tags_say():
    X = np.array([[0.0], [np.nan], [2.0], [3.0]])
    y = [0, 1, 0, 0]
    assert DecisionTreeClassifier().fit(X, y).predict(X).tolist() == y
    refused = r"column 'x0', row 1: the value is missing \(NaN or null\), and missing='error' refuses it"
    with pytest.raises(ValueError, match=refused):
        DecisionTreeClassifier(missing="error").fit(X, y)
    model = DecisionTreeClassifier(missing="error").fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match=refused):
        model.predict(X)
