"""Trees of scikit-learn from files: what is read, what is not without trust, and what never is."""

import pickle
import zipfile

import joblib
import numpy as np
import pytest
import skops.io
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import bristlecone as bc
from bristlecone.estimators.tree_files import load_foreign

X, Y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]]), ["a", "b", "a"]


@pytest.fixture
def model():
    return DecisionTreeClassifier().fit(X, Y)


def test_a_skops_file_needs_no_trust_and_a_joblib_file_does(tmp_path, model):
    skops.io.dump(model, tmp_path / "tree.skops")
    joblib.dump(model, tmp_path / "tree.joblib")
    (tmp_path / "tree.pickle").write_bytes(pickle.dumps(model))
    assert bc.from_sklearn(load_foreign(tmp_path / "tree.skops")).predict(X).tolist() == Y
    for name in ("tree.joblib", "tree.pickle"):
        with pytest.raises(ValueError, match="can run any program while it is read, and is read only with --trust"):
            load_foreign(tmp_path / name)
        assert load_foreign(tmp_path / name, trust=True).predict(X).tolist() == Y


def test_a_pipeline_that_only_passes_columns_on_is_its_tree(tmp_path):
    joblib.dump(make_pipeline("passthrough", DecisionTreeClassifier()).fit(X, Y), tmp_path / "p.joblib")
    assert load_foreign(tmp_path / "p.joblib", trust=True).predict(X).tolist() == Y
    joblib.dump(make_pipeline(StandardScaler(), DecisionTreeClassifier()).fit(X, Y), tmp_path / "p.joblib")
    with pytest.raises(TypeError, match=r"p\.joblib holds a pipeline whose step 'standardscaler' changes columns"):
        load_foreign(tmp_path / "p.joblib", trust=True)


@pytest.mark.parametrize("held", [RandomForestClassifier(n_estimators=2), DecisionTreeClassifier(), {"a": 1}, None])
def test_c74_what_is_no_fitted_tree_is_refused(tmp_path, held):
    joblib.dump(held.fit(X, Y) if isinstance(held, RandomForestClassifier) else held, tmp_path / "m.joblib")
    with pytest.raises(TypeError, match="a fitted decision tree of scikit-learn is needed"):
        load_foreign(tmp_path / "m.joblib", trust=True)


def test_other_types_in_a_skops_file_are_refused(tmp_path):
    skops.io.dump(Odd(), tmp_path / "m.skops")
    with pytest.raises(ValueError, match=r"it holds .*Odd, which is no part of a decision tree"):
        load_foreign(tmp_path / "m.skops", trust=True)


class Odd:
    pass


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04broken", b"\x80\x04broken"])
def test_what_is_no_model_file_is_refused(tmp_path, content):
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(ValueError, match="it is no joblib or pickle file"):
        load_foreign(tmp_path / "m", trust=True)
    with zipfile.ZipFile(tmp_path / "m.zip", "w") as archive:
        archive.writestr("schema.json", content)
    with pytest.raises(ValueError):
        load_foreign(tmp_path / "m.zip")


def test_indices_that_lead_in_circles_are_refused(tmp_path, model):
    state = model.tree_.__getstate__()
    state["nodes"]["left_child"][0] = 0
    model.tree_.__setstate__(state)
    joblib.dump(model, tmp_path / "m.joblib")
    with pytest.raises(ValueError, match="a node is reached twice"):
        load_foreign(tmp_path / "m.joblib", trust=True)
    state["nodes"]["left_child"][0] = 99
    model.tree_.__setstate__(state)
    joblib.dump(model, tmp_path / "m.joblib")
    with pytest.raises(ValueError, match="node 99 is not one of the 3 nodes"):
        load_foreign(tmp_path / "m.joblib", trust=True)
