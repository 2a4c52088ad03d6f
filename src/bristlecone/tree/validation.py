"""What makes arrays a tree, beyond the structure that the router checks (ranges, one parent each, parents first).

Every check looks at all nodes at once and names the first one that fails.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from bristlecone.table.schema import Kind, Schema
from bristlecone.tree.arrays import Array, Ints
from bristlecone.tree.layout import subtree_ends

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree

TASKS = ("classification", "regression")
UNSEEN = ("stop", "heavier", "error")
MISSING = ("learn", "error")
LARGEST_COUNT = 2**53  # rows are also counted in float64
SMALLEST = float(np.finfo(np.float64).tiny)  # below it shares of a weight may be lost
ROUNDED = 1e-6  # sums of weights that were added up in another order, or in a library that rounds more


def refuse_where(bad: Array, message: str, *values: Array) -> None:
    """ValueError for the first node where `bad`; each {} of the message takes the node's entry of one of `values`."""
    if bad.any():
        node = int(np.argmax(bad))
        raise ValueError(f"node {node}: {message.format(*(value[node] for value in values))}")


def check_words(tree: "Tree") -> None:
    """The named choices of a tree."""
    for name, allowed in (("task", TASKS), ("unseen", UNSEEN), ("missing", MISSING)):
        given = getattr(tree, name)
        if not isinstance(given, str) or given not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {given!r}")
    if not isinstance(tree.criterion, str):
        raise TypeError(f"criterion must be a name, got {tree.criterion!r}")
    if not isinstance(tree.schema, Schema):
        raise TypeError(f"schema must be a Schema, got {type(tree.schema).__name__}")


def as_classes(task: str, classes: object) -> Array | None:
    """The labels as a read-only array; they must be distinct, so that a label names one class."""
    if task == "regression":
        if classes is not None:
            raise ValueError("a regression tree has no classes")
        return None
    if classes is None:
        raise ValueError("a classification tree needs its classes")
    array = np.asarray(classes)
    if array.ndim != 1 or len(array) == 0:
        raise ValueError(f"classes must be a list of at least one label, got shape {array.shape}")
    if array.dtype.kind not in "biufUSOM":
        raise TypeError(f"classes cannot hold {array.dtype}")
    labels = array.tolist() if array.dtype.kind != "M" else array.astype(np.int64).tolist()
    not_a_time = array.dtype.kind == "M" and bool(np.isnat(array).any())
    if not_a_time or any(label is None or label != label for label in labels):
        raise ValueError("a class label is missing (None or NaN)")
    if len(set(labels)) != len(labels):
        raise ValueError("classes holds a label twice")
    array = array.copy()
    array.setflags(write=False)
    return array


def check_children_range(tree: "Tree") -> None:
    """Children that can be looked up; the rest of the structure is the router's to check."""
    n_nodes = len(tree.children_left)
    for name in ("children_left", "children_right"):
        child = getattr(tree, name)
        refuse_where((child < -1) | (child >= n_nodes), "child index {} is out of range", child)


def check_pre_order(tree: "Tree") -> None:
    """Left child next, right child after the whole left subtree."""
    inner = tree.children_left >= 0
    nodes = np.arange(tree.n_nodes)
    refuse_where(inner & (tree.children_left != nodes + 1), "its left child is not the next node")
    after_left = subtree_ends(tree.children_right)[np.minimum(nodes + 1, tree.n_nodes - 1)]
    refuse_where(inner & (tree.children_right != after_left), "its right child does not follow its left subtree")


def check_leaves(tree: "Tree") -> None:
    """A leaf carries no split, in one spelling only, so that equal trees have equal arrays."""
    leaf = tree.children_left < 0
    refuse_where(leaf & (tree.feature != -2), "is a leaf with feature {}, expected -2", tree.feature)
    refuse_where(leaf & (tree.threshold != -2.0), "is a leaf with threshold {}, expected -2.0", tree.threshold)
    refuse_where(leaf & (np.diff(tree.level_ptr) > 0), "is a leaf with levels")
    for name in ("missing_go_to_left", "heuristic"):
        refuse_where(leaf & (getattr(tree, name) != 0), f"is a leaf with {name} = 1")


def check_splits(tree: "Tree") -> None:
    """Each split fits its column: thresholds on numbers, level sets on categories, levels that exist."""
    columns = tree.schema.columns
    inner = tree.children_left >= 0
    feature = np.where(inner, tree.feature, 0)
    categorical = np.array([c.kind is Kind.CATEGORY for c in columns] or [False])
    n_levels = np.array([len(c.levels) for c in columns] or [0])
    has_levels = np.diff(tree.level_ptr) > 0
    name = np.array([repr(c.name) for c in columns] or [""], dtype=object)[feature]
    refuse_where(inner & categorical[feature] & ~has_levels, "splits the category {} without levels", name)
    numeric = inner & ~categorical[feature]
    refuse_where(numeric & has_levels, "splits {}, which has no levels, by levels", name)
    no_number = np.isnan(tree.threshold) | (tree.threshold == -np.inf)
    refuse_where(numeric & no_number, "splits {} at {}", name, tree.threshold)
    of_missing = numeric & (tree.threshold == np.inf)
    refuse_where(of_missing & (tree.missing_go_to_left != 0), "threshold inf must send missing values right")
    refuse_where(has_levels & ~np.isnan(tree.threshold), "has levels and the threshold {}", tree.threshold)
    refuse_where(has_levels & ~_both_sides(tree), "its level set sends everything to one side")
    refuse_where(~has_levels & (tree.heuristic != 0), "is marked as a heuristic level set, but has no levels")
    if len(tree.level_code):
        owner = np.repeat(np.arange(tree.n_nodes), np.diff(tree.level_ptr))
        beyond = tree.level_code >= n_levels[feature[owner]]
        if beyond.any():
            i = int(np.argmax(beyond))
            v = int(owner[i])
            raise ValueError(
                f"node {v}: level code {tree.level_code[i]} is not below the {n_levels[feature[v]]} levels of {name[v]}"
            )


def _both_sides(tree: "Tree") -> Array:
    running = np.concatenate([[0], np.cumsum(tree.level_left, dtype=np.int64)])
    n_left = np.diff(running[tree.level_ptr])
    n_right = np.diff(tree.level_ptr) - n_left
    missing_left = tree.missing_go_to_left != 0
    both: Array = ((n_left > 0) | missing_left) & ((n_right > 0) | ~missing_left)
    return both


def check_numbers(tree: "Tree") -> None:
    """Rows, weights and impurities that can be those of nested sets of rows."""
    rows, weight = tree.n_node_samples, tree.weighted_n_node_samples
    refuse_where((rows < 0) | (rows > LARGEST_COUNT), "n_node_samples is {}", rows)
    inner = tree.children_left >= 0
    below = np.where(inner, rows[tree.children_left] + rows[tree.children_right], rows)
    refuse_where(below != rows, "has {} rows, its children {}", rows, below)
    for name, values in (("weighted_n_node_samples", weight), ("impurity", tree.impurity)):
        refuse_where(~np.isfinite(values), name + " is {}", values)
    refuse_where(weight < 0, "weighted_n_node_samples is {}", weight)
    _check_empty(tree, rows == 0, inner)
    with np.errstate(over="ignore"):
        sums = np.where(inner, weight[tree.children_left] + weight[tree.children_right], weight)
    differs = np.abs(sums - weight) > ROUNDED * weight
    refuse_where(differs, "has the weight {}, its children {}", weight, sums)
    if weight[0] == 0:
        raise ValueError("node 0: has the weight 0, so no row has any")
    _check_impurity(tree)


def _check_impurity(tree: "Tree") -> None:
    impurity, largest = tree.impurity, float(np.abs(tree.impurity).max())
    refuse_where(impurity < -ROUNDED * largest, "has the impurity {}, which cannot be negative", impurity)
    if tree.task == "classification":  # no criterion over K classes is larger: sqrt of even shares is 2 sqrt(K - 1)
        refuse_where(impurity > 2 * np.sqrt(tree.n_classes), "has the impurity {}, beyond every criterion", impurity)


def _check_empty(tree: "Tree", empty: Array, inner: Array) -> None:
    """A node without rows is a leaf of a classification tree, below a node that has all its rows on the other side."""
    weight = tree.weighted_n_node_samples
    refuse_where(empty & inner, "has no rows, but is not a leaf")
    if empty[0] or (tree.task == "regression" and empty.any()):
        node = int(np.argmax(empty))
        raise ValueError(
            f"node {node}: has no rows, which only a leaf below the root of a classification tree may have"
        )
    refuse_where(empty & (weight != 0), "has no rows, but the weight {}", weight)
    refuse_where(empty & (tree.impurity != 0), "has no rows, but the impurity {}", tree.impurity)
    left, right = np.where(inner, tree.children_left, 0), np.where(inner, tree.children_right, 0)
    below = np.where(empty[left], weight[right], weight[left])
    differs = inner & (empty[left] | empty[right]) & (below != weight)
    refuse_where(differs, "has the weight {}, its only child with rows {}", weight, below)


def check_regression(tree: "Tree") -> None:
    """A finite value at each node, and nothing of a classifier."""
    refuse_where(~np.isfinite(tree.prediction), "predicts {}", tree.prediction)
    refuse_where(tree.label != -1, "has label {}, but a regression tree has none", tree.label)
    if len(tree.count_class) or tree.count_ptr.any():
        raise ValueError("a regression tree has class counts")


def check_classification(tree: "Tree") -> None:
    """Labels and class counts: sparse, ascending, at leaves only, as many rows as the leaf has."""
    n_classes = tree.n_classes
    unknown = (tree.label < 0) | (tree.label >= n_classes)
    refuse_where(unknown, f"label {{}} is not one of {n_classes} classes", tree.label)
    clipped = ~np.isnan(tree.prediction)
    outside = clipped & ~((tree.prediction >= 0) & (tree.prediction <= 1))
    refuse_where(outside, "predicts the probability {}", tree.prediction)
    if n_classes != 2:
        refuse_where(clipped, f"has a clipped probability, but there are {n_classes} classes")
    owner = _check_count_ptr(tree)
    counted_none = (tree.n_node_samples == 0) & (np.diff(tree.count_ptr) > 0)
    refuse_where(counted_none, "has no rows, but class counts")
    _check_count_entries(tree, owner)
    running = np.concatenate([[0], np.cumsum(tree.count_rows)])[tree.count_ptr]
    counted, leaf = np.diff(running), tree.children_left < 0
    differs = leaf & (counted != tree.n_node_samples)
    refuse_where(differs, "has {} rows, its class counts {}", tree.n_node_samples, counted)
    total = np.bincount(owner, tree.count_weight, tree.n_nodes)  # with a loss matrix, not the weight of growth
    refuse_where(
        leaf & (total == 0) & (tree.weighted_n_node_samples > SMALLEST), "has rows, but class counts of no weight"
    )
    with np.errstate(over="ignore"):
        if not np.isfinite(total.sum()):
            raise ValueError("the class counts weigh more than float64 can hold")


def _check_count_ptr(tree: "Tree") -> Ints:
    length = np.diff(tree.count_ptr)
    if tree.count_ptr[0] != 0 or tree.count_ptr[-1] != len(tree.count_class):
        raise ValueError(f"count_ptr must run from 0 to {len(tree.count_class)}")
    outside = (tree.count_ptr[1:] < 0) | (tree.count_ptr[1:] > len(tree.count_class))
    refuse_where((length < 0) | outside, "count_ptr is not ascending")
    refuse_where((tree.children_left >= 0) & (length > 0), "has class counts, but is not a leaf")
    return np.repeat(np.arange(tree.n_nodes), length)


def _check_count_entries(tree: "Tree", owner: Ints) -> None:
    def refuse_entry(bad: Array, what: str) -> None:
        if bad.any():
            raise ValueError(f"node {owner[int(np.argmax(bad))]}: {what}")

    code = tree.count_class
    refuse_entry((code < 0) | (code >= tree.n_classes), f"count_class is out of range, there are {tree.n_classes}")
    refuse_entry(
        np.concatenate([[False], (np.diff(code) <= 0) & (np.diff(owner) == 0)])[: len(code)],
        "count_class is not ascending",
    )
    refuse_entry(~(np.isfinite(tree.count_weight) & (tree.count_weight >= 0)), "count_weight is negative or not finite")
    refuse_entry((tree.count_rows < 0) | (tree.count_rows > LARGEST_COUNT), "count_rows is out of range")


def as_runners(tree: "Tree") -> tuple[tuple[tuple[int, float, tuple[int, ...], float], ...], ...]:
    """The runner-up splits of each node, best first: (feature, threshold, left level codes, gain)."""
    if len(tree.runners) not in (0, tree.n_nodes):
        raise ValueError(f"runners has length {len(tree.runners)}, expected 0 or {tree.n_nodes}")
    return tuple(tuple(_as_runner(tree.schema, v, r) for r in found) for v, found in enumerate(tree.runners))


def _as_runner(schema: Schema, node: int, runner: object) -> tuple[int, float, tuple[int, ...], float]:
    feature: Any
    threshold: Any
    codes: Any
    gain: Any
    try:
        feature, threshold, codes, gain = runner  # type: ignore[misc]
        known = (int(feature), float(threshold), tuple(int(code) for code in codes), float(gain))
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"node {node}: a runner-up must be (feature, threshold, left codes, gain)") from None
    if not 0 <= known[0] < len(schema.columns):
        raise ValueError(f"node {node}: a runner-up splits column {known[0]} of {len(schema.columns)}")
    n_levels = len(schema.columns[known[0]].levels)
    if not all(0 <= code < n_levels for code in known[2]):
        raise ValueError(f"node {node}: a runner-up has a level code that is not below {n_levels}")
    if bool(known[2]) != schema.columns[known[0]].categorical or not np.isfinite(known[3]):
        raise ValueError(f"node {node}: a runner-up does not fit its column, or its gain is not finite")
    return known
