"""One row explained: values, sides, missing cells, unknown levels, the counts where it stops."""

import numpy as np
import pandas as pd
import pytest
from strategies_tree import SCHEMA, Leaf, Split, build

from bristlecone.table.columns import Table
from bristlecone.table.schema import ColumnSchema, Kind, Schema

ROOT = Split(
    0,
    2.5,
    Leaf((3, 1)),
    Split(
        1,
        0,
        Split(3, 0.5, Leaf((0, 4)), Split(2, np.inf, Leaf((10, 0)), Leaf((0, 90)))),
        Leaf((2, 2)),
        True,
        ((0, True), (2, False), (3, True), (4, True), (5, True)),
    ),
)


def table(age, colour, hired, member):
    return Table(
        SCHEMA, [np.array([age]), np.array([colour], np.int32), *(np.array([x]) for x in (hired, member, 0.0))]
    )


def test_the_whole_text():
    assert str(build(ROOT).explain(table(3.0, 5, 0.0, 1.0), 0)).splitlines() == [
        "Row 0 gets no (100.0%), learned from 10 training rows.",
        "  1. age is 3, so age ≥ 2.5",
        '  2. colour is 7, so colour is red, "", "a, b" or 7',
        "  3. member is true",
        "  4. hired is 1970-01-01, so hired is present",
        "  Stops at leaf 6.",
        "  Training rows there: no 10",
    ]


def test_missing_cells():
    told = build(ROOT).explain(table(np.nan, -1, np.nan, 1.0), 0)
    assert [step.sentence for step in told.steps] == [
        "age is missing: missing values go with age ≥ 2.5",
        'colour is missing: missing values go with colour is red, "", "a, b" or 7',
        "member is true",
        "hired is missing",
    ]
    assert [step.value for step in told.steps] == [None, None, True, None]
    assert [step.left for step in told.steps] == [False, True, False, False]
    assert told.steps[0].condition == "age ≥ 2.5 or missing"
    assert (told.answer, told.node, told.n_rows) == ("yes", 7, 90)


def test_an_unknown_level_stops():
    told = build(ROOT).explain(table(3.0, 6, 0.0, 1.0), 0)
    assert told.stopped == "Stops at node 2: colour is 2.5, which is not among the levels known there."
    assert told.answer == "yes"
    assert [(c.label, c.rows, c.weight) for c in told.classes] == [("yes", 96, 96.0), ("no", 12, 12.0)]
    assert told.classes[0].fraction == 96 / 108
    unseen = build(ROOT).explain(table(3.0, -2, 0.0, 1.0), 0)
    assert unseen.stopped == "Stops at node 2: colour is unseen level, which is not among the levels known there."


def test_an_unknown_level_takes_the_heavier_branch():
    told = build(ROOT, unseen="heavier").explain(table(3.0, 6, 0.0, 0.0), 0)
    assert told.steps[1].sentence == (
        'colour is 2.5, not known here: goes with the heavier branch, colour is red, "", "a, b" or 7'
    )
    assert told.node == 4


def test_regression():
    tree = build(Split(0, 2.5, Leaf(value=1.5, n=1), Leaf(value=-2.0, n=4)), classes=None)
    told = tree.explain(table(1.0, 0, 0.0, 0.0), 0)
    assert str(told).splitlines()[0] == "Row 0 gets 1.5000, learned from 1 training row."
    assert (told.answer, told.classes) == (1.5, ())


def test_rows_are_counted_from_the_start():
    rows = table(1.0, 0, 0.0, 0.0)
    for row in (-1, 1):
        with pytest.raises(ValueError, match=f"row {row} does not exist: there are 1 rows"):
            build(ROOT).explain(rows, row)


@pytest.mark.parametrize("row", [1.5, None, "0", True, np.True_])
def test_a_row_is_named_by_a_whole_number(row):
    with pytest.raises(TypeError, match="row must be a whole number"):
        build(ROOT).explain(table(1.0, 0, 0.0, 0.0), row)


def test_refusals_name_the_row_that_was_asked_for():
    frame = pd.DataFrame({"age": 3.0, "colour": ["red", "red", "mauve"], "hired": None, "member": True, "seen": None})
    with pytest.raises(ValueError, match=r"^row 2, column 'colour': 'mauve' did not occur"):
        build(ROOT, unseen="error").explain(frame, 2)
    with pytest.raises(ValueError, match=r"^row 1, column 'hired': the value is missing"):
        build(ROOT, missing="error").explain(frame, 1)
    stopped = build(ROOT).explain(frame, 2).stopped
    assert stopped == "Stops at node 2: colour is mauve, which is not among the levels known there."


def test_a_long_level_set_is_counted_after_the_level_of_the_row():
    schema = Schema((ColumnSchema("city", Kind.CATEGORY, tuple(f"c{i:04}" for i in range(2500))),))
    sides = tuple((i, i < 2452) for i in range(2500))
    tree = build(Split(0, np.nan, Leaf((9, 1)), Leaf((1, 2)), sides=sides), schema=schema)
    step = tree.explain(pd.DataFrame({"city": ["c2000"]}), 0).steps[0]
    assert step.sentence == "city is c2000, so city is one of 2,452 levels"
    assert step.condition.endswith("c2450 or c2451")
    missing = tree.explain(pd.DataFrame({"city": [None]}), 0).steps[0]
    assert missing.sentence == "city is missing: missing values go with city is c2452, c2453, c2454 and 45 others"
