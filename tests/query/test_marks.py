"""Redraws, what they changed, and marks counted by leaf: against the twin, and what the kernels refuse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from query.boolean_functions import SETTINGS
from reference import marked as twin

from bristlecone import _core
from bristlecone.query.bare import BareTree


def random_bare(n, rng):
    bare, ends = BareTree(n), [0]
    for _ in range(int(rng.integers(0, 6))):
        place = ends.pop(int(rng.integers(len(ends))))
        free = sorted(set(range(n)) - set(bare.path(place)))
        ends += bare.split(place, int(rng.choice(free))) if free else [place]
    return bare


def bits_of(shape, rng):
    return rng.integers(0, 2, shape, dtype=np.uint8)


@SETTINGS
@given(st.integers(0, 10_000))
def test_redraws_and_their_changes_are_those_of_the_twin(seed):
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(0, 12)), int(rng.integers(1, 20))
    X, fresh = bits_of((m, n), rng), bits_of((m, n), rng)
    Y, row, i = _core.redraws(X, fresh)
    assert list(zip(Y.tolist(), row.tolist(), i.tolist(), strict=True)) == twin.redraws(X.tolist(), fresh.tolist())
    before, after = rng.integers(0, 3, m), rng.integers(0, 3, len(Y))
    found = _core.changes(before, after, row, i, n)
    assert found.tolist() == twin.changes(n, before.tolist(), after.tolist(), row.tolist(), i.tolist())


@SETTINGS
@given(st.integers(0, 10_000))
def test_marks_by_leaf_are_those_of_the_twin(seed):
    rng = np.random.default_rng(seed)
    m, n, n_marks = int(rng.integers(0, 40)), int(rng.integers(1, 20)), int(rng.integers(1, 20))
    bare, X, marks = random_bare(n, rng), bits_of((m, n), rng), bits_of((m, n_marks), rng)
    marks[rng.random(m) < 0.3] = 0
    tree = bare.arrays()
    counts, rows = twin.by_leaf([side.tolist() for side in tree], X.tolist(), marks.tolist())
    assert _core.leaves_reached(*tree, X).tolist() == [twin.leaf(tree, point) for point in X.tolist()]
    counted = np.full((len(bare), n_marks), 5)
    leaf, start, packed = _core.marks_by_leaf(*tree, X, marks, True, counted)
    for v in range(len(bare)):
        assert (counted[v] - 5).tolist() == counts.get(v, [0] * n_marks)
    assert leaf.tolist() == sorted(rows)
    for k, v in enumerate(leaf.tolist()):
        assert packed[start[k] : start[k + 1]].tolist() == rows[v]
    assert [len(part) for part in _core.marks_by_leaf(*tree, X, marks, False, counted)] == [0, 0, 0]


@SETTINGS
@given(st.integers(0, 10_000))
def test_sides_of_marks_count_what_goes_to_either_side(seed):
    rng = np.random.default_rng(seed)
    m, n, n_marks = int(rng.integers(1, 40)), int(rng.integers(1, 20)), int(rng.integers(1, 20))
    X, marks = bits_of((m, n), rng), bits_of((m, n_marks), rng)
    packed = np.array([twin.packed(x) + twin.packed(y) for x, y in zip(X.tolist(), marks.tolist(), strict=True)])
    times, variable = rng.integers(1, 5, m, dtype=np.uint32), int(rng.integers(n))
    for given_times, each in ((times, times), (np.empty(0, np.uint32), np.ones(m, int))):
        high, counts = _core.sides_of_marks(packed.astype(np.uint8), given_times, n, n_marks, variable)
        assert high.tolist() == X[:, variable].tolist()
        for side in (0, 1):
            chosen = X[:, variable] == side
            assert counts[side].tolist() == (marks[chosen] * each[chosen, None]).sum(axis=0).tolist()


def test_what_does_not_fit_is_refused():
    X, none = np.zeros((3, 2), np.uint8), np.empty(0, np.int32)
    one = np.zeros(1, np.int32)
    leaf = np.full(1, -1, np.int32)
    with pytest.raises(ValueError, match="differ in shape"):
        _core.redraws(X, X[:2])
    with pytest.raises(ValueError, match="differ in number"):
        _core.changes(np.zeros(3, np.int64), np.zeros(1, np.int64), none, none, 2)
    for row, i in ((one + 3, one), (one - 1, one), (one, one + 2), (one, one - 1)):
        with pytest.raises(ValueError, match="a redraw is of no point"):
            _core.changes(np.zeros(3, np.int64), np.zeros(1, np.int64), row, i, 2)
    with pytest.raises(ValueError, match="differ in length"):
        _core.leaves_reached(leaf, none, leaf, X)
    split = [np.array(side, np.int32) for side in ([1, -1, -1], [2, -1, -1], [2, -1, -1])]
    with pytest.raises(ValueError, match="reads no variable"):
        _core.leaves_reached(*split, X)
    with pytest.raises(ValueError, match="differ in number"):
        _core.marks_by_leaf(leaf, leaf, leaf, X, X[:2], False, np.zeros((1, 2), np.int64))
    with pytest.raises(ValueError, match="counts must be"):
        _core.marks_by_leaf(leaf, leaf, leaf, X, X, False, np.zeros((1, 1), np.int64))
    for packed, times, variable in ((X, 0, 2), (X[:, :1], 0, 0), (X, 2, 0)):
        with pytest.raises(ValueError, match=r"other variables|times"):
            _core.sides_of_marks(np.ascontiguousarray(packed), np.ones(times, np.uint32), 2, 2, variable)


def test_no_size_wraps():
    none, two = np.empty(0, np.int32), np.zeros(2, np.int64)
    for n in (2**31, 2**63, 2**64 - 1):
        with pytest.raises(ValueError, match="too many points"):
            _core.changes(two, np.empty(0, np.int64), none, none, n)
    no_times = np.empty(0, np.uint32)
    for n, n_marks in ((2**64 - 1, 1), (1, 2**64 - 1), (2**27, 1), (2**63, 2**63)):
        with pytest.raises(ValueError, match="too many variables or marks"):
            _core.sides_of_marks(np.zeros((1, 1), np.uint8), no_times, n, n_marks, min(n - 1, 2**62))


def test_points_without_variables_or_marks_are_counted_as_none():
    leaf = np.full(1, -1, np.int32)
    for m in (0, 3):
        X = np.zeros((m, 0), np.uint8)
        for keeps, starts in ((True, [0]), (False, [])):
            reached, start, packed = _core.marks_by_leaf(leaf, leaf, leaf, X, X, keeps, np.zeros((1, 0), np.int64))
            assert (reached.tolist(), start.tolist(), packed.shape) == ([], starts, (0, 0))
        assert _core.leaves_reached(leaf, leaf, leaf, X).tolist() == [0] * m
        assert _core.changes(np.zeros(m, np.int64), np.empty(0, np.int64), leaf[:0], leaf[:0], 0).shape == (m, 0)
    high, counts = _core.sides_of_marks(np.zeros((2, 1), np.uint8), np.empty(0, np.uint32), 8, 0, 7)
    assert high.tolist() == [0, 0] and counts.shape == (2, 0)


def test_counts_share_no_memory_with_what_is_read():
    held = np.full(64, -1, np.int64)
    given = {
        "left": held.view(np.int32)[:1],
        "points": held.view(np.uint8)[:6].reshape(3, 2),
        "marks": held.view(np.uint8)[:6].reshape(3, 2),
    }
    leaf, X = np.full(1, -1, np.int32), np.zeros((3, 2), np.uint8)
    for name, shared in given.items():
        tree = [shared if name == "left" else leaf, leaf, leaf]
        points, marks = (shared if name == side else X for side in ("points", "marks"))
        with pytest.raises(ValueError, match="shares memory"):
            _core.marks_by_leaf(*tree, points, marks, False, held[:2].reshape(1, 2))
