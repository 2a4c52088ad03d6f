"""Our trees as scikit-learn's: the same answers to the rows that are promised, and refusals by name."""

import dataclasses

import numpy as np
import pytest
from probes import probes, random_tree
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, export_text
from strategies_tree import Leaf, Split, build

import bristlecone as bc
from bristlecone.table.schema import ColumnSchema, Kind, Schema

NUMBERS = Schema(tuple(ColumnSchema(name, Kind.NUMERIC) for name in "abc"), named=False)
INSIDE = float(np.finfo(np.float32).max)


def near(tree, X):
    """Rows at each threshold, beside it, and where float32 begins to round past it."""
    rows = [X]
    for node in np.flatnonzero((tree.feature >= 0) & np.isfinite(tree.threshold)):
        t = tree.threshold[node]
        for cell in (t, np.nextafter(t, -np.inf), np.nextafter(t, np.inf), float(np.float32(t)), np.nan):
            if np.isnan(cell) or abs(cell) <= INSIDE:
                moved = X[[node % len(X)]].copy()
                moved[0, tree.feature[node]] = cell
                rows.append(moved)
    return np.concatenate(rows)


@pytest.mark.parametrize(
    ("load", "model"),
    [
        (load_iris, DecisionTreeClassifier(random_state=0)),
        (load_breast_cancer, DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=9)),
        (load_breast_cancer, DecisionTreeClassifier(class_weight="balanced", max_depth=4)),
        (load_diabetes, DecisionTreeRegressor(max_depth=6)),
    ],
)
def test_there_and_back_is_the_same_for_every_float64(load, model):
    X, y = load(return_X_y=True)
    model.fit(X, y)
    tree = bc.from_sklearn(model)
    back = bc.to_sklearn(tree)
    rows = near(tree, X)
    assert np.array_equal(back.predict(rows), model.predict(rows))
    assert np.array_equal(back.predict(rows), tree.predict(rows))
    assert np.array_equal(back.decision_path(X).toarray(), tree.decision_path(X).toarray())
    again = bc.from_sklearn(back)
    for name in ("children_left", "feature", "threshold", "missing_go_to_left", "n_node_samples", "label"):
        assert np.array_equal(getattr(again, name), getattr(tree, name)), name
    if tree.classes is not None:
        np.testing.assert_allclose(back.predict_proba(rows), tree.predict_proba(rows), rtol=1e-15)


def test_random_trees_on_float32_rows():
    for seed in range(100):
        tree = random_tree(seed, NUMBERS)
        if tree.classes is not None and (tree.value[:, 0].argmax(axis=1) != tree.label).any():
            continue
        back = bc.to_sklearn(tree, rows="float32")
        table, _ = probes(tree, seed)
        X = np.column_stack(table.columns)
        with np.errstate(over="ignore"):
            X = X.astype(np.float32)
        X = X[~np.isinf(X).any(axis=1)]
        assert np.array_equal(back.apply(X), tree.apply(X.astype(np.float64)))
        assert np.array_equal(back.predict(X), tree.predict(X.astype(np.float64)))


def test_a_threshold_inside_a_rounding_is_refused_for_float64():
    model = bc.DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(ValueError, match=r"node 0: scikit-learn rounds cells to float32, where 1.5 is no boundary"):
        bc.to_sklearn(model)
    back = bc.to_sklearn(model, rows="float32")
    assert back.predict([[1.0], [1.5], [np.nextafter(np.float32(1.5), np.float32(0))]]).tolist() == ["a", "b", "a"]
    assert "<= 1.50" in export_text(back) and back.get_n_leaves() == 2 and back.get_depth() == 1
    assert clone(back).fit([[1.0], [2.0]], [0, 1]).score([[1.0], [2.0]], [0, 1]) == 1.0


def test_names_come_along():
    data = load_iris(as_frame=True)
    back = bc.to_sklearn(bc.DecisionTreeClassifier().fit(data.data, data.target), rows="float32")
    assert back.feature_names_in_.tolist() == list(data.data.columns)
    assert back.predict(data.data).tolist() == data.target.tolist()


def test_what_scikit_learn_cannot_say_is_refused():
    level = Split(1, np.nan, Leaf((1, 0)), Leaf((0, 1)), True, ((0, False), (1, True)))
    with pytest.raises(TypeError, match="column 'colour': scikit-learn's trees have no columns of kind category"):
        bc.to_sklearn(build(level))
    with pytest.raises(TypeError, match=r"column 'd': .* kind date"):
        bc.to_sklearn(build(Leaf((1, 2)), schema=Schema((ColumnSchema("d", Kind.DATE, unit="D"),))))
    split = Split(0, 1.0, Leaf((1, 0)), Leaf((0, 1)))
    with pytest.raises(ValueError, match="cannot refuse missing values"):
        bc.to_sklearn(build(split, schema=NUMBERS, missing="error"), rows="float32")
    odd = build(Leaf((3, 1)), schema=NUMBERS)
    with pytest.raises(ValueError, match="leaf 0 answers yes, which is not its first most frequent class"):
        bc.to_sklearn(dataclasses.replace(odd, label=np.array([1])))
    with pytest.raises(ValueError, match="rows must be 'float64' or 'float32', got 'f4'"):
        bc.to_sklearn(odd, rows="f4")
    with pytest.raises(TypeError, match="cannot export a DecisionTreeClassifier: expected a Tree"):
        bc.to_sklearn(DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]))


def test_a_pipeline_that_is_only_a_tree():
    X, y = load_iris(return_X_y=True)
    model = make_pipeline("passthrough", DecisionTreeClassifier(max_depth=3)).fit(X, y)
    assert np.array_equal(bc.from_sklearn(model).predict(X), model.predict(X))
    scaled = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=3)).fit(X, y)
    with pytest.raises(ValueError, match="the pipeline's step 'standardscaler' changes the columns"):
        bc.from_sklearn(scaled)
    within = make_pipeline(make_pipeline("passthrough"), model)
    assert np.array_equal(bc.from_sklearn(within).predict(X), model.predict(X))
    assert bc.report.page(within) and bc.audit(within, X + 0.3, y)
    with pytest.raises(ValueError, match="the pipeline's step 'pipeline-1' changes the columns"):
        bc.from_sklearn(make_pipeline(make_pipeline(StandardScaler()), model))
    tree = bc.from_sklearn(scaled[-1])
    assert np.array_equal(tree.predict(scaled[:-1].transform(X)), scaled.predict(X))


class Damaged:
    """Looks like a fitted tree whose arrays were changed in a file."""

    n_outputs_, n_features_in_, criterion = 1, 4, "gini"

    def __init__(self, model, **changes):
        held = model.tree_
        self.classes_ = model.classes_
        names = ("feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples", "value")
        arrays = {name: getattr(held, name).copy() for name in (*names, "children_left", "children_right")}
        arrays["missing_go_to_left"] = np.zeros(held.node_count, np.uint8)
        self.tree_ = type("Held", (), {**arrays, "node_count": held.node_count, **changes})()


@pytest.mark.parametrize(
    ("name", "place", "value", "fault"),
    [
        ("children_left", 0, 99, "beyond its nodes"),
        ("children_left", 0, 0, "two parents"),
        ("children_right", 2, 0, "two parents"),
        ("feature", 0, 7, "out of range"),
    ],
)
def test_damaged_arrays_are_refused(name, place, value, fault):
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    changed = getattr(model.tree_, name).copy()
    changed[place] = value
    with pytest.raises(ValueError, match=fault):
        bc.from_sklearn(Damaged(model, **{name: changed}))
