"""Every parameter is checked at fit, with one error that names the estimator, the parameter and the value."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone

from bristlecone import DecisionTreeClassifier, DecisionTreeRegressor
from bristlecone.grow.parameters import check_parameters

X = np.arange(12.0).reshape(6, 2)
LABELS = np.array([0, 1, 0, 1, 1, 0])
NUMBERS = np.array([0.5, 1.5, 2.0, 0.0, 1.0, 3.0])

SHARED = {
    "criterion": ["ginni", None, 1, print],
    "max_depth": [-1, 2.0, "3", True],
    "min_samples_split": [1, 0, -3, 1.5, 0.0, "2", None, True, np.nan],
    "min_samples_leaf": [0, -1, 1.0, 0.0, "1", None, False, np.inf],
    "min_weight_fraction_leaf": [-0.1, 0.6, "0", None, np.nan],
    "max_leaf_nodes": [1, 0, -5, 3.0, "4"],
    "min_impurity_decrease": [-1e-9, np.inf, np.nan, "0", None],
    "zero_gain": ["Split", True, None],
    "min_weight_split": [-1.0, np.inf, None],
    "min_weight_leaf": [-1.0, np.nan, "1"],
    "monotonic_cst": ["increasing", 1],
    "categorical_features": ["from_type", 1, True],
    "missing": ["ignore", None, False],
    "unseen": ["skip", None],
    "n_jobs": [0, 1.5, "all", True],
}
ONLY_CLASSIFIER = {
    "priors": ["equal", 0.5],
    "loss": ["zero_one", 1.0, {0: 1}],
    "class_weight": ["auto", [{0: 1}], 1.0],
}
CLASSIFIER_CASES = [(name, value) for name, bad in {**SHARED, **ONLY_CLASSIFIER}.items() for value in bad]
REGRESSOR_CASES = [(name, value) for name, bad in SHARED.items() for value in bad]


def say(case):
    return f"{case[0]}={case[1]!r}"


@pytest.mark.parametrize(("name", "value"), CLASSIFIER_CASES, ids=map(say, CLASSIFIER_CASES))
def test_classifier_refuses(name, value):
    with pytest.raises(ValueError, match=rf"^DecisionTreeClassifier: {name}=.*: must be "):
        DecisionTreeClassifier(**{name: value}).fit(X, LABELS)


@pytest.mark.parametrize(("name", "value"), REGRESSOR_CASES, ids=map(say, REGRESSOR_CASES))
def test_regressor_refuses(name, value):
    with pytest.raises(ValueError, match=rf"^DecisionTreeRegressor: {name}=.*: must be "):
        DecisionTreeRegressor(**{name: value}).fit(X, NUMBERS)


@pytest.mark.parametrize("estimator", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_every_parameter_is_described_and_has_a_check_that_its_default_passes(estimator):
    defaults = {name: p.default for name, p in inspect.signature(estimator).parameters.items()}
    assert all(estimator._checks[name].passes(value) for name, value in defaults.items())
    assert all(name in estimator.__doc__ for name in defaults)
    assert all(p.kind is p.KEYWORD_ONLY for p in inspect.signature(estimator).parameters.values())


def test_a_criterion_of_the_other_task_is_refused():
    with pytest.raises(ValueError, match="criterion='squared_error': must be one of 'gini'"):
        DecisionTreeClassifier(criterion="squared_error").fit(X, LABELS)
    with pytest.raises(ValueError, match="criterion='gini': must be one of 'squared_error'"):
        DecisionTreeRegressor(criterion="gini").fit(X, NUMBERS)


GOOD = {
    "max_depth": [0, 1, np.int64(2), None],
    "min_samples_split": [2, 0.5, 1.0, np.float32(0.25)],
    "min_samples_leaf": [1, 3, 0.5, np.int8(2)],
    "min_weight_fraction_leaf": [0, 0.5, np.float64(0.1)],
    "max_leaf_nodes": [2, 100, None],
    "min_impurity_decrease": [0, 0.1],
    "monotonic_cst": [None, [0, 1], np.array([1, -1])],
    "categorical_features": [None, [], [1], [True, False]],
    "n_jobs": [None, 1, 2, -1],
}
GOOD_CASES = [(name, value) for name, good in GOOD.items() for value in good]


@pytest.mark.parametrize(("name", "value"), GOOD_CASES, ids=map(say, GOOD_CASES))
@pytest.mark.parametrize("estimator", [DecisionTreeClassifier(), DecisionTreeRegressor()])
def test_good_values_are_accepted(estimator, name, value):
    clone(estimator).set_params(**{name: value}).fit(X, LABELS).predict(X)


def test_a_fraction_counts_only_rows_of_positive_weight():
    weights = np.array([1, 1, 1, 1, 0, 0])
    whole = DecisionTreeClassifier(min_samples_leaf=0.5).fit(X, LABELS, sample_weight=weights)
    present = DecisionTreeClassifier(min_samples_leaf=0.5).fit(X[:4], LABELS[:4])
    np.testing.assert_array_equal(whole.tree_.n_node_samples, present.tree_.n_node_samples)
    assert whole.tree_.n_node_samples[whole.tree_.children_left == -1].min() >= 2


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"monotonic_cst": [1]}, "monotonic_cst"),
        ({"monotonic_cst": [1, 2]}, "monotonic_cst"),
        ({"monotonic_cst": {"a": 1}}, "monotonic_cst"),
        ({"categorical_features": [2]}, "categorical_features"),
        ({"categorical_features": ["a"]}, "categorical_features"),
        ({"priors": [0.5, 0.3, 0.2]}, "priors"),
        ({"priors": [1.0, 0.0]}, "priors"),
        ({"priors": {0: 0.5, 2: 0.5}}, "priors"),
        ({"loss": [[0, 1]]}, "loss"),
        ({"loss": [[1, 1], [1, 0]]}, "loss"),
        ({"loss": [[0, -1], [1, 0]]}, "loss"),
        ({"class_weight": {0: 1.0, 5: 2.0}}, "class_weight"),
        ({"class_weight": {0: -1.0, 1: 1.0}}, "class_weight"),
        ({"class_weight": {0: float("nan"), 1: 1.0}}, "class_weight"),
    ],
    ids=str,
)
def test_parameters_that_do_not_fit_the_data_are_refused(parameters, said):
    with pytest.raises((ValueError, TypeError), match=said):
        DecisionTreeClassifier(**parameters).fit(X, LABELS)


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_defaults_pass_their_checks(kind):
    check_parameters(kind().get_params(), kind._checks)


def test_a_subclass_with_a_signature_of_its_own_keeps_its_parameters():
    class Stump(DecisionTreeClassifier):
        def __init__(self):
            super().__init__(max_depth=1)

    X = np.arange(8.0)[:, None]
    assert Stump().fit(X, [0, 1, 2, 3] * 2).get_depth() == 1
