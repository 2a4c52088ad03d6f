"""Adversaries: what all of them keep, what each of them does, and that none is weaker than it says."""

from __future__ import annotations

import sys

import hypothesis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import strategies as st
from reference.greedy_cancel import greedy_cancel_twin

from bristlecone import grow, noise
from bristlecone.noise.questions import Questions
from bristlecone.table import Table, as_table

RNG = np.random.default_rng(0)
BITS = RNG.integers(0, 2, (200, 5)).astype(float)
LABELS = np.where(BITS[:, :2].all(axis=1) | (RNG.random(200) < 0.2), "yes", "no")
OTHER = (RNG.integers(0, 2, (30, 5)).astype(float), np.full(30, "yes"))
EXACT = [name for name in noise.ADVERSARIES if name != "oblivious_mixture"]


def examples(count: int):
    return hypothesis.settings(max_examples=count, deadline=None)


def call(name, X, y, eta, random_state=0, other=OTHER, **options):
    options |= {"to": other} if name == "table_shift" else {}
    return noise.ADVERSARIES[name](X, y, eta, random_state=random_state, **options)


def same(a, b):
    return np.array_equal(np.asarray(a), np.asarray(b))


def root_covariance(X, y, classes=("no", "yes")):
    second = np.asarray(y) == classes[1]
    best = Questions(as_table(X)).best(np.arange(len(second)), second)
    return 0.0 if best is None else abs(best.covariance)


@pytest.mark.parametrize("name", list(noise.ADVERSARIES))
@pytest.mark.parametrize("eta", [0.0, 0.013, 0.29, 1.0])
def test_every_adversary_keeps_its_promises(name, eta):
    before = BITS.copy()
    X, y, indices = call(name, BITS, LABELS, eta)
    assert same(BITS, before) and X.shape == BITS.shape and y.shape == LABELS.shape and X.dtype == BITS.dtype
    assert set(y) <= {"no", "yes"} and (np.diff(indices) > 0).all()
    untouched = np.setdiff1d(np.arange(200), indices)
    assert same(X[untouched], BITS[untouched]) and same(y[untouched], LABELS[untouched])
    if name in EXACT:
        assert len(indices) <= int(200 * eta + 1e-9)
    if name in ("random_label_flip", "feature_replace", "insert_worst", "tribes_cancel"):
        assert len(indices) == int(200 * eta + 1e-9)
    again = call(name, BITS, LABELS, eta)
    assert same(again.X, X) and same(again.y, y) and same(again.indices, indices)
    if 0 < eta < 1 and name != "insert_worst":  # which draws among rows that speak alike only
        assert not same(call(name, BITS, LABELS, eta, random_state=1).indices, indices)


@pytest.mark.parametrize("name", list(noise.ADVERSARIES))
def test_rows_come_back_as_they_went_in(name):
    names = list("abcde")
    expected = call(name, BITS, LABELS, 0.2).X
    frame = pd.DataFrame(BITS, columns=names, index=np.arange(200)[::-1])
    kinds = {
        "pandas": (frame, pd.DataFrame(OTHER[0], columns=names)),
        "polars": (pl.DataFrame(BITS, schema=names), pl.DataFrame(OTHER[0], schema=names)),
        "pyarrow": (pa.table(pd.DataFrame(BITS, columns=names)), pa.table(pd.DataFrame(OTHER[0], columns=names))),
        "table": (as_table(BITS), OTHER[0]),
        "list": (BITS.tolist(), OTHER[0].tolist()),
    }
    for kind, (X, other) in kinds.items():
        X_out = call(name, X, LABELS, 0.2, other=(other, OTHER[1])).X
        assert kind == "list" or type(X_out) is type(X), kind
        cells = (
            np.column_stack(X_out.columns)
            if isinstance(X_out, Table)
            else np.column_stack([np.asarray(X_out[c]) for c in names])
            if kind != "list"
            else np.asarray(X_out)
        )
        assert same(cells, expected), kind
    assert call(name, frame, LABELS, 0.2, other=(kinds["pandas"][1], OTHER[1])).X.index.equals(frame.index)
    numbered = call(name, pd.DataFrame(BITS), LABELS, 0.2, other=(pd.DataFrame(OTHER[0]), OTHER[1])).X
    assert same(numbered, expected) and numbered.columns.tolist() == [0, 1, 2, 3, 4]


def test_categories_and_missing_cells_pass_through():
    X = pd.DataFrame({"c": pd.Categorical(["a", "b", None, "a"] * 25), "v": [1.0, None, 3.0, 4.0] * 25})
    y = np.array([0, 1, 1, 0] * 25)
    for name in ("random_label_flip", "targeted_label_flip", "feature_replace", "insert_worst", "greedy_cancel"):
        X_out, y_out, indices = noise.ADVERSARIES[name](X, y, 0.1, random_state=0)
        assert X_out.dtypes.equals(X.dtypes) and len(indices) <= 10
        seen = {tuple(map(str, row)) for row in X.to_numpy().tolist()}
        assert {tuple(map(str, row)) for row in X_out.to_numpy().tolist()} <= seen
        assert y_out.dtype == y.dtype


@pytest.mark.parametrize("name", list(noise.ADVERSARIES))
def test_numbers_are_no_classes(name):
    y = np.r_[np.arange(39.0), 0.5]
    options = {"to": (np.zeros((2, 1)), np.zeros(2))} if name == "table_shift" else {}
    with pytest.raises(ValueError, match=r"y, row 39: 0.5 is no class"):
        noise.ADVERSARIES[name](np.arange(40.0)[:, None], y, 0.1, **options)


@pytest.mark.parametrize("eta", [-0.1, 1.1, float("nan"), "0.1", None, True])
def test_bad_rates_are_named(eta):
    with pytest.raises(ValueError, match="eta="):
        noise.random_label_flip(BITS, LABELS, eta)


@pytest.mark.parametrize("state", [-1, 1.5, "a", True, np.random.RandomState(0)])
def test_bad_seeds_are_named(state):
    with pytest.raises(ValueError, match="random_state="):
        noise.random_label_flip(BITS, LABELS, 0.1, random_state=state)


def test_what_an_adversary_cannot_do_is_said():
    with pytest.raises(ValueError, match="two classes; y has 3"):
        noise.greedy_cancel(BITS[:3], ["a", "b", "c"], 0.5)
    with pytest.raises(ValueError, match="one class only, 'a'"):
        noise.random_label_flip(BITS[:3], ["a", "a", "a"], 0.5)
    with pytest.raises(ValueError, match="200 rows but y has 3"):
        noise.random_label_flip(BITS, LABELS[:3], 0.5)
    with pytest.raises(ValueError, match="at least two rows"):
        noise.feature_replace(BITS[:1], ["a"], 1.0)
    with pytest.raises(ValueError, match="label='maybe' is not a class"):
        noise.class_conditional_flip(BITS, LABELS, 0.1, label="maybe")
    with pytest.raises(ValueError, match=r"relevant: 'x9' is not one of the 5 columns"):
        noise.tribes_cancel(BITS, LABELS, 0.1, relevant=["x9"])
    with pytest.raises(ValueError, match="column 'x0' must have two values"):
        noise.tribes_cancel(np.arange(6.0)[:, None], [0, 1] * 3, 0.1)
    with pytest.raises(ValueError, match="the label 'perhaps', which y does not have"):
        noise.table_shift(BITS, LABELS, 0.1, to=(BITS, np.full(200, "perhaps")))
    with pytest.raises(TypeError, match="pair"):
        noise.table_shift(BITS, LABELS, 0.1, to=BITS)
    with pytest.raises(TypeError, match="same library"):
        frame = pd.DataFrame(BITS, columns=list("abcde"))
        noise.table_shift(frame, LABELS, 0.1, to=(pl.DataFrame(BITS, schema=list("abcde")), LABELS))
    with pytest.raises(TypeError, match="to must be a pair"):
        noise.table_shift(BITS, LABELS, 0.1, to=None)
    with pytest.raises(ValueError, match=r"label=array.* is not a class"):
        noise.class_conditional_flip(BITS, LABELS, 0.1, label=np.array(["no", "yes"]))
    with pytest.raises(ValueError, match="relevant=3: must be a list of columns"):
        noise.tribes_cancel(BITS, LABELS, 0.1, relevant=3)
    with pytest.raises(ValueError, match="lenders='own_class'"):
        noise.feature_replace(BITS, LABELS, 0.1, lenders="own_class")
    with pytest.raises(ValueError, match="row 1"):
        noise.feature_replace(np.array([[1.0], [np.inf]]), [0, 1], 0.5)


def test_rates_are_read_as_they_are_written():
    for eta in (0.29, 0.57, 0.58):
        assert len(noise.random_label_flip(BITS[:100], LABELS[:100], eta).indices) == round(100 * eta)


def test_flips_of_many_classes_reach_all_others():
    y = np.repeat([0, 1, 2], 400)
    _, flipped, indices = noise.random_label_flip(np.zeros((1200, 1)), y, 1.0, random_state=0)
    table = np.array([[np.sum(flipped[y == k] == j) for j in range(3)] for k in range(3)])
    assert (np.diag(table) == 0).all() and table[~np.eye(3, dtype=bool)].min() > 150 and len(indices) == 1200


def test_class_conditional_flips_are_of_one_class():
    for label, expected in [(None, "yes"), ("no", "no")]:
        indices = noise.class_conditional_flip(BITS, LABELS, 0.1, label=label, random_state=0).indices
        assert len(indices) == 20 and set(LABELS[indices]) == {expected}
    assert len(noise.class_conditional_flip(BITS, LABELS, 1.0, random_state=0).indices) == (LABELS == "yes").sum()
    days = np.where(LABELS == "yes", np.datetime64("2026-01-02"), np.datetime64("2026-01-01"))
    for day in (days.min(), days.min().item(), pd.Timestamp(days.min()).date()):
        indices = noise.class_conditional_flip(BITS, days, 0.1, label=day, random_state=0).indices
        assert set(LABELS[indices]) == {"no"}


@hypothesis.given(seed=st.integers(0, 10**6), eta=st.sampled_from([0.02, 0.05, 0.1]))
@examples(40)
def test_targeted_flips_lower_the_covariance_as_derived(seed, eta):
    """SPEC D8, 2: by f (1 - q) where h = 1, or by f q where h = 0."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (200, 3)).astype(float)
    y = (X[:, 0] + rng.normal(size=200) > 1.5).astype(int)
    sample = noise.sample.Sample(as_table(X), noise.sample.class_target(y))
    _, h = sample.best_question()
    q, f = h.mean(), round(200 * eta) / 200
    before, flipped = np.cov(h, y, bias=True)[0, 1], noise.targeted_label_flip(X, y, eta, random_state=seed).y
    after = np.cov(h, flipped, bias=True)[0, 1]
    assert before - after == pytest.approx(f * max(q, 1 - q), abs=1e-12)


@pytest.mark.parametrize("name", list(noise.ADVERSARIES))
@hypothesis.given(seed=st.integers(0, 10**6), eta=st.sampled_from([0.05, 0.1, 0.3]))
@examples(10)
def test_no_covariance_moves_by_more_than_the_share_of_replaced_rows(name, seed, eta):
    """SPEC D4, with the constant 1 that was derived, for a question fixed beforehand."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (60, 3)).astype(float), rng.integers(0, 2, 60)
    X[:2], y[:2] = [[0] * 3, [1] * 3], [0, 1]
    X_out, y_out, indices = call(name, X, y, eta, seed, other=(X[:, ::-1], y))
    for j in range(3):
        before, after = np.cov(X[:, j], y, bias=True)[0, 1], np.cov(X_out[:, j], y_out, bias=True)[0, 1]
        assert abs(before - after) <= len(indices) / 60 + 1e-12


def test_the_worst_point_is_the_worst():
    """No other point, copied over the same rows, leaves a smaller covariance of the root's best question."""
    X, y, indices = noise.insert_worst(BITS, LABELS, 0.05, random_state=0)
    question = Questions(as_table(BITS)).best(np.arange(200), LABELS == "yes")
    h = BITS[:, question.column]
    after = np.cov(X[:, question.column], y == "yes", bias=True)[0, 1]
    assert len(set(map(tuple, X[indices]))) == 1 and len(set(y[indices])) == 1
    for new_h in (0, 1):
        for label in (0, 1):
            h_, y_ = h.copy(), (LABELS == "yes").astype(float)
            h_[indices], y_[indices] = new_h, label
            assert np.cov(h_, y_, bias=True)[0, 1] >= after - 1e-12


def test_the_worst_point_takes_the_place_of_the_best_rows():
    """No other rows, given up for it, leave a smaller covariance, and no other row of its side speaks louder for it."""
    X, y, indices = noise.insert_worst(BITS, LABELS, 0.05, random_state=0)
    second = LABELS == "yes"
    column = Questions(as_table(BITS)).best(np.arange(200), second).column
    h = BITS[:, column]
    after = np.cov(X[:, column], y == "yes", bias=True)[0, 1]
    new_h, new_y = X[indices[0], column], y[indices[0]] == "yes"
    rng = np.random.default_rng(0)
    for _ in range(200):
        others = rng.choice(200, len(indices), replace=False)
        h_, y_ = h.copy(), second.astype(float)
        h_[others], y_[others] = new_h, new_y
        assert np.cov(h_, y_, bias=True)[0, 1] >= after - 1e-12
    covariances = [np.cov(BITS[:, j], second, bias=True)[0, 1] for j in range(5)]
    spoken = (BITS * covariances).sum(axis=1) * (1 if new_y else -1)
    assert spoken[(X[indices[0]] == BITS).all(axis=1)][0] == pytest.approx(spoken[h == new_h].min())
    own = np.where(second, 1, -1) * standing(BITS, second)
    gone, kind = np.isin(np.arange(200), indices), (h == h[indices[0]]) & (second == second[indices[0]])
    assert (kind[gone].all() and own[gone].max() <= own[kind & ~gone].min()) or not (kind & ~gone).any()


def test_rows_that_speak_alike_make_way_at_random():
    drawn = {tuple(noise.insert_worst(BITS[:, :2], LABELS, 0.05, random_state=seed).indices) for seed in range(20)}
    assert len(drawn) > 15


def standing(bits, second):
    """Where rows of bits stand: in order of covariance 1, 1/2, 1/4, ... for each that speaks for the second class."""
    covariances = np.array([np.cov(column, second, bias=True)[0, 1] for column in bits.T])
    order = np.argsort(-np.abs(covariances), kind="stable")
    return ((bits[:, order] == 1) == (covariances[order] > 0)) @ 0.5 ** np.arange(len(order))


@pytest.mark.parametrize("n_classes", [1, 2, 3])
@pytest.mark.parametrize("lenders", ["other_class", "any"])
def test_feature_replace_takes_another_row(n_classes, lenders):
    X, y = np.arange(60.0)[:, None], np.arange(60) % n_classes
    lent = [[] for _ in range(n_classes)]
    for seed in range(40):
        X_out, y_out, indices = noise.feature_replace(X, y, 0.4, lenders=lenders, random_state=seed)
        assert len(indices) == 24 and (X_out[indices] != X[indices]).all() and same(y_out, y)
        for row in indices:
            lent[y[row]].append(int(X_out[row, 0]))
    for label, rows in enumerate(lent):
        other = set(np.flatnonzero(y != label)) if lenders == "other_class" and n_classes > 1 else set(range(60))
        assert set(rows) == other  # each of them may be drawn


def test_flips_of_a_region_are_three_of_five_there():
    """Of the group that is flipped first, the rows that speak least for their label; none outside them."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (1000, 6)).astype(float)
    y = (X[:, :3].sum(axis=1) > 1).astype(int)
    _, flipped, indices = noise.targeted_label_flip(X, y, 0.05, random_state=0)
    question = Questions(as_table(X)).best(np.arange(1000), y == 1)
    group = (X[:, question.column] == y[indices[0]]) & (y == y[indices[0]])
    own = np.where(y == 1, 1, -1) * standing(X, y == 1)
    in_order = np.sort(own[group])
    assert len(indices) == 50 and group[indices].all() and (flipped[indices] != y[indices]).all()
    assert own[indices].max() <= in_order[83] and own[indices].max() > in_order[49]
    assert (np.diff(indices) > 0).all()


def test_mixtures_draw_from_what_they_are_given():
    X, y, indices = noise.oblivious_mixture(
        np.zeros((4000, 1)), ["a", "b"] * 2000, 0.25, random_state=0, towards=([[7.0], [8.0]], ["a", "b"])
    )
    assert abs(len(indices) - 1000) < 4 * np.sqrt(4000 * 0.25 * 0.75)
    assert set(X[indices, 0]) == {7.0, 8.0} and same(y[indices], np.where(X[indices, 0] == 7, "a", "b"))
    rows, labels = np.zeros((10, 1)), ["a", "b"] * 5
    X, y, indices = noise.table_shift(rows, labels, 0.5, to=([[7.0], [8.0]], ["a", "a"]), random_state=0)
    assert len(indices) == 5 and set(y[indices]) == {"a"} and (X[indices] > 0).all()
    unique = noise.table_shift(rows, labels, 0.5, to=(np.arange(1.0, 6)[:, None], ["a"] * 5), random_state=0)
    assert sorted(unique.X[unique.indices, 0]) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_second_table_may_hold_other_types_of_numbers_and_texts(library):
    make = {"pandas": pd.DataFrame, "polars": pl.from_pandas, "pyarrow": pa.table}[library]
    mine = pd.DataFrame({"n": range(20), "c": ["a", "b"] * 10})
    theirs = pd.DataFrame({"c": pd.Categorical(["z", "b"] * 5), "n": np.arange(10) + 0.5})
    theirs, y = make(theirs), ["no", "yes"] * 10
    for name, options in (
        ("table_shift", {"to": (theirs, y[:10])}),
        ("oblivious_mixture", {"towards": (theirs, y[:10])}),
    ):
        found = noise.ADVERSARIES[name](make(mine), y, 0.3, random_state=0, **options)
        assert type(found.X) is type(make(mine)) and len(found.indices) > 0
        numbers, letters = np.asarray(found.X["n"]), np.asarray(found.X["c"]).astype(str)
        taken = np.isin(np.arange(20), found.indices)
        assert (numbers[taken] % 1 == 0.5).all() and (numbers[~taken] == np.arange(20)[~taken]).all()
        assert set(letters[taken]) <= {"z", "b"} and "z" in letters
    if library != "pandas":  # which holds anything beside anything
        with pytest.raises((TypeError, ValueError), match="column 'c'"):
            noise.table_shift(make(mine), y, 0.3, to=(make(mine.assign(c=[1, 2] * 10)), y))


def test_tribes_cancel_makes_the_papers_points():
    X, y, indices = noise.tribes_cancel(BITS, LABELS, 0.5, relevant=["x0", 3], random_state=0)
    assert same(X[indices, 0], X[indices, 3]) and same(y[indices], np.where(X[indices, 0] == 1, "no", "yes"))
    assert 0.3 < X[indices, 1].mean() < 0.7


def greedy_tables():
    cells = st.sampled_from([0, 1, 2, 3, np.nan])
    return st.integers(4, 30).flatmap(
        lambda n: st.tuples(
            st.lists(st.tuples(cells, cells), min_size=n, max_size=n),
            st.lists(st.integers(0, 1), min_size=n, max_size=n),
            st.sampled_from([[], [1], [0, 1]]),
            st.integers(0, 99),
        )
    )


@pytest.mark.parametrize("window", [1, 3, 64])
@hypothesis.given(given=greedy_tables())
@examples(40)
def test_the_greedy_canceller_is_its_twin(window, given):
    rows, y, levels, seed = given
    X, y = np.array(rows, float), np.array(y)
    hypothesis.assume(0 < y.sum() < len(y))
    table = as_table(X, categorical_features=levels or None)
    rng = np.random.default_rng(seed)
    level = [j in levels for j in range(2)]
    replaced, second, source = greedy_cancel_twin(Questions(table), level, y == 1, len(y) // 2, window, rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["bristlecone.noise.adversaries.greedy_cancel"], "WINDOW", window)
        found = noise.greedy_cancel(table, y, 0.5, random_state=np.random.default_rng(seed))
    assert found.indices.tolist() == replaced
    assert found.y.tolist() == list(map(int, second))
    for j in range(2):
        np.testing.assert_array_equal(found.X.columns[j], table.columns[j][source])


def test_the_greedy_canceller_lowers_what_it_looks_at():
    X = RNG.standard_normal((2000, 5))
    y = np.where(X[:, 0] + X[:, 1] + RNG.standard_normal(2000) > 0, "yes", "no")
    found = noise.greedy_cancel(X, y, 0.1, random_state=0)
    assert root_covariance(found.X, found.y) < root_covariance(X, y) - 0.03
    bits = noise.greedy_cancel(BITS, LABELS, 0.9, random_state=0)
    assert root_covariance(bits.X, bits.y) < root_covariance(BITS, LABELS) / 3


@pytest.mark.slow
def test_small_trees_suffer_more_from_those_who_go_for_covariances_than_from_chance():
    """On monotone targets: the mean clean error that each adds to a tree of 16 leaves, against random flips."""
    errors = {name: [] for name in ("random_label_flip", "targeted_label_flip", "greedy_cancel", "tribes_cancel")}
    for seed in range(6):
        target = noise.monotone_tree(12, 12, random_state=seed)
        X, y = target.sample(2000, 0.5, random_state=1)
        X_test, y_test = target.sample(4000, 0.5, random_state=2)
        for name, found in errors.items():
            bad = noise.ADVERSARIES[name](X, y, 0.2, random_state=seed)
            found.append(np.mean(grow.top_down(bad.X, bad.y, 16).predict(X_test) != y_test))
    for name in ("targeted_label_flip", "greedy_cancel", "tribes_cancel"):
        assert np.mean(errors[name]) > np.mean(errors["random_label_flip"]) + 0.03
        assert all(mine >= chance for mine, chance in zip(errors[name], errors["random_label_flip"], strict=True))
