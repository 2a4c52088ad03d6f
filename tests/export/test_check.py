"""The check of exports: it agrees where they are right, and sees every kind of fault in one."""

import numpy as np
import pytest
from probes import NAMED, probes, random_tree
from strategies_tree import Leaf, Split, build

from bristlecone import export
from bristlecone.export import CannotRun, check, running
from bristlecone.export.trials import cells_of, fresh, trials
from bristlecone.table.columns import Table
from bristlecone.table.schema import ColumnSchema, Kind, Schema


def run(model, X, to, **options):
    try:
        return check(model, X, to, **options)
    except CannotRun as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("to", running.RUNNERS)
def test_right_exports_agree(to):
    for seed in range(4):
        tree = random_tree(seed, splits=25)
        table, _ = probes(tree, seed, per_stop=1)
        found = run(tree, table, to)
        assert found.differ == () and found.n_rows == table.n_rows
        assert found.n_trials > 3 * (tree.n_leaves - 1)
        assert "gives the tree's node and answer for all" in str(found)


@pytest.mark.parametrize("to", ["sql", "python", "c", "javascript"])
def test_refused_rows_agree(to):
    tree = random_tree(3, unseen="error", missing="error", splits=20)
    table, _ = probes(tree, 3)
    assert run(tree, table, to).differ == ()


SIMPLE = Schema((ColumnSchema("x", Kind.NUMERIC), ColumnSchema("c", Kind.CATEGORY, ("a", "b", "d"))))


def simple():
    by_level = Split(1, np.nan, Leaf((4, 0)), Leaf((1, 5)), True, ((0, True), (1, False)))
    return build(Split(0, 2.0, by_level, Leaf((3, 4)), False), schema=SIMPLE)


FAULTS = [
    ("sql", ">= 2.0", "> 2.0"),
    ("sql", ">= 2.0", ">= 1.9999999999"),
    ("sql", ' OR "x" IS NULL', ""),
    ("sql", "IN ('b')", "IN ('d')"),
    ("sql", "THEN 'yes'", "THEN 'no'"),
    ("sql", "NOT IN ('a') THEN 1", "NOT IN ('a') THEN 2"),
    ("python", "not c0 < 2.0", "not c0 <= 2.0"),
    ("python", "not c0 < 2.0", "c0 >= 2.0"),
    ("python", "c1 is not None and ", ""),
    ("python", "return 1", "return 3"),
    ("python", "1: {0: 0.5,", "1: {0: 0.5000000000000001,"),
    ("c", "!(row[0] < 0x1p+1 /* 2 */)", "row[0] >= 0x1p+1"),
    ("c", "c1 != 0 && c1 != -1", "c1 != 0"),
    ("javascript", "c1 !== null && ", ""),
]


@pytest.mark.parametrize(("to", "right", "wrong"), FAULTS)
def test_a_fault_in_an_export_is_seen(to, right, wrong, monkeypatch):
    tree = simple()
    table = Table(SIMPLE, [np.array([1.0, 3.0]), np.array([0, 1], dtype=np.int32)])
    write = getattr(running, to)

    def faulty(*given, **options):
        said = write(*given, **options)
        assert right in said, said
        return said.replace(right, wrong)

    monkeypatch.setattr(running, to, faulty)
    found = run(tree, table, to)
    assert found.differ and "another answer for" in str(found)


def test_trials_stand_at_every_question():
    tree = simple()
    table = Table(SIMPLE, [np.array([1.0, 3.0], dtype=np.float32), np.array([0, 1], dtype=np.int32)])
    tried = trials(tree, table)
    x, c = tried.columns[0][2:], tried.columns[1][2:]
    assert {2.0, np.nextafter(2.0, 0), np.nextafter(2.0, 3)} <= set(x.tolist()) and np.isnan(x).sum() == 1
    assert set(c.tolist()) == {0, 1, 2, -1, -2}
    assert (x[-5:] == 1.0).all()  # those of the level question pass it
    assert [row[1] for row in cells_of(tried)][-5:] == ["a", "b", "d", None, "unseen 0"]


def test_fresh_values_are_no_levels():
    for column in NAMED.columns:
        if column.categorical:
            assert type(fresh(column)) in {type(level) for level in column.levels} | {int}
            assert fresh(column) not in column.levels
    assert fresh(ColumnSchema("b", Kind.CATEGORY, (True, False))) is None
    assert fresh(ColumnSchema("b", Kind.CATEGORY, (True,))) is False
    assert fresh(ColumnSchema("m", Kind.CATEGORY, ("unseen 0", 1))) == "unseen 1"


def test_a_float32_model_is_compared_on_rounded_rows():
    tree = random_tree(11, splits=25)
    table, _ = probes(tree, 11)
    assert run(tree, table, "onnx", dtype="float32").differ == ()
    wide = Table(SIMPLE, [np.array([1.0, 1e300]), np.array([0, 1], dtype=np.int32)])
    found = run(simple(), wide, "onnx", dtype="float32")
    assert found.n_rows == 1 and found.differ == ()


def test_a_tree_of_one_leaf_and_one_that_sqlite_cannot_hold():
    found = run(build(Leaf((1, 2)), schema=SIMPLE), Table(SIMPLE, [np.zeros(1), np.zeros(1, np.int32)]), "python")
    assert (found.n_rows, found.n_trials, found.differ) == (1, 0, ())
    pair = Schema((ColumnSchema("x", Kind.NUMERIC), ColumnSchema("X", Kind.NUMERIC)))
    tree = build(Split(0, 1.0, Split(1, 1.0, Leaf((1, 0)), Leaf((0, 1))), Leaf((0, 1))), schema=pair)
    with pytest.raises(CannotRun, match="SQLite cannot hold these rows: duplicate column name: X"):
        check(tree, np.zeros((1, 2)), "sql", dialect="postgresql")


def test_sql_needs_only_the_columns_that_are_asked():
    names = ["b", "B", "leaf_id", "prediction", "row", *(f"x{j}" for j in range(3000))]
    schema = Schema(tuple(ColumnSchema(name, Kind.NUMERIC) for name in names))
    asks = Split(2, 1.0, Split(3, 0.0, Leaf((1, 0)), Leaf((2, 1))), Split(4, 5.0, Leaf((1, 1)), Leaf((0, 1))))
    tree = build(asks, schema=schema)
    assert check(tree, np.random.default_rng(0).normal(size=(9, len(names))), "sql").differ == ()


def test_sql_of_labels_that_differ_by_case_only():
    tree = build(Split(0, 1.0, Leaf((1, 2, 3)), Leaf((4, 0, 1))), schema=SIMPLE, classes=["A", "a", "a 2"])
    assert check(tree, Table(SIMPLE, [np.array([0.0, 2.0]), np.zeros(2, np.int32)]), "sql").differ == ()
    said = export.sql(tree, probabilities=True)
    for name in ("probability_A", "probability_a 2", "probability_a 2 2"):
        assert f'AS "{name}"' in said


def test_what_cannot_be_checked_is_said(monkeypatch):
    tree = simple()
    with pytest.raises(ValueError, match=r"to must be one of 'sql', .*got 'pmml'"):
        check(tree, [[1.0, 0]], "pmml")
    empty = Table(SIMPLE, [np.empty(0), np.empty(0, np.int32)])
    with pytest.raises(ValueError, match="no rows"):
        check(tree, empty, "sql")
    table = Table(SIMPLE, [np.array([1.0]), np.array([0], dtype=np.int32)])
    monkeypatch.setattr(running.shutil, "which", lambda name: None)
    for to, fault in (("c", "no C compiler"), ("javascript", "no node")):
        with pytest.raises(CannotRun, match=fault):
            check(tree, table, to)
    found = check(tree, table, "sql", dialect="postgresql")
    assert "as it is spelt there, not in postgresql" in str(found) and export.Check is type(found)
