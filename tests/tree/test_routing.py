"""The compiled walk against its slow twin, and one traversal behind predict, paths and explanations."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.route import route
from strategies_tree import LEVELS, SCHEMA, Leaf, Split, build, staircase, tables, trees

from bristlecone.table.columns import Table


@st.composite
def trees_and_columns(draw):
    tree = draw(trees())
    return tree, draw(tables(tree))


@given(trees_and_columns(), st.sampled_from([1, 3]))
def test_router_walks_as_its_twin(case, n_threads):
    tree, columns = case
    routing = tree.route(Table(SCHEMA, columns), n_threads)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    walked = [route(tree, row) for row in rows]
    assert routing.nodes.tolist() == [path[-1] for path, _ in walked]
    assert routing.n_unseen == sum(met for _, met in walked)


@given(trees_and_columns())
def test_c15_one_traversal(case):
    """The path ends where apply stops, predict reads that node, the explanation tells the same path."""
    tree, columns = case
    table = Table(SCHEMA, columns)
    nodes, path = tree.apply(table), tree.decision_path(table)
    assert path.shape == (table.n_rows, tree.n_nodes)
    for row in range(table.n_rows):
        visited = path[[row]].indices.tolist()
        told = tree.explain(table, row)
        assert visited == route(tree, [column[row].item() for column in columns])[0]
        assert visited[-1] == nodes[row] == told.node
        assert [step.node for step in told.steps] == visited[:-1]
        assert told.answer == tree.predict(table)[row]
    if tree.classes is not None:
        np.testing.assert_allclose(tree.predict_proba(table), tree.value[nodes, 0], rtol=1e-14)


def test_threshold_and_its_neighbours():
    tree = build(Split(0, 0.1, Leaf((1, 0)), Leaf((0, 1))))
    cells = np.array([np.nextafter(0.1, 0), 0.1, np.nextafter(0.1, 1)])
    table = Table(SCHEMA, [cells, np.zeros(3, np.int32), *[np.zeros(3)] * 3])
    assert tree.apply(table).tolist() == [1, 2, 2]


def colour_tree(unseen="stop"):
    return build(Split(1, 0, Leaf((8, 0)), Leaf((0, 4)), True, ((0, True), (2, False))), unseen=unseen)


def colours(*codes):
    n = len(codes)
    return Table(SCHEMA, [np.zeros(n), np.array(codes, np.int32), *[np.zeros(n)] * 3])


@pytest.mark.parametrize(("unseen", "nodes"), [("stop", [0, 0, 1, 2]), ("heavier", [1, 1, 1, 2])])
def test_unseen_and_absent_levels_follow_the_rule(unseen, nodes):
    tree = colour_tree(unseen)
    routing = tree.route(colours(-2, 5, -1, 2))
    assert routing.nodes.tolist() == nodes
    assert routing.n_unseen == 2


def test_a_walk_that_stops_answers_with_its_node():
    tree = colour_tree()
    assert tree.predict_proba(colours(-2))[0].tolist() == [8 / 12, 4 / 12]
    assert tree.predict(colours(-2)).tolist() == ["no"]


def test_refusals_name_row_and_column():
    with pytest.raises(ValueError, match="row 1, column 'colour': unseen level did not occur in training"):
        colour_tree("error").apply(colours(0, -2))
    with pytest.raises(ValueError, match=r"row 0, column 'colour': 2.5 did not occur .* at the node"):
        colour_tree("error").apply(colours(LEVELS.index(2.5)))
    frame = pd.DataFrame({"age": 1.0, "colour": ["red", "mauve"], "hired": None, "member": True, "seen": None})
    with pytest.raises(ValueError, match=r"row 1, column 'colour': 'mauve' did not occur in training.*='error'"):
        colour_tree("error").apply(frame)
    numeric = build(Split(0, 1.0, Leaf((1, 0)), Leaf((0, 1))), missing="error")
    table = Table(SCHEMA, [np.array([0.0, np.nan]), np.zeros(2, np.int32), *[np.zeros(2)] * 3])
    with pytest.raises(ValueError, match="row 1, column 'age': the value is missing"):
        numeric.predict(table)


def test_c55_depth_does_not_matter():
    tree = staircase(20_000)
    x = np.array([[0.0], [12_345.0], [1e9]])
    assert tree.max_depth == 20_000
    assert tree.apply(x).tolist() == [1, 2 * 12_345 + 1, 40_000]
    assert np.diff(tree.decision_path(x).indptr).tolist() == [2, 12_347, 20_001]
    assert tree.counts[0].tolist() == [2 * 20_000 + 1, 20_000 + 2]
    assert len(tree.explain(x, 2).steps) == 20_000


def test_no_rows():
    table = Table(SCHEMA, [np.zeros(0), np.zeros(0, np.int32), *[np.zeros(0)] * 3])
    tree = colour_tree()
    assert tree.apply(table).shape == (0,)
    assert tree.predict_proba(table).shape == (0, 2)
    assert tree.decision_path(table).shape == (0, 3)
