"""scikit-learn's models in files: skops without trust, pickles with it, nothing else."""

import pickle
import zipfile

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import bristlecone as bc
from bristlecone.estimators.tree_files import read_fitted

X, y = load_iris(return_X_y=True)


@pytest.fixture
def model():
    return DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)


@pytest.mark.parametrize("name", ["m.skops", "m", "m.pickle"])
def test_skops_files_open_without_trust_whatever_they_are_called(model, tmp_path, name):
    skops = pytest.importorskip("skops.io")
    for saved in (model, make_pipeline("passthrough", model)):
        skops.dump(saved, tmp_path / name)
        read = read_fitted(tmp_path / name)
        assert np.array_equal(read.predict(X), model.predict(X)) and read.tree_.node_count == model.tree_.node_count
        assert np.array_equal(bc.from_sklearn(read).predict(X), model.predict(X))


class Odd:
    pass


def test_a_skops_file_with_other_types_is_refused(model, tmp_path):
    skops = pytest.importorskip("skops.io")
    path = tmp_path / "m.skops"
    for held, name in ((make_pipeline(FunctionTransformer(np.save), model), "numpy.*save"), (Odd(), "Odd")):
        skops.dump(held, path)
        for trust in (False, True):
            with pytest.raises(ValueError, match=rf"m\.skops: .*not known to be safe: .*{name}"):
                read_fitted(path, trust=trust)


class Shout:
    """A pickle of this runs a function when it is opened."""

    def __reduce__(self):
        return pytest.fail, ("opened a pickle without trust",)


@pytest.mark.parametrize("name", ["m.joblib", "m.pickle", "m.pkl", "m", "m.skops"])
def test_pickles_open_with_trust_only(model, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(pickle.dumps(Shout()))
    with pytest.raises(ValueError, match=r"a pickle can run any code it holds|no model can be read from it"):
        read_fitted(path)
    if name != "m.skops":
        joblib.dump(model, path)
        assert np.array_equal(read_fitted(path, trust=True).predict(X), model.predict(X))


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04broken", b"\x80\x04broken"])
def test_files_that_are_none(tmp_path, content):
    for name in ("m.skops", "m.joblib", "m"):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=f"{name}: no model can be read from it"):
            read_fitted(tmp_path / name, trust=True)
        with pytest.raises(FileNotFoundError):
            read_fitted(tmp_path / f"absent{name}", trust=True)
    with zipfile.ZipFile(tmp_path / "m.zip", "w") as archive:
        archive.writestr("schema.json", content)
    with pytest.raises(ValueError, match=r"m\.zip: no model can be read from it"):
        read_fitted(tmp_path / "m.zip")


def test_a_pipeline_that_changes_columns_is_refused(tmp_path):
    joblib.dump(make_pipeline(StandardScaler(), DecisionTreeClassifier()).fit(X, y), tmp_path / "p.joblib")
    with pytest.raises(ValueError, match=r"p\.joblib: the pipeline's step 'standardscaler' changes the columns"):
        read_fitted(tmp_path / "p.joblib", trust=True)


@pytest.mark.parametrize("held", [RandomForestClassifier(n_estimators=2), DecisionTreeClassifier(), {"a": 1}, None])
def test_c74_what_is_no_fitted_tree_is_refused(tmp_path, held):
    joblib.dump(held.fit(X, y) if isinstance(held, RandomForestClassifier) else held, tmp_path / "m.joblib")
    with pytest.raises(TypeError, match=r"m\.joblib: expected a fitted scikit-learn decision tree, got"):
        read_fitted(tmp_path / "m.joblib", trust=True)


def test_indices_that_lead_in_circles_are_refused(tmp_path, model):
    state = model.tree_.__getstate__()
    for index, fault in (
        (0, "a node has two parents"),
        (99, "a child is beyond its nodes"),
        (-5, "a child is beyond its nodes"),
    ):
        state["nodes"]["left_child"][0] = index
        model.tree_.__setstate__(state)
        joblib.dump(model, tmp_path / "m.joblib")
        with pytest.raises(ValueError, match=fault):
            read_fitted(tmp_path / "m.joblib", trust=True)
