"""A tree that scikit-learn has grown, as one of ours, and one of ours as scikit-learn's: the same answers.

rule        scikit-learn compares float32(x) <= t; here left is x < t' in float64. Rounding to float32 is monotone, so
            one t' says the same of every float64 x: where numbers begin to round beyond t. The other way there is a
            t for the float32 x of any t', but for all float64 x only where t' is such a boundary.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bristlecone.export.answers import stops_of, tree_of
from bristlecone.table import ColumnSchema, Kind, Schema
from bristlecone.table.schema import numbered
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Floats, Ints
from bristlecone.tree.layout import pre_order
from bristlecone.tree.names import shown_class

__all__ = [
    "from_sklearn",
    "given_instead",
    "last_step",
    "pre_order_of",
    "rounding_boundary",
    "sklearn_nodes",
    "to_sklearn",
]

_CRITERIA = {"friedman_mse": "squared_error"}  # what scikit-learn itself takes the old name for


def from_sklearn(model: Any, *, schema: Schema | None = None) -> Tree:
    """The Tree of a fitted scikit-learn decision tree, which answers as it does, missing cells included.

    model: a fitted DecisionTreeClassifier, DecisionTreeRegressor or one of their kin, of one output, or a pipeline of
    nothing but such a tree. Nodes are numbered in pre-order, which for trees grown best first (max_leaf_nodes) is not
    scikit-learn's order: `sklearn_nodes` has its numbers. schema: of as many columns, all numbers; None: the model's
    own feature names, else x0, x1, ... scikit-learn keeps the weights of classes in a node, but not their rows: where
    rows had weights, class rows are the leaf's rows shared out by weight.
    Raises TypeError for what is no fitted tree, ValueError for several outputs, for a pipeline that changes the columns
    before its tree, for a schema that does not fit, and for arrays that are no tree (from a damaged file).
    """
    model = last_step(model)
    held = getattr(model, "tree_", None)
    theirs = not isinstance(held, Tree) and hasattr(held, "children_left")
    if not theirs or not hasattr(model, "n_outputs_"):
        raise TypeError(f"expected a fitted scikit-learn decision tree, got {given_instead(model)}")
    if model.n_outputs_ != 1:
        raise ValueError(f"the tree has {model.n_outputs_} outputs; a tree of ours has one")
    names = getattr(model, "feature_names_in_", None)
    schema = schema or _schema(model.n_features_in_, names)
    if len(schema) != model.n_features_in_ or any(column.categorical for column in schema.columns):
        raise ValueError(f"the tree asks about {model.n_features_in_} columns of numbers; the schema is another one")
    classes = getattr(model, "classes_", None)
    order = pre_order_of(held)
    arrays = _structure(held, order) | (_numbers(held, order) if classes is None else _classes(held, order))
    criterion = str(model.criterion)
    task = "regression" if classes is None else "classification"
    return Tree.from_arrays(schema, task, classes, arrays, criterion=_CRITERIA.get(criterion, criterion))


def given_instead(model: Any) -> str:
    """What was given in place of a fitted tree of scikit-learn, and the way out where there is one."""
    if isinstance(model, type):
        return f"the class {model.__name__}"
    kind = type(model).__name__
    if isinstance(model, Tree) or isinstance(getattr(model, "tree_", None), Tree):
        return f"a {kind} of bristlecone, which needs no conversion"
    if hasattr(model, "best_estimator_"):
        return f"a {kind}; its best_estimator_ may be one"
    if isinstance(getattr(model, "tree", None), Tree):
        return f"a {kind}; its tree is one of bristlecone"
    if hasattr(model, "children_left"):
        return "scikit-learn's bare arrays; the estimator that has them as its tree_ also knows classes and columns"
    unfitted = hasattr(model, "min_samples_leaf") and not hasattr(model, "n_features_in_")
    return f"a {kind} that is not fitted" if unfitted else f"a {kind}"


def sklearn_nodes(model: Any) -> Ints:
    """scikit-learn's own number of each node of `from_sklearn(model)`, (n_nodes,).

    A tree grown depth first has the same numbers in both; one grown with max_leaf_nodes, best first, has others, for
    ours are in pre-order. Errors: as `from_sklearn`.
    """
    _ = from_sklearn(model)  # refuses what has no such nodes
    return pre_order_of(last_step(model).tree_)


def last_step(model: Any) -> Any:
    """The tree of a pipeline that has nothing else, pipelines inside it too; anything but a pipeline as it is.

    Raises ValueError naming a step that changes the columns.
    """
    while isinstance(steps := getattr(model, "steps", None), list) and steps:
        changing = [name for name, step in steps[:-1] if _changes(step)]
        if changing:
            raise ValueError(
                f"the pipeline's step {changing[0]!r} changes the columns before its tree asks about them; convert the "
                "last step alone, and give it what that step makes of the rows"
            )
        model = steps[-1][1]
    return model


def _changes(step: Any) -> bool:
    """Whether a step before the last one does anything to the columns, as far as that can be seen."""
    inside = getattr(step, "steps", None)
    if isinstance(inside, list):
        return any(_changes(held) for _, held in inside)
    return not (step is None or (isinstance(step, str) and step == "passthrough"))


def _schema(n_columns: int, names: Any) -> Schema:
    if names is None:
        return numbered(n_columns)
    return Schema(tuple(ColumnSchema(str(name), Kind.NUMERIC) for name in names))


def rounding_boundary(thresholds: Floats) -> Floats:
    """t' for each t: float32(x) <= t exactly where x < t', for every float64 x that float32 can hold."""
    t = np.asarray(thresholds, dtype=np.float64)
    with np.errstate(over="ignore"):
        below = t.astype(np.float32)
        below = np.where(below > t, np.nextafter(below, np.float32(-np.inf)), below)
        above = np.nextafter(below, np.float32(np.inf)).astype(np.float64)
    low = below.astype(np.float64)
    largest = float(np.finfo(np.float32).max)
    middle = np.where(np.isinf(above), largest + 2.0**103, low / 2 + above / 2)
    # A number in the middle rounds to the one whose last bit is 0.
    even = (below.view(np.uint32) & 1) == 0
    boundary: Floats = np.where(np.isinf(t), t, np.where(even, np.nextafter(middle, np.inf), middle))
    return boundary


def pre_order_of(held: Any) -> Ints:
    """The nodes of the arrays of a scikit-learn tree in pre-order. Raises ValueError for what is no tree."""
    try:
        if min(held.children_left.min(initial=0), held.children_right.min(initial=0)) < -1:
            raise ValueError("a child is beyond its nodes")
        return pre_order(held.children_left, held.children_right)
    except ValueError as fault:
        raise ValueError(f"the arrays of the scikit-learn tree are damaged: {fault}") from None


def _structure(held: Any, order: Ints) -> dict[str, Array]:
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    left, right = (children[order] for children in (held.children_left, held.children_right))
    inner = left >= 0
    missing_left = getattr(held, "missing_go_to_left", np.zeros(held.node_count, np.uint8))[order]
    return {
        "children_left": np.where(inner, place[left], -1),
        "children_right": np.where(inner, place[right], -1),
        "feature": np.where(inner, held.feature[order], -2),
        "threshold": np.where(inner, rounding_boundary(held.threshold[order]), -2.0),
        "missing_go_to_left": np.where(inner, missing_left, 0).astype(np.uint8),
        "n_node_samples": held.n_node_samples[order],
        "weighted_n_node_samples": held.weighted_n_node_samples[order],
        "impurity": np.maximum(held.impurity[order], 0.0),
    }


def _numbers(held: Any, order: Ints) -> dict[str, Array]:
    return {"prediction": held.value[order, 0, 0]}


def _classes(held: Any, order: Ints) -> dict[str, Array]:
    shares = held.value[order, 0, :]
    if not ((shares >= 0) & (shares <= 1 + 1e-9)).all() or not np.isfinite(held.weighted_n_node_samples).all():
        raise ValueError("the tree was fitted with negative or too small sample weights: its shares are no shares")
    leaf = held.children_left[order] < 0
    weights = np.where(leaf[:, None], shares * held.weighted_n_node_samples[order][:, None], 0.0)
    rows = _shared_out(np.where(leaf, held.n_node_samples[order], 0), shares)
    whole = np.rint(weights)
    weights = np.where(np.abs(weights - whole) <= 1e-9 * whole, whole, weights)
    node, label = np.nonzero((weights > 0) | (rows > 0))
    return {
        "label": shares.argmax(axis=1),
        "count_ptr": np.concatenate([[0], np.cumsum(np.bincount(node, minlength=len(order)))]),
        "count_class": label,
        "count_weight": weights[node, label],
        "count_rows": rows[node, label],
    }


def _shared_out(rows: Ints, shares: Floats) -> npt.NDArray[np.int64]:
    """Whole numbers of rows by class, (n_nodes, n_classes), that add up: the largest remainders are rounded up."""
    exact = rows[:, None] * shares
    whole = np.floor(exact + 1e-9).astype(np.int64)
    lacking = rows - whole.sum(axis=1)
    rank = np.argsort(np.argsort(-(exact - whole), axis=1, kind="stable"), axis=1, kind="stable")
    whole += rank < lacking[:, None]
    return whole


def to_sklearn(model: Any, *, rows: Literal["float64", "float32"] = "float64") -> Any:
    """The tree as a fitted DecisionTreeClassifier or DecisionTreeRegressor of scikit-learn, with the same answers.

    model: a Tree or a fitted estimator. rows: scikit-learn rounds every cell to float32 before it compares. "float64"
    demands the same answer to every float64 row all the same, which a threshold allows only where rounding passes it,
    as those of `from_sklearn` do; "float32" promises it for rows that float32 holds exactly.
    Errors: ValueError naming the node and the threshold that rows="float64" does not allow, the class that a leaf
    answers though another is more frequent in it, missing="error"; TypeError naming a column that is not of numbers.
    """
    if rows not in ("float64", "float32"):
        raise ValueError(f"rows must be 'float64' or 'float32', got {rows!r}")
    tree = tree_of(model)
    _check_sayable(tree)
    nodes = _as_sklearn(tree, rows)
    from bristlecone.estimators.scikit_learn import assemble

    names = list(tree.schema.names) if tree.schema.named else None
    return assemble(tree.classes, tree.n_features, names, nodes, np.array(tree.value))


def _check_sayable(tree: Tree) -> None:
    for column in tree.schema.columns:
        if column.kind not in (Kind.NUMERIC, Kind.BOOLEAN):
            raise TypeError(f"column {column.name!r}: scikit-learn's trees have no columns of kind {column.kind.value}")
    if tree.missing == "error" and tree.n_nodes > 1:
        raise ValueError("scikit-learn's trees cannot refuse missing values, and this tree does (missing='error')")
    if tree.classes is None:
        return
    stops = stops_of(tree)
    odd = stops[tree.value[stops, 0].argmax(axis=1) != tree.label[stops]]
    if len(odd):
        label = shown_class(tree.classes, int(tree.label[odd[0]]))
        raise ValueError(
            f"leaf {odd[0]} answers {label}, which is not its first most frequent class; scikit-learn answers that"
        )


def _as_sklearn(tree: Tree, rows: str) -> dict[str, Array]:
    """scikit-learn's arrays, by its names."""
    inner = (tree.children_left >= 0) & np.isfinite(tree.threshold)
    t = tree.threshold[inner]
    with np.errstate(over="ignore"):
        near = t.astype(np.float32)
        below = np.where(near >= t, np.nextafter(near, np.float32(-np.inf)), near).astype(np.float64)
    lost = rounding_boundary(below) != t
    if rows == "float64" and lost.any():
        node = int(np.flatnonzero(inner)[lost][0])
        raise ValueError(
            f"node {node}: scikit-learn rounds cells to float32, where {float(tree.threshold[node])!r} is no boundary; "
            "rows='float32' converts the tree for rows that float32 holds exactly"
        )
    threshold = tree.threshold.copy()
    threshold[inner] = below
    return {
        "left_child": tree.children_left,
        "right_child": tree.children_right,
        "feature": tree.feature,
        "threshold": threshold,
        "impurity": tree.impurity,
        "n_node_samples": tree.n_node_samples,
        "weighted_n_node_samples": tree.weighted_n_node_samples,
        "missing_go_to_left": tree.missing_go_to_left,
    }
