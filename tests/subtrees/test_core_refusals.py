"""The compiled folds check what they are given before they follow it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_tree import Leaf, Split, build

from bristlecone import _core
from bristlecone.subtrees import weakest_link_path

LEFT, RIGHT = np.array([1, -1, -1], np.int32), np.array([2, -1, -1], np.int32)
NODES = np.zeros((3, 1))
SINGLE = np.array([1, -1], np.int32), np.array([-1, -1], np.int32)


def ints(*values):
    return np.array(values, dtype=np.int32)


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (ints(), ints(), "at least one node"),
        (ints(1, -1, -1), ints(2, -1), "differ in length"),
        (ints(1, -1, -1), ints(3, -1, -1), "node 0: child index 3 is out of range"),
        (ints(1, -2, -1), ints(2, -2, -1), "node 1: child index -2 is out of range"),
        (ints(0, -1, -1), ints(2, -1, -1), "node 0: child does not come after its parent"),
        (ints(1, -1, -1), ints(1, -1, -1), "node 1: has two parents"),
        (ints(-1, -1, -1), ints(-1, -1, -1), "node 1: has no parent"),
    ],
)
def test_what_is_no_tree(left, right, said):
    n = len(left)
    with pytest.raises(ValueError, match=said):
        _core.weakest_links(left, right, np.zeros(n))
    with pytest.raises(ValueError, match=said):
        _core.weakest_links_of_counts(left, right, np.zeros(n, np.int64), 1.0)
    nodes = [np.zeros((n, 1)) for _ in range(3)]
    with pytest.raises(ValueError, match=said):
        _core.fold_cheapest(left, right, nodes[0], None, nodes[1], np.zeros((n, 1), np.uint8))
    with pytest.raises(ValueError, match=said):
        _core.fold_weights(left, right, nodes[0], None, np.zeros((1, 1)), *nodes[1:])
    with pytest.raises(ValueError, match=said):
        _core.fold_log_sums(left, right, nodes[0], None, nodes[1])


def test_what_is_no_risk():
    for risk in ([0, 0, np.nan], [np.inf, 0, 0], [0, -1e300, 0]):
        with pytest.raises(ValueError, match=r"node .: its risk .* is out of range"):
            _core.weakest_links(LEFT, RIGHT, np.array(risk, dtype=float))
    with pytest.raises(ValueError, match=r"node 1: its risk .* is out of range"):
        _core.weakest_links_of_counts(LEFT, RIGHT, np.array([0, 2**61, 0]), 1.0)
    with pytest.raises(ValueError, match="risk must have one entry a node"):
        _core.weakest_links(LEFT, RIGHT, np.zeros(2))
    for unit in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="unit must be a positive number"):
            _core.weakest_links_of_counts(LEFT, RIGHT, np.zeros(3, np.int64), unit)
    with pytest.raises(ValueError, match="node 0: has one child"):
        _core.weakest_links(*SINGLE, np.zeros(2))


def test_results_that_do_not_fit():
    wide, one = np.zeros((3, 2)), np.zeros((1, 1))
    for branch, place in ((wide, NODES), (NODES, wide), (NODES[:2], NODES)):
        with pytest.raises(ValueError, match="a result has not the shape of leaf"):
            _core.fold_cheapest(LEFT, RIGHT, NODES, None, branch, place.astype(np.uint8))
    for total, node, end in ((NODES, NODES, NODES), (one, wide, NODES), (one, NODES, NODES[:2])):
        with pytest.raises(ValueError, match="a result has not the shape of leaf"):
            _core.fold_weights(LEFT, RIGHT, NODES, None, total, node, end)
    with pytest.raises(ValueError, match="leaf must have one row a node"):
        _core.fold_log_sums(LEFT, RIGHT, NODES[:2], None, NODES)
    with pytest.raises(ValueError, match="inner must have one row a node"):
        _core.fold_log_sums(LEFT, RIGHT, wide, np.zeros((3, 3)), wide)
    frozen = np.zeros((3, 1))
    frozen.setflags(write=False)
    for result in (frozen, NODES.astype(np.float32), np.zeros((3, 2))[:, ::2]):
        with pytest.raises(TypeError):
            _core.fold_log_sums(LEFT, RIGHT, NODES, None, result)


RISK = st.floats(-1e280, 1e280) | st.floats(-1, 1) | st.sampled_from([0.0, 5e-324, -5e-324])


@given(st.lists(RISK, min_size=7, max_size=7), st.booleans())
def test_any_risks_give_a_path(risk, chain):
    """Risks that no data makes: a split that costs, negative ones, all sizes."""
    left, right = (ints(1, -1, 3, -1, 5, -1, -1), ints(2, -1, 4, -1, 6, -1, -1))
    if not chain:
        left, right = ints(1, 2, -1, -1, 5, -1, -1), ints(4, 3, -1, -1, 6, -1, -1)
    alphas, collapse, covered = _core.weakest_links(left, right, np.array(risk))
    assert alphas[0] == 0 and (np.diff(alphas) > 0).all()
    assert covered[0] == np.inf and collapse[0] == alphas[-1]
    for alpha in alphas:
        leaf = (collapse <= alpha) & (alpha < covered)
        reach = [leaf[0]] + [False] * 6
        for v in range(1, 7):
            parent = int(np.flatnonzero((left == v) | (right == v))[0])
            reach[v] = reach[parent] or leaf[v]
            assert not (reach[parent] and leaf[v])
        assert all(reach[v] for v in range(7) if left[v] < 0)  # every leaf of the tree lies in one of the pruning


def test_a_split_that_costs_is_cut_at_once():
    """Answers by another rule than the risk (a loss, a constraint) can be worse below than above."""
    tree = build(Split(0, 0.5, Leaf((3, 1)), Leaf((2, 1))))
    object.__setattr__(tree, "label", np.array([0, 1, 0], dtype=np.int32))
    path = weakest_link_path(tree, risk="misclassification")
    assert (path.alphas.tolist(), path.n_leaves.tolist(), path.collapse[0]) == ([0], [1], 0)
