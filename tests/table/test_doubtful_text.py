"""Cells of a file that may mean something else than they say: read where it is sure, else told."""

import pytest

from bristlecone.table import read_file


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
