"""scikit-learn's models in files: skops without trust, pickles with it, nothing else."""

import pickle

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

import bristlecone as bc
from bristlecone.estimators.scikit_learn import read_fitted

X, y = load_iris(return_X_y=True)


@pytest.fixture
def model():
    return DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)


def test_skops_files_open_without_trust(model, tmp_path):
    skops = pytest.importorskip("skops.io")
    for saved in (model, make_pipeline(model)):
        skops.dump(saved, tmp_path / "m.skops")
        tree = bc.from_sklearn(read_fitted(tmp_path / "m.skops"))
        assert np.array_equal(tree.predict(X), model.predict(X))


def test_a_skops_file_with_other_types_is_refused(model, tmp_path):
    skops = pytest.importorskip("skops.io")
    skops.dump(make_pipeline(FunctionTransformer(np.save), model), tmp_path / "m.skops")
    with pytest.raises(ValueError, match=r"m.skops: .*not known to be safe: numpy.*save"):
        read_fitted(tmp_path / "m.skops")


class Shout:
    """A pickle of this runs a function when it is opened."""

    def __reduce__(self):
        return pytest.fail, ("opened a pickle without trust",)


@pytest.mark.parametrize("name", ["m.joblib", "m.pickle", "m.pkl"])
def test_pickles_open_with_trust_only(model, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(pickle.dumps(Shout()))
    with pytest.raises(ValueError, match="a pickle can run any code it holds"):
        read_fitted(path)
    joblib.dump(model, path)
    assert np.array_equal(bc.from_sklearn(read_fitted(path, trust=True)).predict(X), model.predict(X))


def test_files_that_are_none(tmp_path):
    for name in ("m.skops", "m.joblib"):
        (tmp_path / name).write_bytes(b"nonsense")
        with pytest.raises(ValueError, match=f"{name}: no model can be read from it"):
            read_fitted(tmp_path / name, trust=True)
        with pytest.raises(FileNotFoundError):
            read_fitted(tmp_path / f"absent{name}", trust=True)
