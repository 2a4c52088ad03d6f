"""`distill`: models found by name, pickles and ONNX files, what is said and saved, and what is refused."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys

import joblib
import numpy as np
import polars as pl
import pytest
from cli.conftest import files, write
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeRegressor

MODULE = """
import numpy as np

class Rule:
    def predict(self, X):
        return np.where(X[:, 0] > 5.8, "long", "short")

rule = Rule()
number = 3

def words(frame):
    return np.where(frame["kind"].to_numpy() == "b", 1, 0)

def broken(X):
    raise RuntimeError("no\\nway")
"""


@pytest.fixture
def iris(here):
    """iris.csv with the species as a name, and rules.py to ask."""
    frame = load_iris(as_frame=True).frame
    frame.columns = ["a", "b", "c", "d", "species"]
    frame["species"] = np.array(["se", "ve", "vi"])[frame["species"]]
    frame.to_csv("iris.csv", index=False)
    write("rules.py", MODULE)
    yield frame
    sys.modules.pop("rules", None)


def test_a_rule_in_a_module(bristlecone, iris):
    done = bristlecone("distill rules:rule --like iris.csv --drop species --points 100 --model tree.json")
    assert done.code == 0, done.err
    for said in ("asked", "150 rows", "rows put aside", "confidence", "a < 5.", "long", "Model written to tree.json"):
        assert said in done.out
    assert "2 leaves" in done.out
    assert "tree.json" in files()
    shown = bristlecone("show tree.json")
    assert shown.code == 0 and "the answer of rules:rule" in shown.out
    told = bristlecone("predict tree.json iris.csv")
    assert told.code == 0 and told.out.count("\nlong,") == (iris["a"] > 5.8).sum()


def test_the_same_seed_prints_the_same(bristlecone, iris):
    words = "distill rules:rule.predict --like iris.csv --drop species --points 50 --seed 3"
    assert bristlecone(words).out == bristlecone(words).out


def test_pickles_need_trust(bristlecone, iris):
    fitted = LogisticRegression(max_iter=500).fit(iris[["a", "b", "c", "d"]], iris["species"])
    joblib.dump(fitted, "model.joblib")
    bristlecone("distill model.joblib --like iris.csv").refused("runs whatever code is in it", "--trust")
    done = bristlecone("distill model.joblib --like iris.csv --trust --target species --points 100 --max-leaves 6")
    assert done.code == 0, done.err
    assert "Errors" in done.out and "by 'species'" in done.out and "Compared" in done.out
    write("torn.joblib", "not a pickle")
    bristlecone("distill torn.joblib --like iris.csv --trust").refused("cannot read the model 'torn.joblib'")


def test_onnx_models(bristlecone, iris):
    pytest.importorskip("onnxruntime")
    convert = pytest.importorskip("skl2onnx")
    X = iris[["a", "b", "c", "d"]].to_numpy(np.float32)
    fitted = LogisticRegression(max_iter=500).fit(X, iris["species"])
    write("model.onnx", convert.to_onnx(fitted, X[:1]).SerializeToString())
    done = bristlecone("distill model.onnx --like iris.csv --target species --points 100")
    assert (done.code == 0 and "the model 2" in done.out) or "the model 3" in done.out, done
    write("torn.onnx", "nothing")
    bristlecone("distill torn.onnx --like iris.csv").refused("cannot read the model 'torn.onnx'")


def test_text_columns_go_to_the_model_as_frames(bristlecone, iris):
    rows = "\n".join(f"{k % 7},{'abc'[k % 3]}" for k in range(60))
    write("words.csv", f"size,kind\n{rows}\n")
    for kind in ("auto", "polars", "pandas"):
        done = bristlecone(f"distill rules:words --like words.csv --rows-as {kind} --points 60")
        assert done.code == 0 and "kind is b" in done.out, done
    bristlecone("distill rules:words --like words.csv --rows-as array").refused("'kind' is not numeric")


def test_a_budget(bristlecone, iris):
    done = bristlecone("distill rules:rule --like iris.csv --drop species --max-queries 100")
    assert done.code == 0
    asked = int(done.out.split("asked ")[1].split(" times")[0])
    assert asked <= 100


def test_what_the_user_got_wrong(bristlecone, iris):
    for words, fragments in (
        ("distill rules --like iris.csv", ("expected module:object",)),
        ("distill nowhere:rule --like iris.csv", ("cannot import the module 'nowhere'",)),
        ("distill rules:rules --like iris.csv", ("the module 'rules' has no 'rules'",)),
        ("distill rules:number --like iris.csv", ("not a model",)),
        ("distill rules:Rule --like iris.csv", ("is a class, not a model: name an object",)),
        ("distill rules:rule --like none.csv", ("none.csv",)),
        ("distill rules:rule", ("--like",)),
        ("distill gone.joblib --like iris.csv --trust", ("there is no file 'gone.joblib'",)),
        ("distill rules:rule --like iris.csv --drop specie", ("did you mean 'species'?",)),
        ("distill rules:rule --like iris.csv --target specie", ("did you mean 'species'?",)),
        ("distill rules:broken --like iris.csv --drop species", ("raised RuntimeError", "no way")),
        ("distill rules:rule --like iris.csv --space here", ("--space",)),
        ("distill rules:rule --like iris.csv --drop species --delta 2", ("delta",)),
        ("distill rules:rule --like iris.csv --drop species --model iris.csv", ("cannot write",)),
    ):
        bristlecone(words).refused(*fragments)
    write("few.csv", "a,b\n1,2\n3,4\n")
    bristlecone("distill rules:rule --like few.csv").refused("few.csv", "like has 2 rows")


def test_the_program_does_not_need_onnx(iris):
    code = (
        "import sys; sys.modules['onnxruntime'] = None; from bristlecone.cli.black_box import OnnxModel; OnnxModel('x')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert 'pip install "bristlecone[onnx]"' in done.stderr


def test_what_is_warned_of_is_a_note(bristlecone, iris):
    iris.assign(same=1, species=0).to_csv("constant.csv", index=False)
    done = bristlecone("distill rules:rule --like constant.csv --points 60")
    assert done.code == 0 and done.err == ""
    told = [line for line in done.out.splitlines() if line.startswith("Note")]
    assert sum("like never varies" in line for line in told) == 1


def test_a_model_of_other_columns_is_told_how_many(bristlecone, iris):
    fitted = LogisticRegression(max_iter=500).fit(iris[["a", "b"]].to_numpy(), iris["species"])
    joblib.dump(fitted, "two.joblib")
    bristlecone("distill two.joblib --like iris.csv --trust").refused(
        "the model takes 2 columns and the rows have 5: 'a', 'b', 'c', 'd', 'species'", "--drop"
    )
    done = bristlecone("distill two.joblib --like iris.csv --trust --target species --drop c --drop d --points 60")
    assert done.code == 0, done


def test_a_skops_file_needs_no_trust(bristlecone, iris):
    skops = pytest.importorskip("skops.io")
    skops.dump(LogisticRegression(max_iter=500).fit(iris[["a", "b", "c", "d"]], iris["species"]), "model.skops")
    done = bristlecone("distill model.skops --like iris.csv --target species --points 60")
    assert done.code == 0 and "Errors" in done.out, done
    write("torn.skops", "nothing")
    bristlecone("distill torn.skops --like iris.csv").refused("torn.skops")


def test_a_model_of_bristlecone_is_asked_as_well(bristlecone, iris):
    assert bristlecone("fit iris.csv --target species --model own.json").code == 0
    done = bristlecone("distill own.json --like iris.csv --points 60 --max-leaves 8")
    assert done.code == 0 and "species" not in done.out.split("\n\n", 1)[1], done
    write("torn.json", "{}")
    bristlecone("distill torn.json --like iris.csv").refused("torn.json")


def test_columns_that_the_model_does_not_read_are_left_out(bristlecone, iris):
    joblib.dump(LogisticRegression(max_iter=500).fit(iris[["c", "a"]], iris["species"]), "two.joblib")
    done = bristlecone("distill two.joblib --like iris.csv --trust --points 60 --model tree.json")
    assert done.code == 0, done
    assert "left out, as the model does not read them: 'b', 'd', 'species'" in " ".join(done.out.split())
    assert "species" not in done.out.split("\n\n", 1)[1]  # it knows the answer, and the tree does not ask for it
    assert "left out" not in bristlecone("distill rules:rule --like iris.csv --drop species --points 60").out
    bristlecone("distill two.joblib --like iris.csv --trust --drop a").refused("asks for the column 'a'")


def test_labels_of_another_kind_are_refused(bristlecone, iris):
    write("rules.py", MODULE + "\ndef short(X):\n    return X[:, 0] > 5.8\n")
    done = bristlecone("distill rules:short --like iris.csv --target species --points 60")
    done.refused("y holds labels such as 'se', and the model answers")


def test_models_of_numbers_are_refused_whatever_file_they_come_from(bristlecone, iris):
    assert bristlecone("fit iris.csv --target a --prune none --model own.json").code == 0
    fitted = DecisionTreeRegressor(max_depth=2).fit(iris[["b", "c"]], iris["a"])
    joblib.dump(fitted, "few.joblib")
    for words in ("own.json --like iris.csv", "few.joblib --like iris.csv --trust"):
        bristlecone(f"distill {words}").refused(words.split()[0], "answers numbers, and this is about classes")


def test_a_column_of_a_type_that_no_tree_reads_does_no_harm_where_the_model_does_not_name_it(bristlecone, iris):
    assert bristlecone("fit iris.csv --target species --model own.json").code == 0
    noon = [dt.time(k % 24) for k in range(len(iris))]
    pl.from_pandas(iris).with_columns(at=pl.Series(noon)).write_parquet("more.parquet")
    done = bristlecone("distill own.json --like more.parquet --points 60")
    assert done.code == 0 and "left out, as the model does not read them: 'species', 'at'" in done.out, done
    bristlecone("distill rules:words --like more.parquet --points 60").refused("'at'")
