"""The text drawing: whole trees as people see them, and what holds for every drawing."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_tree import SCHEMA, Leaf, Split, build, staircase, trees

from bristlecone.table.schema import ColumnSchema, Kind, Schema
from bristlecone.tree import Tree, draw
from bristlecone.tree.names import width_of

MIXED = Split(
    0,
    2.5,
    Leaf((30, 10)),
    Split(
        1,
        0,
        Split(3, 0.5, Leaf((0, 40)), Leaf((100, 900))),
        Leaf((20, 20)),
        False,
        ((0, True), (1, True), (2, False), (3, True), (4, True), (5, True)),
        True,
    ),
)

PICTURE = """\
                                              rows  of all    answer   share
all rows                                     1,120  100.0%    yes      86.6%
├─ age < 2.5                                    40    3.6%  → no       75.0%
└─ age ≥ 2.5                                 1,080   96.4%    yes      88.9%
   ├─ colour is red, green, "" and 2 others  1,040   92.9%    yes      90.4%
   │  ├─ member is false                        40    3.6%  → yes     100.0%
   │  └─ member is true                      1,000   89.3%  → yes      90.0%
   └─ colour is blue or missing                 40    3.6%  → no       50.0%

A missing value follows the heavier branch (on a tie the upper one) unless one says "or missing".
A level that neither branch names stops there and gets that node's answer."""

REGRESSION = """\
                                  rows  of all       mean
all rows                         2,004  100.0%    332,668
├─ hired before 1971-01-01           4    0.2%        → 3
└─ hired on or after 1971-01-01  2,000   99.8%  → 333,333

A missing value follows the heavier branch (on a tie the upper one) unless one says "or missing"."""


def test_a_classification_tree():
    tree = build(MIXED)
    assert draw(tree) == PICTURE
    assert str(tree) == PICTURE


def test_folding_counts_what_it_hides():
    lines = draw(build(MIXED), max_depth=2).splitlines()
    assert lines[4] == '   ├─ colour is red, green, "" and 2 others  1,040   92.9%    yes     90.4%  … 2 leaves below'
    assert "2 of 4 leaves are folded; a larger depth shows them." in lines
    assert len(draw(build(MIXED), max_depth=0).splitlines()) == 4  # nothing asked, no rules to tell


def test_details():
    none = ((),) * 6
    runners = (((3, 0.5, (), 0.125), (1, np.nan, (0, 3), 0.0625)), *none)
    text = draw(build(MIXED, runners=runners), details=True, width=120)
    assert "│   node 0, gini 0.231983, gain 0.0281144, missing goes right\n│   rows: yes 970, no 150\n" in text
    assert "│   next best: member is false (gain 0.125)\n" in text
    assert '│   next best: colour is red or "" (gain 0.0625)\n' in text
    assert "missing goes right, level set chosen by heuristic" in text


def test_a_regression_tree():
    tree = build(Split(2, 364.5, Leaf(value=3.25, n=4), Leaf(value=1e6 / 3, n=2000)), classes=None)
    assert draw(tree) == REGRESSION


def test_weights_get_a_column_only_when_they_are_not_rows():
    tree = build(MIXED, weight=0.5)
    assert "weight" not in draw(tree)
    fields = tree.__getstate__() | {"schema": SCHEMA}
    weight = np.array(tree.weighted_n_node_samples)
    at, more = len(weight) - 1, weight[-1]
    while at >= 0:  # the last leaf weighs twice, and so much more all above it
        weight[at] += more
        above = np.flatnonzero((tree.children_left == at) | (tree.children_right == at))
        at = int(above[0]) if len(above) else -1
    weighted = draw(Tree(**(fields | {"weighted_n_node_samples": weight})))
    assert weighted.splitlines()[0].split() == ["rows", "weight", "of", "all", "answer", "share"]


def test_c55_one_feature_and_root_only():
    one = Schema((ColumnSchema("x", Kind.NUMERIC),))
    assert "x < 0.5" in draw(build(Split(0, 0.5, Leaf((1, 0)), Leaf((0, 1))), schema=one))
    assert draw(build(Leaf((3, 4)))).splitlines() == [
        "          rows  of all    answer  share",
        "all rows     7  100.0%  → yes     57.1%",
    ]


def test_c55_depth_3000():
    tree = staircase(3000)
    text = draw(tree, max_depth=None)
    lines = text.splitlines()
    assert sum(" < " in line for line in lines) == 3000
    assert max(map(len, lines)) < 150
    assert any(line.startswith("⋯2999") for line in lines)
    assert "2,994 of 3,001 leaves are folded" not in draw(tree, max_depth=None)
    assert "… 2,995 leaves below" in draw(tree)


NASTY = ("new\nline", 'x"&<y>', "</script><b>", "a'; --", "🎄", "a\u2028b")


@pytest.mark.parametrize("name", NASTY)
def test_c57_names_forge_no_line(name):
    schema = Schema((ColumnSchema(name, Kind.NUMERIC), ColumnSchema("c", Kind.CATEGORY, NASTY)))
    root = Split(0, 0.5, Leaf((1, 0)), Split(1, 0, Leaf((0, 3)), Leaf((2, 0)), False, ((0, True), (5, False))))
    text = draw(build(root, schema=schema, classes=(name, "other")), max_depth=None, details=True)
    plain = draw(build(root, schema=Schema((ColumnSchema("x", Kind.NUMERIC), *schema.columns[1:]))), details=True)
    assert len(text.splitlines()) == len(plain.splitlines())


def test_a_long_name_wraps_and_is_never_cut():
    name = "the number of days between the first call and the signature of the contract " * 3
    tree = build(Split(0, 0.5, Leaf((1, 0)), Leaf((0, 1))), schema=Schema((ColumnSchema(name.strip(), Kind.NUMERIC),)))
    text = draw(tree, width=60)
    assert max(map(width_of, text.splitlines()[:-2])) <= 60
    assert " ".join(text.split()).count("signature") == 6


@given(trees(), st.none() | st.integers(0, 3), st.integers(40, 200), st.booleans())
def test_every_drawing_has_its_nodes_and_keeps_its_columns(tree, max_depth, width, details):
    lines = draw(tree, max_depth=max_depth, width=width, details=details).splitlines()
    shown = tree.depth <= (tree.max_depth if max_depth is None else max_depth)
    assert sum("├─ " in line or "└─ " in line for line in lines) == int(shown.sum()) - 1
    assert sum("→" in line for line in lines) == int((shown & (tree.children_left < 0)).sum())


@pytest.mark.parametrize(
    ("criterion", "head"), [("squared_error", "mean"), ("absolute_error", "median"), ("poisson", "mean")]
)
def test_the_column_of_answers_says_what_they_are(criterion, head):
    tree = build(Split(0, 0.5, Leaf(value=1.0), Leaf(value=2.0)), classes=None)
    tree = Tree(**{field.name: getattr(tree, field.name) for field in fields(tree)} | {"criterion": criterion})
    assert draw(tree).splitlines()[0].split()[-1] == head


def test_bad_options():
    tree = build(Leaf((1, 0)))
    with pytest.raises(ValueError, match="max_depth must be None or at least 0, got -1"):
        draw(tree, max_depth=-1)
    with pytest.raises(ValueError, match="width must be at least 40, got 10"):
        draw(tree, width=10)
