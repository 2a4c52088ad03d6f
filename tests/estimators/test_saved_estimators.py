"""Estimator files of every released schema keep loading and keep their answers. Never rewrite a file in tests/saved."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bristlecone as bc

SAVED = Path(__file__).resolve().parents[1] / "saved"


def test_schema_1_classifier():
    model = bc.load(SAVED / "schema-1-estimator-classifier.json")
    assert isinstance(model, bc.DecisionTreeClassifier)
    assert model.priors == {"no": 0.5, "yes": 0.25, "perhaps": 0.25}
    assert model.loss.tolist() == [[0.0, 1.0, 1.0], [1.0, 0.0, 2.0], [5.0, 1.0, 0.0]]
    assert model.categorical_features == ("shape",)
    assert model.feature_names_in_.tolist() == ["size", "shape"]
    assert model.classes_.tolist() == ["no", "perhaps", "yes"]
    rows = pd.DataFrame(
        {"shape": ["round", "round", "flat", "square", None, "cube"], "size": [8.249, 8.25, np.nan, 1.0, 1.0, 1.0]}
    )
    assert model.predict(rows).tolist() == ["no", "perhaps", "perhaps", "yes", "yes", "no"]


def test_schema_1_regressor():
    model = bc.load(SAVED / "schema-1-estimator-regressor.json")
    assert isinstance(model, bc.DecisionTreeRegressor)
    assert model.criterion == "absolute_error"
    assert model.monotonic_cst.tolist() == [1, 0]
    assert model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")
    assert model.predict([[0.25, 0], [np.nextafter(0.25, 0), 0], [0.36, 0]]).tolist() == [2.5, 1 / 3, 3.0]


@pytest.mark.parametrize("path", sorted(SAVED.glob("schema-1-estimator-*.json")), ids=lambda path: path.stem)
def test_schema_1_is_written_as_it_was(path, tmp_path):
    """While schema 1 is the current one, what is read is written again byte for byte."""
    bc.save(bc.load(path), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
