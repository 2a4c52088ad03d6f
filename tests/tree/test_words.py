"""Conditions in words: exact, on one line, and read back by a small parser to the same side."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies_tree import SCHEMA, Leaf, Split, build

from bristlecone.table.schema import ColumnSchema, Kind
from bristlecone.tree import EXACT, LevelSet, Present, Threshold, Wording
from bristlecone.tree.names import padded, percent, rounded_number, shown, shown_level, value_format, width_of, wrapped
from bristlecone.tree.text import FEWEST_DIGITS, digits_apart, label_of

AGE, COLOUR, HIRED, MEMBER, SEEN = SCHEMA.columns


def sides(condition, wording=EXACT):
    return condition.left(wording), condition.right(wording)


@pytest.mark.parametrize(
    ("condition", "left", "right"),
    [
        (Threshold(AGE, 2.5, False), "age < 2.5", "age ≥ 2.5 or missing"),
        (Threshold(AGE, 30.0, True), "age < 30 or missing", "age ≥ 30"),
        (Threshold(AGE, 20250614.5, False), "age < 20250614.5", "age ≥ 20250614.5 or missing"),
        (Threshold(AGE, 0.1 + 0.2, True), "age < 0.30000000000000004 or missing", "age ≥ 0.30000000000000004"),
        (Threshold(MEMBER, 0.5, True), "member is false or missing", "member is true"),
        (Threshold(MEMBER, 1.5, True), "member < 1.5 or missing", "member ≥ 1.5"),
        (Threshold(HIRED, 0.5, True), "hired before 1970-01-02 or missing", "hired on or after 1970-01-02"),
        (Threshold(HIRED, 1.0, True), "hired before 1970-01-02 or missing", "hired on or after 1970-01-02"),
        (Present(AGE), "age is present", "age is missing"),
        (LevelSet(COLOUR, ("red",), ("blue", 7), True), "colour is red or missing", "colour is blue or 7"),
        (LevelSet(COLOUR, ("red", "blue"), (), False), "colour is red or blue", "colour is missing"),
        (LevelSet(COLOUR, ("", "a, b"), (7, "7"), True), 'colour is "" or "a, b" or missing', 'colour is 7 or "7"'),
    ],
)
def test_both_sides(condition, left, right):
    assert sides(condition) == (left, right)


def test_datetimes_print_as_datetimes():
    seconds = 1_000_000.0
    assert Threshold(SEEN, 90 * seconds - 0.5, True).right() == "seen on or after 1970-01-01T00:01:30"


def test_dates_beyond_every_calendar_still_print():
    assert Threshold(HIRED, 1e300, False).left() == "hired before 1e+300 days after 1970-01-01"


def test_long_lists_fold_in_pictures_only():
    column = ColumnSchema("shop", Kind.CATEGORY, tuple(f"s{k}" for k in range(40)))
    condition = LevelSet(column, column.levels[:39], column.levels[39:], False)
    assert condition.left(Wording(fold=3)) == "shop is s0, s1, s2 and 36 others"
    assert condition.left().count(",") == 37
    four = LevelSet(column, column.levels[:4], column.levels[4:], False)
    assert four.left(Wording(fold=3)) == "shop is s0, s1, s2 or s3"


@given(st.floats(allow_nan=False, allow_infinity=False), st.booleans())
def test_thresholds_read_back(threshold, missing_left):
    condition = Threshold(AGE, threshold, missing_left)
    for words, sign in zip(sides(condition), "<≥", strict=True):
        said = re.fullmatch(rf"age {sign} (\S+)( or missing)?", words)
        assert float(said[1]) == threshold
        assert bool(said[2]) == (missing_left == (sign == "<"))


@given(st.text())
def test_names_stay_on_one_line_and_apart(name):
    said = shown(name)
    assert len(said.splitlines()) == 1
    if said != name:
        assert said.startswith('"') and said.endswith('"')
        assert said[1:-1].replace('\\"', "").replace("\\\\", "").count('"') == 0
    else:
        assert not said.startswith('"')


@given(st.lists(st.text(), min_size=2, max_size=2, unique=True))
def test_different_names_look_different(names):
    assert shown(names[0]) != shown(names[1])
    assert shown_level(names[0]) != shown_level(names[1])


@given(st.text() | st.integers() | st.floats(allow_nan=False))
@example(2**53 + 1)
@example("-inf")
@example("+NaN")
@example("1_0")
def test_a_level_of_text_never_reads_as_a_number(level):
    said = shown_level(level)
    if isinstance(level, str):
        with pytest.raises(ValueError, match="could not convert"):
            float(said)
    else:
        assert type(level)(said) == level  # a whole number as such: a float does not hold 2^53 + 1


@pytest.mark.parametrize("name", ["new\nline", "a\u2028b", "a\rb", "\u202egnp.exe", "tab\there", "\x00", " lead", ""])
def test_names_that_could_forge_a_line_are_quoted(name):
    assert shown(name).isprintable()
    assert shown(name).startswith('"')


@pytest.mark.parametrize("name", ["x", 'x"&<y>', "a'; --", "</script><b>", "🎄", "👩‍👩‍👧", "日本", "naïve"])
def test_plain_names_are_shown_as_they_are(name):
    assert shown(name) == name


def test_conditions_of_nodes():
    tree = build(Split(1, 0, Split(0, np.inf, Leaf((1, 0)), Leaf((0, 1))), Leaf((2, 2)), True, ((0, True), (5, False))))
    assert tree.condition(0) == LevelSet(COLOUR, ("red",), (7,), True)
    assert tree.condition(1) == Present(AGE)
    for node in (2, -1, 5):
        with pytest.raises(ValueError, match=f"node {node} is not an inner node"):
            tree.condition(node)


@pytest.mark.parametrize(
    ("share", "said"), [(0, "0.0%"), (1e-9, "<0.1%"), (0.0005, "0.1%"), (0.9999, ">99.9%"), (1, "100.0%")]
)
def test_percentages_do_not_round_to_nothing_or_everything(share, said):
    assert percent(share) == said


@pytest.mark.parametrize(
    ("value", "said"), [(3.25, "3.2500"), (3333333.3, "3,333,333"), (1e-9, "1e-09"), (1e15, "1e+15"), (0.0, "0")]
)
def test_values_show_about_five_digits(value, said):
    assert f"{value:{value_format(abs(value))}}" == said


@given(st.text(alphabet="ab 日🎄", max_size=60), st.integers(20, 60))
def test_wrapping_loses_nothing(label, available):
    lines = wrapped(label, "├─ ", "│    ", available)
    assert all(width_of(line) <= available for line in lines)
    said = "".join(line[3 if i == 0 else 5 :] for i, line in enumerate(lines))
    assert said.replace(" ", "") == label.replace(" ", "")


def test_wide_letters_take_two_columns():
    assert width_of("日本") == 4
    assert padded("日", 4) == "日  "


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.048920000000000005, "0.04892"),
        (29500.5, "29500.5"),
        (20250614.5, "20250614.5"),
        (-1234567.891, "-1234568"),
        (0.30000000000000004, "0.3"),
        (1e-320, "1e-320"),
        (1.2345678901e300, "1.235e+300"),
        (-0.0, "0"),
        (np.inf, "inf"),
    ],
)
def test_numbers_in_pictures_have_four_digits_or_are_short(value, said):
    assert rounded_number(value, 4) == said


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=8, unique=True))
def test_no_two_thresholds_of_a_column_are_shown_alike(thresholds):
    tree = Leaf((1, 0))
    for threshold in sorted({t + 0.0 for t in thresholds}, reverse=True):
        tree = Split(0, threshold, Leaf((1, 1)), tree)
    tree = build(tree)
    digits = digits_apart(tree)[0]
    assert FEWEST_DIGITS <= digits <= 17
    asked = np.flatnonzero(tree.children_left >= 0)
    said = {label_of(tree, int(tree.children_left[node]), digits=digits) for node in asked}
    assert len(said) == len(asked)
    rounded = [float(re.search(r"< (\S+)", one)[1]) for one in said]
    assert np.allclose(sorted(rounded), np.sort(tree.threshold[asked]), rtol=1e-3, atol=0)
