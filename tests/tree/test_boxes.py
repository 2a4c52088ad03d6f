"""Boxes of nodes: a row is in the box of a node exactly if it passes it, and words say so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_tree import SCHEMA, Leaf, Split, build, possible, staircase, tables, trees

from bristlecone.table.columns import Table
from bristlecone.tree.boxes import boxes, stops, words


@given(st.data(), trees())
def test_a_row_is_in_the_boxes_of_the_nodes_that_it_passes(data, tree):
    cells = possible(data.draw(tables(tree)))
    found = dict(boxes(tree))
    assert list(found) == list(range(tree.n_nodes))
    passed = tree.decision_path(Table(SCHEMA, cells)).toarray()
    for node, box in found.items():
        inside = np.ones(len(cells[0]), dtype=bool)
        for column, side in box.items():
            inside &= side.holds(cells[column])
            if side.empty:
                assert not side.holds(cells[column]).any()
        assert inside.tolist() == passed[:, node].astype(bool).tolist()


@given(st.data(), trees())
def test_a_row_is_in_the_box_of_the_one_stop_where_it_stops(data, tree):
    cells = possible(data.draw(tables(tree)))
    found = dict(stops(tree))
    assert list(found) == sorted(found)
    inside = {node: np.ones(len(cells[0]), dtype=bool) for node in found}
    for node, box in found.items():
        for column, side in box.items():
            inside[node] &= side.holds(cells[column])
    where = tree.apply(Table(SCHEMA, cells)).tolist()
    assert [[node for node, fits in inside.items() if fits[i]] for i in range(len(where))] == [[n] for n in where]


def said(root, leaf, **choices):
    tree = build(root, **choices)
    return list(words(tree, dict(boxes(tree))[leaf]))


A, B, C = Leaf((3, 1)), Leaf((1, 3)), Leaf((2, 2))


@pytest.mark.parametrize(
    ("root", "leaf", "expected"),
    [
        (Split(0, 5.0, Split(0, 2.0, A, B), C), 2, ["age < 2"]),
        (Split(0, 5.0, Split(0, 2.0, A, B), C), 3, ["2 ≤ age < 5"]),
        (Split(0, 5.0, Split(0, 2.0, A, B, True), C, True), 2, ["age < 2 or missing"]),
        (Split(0, 5.0, Split(0, 2.0, A, B), C, True), 3, ["2 ≤ age < 5 or missing"]),
        (Split(2, 5.0, Split(2, 2.0, A, B), C), 3, ["hired on or after 1970-01-03 and before 1970-01-06"]),
        (Split(3, 0.5, A, B), 2, ["member is true or missing"]),
        (Split(0, np.inf, A, B), 1, ["age is present"]),
        (Split(0, np.inf, A, B), 2, ["age is missing"]),
        (Split(0, np.inf, A, Split(0, 5.0, B, C)), 3, ["age is never what is asked for"]),
        (Split(1, 0, A, B, False, ((0, True), (1, True), (2, False))), 1, ["colour is red or green"]),
        (
            Split(
                1, 0, Split(1, 0, A, B, False, ((0, True), (1, False))), C, False, ((0, True), (1, True), (2, False))
            ),
            3,
            ["colour is green"],
        ),
        (Split(1, 0, Split(0, 1.0, A, B), C, False, ((0, True), (2, False))), 2, ["colour is red", "age < 1"]),
    ],
)
def test_the_words(root, leaf, expected):
    assert said(root, leaf) == expected


def test_levels_that_take_the_heavier_side_are_told_by_those_that_do_not():
    root = Split(1, 0, Leaf((9, 1)), B, True, ((0, True), (1, False)))
    assert said(root, 1, unseen="heavier") == ["colour is none of green or missing"]
    assert said(root, 2, unseen="heavier") == ["colour is green"]


def test_a_chain_of_questions_is_one_condition():
    tree = staircase(1500)
    assert list(words(tree, dict(boxes(tree))[3])) == ["0.5 ≤ x < 1.5"]
