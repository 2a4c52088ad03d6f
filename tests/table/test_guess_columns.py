"""Guesses: the two doubts that matter, raised where they are due and nowhere else."""

import narwhals as nw
import numpy as np
import polars as pl
import pytest

from bristlecone.table import Doubt, Kind, guess_columns, read_file


def guess(values, name="x", leading_zeros=()):
    (found,) = guess_columns(nw.from_native(pl.DataFrame({name: values}), eager_only=True), leading_zeros)
    return found


def test_facts_are_counted():
    found = guess(["a", "b", None, "a"])
    assert (found.name, found.kind, found.n_distinct, found.n_missing) == ("x", Kind.CATEGORY, 2, 1)
    assert not found.doubt
    assert guess([1.5, float("nan"), None]).n_missing == 2


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([-3, 0, 15, 50] * 20, "class"),
        ([20, 30, 60, 120, 190] * 12, "MSSubClass"),
        ([90210, 10001, 60601, 60601] * 3, "zip"),
        ([90210, 10001, 60601, 60601] * 3, "homeZipCode"),
        ([1.0, 2.0, 3.0, 3.0], "dept_id"),
    ],
)
def test_numbers_that_look_like_codes(values, name):
    found = guess(values, name)
    assert found.doubt is Doubt.CODES
    assert found.reason


def test_leading_zeros_look_like_codes(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("plain,padded\n7,007\n8,010\n0,100\n")
    plain, padded = read_file(path).guesses
    assert (plain.doubt, padded.doubt) == (Doubt.NONE, Doubt.CODES)
    assert padded.reason == "numbers with leading zeros"


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (list(range(1, 101)) * 5, "age"),
        ([0, 1] * 40, "flag"),
        ([3, 4, 5, 6, 7, 8] * 20, "quality"),
        ([0.5, 1.5, 80.0] * 40, "width"),
        (np.random.default_rng(0).normal(size=100), "identity"),
        (np.random.default_rng(0).integers(0, 10**6, 300), "income"),
        ([None] * 30, "empty"),
        ([5, 90, 400], "few"),
        ([0, 10, 20, 30] * 40, "dose"),
        ([0, 1, 2, 3, 4, 999] * 40, "days"),
        ([float("inf"), float("nan"), 1.0, 90.0] * 10, "infinite"),
    ],
)
def test_numbers_without_doubt(values, name):
    assert guess(values, name).doubt is Doubt.NONE


def test_identifiers():
    names = [f"person {i}" for i in range(50)]
    assert guess(names).doubt is Doubt.IDENTIFIER
    assert guess([*names, *names[:5]]).doubt is Doubt.IDENTIFIER
    assert guess([*names, *names[:10]]).reason == "40 of 60 cells hold a value of their own"
    assert guess([*names, *names[:17]]).doubt is Doubt.NONE
    assert guess(names[:10]).doubt is Doubt.NONE
    assert guess(list(range(1, 101)), "rownames").doubt is Doubt.IDENTIFIER
    assert guess([7 * i + i % 3 for i in range(100)], "customer_id").doubt is Doubt.IDENTIFIER


def test_columns_that_cannot_be_counted_are_left_to_the_table():
    assert guess([{"a": 1}, {"a": 2}]).name == "x"
    assert guess([[1], [2]]).kind is Kind.CATEGORY
