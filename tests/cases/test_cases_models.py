"""Cases about the tree as a thing to keep: C55 C59 C60 C62 C73."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

import bristlecone as bc
from bristlecone.grow import cart


def _use_everywhere(tree, X, y, folder, assert_identical_tree):
    """Print, explain, pickle, save, reload: all on one tree."""
    assert str(tree)
    assert str(tree.explain(X, 0))
    assert str(tree.explain(X, len(X) - 1))
    assert_identical_tree(tree, pickle.loads(pickle.dumps(tree)))
    bc.save(tree, folder / "tree.json")
    loaded = bc.load(folder / "tree.json")
    assert_identical_tree(tree, loaded)
    np.testing.assert_array_equal(loaded.predict(X), y)
    assert str(loaded) == str(tree)


# C55 one column, one node, one path


def test_c55_one_column(tmp_path, assert_identical_tree):
    X, y = np.arange(6.0).reshape(-1, 1), np.array([0, 0, 1, 1, 2, 2])
    _use_everywhere(cart(X, y), X, y, tmp_path, assert_identical_tree)


@pytest.mark.parametrize("y", [np.ones(5), np.array(["only"] * 5)], ids=["number", "class"])
def test_c55_all_targets_equal(tmp_path, assert_identical_tree, y):
    X = np.random.default_rng(0).random((5, 3))
    tree = cart(X, y, criterion="squared_error" if y.dtype.kind == "f" else "gini")
    assert tree.n_nodes == 1
    assert tree.max_depth == 0
    _use_everywhere(tree, X, y, tmp_path, assert_identical_tree)


def test_c55_every_split_isolates_one_row(tmp_path, assert_identical_tree):
    X, y = np.identity(1200), np.arange(1200)
    tree = cart(X, y)
    assert tree.max_depth == 1199
    assert tree.n_leaves == 1200
    _use_everywhere(tree, X, y, tmp_path, assert_identical_tree)
    assert tree.decision_path(X[:2]).shape == (2, tree.n_nodes)


def test_c55_one_row(tmp_path, assert_identical_tree):
    X, y = np.array([[1.0, 2.0]]), np.array(["a"])
    _use_everywhere(cart(X, y), X, y, tmp_path, assert_identical_tree)


# C59 a format of its own


def _iris_model():
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    return bc.DecisionTreeClassifier(max_depth=3).fit(X, names), X, names


def test_c59_the_file_is_versioned_json_with_a_checksum(tmp_path):
    model, X, y = _iris_model()
    bc.save(model, tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text(encoding="utf-8")
    document = json.loads(text, parse_constant=pytest.fail)
    keys = json.dumps(list(document)).lower()
    assert "schema" in keys or "version" in keys
    assert "checksum" in keys or "sha" in keys
    loaded = bc.load(tmp_path / "m.json")
    assert type(loaded) is type(model)
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.score(X, y) == model.score(X, y)
    assert loaded.feature_names_in_.tolist() == X.columns.tolist()


def test_c59_saving_twice_writes_the_same_bytes(tmp_path):
    model, _, _ = _iris_model()
    bc.save(model, tmp_path / "a.json")
    bc.save(bc.load(tmp_path / "a.json"), tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_c59_any_edited_byte_is_refused_or_means_the_same(tmp_path, assert_identical_tree):
    model, _, _ = _iris_model()
    path = tmp_path / "m.json"
    bc.save(model, path)
    good = path.read_bytes()
    rng = np.random.default_rng(59)
    refused = 0
    for place in rng.choice(len(good), 400):
        edited = bytearray(good)
        edited[place] = (edited[place] + int(rng.integers(1, 256))) % 256
        path.write_bytes(bytes(edited))
        try:
            loaded = bc.load(path)
        except ValueError as error:
            assert str(path) in str(error) or path.name in str(error)
            refused += 1
        else:
            assert_identical_tree(model.tree_, loaded.tree_)
    assert refused > 350


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_c59_a_cut_file_is_refused(tmp_path, share):
    model, _, _ = _iris_model()
    path = tmp_path / "m.json"
    bc.save(model, path)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(ValueError, match=r"m\.json"):
        bc.load(path)


@pytest.mark.parametrize("content", ["[]", "{}", "null", "3", '"x"', "[" * 100000, '{"a": 1e999}', "\ufeff{}"])
def test_c59_other_json_is_refused(tmp_path, content):
    path = tmp_path / "m.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"m\.json"):
        bc.load(path)


def test_c59_a_newer_schema_is_refused_clearly(tmp_path):
    model, _, _ = _iris_model()
    path = tmp_path / "m.json"
    bc.save(model, path)
    document = json.loads(path.read_text(encoding="utf-8"))
    versions = [key for key, value in document.items() if type(value) is int]
    assert len(versions) == 1, "one integer at the top of the file: the number of its schema"
    document[versions[0]] += 1
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ValueError, match=r"(?i)newer") as caught:
        bc.load(path)
    assert str(document[versions[0]]) in str(caught.value)


def test_c59_a_pickle_is_not_a_model_file(tmp_path):
    model, _, _ = _iris_model()
    path = tmp_path / "m.json"
    path.write_bytes(pickle.dumps(model))
    with pytest.raises(ValueError, match=r"m\.json"):
        bc.load(path)


def test_c59_a_failed_save_leaves_the_old_file(tmp_path):
    model, X, _ = _iris_model()
    path = tmp_path / "m.json"
    bc.save(model, path)
    before = path.read_bytes()
    with pytest.raises((TypeError, ValueError)):
        bc.save(object(), path)
    with pytest.raises((TypeError, ValueError, AttributeError)):
        bc.save(bc.DecisionTreeClassifier(), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m.json"]
    np.testing.assert_array_equal(bc.load(path).predict(X), model.predict(X))


def _odd_labels():
    return [
        np.array([True, False, True]),
        np.array([-3, 0, 10**12]),
        np.array([0.0, 1.0, -2.0]),
        np.array(["a", "bb", ""], dtype=object),
        np.array(['long label, with "quotes"', "\u2028", "z"]),
        np.array([1, 2, 3], dtype=np.int8),
        np.array([0.0, 1.0, -2.0], dtype=np.float32),
    ]


@pytest.mark.parametrize("labels", _odd_labels(), ids=lambda a: a.dtype.str)
def test_c59_labels_keep_their_type(tmp_path, labels):
    X = np.arange(3.0).reshape(-1, 1)
    model = bc.DecisionTreeClassifier().fit(X, labels)
    bc.save(model, tmp_path / "m.json")
    loaded = bc.load(tmp_path / "m.json")
    for one in (model, loaded):
        assert one.predict(X).tolist() == labels.tolist()
        assert one.predict(X).dtype == labels.dtype
        assert one.classes_.dtype == labels.dtype


# C60 one name, one meaning


def test_c60_counts_weights_and_shares_are_separate_fields():
    X, y = load_iris(return_X_y=True)
    tree = bc.DecisionTreeClassifier(max_depth=2).fit(X, y).tree_
    assert tree.row_counts[0].tolist() == [50, 50, 50]
    assert tree.counts[0].tolist() == [50.0, 50.0, 50.0]
    np.testing.assert_allclose(tree.value[0, 0], [1 / 3] * 3, rtol=1e-15)
    assert tree.value.shape == (tree.n_nodes, 1, 3)


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 3), st.sampled_from([0.0, 0.1, 1.0, 2.5])), min_size=1, max_size=40
    )
)
@settings(max_examples=60)
def test_c60_the_fields_agree_with_each_other(rows):
    table = np.array(rows)
    w = table[:, 2]
    w[0] = max(w[0], 0.1)
    tree = cart(table[:, :1], table[:, 1].astype(int), sample_weight=w)
    leaves = tree.children_left < 0
    shares, weight = tree.value[:, 0], tree.weighted_n_node_samples
    np.testing.assert_allclose(shares * weight[:, None], tree.counts, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(tree.counts[leaves].sum(axis=0), tree.counts[0], rtol=1e-12)
    np.testing.assert_array_equal(tree.row_counts[leaves].sum(axis=0), tree.row_counts[0])
    np.testing.assert_array_equal(tree.row_counts.sum(axis=1), tree.n_node_samples)
    assert weight[leaves].sum() == pytest.approx(w.sum(), rel=1e-12)


def test_c60_arrays_cannot_be_changed():
    X, y = load_iris(return_X_y=True)
    tree = cart(X, y, max_depth=2)
    for name in ("threshold", "feature", "children_left", "impurity", "n_node_samples", "count_weight"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(tree, name)[0] = 0
    for name in ("counts", "row_counts", "value"):
        table = getattr(tree, name)
        if table.flags.writeable:
            before = tree.predict_proba(X)
            table[:] = 0
            np.testing.assert_array_equal(tree.predict_proba(X), before)


def test_c60_regression_value_is_the_prediction():
    X = load_iris().data
    tree = cart(X[:, :3], X[:, 3], criterion="squared_error", max_depth=2)
    assert tree.value.shape == (tree.n_nodes, 1, 1)
    assert tree.value[0, 0, 0] == pytest.approx(X[:, 3].mean(), rel=1e-14)
    np.testing.assert_array_equal(tree.value[:, 0, 0], tree.prediction)


# C62 thousands of classes


def _own_labels(n):
    rng = np.random.default_rng(62)
    return rng.random((n, 3)), np.array([f"label {i}" for i in rng.permutation(n)])


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt"])
def test_c62_three_thousand_labels(criterion, tmp_path):
    X, y = _own_labels(3000)
    model = bc.DecisionTreeClassifier(criterion=criterion).fit(X, y)
    assert model.get_n_leaves() == 3000
    assert (model.predict(X) == y).all()
    assert len(pickle.dumps(model)) < 3_000_000
    bc.save(model, tmp_path / "m.json")
    assert (tmp_path / "m.json").stat().st_size < 6_000_000
    assert (bc.load(tmp_path / "m.json").predict(X) == y).all()


MANY_CLASSES = """
import pickle, sys
import numpy as np
import bristlecone as bc
rng = np.random.default_rng(62)
n = int(sys.argv[3])
X, y = rng.random((n, 3)), np.array([f"label {i}" for i in rng.permutation(n)])
model = bc.DecisionTreeClassifier(criterion=sys.argv[1]).fit(X, y)
assert model.get_n_leaves() == n
assert (model.predict(X) == y).all()
assert len(pickle.dumps(model)) < 1500 * n
bc.save(model, sys.argv[2])
assert (bc.load(sys.argv[2]).predict(X) == y).all()
str(model.tree_)
# Not getrusage: its peak is inherited from the process that started this one.
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.parametrize(
    ("n", "megabytes"), [(6000, 400), pytest.param(20000, 1000, marks=pytest.mark.slow)], ids=["6000", "20000"]
)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_c62_memory_is_linear_in_rows(criterion, n, megabytes, tmp_path):
    """With Gini every split of all-different labels ties, so that tree is also a staircase of n levels."""
    command = [sys.executable, "-c", MANY_CLASSES, criterion, str(tmp_path / "m.json"), str(n)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 1000 * megabytes, "kilobytes of peak memory"


# C73 two targets of text


def test_c73_many_targets_are_refused_at_once():
    X = np.array([[0.0], [1.0]])
    for y in (
        np.array([["a", "x"], ["b", "y"]]),
        [["a", "x"], ["b", "y"]],
        pd.DataFrame({"u": ["a", "b"], "v": ["x", "y"]}),
    ):
        try:
            model = bc.DecisionTreeClassifier().fit(X, y)
        except ValueError as error:
            assert "2" in str(error) or "output" in str(error) or "column" in str(error)
            assert "convert" not in str(error)
        else:
            assert model.predict(X).tolist() == [["a", "x"], ["b", "y"]]


def test_c73_and_many_numbers_too():
    X = np.array([[0.0], [1.0]])
    with pytest.raises(ValueError, match=r"(?i)output|column|shape|1-?d"):
        bc.DecisionTreeRegressor().fit(X, np.array([[1.0, 2.0], [3.0, 4.0]]))
    with pytest.raises(ValueError, match=r"(?i)output|column|shape|1-?d"):
        cart(X, np.array([[1.0, 2.0], [3.0, 4.0]]), criterion="squared_error")
