"""Parquet, Arrow, Feather and JSON lines: the file's own types, told by its first bytes."""

import datetime as dt
import gzip
import io

import polars as pl
import pytest

from bristlecone.table import FileError, read_file

FRAME = pl.DataFrame(
    {
        "n": [1.5, None, 0.1],
        "i": [1, 2**53, None],
        "w": ["a", "NA", None],
        "yes": [True, None, False],
        "day": [dt.date(2024, 2, 29), None, dt.date(1970, 1, 1)],
        "e": pl.Series(["lo", "hi", None], dtype=pl.Enum(["lo", "mid", "hi"])),
    }
)
WRITERS = {
    "parquet": FRAME.write_parquet,
    "arrow": FRAME.write_ipc,
    "stream": FRAME.write_ipc_stream,
    "jsonl": FRAME.write_ndjson,
}


@pytest.fixture(params=WRITERS)
def path(request, tmp_path):
    target = tmp_path / f"rows.{request.param}"
    WRITERS[request.param](target)
    return target


def test_cells_come_as_they_were_written(path):
    found = read_file(path)
    table = found.table()
    assert [table.row(i) for i in range(3)] == FRAME.rows(named=True)
    assert found.notes == ()
    if path.suffix != ".jsonl":
        assert table.schema.columns[5].levels == ("lo", "mid", "hi")
    again = read_file(path, schema=table.schema).table()
    assert [again.row(i) for i in range(3)] == FRAME.rows(named=True)


def test_text_is_level_or_null_and_never_a_marker(path):
    table = read_file(path).table()
    assert table.schema.columns[2].levels == ("NA", "a")
    later = read_file(path, schema=read_file(path).table(drop=["n"]).schema)
    assert later.frame.columns == ["n"]
    assert later.table().values("w").tolist() == ["a", "NA", None]


def test_names_do_not_matter(tmp_path):
    target = tmp_path / "rows.csv"
    FRAME.write_parquet(target)
    assert read_file(target).n_rows == 3
    buffer = io.BytesIO()
    FRAME.write_ndjson(buffer)
    target.write_bytes(gzip.compress(buffer.getvalue()))
    assert read_file(target).n_rows == 3


def test_numbers_declared_categories_keep_their_type_and_are_found_in_a_csv(tmp_path):
    target, later = tmp_path / "rows.parquet", tmp_path / "later.csv"
    pl.DataFrame({"code": [-3, 50, 0], "n": [1, 2, 3]}).write_parquet(target)
    table = read_file(target, categorical=["code"]).table()
    assert table.schema.columns[0].levels == (-3, 0, 50)
    later.write_text("code,n\n50,1\n-3.0,2\n7,3\n?,4\n")
    assert read_file(later, schema=table.schema).table().columns[0].tolist() == [2, 0, -2, -1]


def test_text_in_parquet_is_read_by_the_schema(tmp_path):
    target, text = tmp_path / "rows.parquet", tmp_path / "text.parquet"
    pl.DataFrame({"n": [1.0]}).write_parquet(target)
    pl.DataFrame({"n": ["2.5", "x"]}).write_parquet(text)
    with pytest.raises(FileError, match=r"text\.parquet: column 'n', row 2: 'x' is not a number"):
        read_file(text, schema=read_file(target).table().schema)


@pytest.mark.parametrize("kind", ["parquet", "arrow", "jsonl"])
def test_damaged_files_are_refused(kind, tmp_path):
    target = tmp_path / "rows"
    WRITERS[kind](target)
    whole = target.read_bytes()
    target.write_bytes(whole[: len(whole) // 2] if kind != "jsonl" else whole[:-9])
    with pytest.raises(FileError, match="rows: damaged") as caught:
        read_file(target)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pl.DataFrame({"n": [1.0, float("inf")]}), "column 'n', row 2: infinite"),
        (pl.DataFrame({"n": [1, 2**53 + 1]}), "column 'n', row 2: 9007199254740993 is not exact"),
        (pl.DataFrame({"n": [[1], [2]]}), "column 'n': type List"),
    ],
)
def test_rows_of_a_file_are_counted_from_one(frame, message, tmp_path):
    target = tmp_path / "rows.parquet"
    frame.write_parquet(target)
    with pytest.raises(FileError, match=f"rows.parquet: {message}"):
        read_file(target).table()
    assert read_file(target, drop=["n"]).frame.columns == []
