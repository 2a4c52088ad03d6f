"""SQL, run by SQLite (and DuckDB where there is one): the same answers as the tree."""

import dataclasses
import datetime
import math
import sqlite3

import numpy as np
import pytest
from export.postgres import server_or_skip
from hypothesis import given
from hypothesis import strategies as st
from probes import NAMED, expected, probes, random_tree
from strategies_tree import Leaf, Split, build, staircase

from bristlecone.export import sql
from bristlecone.export.dialects import DIALECTS, dialect_named
from bristlecone.table.schema import ColumnSchema, Kind, Schema

TYPES = {
    "sqlite": {Kind.NUMERIC: "REAL", Kind.BOOLEAN: "INTEGER", Kind.DATE: "TEXT", Kind.DATETIME: "TEXT"},
    "duckdb": {Kind.NUMERIC: "DOUBLE", Kind.BOOLEAN: "BOOLEAN", Kind.DATE: "DATE", Kind.DATETIME: "TIMESTAMP"},
    "postgresql": {
        Kind.NUMERIC: "DOUBLE PRECISION",
        Kind.BOOLEAN: "BOOLEAN",
        Kind.DATE: "DATE",
        Kind.DATETIME: "TIMESTAMP",
    },
}
LEVELS = {
    "sqlite": {str: "TEXT", int: "INTEGER", float: "REAL", datetime.date: "TEXT"},
    "duckdb": {str: "VARCHAR", int: "BIGINT", float: "DOUBLE", datetime.date: "DATE"},
    "postgresql": {str: "TEXT", int: "BIGINT", float: "DOUBLE PRECISION", datetime.date: "DATE"},
}


def type_in(dialect, column):
    if column.categorical:
        return LEVELS[dialect][type(column.levels[0])]
    kind = TYPES[dialect][column.kind]
    return "TIMESTAMPTZ" if dialect != "sqlite" and column.unit == "us UTC" else kind


def adapted(dialect, cell):
    if dialect == "sqlite" and isinstance(cell, datetime.date):
        return cell.isoformat(" ") if isinstance(cell, datetime.datetime) else cell.isoformat()
    return cell


@pytest.fixture(scope="session")
def server():
    running = server_or_skip()
    yield running
    running.close()


@pytest.fixture(params=["sqlite", "duckdb", "postgresql"])
def engine(request):
    """A dialect that can be run, and how to open a database of it."""
    if request.param == "postgresql":
        return request.param, request.getfixturevalue("server").connect
    library = sqlite3 if request.param == "sqlite" else pytest.importorskip("duckdb")
    return request.param, lambda: library.connect(":memory:")


def filled(dialect, tree, rows, connect=lambda: sqlite3.connect(":memory:")):
    """A database whose table `data` holds the rows, with their number in front."""
    database = connect()
    quote = DIALECTS[dialect].identifier
    columns = ", ".join(f"{quote(column.name)} {type_in(dialect, column)}" for column in tree.schema.columns)
    database.execute("DROP TABLE IF EXISTS data")
    database.execute(f"CREATE TABLE data (place INTEGER, {columns})")
    marks = ", ".join(["%s" if dialect == "postgresql" else "?"] * (len(tree.schema) + 1))
    given = [[i, *(adapted(dialect, cell) for cell in row)] for i, row in enumerate(rows)]
    database.cursor().executemany(f"INSERT INTO data VALUES ({marks})", given)
    return database


def answers(database, tree, dialect, n_columns, **choices):
    query = sql(tree, dialect=dialect, **choices)
    rows = sorted(database.execute(query).fetchall(), key=lambda row: row[0])
    return [row[1 + n_columns :] for row in rows]


def agree(engine, seed):
    dialect, connect = engine
    tree = random_tree(seed)
    table, rows = probes(tree, seed)
    database = filled(dialect, tree, rows, connect)
    nodes, labels, shares = expected(tree, table)
    found = answers(database, tree, dialect, len(tree.schema), probabilities=tree.classes is not None)
    assert [node for node, *_ in found] == nodes.tolist()
    assert [answer for _, answer, *_ in found] == labels.tolist()
    if shares is not None:
        assert np.array_equal([given for _, _, *given in found], shares)
    database.close()


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_two_hundred_random_trees_in_each_database(engine, start):
    n_trees = 50 if engine[0] == "sqlite" else 5
    for seed in range(start, start + n_trees):
        agree(engine, seed)


@pytest.mark.slow
def test_two_hundred_random_trees_in_databases_that_take_longer(engine):
    for seed in range(200) if engine[0] != "sqlite" else ():
        agree(engine, seed)


def test_refused_rows_are_null(engine):
    dialect, connect = engine
    tree = random_tree(3, unseen="error", missing="error", splits=20, regression=False)
    table, rows = probes(tree, 3)
    database = filled(dialect, tree, rows, connect)
    found = answers(database, tree, dialect, len(tree.schema), probabilities=True)
    database.close()
    refused = 0
    for i, (node, *rest) in enumerate(found):
        try:
            assert tree.apply(table.take([i]))[0] == node
        except ValueError:
            refused += 1
            assert node is None and not any(cell is not None for cell in rest)
    assert 10 < refused < len(rows) - 10


def test_nan_is_missing_where_a_database_stores_it(engine):
    dialect, connect = engine
    schema = Schema((ColumnSchema("x", Kind.NUMERIC), ColumnSchema("c", Kind.CATEGORY, (0.5, 1.5))))
    by_level = Split(1, math.nan, Leaf((1, 0)), Leaf((0, 1)), True, ((0, False), (1, False)))
    tree = build(Split(0, 2.0, Split(0, math.inf, Leaf((2, 0)), by_level), Leaf((0, 3)), True), schema=schema)
    rows = [[x, c] for x in (math.nan, None, 1.0, 3.0) for c in (math.nan, None, 0.5, 9.0)]
    database = filled(dialect, tree, rows, connect)
    found = [node for node, *_ in answers(database, tree, dialect, 2)]
    database.close()
    X = [[math.nan if cell is None else cell for cell in row] for row in rows]
    assert found == tree.apply(np.array(X)).tolist()


@pytest.mark.parametrize("depth", [0, 1, 1200, 5000])
def test_c55_deep_trees_meet_no_limit_of_nesting(engine, depth):
    dialect, connect = engine
    tree = staircase(depth)
    xs = [None, -1.0, 0.5, *(float(x) for x in range(0, depth + 2, max(1, depth // 7)))]
    database = filled(dialect, tree, [[x] for x in xs], connect)
    found = [node for node, *_ in answers(database, tree, dialect, 1)]
    assert found == tree.apply(np.array(xs, dtype=float)[:, None]).tolist()
    database.close()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_in_sqlite_is_that_double(value):
    said = dialect_named("sqlite").number(value)
    (found,) = DATABASE.execute(f"SELECT {said}").fetchone()
    assert float(found).hex() == (value + 0.0).hex() or (found == 0 and value == 0)


DATABASE = sqlite3.connect(":memory:")


def test_c11_large_whole_numbers_are_written_in_full():
    X, y = np.array([[20250614]] * 6 + [[20250615]] * 12), np.array([1] * 6 + [0] * 12)
    from bristlecone.grow import cart

    tree = cart(X, y)
    for dialect in DIALECTS:
        assert "20250614.5" in sql(tree, dialect=dialect)
    database = filled("sqlite", tree, X.tolist())
    assert [answer for _, answer in answers(database, tree, "sqlite", 1)] == y.tolist()


def test_c32_labels_in_any_order():
    from bristlecone.grow import cart

    X = np.arange(10.0)[:, None]
    for labels in (("z", "a", "m"), (9, 1, 5), ("long label", "b", "ccc"), (2.5, -1.5, 0.1)):
        y = np.array([labels[0]] * 2 + [labels[1]] * 5 + [labels[2]] * 3)
        classes, codes = np.unique(y, return_inverse=True)
        tree = dataclasses.replace(cart(X, codes), classes=classes)  # growth refuses classes such as 2.5
        database = filled("sqlite", tree, X.tolist())
        assert [answer for _, answer in answers(database, tree, "sqlite", 1)] == y.tolist()
    tree = cart(X, np.arange(10) > 4)
    database = filled("sqlite", tree, X.tolist())
    assert [bool(answer) for _, answer in answers(database, tree, "sqlite", 1)] == [x > 4 for x in range(10)]


def test_new_columns_may_not_bear_the_names_of_old_ones():
    schema = Schema((ColumnSchema("Prediction", Kind.NUMERIC), ColumnSchema("leaf_id", Kind.NUMERIC)))
    tree = build(Split(0, 1.0, Leaf((1, 0)), Leaf((0, 1))), schema=schema)
    with pytest.raises(ValueError, match="two columns 'leaf_id'"):
        sql(tree)
    with pytest.raises(ValueError, match="two columns 'prediction'"):
        sql(tree, leaf_id="leaf")
    database = filled("sqlite", tree, [[0.0, 0.0]])
    found = answers(database, tree, "sqlite", 2, leaf_id='le"af', prediction="answer; --")
    assert found == [(1, "no")]


def test_names_that_differ_by_case_only():
    schema = Schema((ColumnSchema("a", Kind.NUMERIC), ColumnSchema("A", Kind.NUMERIC)))
    tree = build(Split(0, 1.0, Split(1, 1.0, Leaf((1, 0)), Leaf((0, 1))), Leaf((0, 1))), schema=schema)
    for dialect in DIALECTS:
        if dialect in ("ansi", "postgresql", "snowflake"):
            assert '"a"' in sql(tree, dialect=dialect) and '"A"' in sql(tree, dialect=dialect)
        else:
            with pytest.raises(ValueError, match=f"the columns 'a' and 'A' have one name in {dialect}"):
                sql(tree, dialect=dialect)


@pytest.mark.parametrize(
    ("levels", "fault"),
    [
        (("1", 1), "cannot mix text and whole levels"),
        ((True, 2.5), "cannot mix boolean and number levels"),
        ((b"x", "y"), "cannot write the level b'x'"),
        ((math.inf, 1.5), "cannot write the level inf"),
        (("a\0", "y"), "zero or half a character"),
        ((2**60, 0.5), "cannot tell whole levels beyond"),
    ],
)
def test_levels_that_cannot_be_said_are_refused(levels, fault):
    schema = Schema((ColumnSchema("c", Kind.CATEGORY, levels),))
    split = Split(0, np.nan, Leaf((1, 0)), Leaf((0, 1)), True, ((0, False), (1, True)))
    with pytest.raises(TypeError, match=fault):
        sql(build(split, schema=schema))


def test_a_column_of_text_that_could_leave_its_quotes_in_each_dialect():
    schema = Schema((ColumnSchema('a"`\\', Kind.CATEGORY, ("o'k", "back\\", "two\nlines")),))
    split = Split(0, np.nan, Leaf((1, 0)), Leaf((0, 1)), True, ((0, False), (1, False), (2, True)))
    tree = build(split, schema=schema)
    expected_texts = {
        "ansi": ["'o''k'", "'back\\'", "'two\nlines'", '"a""`\\"'],
        "postgresql": ["'o''k'", "'back\\'", 'COLLATE "C"', '"a""`\\"'],
        "bigquery": ["'o\\'k'", "'back\\\\'", "'two\\nlines'", '`a"\\`\\\\`'],
        "snowflake": ["'o''k'", "'back\\\\'", "'two\nlines'", '"a""`\\"'],
    }
    for dialect, texts in expected_texts.items():
        assert all(text in sql(tree, dialect=dialect) for text in texts), dialect


def test_a_qualified_table_and_an_unknown_dialect():
    tree = build(Leaf((1, 2)), schema=NAMED)
    assert 'FROM "scores"."new rows" AS source' in sql(tree, table=("scores", "new rows"))
    with pytest.raises(ValueError, match=r"dialect must be one of 'ansi', 'sqlite'.*got 'oracle'"):
        sql(tree, dialect="oracle")


def test_dates_beyond_the_years_of_databases():
    days = Schema((ColumnSchema("d", Kind.DATE, unit="D"),))
    for threshold in (1e300, -1e300, 1e7, -1e7):
        tree = build(Split(0, threshold, Leaf((1, 0)), Leaf((0, 1)), True), schema=days)
        database = filled("sqlite", tree, [[datetime.date(2024, 1, 1)], [None]])
        found = [node for node, _ in answers(database, tree, "sqlite", 1)]
        assert found == [1 if threshold > 0 else 2, 1]


def test_a_column_of_any_number_type_is_compared_as_doubles(server):
    tree = build(Split(0, 0.1, Leaf((1, 0)), Leaf((0, 1))), schema=Schema((ColumnSchema("x", Kind.NUMERIC),)))
    cells = ["0.1", "0.10000000000000000001", "0.09999999999999999999", "0.09", "0.2"]
    database = server.connect()
    for kind in ("NUMERIC", "NUMERIC(30, 20)", "DOUBLE PRECISION", "REAL", "TEXT"):
        database.execute("DROP TABLE IF EXISTS data")
        database.execute(f"CREATE TABLE data (place INTEGER, x {kind})")
        database.cursor().executemany(f"INSERT INTO data VALUES (%s, CAST(%s AS {kind}))", list(enumerate(cells)))
        found = [node for node, *_ in answers(database, tree, "postgresql", 1)]
        held = [float(np.float32(cell)) if kind == "REAL" else float(cell) for cell in cells]
        assert found == tree.apply(np.array(held)[:, None]).tolist(), kind
    database.close()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_column_without_a_name(dialect):
    schema = Schema((ColumnSchema("", Kind.NUMERIC), ColumnSchema("x", Kind.NUMERIC)))
    asked = build(Split(0, 1.0, Leaf((1, 0)), Leaf((0, 1))), schema=schema)
    if dialect == "sqlite":
        database = filled("sqlite", asked, [[0.0, 0.0], [2.0, 0.0]])
        assert [answer for _, answer in answers(database, asked, "sqlite", 2)] == ["no", "yes"]
    else:
        with pytest.raises(TypeError, match=f"the column '' has no name, and none can be called so in {dialect}"):
            sql(asked, dialect=dialect)
    assert sql(build(Split(1, 1.0, Leaf((1, 0)), Leaf((0, 1))), schema=schema), dialect=dialect)
