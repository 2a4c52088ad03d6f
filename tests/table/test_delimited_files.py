"""CSV and its kin: what is written in the file arrives, or is refused with file, row, column and value."""

import codecs
import csv
import datetime as dt
import gzip
import io
import math
import os
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bristlecone.table import FileError, Kind, read_file


@pytest.fixture
def write(tmp_path):
    def write(text, encoding="utf-8", name="rows.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return write


def rows(path, **how):
    table = read_file(path, **how).table()
    return [tuple(table.row(i).values()) for i in range(table.n_rows)]


def refusal(path, **how):
    with pytest.raises(FileError) as caught:
        read_file(path, **how).table()
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_and_line_ends(write, separator, end):
    path = write(end.join([f"a{separator}b", f"1{separator}x", f"2{separator}y"]))
    assert rows(path) == [(1.0, "x"), (2.0, "y")]
    assert rows(write(end.join([f"a{separator}b", f"1{separator}x", "", f"2{separator}y", "", ""]))) == rows(path)


def test_kinds_are_guessed(write):
    path = write(
        "n,i,yes,day,at,utc,word\n"
        "1.5,1,true,2024-02-29,2024-02-29T01:02,2024-02-29T01:02Z,x\n"
        ",,,,,,\n"
        ".5e1,-2,FALSE,1969-12-31,2024-02-29 01:02:03.25,2024-02-29 01:02:03+02:00,1.5.2\n"
    )
    found = read_file(path)
    kinds = ["numeric", "numeric", "boolean", "date", "datetime", "datetime", "category"]
    assert [guess.kind.value for guess in found.guesses] == kinds
    assert [column.kind.value for column in found.table().schema.columns] == kinds
    assert found.frame["i"].dtype.is_integer()
    assert rows(path)[0] == (
        1.5, 1.0, True, dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 1, 2),
        dt.datetime(2024, 2, 29, 1, 2, tzinfo=dt.UTC), "x",
    )  # fmt: skip
    assert rows(path)[1] == (None,) * 7
    assert rows(path)[2][5] == dt.datetime(2024, 2, 28, 23, 2, 3, tzinfo=dt.UTC)


def test_text_that_only_looks_like_a_date_stays_text(write):
    for cells in (["2024-13-01"], ["2024-01-01", "soon"], ["2024-01-01T10:00", "2024-01-01T10:00Z"]):
        assert rows(write("a,d\n" + "".join(f"1,{cell}\n" for cell in cells)))[0][1] == cells[0]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
def test_numbers_are_read_exactly(write, numbers):
    path = write("a,b\n" + "".join(f"{number!r},{number:.25e}\n" for number in numbers))
    table = read_file(path).table()
    assert table.columns[0].tolist() == numbers
    assert table.columns[1].tolist() == [float(f"{number:.25e}") for number in numbers]


@given(st.lists(st.tuples(st.integers(), st.integers()), min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
def test_whole_numbers_are_exact_or_stay_text(write, pairs):
    table = read_file(write("a,b\n" + "".join(f"{a},{b}\n" for a, b in pairs))).table()
    for j, numbers in enumerate(zip(*pairs, strict=True)):
        values = table.values("ab"[j]).tolist()
        exact = all(abs(number) < 2**1023 and int(float(number)) == number for number in numbers)
        assert values == (list(numbers) if exact else list(map(str, numbers)))


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1)


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=80)
def test_what_a_csv_writer_wrote_comes_back(write, data):
    separator = data.draw(st.sampled_from([",", ";", "\t", "|"]))
    cells = data.draw(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=6))
    quoting = data.draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, quoting=quoting)
    writer.writerows([("left", "right"), *cells])
    found = read_file(write(text.getvalue()), categorical=["left", "right"], markers=("no such marker",))
    for name, column in zip(("left", "right"), zip(*cells, strict=True), strict=True):
        back = [None if cell is None else cell.strip() for cell in found.frame[name].to_list()]
        assert back == [cell.strip() for cell in column]


def test_c31_odd_names_and_levels_come_through_a_file(write):
    levels = ["3 speed", "4, x", "o'k", "", "c(1", 'say "no"', "two\nlines"]
    path = write("", name="odd.csv")
    pl.DataFrame({'price, EUR "net"': levels, "n": range(7)}).write_csv(path)
    table = read_file(path).table()
    assert table.schema.names == ('price, EUR "net"', "n")
    assert table.values('price, EUR "net"').tolist() == levels


def test_an_empty_cell_is_missing_and_a_quoted_one_is_a_level(write):
    path = write('a,w\n1,""\n2,\n"",x\n')
    assert rows(path) == [(1.0, ""), (2.0, None), (None, "x")]
    # a file that quotes all text says nothing by quoting an empty cell
    assert rows(write('"a","w"\n"1",""\n"2","x"\n')) == [(1.0, None), (2.0, "x")]


def test_markers_of_missing_cells_are_noted(write):
    found = read_file(write("n,w\n1,?\nNA,x\n NA ,?\nnull,.\n"))
    assert [found.table().row(i)["n"] for i in range(4)] == [1.0, None, None, None]
    assert found.table().columns[1].tolist() == [-1, 0, -1, -1]
    assert found.notes == (
        "column 'n': read as missing: 2 x 'NA', 1 x 'null'",
        "column 'w': read as missing: 2 x '?', 1 x '.'",
    )
    assert rows(write("n,w\n1,NA\n-9,x\n"), markers=("-9",)) == [(1.0, "NA"), (None, "x")]


def test_decimal_commas_count_where_the_comma_separates_nothing(write):
    assert rows(write("a;b\n1,5;x\n2;y\n-,5e1;y\n")) == [(1.5, "x"), (2.0, "y"), (-5.0, "y")]
    assert rows(write("a\tb\n1,5\t2.5\n2\t3\n")) == [(1.5, 2.5), (2.0, 3.0)]
    assert rows(write("a;b\n1,5;1\n2.5;2\n")) == [("1,5", 1.0), ("2.5", 2.0)]
    assert rows(write('a,b\n"1,5",1\n"2,5",2\n')) == [("1,5", 1.0), ("2,5", 2.0)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_encodings(write, encoding):
    assert rows(write("ä,b\n1,é€\n", encoding)) == [(1.0, "é€")]
    assert read_file(write("ä,b\n1,é€\n", encoding)).notes == ()


def test_western_encodings_are_noted(write):
    found = read_file(write("a,b\n1,é€\n", "cp1252"))
    assert found.frame["b"].to_list() == ["é€"]
    assert found.notes == ("not UTF-8 (line 2); read as Windows-1252",)
    assert read_file(write(b"a,b\n1,\x81\n")).notes == ("not UTF-8 (line 2); read as Latin-1",)


def test_big_endian_utf16_with_its_mark(write):
    assert rows(write(codecs.BOM_UTF16_BE + "a,b\n1,x\n".encode("utf-16-be"))) == [(1.0, "x")]


def test_gzip_is_undone(write):
    assert rows(write(gzip.compress(b"a,b\n1,x\n"), name="rows.csv.gz")) == [(1.0, "x")]
    assert "damaged gzip" in refusal(write(gzip.compress(b"a,b\n1,x\n" * 99)[:-30]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\n \n", "the file is empty"),
        ("a,b\n1,2\n3\n", "row 2 (line 3) has 1 field, expected 2"),
        ("a,b\n1,2\n\n3,4,5\n", "row 2 (line 4) has 3 fields, expected 2"),
        ('a,b\n"1\n2",2\n3,4,5\n', "row 2 (line 4) has 3 fields, expected 2"),
        ("a,b,a\n1,2,3\n", "column name 'a' stands more than once"),
        ("1,1\n1,2\n", "column name '1' stands more than once; the first row must hold the columns' names"),
        ("a,b\n1,inf\n", "column 'b', row 1: infinite value ('inf')"),
        ("a,b\n1,2\n3,-1e999\n", "column 'b', row 2: infinite value ('-1e999')"),
        ('a,b\n1,"x\n2,y\n', "line 2: a quote is opened and never closed"),
        (b"a,b\n1,\0\0\0\0\0\0\0\n", "this is not a text file"),
        (b"\x89PNG\r\n\x1a\n", "this is a picture"),
        (b"PK\x03\x04rest", "this is a zip archive or a spreadsheet; save the sheet as CSV"),
        (bytes(range(1, 32)) * 9 + b"\xff", "this is not a text file"),
        (codecs.BOM_UTF16_LE + b"a\0b", "starts as utf-16 text but byte 4 does not fit"),
    ],
)
def test_files_that_are_no_rows_are_refused(write, text, message):
    assert refusal(write(text)).startswith(message)


def test_no_file_a_directory_and_no_permission(tmp_path, write, monkeypatch):
    assert refusal(tmp_path / "none.csv") == "no such file"
    assert refusal(tmp_path) == "this is a directory"
    path = write("a,b\n1,2\n")
    path.chmod(0)
    if not os.access(path, os.R_OK):  # an administrator may read every file
        assert refusal(path) == "permission denied"


def test_a_header_alone_is_a_table_without_rows(write):
    for text in ("a,b", "a,b\n", "a,b\n\n"):
        table = read_file(write(text)).table()
        assert (table.n_rows, table.schema.names) == (0, ("a", "b"))


def test_names_are_found_or_made(write):
    found = read_file(write(" a , ,\n1,2,\n3,4,\n"))
    assert found.frame.columns == ["a", "column 2"]
    odd = read_file(write("39,x,7\n40,y,8\n"))
    assert "names in the first row are numbers ('39', ...)" in odd.notes[0]


def test_a_quote_inside_a_cell_is_a_character(write):
    assert rows(write('a,b\n5" pipe,1\n"6"" pipe, long",2\n')) == [('5" pipe', 1.0), ('6" pipe, long', 2.0)]


def test_blanks_before_every_cell_are_dropped(write):
    found = read_file(write("n, w\n39, State gov\n40, ?\n 41, Private\n"))
    assert found.table().values("w").tolist() == ["State gov", None, "Private"]
    assert found.notes[-1] == "column 'w': the blank before every cell was dropped"
    assert read_file(write("w,n\nx,1\n y,2\n")).frame["w"].to_list() == ["x", " y"]


def test_columns_can_be_forced_and_dropped(write):
    path = write("zip,n,w,inf\n007,1,x,inf\n0100,?,y,2\n")
    found = read_file(path, categorical=["zip"], drop=["inf"])
    assert found.table().schema.columns[0].levels == ("007", "0100")
    assert found.table(drop=["w", "n"]).schema.names == ("zip",)
    assert refusal(path, numeric=["w"]) == "column 'w', row 1: 'x' is not a number"
    assert refusal(path, numeric=["none"]).startswith("no column 'none'; its columns are 'zip', 'n'")
    assert refusal(path, drop=["zip", "n", "w", "inf"]) == "no column is left"


def test_long_whole_numbers_are_text_unless_numbers_are_asked_for(write):
    path = write(f"id,n\n{2**53 + 1},1\n{2**53},2\n")
    found = read_file(path)
    assert found.table().schema.columns[0].levels == (str(2**53), str(2**53 + 1))
    assert found.notes == ("column 'id': whole numbers too long for float64, read as text",)
    assert refusal(path, numeric=["id"]).startswith(f"column 'id', row 1: '{2**53 + 1}' is not exact in float64")


def test_a_column_of_numbers_with_a_slip_says_so(write):
    found = read_file(write("n,m\n" + "1,2\n" * 20 + "1o,2\n"))
    assert found.notes == ("column 'n': 1 of 21 cells are not numbers (row 21: '1o'), so all were read as text",)


def test_many_columns(write):
    width = 10_000
    text = ",".join(f"c{j}" for j in range(width)) + "\n" + ",".join(map(str, range(width))) + "\n"
    table = read_file(write(text)).table()
    assert len(table.schema) == width
    assert table.columns[-1].tolist() == [width - 1.0]


# --- read by a schema -----------------------------------------------------------------------------------------------


def test_a_file_is_read_as_the_schema_says(write):
    first = read_file(write("n,yes,day,w,y\n1,true,2024-02-29,1,a\n2.5,false,2024-03-01,x,b\n"))
    schema = first.table(drop=["y"]).schema
    later = write("y,w,day,more,yes,n\nb,1,?,9,1, 7 \na,q,2024-02-29,8,FALSE,NA\n", name="later.csv")
    found = read_file(later, schema=schema)
    table = found.table()
    assert table.schema is schema
    assert table.row(0) == {"n": 7.0, "yes": True, "day": None, "w": "1"}
    assert table.columns[3].tolist() == [0, -2]
    assert table.row(1)["n"] is None
    assert found.frame.columns == ["y", "more"]
    assert found.n_rows == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n,w\n1,x\n", "lacks the columns 'yes', 'day'"),
        ("n,w,yes,day\n1,x,true,2024-01-01\nten,x,true,2024-01-01\n", "column 'n', row 2: 'ten' is not a number"),
        ("n,w,yes,day\n1,x,maybe,2024-01-01\n", "column 'yes', row 1: 'maybe' is not true or false"),
        ("n,w,yes,day\n1,x,true,2024-02-30\n", "column 'day', row 1: '2024-02-30' is not a date"),
        ("n,w,yes,day\n1,x,true,2024-02-01T10:00\n", "column 'day', row 1: 2024-02-01 10:00:00 (datetime) does not"),
        (f"n,w,yes,day\n{2**53 + 1},x,true,2024-02-01\n", f"column 'n', row 1: '{2**53 + 1}' is not exact"),
        ("n,w,yes,day\ninf,x,true,2024-02-01\n", "column 'n', row 1: infinite"),
    ],
)
def test_cells_that_do_not_fit_the_schema_are_named(write, text, message):
    schema = read_file(write("n,w,yes,day\n1,x,true,2024-01-01\n")).table().schema
    assert refusal(write(text, name="later.csv"), schema=schema).startswith(message)


def test_learned_levels_are_found_in_the_text(write):
    from bristlecone.table import ColumnSchema, Schema

    levels = (3, -1.5, True and "yes", "NA", "", dt.date(2024, 1, 2), False)
    schema = Schema((ColumnSchema("c", Kind.CATEGORY, levels), ColumnSchema("n", Kind.NUMERIC)))
    path = write('c,n\n3,1\n3.0,1\n-1.5,1\n yes ,1\nNA,1\n"",1\n2024-01-02,1\nFALSE,1\n?,1\n,1\nother,1\n')
    assert read_file(path, schema=schema).table().columns[0].tolist() == [0, 0, 1, 2, 3, 4, 5, 6, -1, -1, -2]


def test_a_schema_without_names_goes_by_position(write):
    from bristlecone.table import as_table

    schema = as_table(np.zeros((1, 2))).schema
    path = write("p,q\n1,2\n")
    assert read_file(path, schema=schema).table().columns[1].tolist() == [2.0]
    path = write("p,q,r\n1,2,3\n")
    assert read_file(path, schema=schema, besides=["q"]).table().columns[1].tolist() == [3.0]
    assert refusal(path, schema=schema).startswith("has 3 columns to read, but the model was made from 2 without names")
    assert read_file(write("r,x1,x0\n1,2,3\n"), schema=schema).table().columns[0].tolist() == [3.0]


@given(st.lists(st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False), st.integers(-9, 9)), min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
def test_reading_twice_gives_the_same_bits(write, numbers):
    path = write("n,w\n" + "".join(f"{'' if n is None else repr(n)},{n}\n" for n in numbers))
    first = read_file(path).table()
    again = read_file(path, schema=first.schema).table()
    for one, two in zip(first.columns, again.columns, strict=True):
        assert np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
    assert all(math.isnan(v) == (n is None) for v, n in zip(first.columns[0], numbers, strict=True))


def test_messages_stay_on_one_line(write):
    message = refusal(write('"a\nb",c\nx,1\n'), numeric=["a\nb"])
    assert re.fullmatch(r"column 'a\\nb', row 1: 'x' is not a number", message)


@pytest.mark.parametrize("digits", [400, 5000])
def test_whole_numbers_beyond_float64(write, digits):
    path = write("a,b\n1,2\n" + "9" * digits + ",3\n")
    assert "column 'a': whole numbers too long for float64, read as text" in read_file(path).notes
    schema = read_file(write("a\n1\n2\n", name="other.csv")).table().schema
    message = refusal(path, schema=schema)
    assert "column 'a', row 2: '999" in message
    assert len(message) < 300
    assert rows(write("a\n" + "0" * digits + "7\n")) == [(7,)]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["31.05.2024", "01.06.2024"], "'31.05.2024' (row 1); dates are read when written as 2024-05-31"),
        (["5/31/24", "6/1/24"], "'5/31/24' (row 1); dates are read when written as 2024-05-31"),
        (["900", "1,000", "2,500.5"], "'1,000' (row 2); numbers are read when written as 1000"),
        (["1%", "5%", "7.5 %"], "'1%' (row 1); percentages are read when written as 5 or 0.05"),
    ],
)
def test_numbers_and_dates_in_a_form_that_is_not_read_are_told(write, cells, said):
    path = write("a,b\n" + "".join(f'"{cell}",1\n' for cell in cells))
    assert read_file(path).notes == (f"column 'a': read as text, such as {said}",)
    assert [row[0] for row in rows(path)] == [cell or None for cell in cells]
    assert read_file(path, categorical=["a"]).notes == ()


@pytest.mark.parametrize("cells", [["1.2.3", "1.2.4"], ["5%", "five"], ["10,20", "1,2"], ["a", "b"]])
def test_other_text_is_not_taken_for_numbers(write, cells):
    assert read_file(write("a,b\n" + "".join(f'"{cell}",1\n' for cell in cells))).notes == ()
