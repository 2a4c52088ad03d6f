"""Pruned estimators in model files."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import KFold

import bristlecone as bc
from bristlecone.export import ModelFileError, read_document, write_document

CANCER_X, CANCER_Y = load_breast_cancer(return_X_y=True)
DIABETES_X, DIABETES_Y = load_diabetes(return_X_y=True)

MODELS = {
    "classifier": lambda: bc.PrunedTreeClassifier(cv=3).fit(CANCER_X, CANCER_Y),
    "regressor": lambda: bc.PrunedTreeRegressor(rule="min", n_jobs=2).fit(DIABETES_X, DIABETES_Y),
    "with a base": lambda: bc.PrunedTreeClassifier(
        base=bc.DecisionTreeClassifier(max_depth=4, loss=[[0, 1], [5, 0]]), risk="misclassification"
    ).fit(CANCER_X, np.array(["bad", "good"])[CANCER_Y]),
    "without folds": lambda: bc.PrunedTreeRegressor(strength=50).fit(DIABETES_X, DIABETES_Y),
    "given folds": lambda: bc.PrunedTreeClassifier(cv=list(KFold(2).split(CANCER_X))).fit(CANCER_X, CANCER_Y),
    "one row": lambda: bc.PrunedTreeClassifier().fit(np.ones((1, 1)), [1]),
}


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_a_pruned_estimator_comes_back_equal(make, tmp_path):
    model = make()
    bc.save(model, tmp_path / "model.json")
    again = bc.load(tmp_path / "model.json")
    assert type(again) is type(model)
    assert again.tree_.equals(model.tree_)
    assert again.strength_ == model.strength_
    assert str(again.path_) == str(model.path_)
    np.testing.assert_equal(again.path_.to_dict(), model.path_.to_dict())
    np.testing.assert_equal(vars(again).get("cv_results_"), vars(model).get("cv_results_"))
    mine, theirs = model.get_params(deep=False), again.get_params(deep=False)
    if isinstance(mine["base"], str):
        np.testing.assert_equal(theirs, mine)
    else:
        assert theirs.pop("base").get_params() == mine.pop("base").get_params()
        assert theirs == mine
    bc.save(again, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()


def test_a_loaded_one_can_be_fitted_again(tmp_path):
    model = MODELS["with a base"]()
    bc.save(model, tmp_path / "model.json")
    again = bc.load(tmp_path / "model.json").fit(CANCER_X, np.array(["bad", "good"])[CANCER_Y])
    assert again.tree_.equals(model.tree_)


def test_an_alpha_is_kept_and_its_absence_says_nothing(tmp_path):
    for alpha in (None, 0.0, 0.01, np.inf):
        model = bc.DecisionTreeClassifier(ccp_alpha=alpha).fit(CANCER_X, CANCER_Y)
        bc.save(model, tmp_path / "model.json")
        again = bc.load(tmp_path / "model.json")
        assert again.ccp_alpha == alpha
        assert again.tree_.equals(model.tree_)
        written = json.loads((tmp_path / "model.json").read_text())["payload"]["parameters"]
        assert ("ccp_alpha" in written) == (alpha is not None)


def test_a_splitter_cannot_be_said(tmp_path):
    model = bc.PrunedTreeClassifier(cv=KFold(3)).fit(CANCER_X, CANCER_Y)
    with pytest.raises(TypeError, match=r"cannot save the PrunedTreeClassifier: parameter cv=KFold"):
        bc.save(model, tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p: p.pop("path"), "a PrunedTreeClassifier is saved as"),
        (lambda p: p.update(strength="much"), "could not convert"),
        (lambda p: p.update(path=None), "."),
        (lambda p: p["path"]["dict"].pop(0), "missing"),
        (lambda p: p["path"]["dict"].append(["more", 1]), "more"),
        (lambda p: p.update(cv_results={"dict": []}), "missing"),
        (lambda p: p["parameters"].pop("rule"), "parameters saved are not those"),
        (
            lambda p: p["parameters"].update(base={"estimator": "DecisionTreeRegressor", "parameters": {}}),
            "not those of",
        ),
        (lambda p: p["parameters"].update(base={"estimator": "os.system", "parameters": {}}), "not a saved value"),
        (lambda p: p["parameters"].update(cv=1), "cv=1: must be"),
    ],
)
def test_what_is_no_pruned_estimator_is_refused(tmp_path, change, said):
    path = tmp_path / "changed.json"
    bc.save(MODELS["classifier"](), path)
    document = read_document(path)
    change(document["payload"])
    write_document(document, path)
    with pytest.raises(ModelFileError, match=said):
        bc.load(path)


def test_a_table_that_does_not_fit_together_is_refused(tmp_path):
    path = tmp_path / "changed.json"
    bc.save(MODELS["classifier"](), path)
    for name, value in [
        ("leaves", [3, 1]),
        ("chosen", 99),
        ("cv_risk", {"array": [0.5], "dtype": "float64"}),
        ("judged_by", "taste"),
    ]:
        document = read_document(path)
        columns = document["payload"]["path"]["dict"]
        next(pair for pair in columns if pair[0] == name)[1] = value
        write_document(document, tmp_path / "wrong.json")
        with pytest.raises(ModelFileError, match=name):
            bc.load(tmp_path / "wrong.json")
