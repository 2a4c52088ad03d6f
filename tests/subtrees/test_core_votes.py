"""The compiled votes check what they are given before they follow it, and stand whatever else comes."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bristlecone import _core

LEFT, RIGHT = np.array([1, -1, -1], np.int32), np.array([2, -1, -1], np.int32)
GRID = np.log(np.full((3, 2), 0.5))


def ints(*values):
    return np.array(values, dtype=np.int32)


def asked(**given):
    """What an election over a tree of three nodes takes."""
    usual = {"children_left": LEFT, "children_right": RIGHT, "label": ints(0, 0, 1), "n_classes": 2}
    return usual | {"silent": np.zeros(3, np.uint8), "node": GRID, "leaf": GRID} | given


def entries(ptr=(0, 1, 2, 3), label=(0, 0, 1)):
    return {"entry_ptr": np.array(ptr, np.int64), "entry_class": ints(*label)}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"label": ints(0, 0)}, "label has length 2, expected 3"),
        ({"label": ints(0, 0, 2)}, "label holds 2 of 2 classes"),
        ({"label": ints(0, -1, 1)}, "label holds -1 of 2 classes"),
        ({"n_classes": 0}, "label holds 0 of 0 classes"),
        ({"n_classes": -5}, "of -5 classes"),
        ({"n_classes": 2**31 - 1}, "too many classes"),
        ({"n_classes": 2**26, "node": np.zeros((3, 9)), "leaf": np.zeros((3, 9))}, "too many classes and strengths"),
        ({"silent": np.zeros(4, np.uint8)}, "silent has length 4, expected 3"),
        ({"node": np.zeros((3, 3))}, "equally many columns"),
        ({"node": np.zeros((3, 0)), "leaf": np.zeros((3, 0))}, "equally many columns"),
        ({"leaf": np.zeros((2, 2))}, "one row a node"),
        ({"children_left": ints(), "children_right": ints()}, "at least one node"),
        ({"children_right": ints(2, -1, 1)}, "one child"),
    ],
)
def test_what_is_no_ballot(given, said):
    for elect, result in (
        (lambda **all_: _core.vote_labels(**all_), {"winner": np.zeros((3, 2), np.int32)}),
        (lambda **all_: _core.vote_agreements(**all_), {"agreement": np.zeros((3, 2))}),
        (lambda **all_: _core.vote_masses(**all_, **entries()), {"mass": np.zeros((3, 2))}),
    ):
        with pytest.raises(ValueError, match=said):
            elect(**asked(**given), **result)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ptr": (0, 1, 2)}, "entry_ptr has length 3, expected 4"),
        ({"ptr": (0, 2, 1, 3)}, "not ascending"),
        ({"ptr": (0, 1, 2, 4)}, "not ascending"),
        ({"ptr": (1, 1, 2, 3)}, "does not cover"),
        ({"ptr": (0, 1, 2, 2)}, "does not cover"),
        ({"ptr": (-(2**63), 1, 2, 3)}, "not ascending"),
        ({"label": (0, 5, 1)}, "entry_class holds 5 of 2 classes"),
        ({"label": (0, -1, 1)}, "entry_class holds -1 of 2 classes"),
    ],
)
def test_what_are_no_entries(given, said):
    with pytest.raises(ValueError, match=said):
        _core.vote_masses(**asked(), **entries(**given), mass=np.zeros((3, 2)))
    tree, results = (LEFT, RIGHT), (np.zeros(3, np.int64), np.zeros(3, np.int64))
    with pytest.raises(ValueError, match=said):
        _core.own_label_units(*tree, *entries(**given).values(), np.ones(3, np.int64), ints(0, 0, 1), 2, *results)


@pytest.mark.parametrize("units", [(1, -1, 1), (2**62, 1, 1), (2**63 - 1, 2**63 - 1, 5)])
def test_what_are_no_units(units):
    results = (np.zeros(3, np.int64), np.zeros(3, np.int64))
    given = (*entries().values(), np.array(units, np.int64), ints(0, 0, 1), 2)
    with pytest.raises(ValueError, match="negative or too many"):
        _core.own_label_units(LEFT, RIGHT, *given, *results)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"stop": ints(0, 3)}, "row 1 has no such stop"),
        ({"stop": ints(-1, 0)}, "row 0 has no such stop"),
        ({"y": np.array([0, 2], np.uint8)}, "row 1 has no such stop or class"),
        ({"y": np.zeros(1, np.uint8)}, "y has length 1, expected 2"),
        ({"value": np.array([0.5, 1.5, 0])}, "node 1: its value"),
        ({"value": np.array([0.5, np.nan, 0])}, "node 1: its value"),
        ({"beta": 0.0}, "beta"),
        ({"beta": np.nan}, "beta"),
        ({"leaf": np.zeros(2)}, "a result has length 2, expected 3"),
        ({"inner": np.array([0.0, np.inf, 0.0])}, "node 1: its potential"),
        ({"predicted": np.zeros(3)}, "a result has length 3, expected 2"),
    ],
)
def test_what_cannot_be_weighed(given, said):
    usual = {"children_left": LEFT, "children_right": RIGHT, "stop": ints(1, 0), "y": np.array([0, 1], np.uint8)}
    usual |= {"value": np.full(3, 0.5), "beta": 0.5, "leaf": np.zeros(3), "inner": np.zeros(3)}
    _core.weigh_online(**usual, predicted=np.zeros(2))
    with pytest.raises(ValueError, match=said):
        _core.weigh_online(**{"predicted": np.zeros(2)} | usual | given)


def test_results_have_their_kind_and_a_place_of_their_own():
    for result in (np.zeros((3, 2)), np.zeros((2, 3), np.int32).T, np.zeros((3, 4), np.int32)[:, ::2], [0] * 6):
        with pytest.raises(TypeError):
            _core.vote_labels(**asked(), winner=result)
    with pytest.raises(ValueError, match="a result has length 7, expected 6"):
        _core.vote_labels(**asked(), winner=np.zeros(7, np.int32))
    one = {"node": GRID[:, :1].copy(), "leaf": GRID[:, :1].copy()}
    for name, values in (("children_left", LEFT), ("label", ints(0, 0, 1))):
        shared = values.copy()
        with pytest.raises(ValueError, match="shares memory"):
            _core.vote_labels(**asked(**one) | {name: shared}, winner=shared)
    room = np.zeros(8)
    children = room[:2].view(np.int32)[:3]
    children[:] = LEFT
    with pytest.raises(ValueError, match="shares memory"):
        _core.fold_log_sums(children, RIGHT, np.zeros((3, 1)), None, room[1:4].reshape(3, 1))
    with pytest.raises(ValueError, match="shares memory"):
        _core.fold_cheapest(
            children, RIGHT, np.zeros((3, 1)), None, np.zeros((3, 1)), room.view(np.uint8)[8:11].reshape(3, 1)
        )


def test_strides_and_other_whole_numbers_are_read_as_they_are():
    winner, again = np.zeros((3, 2), np.int32), np.zeros((3, 2), np.int32)
    _core.vote_labels(**asked(), winner=winner)
    wide = np.zeros((3, 4))
    wide[:, ::2] = GRID
    label = np.array([9, 0, 9, 0, 9, 1], np.int32)[1::2]
    _core.vote_labels(**asked(node=wide[:, ::2], leaf=np.asfortranarray(GRID), label=label), winner=again)
    assert (winner == again).all()


SMALL = st.integers(-3, 6)
WILD = SMALL | st.sampled_from([2**31 - 1, -(2**31), 2**20])
POTENTIAL = st.floats(allow_nan=True, allow_infinity=True)


@st.composite
def wild(draw):
    """Arrays of about the right length with about the right things in them."""
    n = draw(st.integers(0, 5))

    def whole(dtype, values=WILD, size=None):
        length = n if size is None else size
        drawn = draw(st.lists(values, min_size=max(length - draw(st.integers(0, 1)), 0), max_size=length))
        return np.array(drawn, dtype=np.int64).astype(dtype)

    if n % 2 and draw(st.booleans()):  # a chain of splits
        left = [k + 1 if k % 2 == 0 and k < n - 1 else -1 for k in range(n)]
        tree = ints(*left), ints(*(k + 1 if k > 0 else -1 for k in left))
    else:
        tree = whole(np.int32), whole(np.int32)
    k = draw(st.integers(0, 2))
    potentials = np.array(draw(st.lists(POTENTIAL, min_size=n * k, max_size=n * k))).reshape(n, k)
    return n, k, tree, whole, potentials


@given(wild(), st.integers(-1, 5), st.data())
def test_nothing_from_python_brings_them_down(drawn, n_classes, data):
    n, k, tree, whole, grid = drawn
    few = st.integers(0, 1)
    label, silent = whole(np.int32, data.draw(st.sampled_from([few, WILD]))), whole(np.uint8, few)
    ptr = np.array([0, *np.sort(whole(np.int64, few)).cumsum()]) if data.draw(st.booleans()) else whole(np.int64)
    of_entries = whole(np.int32, few, int(np.clip(ptr[-1], 0, 20)) if len(ptr) else 0)
    ballot = (*tree, label, n_classes, silent, grid, grid)
    units, row = whole(np.int64, SMALL, len(of_entries)), whole(np.int32)
    calls = [
        lambda: _core.vote_labels(*ballot, np.zeros((n, k), np.int32)),
        lambda: _core.vote_agreements(*ballot, np.zeros((n, k))),
        lambda: _core.vote_masses(*ballot, ptr, of_entries, np.zeros((len(of_entries), k))),
        lambda: _core.own_label_units(
            *tree, ptr, of_entries, units, label, n_classes, np.zeros(n, np.int64), np.zeros(n, np.int64)
        ),
        lambda: _core.weigh_online(
            *tree, row, (row & 1).astype(np.uint8), np.full(n, 0.5), 0.5, np.zeros(n), np.zeros(n), np.zeros(len(row))
        ),
        lambda: _core.weigh_online(
            *tree, row, (row & 1).astype(np.uint8), np.full(n, 0.5), 0.5, grid[:, 0].copy(), np.zeros(n), np.zeros(n)
        ),
        lambda: _core.fold_weights(*tree, grid, None, np.zeros((1, k)), np.zeros((n, k)), np.zeros((n, k))),
        lambda: _core.fold_cheapest(*tree, grid, grid, np.zeros((n, k)), np.zeros((n, k), np.uint8)),
    ]
    for call in calls:
        with contextlib.suppress(ValueError, TypeError, IndexError):
            call()
