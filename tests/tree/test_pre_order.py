"""Pre-order of nodes that are numbered anyhow, and arrays that are no tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bristlecone.tree.layout import pre_order


def numbered_anyhow(seed, n_splits):
    rng = np.random.default_rng(seed)
    name = [0, *(1 + rng.permutation(2 * n_splits)).tolist()]
    left, right, ends = [-1] * len(name), [-1] * len(name), [0]
    for k in range(n_splits):
        v = ends.pop(int(rng.integers(len(ends))))
        children = name[2 * k + 1 : 2 * k + 3]
        left[v], right[v] = children
        ends += children
    return left, right


def below(left, right, v):
    return [v] if left[v] < 0 else [v, *below(left, right, left[v]), *below(left, right, right[v])]


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 1000), st.integers(0, 20))
def test_parents_come_first_and_left_branches_whole(seed, n_splits):
    left, right = numbered_anyhow(seed, n_splits)
    expected = below(left, right, 0)
    assert pre_order(left, right).tolist() == pre_order(np.array(left), np.array(right)).tolist() == expected


def test_a_long_chain_is_no_recursion():
    n = 20_001
    left = [v + 1 if v % 2 == 0 and v + 2 < n else -1 for v in range(n)]
    right = [v + 2 if v % 2 == 0 and v + 2 < n else -1 for v in range(n)]
    assert pre_order(left, right).tolist() == list(range(n))


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        ([], [], "beyond its nodes"),
        ([1, -1], [2, -1], "beyond its nodes"),
        ([1, -1, -1], [2, -1], "beyond its nodes"),
        ([1, -1, -1], [-1, -1, -1], "one child"),
        ([1, 0, -1], [2, 2, -1], "two parents"),
        ([0], [0], "two parents"),
        ([1, -1, -1], [1, -1, -1], "two parents"),
        ([1, 2, -1, -1, -1], [2, 3, -1, -1, -1], "two parents"),
        ([-1, -1], [-1, -1], "no parent"),
        ([1, -1, -1, 1, -1], [2, -1, -1, 4, -1], "no parent"),
        ([-1, -1], [1, -1], "one child"),
    ],
)
def test_what_is_no_tree(left, right, said):
    for kind in (list, np.array):
        with pytest.raises(ValueError, match=said):
            pre_order(kind(left), kind(right))


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 1000), st.integers(1, 12))
def test_one_child_exchanged_is_no_tree(seed, n_splits):
    left, right = numbered_anyhow(seed, n_splits)
    rng = np.random.default_rng(seed)
    side = left if rng.random() < 0.5 else right
    v = int(rng.choice([v for v in range(len(left)) if left[v] >= 0]))
    side[v] = int(rng.choice([u for u in range(-1, len(left)) if u != side[v]]))
    with pytest.raises(ValueError, match=r"two parents|no parent|one child"):
        pre_order(left, right)
