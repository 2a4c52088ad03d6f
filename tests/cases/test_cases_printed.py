"""Cases about what a reader sees: C10 C11. The printed and the saved thresholds are the thresholds."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bristlecone as bc
from bristlecone.grow import cart

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)


# C10 the printed rules are the model

TINY_LADDERS = [1.0, 1e-6, 1e9, 1e-300, 1e300]


@pytest.mark.parametrize("scale", TINY_LADDERS)
def test_c10_the_text_shows_a_threshold_that_separates(scale):
    values = np.array([1e-4, 2e-4, 3e-4, 4e-4]) * scale
    tree = cart(values.reshape(-1, 1), np.array([0, 0, 1, 1]))
    numbers = {float(text) for text in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", str(tree))}
    assert tree.threshold[0] in numbers


@given(st.lists(FINITE, min_size=3, max_size=3, unique=True))
def test_c10_two_thresholds_never_print_alike(values):
    X = np.sort(np.array(values)).reshape(-1, 1)
    tree = cart(X, np.array([0, 1, 2]))
    printed = [tree.schema.columns[0].format(t) for t in tree.threshold[tree.feature >= 0]]
    assert [float(text) for text in printed] == tree.threshold[tree.feature >= 0].tolist()
    assert len(set(printed)) == len(printed)


# C11 the saved file holds every digit


def test_c11_the_file_separates_two_dates_written_as_integers(tmp_path):
    X = np.array([[20250614]] * 6 + [[20250615]] * 12)
    y = np.array([1] * 6 + [0] * 12)
    model = bc.DecisionTreeClassifier().fit(X, y)
    assert model.tree_.threshold[0] == 20250614.5
    assert "20250614.5" in str(model.tree_)
    bc.save(model, tmp_path / "model.json")
    assert "20250614.5" in (tmp_path / "model.json").read_text(encoding="utf-8")
    loaded = bc.load(tmp_path / "model.json")
    assert loaded.predict(X).tolist() == y.tolist()


@given(st.lists(FINITE, min_size=2, max_size=10, unique=True))
@settings(max_examples=25)
def test_c11_any_double_comes_back_from_the_file(tmp_path_factory, assert_identical_tree, values):
    X = np.array(values).reshape(-1, 1)
    tree = cart(X, np.arange(len(values)) / 7, criterion="squared_error")
    path = tmp_path_factory.mktemp("c11") / "tree.json"
    bc.save(tree, path)
    json.loads(path.read_text(encoding="utf-8"), parse_constant=pytest.fail)
    loaded = bc.load(path)
    assert_identical_tree(tree, loaded)
