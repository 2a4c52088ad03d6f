"""SQL of every dialect and ONNX, read back: the very splits of the tree, numbers and levels to the last bit."""

import numpy as np
import pytest
from probes import FLOATS, WORDS, random_tree
from strategies_tree import Leaf, Split, build, staircase

from bristlecone.export import onnx, sql
from bristlecone.export.dialects import DIALECTS
from bristlecone.table.schema import ColumnSchema, Kind, Schema

pytest.importorskip("sqlglot")
from reference.read_back import OnnxTree, read_sql, splits_of

SCHEMA = Schema(
    (
        ColumnSchema("x", Kind.NUMERIC),
        ColumnSchema('y "net"', Kind.NUMERIC),
        ColumnSchema("word", Kind.CATEGORY, WORDS),
        ColumnSchema("code", Kind.CATEGORY, (3, 1, 2)),
        ColumnSchema("share", Kind.CATEGORY, (0.1, 1 / 3, 2.0)),
    )
)


def splits_in(tree):
    """The splits of a tree, as a reader gives them."""
    found = {}
    for node in np.flatnonzero(tree.children_left >= 0).tolist():
        column = tree.schema.columns[tree.feature[node]]
        asked = tree.threshold[node]
        if column.categorical:
            condition = tree.condition(node)
            asked = frozenset(condition.left_levels), frozenset(condition.right_levels)
        sides = int(tree.children_left[node]), int(tree.children_right[node])
        found[node] = (column.name, *sides, bool(tree.missing_go_to_left[node]), asked)
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_sql_reads_back_to_the_splits(dialect):
    for seed in range(60):
        tree = random_tree(seed, SCHEMA, unseen="stop")
        found, root = splits_of(read_sql(sql(tree, dialect=dialect), dialect), SCHEMA)
        assert root == 0 and found == splits_in(tree)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_double_is_written_exactly(dialect):
    for value in (*FLOATS, -FLOATS[3], 2.0**-1000, 123456789.123456789, 1e15, 1e16 + 2):
        tree = build(Split(0, value, Leaf((1, 0)), Leaf((0, 1)), True), schema=SCHEMA)
        assert splits_of(read_sql(sql(tree, dialect=dialect), dialect), SCHEMA)[0] == splits_in(tree)


def test_a_deep_tree_reads_back():
    tree = staircase(1000)
    assert splits_of(read_sql(sql(tree), "ansi"), tree.schema)[0] == splits_in(tree)


def test_onnx_reads_back_to_the_splits():
    pytest.importorskip("onnx")
    for seed in range(200):
        tree = random_tree(seed, SCHEMA, unseen="stop", splits=20)
        if tree.n_nodes > 1:
            found, root = OnnxTree(onnx(tree), tree.schema).splits()
            assert root == 0 and found == splits_in(tree)
