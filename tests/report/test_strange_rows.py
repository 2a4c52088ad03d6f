"""Rows that growth had not: labels and levels that the tree never saw, targets far off, too few rows."""

import numpy as np
import pandas as pd
import pytest
from report.conftest import Reader

import bristlecone as bc
from bristlecone.report import page
from bristlecone.report.evidence import gather
from bristlecone.report.figures import calibration


@pytest.fixture(scope="module")
def grown():
    """A tree of classes that asks about a category, and rows like those that it was grown from."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"c": pd.Categorical(rng.choice(list("abcd"), 600)), "x": rng.random(600)})
    y = np.where((X["x"] > 0.5) ^ (X["c"] == "a"), "good", "bad")
    return bc.DecisionTreeClassifier(max_depth=3).fit(X[:300], y[:300]), X[300:].reset_index(drop=True), y[300:]


def finding(result, question):
    return next(found for found in result.findings if found.question == question)


def test_an_audit_says_what_the_tree_never_saw(grown):
    model, X, y = grown
    known = finding(bc.audit(model, X, y), "What the tree never saw")
    assert known.figure == "nothing" and not known.act
    other, labels = X.copy(), y.astype(object)
    other["c"] = other["c"].astype(object)
    other.loc[:6, "c"] = "</b>z"
    labels[10:15] = "GOOD"
    result = bc.audit(model, other, labels)
    strange = finding(result, "What the tree never saw")
    assert strange.act and strange.figure == "levels and labels"
    assert "7 rows in c." in strange.says and "such as GOOD: 5 rows." in strange.says
    assert (
        "Of these, 5 rows with a label that is none of its classes: all wrong."
        in finding(result, "Error on these rows").says
    )
    text = Reader(result.html).text
    assert (
        "unknown levels" in text and "none of these" in text and "unknown levels" not in Reader(page(model, X, y)).text
    )


def test_unknown_levels_are_counted_by_column(grown):
    model, X, y = grown
    evidence = gather(model.tree_, X.assign(c=["a", "z", None] * 100), y)
    assert evidence.unknown.tolist() == [100, 0] and evidence.missing.tolist() == [100, 0]
    assert evidence.n_strange == 0


def test_too_few_rows_say_nothing_of_the_first_question(grown):
    model, X, y = grown
    for few in (slice(0, 1), slice(0, 12)):
        found = finding(bc.audit(model, X[few], y[few]), "How stable the first question is")
        assert found.figure == "not known" and not found.act
    assert "on 1 row that had no part" in finding(bc.audit(model, X[:1], y[:1]), "Error on these rows").says


def test_an_audit_is_made_where_sqlite_cannot_hold_the_columns():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"x": rng.random(200), "B": 1.0, "b": 2.0})
    y = X["x"].to_numpy() + rng.normal(0, 0.3, 200) > 0.5
    result = bc.audit(bc.DecisionTreeClassifier().fit(X[:100], y[:100]), X[100:], y[100:])
    assert finding(result, "SQL that gives the same answers").figure == "checked"
    both = X.assign(B=rng.random(200), b=rng.random(200))
    result = bc.audit(bc.DecisionTreeClassifier().fit(both[:100], y[:100]), both[100:], y[100:])
    found = finding(result, "SQL that gives the same answers")
    assert found.act and "the columns" in found.says and "have one name in sqlite" in found.says


def test_targets_whose_errors_cannot_be_squared_are_refused_and_the_smallest_are_shown():
    rng = np.random.default_rng(2)
    X, t = rng.random((200, 2)), rng.normal(size=200)
    model = bc.DecisionTreeRegressor(max_depth=3).fit(X[:100], t[:100])
    far = t[100:].copy()
    far[7] = 1e200
    for judged in (page, bc.audit):
        with pytest.raises(ValueError, match=r"y: row 7 is 1e\+200, too far from the tree's answers"):
            judged(model, X[100:], far)
    for scale in (1e145, 5e-324, 1e-320):
        small = bc.DecisionTreeRegressor(max_depth=3).fit(X[:100], np.round(t[:100] * 9) * scale)
        assert Reader(page(small, X[100:], np.round(t[100:] * 9) * scale, rows="new")).text


def test_one_number_near_the_largest_has_a_page():
    X, t = np.arange(200.0)[:, None], np.full(200, 1.7e308)
    model = bc.DecisionTreeRegressor().fit(X[:100], t[:100])
    with np.errstate(all="raise"):
        drawn = calibration(model.tree_, gather(model.tree_, X[100:], t[100:]))
    assert np.isfinite([(mark.x, mark.y) for mark in drawn.marks]).all()
    assert Reader(page(model, X[100:], t[100:], rows="new")).text


def test_with_costs_the_answered_class_is_what_is_said_and_true():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (900, 1)).astype(float), rng.integers(0, 3, 900)
    costly = np.array([[0, 1, 1], [1, 0, 1], [60, 60, 0]])  # so that 2 is answered whatever is more frequent
    model = bc.DecisionTreeClassifier(loss=costly, max_depth=2).fit(X[:600], y[:600])
    evidence = gather(model.tree_, X[600:], y[600:])
    drawn = calibration(model.tree_, evidence)
    came = [float(mark.says.split("came true ")[1].rstrip("%")) for mark in drawn.marks]
    rows = [int(mark.says.split(" row")[0]) for mark in drawn.marks]
    right = float((model.predict(X[600:]) == y[600:]).mean())
    assert np.average(came, weights=rows) == pytest.approx(100 * right, abs=0.1)


def test_c62_thousands_of_classes_are_audited_and_shown():
    rng = np.random.default_rng(4)
    labels = np.array([f"L{i}" for i in range(2500)])
    model = bc.DecisionTreeClassifier().fit(rng.random((2500, 2)), labels)
    result = bc.audit(model, rng.random((200, 2)), labels[:200])
    assert finding(result, "SQL that gives the same answers").figure == "checked"
    assert len(result.html) < 4_000_000


def test_labels_of_other_types_than_the_trees_are_audited(grown):
    model, X, y = grown
    mixed = y.astype(object)
    mixed[:3] = [1, 2.5, False]
    result = bc.audit(model, X, mixed)
    assert "such as 1: 3 rows." in finding(result, "What the tree never saw").says
    assert "leaves" in finding(result, "Size that cross-validation chooses").figure
