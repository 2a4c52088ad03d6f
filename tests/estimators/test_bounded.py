"""rule="bound": the pruning of least bound, its certificate, and what does not go with it."""

import pickle

import numpy as np
import pytest
from random_data import noisy_classes as rows
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import bristlecone as bc
from bristlecone.certify import Beyond, Brier, ErrorOfClass, LossMatrix, weigh
from bristlecone.certify.split import split_rows
from bristlecone.subtrees import cut


def numbers(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    return X, np.floor(X[:, 0] * 4) + rng.normal(0, 0.2, n)


def bounded(**parameters):
    return bc.PrunedTreeClassifier(**{"rule": "bound"} | parameters)


@pytest.fixture(scope="module")
def fitted():
    return bounded().fit(*rows(1200))


def test_it_is_what_weighing_by_the_other_rows_makes(fitted):
    X, y = rows(1200)
    split = split_rows(1200, 0.5, 0)
    weighed = weigh(bc.grow.cart(X[split.growing], y[split.growing]), X[split.held_out], y[split.held_out])
    assert fitted.certificate_ == weighed.of_pruning()
    assert fitted.tree_.threshold.tolist() == weighed.pruned.threshold.tolist()
    assert fitted.certificate_.n == 600
    votes = bc.PACBayesTreeClassifier(mode="certified").fit(X, y)
    assert votes.certificate("pruned") == fitted.certificate_


def test_the_certificate_is_of_what_predict_answers(fitted):
    X, y = rows(1200)
    held_out = split_rows(1200, 0.5, 0).held_out
    assert fitted.certificate_.predictor == "pruned"
    assert np.mean(fitted.predict(X[held_out]) != y[held_out]) == pytest.approx(fitted.certificate_.observed, abs=1e-12)
    fresh, truth = rows(20_000, seed=9)
    assert np.mean(fitted.predict(fresh) != truth) <= fitted.certificate_.value


def test_the_path_holds_what_there_was_to_choose_from(fitted):
    path = fitted.path_
    assert path.rows == "certifying rows"
    assert path.leaves[path.chosen] == fitted.tree_.n_leaves
    assert path.risks["bound"][path.chosen] == fitted.certificate_.value == path.risks["bound"].min()
    assert path.risks["error"][path.chosen] == pytest.approx(fitted.certificate_.observed, abs=1e-12)
    assert (np.diff(path.leaves) <= 0).all()
    assert fitted.strength_ == path.strength[path.chosen]
    assert path.risks["nats"][path.chosen] == pytest.approx(-fitted.certificate_.details["log_prior"], abs=1e-9)
    assert "by the least bound" in str(path)
    order = np.argsort(path.strength)
    assert (np.diff(path.strength[order]) > 0).all()
    assert (np.diff(path.risks["error"][order]) > 0).all()
    assert (np.diff(path.risks["nats"][order]) < 0).all()


def test_each_pruning_of_the_path_is_cheapest_at_its_price(fitted):
    """No other pruning of the path costs less at the price from which on one is said to be the cheapest."""
    path = fitted.path_
    lost, nats = path.risks["error"] * fitted.certificate_.n, path.risks["nats"]
    for place, price in enumerate(path.strength):
        costs = lost + price * nats
        assert costs[place] <= costs.min() + 1e-7 * (1 + abs(costs.min()))


@pytest.mark.parametrize("seed", range(5))
def test_no_pruning_on_the_weakest_link_path_has_a_smaller_bound(seed):
    X, y = rows(600, seed)
    model = bounded(random_state=seed).fit(X, y)
    split = split_rows(600, 0.5, seed)
    weighed = weigh(bc.grow.cart(X[split.growing], y[split.growing]), X[split.held_out], y[split.held_out])
    path = bc.subtrees.weakest_link_path(weighed.tree)
    for k in range(len(path)):
        leaves = path.collapse <= path.alphas[k]
        first = leaves & ~np.isin(np.arange(len(leaves)), _below(weighed.tree, leaves))
        assert weighed.of_pruning(first).value >= model.certificate_.value - 1e-12
    assert cut(weighed.tree, weighed.pruning.leaves).n_leaves == model.tree_.n_leaves


def _below(tree, leaves):
    """Nodes that lie under one of these."""
    under = set()
    for node in range(tree.n_nodes):
        parent = tree.parent[node]
        if parent >= 0 and (leaves[parent] or parent in under):
            under.add(node)
    return sorted(under)


def test_numbers_are_bounded_within_a_radius():
    X, y = numbers(800)
    model = bc.PrunedTreeRegressor(rule="bound", risk=Beyond(0.5)).fit(X, y)
    said = model.certificate_
    held_out = split_rows(800, 0.5, 0).held_out
    assert said.observed == np.mean(np.abs(model.predict(X[held_out]) - y[held_out]) > 0.5)
    assert "the chance of being off by more than 0.5 of the pruned tree" in said.sentence
    assert "always one number would have" in str(said)
    fresh, truth = numbers(20_000, seed=9)
    assert np.mean(np.abs(model.predict(fresh) - truth) > 0.5) <= said.value < 0.2


@pytest.mark.parametrize(
    ("risk", "phrase"),
    [
        (ErrorOfClass(1), "error on rows of class 1"),
        (LossMatrix([[0, 1, 1], [5, 0, 5], [1, 1, 0]], [0, 1, 2]), "mean cost"),
        (Brier([0, 1, 2]), "Brier score"),
    ],
)
def test_other_risks(risk, phrase, tmp_path):
    model = bounded(risk=risk).fit(*rows(900))
    assert model.certificate_.risk == phrase
    assert model.certificate_.observed <= model.certificate_.value
    bc.save(model, tmp_path / "model.json")
    assert bc.load(tmp_path / "model.json").certificate_ == model.certificate_


def test_the_costs_of_growth_are_what_is_bounded():
    costs = [[0, 1, 1], [5, 0, 5], [1, 1, 0]]
    X, y = rows(900)
    model = bounded(base=bc.DecisionTreeClassifier(loss=costs)).fit(X, y)
    assert model.certificate_.risk == "mean cost"
    held_out = split_rows(900, 0.5, 0).held_out
    paid = np.array(costs)[y[held_out], model.predict(X[held_out])].mean()
    assert model.certificate_.observed == pytest.approx(paid, rel=1e-12)


@pytest.mark.parametrize("base", ["dyadic", "kd", bc.DecisionTreeClassifier(max_depth=3, criterion="entropy")])
def test_other_bases(base):
    model = bounded(base=base).fit(*rows(600))
    assert model.certificate_.value < 0.7
    assert model.certificate_.n == 300


def test_groups_are_held_out_whole_and_counted():
    X, y = rows(900)
    said = bounded().fit(X, y, groups=np.arange(900) // 3).certificate_
    assert (said.unit, said.n) == ("group", 150)
    later = bounded(growth_fraction=0.6).fit(X, y, time=np.arange(900)).certificate_
    assert later.n == 360
    assert "rows to come are like the last ones" in later.assumes[-1]


def test_the_numbers_asked_for_are_used():
    X, y = rows(900)
    wide, narrow = bounded(delta=0.2).fit(X, y), bounded(delta=0.001).fit(X, y)
    assert wide.certificate_.value < narrow.certificate_.value
    assert bounded(corrupted=0.1).fit(X, y).certificate_.value > bounded().fit(X, y).certificate_.value
    assert bounded(growth_fraction=0.8).fit(X, y).certificate_.n == 180


def test_files_and_copies_keep_it(fitted, tmp_path):
    bc.save(fitted, tmp_path / "model.json")
    read = bc.load(tmp_path / "model.json")
    assert read.certificate_ == fitted.certificate_
    assert str(read.path_) == str(fitted.path_)
    assert pickle.loads(pickle.dumps(fitted)).certificate_ == fitted.certificate_
    model = bc.PrunedTreeRegressor(rule="bound", risk=Beyond(0.5), delta=0.1).fit(*numbers(400))
    bc.save(model, tmp_path / "numbers.json")
    read = bc.load(tmp_path / "numbers.json")
    assert read.get_params() == model.get_params()
    assert read.certificate_ == model.certificate_


def test_other_rules_say_why_not():
    model = bc.PrunedTreeClassifier(cv=3)
    with pytest.raises(AttributeError, match="needs a fit: call fit first"):
        model.certificate_  # noqa: B018
    model.fit(*rows(200))
    assert not hasattr(model, "certificate_")
    with pytest.raises(AttributeError, match="Fit with rule='bound'"):
        model.certificate_  # noqa: B018
    again = clone(model).set_params(rule="bound").fit(*rows(200))
    assert again.certificate_.n == 100
    assert not hasattr(again, "cv_results_")
    assert not hasattr(again.set_params(rule="min").fit(*rows(200)), "certificate_")


def test_what_does_not_go_with_it_is_refused():
    X, y = rows(200)
    for parameters, said in [
        ({"strength": 0.1}, "strength=0.1: rule='bound' chooses by the bound; leave it 'cv'"),
        ({"penalty": "leaves"}, "penalty='leaves': rule='bound' chooses by the bound"),
        ({"risk": "impurity"}, "risk='impurity' has no bound"),
        ({"risk": "brier"}, "risk='brier': must be one of 'impurity', 'misclassification'"),
        ({"risk": Beyond(0.5)}, "being off by more than a radius is for numbers"),
        ({"growth_fraction": 1.0}, "growth_fraction=1.0: must be a number between 0 and 1"),
        ({"delta": 0.0}, "delta=0.0: must be a number between 0 and 1"),
        ({"corrupted": 1.0}, "corrupted=1.0: must be a share"),
    ]:
        with pytest.raises(ValueError, match=said):
            bounded(**parameters).fit(X, y)
    with pytest.raises(ValueError, match=r"risk=.* goes with rule='bound'; here it is 'one_se'"):
        bc.PrunedTreeClassifier(risk=ErrorOfClass(1)).fit(X, y)
    with pytest.raises(ValueError, match="squared errors have none"):
        bc.PrunedTreeRegressor(rule="bound").fit(*numbers(100))
    with pytest.raises(ValueError, match=r"sample_weight, row 0: 2\.0 is not 1"):
        bounded().fit(X, y, sample_weight=np.full(200, 2.0))
    with pytest.raises(ValueError, match=r"7 certifying row\(s\): a certificate needs at least 8"):
        bounded().fit(*rows(14))
    with pytest.raises(ValueError, match="rule='bound' has no folds"):
        bounded().out_of_fold(X, y)


WEIGHTS, FEW = "a certificate counts independent rows, and refuses weights", "fewer than 8 rows certify"
REFUSED = {
    "check_sample_weights_pandas_series": WEIGHTS,
    "check_sample_weights_not_an_array": WEIGHTS,
    "check_sample_weights_list": WEIGHTS,
    "check_sample_weights_not_overwritten": WEIGHTS,
    "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
    "check_classifiers_one_label_sample_weights": WEIGHTS,
    "check_classifiers_one_label": FEW,
    "check_classifier_data_not_an_array": FEW,
    "check_regressors_no_decision_function": FEW,
    "check_fit2d_1sample": FEW,
    "check_fit2d_1feature": FEW,
}


@parametrize_with_checks(
    [bounded(), bc.PrunedTreeRegressor(rule="bound", risk=Beyond(1.0))], expected_failed_checks=lambda _: REFUSED
)
def test_scikit_learn_check(estimator, check):
    check(estimator)


def test_a_loss_matrix_may_be_a_plain_table():
    X, y = rows(400)
    costs = [[0, 1, 1], [5, 0, 5], [1, 1, 0]]
    said = bounded(risk=costs).fit(X, y).certificate_
    assert said == bounded(risk=LossMatrix(costs, [0, 1, 2])).fit(X, y).certificate_
    with pytest.raises(ValueError, match="a loss matrix of 3 classes is 3 x 3"):
        bounded(risk=[[0, 1], [1, 0]]).fit(X, y)
    with pytest.raises(
        ValueError, match="goes with rule='bound'; here it is 'min'; a base with a loss matrix is pruned"
    ):
        bc.PrunedTreeClassifier(rule="min", risk=costs).fit(X, y)
