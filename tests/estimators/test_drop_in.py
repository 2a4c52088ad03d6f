"""Programs written for scikit-learn's trees: what they name is taken, or refused by name."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import check_estimators_pickle

import bristlecone as bc

RNG = np.random.default_rng(0)
X = RNG.random((80, 3))
LABELS = (X[:, 0] > 0.5).astype(int)
NUMBERS = X[:, 0] + RNG.normal(0, 0.1, 80)
GROWN = [(bc.DecisionTreeClassifier, LABELS), (bc.DecisionTreeRegressor, NUMBERS)]


@pytest.mark.parametrize(("estimator", "y"), GROWN)
def test_what_has_one_value_here_is_taken(estimator, y, tmp_path):
    plain = estimator().fit(X, y)
    named = estimator(random_state=0, splitter="best", max_features=None).fit(X, y)
    assert named.tree_.equals(plain.tree_)
    assert clone(named).get_params()["random_state"] == 0
    assert (named.n_outputs_, named.tree_.node_count) == (1, named.tree_.n_nodes)
    bc.save(named, tmp_path / "model.json")
    assert bc.load(tmp_path / "model.json").get_params() == named.get_params()
    bc.save(plain, tmp_path / "plain.json")
    assert "max_features" not in (tmp_path / "plain.json").read_text()


@pytest.mark.parametrize(("estimator", "y"), GROWN)
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"splitter": "random"}, "splitter='random': must be 'best': every split is looked at"),
        (
            {"max_features": "sqrt"},
            r"max_features='sqrt': must be None \(or 1.0\): every column is looked at in every node",
        ),
        ({"random_state": "a"}, "random_state='a': must be None or a whole number"),
    ],
)
def test_what_is_not_done_here_is_refused(estimator, y, given, said):
    with pytest.raises(ValueError, match=said):
        estimator(**given).fit(X, y)


@pytest.mark.parametrize(
    "estimator", [bc.PrunedTreeClassifier, bc.PACBayesTreeClassifier, bc.HelmboldSchapireClassifier]
)
def test_a_base_that_is_a_name_has_no_parameters(estimator):
    search = GridSearchCV(estimator(), {"base__max_depth": [1, 2]}, cv=2)
    with pytest.raises(
        ValueError, match="base__max_depth: base is 'cart', which has no parameters of its own; give base="
    ):
        search.fit(X, LABELS)
    grown = estimator(base=bc.DecisionTreeClassifier())
    assert GridSearchCV(grown, {"base__max_depth": [1, 2]}, cv=2).fit(X, LABELS).best_params_["base__max_depth"] in (
        1,
        2,
    )
    changed = estimator().set_params(base=bc.DecisionTreeClassifier(), base__max_depth=2)
    assert changed.base.max_depth == 2


@pytest.mark.parametrize("base", ["dyadic", "kd"])
def test_space_trees_say_that_they_take_no_missing_cell(base):
    model = bc.PrunedTreeClassifier(base=base)
    assert not model.__sklearn_tags__().input_tags.allow_nan
    check_estimators_pickle("PrunedTreeClassifier", model)


def test_strengths_by_the_bound_go_with_certified_mode():
    bound = {"lambda1": "bound", "lambda2": "bound"}
    with pytest.raises(ValueError, match=r"lambda1='bound' chooses by a bound, .*: give mode='certified'"):
        bc.PACBayesTreeClassifier(**bound).fit(X, LABELS)
    model = bc.PACBayesTreeClassifier(mode="certified", **bound).fit(X, LABELS)
    assert model.certificate_ == bc.PACBayesTreeClassifier(mode="certified").fit(X, LABELS).certificate_
