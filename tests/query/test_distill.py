"""Distilling: faithful trees of known models, limits that hold, rows put aside, budgets, every kind of table."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import binom
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from bristlecone.grow import cart
from bristlecone.query import BudgetSpentError, Fidelity, Oracle, ProductDistribution, distill
from bristlecone.query.distilling import searching
from bristlecone.query.distilling.contending import chosen, far_behind
from bristlecone.query.distilling.growth import Grower
from bristlecone.query.distilling.searching import Asker
from bristlecone.query.distilling.spaces import ProductSpace, RowSpace
from bristlecone.query.distilling.splitting import Pairs, best_cut, purest_split
from bristlecone.table import as_table

WAYS = [(space, growth) for space in ("rows", "product") for growth in ("gain", "influence")]


def people(n=1500, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "job": rng.choice(list("abcdefgh"), n),
            "income": rng.normal(50, 10, n).round(1),
            "noise": rng.random(n),
        }
    )
    frame.loc[::17, "income"] = np.nan
    return frame


class Rule:
    """Three answers by age, job and whether the income is known; it wants the frame that people() makes."""

    def predict(self, X):
        assert list(X.columns) == ["age", "job", "income", "noise"]
        X = X if isinstance(X, pd.DataFrame) else X.to_pandas()
        old, chosen = X["age"] > 40, X["job"].isin(["a", "c"])
        return np.where(old & chosen, "yes", np.where(X["income"].isna(), "maybe", "no"))


@pytest.mark.parametrize(("space", "growth"), WAYS)
def test_a_rule_of_three_columns_is_found(space, growth):
    found = distill(Rule(), people(), max_leaves=12, space=space, growth=growth, random_state=0)
    assert found.fidelity >= 0.97 and (found.space, found.growth) == (space, growth)
    frame = people(400, 1)
    assert (found.predict(frame) == Rule().predict(frame)).mean() >= 0.97
    assert found.tree.classes.tolist() == ["maybe", "no", "yes"]
    assert 3 not in found.tree.feature  # the noise
    assert found.candidates[0].fidelity is None


def test_all_ways_are_compared_and_the_winner_is_certified_on_other_rows():
    found = distill(Rule(), people(), max_leaves=12, random_state=0, X=people(300, 2), y=Rule().predict(people(300, 2)))
    assert [(c.space, c.growth) for c in found.candidates] == WAYS
    best = max(found.candidates, key=lambda c: c.fidelity)
    assert (
        best.fidelity
        == next(c for c in found.candidates if c.space == found.space and c.growth == found.growth).fidelity
    )
    assert found.on_like.n == 100 and found.fidelity_lower < found.fidelity == 1
    assert found.model_error < 0.02 and found.tree_error < 0.03
    said = str(found)
    assert "rows put aside" in said and "the model on 0.00%" in said
    assert sum(c.n_queries for c in found.candidates) < found.n_queries


def test_frames_arrays_and_tables_are_asked_in_their_own_kind():
    frame = people()
    assert distill(Rule(), pl.from_pandas(frame), max_leaves=6, random_state=0, space="rows").fidelity > 0.95
    X = np.random.default_rng(0).normal(size=(600, 3))
    seen = []

    def model(rows):
        seen.append(type(rows))
        return rows[:, 1] > 0

    for like in (X, X.tolist(), as_table(X)):
        found = distill(model, like, max_leaves=4, random_state=0)
        assert found.fidelity > 0.97 and found.tree.feature[0] == 1
    assert set(seen) == {np.ndarray}


def test_rows_put_aside_are_never_asked_about_in_growth():
    frame = pd.DataFrame({"row": np.arange(1000.0), "other": np.random.default_rng(0).random(1000)})
    asked = []

    def model(rows):
        asked.append(rows)
        return (rows["row"] > 500).to_numpy()

    oracle = Oracle(model, recheck=0)
    found = distill(oracle, frame, max_leaves=8, space="rows", growth="gain", random_state=0, points_per_leaf=50)
    grown = pd.concat(asked[:-2])
    certified, whole = asked[-2], frame.set_index("row")["other"]
    assert len(certified) == 100
    as_they_are = grown[whole.loc[grown["row"]].to_numpy() == grown["other"].to_numpy()]
    assert not set(certified["row"]) & set(as_they_are["row"])
    assert found.fidelity > 0.9


def test_the_winner_grows_on_the_rows_to_compare_on_and_never_on_those_to_certify_on():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"row": np.arange(1000.0), "other": rng.random(1000), "more": rng.random(1000)})
    asked = []

    def model(rows):
        asked.append(rows)
        return ((rows["row"] > 500) & (rows["other"] > 0.3)).to_numpy()

    found = distill(Oracle(model, recheck=0), frame, max_leaves=8, random_state=0, points_per_leaf=50)
    assert found.space == "rows" and len(found.candidates) == 4
    certified = set(asked[-2]["row"])
    assert len(certified) == found.on_like.n == 100

    def as_they_are(batches):
        rows = pd.concat(batches)
        same = (frame.loc[rows["row"].astype(int)].to_numpy() == rows.to_numpy()).all(axis=1)
        return set(rows["row"][same])

    compared = next(
        k for k, batch in enumerate(asked) if len(batch) == 200 and as_they_are([batch]) == set(batch["row"])
    )
    assert not as_they_are(asked[:-2]) & certified
    assert not as_they_are(asked[:compared]) & set(asked[compared]["row"])
    again = as_they_are(asked[compared + 1 : -2])
    assert set(asked[compared]["row"]) <= again and len(again) == 900


def test_the_budget_of_an_oracle_counts():
    oracle = Oracle(Rule(), most_kinds=None, max_queries=3000)
    oracle(people()[:100])
    found = distill(oracle, people(), max_leaves=4, random_state=0)
    assert found.n_queries <= 2900 and oracle.n_queries <= 3000
    with pytest.raises(ValueError, match="the oracle has 20 queries left; at least 50 are needed"):
        distill(Oracle(Rule(), most_kinds=None, max_queries=20), people())


def test_an_oracle_keeps_its_budgets_and_they_hold_for_labelled_rows_too():
    table, labels = people(), Rule().predict(people())
    oracle = Oracle(Rule(), most_kinds=None, max_queries=4000, max_seconds=1000)
    found = distill(oracle, table, max_leaves=4, random_state=0, X=table, y=labels)
    assert oracle.n_queries == found.n_queries <= 4000 and found.model_error == 0
    assert (oracle.max_queries, oracle.max_seconds) == (4000, 1000)
    with pytest.raises(ValueError, match="has 1520 queries left; at least 50 are needed beside the 1500 of X"):
        distill(Oracle(Rule(), most_kinds=None, max_queries=1520), table, X=table, y=labels)


def test_the_seconds_of_an_oracle_are_shared_out_and_never_passed(monkeypatch):
    now = 0.0

    def slow(X):
        nonlocal now
        assert now < 20
        now += 0.001 * len(X)
        return Rule().predict(X)

    monkeypatch.setattr(time, "monotonic", lambda: now)
    oracle = Oracle(slow, most_kinds=None, max_seconds=20)
    found = distill(oracle, people(), max_leaves=500, random_state=0)
    assert {one.stopped.split(" at ")[0] for one in found.candidates} == {
        "far behind",
        "its share of the time, 3.5 s, is over",
    }
    assert found.fidelity > 0.9 and oracle.max_seconds == 20
    now = 20.0
    with pytest.raises(BudgetSpentError, match=r"^max_seconds=20 are over before a tree was grown and measured$"):
        distill(oracle, people(), random_state=0)


def test_a_boolean_distribution_and_the_parity_that_purity_cannot_see():
    dist = ProductDistribution([0.5] * 12)
    parity = lambda X: X[:, [1, 4, 6]].sum(axis=1) % 2  # noqa: E731
    found = distill(parity, dist, max_leaves=8, growth="influence", random_state=0)
    assert found.fidelity == 1 and set(found.tree.feature[found.tree.feature >= 0]) == {1, 4, 6}
    assert found.on_like.n == 2500 and not found.like_rows and "distribution" in str(found)
    assert found.notes == ()  # this is what the theorem is about
    auto = distill(parity, dist, max_leaves=8, random_state=0)
    assert auto.growth == "influence" and auto.fidelity == 1
    with pytest.raises(ValueError, match="space='rows' needs a table"):
        distill(parity, dist, space="rows")


def test_general_distributions():
    dist = ProductDistribution.from_masses(
        {"dose": {k: 0.1 for k in range(10)}, "arm": {"a": 0.5, "b": 0.3, "c": 0.2}, "x": {0: 0.5, 1: 0.5}}
    )
    found = distill(
        lambda X: np.where(X[:, 1] == "b", "stop", np.where(X[:, 0] < 4, "low", "high")), dist, random_state=0
    )
    assert found.fidelity == 1 and found.tree.n_leaves <= 4


def test_a_model_that_always_says_the_same():
    found = distill(lambda X: ["fine"] * len(X), people(100), random_state=0)
    assert found.tree.n_leaves == 1 and found.fidelity == 1
    assert found.predict(people(5)).tolist() == ["fine"] * 5


def test_the_same_seed_gives_the_same_tree():
    a, b = (distill(Rule(), people(), max_leaves=9, random_state=4, points_per_leaf=100) for _ in range(2))
    assert a.tree.equals(b.tree) and a.n_queries == b.n_queries and a.on_space == b.on_space
    assert a.tree.n_leaves <= 9


def test_trees_can_be_saved_and_explained():
    from bristlecone.export import payload_to_tree, tree_to_payload

    tree = distill(Rule(), people(), max_leaves=9, random_state=0, points_per_leaf=100).tree
    assert payload_to_tree(tree_to_payload(tree)).equals(tree)
    assert "yes" in tree.explain(people(3), 0).sentence or tree.explain(people(3), 0).sentence


@pytest.mark.parametrize("budget", [50, 200, 1000, 20_000])
def test_a_budget_is_never_passed_and_ends_growth_early(budget):
    asked = []

    def model(X):
        asked.append(len(X))
        return Rule().predict(X)

    found = distill(model, people(), max_leaves=30, random_state=0, max_queries=budget)
    assert sum(asked) == found.n_queries <= budget
    assert found.on_like.n <= max(1, budget // 10)
    if any(c.stopped for c in found.candidates if (c.space, c.growth) == (found.space, found.growth)):
        assert "Growth ended early" in str(found)


def test_an_oracle_keeps_the_count_and_reports_changes():
    rng = np.random.default_rng(0)
    oracle = Oracle(lambda X: np.where(rng.random(len(X)) < 0.2, "odd", Rule().predict(X)), most_kinds=None)
    found = distill(oracle, people(), max_leaves=4, random_state=0, points_per_leaf=200)
    assert found.n_queries == oracle.n_queries and found.n_changed > 0
    assert "changed" in str(found)


def test_the_limit_is_clopper_pearson():
    limit = Fidelity(188, 200).at_least(0.05)
    assert limit == pytest.approx(1 - 0.0954014177298773, rel=1e-12)  # AV-A13: 12 errors of 200
    assert binom.sf(187, 200, limit) == pytest.approx(0.05)
    assert Fidelity(0, 10).at_least(0.05) == 0
    assert Fidelity(10, 10).at_least(0.05) == pytest.approx(0.05**0.1)


def with_one_column_redrawn(frame, seed=0):
    rng, redrawn = np.random.default_rng(seed), frame.copy()
    column = rng.integers(len(frame.columns), size=len(frame))
    for i, name in enumerate(frame.columns):
        redrawn.loc[column == i, name] = frame[name].to_numpy()[rng.integers(len(frame), size=(column == i).sum())]
    return redrawn


@pytest.mark.slow
def test_the_limits_are_seldom_wrong():
    """Over runs, the true agreement on new rows, and on such with one column redrawn, is below the limit no more often
    than delta allows.
    """
    new = people(20_000, 99)
    around = with_one_column_redrawn(new)
    truths, wrong = (Rule().predict(new), Rule().predict(around)), np.zeros(2, dtype=int)
    for seed in range(60):
        found = distill(
            Rule(),
            people(300, seed),
            space="rows",
            max_leaves=3,
            delta=0.2,
            points_per_leaf=60,
            aside=0.3,
            random_state=seed,
        )
        limits = found.fidelity_lower, found.on_space.at_least(0.2)
        wrong += [
            (found.predict(rows) == truth).mean() < limit
            for rows, truth, limit in zip((new, around), truths, limits, strict=True)
        ]
    assert wrong.max() <= binom.ppf(0.999, 60, 0.2)


@pytest.mark.parametrize(("rows", "kept"), [(400, 40), (20_000, 1000)])
def test_a_row_put_aside_makes_one_point_of_the_space(rows, kept):
    asked = []

    def model(X):
        asked.append(X)
        return X[:, 0] > 0.5

    like = np.random.default_rng(0).random((rows, 3))
    found = distill(model, like, space="rows", growth="gain", max_leaves=2, aside=0.05, random_state=0)
    assert found.on_like.n == found.on_space.n == kept
    certified, around = (X for X in asked if len(X) == kept)
    assert len(np.unique(certified, axis=0)) == kept
    assert ((certified != around).sum(axis=1) <= 1).all() and (certified != around).any()


def test_a_forest_on_wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(8, random_state=0).fit(X, y)
    found = distill(forest, X, max_leaves=6, space="rows", growth="gain", random_state=0, points_per_leaf=80, X=X, y=y)
    assert found.fidelity > 0.75 and found.model_error < 0.02 and found.tree_error < 0.2


@pytest.mark.filterwarnings("ignore:like never varies")
def test_tables_that_tell_little():
    model = lambda X: np.zeros(len(X))  # noqa: E731
    assert distill(model, np.ones((20, 2)), random_state=0).tree.n_leaves == 1
    with pytest.raises(ValueError, match="like has 9 rows; at least 10"):
        distill(model, np.random.default_rng(0).random((9, 2)))


def test_constant_columns_are_warned_about():
    X = np.random.default_rng(0).random((50, 3))
    X[:, 1] = 4
    with pytest.warns(UserWarning, match="like never varies 'x1'"):
        found = distill(lambda rows: rows[:, 0] > 0.5, X, random_state=0)
    assert found.tree.feature[0] == 0


def shouts(X):
    raise RuntimeError("no")


@pytest.mark.parametrize(
    ("model", "options", "error", "message"),
    [
        (3, {}, TypeError, "callable or an object with predict"),
        (shouts, {}, ValueError, "raised RuntimeError"),
        (lambda X: X["noise"].to_numpy(), {}, ValueError, "more than 1000 labels"),
        (lambda X: np.full(len(X), np.nan), {}, ValueError, "missing"),
        (Rule(), {"max_leaves": 0}, ValueError, "max_leaves must be a whole number of at least 1"),
        (Rule(), {"points_per_leaf": 1.5}, ValueError, "points_per_leaf"),
        (Rule(), {"delta": 1}, ValueError, "delta"),
        (Rule(), {"space": "all"}, ValueError, "space must be 'auto' or one of 'rows', 'product'"),
        (Rule(), {"growth": "gini"}, ValueError, "growth must be 'auto' or one of"),
        (Rule(), {"aside": 0}, ValueError, "aside"),
        (Rule(), {"max_queries": 0}, ValueError, "max_queries must be at least 50"),
        (Rule(), {"max_queries": "a"}, TypeError, "max_queries must be a whole number, got 'a'"),
        (Rule(), {"X": people(5)}, ValueError, "X and y are given together"),
        (Rule(), {"X": people(5), "y": [1]}, ValueError, "X has 5 rows but y has shape"),
        (Rule(), {"X": people(5)[:0], "y": []}, ValueError, "X has no rows"),
        (Rule(), {"X": people(5)[["age"]], "y": ["no"] * 5}, ValueError, "^X: .*'job'"),
        (Rule(), {"X": people(3), "y": ["no", None, "no"]}, ValueError, "y, row 1: the label is missing"),
        (Rule(), {"aside": "a"}, ValueError, "aside must be a share of the rows"),
        (cart(people()[["age"]], people()["age"], criterion="squared_error"), {}, TypeError, "Tree answers numbers"),
        (RandomForestClassifier, {}, TypeError, "got the class RandomForestClassifier itself"),
        (lambda X: np.array([{}] * len(X)), {}, ValueError, "what is no label: {}"),
    ],
)
def test_what_cannot_be_distilled(model, options, error, message):
    with pytest.raises(error, match=message):
        distill(model, people(), **({"points_per_leaf": 300, "max_leaves": 3, "random_state": 0} | options))


@pytest.mark.parametrize("like", [None, "rows.csv", np.zeros(20), np.full((30, 2), np.inf)])
def test_likes_that_are_no_tables(like):
    with pytest.raises(ValueError, match=r"^like: "):
        distill(Rule(), like)


def test_regions_keep_what_the_conditions_say():
    dist = ProductDistribution.from_table(people())
    rng = np.random.default_rng(0)
    for space in (ProductSpace(dist), RowSpace(dist, dist.row_places)):
        ask = Asker(lambda t: (t.columns[0] > 40).astype(np.int64), dist.table, space.base)
        region, total = space.root(), 0.0
        sample = space.draw(region, 400, rng)
        split, gain = purest_split(dist, sample.places, ask.of([sample])[0])
        assert split.column == 0 and 0.4 < gain <= 0.5
        for left in (True, False):
            side = region.without(split, space.base, left)
            total += space.mass(side)
            drawn = space.draw(side, 500, rng)
            assert len(drawn.places) >= 500
            assert (split.left[drawn.places[:, 0]] == left).all()
            assert len(set(ask.of([drawn])[0].tolist())) == 1
        assert total == pytest.approx(1.0)


def test_the_best_cut_resolves_all_influence_of_a_threshold_and_of_a_set():
    dist = ProductDistribution.from_table(people())
    rng, k = np.random.default_rng(0), len(dist.coordinates[0].values)
    first, second = rng.integers(k, size=(2, 3000))
    ages = dist.coordinates[0].values
    running = dist.coordinates[0].running
    pairs = Pairs(first, second, (ages[first] > 40) != (ages[second] > 40))
    split = best_cut(0, dist.coordinates[0], np.arange(k), running, pairs)
    assert 40 < split.threshold < 41 and (split.left == (ages <= 40)).all()
    jobs = dist.coordinates[1]
    good = np.isin(np.array(jobs.column.levels)[jobs.values], ["a", "c"])
    first, second = rng.integers(8, size=(2, 3000))
    split = best_cut(1, jobs, np.arange(8), jobs.running, Pairs(first, second, good[first] != good[second]))
    assert (split.left == good).all() or (split.left == ~good).all()
    nothing = Pairs(first, second, np.zeros(3000, dtype=bool))
    assert best_cut(1, jobs, np.arange(8), jobs.running, nothing) is None


def test_many_levels_are_climbed_and_marked():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"city": rng.choice([f"c{k:02}" for k in range(30)], 2000), "x": rng.random(2000)})
    low = [f"c{k:02}" for k in range(0, 30, 3)]
    found = distill(
        lambda X: X["city"].isin(low).to_numpy(),
        frame,
        max_leaves=4,
        space="product",
        growth="influence",
        random_state=0,
        points_per_leaf=3000,
    )
    assert found.fidelity > 0.9 and found.tree.heuristic[0] == 1


def test_growth_is_best_first():
    dist = ProductDistribution([0.5, 0.5, 0.1])
    space = ProductSpace(dist)
    ask = Asker(lambda X: (X[:, 0] * 2 + X[:, 1] + X[:, 2] > 1).astype(np.int64), dist.points, space.base)
    grown = Grower(space, ask, "gain", 500, np.random.default_rng(0)).grow(3)
    assert len(grown.nodes) == 5 and grown.nodes[0].split.column == 0
    assert [n.mass for n in grown.nodes[1:3]] == [0.5, 0.5]


def test_of_candidates_that_cannot_be_told_apart_the_first_is_kept():
    rng = np.random.default_rng(0)
    right = rng.random(400) < 0.8
    luckier = right | (np.arange(400) < 1)
    assert chosen(np.array([right, luckier])) == 0
    better = right | (rng.random(400) < 0.3)
    assert chosen(np.array([right, better])) == 1 and chosen(np.array([better, right])) == 0
    assert far_behind(np.array([right, better, luckier])).tolist() == [True, False, True]
    assert not far_behind(np.array([right, luckier, right])).any()
    assert chosen(np.zeros((3, 1), bool)) == 0 and chosen(np.array([[False], [True]])) == 1


def test_candidates_that_are_far_behind_take_no_more_queries():
    parity = lambda X: X[:, [0, 1]].sum(axis=1) % 2  # noqa: E731
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (4000, 8))
    found = distill(parity, X, max_leaves=64, random_state=0)
    assert found.fidelity == 1
    for one in found.candidates:
        assert (one.fidelity == 1) != ("far behind at" in one.stopped)


@pytest.mark.parametrize("growth", ["gain", "influence"])
def test_leaves_are_asked_about_in_groups(growth):
    calls = []

    def model(X):
        calls.append(len(X))
        return (np.sin(3 * X[:, 0]) + X[:, 1] > 0) & (X[:, 2] > -1)

    X = np.random.default_rng(0).normal(size=(2000, 4))
    oracle = Oracle(model, recheck=0)
    found = distill(oracle, X, max_leaves=64, points_per_leaf=100, space="rows", growth=growth, random_state=0)
    assert found.tree.n_leaves > 32
    most = {"gain": 64, "influence": 256}[growth]  # a call for each of over 100 splits, or several, would be more
    assert len(calls) < most and max(calls) <= oracle.batch_size
    whole = Oracle(model, recheck=0)
    again = distill(whole, X, max_leaves=64, points_per_leaf=100, space="rows", growth=growth, random_state=0)
    assert str(again.tree) == str(found.tree)


def test_regressors_and_numbers_are_refused():
    X = np.random.default_rng(0).normal(size=(300, 2))
    regressor = DecisionTreeRegressor().fit(X, X[:, 0])
    with pytest.raises(TypeError, match="DecisionTreeRegressor answers numbers"):
        distill(regressor, X)
    with pytest.raises(TypeError, match="Pipeline answers numbers"):
        distill(make_pipeline(StandardScaler(), regressor), X)
    asked = []

    def numbers(rows):
        asked.append(len(rows))
        return rows[:, 0]

    with pytest.raises(
        ValueError, match=r"gave \d+ different numbers as answers, such as -.*, and this is about classes"
    ):
        distill(numbers, X)
    assert sum(asked) <= 1032
    many = np.random.default_rng(0).normal(size=(3000, 1))
    assert distill(lambda rows: np.floor(4 * rows[:, 0]), many, max_leaves=40, random_state=0).fidelity > 0.9


@pytest.mark.parametrize("like", ["rows.csv", Path("rows.csv"), None])
def test_what_is_no_table_is_named(like):
    with pytest.raises(ValueError, match="like: expected an array, a frame, a Table or a ProductDistribution, got"):
        distill(lambda rows: rows, like)


def test_labels_that_no_answer_equals_are_refused_before_anything_is_grown():
    asked = []

    def model(X):
        asked.append(len(X))
        return X["age"].to_numpy() > 40

    with pytest.raises(ValueError, match=r"y holds labels such as 'no', and the model answers (True|False)"):
        distill(model, people(), X=people(7), y=["no"] * 7)
    assert asked == [7]
    found = distill(model, people(), X=people(7), y=(people(7)["age"] > 40).astype(int), space="rows", growth="gain")
    assert found.model_error == 0


def test_models_of_numbers_are_refused_however_they_are_handed_over():
    X = people()[["age"]]
    fitted = DecisionTreeRegressor(max_depth=2).fit(X, X["age"])
    tree = cart(X, X["age"], criterion="squared_error", max_depth=2)
    for model in (fitted, fitted.predict, Oracle(fitted, most_kinds=None), tree, tree.predict, Oracle(tree)):
        with pytest.raises(TypeError, match=r"(DecisionTreeRegressor|Tree) answers numbers"):
            distill(model, X)


def test_text_in_an_array_is_told_of_frames():
    with pytest.raises(ValueError, match=r"^like: column 'x0', row 0: 'a' is not a number; .*, or hand over a frame"):
        distill(lambda X: X[:, 0] == "a", np.array([["a", "b"]] * 20))


def test_a_model_whose_calls_are_slow_is_asked_by_fewer_candidates(monkeypatch):
    now, calls = 0.0, 0

    def slow(X):
        nonlocal now, calls
        now, calls = now + 1.0, calls + 1
        return Rule().predict(X)

    monkeypatch.setattr(time, "monotonic", lambda: now)
    found = distill(Oracle(slow, most_kinds=None, max_seconds=12), people(), max_leaves=8, random_state=0)
    assert 1 <= len(found.candidates) < 4 and calls <= 12
    assert found.on_like.n == 100 and (found.space, found.growth) == ("rows", "gain")


def test_questions_in_bundles_of_any_size_grow_the_same_tree(monkeypatch):
    options = {"growth": "influence", "max_leaves": 8, "points_per_leaf": 120, "random_state": 0}
    for space in ("rows", "product"):
        whole = distill(Rule(), people(400), space=space, **options)
        for cells in (1, 150):
            with monkeypatch.context() as patched:
                patched.setattr(searching, "CELLS", cells)
                bundled = distill(Rule(), people(400), space=space, **options)
            assert bundled.tree.equals(whole.tree) and bundled.n_queries == whole.n_queries


def test_wide_tables_are_asked_about_a_bundle_at_a_time():
    X = np.random.default_rng(0).normal(size=(60, 3000))
    widest = []

    def model(rows):
        widest.append(len(rows))
        return rows[:, 0] > 0

    distill(model, X, growth="influence", space="rows", max_leaves=2, points_per_leaf=50, random_state=0)
    assert 1000 < max(widest) <= searching.CELLS // 3000 + 1
