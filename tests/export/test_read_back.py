"""Drawings, SQL of every dialect and ONNX, read back: the very splits of the tree, to the last bit, and its answers.

Rules are read back in test_rules.py, PMML in test_pmml.py, JSON in test_other_texts.py.
"""

import numpy as np
import pytest
from probes import FLOATS, NAMED, WORDS, random_tree
from strategies_tree import Leaf, Split, build, staircase
from tight import tight_tree

from bristlecone.export import onnx, sql, text
from bristlecone.export.answers import stops_of
from bristlecone.export.dialects import DIALECTS
from bristlecone.table.schema import ColumnSchema, Kind, Schema
from bristlecone.tree.names import shown_class

pytest.importorskip("sqlglot")
from reference.drawing import read_drawing
from reference.read_back import OnnxTree, read_sql, said_by_stop, splits_of

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


def answers_in(tree):
    """By stop the answer, and the shares of the classes or None, as a reader gives them."""
    stops = stops_of(tree)
    shares = [None] * len(stops) if tree.classes is None else tree.fractions_at(stops).tolist()
    return dict(zip(stops.tolist(), zip(tree.answers_at(stops).tolist(), shares, strict=True), strict=True))


def same_drawing(tree):
    nodes, found = read_drawing(text(tree, width=10**6), tree.schema)
    assert found == splits_in(tree)
    answer = (lambda v: "") if tree.classes is None else (lambda v: shown_class(tree.classes, tree.label[v]))
    for v, (depth, rows, leaf, said) in enumerate(nodes):
        assert (depth, rows, leaf) == (tree.depth[v], tree.n_node_samples[v], tree.children_left[v] < 0)
        assert said.startswith(answer(v))


def test_drawings_read_back_to_the_splits_the_rows_and_the_answers():
    for seed in range(200):
        same_drawing(tight_tree(seed, NAMED))
        same_drawing(random_tree(seed, SCHEMA))
    same_drawing(staircase(300))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_sql_reads_back_to_the_splits_and_the_answers(dialect):
    for seed in range(60):
        tree = random_tree(seed, SCHEMA, unseen="stop")
        query = read_sql(sql(tree, dialect=dialect, probabilities=tree.classes is not None), dialect)
        found, root = splits_of(query["leaf_id"], SCHEMA)
        assert root == 0 and found == splits_in(tree)
        assert said_by_stop(query, tree.classes) == answers_in(tree)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_double_is_written_exactly(dialect):
    for value in (*FLOATS, -FLOATS[3], 2.0**-1000, 123456789.123456789, 1e15, 1e16 + 2):
        tree = build(Split(0, value, Leaf((1, 0)), Leaf((0, 1)), True), schema=SCHEMA)
        assert splits_of(read_sql(sql(tree, dialect=dialect), dialect)["leaf_id"], SCHEMA)[0] == splits_in(tree)


def test_a_deep_tree_reads_back():
    tree = staircase(1000)
    assert splits_of(read_sql(sql(tree), "ansi")["leaf_id"], tree.schema)[0] == splits_in(tree)


def test_onnx_reads_back_to_the_splits_and_the_answers():
    pytest.importorskip("onnx")
    for seed in range(200):
        tree = random_tree(seed, SCHEMA, unseen="stop", splits=20)
        if tree.n_nodes > 1:
            read = OnnxTree(onnx(tree), tree.schema)
            found, root = read.splits()
            assert root == 0 and found == splits_in(tree)
            assert read.said == answers_in(tree)
