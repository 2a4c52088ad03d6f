"""`audit` and `compare` from the command line."""

from pathlib import Path

import joblib
import polars as pl
import pytest
import skops.io
from report.conftest import Reader
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import bristlecone as bc


@pytest.fixture
def old(here):
    """A tree of scikit-learn in three files, and rows that it has not seen."""
    data = load_breast_cancer(as_frame=True)
    names = data.target.map({0: "malignant", 1: "benign"})
    model = DecisionTreeClassifier(random_state=0).fit(data.data[:300], names[:300])
    skops.io.dump(model, "old.skops")
    joblib.dump(model, "old.joblib")
    bc.save(bc.from_sklearn(model), "old.json")
    bc.save(bc.PrunedTreeClassifier().fit(data.data[:300], names[:300]), "pruned.json")
    data.data[300:].assign(diagnosis=names[300:]).to_csv("new.csv", index=False)
    return model


def test_an_old_tree_is_audited_from_any_file(bristlecone, old):
    done = bristlecone("audit old.skops new.csv --target diagnosis -o audit.html")
    assert done.code == 0 and done.out.endswith("Page written to audit.html\n")
    assert "! Size that cross-validation chooses: " in done.out and "  Rows misrouted by rounding: " in done.out
    text = Reader(Path("audit.html").read_text(encoding="utf-8")).text
    assert "Audit of a tree for diagnosis" in text
    trusted = bristlecone("audit old.joblib new.csv --target diagnosis --trust")
    assert trusted.out == done.out.removesuffix("\n\nPage written to audit.html\n") + "\n"
    of_ours = bristlecone("audit old.json new.csv --target diagnosis").out
    assert "misrouted" not in of_ours and "Size that cross-validation chooses" in of_ours
    assert bristlecone("audit pruned.json new.csv --target diagnosis").code == 0


def test_a_tree_without_names_takes_the_columns_in_order(bristlecone, old):
    data = load_breast_cancer(as_frame=True)
    names = data.target.map({0: "malignant", 1: "benign"})
    model = DecisionTreeClassifier(random_state=0).fit(data.data[:300].to_numpy(), names[:300])
    skops.io.dump(model, "plain.skops")
    by_name, in_order = (bristlecone(f"audit {old}.skops new.csv --target diagnosis").out for old in ("old", "plain"))
    assert [line for line in in_order.splitlines() if "x" not in line][:3] == by_name.splitlines()[:3]
    pl.read_csv("new.csv").with_columns(extra=pl.lit(1)).write_csv("more.csv")
    bristlecone("audit plain.skops more.csv --target diagnosis").refused(
        "has 31 columns to read, but the model was made from 30 without names", "call them x0 to x29"
    )


def test_a_model_of_fit_is_audited_by_its_own_target(bristlecone, old):
    rows = pl.read_csv("new.csv")
    rows.head(150).write_csv("grow.csv")
    rows.tail(-150).write_csv("later.csv")
    assert bristlecone("fit grow.csv --target diagnosis --model m.json").code == 0
    by_itself = bristlecone("audit m.json later.csv")
    assert by_itself.code == 0 and by_itself.out == bristlecone("audit m.json later.csv --target diagnosis").out
    bristlecone("audit old.skops later.csv").refused("'old.skops' does not say which column it predicts", "--target")
    bristlecone("audit old.json later.csv").refused("'old.json' does not say which column it predicts", "--target")


def test_what_an_audit_refuses(bristlecone, old):
    bristlecone("audit old.joblib new.csv --target diagnosis").refused("old.joblib: this is no skops file", "--trust")
    bristlecone("audit none.skops new.csv --target diagnosis").refused("none.skops: no such file")
    bristlecone("audit new.csv new.csv --target diagnosis --trust").refused("new.csv: no model can be read from it")
    bristlecone("audit old.skops new.csv --target radius").refused("no column 'radius'")
    bristlecone("audit old.skops new.csv --target diagnosis -o old.skops").refused("it is read by the same command")
    bristlecone("audit", "old.skops", "new.csv", "--target", "mean radius").refused("is a column that the tree reads")
    Path("empty.csv").write_text(Path("new.csv").read_text().splitlines()[0] + "\n")
    bristlecone("audit old.skops empty.csv --target diagnosis").refused("empty.csv has no rows below its header")


def test_two_models_are_compared(bristlecone, old):
    done = bristlecone("compare old.json pruned.json --data new.csv --target diagnosis --rows new -o rows.csv")
    assert done.code == 0
    assert done.out.startswith("old.json: ") and "They disagree on " in done.out and "From the root down" in done.out
    frame = pl.read_csv("rows.csv")
    assert frame.columns == ["row", "truth", "A", "B"] and (frame["A"] != frame["B"]).all()
    assert f"They disagree on {len(frame)} of 269 rows." in done.out
    rows = pl.read_csv("new.csv")["diagnosis"]
    assert [rows[row - 1] for row in frame["row"]] == frame["truth"].to_list()
    without = bristlecone("compare old.json pruned.json --data new.csv --target diagnosis").out
    assert "it was not said that the rows are new to both" in without


def test_what_a_comparison_refuses(bristlecone, old):
    bristlecone("compare old.json pruned.json --data new.csv").refused("does not say which column it predicts")
    bristlecone("compare old.json new.csv --data new.csv --target diagnosis").refused("new.csv")
    bristlecone("compare old.json pruned.json --data new.csv --target diagnosis -o new.csv").refused("is read by")
    data = load_breast_cancer()
    bc.save(bc.DecisionTreeRegressor(max_depth=1).fit(data.data[:, 1:], data.data[:, 0]), "number.json")
    bristlecone("compare old.json number.json --data new.csv --target diagnosis").refused("no comparison")


@pytest.fixture
def two_years(here):
    """A model, and two files of rows in which sixty people are the same."""
    data = load_breast_cancer(as_frame=True)
    frame = data.data[["mean radius", "mean texture", "mean concavity"]]
    frame = frame.assign(diagnosis=data.target.map({0: "malignant", 1: "benign"}), person=[f"p{i}" for i in range(569)])
    bc.save(bc.DecisionTreeClassifier(max_depth=3).fit(frame.iloc[:200, :3], frame["diagnosis"][:200]), "m.json")
    frame[200:430].to_csv("first.csv", index=False)
    later = frame[370:].copy()
    later[["mean radius", "mean concavity"]] *= 1.6
    later.to_csv("second.csv", index=False)
    return later


def test_two_files_are_compared_under_one_model(bristlecone, two_years):
    words = "compare first.csv second.csv --model m.json --target diagnosis"
    done = bristlecone(f"{words} --rows new")
    assert done.code == 0 and "of the rows of second.csv than of first.csv" in done.out
    assert "on new data like them its error on second.csv less that on first.csv lies from" in done.out
    paired = bristlecone(f"{words} --rows new --key person -o pairs.csv")
    assert "of 60 pairs get different answers" in paired.out
    assert "170 rows of first.csv without a partner left out." in paired.out
    frame = pl.read_csv("pairs.csv")
    assert frame.columns == ["person", "row A", "truth A", "A", "row B", "truth B", "B"]
    assert len(frame) and (frame["A"] != frame["B"]).all()
    people = [pl.read_csv(name)["person"] for name in ("first.csv", "second.csv")]
    for person, a, b in zip(frame["person"], frame["row A"], frame["row B"], strict=True):
        assert people[0][a - 1] == people[1][b - 1] == person


def test_two_files_are_compared_each_with_its_own_tree(bristlecone, two_years):
    pl.read_csv("second.csv").tail(-10).write_csv("other.csv")
    done = bristlecone("compare first.csv other.csv --target diagnosis -o rows.csv")
    assert done.code == 0, done.err
    assert done.out.count("had no part in growing or choosing it") == 4
    assert "tree of first.csv: " in done.out and "From the root down they share" in done.out
    frame = pl.read_csv("rows.csv")
    assert set(frame["file"]) <= {"first.csv", "other.csv"} and (frame["A"] != frame["B"]).all()
    truths = {name: pl.read_csv(name)["diagnosis"] for name in ("first.csv", "other.csv")}
    for name, row, truth in zip(frame["file"], frame["row"], frame["truth"], strict=True):
        assert truths[name][row - 1] == truth
    assert f"{len(frame)} row" in done.out
    pl.concat([pl.read_csv("first.csv"), pl.read_csv("other.csv")]).sample(
        fraction=1.0, shuffle=True, seed=1
    ).write_csv("both.csv")
    mixed = bristlecone("compare first.csv both.csv --target diagnosis").out
    assert "On rows of first.csv that were held out (some of them grew the other tree):" in mixed
    assert "it was not said that the rows are new to both" in mixed


def test_two_files_of_one_name_are_called_by_their_paths(bristlecone, two_years):
    for folder, name in (("u", "first.csv"), ("v", "second.csv")):
        Path(folder).mkdir()
        Path(folder, "rows.csv").write_bytes(Path(name).read_bytes())
        Path(folder, "m.json").write_bytes(Path("m.json").read_bytes())
    u, v = str(Path("u", "rows.csv")), str(Path("v", "rows.csv"))
    under_one = bristlecone(f"compare {u} {v} --model m.json --target diagnosis --rows new").out
    assert f"its error on {v} less that on {u} lies from" in under_one
    done = bristlecone(f"compare {u} {v} --target diagnosis -o found.csv")
    assert done.code == 0 and f"tree of {u}: " in done.out and f"tree of {v}: " in done.out
    assert set(pl.read_csv("found.csv")["file"]) <= {u, v}
    models = bristlecone(f"compare {Path('u', 'm.json')} {Path('v', 'm.json')} --data {v} --target diagnosis").out
    assert f"{Path('u', 'm.json')}: " in models and f"{Path('v', 'm.json')}: " in models


def test_what_a_comparison_of_files_refuses(bristlecone, two_years):
    both = "compare first.csv second.csv"
    bristlecone(both).refused("name that column with --target")
    bristlecone(f"{both} --model m.json").refused("'m.json' does not say which column it predicts")
    bristlecone(f"{both} --data first.csv").refused("--data goes with two models")
    bristlecone(f"{both} --target diagnosis --rows new").refused("--rows goes with --model")
    bristlecone(f"{both} --target diagnosis --key person").refused("--key goes with --model")
    bristlecone(f"{both} --model m.json --target diagnosis -o out.csv").refused("pairs them with --key")
    bristlecone(f"{both} --model m.json --target diagnosis --key diagnosis").refused(
        "first.csv: the key 'diagnosis' is"
    )
    asked = pl.read_csv("first.csv").columns[0]
    bristlecone(f"{both} --model m.json --target diagnosis --key nobody").refused("no column 'nobody'", f"'{asked}'")
    words = [*both.split(), "--model", "m.json", "--target", "diagnosis", "--key"]
    bristlecone(*words, asked).refused(f"'{asked}' is a column that the tree reads; name another one of first.csv")
    bristlecone("compare m.json second.csv --target diagnosis").refused("'m.json' is a model and 'second.csv' is none")
    bristlecone("compare m.json m.json --data first.csv --target diagnosis --key person").refused("--key goes with two")
    bristlecone("compare m.json m.json --target diagnosis").refused("name them with --data")
