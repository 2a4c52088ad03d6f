"""Hand-made and random trees: every kind of split, leaves with counts, built top-down without a grower."""

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from bristlecone.table.schema import ColumnSchema, Kind, Schema
from bristlecone.tree import Tree

LEVELS = ("red", "green", "blue", "", "a, b", 7, 2.5)
SCHEMA = Schema(
    (
        ColumnSchema("age", Kind.NUMERIC),
        ColumnSchema("colour", Kind.CATEGORY, LEVELS),
        ColumnSchema("hired", Kind.DATE, unit="D"),
        ColumnSchema("member", Kind.BOOLEAN),
        ColumnSchema("seen", Kind.DATETIME, unit="us"),
    )
)


@dataclass
class Split:
    """An inner node: column, threshold or level sets, side of missing, the two subtrees."""

    feature: int
    threshold: float
    left: "Split | Leaf"
    right: "Split | Leaf"
    missing_left: bool = False
    sides: tuple[tuple[int, bool], ...] = ()
    heuristic: bool = False


@dataclass
class Leaf:
    """A leaf: rows per class (classification; none at all beside a sibling that has some) or one value (regression)."""

    rows: tuple[int, ...] = ()
    value: float = float("nan")
    n: int = 1


def gini(rows):
    total = sum(rows)
    return 1.0 - sum((r / total) ** 2 for r in rows) if total else 0.0


def build(root, *, schema=SCHEMA, classes=("no", "yes"), weight=1.0, **choices):
    """A Tree from nested splits and leaves, without recursion; regression when classes is None."""
    nodes, stack = [], [(root, None, "")]
    while stack:
        item, parent, side = stack.pop()
        index = len(nodes)
        nodes.append({"item": item, "left": -1, "right": -1})
        if parent is not None:
            nodes[parent][side] = index
        if isinstance(item, Split):
            stack += [(item.right, index, "right"), (item.left, index, "left")]
    k = 0 if classes is None else len(classes)
    for node in reversed(nodes):
        if isinstance(node["item"], Split):
            children = nodes[node["left"]], nodes[node["right"]]
            node["n"] = sum(c["n"] for c in children)
            node["rows"] = [sum(c["rows"][j] for c in children) for j in range(k)]
            node["value"] = sum(c["n"] * c["value"] for c in children) / max(node["n"], 1)
        else:
            node["rows"] = list(node["item"].rows)
            node["n"] = sum(node["rows"]) if k else node["item"].n
            node["value"] = node["item"].value
    return _assemble(nodes, schema, classes, weight, choices)


def _assemble(nodes, schema, classes, weight, choices):
    inner = [isinstance(node["item"], Split) for node in nodes]
    splits = [node["item"] if is_inner else None for node, is_inner in zip(nodes, inner, strict=True)]
    sides = [sorted(split.sides) if split else [] for split in splits]
    n = np.array([node["n"] for node in nodes])
    given = {
        "children_left": np.array([node["left"] for node in nodes]),
        "children_right": np.array([node["right"] for node in nodes]),
        "feature": np.array([split.feature if split else -2 for split in splits]),
        "threshold": np.array([(np.nan if split.sides else split.threshold) if split else -2.0 for split in splits]),
        "missing_go_to_left": np.array([bool(split and split.missing_left) for split in splits]),
        "level_ptr": np.cumsum([0] + [len(known) for known in sides]),
        "level_code": np.array([code for known in sides for code, _ in known], dtype=np.int32),
        "level_left": np.array([left for known in sides for _, left in known], dtype=bool),
        "heuristic": np.array([bool(split and split.heuristic) for split in splits]),
        "n_node_samples": n,
        "weighted_n_node_samples": n * weight,
    }
    if classes is None:
        values = np.array([float(node["value"]) for node in nodes])
        given |= {"prediction": values, "impurity": np.zeros(len(nodes))}
        return Tree.from_arrays(schema, "regression", None, given, criterion="squared_error", **choices)
    rows = [node["rows"] if not is_inner else [] for node, is_inner in zip(nodes, inner, strict=True)]
    present = [[(j, r) for j, r in enumerate(found) if r] for found in rows]
    given |= {
        "impurity": np.array([gini(node["rows"]) for node in nodes]),
        "label": np.array(_labels(nodes)),
        "count_ptr": np.cumsum([0] + [len(found) for found in present]),
        "count_class": np.array([j for found in present for j, _ in found], dtype=np.int32),
        "count_rows": np.array([r for found in present for _, r in found], dtype=np.int64),
        "count_weight": np.array([r * weight for found in present for _, r in found], dtype=float),
    }
    return Tree.from_arrays(schema, "classification", list(classes), given, criterion="gini", **choices)


def _labels(nodes):
    """The class of most rows, the first on ties; without rows, the class of the node above."""
    labels = [int(np.argmax(node["rows"])) for node in nodes]
    for node, label in zip(nodes, labels, strict=True):
        for child in (node["left"], node["right"]):
            if child >= 0 and nodes[child]["n"] == 0:
                labels[child] = label
    return labels


def staircase(depth, classes=("no", "yes")):
    """A tree whose every right child is split again: depth splits, one column."""
    at = Leaf(rows=(1, 2), value=float(depth))
    for step in reversed(range(depth)):
        at = Split(0, step + 0.5, Leaf(rows=(2, 1), value=float(step)), at)
    return build(at, classes=classes, schema=Schema((ColumnSchema("x", Kind.NUMERIC),)))


@st.composite
def splits(draw, left, right):
    """A split of any kind on the columns of SCHEMA."""
    feature = draw(st.integers(0, len(SCHEMA) - 1))
    missing_left = draw(st.booleans())
    if SCHEMA.columns[feature].categorical:
        codes = draw(st.lists(st.integers(0, len(LEVELS) - 1), min_size=1, unique=True))
        sides = [(code, draw(st.booleans())) for code in codes]
        if all(side == missing_left for _, side in sides):
            sides[0] = (sides[0][0], not missing_left)
        heuristic = draw(st.booleans())
        return Split(feature, np.nan, left, right, missing_left, tuple(sides), heuristic)
    threshold = draw(st.floats(-100, 100) | st.just(np.inf) | st.floats(allow_nan=False, allow_infinity=False))
    return Split(feature, threshold, left, right, missing_left and threshold != np.inf)


@st.composite
def trees(draw, max_splits=8, regression=None):
    """A valid tree over SCHEMA, classification with two to four classes or regression."""
    regression = draw(st.booleans()) if regression is None else regression
    classes = None if regression else ("no", "yes", "perhaps", "never")[: draw(st.integers(2, 4))]

    def leaf(empty=True):
        if regression:
            return Leaf(value=draw(st.floats(-1e6, 1e6)), n=draw(st.integers(1, 9)))
        rows = draw(st.lists(st.integers(0, 9), min_size=len(classes), max_size=len(classes)))
        if empty and draw(st.integers(0, 3)) == 0:
            rows = [0] * len(classes)
        return Leaf(rows=tuple(rows if empty or any(rows) else [1, *rows[1:]]))

    forest = [leaf(empty=False)]
    for _ in range(draw(st.integers(0, max_splits))):
        place = draw(st.integers(0, len(forest) - 1))
        other = leaf()
        children = draw(st.permutations([forest[place], other]))
        forest[place] = draw(splits(*children))
    choices = {"unseen": draw(st.sampled_from(["stop", "heavier"])), "missing": "learn"}
    return build(forest[0], classes=classes, **choices)


@st.composite
def tables(draw, tree, max_rows=12):
    """Cells that sit on the tree's thresholds, beside them, missing, unseen, or anywhere."""
    n_rows = draw(st.integers(1, max_rows))
    columns = []
    for j, column in enumerate(SCHEMA.columns):
        if column.categorical:
            cells = draw(st.lists(st.integers(-2, len(LEVELS) - 1), min_size=n_rows, max_size=n_rows))
            columns.append(np.array(cells, dtype=np.int32))
            continue
        at = tree.threshold[(tree.feature == j) & np.isfinite(tree.threshold)].tolist() or [0.0]
        near = [math.nextafter(t, side) for t in at for side in (-math.inf, math.inf)]
        widest = 1e6 if column.kind in (Kind.DATE, Kind.DATETIME) else math.inf
        finite = [x for x in at + near if abs(x) < widest] + [-0.0, 0.0, 1.0]
        cell = st.sampled_from(finite) | st.just(np.nan) | st.floats(-1e6, 1e6)
        columns.append(np.array(draw(st.lists(cell, min_size=n_rows, max_size=n_rows))))
    return columns


def possible(cells):
    """The cells of `tables`, made such as their columns can hold: dates whole numbers, booleans 0 and 1."""
    whole = {Kind.DATE: np.ceil, Kind.DATETIME: np.ceil, Kind.BOOLEAN: lambda c: np.clip(np.ceil(c), 0, 1)}
    return [whole.get(column.kind, np.asarray)(values) for column, values in zip(SCHEMA.columns, cells, strict=True)]
