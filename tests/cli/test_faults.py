"""What the user got wrong, in one line."""

import pytest

from bristlecone.cli.faults import Fault, check_name, listed, named, one_line, plain, quoted, unknown_name


def test_near_names_are_suggested():
    told = str(unknown_name("incom", ["age", "income", "Income tax"], "people.csv"))
    assert told == "no column 'incom' in people.csv; did you mean 'income' or 'Income tax'?"


def test_case_and_blanks_do_not_hide_a_name():
    assert "did you mean ' Age '" in str(unknown_name("age", [" Age ", "zip"], "people.csv"))


def test_far_names_are_answered_with_the_columns():
    assert str(unknown_name("q", ["age", "zip"], "a.csv")) == "no column 'q' in a.csv; its columns are 'age', 'zip'"


def test_many_columns_are_not_all_listed():
    assert str(unknown_name("q", [f"column {i}" for i in range(1000)], "a.csv")).endswith("and 994 more")


def test_c57_a_name_cannot_forge_a_line():
    assert one_line("no column 'a\nb'") == "no column 'a b'"
    assert plain("new\nline\x1b[31m") == "new\\nline\\x1b[31m"
    assert quoted("é – 日本") == "'é – 日本'"


def test_repeated_and_comma_separated_names():
    names = ["id", "date", "a,b", "x"]
    assert named(["id,date", "x"], names, "f") == ("id", "date", "x")
    assert named(["a,b"], names, "f") == ("a,b",)
    assert named(["id", "id, x"], names, "f") == ("id", "x")
    with pytest.raises(Fault, match="no column 'dat' in f; did you mean 'date'"):
        named(["id,dat"], names, "f")
    with pytest.raises(Fault, match="no column 'p,q'"):
        named(["p,q"], names, "f")


def test_check_name():
    assert check_name("x", ["x"], "f") == "x"
    with pytest.raises(Fault):
        check_name("y", ["x"], "f")


def test_listed():
    assert listed([1, 2], most=2) == "'1', '2'"
    assert listed(range(3), most=2) == "'0', '1' and 1 more"
