"""scikit-learn's trees as ours: the same answers at every float64."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

import bristlecone as bc
from bristlecone.export.sklearn import rounding_boundary

FLOATS = st.floats(allow_nan=False, allow_infinity=False, width=64).filter(lambda x: abs(x) < 3.4028235e38)


@given(FLOATS)
def test_the_boundary_is_where_rounding_passes_the_threshold(t):
    (boundary,) = rounding_boundary([t])
    below = np.nextafter(boundary, -np.inf)
    assert not float(np.float32(boundary)) <= t
    assert float(np.float32(below)) <= t


@given(FLOATS, FLOATS)
def test_the_rule_is_the_same_at_any_number(t, x):
    assert (x < rounding_boundary([t])[0]) == (float(np.float32(x)) <= t)


def near(thresholds):
    t = thresholds[np.isfinite(thresholds)]
    once = np.concatenate([t, np.nextafter(t, -np.inf), np.nextafter(t, np.inf), rounding_boundary(t)])
    return np.concatenate([once, np.nextafter(once, -np.inf), np.float32(t).astype(np.float64)])


MODELS = {
    "iris": (load_iris, DecisionTreeClassifier(random_state=0)),
    "entropy, best first": (load_breast_cancer, DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=9)),
    "weighted": (load_breast_cancer, DecisionTreeClassifier(class_weight="balanced", max_depth=4)),
    "at random": (load_breast_cancer, ExtraTreeClassifier(random_state=3)),
    "one leaf": (load_iris, DecisionTreeClassifier(max_depth=1, min_samples_leaf=90)),
    "numbers": (load_diabetes, DecisionTreeRegressor(max_depth=6)),
    "numbers, best first": (load_diabetes, DecisionTreeRegressor(max_leaf_nodes=20)),
    "poisson": (load_diabetes, DecisionTreeRegressor(criterion="poisson", max_depth=3)),
}


@pytest.mark.parametrize(("load", "model"), MODELS.values(), ids=MODELS)
def test_the_same_answers_at_rows_thresholds_and_their_neighbours(load, model):
    X, y = load(return_X_y=True)
    model.fit(X, y)
    tree = bc.from_sklearn(model)
    assert tree.n_leaves == model.get_n_leaves() and tree.max_depth == model.get_depth()
    rows = [X]
    for feature in set(model.tree_.feature[model.tree_.feature >= 0].tolist()):
        cells = near(model.tree_.threshold[model.tree_.feature == feature])
        moved = X[np.arange(len(cells)) % len(X)].copy()
        moved[:, feature] = cells
        rows.append(moved)
    rows = np.concatenate(rows)
    np.testing.assert_array_equal(tree.predict(rows), model.predict(rows))
    if tree.classes is not None:
        np.testing.assert_allclose(tree.predict_proba(rows), model.predict_proba(rows), rtol=1e-12)
        np.testing.assert_allclose(tree.weighted_n_node_samples.sum(), model.tree_.weighted_n_node_samples.sum())


def test_missing_cells_go_where_scikit_learn_sends_them():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    y = np.where(np.isnan(X[:, 0]), 2, (X[:, 1] > 0).astype(int))
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    tree = bc.from_sklearn(model)
    np.testing.assert_array_equal(tree.predict(X), model.predict(X))
    blank = np.full((5, 3), np.nan)
    np.testing.assert_array_equal(tree.predict_proba(blank), model.predict_proba(blank))


def test_names_labels_and_counts_come_along():
    data = load_iris(as_frame=True)
    labels = np.array(["setosa", "versicolor", "virginica"])[data.target]
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(data.data, labels)
    tree = bc.from_sklearn(model)
    assert tree.schema.names == tuple(data.data.columns)
    assert tree.predict(data.data).tolist() == model.predict(data.data).tolist()
    np.testing.assert_array_equal(tree.row_counts, bc.subtrees.count(tree, data.data, labels))


def test_what_is_no_such_tree_is_refused_by_what_it_is():
    X, y = load_iris(return_X_y=True)
    ours, searched = bc.DecisionTreeClassifier().fit(X, y), GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1]})
    for other, says in (
        (DecisionTreeClassifier(), "a DecisionTreeClassifier that is not fitted"),
        (DecisionTreeRegressor(), "a DecisionTreeRegressor that is not fitted"),
        (ours, "a DecisionTreeClassifier of bristlecone, which needs no conversion"),
        (ours.tree_, "a Tree of bristlecone, which needs no conversion"),
        (searched.fit(X, y), "a GridSearchCV; its best_estimator_ may be one"),
        ("tree", "got a str"),
        (DecisionTreeClassifier, "got the class DecisionTreeClassifier"),
        (DecisionTreeClassifier().fit(X, y).tree_, "scikit-learn's bare arrays"),
        (Pipeline([]), "got a Pipeline"),
    ):
        with pytest.raises(TypeError, match=f"expected a fitted scikit-learn decision tree, .*{says}"):
            bc.from_sklearn(other)


def test_nodes_have_the_numbers_that_scikit_learn_gives_them_by_name():
    X, y = load_iris(return_X_y=True)
    for limits, same in (({}, True), ({"max_leaf_nodes": 6}, False)):
        theirs = DecisionTreeClassifier(random_state=0, **limits).fit(X, y)
        numbers = bc.export.sklearn_nodes(theirs)
        assert (numbers[bc.from_sklearn(theirs).apply(X)] == theirs.apply(X)).all()
        assert (numbers == np.arange(len(numbers))).all() == same


def test_what_is_no_such_tree_is_refused():
    X, y = load_iris(return_X_y=True)
    for other in (DecisionTreeClassifier(), "tree", bc.DecisionTreeClassifier()):
        with pytest.raises(TypeError, match="expected a fitted scikit-learn decision tree"):
            bc.from_sklearn(other)
    with pytest.raises(ValueError, match="2 outputs"):
        bc.from_sklearn(DecisionTreeClassifier().fit(X, np.column_stack([y, y])))
    with pytest.raises(ValueError, match="asks about 4 columns"):
        bc.from_sklearn(DecisionTreeClassifier().fit(X, y), schema=bc.table.as_table(X[:, :2]).schema)


def test_a_tree_of_tiny_weights_keeps_its_shares():
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 3)), rng.integers(0, 2, 200)
    theirs = DecisionTreeClassifier(max_depth=3).fit(X, y, sample_weight=np.full(200, 1e-11))
    np.testing.assert_allclose(bc.from_sklearn(theirs).predict_proba(X), theirs.predict_proba(X), atol=1e-12)
