"""What dyadic and k-d trees refuse, by name; and the smallest data they take."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from bristlecone import _core, grow
from bristlecone.table import ColumnSchema, Kind, Schema, Table

X = np.arange(12.0).reshape(6, 2)
Y = [0, 1, 0, 1, 1, 0]


@pytest.fixture(params=[grow.dyadic, grow.kd])
def grower(request):
    return request.param


def changed(row, column, value):
    cells = X.copy()
    cells[row, column] = value
    return cells


def test_a_missing_cell_is_named(grower):
    with pytest.raises(ValueError, match=r"column 'x1', row 3: the value is missing .* need a number in every cell"):
        grower(changed(3, 1, np.nan), Y)


def test_an_infinite_cell_is_named(grower):
    with pytest.raises(ValueError, match="column 'x0', row 2: infinite value"):
        grower(changed(2, 0, np.inf), Y)
    schema = Schema((ColumnSchema("a", Kind.NUMERIC), ColumnSchema("b", Kind.NUMERIC)))
    table = Table(schema, list(changed(4, 1, -np.inf).T))
    with pytest.raises(ValueError, match=r"column 'b', row 4: the value is infinite \(-inf\)"):
        grower(table, Y)


def test_a_category_is_named(grower):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": X[:, 0], "colour": list("abcabc")})
    with pytest.raises(TypeError, match="column 'colour': it holds categories, and dyadic and k-d trees need numbers"):
        grower(frame, Y)


def test_booleans_and_dates_are_numbers(grower):
    pandas = pytest.importorskip("pandas")
    days = [dt.date(2024, 1, 1) + dt.timedelta(days=30 * i) for i in range(6)]
    frame = pandas.DataFrame({"hired": days, "member": [True, False, True, False, False, True]})
    tree = grower(frame, Y)
    assert tree.predict(frame).tolist() == Y
    assert "hired before 2024-" in str(tree) or "member is false" in str(tree)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_depth": -1}, "max_depth=-1: must be None or a whole number"),
        ({"max_depth": 2.0}, "max_depth=2.0"),
        ({"stop_pure": 1}, "stop_pure=1: must be True or False"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"sample_weight": [1, 2]}, r"sample_weight has shape \(2,\)"),
        ({"sample_weight": [0] * 6}, "sample_weight is zero in every row"),
        ({"sample_weight": [1, 1, -1, 1, 1, 1]}, "sample_weight, row 2: -1.0"),
        ({"sample_weight": [1, 1, np.nan, 1, 1, 1]}, "sample_weight, row 2: nan"),
    ],
)
def test_parameters_of_both(grower, options, message):
    with pytest.raises(ValueError, match=message):
        grower(X, Y, **options)


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ([[0, 1]], r"ranges has shape \(1, 2\), expected \(2, 2\)"),
        ([0, 1, 0, 1], r"ranges has shape \(4,\)"),
        ([[0, 1], [3, 2]], "ranges, column 'x1': 3.0 to 2.0 is not a finite, ascending range"),
        ([[0, np.inf], [0, 1]], "ranges, column 'x0': 0.0 to inf"),
        ([[np.nan, 1], [0, 1]], "ranges, column 'x0': nan to 1.0"),
        ("all", "ranges must be made of numbers"),
    ],
)
def test_ranges(ranges, message):
    with pytest.raises(ValueError, match=message):
        grow.dyadic(X, Y, ranges=ranges)


@pytest.mark.parametrize("axis", ["widest", None, 1])
def test_axis(axis):
    with pytest.raises(ValueError, match=f"axis={axis!r}: must be one of 'cycle', 'spread'"):
        grow.kd(X, Y, axis=axis)


def test_rows_and_labels_that_do_not_fit(grower):
    with pytest.raises(ValueError, match="X has 6 rows but y has 5"):
        grower(X, Y[:5])
    with pytest.raises(ValueError, match="y has no rows"):
        grower(X[:0], [])
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        grower(X[:, :0], Y)
    with pytest.raises(ValueError, match="X has no columns"):
        grower(Table(Schema(()), [], 6), Y)
    with pytest.raises(ValueError, match="y, row 1: nan is missing"):
        grower(X, [0, np.nan, 1, 0, 1, 1])


def test_the_smallest_data(grower):
    for cells, labels in (
        ([[3.0]], ["a"]),
        ([[3.0, -0.0]], [7]),
        ([[1.0], [2.0]], [0, 1]),
        ([[1.0]] * 5, [0, 1, 0, 1, 1]),
    ):
        tree = grower(np.array(cells), labels)
        assert tree.n_nodes == 1
        assert tree.n_node_samples[0] == len(labels)
    assert grower(np.array([[1.0], [2.0]]), [0, 1], max_depth=1).n_leaves == 2
    assert grower(np.array([[1.0], [1.0]]), [0, 1], max_depth=5).n_nodes == 1
    assert grower(X, Y, max_depth=0).n_nodes == 1


def columns(cells):
    return _core.Columns(list(cells.T), [0] * cells.shape[1], len(cells))


CODES = np.array(Y, dtype=np.int32)


def by_core(name, cells, codes=CODES, n_classes=2, weight=None, **options):
    if name == "dyadic":
        given = {"ranges": None, "max_depth": -1, "turns": 2, "stop_pure": True, "n_threads": 1} | options
        return _core.grow_dyadic(columns(cells), codes, n_classes, weight, **given)
    given = {"axis": "cycle", "max_depth": 4, "stop_pure": True, "n_threads": 1} | options
    return _core.grow_kd(columns(cells), codes, n_classes, weight, **given)


@pytest.mark.parametrize("name", ["dyadic", "kd"])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_core_checks_before_it_walks(name, threads):
    def refuses(message, *given, **options):
        with pytest.raises(ValueError, match=message):
            by_core(name, *given, **{"n_threads": threads} | options)

    for value in (np.nan, np.inf, -np.inf):
        refuses("row 5, column 1: the cell is missing or infinite", changed(5, 1, value))
    refuses("row 0: label out of range", X, CODES + 2)
    refuses("row 1: label out of range", X, -CODES)
    refuses("label has length 3", X, CODES[:3])
    refuses("weight has length 2", X, weight=np.ones(2))
    refuses("row 0: weight is not", X, weight=np.full(6, -1.0))
    refuses("no row has a positive weight", X, weight=np.zeros(6))
    refuses("no row has a positive weight", X[:0], CODES[:0])
    refuses("no columns", X[:, :0])
    refuses("max_depth must be >= ", X, max_depth=-2)
    refuses("n_threads must be >= 1", X, n_threads=0)
    table = _core.Columns([X[:, 0].copy(), CODES], [0, 2], 6)
    grow_them = _core.grow_dyadic if name == "dyadic" else _core.grow_kd
    options = {"ranges": None, "turns": 2} if name == "dyadic" else {"axis": "cycle"}
    with pytest.raises(ValueError, match="column 1 is a category"):
        grow_them(table, CODES, 2, None, max_depth=3, stop_pure=True, n_threads=threads, **options)


def test_the_core_checks_its_own_words():
    with pytest.raises(ValueError, match="axis must be"):
        by_core("kd", X, axis="widest")
    with pytest.raises(ValueError, match="turns from 0"):
        by_core("dyadic", X, turns=-1)
    for ranges in ([0.0], [0.0, 1.0, np.nan, 2.0], [0.0, 1.0, 2.0, 1.0], [0.0, np.inf, 0.0, 1.0]):
        with pytest.raises(ValueError, match="range"):
            by_core("dyadic", X, ranges=np.array(ranges))
