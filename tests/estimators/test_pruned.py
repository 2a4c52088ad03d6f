"""The pruned estimators: what they take, what they keep, and the same tree every time."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, RepeatedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from skops import io as skops

import bristlecone as bc
from bristlecone.subtrees import cheapest_pruning, weakest_link_path

CANCER_X, CANCER_Y = load_breast_cancer(return_X_y=True)
DIABETES_X, DIABETES_Y = load_diabetes(return_X_y=True)
CLASSIFIER = (bc.PrunedTreeClassifier, bc.DecisionTreeClassifier, CANCER_X, CANCER_Y)
REGRESSOR = (bc.PrunedTreeRegressor, bc.DecisionTreeRegressor, DIABETES_X, DIABETES_Y)


@pytest.mark.parametrize(("pruned", "grower", "X", "y"), [CLASSIFIER, REGRESSOR], ids=["classifier", "regressor"])
class TestEither:
    def test_what_fitting_sets(self, pruned, grower, X, y):
        model = pruned().fit(X, y)
        table = model.path_
        assert model.n_features_in_ == X.shape[1]
        assert model.get_n_leaves() == table.leaves[table.chosen] == model.tree_.n_leaves > 1
        assert model.strength_ == table.strength[table.chosen]
        assert table.leaves[table.chosen] < table.leaves[table.least] or table.chosen == table.least
        assert set(model.cv_results_) == {"strengths", "risk", "se", "fold_risk", "fold_weight"}
        assert model.cv_results_["fold_risk"].shape == (10, len(table))
        assert model.cv_results_["fold_weight"].sum() == len(y)
        np.testing.assert_array_equal(model.cv_results_["risk"], table.cv_risk)
        limit = table.cv_risk[table.least] + table.se[table.least]
        assert table.cv_risk[table.chosen] <= limit
        assert (table.cv_risk[table.chosen + 1 :] > limit).all()
        assert model.score(X, y) > 0.4

    def test_the_tree_is_that_of_the_base_at_the_chosen_strength(self, pruned, grower, X, y):
        base = grower(min_samples_leaf=4, max_depth=7)
        model = pruned(base=base, risk="impurity").fit(X, y)
        by_hand = clone(base).set_params(ccp_alpha=model.strength_).fit(X, y)
        assert model.tree_.equals(by_hand.tree_)
        path = clone(base).cost_complexity_pruning_path(X, y)
        np.testing.assert_array_equal(model.path_.strength, path.ccp_alphas)
        np.testing.assert_array_equal(model.path_.risk, path.impurities)
        assert "tree_" not in vars(base)

    def test_min_is_never_smaller_than_one_se(self, pruned, grower, X, y):
        one_se, least = pruned().fit(X, y), pruned(rule="min").fit(X, y)
        assert least.get_n_leaves() >= one_se.get_n_leaves()
        assert least.path_.chosen == least.path_.least == one_se.path_.least

    def test_a_number_prunes_without_folds(self, pruned, grower, X, y):
        alphas = weakest_link_path(grower().fit(X, y).tree_).alphas
        for strength in (0, alphas[2], alphas[-1]):
            model = pruned(strength=strength, risk="impurity").fit(X, y)
            assert model.tree_.equals(grower(ccp_alpha=strength).fit(X, y).tree_)
            assert model.strength_ == strength
            assert not hasattr(model, "cv_results_")
            assert np.isnan(model.path_.cv_risk).all()
            assert f" by alpha = {strength:g}\n" in str(model.path_)
        again = pruned().fit(X, y).set_params(strength=0.0).fit(X, y)
        assert not hasattr(again, "cv_results_")

    def test_the_same_rows_give_the_same_tree_in_any_order_and_with_any_number_of_threads(self, pruned, grower, X, y):
        one = pruned().fit(X, y)
        for n_jobs in (1, 2, -1):
            assert pruned(n_jobs=n_jobs).fit(X, y).tree_.equals(one.tree_)
        order = np.random.default_rng(0).permutation(len(y))
        other = pruned().fit(X[order], y[order])
        np.testing.assert_array_equal(other.tree_.feature, one.tree_.feature)
        np.testing.assert_allclose(other.path_.cv_risk, one.path_.cv_risk, rtol=1e-12)

    def test_the_seed_deals_the_folds(self, pruned, grower, X, y):
        risks = [pruned(random_state=seed).fit(X, y).path_.cv_risk for seed in (0, 1, np.random.RandomState(5))]
        assert len({risk.tobytes() for risk in risks}) == 3
        np.testing.assert_array_equal(pruned(random_state=1).fit(X, y).path_.cv_risk, risks[1])
        both = pruned(random_state=0, repeats=2).fit(X, y)
        np.testing.assert_allclose(both.path_.cv_risk, (risks[0] + risks[1]) / 2)
        assert pruned(random_state=None, cv=2).fit(X, y).get_n_leaves() >= 1

    def test_groups_time_and_splitters(self, pruned, grower, X, y):
        groups = np.arange(len(y)) // 20
        grouped = pruned(cv=4).fit(X, y, groups=groups)
        assert grouped.cv_results_["fold_weight"].sum() == len(y)
        by_splitter = pruned(cv=GroupKFold(4)).fit(X, y, groups=groups)
        assert by_splitter.cv_results_["fold_risk"].shape[0] == 4
        in_time = pruned(cv=4).fit(X, y, time=pd.date_range("2024-01-01", periods=len(y)))
        assert in_time.cv_results_["fold_weight"].sum() == 4 * (len(y) // 5)
        assert pruned(cv=RepeatedKFold(n_splits=3, n_repeats=2)).fit(X, y).path_.n_folds == 6
        pairs = list(KFold(3).split(X))
        np.testing.assert_array_equal(
            pruned(cv=pairs).fit(X, y).path_.cv_risk, pruned(cv=KFold(3)).fit(X, y).path_.cv_risk
        )

    def test_other_penalties(self, pruned, grower, X, y):
        for penalty in ("leaves", "scott_nowak", lambda tree: tree.depth / 100.0):
            model = pruned(penalty=penalty, cv=4).fit(X, y)
            table = model.path_
            assert 1 <= model.get_n_leaves() == table.leaves[table.chosen]
            assert model.strength_ == table.strength[table.chosen]
            again = pruned(penalty=penalty, strength=model.strength_).fit(X, y)
            assert again.tree_.equals(model.tree_)
            kept = pruned(penalty=penalty, cv=4).out_of_fold(X, y)
            wrong = kept.predict(model.strength_) != y if pruned is bc.PrunedTreeClassifier else None
            assert wrong is None or wrong.mean() == pytest.approx(table.cv_risk[table.chosen])

    def test_out_of_fold_answers_have_the_risk_that_stands_there(self, pruned, grower, X, y):
        model = pruned(cv=5).fit(X, y)
        kept = clone(model).out_of_fold(X, y)
        for k in (0, len(model.path_) // 2, -1):
            answers = kept.predict(model.cv_results_["strengths"][k])
            wrong = answers != y if pruned is bc.PrunedTreeClassifier else (answers - y) ** 2
            assert wrong.mean() == pytest.approx(model.cv_results_["risk"][k], rel=1e-12)

    def test_weights_of_whole_numbers_are_repeated_rows(self, pruned, grower, X, y):
        w = np.random.default_rng(0).integers(0, 4, len(y))
        weighted, repeated = pruned().fit(X, y, sample_weight=w), pruned().fit(X.repeat(w, axis=0), y.repeat(w))
        np.testing.assert_array_equal(weighted.tree_.feature, repeated.tree_.feature)
        np.testing.assert_array_equal(weighted.tree_.threshold, repeated.tree_.threshold)
        np.testing.assert_allclose(weighted.path_.cv_risk, repeated.path_.cv_risk, rtol=1e-9)
        np.testing.assert_allclose(weighted.path_.se, repeated.path_.se, rtol=1e-9)

    def test_one_weight_for_all_rows_is_so_many_copies(self, pruned, grower, X, y):
        one, three = pruned().fit(X, y), pruned().fit(X, y, sample_weight=3)
        np.testing.assert_allclose(one.path_.cv_risk, three.path_.cv_risk, rtol=1e-9)
        np.testing.assert_allclose(one.path_.se, three.path_.se * np.sqrt(3), rtol=1e-9)

    def test_parameters_pickles_and_skops(self, pruned, grower, X, y):
        model = pruned(base=grower(max_depth=3), cv=3).fit(X, y)
        assert pruned(**model.get_params(deep=False)).get_params() == model.get_params()
        assert clone(model).set_params(base__max_depth=2).fit(X, y).get_depth() <= 2
        for again in (pickle.loads(pickle.dumps(model)), skops.loads(skops.dumps(model), trusted=_trusted(model))):
            assert again.tree_.equals(model.tree_)
            np.testing.assert_array_equal(again.predict(X), model.predict(X))
            assert str(again.path_) == str(model.path_)

    def test_unfitted(self, pruned, grower, X, y):
        for use in ("predict", "apply", "decision_path"):
            with pytest.raises(NotFittedError):
                getattr(pruned(), use)(X)
        with pytest.raises(NotFittedError):
            pruned().get_n_leaves()

    def test_among_scikit_learns_tools(self, pruned, grower, X, y):
        search = GridSearchCV(pruned(cv=3), {"rule": ["min", "one_se"], "base": [grower(), grower(max_depth=2)]}, cv=2)
        assert search.fit(X, y).best_score_ > 0.1
        assert cross_val_score(pruned(cv=3), X, y, cv=3).mean() > 0.1
        assert make_pipeline(StandardScaler(), pruned(cv=3)).fit(X, y).score(X, y) > 0.3

    def test_weights_and_groups_are_routed_when_asked_for(self, pruned, grower, X, y):
        w, groups = np.where(np.arange(len(y)) % 2, 1.0, 0.0), np.arange(len(y)) // 10
        with sklearn.config_context(enable_metadata_routing=True):
            asking = pruned(cv=3).set_fit_request(sample_weight=True, groups=True, time=False)
            asking.set_score_request(sample_weight=False)
            steps = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), asking)
            steps.fit(X, y, sample_weight=w, groups=groups)
        assert steps[-1].tree_.weighted_n_node_samples[0] == w.sum()
        direct = pruned(cv=3).fit(StandardScaler().fit_transform(X), y, sample_weight=w, groups=groups)
        assert steps[-1].tree_.equals(direct.tree_)

    def test_every_parameter_is_described(self, pruned, grower, X, y):
        assert all(f"    {name} : " in pruned.__doc__ for name in pruned().get_params(deep=False))

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("base", "cert"),
            ("base", "oblique"),
            ("penalty", "leaf"),
            ("penalty", None),
            ("strength", "auto"),
            ("strength", -1),
            ("strength", np.nan),
            ("strength", None),
            ("strength", True),
            ("cv", 1),
            ("cv", True),
            ("cv", 2.5),
            ("cv", "ten"),
            ("cv", None),
            ("rule", "1se"),
            ("risk", "errors"),
            ("repeats", 0),
            ("repeats", 1.5),
            ("random_state", "seed"),
            ("random_state", -1),
            ("n_jobs", 0),
        ],
    )
    def test_what_no_parameter_can_be_is_refused_by_name(self, pruned, grower, X, y, name, value):
        with pytest.raises(ValueError, match=rf"^{pruned.__name__}: {name}=.*: must be "):
            pruned(**{name: value}).fit(X, y)

    def test_another_base_is_refused_with_what_is_accepted(self, pruned, grower, X, y):
        for wrong in (TheirClassifier(), grower, 7, None):
            with pytest.raises(TypeError, match=rf"base is .*; it must be 'cart'.* or an unfitted {grower.__name__}"):
                pruned(base=wrong).fit(X, y)
        with pytest.raises(ValueError, match=r"base has ccp_alpha=0\.1; leave it None"):
            pruned(base=grower(ccp_alpha=0.1)).fit(X, y)
        with pytest.raises(ValueError, match=r"max_depth=-1: must be"):
            pruned(base=grower(max_depth=-1)).fit(X, y)

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"sample_weight": [-1.0]}, "sample_weight"),
            ({"groups": ["a"]}, "groups has shape"),
            ({"time": ["a"]}, "time has shape"),
            ({"groups": ["a"], "time": ["a"]}, "groups and time are both given"),
        ],
    )
    def test_bad_rows_are_refused(self, pruned, grower, X, y, options, said):
        with pytest.raises(ValueError, match=said):
            pruned().fit(X, y, **options)


def _trusted(model):
    names = skops.get_untrusted_types(data=skops.dumps(model))
    assert all(name.startswith("bristlecone.") for name in names)
    return names


def test_a_base_of_the_other_task_is_refused():
    with pytest.raises(
        TypeError,
        match=r"a bristlecone.DecisionTreeRegressor; it must be 'cart', 'dyadic', 'kd' or an unfitted "
        r"DecisionTreeClassifier of bristlecone",
    ):
        bc.PrunedTreeClassifier(base=bc.DecisionTreeRegressor()).fit(CANCER_X, CANCER_Y)
    with pytest.raises(TypeError, match=r"base is a sklearn\.DecisionTreeClassifier"):
        bc.PrunedTreeClassifier(base=TheirClassifier()).fit(CANCER_X, CANCER_Y)
    with pytest.raises(ValueError, match="risk='misclassification': must be one of 'impurity'"):
        bc.PrunedTreeRegressor(risk="misclassification").fit(DIABETES_X, DIABETES_Y)


def test_pessimistic_pruning_counts_errors():
    model = bc.PrunedTreeClassifier(penalty="pessimistic", strength=0.25).fit(CANCER_X, CANCER_Y)
    by_hand = cheapest_pruning(bc.DecisionTreeClassifier().fit(CANCER_X, CANCER_Y).tree_, "pessimistic")
    assert model.tree_.equals(by_hand)
    chosen = bc.PrunedTreeClassifier(penalty="pessimistic").fit(CANCER_X, CANCER_Y)
    assert 0 < chosen.strength_ <= 0.5
    with pytest.raises(
        ValueError, match="PrunedTreeRegressor: penalty='pessimistic': must be one of 'cost_complexity'"
    ):
        bc.PrunedTreeRegressor(penalty="pessimistic").fit(DIABETES_X, DIABETES_Y)


def test_a_fold_may_lack_a_class_and_labels_may_be_text():
    X = np.arange(30.0)[:, None]
    y = np.array(["no"] * 20 + ["yes"] * 9 + ["once"])
    model = bc.PrunedTreeClassifier(rule="min").fit(X, y)
    assert model.classes_.tolist() == ["no", "once", "yes"]
    assert model.predict_proba(X).shape == (30, 3)
    assert set(model.predict(X)) <= {"no", "yes", "once"}


def test_c42_both_risks_stand_in_the_table():
    s = np.repeat([1, 0], [5, 10])[:, None]
    y = [1, 1, 0, 0, 0] + [1] + [0] * 9
    by_gini, by_errors = (
        bc.PrunedTreeClassifier(risk=risk).fit(s, y).path_ for risk in ("impurity", "misclassification")
    )
    np.testing.assert_allclose(by_gini.to_dict()["gini"], [0.28, 0.32])
    np.testing.assert_allclose(by_gini.to_dict()["misclassification"], [0.2, 0.2])
    np.testing.assert_allclose(by_gini.strength, [0, 0.04], atol=1e-15)
    assert by_errors.leaves.tolist() == [1]
    assert list(by_errors.risks) == ["misclassification", "gini"]
    for table in (by_gini, by_errors):
        assert "gini" in str(table) and "misclassification" in str(table)


def test_a_loss_matrix_judges_and_prunes():
    rng = np.random.default_rng(0)
    y = np.repeat(["fine", "ill"], [180, 20])
    X = (y == "ill")[:, None] + rng.normal(0, 0.5, (200, 3))
    base = bc.DecisionTreeClassifier(loss=[[0, 1], [20, 0]])
    model = bc.PrunedTreeClassifier(base=base, risk="misclassification").fit(X, y)
    assert list(model.path_.risks) == ["loss", "gini"]
    assert model.path_.risk[-1] == pytest.approx(min(180, 20 * 20) / 200)
    assert model.predict(X[y == "ill"]).tolist().count("ill") >= 18


def test_missing_values_levels_and_names():
    frame = pd.DataFrame({"size": [1.0, 2.5, np.nan, 4.0] * 15, "shape": ["round", "square", "round", None] * 15})
    y = np.array(["no", "yes", "perhaps", "yes"] * 15)
    model = bc.PrunedTreeClassifier().fit(frame, y)
    assert model.feature_names_in_.tolist() == ["size", "shape"]
    np.testing.assert_array_equal(model.predict(frame[["shape", "size"]]), y)
    with pytest.raises(ValueError, match="missing='error' refuses it"):
        bc.PrunedTreeClassifier(base=bc.DecisionTreeClassifier(missing="error")).fit(frame, y)
    chosen = bc.DecisionTreeClassifier(categorical_features=["size"])
    assert bc.PrunedTreeClassifier(base=chosen).fit(frame[["size"]], y).tree_.schema.columns[0].categorical


def test_the_table_reads_well_and_becomes_a_frame():
    model = bc.PrunedTreeClassifier().fit(CANCER_X, CANCER_Y)
    table = model.path_
    lines = str(table).splitlines()
    by = f"Weakest-link path by misclassification, 10 folds: {model.get_n_leaves()} leaves by one standard error"
    assert lines[0] == by
    assert "relative" in lines[1].split()
    assert [line for line in lines if line.endswith(("chosen", "chosen, least"))]
    frame = pd.DataFrame(table.to_dict())
    assert frame.columns.tolist()[:2] == ["alpha", "leaves"]
    assert frame.chosen.sum() == 1
    assert frame.leaves[frame.chosen].item() == model.get_n_leaves()
    assert repr(table) == f"<PruningTable: {len(table)} prunings, {model.get_n_leaves()} leaves chosen>"


@pytest.mark.parametrize("base", ["dyadic", "kd"])
@pytest.mark.parametrize("penalty", ["leaves", "scott_nowak", "cost_complexity"])
def test_space_trees_are_pruned_as_by_hand(base, penalty):
    model = bc.PrunedTreeClassifier(base=base, penalty=penalty, rule="min", cv=2).fit(CANCER_X, CANCER_Y)
    whole = getattr(bc.grow, base)(CANCER_X, CANCER_Y)
    if penalty == "cost_complexity":
        by_hand = weakest_link_path(whole, risk="misclassification").tree_at(model.strength_)
    else:
        by_hand = bc.subtrees.cheapest_pruning(whole, penalty, model.strength_)
    assert model.tree_.equals(by_hand)
    assert 1 < model.get_n_leaves() < whole.n_leaves
    assert model.score(CANCER_X, CANCER_Y) > 0.85


@pytest.mark.parametrize("base", ["dyadic", "kd"])
def test_space_trees_need_classes_and_numbers(base):
    with pytest.raises(ValueError, match=f"base='{base}': must be 'cart' or an unfitted DecisionTreeRegressor"):
        bc.PrunedTreeRegressor(base=base).fit(CANCER_X, CANCER_Y)
    with pytest.raises(ValueError, match="column"):
        bc.PrunedTreeClassifier(base=base).fit([[1.0], [np.nan], [2.0], [3.0]], [0, 1, 0, 1])


@pytest.mark.parametrize("n_shops", [2, 12, 50])
@pytest.mark.parametrize("read_as", ["text", "number"])
def test_c26_a_code_that_settles_the_answer_is_kept_by_cross_validation(n_shops, read_as):
    """Every shop has one answer, 60 rows long: single rows are held out, not whole shops that no fold has seen."""
    shop = np.arange(n_shops).repeat(60)
    X = pd.DataFrame({"shop": [f"s{k:02}" for k in shop] if read_as == "text" else shop})
    for y in (shop % 2, np.where(shop % 2, "open", "shut")):
        assert bc.PrunedTreeClassifier().fit(X, y).score(X, y) == 1.0
        assert bc.PACBayesTreeClassifier().fit(X, y).score(X, y) == 1.0
    assert bc.PrunedTreeRegressor().fit(X, shop % 2 * 1.0).score(X, shop % 2) == 1.0


@pytest.mark.parametrize("penalty", ["cost_complexity", "leaves", "scott_nowak", "pessimistic"])
def test_c06_the_unit_of_the_weights_does_not_choose_the_pruning(penalty):
    rng = np.random.default_rng(0)
    X = rng.random((100, 3))
    y = (X[:, 0] > 0.5) ^ (rng.random(100) < 0.1)
    weights = rng.random(100) + 0.5
    model = bc.PrunedTreeClassifier(penalty=penalty, base=bc.DecisionTreeClassifier(min_samples_leaf=2))
    threshold = model.fit(X, y).tree_.threshold
    for unit in (0.1, 1e-15, 1e-200):
        np.testing.assert_array_equal(model.fit(X, y, sample_weight=np.full(100, unit)).tree_.threshold, threshold)
    threshold = model.fit(X, y, sample_weight=weights).tree_.threshold
    for unit in (0.3, 1e-9, 1e9):
        np.testing.assert_array_equal(model.fit(X, y, sample_weight=weights * unit).tree_.threshold, threshold)
