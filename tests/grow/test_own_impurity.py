"""An impurity of a user's own as a criterion: the tree of the compiled growth, under all limits, or a clear refusal."""

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from sklearn.base import clone
from strategies import data_sets

import bristlecone as bc
from bristlecone.grow import IMPURITIES, Impurity

CUBIC = Impurity("cubic", lambda p: 1 - np.abs(2 * p - 1) ** 3)
SCALE = {"gini": 2.0, "entropy": 1.0, "sqrt": 1.0}  # G(1/2) = 1 over the library's own


def own(name):
    return Impurity("my " + name, IMPURITIES[name].of, IMPURITIES[name].kappa)


@hypothesis.given(data=st.data(), name=st.sampled_from(list(SCALE)), best_first=st.booleans())
@hypothesis.settings(max_examples=150, deadline=None)
def test_it_grows_what_the_compiled_growth_grows(data, name, best_first):
    found = data.draw(data_sets("gini", n_classes=2, columns=("numeric",), best_first=best_first))
    X = np.nan_to_num(found.X, nan=1.0)
    limits = dict(found.limits)
    compiled = bc.grow.cart(X, found.y, criterion=name, sample_weight=found.weights, **limits)
    if "min_impurity_decrease" in limits:
        limits["min_impurity_decrease"] *= SCALE[name]
    tree = bc.grow.cart(X, found.y, criterion=own(name), sample_weight=found.weights, **limits)
    for array in ("children_left", "feature", "threshold", "n_node_samples", "label", "missing_go_to_left"):
        np.testing.assert_array_equal(getattr(tree, array), getattr(compiled, array))
    np.testing.assert_array_equal(tree.counts, compiled.counts)
    np.testing.assert_allclose(tree.impurity, compiled.impurity * SCALE[name], atol=1e-12)


@pytest.mark.parametrize(
    "options", [{"class_weight": {0: 1, 1: 3}}, {"priors": [0.3, 0.7]}, {"loss": [[0, 1], [5, 0]]}]
)
def test_weights_of_classes_and_costs_count_as_by_name(options):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 2, 300)
    named, given = (
        bc.DecisionTreeClassifier(criterion=c, max_depth=4, ccp_alpha=0.002 * s, **options).fit(X, y)
        for c, s in (("gini", 1), (own("gini"), 2))
    )
    np.testing.assert_array_equal(named.tree_.threshold, given.tree_.threshold)
    np.testing.assert_array_equal(named.predict(X), given.predict(X))
    np.testing.assert_array_equal(named.predict_proba(X), given.predict_proba(X))


def test_it_is_cloned_pruned_and_one_of_the_library_is_grown_compiled():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 2))
    y = np.where((X[:, 0] > 0) ^ (rng.random(400) < 0.1), "yes", "no")
    model = bc.PrunedTreeClassifier(base=clone(bc.DecisionTreeClassifier(criterion=CUBIC))).fit(X, y)
    assert model.tree_.n_leaves == 2 and model.tree_.criterion == "cubic"
    again = clone(bc.DecisionTreeClassifier(criterion=IMPURITIES["gini"])).fit(X, y)
    assert again.tree_.equals(bc.DecisionTreeClassifier().fit(X, y).tree_)


def test_one_class_of_weight_is_a_leaf():
    tree = bc.grow.cart([[0.0], [1.0]], [0, 1], criterion=CUBIC, sample_weight=[1, 0])
    assert tree.n_leaves == 1 and tree.predict([[5.0]]) == [0]


def test_what_it_cannot_is_refused(tmp_path):
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    with pytest.raises(ValueError, match="impurity 'cubic' is of two classes; y has 3"):
        bc.grow.cart(X, [0, 1, 2], criterion=CUBIC)
    with pytest.raises(ValueError, match="column 'x0', row 1"):
        bc.grow.cart([[0.0], [np.nan], [2.0]], y, criterion=CUBIC)
    with pytest.raises(ValueError, match="impurity 'cubic' keeps no direction"):
        bc.grow.cart(X, y, criterion=CUBIC, monotonic_cst=[1])
    with pytest.raises(ValueError, match="impurity 'cubic' keeps no runners-up"):
        bc.grow.cart(X, y, criterion=CUBIC, n_runners=2)
    with pytest.raises(ValueError, match="has the name of a criterion"):
        bc.grow.cart(X, y, criterion=Impurity("gain_ratio", CUBIC.of))
    for broken in (lambda p: 1 / 0, lambda p: "a"):
        with pytest.raises(ValueError, match="impurity 'broken' cannot be asked: "):
            Impurity("broken", broken)
    with pytest.raises(ValueError, match=r"criterion=Impurity\(.*must be one of 'squared_error'"):
        bc.DecisionTreeRegressor(criterion=CUBIC).fit(X, y)
    with pytest.raises(ValueError, match=r"criterion=.*must be one of .*, or a grow\.Impurity"):
        bc.DecisionTreeClassifier(criterion=len).fit(X, y)
    model = bc.DecisionTreeClassifier(criterion=CUBIC).fit(X, y)
    with pytest.raises(TypeError, match="criterion"):
        bc.save(model, tmp_path / "model.json")
    assert not list(tmp_path.iterdir())
    bc.save(model.tree_, tmp_path / "tree.json")
    assert bc.load(tmp_path / "tree.json").equals(model.tree_)


@hypothesis.given(data=st.data(), name=st.sampled_from(list(SCALE)))
@hypothesis.settings(max_examples=150, deadline=None)
def test_a_split_by_levels_gains_as_much_as_the_compiled_one(data, name):
    """Under limits that forbid some sets too; sets may tie in other ways."""
    found = data.draw(data_sets("gini", n_classes=2, columns=("categorical",)))
    X = np.nan_to_num(found.X, nan=1.0)
    options = {"sample_weight": found.weights, "categorical_features": found.categorical_features}
    limits = {k: v for k, v in found.limits.items() if k != "min_impurity_decrease"} | {"max_depth": 1}
    compiled = bc.grow.cart(X, found.y, criterion=name, **options, **limits)
    tree = bc.grow.cart(X, found.y, criterion=own(name), **options, **limits)
    assert tree.n_leaves == compiled.n_leaves
    assert tree.gain(0) == pytest.approx(SCALE[name] * compiled.gain(0), abs=1e-9)
    assert tree.heuristic.tolist() == compiled.heuristic.tolist()


def test_of_many_levels_under_a_limit_the_ends_that_are_left_are_tried_and_it_is_said():
    level = np.repeat(np.arange(12), 3)
    y = level % 2
    X = level[:, None]
    options = {"categorical_features": [0], "max_depth": 1}
    assert bc.grow.cart(X, y, criterion=CUBIC, **options).heuristic.tolist() == [0, 0, 0]
    assert bc.grow.cart(X, y, criterion=CUBIC, min_samples_leaf=5, **options).heuristic.tolist() == [1, 0, 0]
