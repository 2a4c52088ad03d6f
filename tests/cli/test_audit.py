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


def test_what_an_audit_refuses(bristlecone, old):
    bristlecone("audit old.joblib new.csv --target diagnosis").refused("old.joblib: this is no skops file", "--trust")
    bristlecone("audit none.skops new.csv --target diagnosis").refused("none.skops: no such file")
    bristlecone("audit new.csv new.csv --target diagnosis --trust").refused("new.csv: no model can be read from it")
    bristlecone("audit old.skops new.csv --target radius").refused("no column 'radius'")
    bristlecone("audit old.skops new.csv --target diagnosis -o old.skops").refused("it is read by the same command")
    bristlecone("audit", "old.skops", "new.csv", "--target", "mean radius").refused("is a column that the tree reads")


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
