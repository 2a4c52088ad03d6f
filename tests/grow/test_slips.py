"""Slips of people who call growth: a keyword that is not there, numbers where classes belong."""

import numpy as np
import pytest

import bristlecone as bc

X = np.random.default_rng(0).random((40, 2))


def test_a_keyword_that_there_is_not():
    with pytest.raises(TypeError, match=r"cart: there is no parameter 'maxdepth'; did you mean 'max_depth'\?"):
        bc.grow.cart(X, X[:, 0] > 0.5, maxdepth=3)
    with pytest.raises(TypeError, match="cart: there is no parameter 'zzz'; the limits are max_depth, "):
        bc.grow.cart(X, X[:, 0] > 0.5, zzz=3)


@pytest.mark.parametrize("grow", [bc.grow.cart, bc.grow.dyadic, bc.grow.kd, bc.grow.top_down])
def test_numbers_are_no_classes(grow):
    with pytest.raises(
        ValueError, match=r"y: 40 different numbers in 40 rows, such as 0\.\d+, are no labels of classes; "
    ):
        grow(X, X[:, 0])
    few = np.where(X[:, 0] > 0.5, 2.5, -1.5)
    assert grow(X, few).classes.tolist() == [-1.5, 2.5]
    whole = np.where(X[:, 0] > 0.5, 1.0, 0.0)
    assert grow(X, whole).classes.tolist() == [0.0, 1.0]


def test_numbers_are_targets_of_a_criterion_of_numbers():
    assert bc.grow.cart(X, X[:, 0], criterion="squared_error").task == "regression"
