"""ONNX: its runtime gives the nodes, answers and shares of the tree, in double and in float."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from probes import expected, probes, random_tree
from strategies_tree import Leaf, Split, build, staircase

from bristlecone.export import float32_disagreements
from bristlecone.export import onnx as to_onnx
from bristlecone.export.onnx import float32_thresholds
from bristlecone.grow import cart
from bristlecone.table.columns import Table
from bristlecone.table.schema import ColumnSchema, Kind, Schema

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")


def run(tree, X, dtype="float64"):
    """The outputs by name, after the checker has seen the model."""
    model = to_onnx(tree, dtype=dtype)
    onnx.checker.check_model(model, full_check=True)
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, {"X": X.astype(dtype)}), strict=True))


def cells(table):
    """The cells as the model takes them: a missing category is NaN too."""
    columns = zip(table.columns, table.schema.columns, strict=True)
    return np.column_stack([np.where(column.is_missing(values), np.nan, values) for values, column in columns])


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_two_hundred_random_trees(start):
    for seed in range(start, start + 50):
        tree = random_tree(seed)
        table, _ = probes(tree, seed)
        nodes, labels, shares = expected(tree, table)
        found = run(tree, cells(table))
        assert np.array_equal(found["leaf_id"], nodes)
        if shares is None:
            assert np.array_equal(found["variable"][:, 0], labels)
        else:
            assert found["label"].tolist() == labels.tolist()
            assert np.array_equal(found["probabilities"], shares)


def test_a_float_model_agrees_on_every_float32_row():
    for seed in range(60):
        tree = random_tree(seed)
        table, _ = probes(tree, seed)
        with np.errstate(over="ignore"):
            narrow = [v.astype(np.float32) if v.dtype.kind == "f" else v for v in table.columns]
        keep = ~np.any([np.isinf(values) for values in narrow], axis=0)
        narrow = Table(tree.schema, [values[keep] for values in narrow])
        found = run(tree, cells(narrow), "float32")
        assert np.array_equal(found["leaf_id"], tree.apply(narrow))


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, width=32))
def test_the_float32_threshold_parts_float32_as_the_threshold_does(t, x):
    (narrow,) = float32_thresholds(np.array([t]))
    assert narrow >= t and (x < narrow) == (x < t)
    assert np.isinf(narrow) or float(np.float32(narrow)) == narrow


def c13_data():
    draw = np.random.RandomState(0)
    return draw.randint(0, 100, (400, 3)) / 10, draw.randint(0, 3, 400)


def at_thresholds(tree, X):
    rows = [X]
    for node in np.flatnonzero(tree.feature >= 0):
        moved = X[[node % len(X)]].copy()
        moved[0, tree.feature[node]] = tree.threshold[node]
        rows.append(moved)
    return np.concatenate(rows)


def test_c13_a_double_model_agrees_on_training_rows_and_thresholds():
    X, y = c13_data()
    tree = cart(X, y)
    rows = at_thresholds(tree, X)
    assert np.array_equal(run(tree, rows)["label"], tree.predict(rows))


def test_c13_a_float_model_says_how_many_rows_disagree():
    X, y = c13_data()
    tree = cart(X, y)
    rows = at_thresholds(tree, X)
    found = run(tree, rows, "float32")["leaf_id"]
    assert float32_disagreements(tree, rows) == (found != tree.apply(rows)).sum()
    assert float32_disagreements(tree, X.astype(np.float32)) == 0
    close = np.array([[1.0], [1.0 + 2.0**-40]])
    pair = cart(close, [0, 1])
    assert float32_disagreements(pair, close) == 1
    assert (run(pair, close, "float32")["leaf_id"] != pair.apply(close)).sum() == 1


@pytest.mark.parametrize("depth", [0, 1, 2000])
def test_c55_deep_trees_and_single_leaves(depth):
    tree = staircase(depth)
    X = np.array([np.nan, -1.0, 0.5, 17.0, depth - 0.5, depth + 1.0])[:, None]
    assert np.array_equal(run(tree, X)["leaf_id"], tree.apply(X))


def test_many_levels():
    schema = Schema((ColumnSchema("c", Kind.CATEGORY, tuple(range(3000))),))
    split = Split(0, np.nan, Leaf((1, 0)), Leaf((0, 1)), True, tuple((i, i % 3 == 0) for i in range(2500)))
    tree = build(split, schema=schema)
    codes = np.array([*range(3000), -1, -2], dtype=np.int32)
    table = Table(schema, [codes])
    for dtype in ("float64", "float32"):
        assert np.array_equal(run(tree, cells(table), dtype)["leaf_id"], tree.apply(table))


@pytest.mark.parametrize("classes", [["b", "a'\n"], [7, -3], [2.5, 0.1], [True, False], [2**62 + 1, 0]])
def test_c32_labels_of_every_type(classes):
    tree = build(Split(0, 2.0, Leaf((3, 0)), Leaf((1, 4))), classes=classes)
    found = run(tree, np.array([[1.0, 0, 0, 0, 0], [3.0, 0, 0, 0, 0]]))["label"]
    assert found.tolist() == classes


def test_what_cannot_be_said_is_refused():
    half = build(Split(0, 1.0, Leaf((1, 0)), Leaf((0, 1))), classes=["a", "\ud800"])
    with pytest.raises(TypeError, match=r"ONNX cannot write the class label '\\ud800': it holds half a character"):
        to_onnx(half)
    split = Split(1, np.nan, Leaf((1, 0)), Leaf((0, 1)), True, ((0, False), (1, True)))
    for choice in ({"missing": "error"}, {"unseen": "error"}):
        with pytest.raises(ValueError, match=r"ONNX cannot refuse a row, and this tree refuses .*='error'\)"):
            to_onnx(build(split, **choice))
    with pytest.raises(ValueError, match="5,000 questions deep"):
        to_onnx(staircase(5000))
    with pytest.raises(ValueError, match="dtype must be 'float64' or 'float32', got 'double'"):
        to_onnx(build(split), dtype="double")
    with pytest.raises(TypeError, match="cannot mix class labels of types int, str"):
        to_onnx(dataclasses.replace(build(Leaf((1, 2))), classes=np.array([1, "a"], dtype=object)))
    with pytest.raises(TypeError, match="beyond 64 bits"):
        to_onnx(build(Leaf((2, 1)), classes=np.array([2**63 + 5, 1], dtype=np.uint64)))


def test_the_schema_comes_along():
    import json

    tree = random_tree(4)
    (prop,) = to_onnx(tree).metadata_props
    assert Schema.from_dict(json.loads(prop.value)) == tree.schema
