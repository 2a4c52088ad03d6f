"""What is asked of an experiment, and how a study walks through data sets."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bristlecone.experiments import needs, study
from bristlecone.experiments.experiment import Experiment, near
from bristlecone.experiments.registry import EXPERIMENTS, experiment
from bristlecone.experiments.sets import SETS
from bristlecone.experiments.study import Loaded, loaded, measured, split_of

NO_SETS = Experiment(name="own", source="s", writes=("own.csv",), run=lambda asked: "", splits=7)
WITH_SETS = Experiment(
    name="tables",
    source="s",
    writes=(),
    run=lambda asked: "",
    splits=5,
    sets=("spam", "letter"),
    quick_sets=("iris",),
    protocols=("paper", "code"),
)


def asked(of, **given):
    return of.asked(out=Path(), say=print, **given)


def test_what_is_not_said_is_the_experiment_s_own():
    found = asked(WITH_SETS)
    assert (found.sets, found.splits, found.protocols) == (("spam", "letter"), 5, ("paper", "code"))


def test_what_is_said_counts():
    found = asked(WITH_SETS, sets=["letter", "letter", "iris"], splits=3, protocol="code")
    assert (found.sets, found.splits, found.protocols) == (("letter", "iris"), 3, ("code",))


def test_quick_is_small_and_can_be_told_otherwise():
    found = asked(WITH_SETS, quick=True)
    assert (found.sets, found.splits, found.quick) == (("iris",), 2, True)
    assert asked(WITH_SETS, quick=True, splits=9, sets=["spam"]).sets == ("spam",)


@pytest.mark.parametrize(
    ("of", "given", "said"),
    [
        (NO_SETS, {"sets": ["spam"]}, "own makes its own data: it takes no --sets"),
        (NO_SETS, {"protocol": "paper"}, "own has no parameters to choose: it takes no --protocol"),
        (WITH_SETS, {"sets": ["lettre"]}, "tables has no set 'lettre'; did you mean 'letter'"),
        (WITH_SETS, {"splits": 0}, "--splits must be at least 1, got 0"),
    ],
)
def test_what_cannot_be_followed_is_named(of, given, said):
    with pytest.raises(ValueError, match=said):
        asked(of, **given)


def test_near_words():
    assert near("Spam", ["spam", "letter"]) == "did you mean 'spam'?"
    assert near("zzz", ["spam", "letter"]) == "there are 'spam', 'letter'"


def test_an_unknown_experiment():
    with pytest.raises(ValueError, match="there is no experiment 'pacbayes-table'; did you mean 'pacbayes-table2'"):
        experiment("pacbayes-table")


@pytest.mark.parametrize("one", EXPERIMENTS.values(), ids=list(EXPERIMENTS))
def test_experiments_are_what_they_say(one):
    assert one.source and one.writes and one.splits >= 1
    assert set(one.sets) | set(one.quick_sets) <= set(SETS)
    assert all(SETS[name].shipped is not None for name in one.quick_sets)
    assert all(name.startswith(one.name + ".") for name in one.writes)


def test_a_lacking_package_is_one_line():
    with pytest.raises(ImportError, match=r"^experiments need no_such_package: pip install"):
        needs.needed("no_such_package.part")
    assert needs.needed("json").__name__ == "json"


def test_splits_are_disjoint_and_repeatable():
    one, again, other = (split_of(100, k, growing=60, others=30) for k in (1, 1, 2))
    assert len(one.growing) == 60 and len(one.others) == 30
    assert not set(one.growing) & set(one.others)
    assert (one.growing == again.growing).all() and set(one.growing) != set(other.growing)


def test_sets_that_are_not_here_are_skipped_by_name(monkeypatch, tmp_path):
    monkeypatch.setenv("BRISTLECONE_DATA", str(tmp_path))
    lines = []
    found = list(loaded(WITH_SETS.asked(out=tmp_path, say=lines.append, sets=["spam", "iris", "letter"])))
    assert [one.name for one in found] == ["iris"]
    assert [line.split(":")[0] for line in lines] == ["skipped spam", "skipped letter"]


class Constant:
    """Always one answer."""

    def __init__(self, answer):
        self.answer = answer

    def predict(self, X):
        return np.full(len(X), self.answer)

    def get_n_leaves(self):
        return 1


def test_errors_are_shares_of_the_others():
    data = Loaded("toy", pd.DataFrame({"x": range(10)}), np.array([0] * 6 + [1] * 4), False)
    split = study.Split(3, np.arange(4), np.arange(4, 10))
    seen = []

    def fit(X, y):
        seen.append((len(X), list(y)))
        return Constant(1)

    (found,) = measured(data, split, {"one": fit}, base="b", protocol="p", describe=lambda model: "c")
    assert seen == [(4, [0, 0, 0, 0])]
    assert (found.error, found.leaves, found.rows, found.split, found.chosen) == (2 / 6, 1, 4, 3, "c")
    assert (found.set, found.base, found.protocol, found.method) == ("toy", "b", "p", "one")
    numbers = Loaded("toy", data.X, np.arange(10.0), True)
    (found,) = measured(numbers, split, {"one": fit}, base="b")
    assert found.error == np.mean([(1 - value) ** 2 for value in range(4, 10)])
