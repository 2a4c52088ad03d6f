"""Targets and weights that would be changed in silence are refused, by row or by parameter."""

import numpy as np
import pytest

import bristlecone as bc

X = np.arange(6.0)[:, None]
LABELS = [0, 0, 1, 1, 2, 2]
MASKED = np.ma.array([0.0, 0, 1, 1, 0, 0], mask=[0, 0, 0, 1, 0, 0])
MODELS = [bc.DecisionTreeClassifier(), bc.DecisionTreeRegressor()]


def grow(y, weight=None, **how):
    return bc.grow.cart(X, y, sample_weight=weight, **how)


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
@pytest.mark.parametrize("y", [MASKED, MASKED[:, None]], ids=["1-D", "2-D"])
def test_a_masked_target_is_refused(y, criterion):
    with pytest.raises(ValueError, match="y, row 3: the value is masked"):
        grow(y, criterion=criterion)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_estimators_refuse_masked_targets_and_weights(model):
    with pytest.raises(ValueError, match="y, row 3: the value is masked"):
        model.fit(X, MASKED)
    with pytest.raises(ValueError, match="sample_weight, row 3: the value is masked"):
        model.fit(X, LABELS, MASKED)
    assert model.fit(X, np.ma.array(LABELS)).tree_.equals(model.fit(X, LABELS).tree_)  # a mask that hides nothing


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_weights_whose_sum_overflows_are_refused(model):
    with pytest.raises(ValueError, match=r"sample_weight: the weights sum to more than 1\.8e308"):
        model.fit(X, LABELS, np.full(6, 1.7e308))


@pytest.mark.parametrize(
    ("choices", "name"),
    [
        ({"class_weight": {0: 1e308}}, "class_weight"),
        ({"class_weight": [1e308] * 3, "priors": [1, 1, 1]}, "class_weight"),
        ({"priors": [1, 1, 1], "weight": [1e-300] * 2 + [1e300] * 4}, "priors"),
    ],
)
def test_class_weights_whose_sum_overflows_are_refused(choices, name):
    with pytest.raises(ValueError, match=f"{name}: the weights sum to more than 1.8e308"):
        grow(LABELS, **choices)


def test_the_scale_of_priors_and_losses_does_not_matter():
    loss = np.array([[0.0, 1, 1], [2, 0, 2], [1, 1, 0]])
    plain, huge = grow(LABELS, loss=loss), grow(LABELS, [2.0**1000] * 6, loss=loss * 2.0**1020)
    assert huge.label.tolist() == plain.label.tolist()
    assert grow(LABELS, priors=[1e308] * 3).equals(grow(LABELS, priors=[1] * 3))


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"priors": [1, 0, 1]}, "priors: class 1 has 0.0"),
        ({"loss": [[0, 1, 1], [0, 0, 0], [1, 1, 0]]}, "loss: every answer to class 1 is free"),
        ({"class_weight": {np.int64(7): 1}}, "class_weight: 7 is not a class; the classes are [0, 1, 2]"),
        ({"class_weight": {1: -1}}, "class_weight: class 1 has -1.0"),
    ],
)
def test_messages_show_plain_labels(choices, said):
    with pytest.raises(ValueError) as caught:
        grow(np.array(LABELS), **choices)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, object])
def test_whole_targets_that_float64_cannot_hold_are_refused(dtype):
    y = np.array([0, 1, 2, 3, 4, 2**53 + 1], dtype=dtype)
    for fit in (lambda y: grow(y, criterion="squared_error"), lambda y: bc.DecisionTreeRegressor().fit(X, y)):
        with pytest.raises(ValueError, match="y, row 5: 9007199254740993 is not exact in float64"):
            fit(y)
        fit(np.where(y > 2**53, 2**53 + 2, y))


@pytest.mark.parametrize("number", [10**400, -(10**5000)], ids=["large", "larger"])
def test_targets_beyond_float64_are_refused(number):
    y = [0, 1, 2, 3, number, 5]
    for fit in (lambda: grow(y, criterion="squared_error"), lambda: bc.DecisionTreeRegressor().fit(X, y)):
        with pytest.raises(ValueError, match="y, row 4: the number is beyond the range of float64"):
            fit()


def test_targets_that_are_no_numbers_are_refused():
    for y in (np.array(["2024-01-01"] * 6, "M8[D]"), [1j] * 6, ["a"] * 6):
        with pytest.raises(ValueError, match=r"y has dtype .*; squared_error needs numbers"):
            grow(y, criterion="squared_error")
