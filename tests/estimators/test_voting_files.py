"""The votes in model files and pickles."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import bristlecone as bc
from bristlecone.estimators.saved_values import encode
from bristlecone.export import ModelFileError, read_document, write_document

X, Y = load_breast_cancer(return_X_y=True)

MODELS = {
    "practical": lambda: bc.PACBayesTreeClassifier(leaf_cost="cv").fit(X, Y),
    "given strengths": lambda: bc.PACBayesTreeClassifier(lambda1=1, lambda2=0.5, proba="freq").fit(X, Y),
    "dyadic": lambda: bc.PACBayesTreeClassifier(base="dyadic").fit(X, np.array(["bad", "good"])[Y]),
    "a tree": lambda: bc.PACBayesTreeClassifier(base=bc.grow.cart(X, Y, max_depth=3)).fit(X, Y),
    "an estimator": lambda: bc.PACBayesTreeClassifier(base=bc.DecisionTreeClassifier(max_depth=3)).fit(X, Y),
    "Helmbold and Schapire": lambda: bc.HelmboldSchapireClassifier(empty="parent", base="kd").fit(X, Y),
    "updated": lambda: bc.HelmboldSchapireClassifier(start="prior").fit(X[:300], Y[:300]).update(X[300:], Y[300:]),
}


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_a_vote_comes_back_equal(make, tmp_path):
    model = make()
    bc.save(model, tmp_path / "model.json")
    for again in (bc.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert type(again) is type(model) and again.tree_.equals(model.tree_)
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(again.node_weights_, model.node_weights_)
        np.testing.assert_equal(vars(again).get("cv_results_"), vars(model).get("cv_results_"))
        assert again.to_tree().equals(model.to_tree())
        if hasattr(model, "loss_"):
            assert (again.loss_, again.bound_, again.n_updates_) == (model.loss_, model.bound_, model.n_updates_)
            again.update(X[:50], Y[:50])
    bc.save(bc.load(tmp_path / "model.json"), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()


SHORT = {"potentials": [np.ones(1)] * 2, "losses": [np.ones(1)] * 2, "n_rows": 1, "loss": 0.0, "mistakes": 0}


@pytest.mark.parametrize(
    ("make", "change", "said"),
    [
        ("practical", {"lambda1": "much"}, "lambda1_ is 'much': 'cv', 'bound' or a number"),
        ("practical", {"lambda1": -1.0}, "lambda1_ is -1.0"),
        ("practical", {"lambda1": None}, "lambda1_ is None"),
        ("Helmbold and Schapire", {"beta": 1.5}, "beta_ is 1.5"),
        ("updated", {"online": encode(SHORT)}, "potentials: expected two arrays of a finite number for each node"),
        ("updated", {"online": encode(SHORT | {"more": 1})}, "rows weighed one by one: expected"),
        ("updated", {"online": encode({})}, "rows weighed one by one: expected"),
        ("updated", {"online": 3}, "rows weighed one by one: expected"),
        ("updated", {"online": encode(SHORT | {"n_rows": -5})}, "expected"),
        ("practical", {"lambda1": 10**400}, "lambda1_ is 1000"),
        ("practical", {"settings": encode({"proba": "soft"})}, "proba='soft'"),
        ("practical", {"settings": encode({})}, "settings: expected"),
        ("practical", {"cv_results": encode({"risk": np.ones(2)})}, "cv_results: expected"),
        ("updated", {"cv_results": 3}, "cv_results: expected"),
    ],
)
def test_what_was_tampered_with_is_refused(make, change, said, tmp_path):
    path = tmp_path / "model.json"
    bc.save(MODELS[make](), path)
    document = read_document(path)
    document["payload"].update(change)
    write_document(document, path)
    with pytest.raises(ModelFileError, match=said):
        bc.load(path)


def test_a_base_of_scikit_learn_is_not_saved(tmp_path):
    from sklearn.tree import DecisionTreeClassifier

    model = bc.PACBayesTreeClassifier(base=DecisionTreeClassifier(max_depth=2)).fit(X, Y)
    with pytest.raises(TypeError, match="cannot save the PACBayesTreeClassifier: parameter base="):
        bc.save(model, tmp_path / "model.json")
    bc.save(model.to_tree(), tmp_path / "model.json")
    np.testing.assert_array_equal(bc.load(tmp_path / "model.json").predict(X), model.predict(X))


def test_a_base_that_is_fitted_stays_the_same_tree(tmp_path):
    base = bc.DecisionTreeClassifier(max_depth=3).fit(X[:200], Y[:200])
    model = bc.PACBayesTreeClassifier(base=base, lambda1=1, lambda2=1).fit(X[200:], Y[200:])
    bc.save(model, tmp_path / "model.json")
    again = bc.load(tmp_path / "model.json").fit(X[200:], Y[200:])
    assert again.tree_.equals(model.tree_)


def test_what_was_set_after_fit_counts_neither_before_nor_after_a_file(tmp_path):
    model = bc.PACBayesTreeClassifier(lambda1=1, lambda2=1).fit(X, Y)
    shares = model.predict_proba(X)
    bc.save(model.set_params(proba="freq"), tmp_path / "model.json")
    np.testing.assert_array_equal(model.predict_proba(X), shares)
    np.testing.assert_array_equal(bc.load(tmp_path / "model.json").predict_proba(X), shares)
    updated = MODELS["updated"]()
    bound = updated.bound_
    bc.save(updated.set_params(start="rows"), tmp_path / "model.json")
    assert bc.load(tmp_path / "model.json").bound_ == bound


def test_bases_nested_without_end_are_refused(tmp_path):
    path = tmp_path / "model.json"
    bc.save(MODELS["practical"](), path)
    document = read_document(path)
    base = document["payload"]["parameters"]["base"]
    for _ in range(300):
        base = {"estimator": "PACBayesTreeClassifier", "parameters": document["payload"]["parameters"] | {"base": base}}
    document["payload"]["parameters"]["base"] = base
    write_document(document, path)
    with pytest.raises(ModelFileError):
        bc.load(path)
