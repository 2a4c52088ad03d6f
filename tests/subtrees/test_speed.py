"""How long folds and paths take: CPU time of one thread, the median of a few runs, against a peer in the same run."""

import time

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

import bristlecone as bc
from bristlecone.subtrees import fold, weakest_link_path
from bristlecone.table.schema import ColumnSchema, Kind, Schema
from bristlecone.tree import Tree

pytestmark = pytest.mark.slow


def seconds(*works, repeats=5):
    """The median CPU time of each work, all taken in turns."""
    spent = [[] for _ in works]
    for _ in range(repeats):
        for work, times in zip(works, spent, strict=True):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return [float(np.median(times)) for times in spent]


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.sin(3 * X[:, 0]) + X[:, 1] + rng.normal(size=n)


def bush(n_leaves):
    return bc.grow.cart(*rows(n_leaves), criterion="squared_error")


def chain(n_leaves, gains):
    """A regression tree whose every right child is split again; each split takes its gain out of the risk."""
    n = 2 * n_leaves - 1
    inner = np.arange(0, n - 1, 2)
    left, right, feature = np.full(n, -1), np.full(n, -1), np.full(n, -2)
    left[inner], right[inner], feature[inner] = inner + 1, inner + 2, 0
    weight, risk, threshold = np.ones(n), np.zeros(n), np.full(n, -2.0)
    weight[inner] = n_leaves - np.arange(n_leaves - 1.0)
    risk[inner] = np.cumsum(gains[::-1])[::-1]
    threshold[inner] = np.arange(n_leaves - 1.0)
    given = {
        "children_left": left,
        "children_right": right,
        "feature": feature,
        "threshold": threshold,
        "missing_go_to_left": np.zeros(n, dtype=np.uint8),
        "n_node_samples": weight.astype(np.int64),
        "weighted_n_node_samples": weight,
        "impurity": risk / weight,
        "prediction": np.zeros(n),
    }
    schema = Schema((ColumnSchema("x", Kind.NUMERIC),))
    return Tree.from_arrays(schema, "regression", None, given, criterion="squared_error")


def chains(n_leaves):
    gains = np.random.default_rng(0).exponential(size=n_leaves - 1)
    return [chain(n_leaves, order) for order in (gains, np.sort(gains), np.sort(gains)[::-1])]


def test_a_path_of_forty_thousand_leaves_takes_a_tenth_of_a_second_at_most():
    for tree in [bush(40_000), *chains(40_000)]:
        assert tree.n_leaves == 40_000
        assert seconds(lambda tree=tree: weakest_link_path(tree).risks)[0] < 0.1


def test_paths_take_n_log_n():
    """Sixteen times the leaves: about 21 times as long, not 256 times."""
    for make in (lambda n: [bush(n)], chains):
        for small, large in zip(make(10_000), make(160_000), strict=True):
            once, more = seconds(lambda t=small: weakest_link_path(t), lambda t=large: weakest_link_path(t), repeats=9)
            assert more < 60 * once


def test_a_path_is_found_faster_than_by_scikit_learn():
    X, y = rows(10_000)
    tree, peer = bush(10_000), DecisionTreeRegressor()
    ours, fit, whole = seconds(
        lambda: weakest_link_path(tree).risks,
        lambda: peer.fit(X, y),
        lambda: peer.cost_complexity_pruning_path(X, y),
        repeats=3,
    )
    assert ours < (whole - fit) / 10


def random_children(n_inner, seed=0):
    """A tree of random shape, in pre-order."""
    rng = np.random.default_rng(seed)
    left, right = (np.full(2 * n_inner + 1, -1, np.int32) for _ in range(2))
    stack = [(0, n_inner)]
    while stack:
        v, below = stack.pop()
        if below:
            first = int(rng.integers((below - 1) // 4, below - 1 - (below - 1) // 4 + 1))
            left[v], right[v] = v + 1, v + 2 + 2 * first
            stack += [(v + 1, first), (v + 2 + 2 * first, below - 1 - first)]
    return left, right


@pytest.mark.parametrize("shape", ["random", "chain"])
def test_weighing_a_million_nodes_takes_three_sums_of_logarithms(shape):
    n = 500_000
    children = random_children(n)
    if shape == "chain":
        tree = chain(n + 1, np.ones(n))
        children = tree.children_left, tree.children_right
    rng = np.random.default_rng(0)
    phi, other = -10 * rng.random((2, 2 * n + 1))
    grid = np.ascontiguousarray(np.outer(phi, np.linspace(0.5, 2, 10)))
    one_sum, one, ten = seconds(
        lambda: np.logaddexp(phi, other),
        lambda: np.exp(fold(children, phi, semiring="logaddexp").leaf),
        lambda: np.exp(fold(children, grid, semiring="logaddexp").leaf),
    )
    assert one < 3 * one_sum
    assert ten < 6 * one
