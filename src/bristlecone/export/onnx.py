"""A tree as an ONNX model: one TreeEnsemble (ai.onnx.ml, version 5) that finds the stop, and tables of its answers.

input     X (n_rows, n_columns), one number type: NaN is missing, categories are codes of the schema, every other number
          an unknown level; booleans are 0 and 1, dates and datetimes counts (docs/model-format.md).
place     a stop's place among the stops: what the ensemble's leaf gives, and the row of each table.
outputs   leaf_id; label and probabilities, or variable, as other converters name them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from bristlecone.export.answers import AT_A_TIME, answers_of, refuse_made_columns, stops_of, tree_of
from bristlecone.export.ladder import Asks, Rung, Test, ladder
from bristlecone.table.columns import Table
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

if TYPE_CHECKING:
    from onnx import ModelProto

__all__ = ["float32_disagreements", "float32_thresholds", "onnx"]

LESS_EQUAL, LESS, AT_LEAST, MEMBER = 0, 1, 2, 6  # the operator's numbers for comparisons
MOST_SHARES = 1 << 27  # a model of a gigabyte; the format ends at two
DEEPEST = 2000  # onnxruntime reads a tree by recursion, and crashes some ten thousand comparisons down


def onnx(model: Any, *, dtype: Literal["float64", "float32"] = "float64") -> ModelProto:
    """The tree as an ONNX model; `.SerializeToString()` gives the file's bytes.

    model: a Tree or a fitted estimator. dtype: the type of X. "float64" answers every row as the model does. "float32"
    moves each threshold to the smallest float32 not below it, which answers every float32 row as the model does, and a
    float64 row as its rounded cells; `float32_disagreements` counts the rows for which that differs.
    Needs the extra `onnx`. Errors: ImportError without it; ValueError for another dtype, for a tree that refuses rows
    (missing="error", unseen="error"), which ONNX cannot, and for one deeper than runtimes can read; TypeError naming a
    class label that ONNX has no type for.
    """
    if dtype not in ("float64", "float32"):
        raise ValueError(f"dtype must be 'float64' or 'float32', got {dtype!r}")
    tree = tree_of(model)
    refuse_made_columns(tree, "ONNX")
    _check_says_all(tree)
    try:
        from onnx import helper
    except ImportError:
        raise ImportError("ONNX export needs the package onnx: pip install 'bristlecone[onnx]'") from None
    parts = _Parts(tree, np.dtype(dtype))
    inputs = [helper.make_tensor_value_info("X", parts.type, [None, tree.n_features])]
    graph = helper.make_graph(parts.operators(), "tree", inputs, parts.outputs(), parts.tables())
    versions = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 5)]
    made = helper.make_model(graph, opset_imports=versions, producer_name="bristlecone", ir_version=9)
    helper.set_model_props(made, {"schema": json.dumps(tree.schema.to_dict())})
    return made


def float32_thresholds(thresholds: Floats) -> Floats:
    """The smallest float32 not below each threshold, as float64: for float32 x it parts as the threshold does."""
    with np.errstate(over="ignore"):
        near = thresholds.astype(np.float32)
        above = np.where(near < thresholds, np.nextafter(near, np.float32(np.inf)), near)
    return above.astype(np.float64)


def float32_disagreements(model: Any, X: Any) -> int:
    """How many rows of X stop elsewhere once their numbers are rounded to float32, as a "float32" model sees them.

    model: a Tree or a fitted estimator. X: array, frame or Table, read by the tree's schema.
    """
    tree = tree_of(model)
    refuse_made_columns(tree, "ONNX")
    table = tree.schema.read(X)
    with np.errstate(over="ignore"):
        narrow = [values if values.dtype.kind == "i" else values.astype(np.float32) for values in table.columns]
    return int((tree.apply(table) != tree.apply(Table(tree.schema, narrow, table.n_rows))).sum())


def _check_says_all(tree: Tree) -> None:
    asks = tree.n_nodes > 1
    if asks and tree.missing == "error":
        raise ValueError("ONNX cannot refuse a row, and this tree refuses missing values (missing='error')")
    if len(tree.level_code) and tree.unseen == "error":
        raise ValueError("ONNX cannot refuse a row, and this tree refuses unknown levels (unseen='error')")
    if tree.max_depth > DEEPEST:
        raise ValueError(f"the tree is {tree.max_depth:,} questions deep; ONNX runtimes read {DEEPEST:,} safely")
    if tree.classes is not None and len(stops_of(tree)) * tree.n_classes > MOST_SHARES:
        raise ValueError(
            f"the class shares of {tree.n_leaves} leaves in {tree.n_classes} classes are too many for ONNX"
        )


@dataclass(frozen=True, slots=True)
class _Parts:
    """The pieces of the graph, in one number type."""

    tree: Tree
    dtype: np.dtype[Any]

    @property
    def type(self) -> int:
        from onnx import TensorProto

        return int(TensorProto.DOUBLE if self.dtype == np.float64 else TensorProto.FLOAT)

    def operators(self) -> list[Any]:
        from onnx import helper

        gathered = [("leaf_id", "stops")]
        if self.tree.classes is None:
            gathered.append(("variable", "values"))
        else:
            gathered += [("label", "labels"), ("probabilities", "shares")]
        return [
            helper.make_node("TreeEnsemble", ["X"], ["at"], domain="ai.onnx.ml", **_ensemble(self.tree, self.dtype)),
            helper.make_node("Cast", ["at"], ["whole"], to=7),  # int64
            helper.make_node("Reshape", ["whole", "flat"], ["place"]),
            *(helper.make_node("Gather", [table, "place"], [name], axis=0) for name, table in gathered),
        ]

    def outputs(self) -> list[Any]:
        from onnx import TensorProto, helper

        leaf_id = helper.make_tensor_value_info("leaf_id", TensorProto.INT64, [None])
        if self.tree.classes is None:
            return [helper.make_tensor_value_info("variable", self.type, [None, 1]), leaf_id]
        label = helper.make_tensor_value_info("label", self._labels().data_type, [None])
        shares = helper.make_tensor_value_info("probabilities", self.type, [None, self.tree.n_classes])
        return [label, shares, leaf_id]

    def tables(self) -> list[Any]:
        from onnx import numpy_helper

        stops = stops_of(self.tree).astype(np.int64)
        found = [numpy_helper.from_array(stops, "stops"), numpy_helper.from_array(np.array([-1]), "flat")]
        if self.tree.classes is None:
            values = self.tree.prediction[stops].astype(self.dtype)[:, None]
            return [*found, numpy_helper.from_array(values, "values")]
        parts = np.array_split(stops, max(1, len(stops) * self.tree.n_classes // AT_A_TIME))
        shares = np.concatenate([self.tree.fractions_at(part).astype(self.dtype) for part in parts])
        return [*found, self._labels(), numpy_helper.from_array(shares, "shares")]

    def _labels(self) -> Any:
        """The label of each stop."""
        from onnx import helper, numpy_helper

        answers = answers_of(self.tree, "ONNX")
        labels = answers.labels or []
        kinds = {type(label) for label in labels}
        if len(kinds) > 1:
            raise TypeError(f"ONNX cannot mix class labels of types {', '.join(sorted(k.__name__ for k in kinds))}")
        said = [labels[place] for place in answers.answers]
        if kinds == {str}:
            encoded: list[Any] = [_encoded(label) for label in said]
            return helper.make_tensor("labels", 8, [len(said)], encoded)  # string
        try:
            return numpy_helper.from_array(np.array(said, dtype=_NUMBER_TYPES[kinds.pop()]), "labels")
        except OverflowError:
            raise TypeError("ONNX cannot write a whole class label beyond 64 bits") from None


def _encoded(label: str) -> bytes:
    try:
        return label.encode()
    except UnicodeEncodeError:
        raise TypeError(f"ONNX cannot write the class label {label!r}: it holds half a character") from None


_NUMBER_TYPES = {int: np.int64, float: np.float64, bool: np.bool_}


@dataclass(slots=True)
class _Nodes:
    """The operator's arrays: an entry a test, whose two sides are indices of tests or, where marked, of leaves."""

    features: list[int]
    modes: list[int]
    splits: list[float]
    missing_true: list[int]
    sides: list[list[int]]
    ends: list[list[int]]
    members: list[float]


def _ensemble(tree: Tree, dtype: np.dtype[Any]) -> dict[str, Any]:
    """The attributes of the TreeEnsemble; its leaves give the places of the stops."""
    from onnx import numpy_helper

    stops = stops_of(tree)
    place = {int(stop): i for i, stop in enumerate(stops)}
    nodes = _filled(list(ladder(tree)), place, dtype)

    def tensor(values: Any, kind: npt.DTypeLike) -> Any:
        return numpy_helper.from_array(np.array(values, dtype=kind))

    held = {
        "tree_roots": [0],
        "n_targets": 1,
        "aggregate_function": 1,  # sum
        "nodes_featureids": nodes.features,
        "nodes_modes": tensor(nodes.modes, np.uint8),
        "nodes_splits": tensor(nodes.splits, dtype),
        "nodes_missing_value_tracks_true": nodes.missing_true,
        "nodes_truenodeids": [side[0] for side in nodes.sides],
        "nodes_trueleafs": [end[0] for end in nodes.ends],
        "nodes_falsenodeids": [side[1] for side in nodes.sides],
        "nodes_falseleafs": [end[1] for end in nodes.ends],
        "leaf_targetids": [0] * len(stops),
        "leaf_weights": tensor(range(len(stops)), dtype),
    }
    return held | ({"membership_values": tensor(nodes.members, dtype)} if nodes.members else {})


def _filled(rungs: list[Rung], place: dict[int, int], dtype: np.dtype[Any]) -> _Nodes:
    nodes = _Nodes([], [], [], [], [], [], [])
    index = np.cumsum([rung.test is not None for rung in rungs]) - 1
    for here, following in _followers(rungs):
        test = rungs[here].test
        assert test is not None
        true, false = [(int(index[i]), 0) if rungs[i].test else (place[rungs[i].stop], 1) for i in following]
        mode, split, missing_true, swapped = _comparison(test, dtype)
        if swapped:
            true, false = false, true
        nodes.features.append(test.feature)
        nodes.modes.append(mode)
        nodes.splits.append(split)
        nodes.missing_true.append(int(missing_true))
        nodes.sides.append([true[0], false[0]])
        nodes.ends.append([true[1], false[1]])
        if mode == MEMBER:
            nodes.members += [*map(float, test.codes), math.nan]
    if not nodes.modes:  # the operator has no tree without a test
        nodes = _Nodes([0], [LESS_EQUAL], [0.0], [0], [[0, 0]], [[1, 1]], [])
    return nodes


def _followers(rungs: list[Rung]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Each test of a ladder with the rung that follows where it is true, and where it is false."""
    following = [0] * len(rungs)
    last_at_depth: dict[int, int] = {}
    for i, rung in enumerate(rungs):
        before = last_at_depth.get(rung.depth)
        if before is not None:
            following[before] = i
        if rung.test is None:
            last_at_depth.pop(rung.depth, None)
        else:
            last_at_depth[rung.depth] = i
    for i, rung in enumerate(rungs):
        if rung.test is not None:
            yield i, (i + 1, following[i])


def _comparison(test: Test, dtype: np.dtype[Any]) -> tuple[int, float, bool, bool]:
    """The operator's comparison, its number, whether NaN counts as true, and whether true and false change places."""
    narrow = dtype == np.float32
    match test.asks:
        case Asks.BELOW | Asks.AT_LEAST:
            split = float(float32_thresholds(np.array([test.threshold]))[0]) if narrow else test.threshold
            return LESS if test.asks is Asks.BELOW else AT_LEAST, split, test.missing, False
        case Asks.ONE_OF:
            return MEMBER, 0.0, test.missing, False
        case Asks.NONE_OF:
            return MEMBER, 0.0, not test.missing, True
    return LESS_EQUAL, float(np.finfo(dtype).max), False, test.asks is Asks.MISSING
