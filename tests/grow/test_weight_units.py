"""The unit of the weights: a power of two changes the recorded weights and nothing else."""

import numpy as np
import pytest

from bristlecone.grow import cart

FIELDS = (
    "children_left",
    "children_right",
    "feature",
    "threshold",
    "n_node_samples",
    "impurity",
    "prediction",
    "label",
)


def table(criterion):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(80, 3)).round(1)
    y = rng.integers(0, 3, 80) if criterion in ("gini", "entropy") else rng.gamma(2.0, size=80)
    return X, y, rng.integers(1, 8, 80) / 4


@pytest.mark.parametrize("exponent", [-990, -300, -40, 40, 300, 990])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error", "poisson"])
def test_the_unit_of_the_weights_does_not_matter(criterion, exponent):
    X, y, weights = table(criterion)
    unit = 2.0**exponent
    plain = cart(X, y, criterion=criterion, sample_weight=weights, min_weight_leaf=2.5, max_depth=4)
    other = cart(X, y, criterion=criterion, sample_weight=weights * unit, min_weight_leaf=2.5 * unit, max_depth=4)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(other, name), getattr(plain, name), err_msg=name)
    for name in ("weighted_n_node_samples", "count_weight"):
        np.testing.assert_array_equal(getattr(other, name), getattr(plain, name) * unit, err_msg=name)


def test_squares_times_weights_stay_in_range():
    X, y, _ = table("squared_error")
    plain = cart(X, y, criterion="squared_error")
    for y_unit, unit in ((2.0**-500, 2.0**-990), (2.0**490, 2.0**990)):
        tree = cart(X, y * y_unit, criterion="squared_error", sample_weight=np.full(80, unit))
        np.testing.assert_allclose(tree.impurity / y_unit / y_unit, plain.impurity, rtol=1e-12)
        np.testing.assert_allclose(tree.feature_importances, plain.feature_importances)


def test_the_lightest_row_beside_the_heaviest_is_present():
    tree = cart([[0.0], [1.0], [2.0]], [0, 1, 2], sample_weight=[1e-300, 1.0, 1e300])
    assert tree.n_leaves == 3
    assert tree.predict([[0.0]]).tolist() == [0]
    assert cart([[0.0], [1.0]], [0, 1], sample_weight=[1e-300] * 2, min_weight_leaf=1e300).n_leaves == 1
