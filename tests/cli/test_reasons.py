"""`explain` in full: what would change an answer, who carried a vote, the reasons for a whole file."""

import numpy as np
import polars as pl
import pytest
from report.conftest import loans

import bristlecone as bc


@pytest.fixture
def models(here):
    """A grown tree, a vote, and the rows of a file."""
    X, y = loans(500)
    X.to_csv("loans.csv", index=False)
    tree = bc.DecisionTreeClassifier(min_samples_leaf=5).fit(X, y)
    bc.save(tree, "tree.json")
    bc.save(bc.PACBayesTreeClassifier().fit(X, y), "vote.json")
    bc.save(bc.DecisionTreeRegressor(max_depth=4).fit(X.drop(columns="income"), np.arange(500.0)), "number.json")
    return tree, X, y


def test_one_row_with_what_would_change_it(bristlecone, models):
    tree, X, _ = models
    out = bristlecone("explain tree.json loans.csv --row 7").out
    assert str(tree.explain(X, 6)).splitlines()[1:-1] == out.splitlines()[1 : len(tree.explain(X, 6).steps) + 2]
    assert str(tree.alternatives(X, 6)) in out and "Nearest other answer: " in out
    assert "of the vote" not in out
    assert "of the vote says" in bristlecone("explain vote.json loans.csv --row 7").out


def test_reasons_for_all_rows(bristlecone, models):
    tree, X, _ = models
    done = bristlecone("explain tree.json loans.csv -o reasons.parquet")
    assert (done.code, done.out) == (0, "Reasons for 500 rows written to reasons.parquet\n")
    frame = pl.read_parquet("reasons.parquet")
    assert frame["row"].to_list() == list(range(1, 501))
    assert frame["prediction"].to_list() == tree.predict(X).tolist()
    assert frame["probability"].to_list() == pytest.approx(tree.predict_proba(X).max(axis=1).tolist())
    assert frame["leaf"].to_list() == tree.apply(X).tolist()
    for row in range(20):
        flip = tree.alternatives(X, row).flip
        assert frame["nearest_answer"][row] == flip.answer
        assert frame["nearest_change"][row] == " and ".join(flip.conditions)


def test_the_first_reason_adds_most_to_the_answer(bristlecone, models):
    tree, X, _ = models
    assert bristlecone("explain tree.json loans.csv -o reasons.csv").code == 0
    first = pl.read_csv("reasons.csv")["reason_1"].to_list()
    _, added = tree.tree_.contributions(X)
    codes = tree.tree_.label[tree.apply(X)]
    best = added[np.arange(500), :, codes].argmax(axis=1)
    names = tree.tree_.schema.names
    assert all(names[j] in reason for j, reason in zip(best.tolist(), first, strict=True))


def test_numbers_have_reasons_and_no_other_answer(bristlecone, models):
    assert bristlecone("explain number.json loans.csv -o reasons.csv").code == 0
    frame = pl.read_csv("reasons.csv")
    assert "nearest_answer" not in frame.columns and frame["reason_1"].null_count() == 0


def test_what_does_not_go_together(bristlecone, models):
    bristlecone("explain tree.json loans.csv").refused("give --row K for one row, or --output OUT")
    bristlecone("explain tree.json loans.csv --row 1 -o r.csv").refused("give --row K for one row, or --output OUT")
    bristlecone("explain tree.json loans.csv -o r.xlsx").refused("the endings known are")
    bristlecone("explain tree.json loans.csv -o loans.csv").refused("it is read by the same command")
    bristlecone("explain tree.json loans.csv --row 501").refused("there is no row 501 in loans.csv: it has 500 rows")
