"""The votes as estimators: one tree, every base, chosen strengths, rows to come."""

import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.tree import DecisionTreeClassifier as TheirTree
from sklearn.tree import DecisionTreeRegressor as TheirRegressor
from strategies_tree import SCHEMA, tables, trees

import bristlecone as bc
from bristlecone.table import Table

CANCER_X, CANCER_Y = load_breast_cancer(return_X_y=True)
IRIS_X, IRIS_Y = load_iris(return_X_y=True)


def mixed(n_rows=400, seed=0):
    """Numbers, levels, gaps and three classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n_rows), "b": rng.choice(list("wxyz"), n_rows), "c": rng.random(n_rows)})
    y = np.where(X["b"].isin(["w", "x"]), "low", np.where(X["a"] + 0.7 * rng.normal(size=n_rows) > 0, "mid", "high"))
    X.loc[rng.random(n_rows) < 0.1, "a"] = np.nan
    X.loc[rng.random(n_rows) < 0.1, "b"] = None
    return X, y


def around(tree, X):
    """The rows of X moved onto every threshold and its neighbours, missing cells, and levels that nobody knows."""
    frames = [X]
    for j, name in enumerate(X.columns):
        if tree.schema.columns[j].categorical:
            frames += [X.assign(**{name: "unknown"}), X.assign(**{name: None})]
            continue
        t = tree.threshold[(tree.feature == j) & np.isfinite(tree.threshold)]
        for cells in (t, np.nextafter(t, -np.inf), np.nextafter(t, np.inf), np.full(3, np.nan)):
            rows = X.iloc[np.arange(len(cells)) % len(X)].copy()
            rows[name] = cells
            frames.append(rows)
    return pd.concat(frames, ignore_index=True)


@pytest.mark.parametrize("unseen", ["stop", "heavier"])
def test_the_votes_tree_answers_as_the_vote_everywhere(unseen):
    X, y = mixed()
    for strengths in ({}, {"lambda1": 0.3, "lambda2": 0.1}, {"lambda1": 2.0, "lambda2": 0.0, "leaf_cost": 0.2}):
        vote = bc.PACBayesTreeClassifier(base=bc.DecisionTreeClassifier(unseen=unseen), **strengths).fit(X, y)
        rows = around(vote.tree_, X)
        answers = vote.predict(rows)
        tree = vote.to_tree()
        np.testing.assert_array_equal(tree.predict(rows), answers)
        np.testing.assert_array_equal(vote.classes_[vote.predict_proba(rows).argmax(axis=1)], answers)
        np.testing.assert_allclose(vote.predict_proba(rows).sum(axis=1), 1.0)
        assert tree.n_leaves == vote.get_n_leaves() <= vote.tree_.n_leaves
        assert tree.max_depth == vote.get_depth()
        np.testing.assert_array_equal(vote.feature_importances_, tree.feature_importances)
        assert vote.explain(rows, len(rows) - 1).answer == answers[-1]


@settings(max_examples=150)
@given(st.data(), trees(regression=False), st.floats(0, 3), st.floats(0, 2), st.floats(0, 2))
def test_the_votes_tree_answers_as_the_vote_on_any_tree(data, tree, lambda1, lambda2, leaf_cost):
    vote = bc.PACBayesTreeClassifier(lambda1=lambda1, lambda2=lambda2, leaf_cost=leaf_cost)
    vote.lambda1_, vote.lambda2_, vote.leaf_cost_, vote.n_features_in_ = lambda1, lambda2, leaf_cost, len(SCHEMA)
    vote._settings = {"proba": "vote"}
    vote._adopt(tree)
    table = Table(SCHEMA, data.draw(tables(tree)))
    np.testing.assert_array_equal(vote.to_tree().predict(table), vote.predict(table))
    np.testing.assert_array_equal(vote.predict_proba(table).argmax(axis=1), np.searchsorted(*_sorted(vote, table)))


def _sorted(vote, table):
    order = np.argsort(vote.classes_)
    assert order.tolist() == sorted(range(len(order)), key=lambda k: vote.classes_[k])
    codes = {label: k for k, label in enumerate(vote.classes_.tolist())}
    return np.arange(len(codes)), np.array([codes[label] for label in vote.predict(table).tolist()])


def test_weights_of_the_whole_tree_and_what_is_read_off_them():
    vote = bc.PACBayesTreeClassifier(lambda1=1.0, lambda2=0.5).fit(CANCER_X, CANCER_Y)
    assert vote.tree_.equals(bc.DecisionTreeClassifier().fit(CANCER_X, CANCER_Y).tree_)
    np.testing.assert_array_equal(
        vote.node_weights_, bc.subtrees.pac_bayes_weights(vote.tree_, lambda1=1.0, lambda2=0.5)
    )
    np.testing.assert_allclose(vote.decision_path(CANCER_X) @ vote.node_weights_, 1.0)
    assert 1 <= vote.expected_leaves_ <= vote.tree_.n_leaves
    assert vote.map_pruning().n_leaves <= vote.tree_.n_leaves
    assert (vote.lambda1_, vote.lambda2_, vote.leaf_cost_) == (1.0, 0.5, 1.0)
    assert not hasattr(vote, "cv_results_")


def test_no_error_counts_and_one_leaf_is_left_where_leaves_cost_much():
    vote = bc.PACBayesTreeClassifier(lambda1=0, lambda2=0, leaf_cost=1e6).fit(IRIS_X, IRIS_Y)
    assert vote.to_tree().n_leaves == 1 and vote.map_pruning().n_leaves == 1
    sure = bc.PACBayesTreeClassifier(lambda1=1e6, lambda2=0, leaf_cost=0).fit(IRIS_X, IRIS_Y)
    np.testing.assert_array_equal(sure.predict(IRIS_X), sure.tree_.predict(IRIS_X))


def test_probabilities_by_vote_and_by_frequency():
    X, y = mixed()
    vote = bc.PACBayesTreeClassifier(lambda1=0.2, lambda2=0.1).fit(X, y)
    freq = clone(vote).set_params(proba="freq").fit(X, y)
    np.testing.assert_array_equal(vote.predict(X), freq.predict(X))
    weights, path = vote.node_weights_, vote.decision_path(X.iloc[:40])
    for row in range(40):
        nodes = path.indices[path.indptr[row] : path.indptr[row + 1]]
        share = weights[nodes] @ (vote.tree_.counts[nodes] / vote.tree_.counts[nodes].sum(axis=1, keepdims=True))
        np.testing.assert_allclose(freq.predict_proba(X.iloc[[row]])[0], share, atol=1e-12)
        mass = np.bincount(vote.tree_.label[nodes], weights[nodes], 3)
        np.testing.assert_allclose(vote.predict_proba(X.iloc[[row]])[0], mass, atol=1e-12)


BASES = {
    "cart": lambda: "cart",
    "dyadic": lambda: "dyadic",
    "kd": lambda: "kd",
    "ours": lambda: bc.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=3),
    "ours, fitted": lambda: bc.DecisionTreeClassifier(max_depth=5).fit(CANCER_X, CANCER_Y),
    "a Tree": lambda: bc.grow.cart(CANCER_X, CANCER_Y, max_depth=6),
    "scikit-learn's": lambda: TheirTree(random_state=0),
    "scikit-learn's, fitted": lambda: TheirTree(random_state=0).fit(CANCER_X, CANCER_Y),
    "frozen": lambda: FrozenEstimator(TheirTree(random_state=0).fit(CANCER_X, CANCER_Y)),
    "of numbers": lambda: TheirRegressor(max_depth=4).fit(CANCER_X, CANCER_Y),
}


@pytest.mark.parametrize("base", BASES.values(), ids=BASES)
@pytest.mark.parametrize("vote", [bc.PACBayesTreeClassifier, bc.HelmboldSchapireClassifier])
def test_every_base_votes(base, vote):
    fitted = vote(base=base(), selection_folds=3).fit(CANCER_X, CANCER_Y)
    assert fitted.score(CANCER_X, CANCER_Y) > 0.85
    np.testing.assert_array_equal(fitted.to_tree().predict(CANCER_X), fitted.predict(CANCER_X))
    assert fitted.node_weights_.shape == (fitted.tree_.n_nodes,)
    assert fitted.cv_results_["risk"].min() < 0.25


def test_a_fitted_tree_keeps_its_questions():
    theirs = TheirTree(max_depth=4, random_state=0).fit(CANCER_X[:300], CANCER_Y[:300])
    vote = bc.PACBayesTreeClassifier(base=theirs, lambda1=1, lambda2=1).fit(CANCER_X[300:], CANCER_Y[300:])
    asked = set(bc.from_sklearn(theirs).threshold.tolist())
    assert set(vote.tree_.threshold.tolist()) <= asked
    assert vote.tree_.n_node_samples[0] == len(CANCER_Y) - 300
    frozen = clone(bc.PACBayesTreeClassifier(base=FrozenEstimator(theirs), lambda1=1, lambda2=1))
    again = frozen.fit(CANCER_X[300:], CANCER_Y[300:])
    assert again.tree_.equals(vote.tree_)


def test_weights_equal_repeated_rows_and_threads_change_nothing():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 9, (150, 3)).astype(float), rng.integers(0, 2, 150)
    times = rng.integers(0, 4, 150)
    for vote in (bc.PACBayesTreeClassifier(leaf_cost="cv"), bc.HelmboldSchapireClassifier()):
        weighted = clone(vote).fit(X, y, times.astype(float))
        repeated = clone(vote).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        np.testing.assert_allclose(weighted.node_weights_, repeated.node_weights_)
        np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))
        for n_jobs in (2, 8):
            threaded = clone(vote).set_params(n_jobs=n_jobs).fit(X, y, times.astype(float))
            np.testing.assert_array_equal(threaded.predict_proba(X), weighted.predict_proba(X))
            np.testing.assert_array_equal(threaded.cv_results_["risk"], weighted.cv_results_["risk"])


def test_groups_and_time_go_to_the_folds():
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(40), 5)
    X = np.column_stack([group + 0.1 * rng.random(200), rng.random(200)])
    y = rng.integers(0, 2, 40)[group]
    rows = bc.PACBayesTreeClassifier().fit(X, y)
    grouped = bc.PACBayesTreeClassifier().fit(X, y, groups=group)
    assert rows.cv_results_["risk"].min() < 0.2 < 0.35 < grouped.cv_results_["risk"].min()
    timed = bc.PACBayesTreeClassifier(selection_folds=3).fit(X, y, time=np.arange(200))
    assert len(timed.cv_results_["risk"]) == 40


def test_updates_follow_rows_in_their_order():
    vote = bc.HelmboldSchapireClassifier(start="prior", beta=0.5).fit(CANCER_X[:200], CANCER_Y[:200])
    with pytest.raises(AttributeError, match="no row has come by `update` yet"):
        _ = vote.loss_
    before = vote.predict_proba(CANCER_X[200:201])[0, 1]
    vote.update(CANCER_X[200:201], CANCER_Y[200:201])
    assert vote.loss_ == pytest.approx(abs(before - CANCER_Y[200]), abs=1e-12)
    vote.update(CANCER_X[201:], CANCER_Y[201:])
    assert vote.n_updates_ == len(CANCER_Y) - 200
    assert vote.best_loss_ <= vote.loss_ <= vote.bound_
    at_once = bc.HelmboldSchapireClassifier(start="prior", beta=0.5).fit(CANCER_X[:200], CANCER_Y[:200])
    at_once.update(CANCER_X[200:], CANCER_Y[200:])
    np.testing.assert_allclose(at_once.node_weights_, vote.node_weights_, atol=1e-12)
    np.testing.assert_array_equal(vote.to_tree().predict(CANCER_X), vote.predict(CANCER_X))
    weights = vote.node_weights_
    with pytest.raises(ValueError, match="y: row 1 has the label 7, not one of the tree's classes"):
        vote.update(CANCER_X[:2], [1, 7])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        vote.update(CANCER_X[:2], [1])
    assert vote.node_weights_ is weights
    vote.fit(CANCER_X, CANCER_Y)
    assert not hasattr(vote, "loss_")


@pytest.mark.parametrize(
    ("vote", "said"),
    [
        (bc.PACBayesTreeClassifier(lambda1=-1), "lambda1=-1: must be 'cv', 'bound' or a number of at least 0"),
        (bc.PACBayesTreeClassifier(lambda2="bounds"), "lambda2='bounds': must be 'cv', 'bound' or a number"),
        (bc.PACBayesTreeClassifier(leaf_cost=None), "leaf_cost=None"),
        (bc.PACBayesTreeClassifier(selection_folds=1), "selection_folds=1"),
        (bc.PACBayesTreeClassifier(proba="soft"), "proba='soft'"),
        (bc.PACBayesTreeClassifier(base="forest"), "base='forest': must be 'cart', 'dyadic', 'kd'"),
        (bc.PACBayesTreeClassifier(base=3), "base is of type int; it must be 'cart', 'dyadic', 'kd', a fitted tree"),
        (bc.PACBayesTreeClassifier(base=TheirTree), "base is DecisionTreeClassifier; it must be"),
        (bc.PACBayesTreeClassifier(base=bc.DecisionTreeClassifier(loss=[[0, 1], [2, 0]])), "base has loss="),
        (bc.PACBayesTreeClassifier(base=bc.DecisionTreeClassifier(ccp_alpha=0.1)), "base has ccp_alpha=0.1"),
        (bc.PACBayesTreeClassifier(base=bc.DecisionTreeClassifier(max_depth=-1)), "max_depth=-1"),
        (bc.HelmboldSchapireClassifier(beta=1.0), "beta=1.0: must be 'cv' or a number of at least 0 and below 1"),
        (bc.HelmboldSchapireClassifier(start="zero"), "start='zero'"),
        (bc.HelmboldSchapireClassifier(empty=0), "empty=0"),
    ],
)
def test_parameters_are_refused_by_name(vote, said):
    with pytest.raises((TypeError, ValueError)) as caught:
        vote.fit(CANCER_X, CANCER_Y)
    assert said in str(caught.value)


def test_three_classes_are_not_helmbold_and_schapires():
    with pytest.raises(ValueError, match=r"Only binary classification is supported\..*y has 3 classes"):
        bc.HelmboldSchapireClassifier().fit(IRIS_X, IRIS_Y)


def test_many_classes_keep_no_table_of_all_nodes(monkeypatch):
    monkeypatch.setattr("bristlecone.estimators.voting.KEPT", 10)
    X, y = load_digits(return_X_y=True)
    small = bc.PACBayesTreeClassifier(lambda1=1, lambda2=0.1).fit(X[:500], y[:500])
    monkeypatch.undo()
    kept = bc.PACBayesTreeClassifier(lambda1=1, lambda2=0.1).fit(X[:500], y[:500])
    np.testing.assert_array_equal(small.predict_proba(X), kept.predict_proba(X))


def test_one_row_and_one_class():
    vote = bc.PACBayesTreeClassifier().fit(np.ones((1, 2)), ["a"])
    assert vote.predict(np.zeros((2, 2))).tolist() == ["a", "a"] and not hasattr(vote, "cv_results_")
    vote = bc.PACBayesTreeClassifier().fit(np.arange(8.0)[:, None], ["a"] * 8)
    assert vote.predict_proba(np.zeros((1, 1))).tolist() == [[1.0]]


def test_a_tree_that_is_there_reads_columns_by_its_own_names():
    X, y = mixed()
    tree = bc.grow.cart(X, y, max_depth=5)
    vote = bc.PACBayesTreeClassifier(base=tree, lambda1=1, lambda2=1).fit(X[["c", "b", "a"]], y)
    assert list(vote.feature_names_in_) == ["a", "b", "c"] and vote.n_features_in_ == 3
    straight = bc.PACBayesTreeClassifier(base=tree, lambda1=1, lambda2=1).fit(X, y)
    np.testing.assert_array_equal(vote.predict(X[["b", "a", "c"]]), straight.predict(X))
    with pytest.warns(UserWarning, match="ignored 1 column"):
        vote.fit(X.assign(d=1.0), y)
    assert vote.n_features_in_ == 3 and len(vote.feature_importances_) == 3


def test_labels_of_any_kind_under_a_base_of_scikit_learn():
    y = np.array(["no", "yes"], dtype=object)[CANCER_Y]
    vote = bc.PACBayesTreeClassifier(base=TheirTree(max_depth=3, random_state=0), lambda1=1, lambda2=0).fit(CANCER_X, y)
    theirs = TheirTree(max_depth=3, random_state=0).fit(CANCER_X, y)
    np.testing.assert_array_equal(vote.tree_.threshold, bc.from_sklearn(theirs).threshold)
    with pytest.raises(ValueError, match="base has class_weight='balanced', which the vote would not know of"):
        bc.PACBayesTreeClassifier(base=TheirTree(class_weight="balanced")).fit(CANCER_X, y)
    X, y = mixed()
    with pytest.raises(ValueError, match="base: column 'b' holds categories"):
        bc.PACBayesTreeClassifier(base=TheirTree()).fit(X, y)


def test_the_scale_of_weights_that_are_not_whole_does_not_count():
    rng = np.random.default_rng(2)
    weights = rng.random(len(CANCER_Y))
    for vote in (bc.PACBayesTreeClassifier(), bc.HelmboldSchapireClassifier()):
        base = bc.DecisionTreeClassifier(min_weight_leaf=3.0)
        one = clone(vote).set_params(base=base).fit(CANCER_X, CANCER_Y, weights / weights.mean())
        for scale in (1e-9, 1e6 / 7):
            base = bc.DecisionTreeClassifier(min_weight_leaf=3.0 * weights.mean() * scale)
            other = clone(vote).set_params(base=base).fit(CANCER_X, CANCER_Y, weights * scale)
            np.testing.assert_allclose(other.node_weights_, one.node_weights_, atol=1e-9)


def test_a_monotone_tree_that_is_there_is_refused():
    rng = np.random.default_rng(0)
    X = rng.random((300, 4))
    y = (X[:, 0] + rng.normal(size=300) > 0.5).astype(int)
    base = bc.DecisionTreeClassifier(monotonic_cst=[1, 0, 0, -1]).fit(X, y)
    assert not np.isnan(base.tree_.prediction).all()
    with pytest.raises(ValueError, match="the tree has monotone constraints"):
        bc.PACBayesTreeClassifier(base=base, lambda1=1, lambda2=1).fit(X, y)


@pytest.mark.parametrize(
    ("vote", "given", "said"),
    [
        (bc.PACBayesTreeClassifier(lambda1=1, lambda2=1), {"groups": [1, 2]}, "groups has 2 entries"),
        (bc.PACBayesTreeClassifier(lambda1=1, lambda2=1), {"groups": CANCER_Y, "time": CANCER_Y}, "both given"),
        (bc.PACBayesTreeClassifier(selection_folds=5), {"groups": CANCER_Y}, "selection_folds=5 folds need at least 5"),
        (bc.PACBayesTreeClassifier(selection_folds=[]), {}, "selection_folds gives no fold"),
        (bc.PACBayesTreeClassifier(lambda1=10**400), {}, "lambda1=1000"),
        (bc.HelmboldSchapireClassifier(beta=10**400), {}, "beta=1000"),
    ],
)
def test_what_does_not_go_with_the_rows_is_refused_by_its_name(vote, given, said):
    with pytest.raises((TypeError, ValueError), match=said):
        vote.fit(CANCER_X, CANCER_Y, **given)


@pytest.mark.parametrize("beta", [1e-300, 1e-20, 1 - 2**-53])
def test_betas_at_both_ends(beta):
    vote = bc.HelmboldSchapireClassifier(beta=beta, start="prior").fit(CANCER_X[:300], CANCER_Y[:300])
    vote.update(CANCER_X[300:], CANCER_Y[300:])
    assert np.isfinite(vote.node_weights_).all() and 0 <= vote.loss_ <= vote.bound_


def test_many_classes_are_worked_on_in_parts(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.random((300, 2)), rng.integers(0, 40, 300)
    tree = bc.grow.cart(X, y, max_depth=6)
    whole = bc.PACBayesTreeClassifier(base=tree, lambda1=1, lambda2=0.1).fit(X, y)
    monkeypatch.setattr("bristlecone.subtrees.ballot.BLOCK", 100)
    # by its module: the room has a function of the same name
    monkeypatch.setattr(sys.modules["bristlecone.subtrees.selection.recount"], "BLOCK", 100)
    monkeypatch.setattr("bristlecone.estimators.voting.KEPT", 10)
    parts = bc.PACBayesTreeClassifier(base=tree, lambda1=1, lambda2=0.1).fit(X, y)
    np.testing.assert_array_equal(parts.tree_.label, whole.tree_.label)
    np.testing.assert_allclose(parts.tree_.impurity, whole.tree_.impurity, atol=1e-12)
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(parts.predict_proba(X[:1]), parts.predict_proba(X)[:1], atol=1e-12)
