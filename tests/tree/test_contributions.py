"""Contributions add up to the answer for every row, and belong to the columns that were asked."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from probes import NAMED, probes, random_tree
from strategies_tree import SCHEMA, Leaf, build, staircase, tables, trees

import bristlecone as bc
from bristlecone.table.columns import Table


def twin(tree, table, i):
    """The sum of changes along the path of one row, as its definition reads."""
    path = tree.decision_path(table.take([i])).indices.tolist()
    found = np.zeros((tree.n_features, tree.value.shape[2]))
    for above, below in itertools.pairwise(path):
        found[tree.feature[above]] += tree.value[below, 0] - tree.value[above, 0]
    return found


@given(st.data())
def test_the_definition(data):
    tree = data.draw(trees())
    table = Table(SCHEMA, data.draw(tables(tree)))
    found = tree.contributions(table)
    assert found.values.shape == (table.n_rows, len(SCHEMA), max(1, tree.n_classes))
    for i in range(table.n_rows):
        np.testing.assert_allclose(found.values[i], twin(tree, table, i), rtol=0, atol=1e-12 * np.abs(tree.value).max())


def test_they_add_up_at_thresholds_missing_cells_and_unknown_levels():
    for seed in range(100):
        tree = random_tree(seed)
        table, _ = probes(tree, seed)
        nodes = tree.apply(table)
        answers = tree.fractions_at(nodes) if tree.classes is not None else tree.answers_at(nodes)[:, None]
        found = tree.contributions(table)
        assert np.abs(found.totals - answers).max() <= 1e-12 * np.abs(tree.value).max()
        never = sorted(set(range(len(NAMED))) - set(tree.feature.tolist()))
        assert not found.values[:, never].any()


def c67_data():
    draw = np.random.RandomState(0)
    X = draw.randint(0, 100, (300, 4)) / 10
    X[draw.rand(300, 4) < 0.3] = np.nan
    return X, draw.rand(300)


def finite_thresholds(tree):
    return tree.threshold[(tree.feature >= 0) & np.isfinite(tree.threshold)]


def test_c67_base_and_contributions_add_up():
    X, y = c67_data()
    model = bc.DecisionTreeRegressor().fit(X, y)
    rows = np.concatenate([X, np.repeat(finite_thresholds(model.tree_)[:, None], 4, axis=1)])
    found = model.contributions(rows)
    assert np.abs(found.totals[:, 0] - model.predict(rows)).max() <= 1e-12
    assert found.base == pytest.approx([y.mean()])


def test_trees_of_one_leaf_and_deep_ones():
    flat = build(Leaf((1, 2)))
    assert not flat.contributions(Table(SCHEMA, [np.zeros(1), np.zeros(1, np.int32), *[np.zeros(1)] * 3])).values.any()
    deep = staircase(3000)
    X = np.array([[0.0], [1500.7], [4000.0]])
    np.testing.assert_allclose(deep.contributions(X).totals, deep.predict_proba(X), atol=1e-12)


def test_of_estimators_and_votes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
    vote = bc.PACBayesTreeClassifier(lambda1=1.0, lambda2=1.0).fit(X, y)
    np.testing.assert_allclose(vote.contributions(X).totals, vote.to_tree().predict_proba(X), atol=1e-12)
    model = bc.DecisionTreeClassifier(max_depth=3).fit(X, y)
    np.testing.assert_allclose(model.contributions(X).totals, model.predict_proba(X), atol=1e-12)


def test_shap_adds_up_through_its_dictionary():
    shap = pytest.importorskip("shap")
    X, y = c67_data()
    for model in (bc.DecisionTreeRegressor().fit(X, y), bc.DecisionTreeClassifier().fit(X, (3 * y).astype(int))):
        at = finite_thresholds(model.tree_)
        at = np.concatenate([at, np.nextafter(at, -np.inf), np.nextafter(at, np.inf)])
        rows = np.concatenate([X, X[np.arange(len(at)) % len(X)]])
        rows[len(X) :, 0] = at
        explainer = shap.TreeExplainer(bc.export.shap(model))
        values = np.asarray(explainer.shap_values(rows, check_additivity=False))
        answers = model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)
        assert np.abs(values.sum(axis=1) + explainer.expected_value - answers).max() <= 1e-12


def test_shap_refuses_levels_and_refusals():
    with pytest.raises(TypeError, match=r"column '.*' is split by levels, which SHAP's form cannot say"):
        bc.export.shap(next(t for t in map(random_tree, range(50)) if len(t.level_code)))
    with pytest.raises(ValueError, match="SHAP cannot refuse a row"):
        model = bc.DecisionTreeClassifier(missing="error").fit([[0.0], [1.0]], [0, 1])
        bc.export.shap(model)
