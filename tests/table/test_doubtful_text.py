"""Cells of a file that may mean something else than they say: read where it is sure, else told."""

import pytest

from bristlecone.table import FileError, read_file


def column(tmp_path, cells, quote=""):
    path = tmp_path / "rows.csv"
    path.write_text("x,y\n" + "".join(f"{quote}{cell}{quote},{k % 3}\n" for k, cell in enumerate(cells)))
    rows = read_file(path)
    return rows.frame["x"], [note for note in rows.notes if "'x'" in note]


NUMBERS = [f"{k / 7:.3f}" for k in range(60)]


@pytest.mark.parametrize("marker", ["#N/A", "<NA>", "\\N", "(null)", "#DIV/0!", "-nan", "#VALUE!"])
def test_what_programs_write_for_no_value_is_missing(tmp_path, marker):
    series, notes = column(tmp_path, [*NUMBERS, *[marker] * 20])
    assert series.dtype.is_float()
    assert series.null_count() == 20
    assert notes == [f"column 'x': read as missing: 20 x {marker!r}"]


@pytest.mark.parametrize("words", [["None"], ["-"], ["missing", "unknown"], ["*"]])
def test_words_among_numbers_are_told(tmp_path, words):
    series, notes = column(tmp_path, [*NUMBERS, *words * 10])
    assert not series.dtype.is_numeric()
    said = " and ".join(map(repr, words))
    assert notes == [
        f"column 'x': all but {said} (row 61) are numbers, but all were read as text; where that means missing, leave "
        "the cells empty"
    ]


def test_names_and_numbers_alike_are_not_told(tmp_path):
    _, notes = column(tmp_path, [*NUMBERS[:20], *[f"A{k}" for k in range(40)]])
    assert notes == []


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["yes", "yes ", "no"], "'yes' and 'yes ' differ in blanks only, and are two"),
        (["New York", "New  York", "b"], "'New York' and 'New  York' differ in blanks only"),
        (["yes", "no", "YES"], "'yes' and 'YES' differ in capitals only, and are two"),
    ],
)
def test_texts_that_nearly_agree_are_told(tmp_path, cells, said):
    series, notes = column(tmp_path, cells * 10)
    assert series.n_unique() == 3
    assert len(notes) == 1
    assert said in notes[0]


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        ("1.234,5{}", "numbers"),
        ("$8{}.42", "amounts"),
        ("8{} €", "amounts"),
        ("EUR 8{}", "amounts"),
        ("-12{}%", "percentages"),
    ],
)
def test_dressed_numbers_are_told(tmp_path, cell, what):
    _, notes = column(tmp_path, [cell.format(k % 10) for k in range(30)], quote='"')
    assert len(notes) == 1
    assert f"{what} are read when written as" in notes[0]


def semicolons(tmp_path, text):
    path = tmp_path / "rows.csv"
    path.write_text(text)
    return read_file(path)


def test_points_that_may_part_thousands_are_told(tmp_path):
    rows = semicolons(tmp_path, "x;y\n5.606;1\n560;2\n12.345;3\n")
    assert rows.frame["x"].to_list() == [5.606, 560.0, 12.345]
    assert list(rows.notes) == [
        "column 'x': '5.606' was read as 5.606, and all cells are so; if points part thousands here, write them without"
    ]
    for cells in ("0.606;1\n560;2", "5.606;1\n5600;2", "5.60;1\n5.601;2"):
        assert semicolons(tmp_path, f"x;y\n{cells}\n").notes == ()


def test_a_first_line_for_excel_tells_the_separator(tmp_path):
    rows = semicolons(tmp_path, "sep=;\na;b\n1;2,5\n3;4,5\n\x1a")
    assert rows.frame.columns == ["a", "b"]
    assert rows.frame["b"].to_list() == [2.5, 4.5]


def test_exponents_among_semicolons_have_no_points(tmp_path):
    rows = semicolons(tmp_path, "x;z\n1e1;1,5\n2e1;2,5\n")
    assert rows.frame["x"].to_list() == [10.0, 20.0]
    assert rows.notes == ()


@pytest.mark.parametrize("text", ["sep=,", "sep=;\n", "sep=;\n\n"])
def test_a_file_of_the_separator_alone_is_empty(tmp_path, text):
    with pytest.raises(FileError, match="the file is empty"):
        semicolons(tmp_path, text)


def test_lines_are_counted_with_the_separators_own(tmp_path):
    with pytest.raises(FileError, match=r"row 2 \(line 4\) has 1 field, expected 2"):
        semicolons(tmp_path, "sep=;\na;b\n1;2\n3\n")


def test_texts_that_differ_in_both_are_told(tmp_path):
    _, notes = column(tmp_path, ["New York", "new  york", "b"] * 5)
    assert "differ in blanks and capitals only" in notes[0]
