"""`export`: every format by its name and by an ending, checked on data, and nothing written that is wrong."""

import json
import pickle
from pathlib import Path

import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import bristlecone as bc
from bristlecone.cli.export import ENDINGS, WRITERS
from bristlecone.export import running

DATA = "age,job,city\n23,clerk,Bern\n,doctor,Basel\n45,baker,\n41.5,nurse,Chur\n"


@pytest.fixture
def data(here):
    Path("new.csv").write_text(DATA)
    return Path("new.csv")


def test_rules_without_any_option(bristlecone, model):
    done = bristlecone("export tree.json")
    assert done.code == 0 and done.err == ""
    assert done.out == bc.export.rules(bc.load("tree.json"))


@pytest.mark.parametrize("form", [form for form in WRITERS if form.value != "onnx"], ids=lambda form: form.value)
def test_each_format_by_name(bristlecone, model, form):
    done = bristlecone(f"export tree.json --to {form.value} -o out")
    assert (done.code, done.out, done.err) == (0, "", "")
    extra = {"target": "income"} if form.value == "pmml" else {}
    assert Path("out").read_text(encoding="utf-8") == WRITERS[form](bc.load("tree.json"), **extra)


@pytest.mark.parametrize("ending", ENDINGS)
def test_each_ending(bristlecone, model, ending):
    if ending == ".onnx":
        pytest.importorskip("onnx")
    assert bristlecone(f"export tree.json -o out{ending}").code == 0
    assert Path(f"out{ending}").stat().st_size > 100


@pytest.mark.parametrize("to", ["sql", "python", "c", "javascript", "onnx"])
def test_checked_on_data(bristlecone, model, data, to):
    done = bristlecone(f"export tree.json --to {to} -o out --check new.csv")
    if done.code == 2 and ("there is no" in done.err or "not installed" in done.err or "needs the package" in done.err):
        pytest.skip(done.err)
    assert done.code == 0, done.err
    assert done.err.startswith(f"checked: {to}, run by ") and "for all of" in done.err and "(4 of the data" in done.err


def test_a_float32_model_says_what_rounding_does(bristlecone, here):
    pytest.importorskip("onnxruntime")
    Path("near.csv").write_text("x,y\n" + "1.0,a\n1.0000000000001,b\n" * 4)
    assert bristlecone("fit near.csv -t y --holdout 0 --prune none -m near.json").code == 0
    done = bristlecone("export near.json -o near.onnx --dtype float32 --check near.csv")
    assert done.code == 0 and "float32: 4 rows of 8 get another answer" in done.err


def test_an_export_that_differs_is_not_written(bristlecone, model, data, monkeypatch):
    monkeypatch.setattr(running, "sql", lambda *given, **options: bc.export.sql(*given, **options).replace(">=", ">"))
    done = bristlecone("export tree.json --to sql -o out.sql --check new.csv")
    done.refused("the export was not written", "another answer for", "the first is row 4 of new.csv")
    assert not Path("out.sql").exists()


def test_options_of_sql(bristlecone, model):
    done = bristlecone(
        "export",
        "tree.json",
        "--to",
        "sql",
        "--dialect",
        "bigquery",
        "--table",
        "my rows",
        "--probabilities",
        "--leaf-id",
        "leaf",
        "--prediction",
        "said",
    )
    for words in ("`my rows`", "AS `leaf`", "AS `said`", "AS `probability_high`"):
        assert words in done.out


def test_pmml_bears_the_name_of_the_target(bristlecone, model):
    assert '<DataField name="income" optype="categorical"' in bristlecone("export tree.json --to pmml").out
    assert '<DataField name="said" ' in bristlecone("export tree.json --to pmml --target said").out


@pytest.mark.parametrize(
    ("words", "fragments"),
    [
        ("export tree.json --to sqll", ["'sqll'"]),
        ("export tree.json -o out.docx", ["cannot be told from its ending", "--to"]),
        ("export tree.json --to c --dialect sqlite", ["--dialect goes with --to sql, not with --to c"]),
        ("export tree.json --to sql --name t", ["--name goes with --to c"]),
        ("export tree.json --to c --name 1x", ["name must be a C identifier, got '1x'"]),
        ("export tree.json --to pmml --target age", ["target='age' is a column"]),
        ("export tree.json --to sql --prediction AGE", ["two columns 'AGE'"]),
        ("export tree.json --to onnx", ["name a file"]),
        ("export tree.json --to rules --check new.csv", ["--check cannot run rules"]),
        ("export tree.json --to sql --check absent.csv", ["absent.csv: no such file"]),
        ("export tree.json --to sql --check tree.json", ["is a model, not data"]),
        ("export tree.json -o absent/out.sql", ["there is no directory 'absent'"]),
        ("export tree.json -o tree.json", ["it is read by the same command"]),
        ("export absent.json", ["absent.json"]),
        ("export new.csv", ["new.csv"]),
    ],
)
def test_what_is_wrong_is_said(bristlecone, model, data, words, fragments):
    bristlecone(words).refused(*fragments)


def test_an_export_to_a_device(bristlecone, model):
    assert bristlecone("export tree.json --to c -o /dev/null").code == 0


def test_scikit_learn_trees(bristlecone, here):
    skops = pytest.importorskip("skops.io")
    X, y = load_iris(return_X_y=True)
    fitted = DecisionTreeClassifier(max_depth=2).fit(X, y)
    skops.dump(fitted, "theirs.skops")
    Path("theirs.pickle").write_bytes(pickle.dumps(fitted))
    expected = bc.export.rules(bc.from_sklearn(fitted))
    assert bristlecone("export theirs.skops").out == expected
    assert bristlecone("show theirs.skops").code == 0
    bristlecone("export theirs.pickle").refused(
        "theirs.pickle: this is no skops file", "a pickle can run any code", "--trust"
    )
    assert bristlecone("export theirs.pickle --trust").out == expected
    Path("bad.skops").write_bytes(b"PK")
    bristlecone("export bad.skops").refused("bad.skops: no model can be read from it")


def test_json_is_a_tree_again(bristlecone, model):
    text = bristlecone("export tree.json --to json").out
    assert bc.export.document_to_tree(json.loads(text)).equals(bc.load("tree.json"))
