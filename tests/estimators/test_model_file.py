"""Saved models come back equal; what is no model is refused."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier as TheirClassifier

import bristlecone as bc
from bristlecone.export import ModelFileError, make_document, read_document, tree_to_payload, write_document

IRIS_X, IRIS_Y = load_iris(return_X_y=True)
DIABETES_X, DIABETES_Y = load_diabetes(return_X_y=True)
FRAME = pd.DataFrame({"size": [1.0, 2.5, np.nan, 4.0] * 5, "shape": ["round", "square", "round", None] * 5})
FRAME_Y = np.array(["no", "yes", "perhaps", "yes"] * 5)


def saved_and_loaded(model, tmp_path):
    bc.save(model, tmp_path / "model.json")
    return bc.load(tmp_path / "model.json")


MODELS = {
    "classifier": lambda: bc.DecisionTreeClassifier(max_depth=3, class_weight="balanced").fit(IRIS_X, IRIS_Y),
    "regressor": lambda: bc.DecisionTreeRegressor(min_samples_leaf=0.01).fit(DIABETES_X, DIABETES_Y),
    "text labels": lambda: bc.DecisionTreeClassifier().fit(IRIS_X, np.array(["a", "bb", "ccc"])[IRIS_Y]),
    "object labels": lambda: bc.DecisionTreeClassifier().fit(IRIS_X, np.array(["a", "bb", "ccc"], object)[IRIS_Y]),
    "boolean labels": lambda: bc.DecisionTreeClassifier(n_jobs=2).fit(IRIS_X, IRIS_Y == 1),
    "one leaf": lambda: bc.DecisionTreeRegressor().fit(DIABETES_X, np.ones(len(DIABETES_X))),
}


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_an_estimator_comes_back_equal(make, tmp_path):
    model = make()
    X = IRIS_X if model.n_features_in_ == 4 else DIABETES_X
    again = saved_and_loaded(model, tmp_path)

    assert type(again) is type(model)
    assert again.get_params() == model.get_params()
    assert again.n_features_in_ == model.n_features_in_
    assert not hasattr(again, "feature_names_in_")
    assert again.tree_.equals(model.tree_)
    assert again.predict(X).dtype == model.predict(X).dtype
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    if isinstance(model, bc.DecisionTreeClassifier):
        assert again.classes_.dtype == model.classes_.dtype
        assert again.n_classes_ == model.n_classes_
        assert again.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


def test_names_levels_and_missing_values_come_back(tmp_path):
    model = bc.DecisionTreeClassifier().fit(FRAME, FRAME_Y)
    again = saved_and_loaded(model, tmp_path)
    assert again.feature_names_in_.tolist() == ["size", "shape"]
    assert again.feature_names_in_.dtype == object
    np.testing.assert_array_equal(again.predict(FRAME[["shape", "size"]]), model.predict(FRAME))


def test_a_tree_comes_back_as_a_tree(tmp_path):
    tree = MODELS["classifier"]().tree_
    assert saved_and_loaded(tree, tmp_path).equals(tree)


def test_a_file_of_the_command_line_gives_its_tree(tmp_path):
    tree = MODELS["classifier"]().tree_
    document = make_document("Fit", {"tree": tree_to_payload(tree), "made": {"target": "species"}})
    write_document(document, tmp_path / "fit.json")
    assert bc.load(tmp_path / "fit.json").equals(tree)


def test_parameters_that_json_does_not_have(tmp_path):
    parameters = {
        "priors": {0: 0.25, 1: 0.25, 2: 0.5},
        "loss": np.ones((3, 3)) - np.eye(3),
        "class_weight": {0: 1, 1: 2.5, 2: 1},
        "categorical_features": np.array([False, False, False, False]),
    }
    model = bc.DecisionTreeClassifier(**parameters).fit(IRIS_X, IRIS_Y)
    again = saved_and_loaded(model, tmp_path)
    np.testing.assert_equal(again.get_params(), model.get_params())
    np.testing.assert_array_equal(again.predict(IRIS_X), model.predict(IRIS_X))


def test_a_loaded_estimator_can_be_fitted_again(tmp_path):
    model = MODELS["classifier"]()
    again = saved_and_loaded(model, tmp_path).fit(IRIS_X, IRIS_Y)
    assert again.tree_.equals(model.tree_)


def test_an_unfitted_estimator_is_refused(tmp_path):
    with pytest.raises(NotFittedError):
        bc.save(bc.DecisionTreeClassifier(), tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


class Grandchild(bc.DecisionTreeClassifier):
    """An estimator that load could not give back."""


@pytest.mark.parametrize(
    "model",
    [TheirClassifier().fit(IRIS_X, IRIS_Y), "model", None, Grandchild(), bc.DecisionTreeClassifier],
    ids=["scikit-learn's", "text", "None", "subclass", "class"],
)
def test_foreign_objects_are_refused(model, tmp_path):
    with pytest.raises(
        TypeError, match=r"cannot save a .*DecisionTreeRegressor, PrunedTreeClassifier, PrunedTreeRegressor, .*, Tree"
    ):
        bc.save(model, tmp_path / "model.json")


def test_a_parameter_that_json_cannot_say_is_refused_by_name(tmp_path):
    model = MODELS["regressor"]().set_params(criterion=np.median)
    with pytest.raises(TypeError, match=r"parameter criterion=.*cannot be written"):
        bc.save(model, tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


def changed_file(tmp_path, change):
    path = tmp_path / "changed.json"
    bc.save(MODELS["classifier"](), path)
    document = read_document(path)
    change(document)
    write_document(document, path)
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(kind="RandomForest"), "unknown kind of model 'RandomForest'"),
        (lambda d: d.update(kind="DecisionTreeRegressor"), "parameters saved are not those of DecisionTreeRegressor"),
        (lambda d: d["payload"].pop("tree"), "a DecisionTreeClassifier is saved as"),
        (lambda d: d["payload"].update(more=1), "a DecisionTreeClassifier is saved as"),
        (lambda d: d["payload"]["parameters"].pop("loss"), "parameters saved are not those"),
        (lambda d: d["payload"]["parameters"].update(max_depth=-3), "max_depth=-3: must be"),
        (lambda d: d["payload"]["parameters"].update(max_depth={"run": "this"}), "not a saved value"),
        (lambda d: d["payload"].update(parameters=[]), "parameters saved are not those"),
        (lambda d: d["payload"].update(feature_names_in=["a"]), "feature_names_in are not"),
        (
            lambda d: d["payload"].update(tree=tree_to_payload(MODELS["regressor"]().tree_)),
            "needs a classification tree",
        ),
        (lambda d: d["payload"]["tree"]["nodes"]["feature"].__setitem__(0, 99), "."),
    ],
)
def test_a_document_that_is_not_an_estimator_is_refused(tmp_path, change, said):
    path = changed_file(tmp_path, change)
    with pytest.raises(ModelFileError, match=said) as caught:
        bc.load(path)
    assert str(caught.value).startswith(str(path))


def test_files_that_are_no_models(tmp_path):
    path = tmp_path / "model.json"
    bc.save(MODELS["classifier"](), path)
    text = path.read_text()
    for broken in (
        text[: len(text) // 2],
        text.replace('"max_depth":3', '"max_depth":4'),
        "",
        "[]",
        json.dumps({"a": 1}),
    ):
        path.write_text(broken)
        with pytest.raises(ModelFileError, match=r"model\.json"):
            bc.load(path)
    with pytest.raises(FileNotFoundError):
        bc.load(tmp_path / "nothing.json")


def test_a_document_without_an_estimator_in_it_is_still_a_document(tmp_path):
    write_document(make_document("DecisionTreeClassifier", {}), tmp_path / "empty.json")
    with pytest.raises(ModelFileError, match="is saved as"):
        bc.load(tmp_path / "empty.json")
