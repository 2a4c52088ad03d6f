"""The tolerance report: every number in it, recomputed; its words; its picture."""

from __future__ import annotations

import functools
import math
import subprocess
import sys

import matplotlib
import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import bristlecone as bc
from bristlecone import noise
from bristlecone.noise.tolerance_table import ToleranceReport, Trial
from bristlecone.table import as_table

matplotlib.use("Agg")

TARGET = noise.monotone_tree(6, 6, random_state=0)
X, Y = TARGET.sample(300, 0.5, random_state=1)
SMALL = {"rates": [0.1, 0.3], "adversaries": ["random_label_flip", "targeted_label_flip"], "n_repeats": 2}


@pytest.fixture(scope="module")
def report():
    estimators = {
        "pruned": bc.PrunedTreeClassifier(cv=3),
        "whole": bc.DecisionTreeClassifier(),
        "vote": bc.PACBayesTreeClassifier(),
        "theirs": DecisionTreeClassifier(random_state=0),
        "forest": RandomForestClassifier(5, random_state=0),
        "scaled": make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0)),
    }
    return noise.tolerance_report(estimators, X, Y, **SMALL)


def test_every_cell_is_there(report):
    assert report.rates == (0.0, 0.1, 0.3) and report.n_repeats == 2
    assert len(report.trials) == 6 * 2 * (1 + 2 * 2) == len(pd.DataFrame(report.to_dict()))
    for estimator in report.estimators:
        for adversary in report.adversaries:
            assert report.errors(estimator, adversary).shape == (3, 2)
            for rate in report.rates:
                assert [trial.repeat for trial in report.of(estimator, adversary, rate)] == [0, 1]


def test_the_numbers_are_those_of_the_definitions():
    held_X, held_y = TARGET.sample(100, 0.5, random_state=2)
    kept = {}

    def half(X, y, eta, *, random_state):
        kept[eta] = noise.random_label_flip(X, y, eta, random_state=5)
        return kept[eta]

    found = noise.tolerance_report(
        bc.DecisionTreeClassifier(), X, Y, rates=[0.2], adversaries=[half], n_repeats=1, X_test=held_X, y_test=held_y
    )
    clean, bad = bc.DecisionTreeClassifier().fit(X, Y), kept[0.2]
    model = bc.DecisionTreeClassifier().fit(bad.X, bad.y)
    (trial,) = found.of("DecisionTreeClassifier", "half", 0.2)
    assert trial.corrupted == 0.2 and trial.n_leaves == model.get_n_leaves()
    assert trial.error == np.mean(model.predict(held_X) != held_y)
    assert trial.growing_error == np.mean(model.predict(X) != Y)
    assert trial.observed_error == np.mean(model.predict(bad.X) != bad.y)
    assert trial.changed_answers == np.mean(model.predict(held_X) != clean.predict(held_X))
    assert trial.root_changed == (model.tree_.feature[0] != clean.tree_.feature[0])
    leaves = clean.apply(X)
    moved = [
        leaf
        for leaf in set(leaves)
        if np.bincount(bad.y[leaves == leaf], minlength=2).argmax()
        != np.bincount(Y[leaves == leaf], minlength=2).argmax()
    ]
    assert trial.relabelled == np.isin(leaves, moved).mean()
    (before,) = found.of("DecisionTreeClassifier", "half", 0.0)
    assert before.error == np.mean(clean.predict(held_X) != held_y) and not before.root_changed
    assert before.corrupted == before.changed_answers == before.relabelled == 0


def test_the_unconditional_statement_holds_in_every_trial(report):
    for trial in report.trials:
        assert abs(trial.growing_error - trial.observed_error) <= trial.corrupted + 1e-12
    assert 0 < report.largest_shift[0] <= 1 + 1e-12


def test_noise_costs_what_it_should(report):
    assert report.errors("whole", "random_label_flip").mean(axis=1)[2] > 0.1
    assert report.errors("pruned", "random_label_flip").mean(axis=1)[1] < 0.05


def test_rows_keep_their_weights():
    """Every number again, with weights; a row of weight zero is as if it were not there."""
    rng = np.random.default_rng(4)
    weight = rng.integers(0, 4, len(Y)) / 2
    kept = {}

    def half(X, y, eta, *, random_state):
        kept["sample"], kept["bad"] = X, noise.insert_worst(X, y, eta, random_state=5)
        return kept["bad"]

    given = {"rates": [0.2], "adversaries": [half], "n_repeats": 1, "random_state": 3}
    found = noise.tolerance_report(bc.DecisionTreeClassifier(), X, Y, sample_weight=weight, **given)
    there = np.flatnonzero(weight)
    order = np.random.default_rng(3).permutation(len(there))
    n_test = round(len(there) / 4)
    test, growing = there[np.sort(order[:n_test])], there[np.sort(order[n_test:])]
    assert (kept["sample"] == X[growing]).all()
    bad, w = kept["bad"], weight[growing]
    clean = bc.DecisionTreeClassifier().fit(X[growing], Y[growing], w)
    model = bc.DecisionTreeClassifier().fit(bad.X, bad.y, w)
    (trial,) = found.of("DecisionTreeClassifier", "half", 0.2)
    assert trial.corrupted == pytest.approx(w[bad.indices].sum() / w.sum())
    assert trial.error == pytest.approx(np.average(model.predict(X[test]) != Y[test], weights=weight[test]))
    assert trial.growing_error == pytest.approx(np.average(model.predict(X[growing]) != Y[growing], weights=w))
    assert trial.observed_error == pytest.approx(np.average(model.predict(bad.X) != bad.y, weights=w))
    assert abs(trial.growing_error - trial.observed_error) <= trial.corrupted + 1e-12
    changed = model.predict(X[test]) != clean.predict(X[test])
    assert trial.changed_answers == pytest.approx(np.average(changed, weights=weight[test]))
    before, after = (
        np.array([np.bincount(y[leaves == leaf], w[leaves == leaf], 2) for leaf in range(clean.tree_.n_nodes)])
        for leaves, y in ((clean.apply(X[growing]), Y[growing]), (clean.apply(bad.X), bad.y))
    )
    moved = (before.argmax(axis=1) != after.argmax(axis=1)) & after.any(axis=1)
    assert trial.relabelled == pytest.approx(before[moved].sum() / w.sum())
    scaled = noise.tolerance_report(bc.DecisionTreeClassifier(), X, Y, sample_weight=8 * weight, **given)
    assert (
        scaled.errors("DecisionTreeClassifier", "half").tolist()
        == found.errors("DecisionTreeClassifier", "half").tolist()
    )
    alike = noise.tolerance_report(bc.DecisionTreeClassifier(), X, Y, sample_weight=np.full(len(Y), 2.0), **SMALL)
    unweighted = noise.tolerance_report(bc.DecisionTreeClassifier(), X, Y, **SMALL)
    assert (
        alike.errors("DecisionTreeClassifier", "targeted_label_flip").tolist()
        == unweighted.errors("DecisionTreeClassifier", "targeted_label_flip").tolist()
    )


def refused_early(**given):
    """The refusal of a report whose estimator must not be fitted before it comes."""

    class Never(bc.DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            pytest.fail("fitted")

    with pytest.raises(ValueError) as refusal:
        noise.tolerance_report(Never(), *given.pop("rows", (X, Y)), **SMALL | given)
    return str(refusal.value)


def test_what_an_adversary_cannot_corrupt_is_refused_before_the_first_fit():
    assert "functools.partial" in refused_early(adversaries=["table_shift"])
    assert "table_shift" not in refused_early(adversaries=["nobody"])
    cells = np.random.default_rng(0).random((20, 2))
    assert "two values" in refused_early(adversaries=["tribes_cancel"], rows=(cells, np.arange(20) % 2))
    assert "y has 3" in refused_early(adversaries=["greedy_cancel"], rows=(cells, np.arange(20) % 3))
    assert "test_size=0.999 leaves 1 row to learn from" in refused_early(test_size=0.999)


def test_an_adversary_with_options_keeps_its_name():
    shifted = functools.partial(noise.table_shift, to=(X[:50], 1 - Y[:50]))
    found = noise.tolerance_report(bc.DecisionTreeClassifier(), X, Y, **SMALL | {"adversaries": [shifted]})
    assert found.adversaries == ("table_shift",) and found.errors("DecisionTreeClassifier", "table_shift")[-1].min() > 0


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (np.ones(3), "sample_weight has shape"),
        (np.r_[-1.0, np.ones(len(Y) - 1)], "sample_weight, row 0"),
        (np.zeros(len(Y)), "zero in every row"),
        (np.r_[1.0, np.zeros(len(Y) - 1)], "above zero in one row"),
    ],
)
def test_weights_that_are_none(weight, words):
    with pytest.raises(ValueError, match=words):
        noise.tolerance_report(bc.DecisionTreeClassifier(), X, Y, sample_weight=weight, **SMALL)


def test_estimators_without_weights_are_named():
    with pytest.raises(TypeError, match="sample_weight: a KNeighborsClassifier takes none"):
        noise.tolerance_report(KNeighborsClassifier(), X, Y, sample_weight=np.ones(len(Y)), **SMALL)
    with pytest.raises(TypeError, match="sample_weight: a KNeighborsClassifier takes none"):
        bc.stability.disagreement(KNeighborsClassifier(), X, Y, sample_weight=np.ones(len(Y)), n_bootstraps=2)


def test_what_is_not_one_tree_has_no_leaves(report):
    forest, tree = (report.of(name, "random_label_flip", 0.1)[0] for name in ("forest", "theirs"))
    assert forest.n_leaves is None and forest.relabelled is None and forest.root == ""
    assert tree.n_leaves and tree.relabelled is not None and " <= " in tree.root


def test_threads_and_kinds_of_input_change_nothing():
    one = noise.tolerance_report(bc.DecisionTreeClassifier(), X, Y, **SMALL)
    for cells in (as_table(X), pd.DataFrame(X)):
        other = noise.tolerance_report(bc.DecisionTreeClassifier(), cells, Y, **SMALL, n_jobs=2)
        assert (
            other.errors("DecisionTreeClassifier", "targeted_label_flip").tolist()
            == one.errors("DecisionTreeClassifier", "targeted_label_flip").tolist()
        )
    seeded = noise.tolerance_report(bc.DecisionTreeClassifier(), X, Y, **SMALL, random_state=1)
    assert seeded.trials != one.trials
    assert noise.tolerance_report(bc.DecisionTreeClassifier(), X, Y, **SMALL) == one


def test_labels_and_categories_as_people_have_them():
    frame = pd.DataFrame({"job": ["clerk", "nurse", None, "clerk"] * 30, "age": np.arange(120) % 17})
    y = np.where((frame.job == "clerk") & (frame.age > 5), "high", "low")
    found = noise.tolerance_report(
        bc.DecisionTreeClassifier(), frame, y, rates=0.1, adversaries="greedy_cancel", n_repeats=1
    )
    assert found.of("DecisionTreeClassifier", "greedy_cancel", 0.1)[0].corrupted <= 0.1


def table(errors_by_rate, rates=(0.0, 0.1, 0.2)):
    trials = tuple(
        Trial("t", "a" if rate else "", rate, k, rate, error, 0.0, 0.0, 1, "", False, 0.0, 0.0)
        for rate, errors in zip(rates, errors_by_rate, strict=True)
        for k, error in enumerate(errors)
    )
    return ToleranceReport(("t",), ("a",), rates, len(errors_by_rate[0]), trials)


@pytest.mark.parametrize(
    ("errors", "target", "expected"),
    [
        ([[0.0], [0.1], [0.3]], 0.2, (0.15, 0.15, 0.15)),
        ([[0.0], [0.1], [0.3]], 0.05, (0.05, 0.05, 0.05)),
        ([[0.0], [0.1], [0.1]], 0.2, (math.inf, math.inf, math.inf)),
        ([[0.3], [0.1], [0.1]], 0.2, (0.0, 0.0, 0.0)),
        ([[0.0, 0.0, 0.0], [0.1, 0.2, 0.0], [0.3, 0.3, 0.1]], 0.1, (0.1, 0.05, math.inf)),
        ([[0.0, 0.0], [0.1, 0.2], [0.3, 0.3]], 0.1, (0.075, 0.05, 0.1)),
        ([[0.0, 0.0], [0.1, 0.0], [0.3, 0.0]], 0.2, (math.inf, 0.15, math.inf)),
    ],
)
def test_break_even(errors, target, expected):
    found = table(errors).break_even(target, "t", "a")
    assert (found.rate, found.low, found.high) == pytest.approx(expected)
    assert str(found.n_repeats) in repr(found)


def test_words(report):
    told = str(report)
    assert "break-even rate" in told and "Whatever was done to the rows" in told and "tolerates" not in told
    for name in (*report.estimators, *report.adversaries):
        assert name in told
    assert "above 0.3" in report.text(target=0.9)
    with pytest.raises(ValueError, match="'nobody' is not one of"):
        report.break_even(0.1, "nobody", "random_label_flip")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rates": [0.0]}, "rates: 0.0"),
        ({"rates": []}, "rates is empty"),
        ({"rates": ["a"]}, "rates: 'a'"),
        ({"adversaries": ["nobody"]}, "'nobody' is not one of random_label_flip"),
        ({"adversaries": ["greedy_cancel"], "y": np.arange(300) % 3}, "greedy_cancel: this adversary needs two"),
        ({"adversaries": []}, "adversaries is empty"),
        ({"n_repeats": 0}, "n_repeats=0"),
        ({"test_size": 1.0}, "test_size=1.0"),
        ({"X_test": X}, "go together"),
        ({"X_test": X, "y_test": [1]}, "X_test has 300 rows but y_test has 1"),
        ({"X_test": X[:0], "y_test": []}, "X_test has no rows"),
        ({"X_test": X, "y_test": Y.astype(str)}, "y_test has no label that y has"),
        ({"estimator": {1: bc.DecisionTreeClassifier(), "1": bc.PrunedTreeClassifier()}}, "one name"),
        ({"adversaries": None}, "None is not one of"),
        ({"adversaries": [lambda X, y, eta, random_state: 3], "n_repeats": 1}, "returned a int, not a Corrupted"),
        ({"adversaries": [lambda X: 1, lambda X: 2]}, "two of them are called '<lambda>'"),
        ({"random_state": None}, "random_state=None"),
        ({"estimator": {}}, "empty dict"),
        ({"estimator": bc.DecisionTreeRegressor()}, "not a classifier"),
        ({"estimator": DecisionTreeClassifier}, "not an estimator"),
        ({"estimator": 3}, "not an estimator"),
        ({"y": [0, 1]}, "300 rows but y has 2"),
        ({"X": [[1]], "y": [1]}, "one row"),
    ],
)
def test_bad_input_is_named(given, words):
    held = {"estimator": bc.DecisionTreeClassifier(), "X": X, "y": Y} | given
    with pytest.raises((ValueError, TypeError), match=words):
        noise.tolerance_report(held.pop("estimator"), held.pop("X"), held.pop("y"), **held)


def test_the_picture_shows_the_numbers(report):
    display = noise.ToleranceDisplay(report=report).plot()
    assert len(display.axes_) == 2 and set(display.lines_) == {
        (a, e) for a in report.adversaries for e in report.estimators
    }
    line = display.lines_["random_label_flip", "pruned"]
    assert line.get_ydata().tolist() == report.errors("pruned", "random_label_flip").mean(axis=1).tolist()
    assert line.get_xdata().tolist() == [0.0, 0.1, 0.3]
    with pytest.raises(ValueError, match="1 axes for 2 adversaries"):
        noise.ToleranceDisplay(report=report).plot(display.axes_[0])
    drawn = noise.ToleranceDisplay.from_estimator(bc.DecisionTreeClassifier(), X, Y, **SMALL | {"n_repeats": 1})
    assert drawn.report.n_repeats == 1
    matplotlib.pyplot.close("all")


def test_without_matplotlib_only_the_picture_is_refused():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from bristlecone import noise\n"
        "report = noise.ToleranceReport(('t',), ('a',), (0.0,), 1, ())\n"
        "try: noise.ToleranceDisplay(report=report).plot()\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "ToleranceDisplay needs matplotlib: pip install 'bristlecone[report]'"
