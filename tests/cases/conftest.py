"""What the case tests share: a slow walk of one row, a recount of every node from the rows, comparisons of trees.

Everything here is written from the definitions (left is ``x < t``; an impurity is a formula on the node's rows), in
plain Python, so that a fault of the library cannot hide in a helper that uses it.
"""

import math

import numpy as np
import pytest

MISSING_LEVEL = -1


def _step(tree, columns, row, node):
    """Return the child of `node` that `row` enters, or None where the walk stops."""
    left, right = int(tree.children_left[node]), int(tree.children_right[node])
    if left < 0:
        return None
    value = columns[int(tree.feature[node])][row]
    levels = tree.level_code[tree.level_ptr[node] : tree.level_ptr[node + 1]]
    sides = tree.level_left[tree.level_ptr[node] : tree.level_ptr[node + 1]]
    if levels.size:
        if value == MISSING_LEVEL:
            return left if tree.missing_go_to_left[node] else right
        for level, side in zip(levels, sides, strict=True):
            if level == value:
                return left if side else right
        if tree.unseen == "stop":
            return None
        heavier = tree.weighted_n_node_samples[left] >= tree.weighted_n_node_samples[right]
        return left if heavier else right
    if math.isnan(value):
        return left if tree.missing_go_to_left[node] else right
    return left if float(value) < float(tree.threshold[node]) else right


def _paths(tree, X):
    columns = tree.schema.read(X).columns
    n_rows = len(columns[0]) if columns else 0
    paths = []
    for row in range(n_rows):
        path, node = [], 0
        while node is not None:
            path.append(node)
            node = _step(tree, columns, row, node)
        paths.append(path)
    return paths


def _weighted_median_low(values, weight):
    order = np.argsort(values, kind="stable")
    total = math.fsum(weight)
    reached = 0.0
    for i in order:
        reached += weight[i]
        if reached >= total / 2:
            return values[i]
    return values[order[-1]]


def _class_shares(y, weight):
    labels = np.unique(y)
    total = math.fsum(weight)
    return np.array([math.fsum(weight[y == label]) / total for label in labels])


def _impurity(criterion, y, weight, n_classes=2):
    """Return the impurity of one node: SPEC B1 for classes, the mean loss about the best constant for numbers.

    n_classes: of the whole problem; the square root is summed one-vs-rest where there are more than two.
    """
    if criterion in ("gini", "entropy", "log_loss", "gain_ratio", "sqrt"):
        p = _class_shares(y, weight)
        if criterion == "gini":
            return 1.0 - math.fsum(p * p)
        if criterion == "sqrt":
            return (1.0 if n_classes == 2 else 2.0) * math.fsum(np.sqrt(p * (1.0 - p)))
        return -math.fsum(p * np.log2(p))
    y = np.asarray(y, dtype=float)
    total = math.fsum(weight)
    mean = math.fsum(weight * y) / total
    if criterion == "squared_error":
        return math.fsum(weight * (y - mean) ** 2) / total
    if criterion == "absolute_error":
        return math.fsum(weight * np.abs(y - _weighted_median_low(y, weight))) / total
    positive = y > 0
    return math.fsum(weight[positive] * y[positive] * np.log(y[positive] / mean)) / total


def _recount(tree, X, y, weight=None):
    y = np.asarray(y)
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    paths = _paths(tree, X)
    live = np.flatnonzero(weight > 0)
    rows_at = {node: [] for node in range(tree.n_nodes)}
    for row in live:
        for node in paths[row]:
            rows_at[node].append(row)
    top = tree.impurity[0] if tree.impurity[0] > 0 else 1.0
    n_classes = len(np.unique(y[live]))
    for node, rows in rows_at.items():
        assert rows, f"node {node} holds no row"
        assert tree.n_node_samples[node] == len(rows)
        assert tree.weighted_n_node_samples[node] == pytest.approx(math.fsum(weight[rows]), rel=1e-12)
        expected = _impurity(tree.criterion, y[rows], weight[rows], n_classes)
        assert tree.impurity[node] == pytest.approx(expected, rel=1e-9, abs=1e-9 * top), f"impurity of node {node}"
        assert tree.impurity[node] >= 0
        if len(np.unique(y[rows])) == 1:
            assert tree.impurity[node] == 0
    if tree.task == "classification":
        _recount_classes(tree, y, weight, rows_at)
    return rows_at


def _recount_classes(tree, y, weight, rows_at):
    counts, row_counts = tree.counts, tree.row_counts
    for node, rows in rows_at.items():
        for k, label in enumerate(tree.classes):
            mine = [row for row in rows if y[row] == label]
            assert row_counts[node, k] == len(mine)
            assert counts[node, k] == pytest.approx(math.fsum(weight[mine]), rel=1e-12)


def _same_partition(nodes_a, nodes_b):
    """Return whether two labelings put the same rows together."""
    pairs = set(zip(np.asarray(nodes_a).tolist(), np.asarray(nodes_b).tolist(), strict=True))
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


STRUCTURE = (
    "children_left",
    "children_right",
    "feature",
    "threshold",
    "missing_go_to_left",
    "level_ptr",
    "level_code",
    "level_left",
    "n_node_samples",
)
NUMBERS = ("impurity", "prediction")


def _assert_same_tree(a, b, *, but=()):
    """Assert equal structure exactly and equal numbers to rounding; `but` names fields that may differ."""
    assert a.n_nodes == b.n_nodes
    if a.task == "classification":
        np.testing.assert_array_equal(a.classes[a.label], b.classes[b.label])
    for name in STRUCTURE:
        if name not in but:
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    for name in NUMBERS:
        if name not in but:
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-12, atol=1e-300, err_msg=name)


COUNTS = ("weighted_n_node_samples", "count_ptr", "count_class", "count_weight", "count_rows", "heuristic")


def _assert_identical_tree(a, b):
    """Assert that two trees agree bit for bit."""
    for name in (*STRUCTURE, *NUMBERS, *COUNTS, "label"):
        one, other = getattr(a, name), getattr(b, name)
        assert one.dtype == other.dtype and one.tobytes() == other.tobytes(), name


@pytest.fixture(scope="session")
def paths():
    """(tree, X) -> the nodes each row passes, root first, by a walk written from the definition."""
    return _paths


@pytest.fixture(scope="session")
def recount():
    """(tree, X, y, weight) -> rows by node, after checking rows, weights, counts and impurity of every node."""
    return _recount


@pytest.fixture(scope="session")
def impurity():
    """(criterion, y, weight) -> impurity of one set of rows, from its formula."""
    return _impurity


@pytest.fixture(scope="session")
def same_partition():
    return _same_partition


@pytest.fixture(scope="session")
def assert_same_tree():
    return _assert_same_tree


@pytest.fixture(scope="session")
def assert_identical_tree():
    return _assert_identical_tree
