"""scikit-learn's own checks of the pruned estimators, with no expected failure."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from bristlecone import DecisionTreeClassifier, DecisionTreeRegressor, PrunedTreeClassifier, PrunedTreeRegressor

ESTIMATORS = [
    PrunedTreeClassifier(),
    PrunedTreeClassifier(cv=3, rule="min", risk="misclassification", n_jobs=2),
    PrunedTreeClassifier(strength=0.01, base=DecisionTreeClassifier(criterion="entropy", missing="error")),
    PrunedTreeRegressor(),
    PrunedTreeRegressor(base=DecisionTreeRegressor(criterion="absolute_error", max_leaf_nodes=8), rule="min"),
    PrunedTreeRegressor(base=DecisionTreeRegressor(criterion="poisson"), cv=2),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("pruned", [PrunedTreeClassifier, PrunedTreeRegressor])
def test_tags_are_those_of_the_base(pruned):
    grower = pruned._grower
    assert pruned().__sklearn_tags__().input_tags.allow_nan
    assert not pruned(base=grower(missing="error")).__sklearn_tags__().input_tags.allow_nan
    assert pruned().__sklearn_tags__().estimator_type == grower().__sklearn_tags__().estimator_type


def test_poisson_asks_for_targets_that_are_not_negative():
    base = DecisionTreeRegressor(criterion="poisson")
    assert PrunedTreeRegressor(base=base).__sklearn_tags__().target_tags.positive_only
    assert not PrunedTreeRegressor().__sklearn_tags__().target_tags.positive_only
