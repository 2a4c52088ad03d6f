"""The compiled queries check what they are given before they follow it, and stand whatever else comes."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bristlecone import _core

LEFT, RIGHT = np.array([1, -1, -1], np.int32), np.array([2, -1, -1], np.int32)
HALF = np.full(3, 0.5)


def ints(*values):
    return np.array(values, dtype=np.int32)


def bits(*values):
    return np.array(values, dtype=np.uint8)


TREE = (LEFT, RIGHT, ints(2, -1, -1), bits(0, 0, 1))


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ((ints(), ints(), ints(), bits()), "at least one node"),
        ((LEFT, RIGHT[:2], *TREE[2:]), "differ in length"),
        ((LEFT, RIGHT, ints(2, -1), TREE[3]), "differ in length"),
        ((LEFT, RIGHT, TREE[2], bits(0, 0)), "differ in length"),
        ((ints(1, -1, 7), RIGHT, *TREE[2:]), "node 2: has one child"),
        ((ints(0, -1, -1), RIGHT, *TREE[2:]), "does not come after its parent"),
        ((LEFT, RIGHT, ints(-1, 0, 0), TREE[3]), "node 0: it reads no variable"),
        ((LEFT, RIGHT, ints(2**31 - 1, -1, -1), TREE[3]), "node 0: it reads no variable"),
        ((LEFT, RIGHT, TREE[2], bits(0, 0, 2)), "node 2: its answer"),
    ],
)
def test_what_is_no_tree(tree, said):
    with pytest.raises(ValueError, match=said):
        _core.tree_influences(*tree, HALF)
    with pytest.raises(ValueError, match=said):
        _core.restrict_tree(*tree, bits(), 0, True)


def test_trees_that_read_too_much_are_refused():
    with pytest.raises(ValueError, match="node 0: it reads no variable"):
        _core.tree_influences(*TREE, HALF[:2])
    n = 200_001  # a chain, each node of which reads a variable of its own
    left = np.where(np.arange(n) % 2 == 0, np.arange(n) + 1, -1).astype(np.int32)
    left[-1] = -1
    right = np.where(left >= 0, left + 1, -1).astype(np.int32)
    variable = np.where(left >= 0, np.arange(n) // 2, -1).astype(np.int32)
    with pytest.raises(ValueError, match="reads too many variables"):
        _core.tree_influences(left, right, variable, np.append(np.zeros(n - 1, np.uint8), bits(1)), np.full(n, 0.5))


@pytest.mark.parametrize(
    ("forced", "known", "said"),
    [
        (bits(0, 0), 0, "one entry a node, or none"),
        (bits(3, 0, 0), 0, "node 0: it is forced to no side"),
        (bits(), -2, "known is no variable"),
        (bits(), 2**31 - 1, "known is no variable"),
    ],
)
def test_what_is_no_restriction(forced, known, said):
    with pytest.raises(ValueError, match=said):
        _core.restrict_tree(*TREE, forced, known, True)


def test_what_is_no_table():
    for table, p, said in (
        (bits(0, 1, 1), HALF[:2], "2\\^n entries"),
        (bits(), HALF[:2], "2\\^n entries"),
        (bits(0, 1), np.array([0.0]), "variable 0 is not between"),
        (bits(0, 1), np.array([np.nan]), "variable 0 is not between"),
        (bits(0), np.full(64, 0.5), "a table of more than"),
    ):
        with pytest.raises(ValueError, match=said):
            _core.table_influences(table, p)
        with pytest.raises(ValueError, match=said):
            _core.optimal_tree(table, p, 0.1)
    for epsilon in (-0.1, np.nan):
        with pytest.raises(ValueError, match="epsilon"):
            _core.optimal_tree(bits(0, 1), HALF[:1], epsilon)
    assert _core.table_influences(bits(255), np.zeros(0))[0].shape == (0,)


def test_redraws_of_nothing_and_of_other_shapes():
    for shape in ((0, 0), (0, 3), (3, 0)):
        changed, row, column = _core.redraws(np.zeros(shape, np.uint8), np.ones(shape, np.uint8))
        assert changed.shape == (0, shape[1]) and row.shape == column.shape == (0,)
    with pytest.raises(ValueError, match="differ in shape"):
        _core.redraws(np.zeros((2, 3), np.uint8), np.zeros((3, 2), np.uint8))
    with pytest.raises(TypeError):
        _core.redraws(np.zeros(3, np.uint8), np.zeros(3, np.uint8))
    points, fresh = np.arange(24, dtype=np.uint8).reshape(4, 6), np.zeros((4, 6), np.uint8)
    plain = _core.redraws(points[::2, ::2].copy(), fresh[::2, ::2].copy())
    for one, other in zip(plain, _core.redraws(points[::2, ::2], fresh[::2, ::2]), strict=True):
        assert (one == other).all()


WILD = st.integers(-2, 5) | st.sampled_from([2**31 - 1, -(2**31), 2**20])


@given(st.data())
def test_nothing_from_python_brings_them_down(data):
    n = data.draw(st.integers(0, 5))
    if n % 2 and data.draw(st.booleans()):  # a chain of splits
        left = [k + 1 if k % 2 == 0 and k < n - 1 else -1 for k in range(n)]
        tree = ints(*left), ints(*(k + 1 if k > 0 else -1 for k in left))
    else:
        tree = tuple(ints(*data.draw(st.lists(WILD, min_size=n, max_size=n))) for _ in range(2))
    variable = ints(*data.draw(st.lists(WILD | st.integers(0, 2), min_size=n, max_size=n)))
    answer = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), dtype=np.uint8)
    p = np.array(data.draw(st.lists(st.floats(0, 1) | st.just(0.5), max_size=4)))
    forced = np.array(data.draw(st.lists(st.integers(0, 3), max_size=n)), dtype=np.uint8)
    table = np.array(data.draw(st.lists(st.integers(0, 255), max_size=16)), dtype=np.uint8)
    known = data.draw(st.integers(-3, 5))
    calls = [
        lambda: _core.tree_influences(*tree, variable, answer, p),
        lambda: _core.restrict_tree(*tree, variable, answer, forced, known, True),
        lambda: _core.restrict_tree(*tree, variable, answer, forced[:0], known, False),
        lambda: _core.table_influences(table[: 1 << len(p)], p),
        lambda: _core.optimal_tree(table[: 1 << len(p)], p, 0.1),
    ]
    for call in calls:
        with contextlib.suppress(ValueError, TypeError, IndexError):
            call()
