"""`predict`: an answer for every row, in order, exactly."""

import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bristlecone.cli.models import load_model
from bristlecone.table import read_file


def put(name, text):
    Path(name).write_text(text)


@pytest.fixture
def numbers(bristlecone, here):
    """A regression model with a numeric and a text column."""
    rng = np.random.default_rng(0)
    x, kind = rng.random(100), rng.choice(["a", "b", "c"], 100)
    y = x / 3 + (kind == "b")
    lines = [f"{u!r},{k},{v!r}" for u, k, v in zip(x.tolist(), kind, y.tolist(), strict=True)]
    put("numbers.csv", "x,kind,y\n" + "\n".join(lines) + "\n")
    assert bristlecone("fit numbers.csv -t y --model n.json").code == 0
    return "numbers.csv"


def test_labels_and_probabilities_in_order(bristlecone, people, model):
    outcome = bristlecone("predict tree.json people.csv")
    frame = pl.read_csv(io.StringIO(outcome.out))
    assert frame.columns == ["prediction", "probability_high", "probability_low"]
    assert frame["prediction"].to_list() == pl.read_csv(people)["income"].to_list()
    assert (frame["probability_high"] + frame["probability_low"] == 1).all()


def test_what_was_met_is_told_on_standard_error(bristlecone, people, model):
    put("new.csv", "age,job,city,income\n23,baker,Bern,low\n,doctor,Bern,high\n45,doctor,Bern,\n")
    err = bristlecone("predict tree.json new.csv").err
    assert err.startswith("3 rows answered; ")
    assert "2 rows with a known 'income'" in err


def test_unseen_levels_and_missing_cells_are_counted(bristlecone, here):
    put("jobs.csv", "job,y\nclerk,low\nclerk,low\ndoctor,high\ndoctor,high\n")
    assert bristlecone("fit jobs.csv -t y --holdout 0 -m m.json").code == 0
    put("new.csv", "job\nclerk\nbaker\nNA\nsmith\n")
    outcome = bristlecone("predict m.json new.csv")
    assert "4 rows answered; 1 missing cell in the columns" in outcome.err
    assert "2 rows met a level that a split does not know and got that node's answer" in outcome.err
    assert outcome.out.splitlines()[2] == "high,0.5,0.5"


def test_a_level_may_be_new_to_a_split_only_and_go_on(bristlecone, here):
    put("jobs.csv", "x,job,y\n" + "1,a,0\n1,b,1\n2,c,0\n2,c,0\n" * 5)
    assert bristlecone("fit jobs.csv -t y --holdout 0 -m m.json --unseen heavier --categorical x").code == 0
    put("new.csv", "x,job\n1,c\n2,d\n1,a\n")
    assert (
        "1 row met a level that a split does not know and went the heavier way"
        in bristlecone("predict m.json new.csv").err
    )


def test_the_target_column_is_optional(bristlecone, people, model):
    put("new.csv", "city,job,age\nBern,clerk,23\n")
    outcome = bristlecone("predict tree.json new.csv")
    assert outcome.code == 0 and len(outcome.out.splitlines()) == 2 and "wrong" not in outcome.err


def test_a_target_of_another_kind_is_no_obstacle(bristlecone, numbers):
    put("new.csv", "x,kind,y\n0.5,a,unknown\n")
    outcome = bristlecone("predict n.json new.csv")
    assert outcome.code == 0 and "the error was not measured" in outcome.err


def test_numbers_are_exact(bristlecone, numbers):
    for ending in ("csv", "tsv", "parquet", "feather", "arrow", "jsonl", "txt"):
        assert bristlecone(f"predict n.json {numbers} -o out.{ending}").code == 0
    tree = load_model(Path("n.json")).tree
    expected = tree.predict(read_file(numbers, schema=tree.schema).table())
    read = {
        "csv": pl.read_csv,
        "txt": pl.read_csv,
        "tsv": lambda path: pl.read_csv(path, separator="\t"),
        "parquet": pl.read_parquet,
        "feather": pl.read_ipc,
        "arrow": pl.read_ipc,
        "jsonl": pl.read_ndjson,
    }
    for ending, reader in read.items():
        with open(f"out.{ending}", "rb") as file:
            frame = reader(io.BytesIO(file.read()))
        assert np.array_equal(frame["prediction"].to_numpy(), expected), ending
    err = bristlecone(f"predict n.json {numbers} -o out.csv").err
    assert "RMSE" in err and "100 rows with a known 'y'" in err


def test_columns_in_another_order_and_extra_ones(bristlecone, people, model):
    frame = pl.read_csv(people)
    frame.select(["city", "income", "job", "age"]).with_columns(pl.lit("x").alias("extra")).write_csv("other.csv")
    assert bristlecone("predict tree.json other.csv").out == bristlecone("predict tree.json people.csv").out


def test_kept_columns_are_copied_as_they_stand(bristlecone, people, model):
    put("new.csv", "id,age,job,city\n007,23,clerk,Bern\nNA,30,nurse,Chur\n")
    lines = bristlecone("predict tree.json new.csv --keep id,job").out.splitlines()
    assert lines[0] == "id,job,prediction,probability_high,probability_low"
    assert lines[1].startswith("007,clerk,low,") and lines[2].startswith("NA,nurse,low,")


def test_no_rows(bristlecone, people, model):
    put("none.csv", "age,job,city\n")
    outcome = bristlecone("predict tree.json none.csv")
    assert outcome.code == 0 and outcome.out == "prediction,probability_high,probability_low\n"
    assert outcome.err.startswith("0 rows answered")


def test_labels_keep_their_type(bristlecone, here):
    put("y.csv", "x,y\n" + "".join(f"{k % 9},{k % 9 > 4}\n" for k in range(30)).lower())
    assert bristlecone("fit y.csv -t y --holdout 0 -m m.json").code == 0
    outcome = bristlecone("predict m.json y.csv")
    assert set(pl.read_csv(io.StringIO(outcome.out))["prediction"].to_list()) == {True, False}
    assert outcome.out.splitlines()[0] == "prediction,probability_false,probability_true"
    assert "0% wrong" in outcome.err
    put("y.csv", "x,y\n" + "".join(f"{k % 9},{3 + (k % 9 > 4)}\n" for k in range(30)))
    assert bristlecone("fit y.csv -t y --holdout 0 -m m.json").code == 0
    outcome = bristlecone("predict m.json y.csv")
    assert set(pl.read_csv(io.StringIO(outcome.out))["prediction"].to_list()) == {3, 4}
    assert "0% wrong" in outcome.err


def test_saved_and_grown_trees_answer_alike(bristlecone, numbers):
    once = bristlecone(f"predict n.json {numbers}").out
    twice = bristlecone(f"predict n.json {numbers} --n-jobs 2").out
    assert once == twice
