"""Folds: who is held out with whom, and what cannot be folded."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, RepeatedKFold, StratifiedGroupKFold, TimeSeriesSplit

from bristlecone.subtrees.folds import Rows, folds_by_group, folds_by_time, folds_of_deal, given_folds, rounds
from bristlecone.table import as_table


def rows_of(X, y=None, weights=None):
    y = np.zeros(len(X)) if y is None else np.asarray(y)
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float)
    return Rows(as_table(X), y, y.astype(int), weights)


def dealt(folds, n_rows):
    """The number of the fold that holds each row out, -1 where none does."""
    fold_of = np.full(n_rows, -1)
    for number, fold in enumerate(folds):
        assert (fold_of[fold.held_out] == -1).all()
        fold_of[fold.held_out] = number
    return fold_of


def held_weights(folds, n_rows):
    """What each fold holds out of each row, (n_folds, n_rows)."""
    held = np.zeros((len(folds), n_rows))
    for number, fold in enumerate(folds):
        held[number, fold.held_out] = fold.held
    return held


def by_content(X, y, held):
    """What each fold holds out of all rows of one content, by content."""
    keys = [*np.asarray(X).T, np.asarray(y)]
    return pd.DataFrame(held.T).groupby(keys).sum()


def noisy(n_rows=3000, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, 2)), rng.integers(0, n_classes, n_rows)


class TestByContent:
    def test_every_row_is_held_out_once_and_grown_on_in_all_other_folds(self):
        X, y = noisy()
        (folds,) = rounds(7, rows_of(X, y))
        fold_of = dealt(folds, len(X))
        assert set(fold_of.tolist()) == set(range(7))
        for number, fold in enumerate(folds):
            np.testing.assert_array_equal(fold.held, 1.0)
            np.testing.assert_array_equal(fold.grown_on(np.ones(len(X))), fold_of != number)

    def test_copies_stay_together(self):
        X, y = noisy(400)
        again = np.random.default_rng(1).integers(0, 400, 3000)
        (folds,) = rounds(5, rows_of(X[again], y[again]))
        assert (pd.Series(dealt(folds, 3000)).groupby(again).nunique() == 1).all()
        weights = np.random.default_rng(2).integers(0, 9, 400)
        held = held_weights(rounds(5, rows_of(X, y, weights))[0], 400)
        assert ((held == 0) | (held == weights)).all()
        assert (held.sum(axis=0) == weights).all()

    def test_different_rows_of_each_class_are_spread_evenly(self):
        X, y = noisy(1003)[0], np.repeat([0, 1, 2], [900, 90, 13])
        fold_of = dealt(rounds(10, rows_of(X, y))[0], len(X))
        for label in range(3):
            sizes = np.bincount(fold_of[y == label], minlength=10)
            assert sizes.max() - sizes.min() <= 1
        assert np.ptp(np.bincount(fold_of)) <= 1

    def test_equal_cells_of_different_classes_are_no_copies_and_are_dealt_one_by_one(self):
        rng = np.random.default_rng(0)
        X, y = rng.integers(0, 3, (2000, 2)), (rng.random(2000) < 0.3).astype(int)
        for rows in (rows_of(X, y), _aggregated(X, y)):
            held = held_weights(rounds(8, rows)[0], len(rows.weights))
            np.testing.assert_array_equal(held.sum(axis=0), rows.weights)
            of_content = by_content(np.column_stack(rows.table.columns), rows.strata, held)
            assert (np.ptp(of_content.to_numpy(), axis=1) <= 1).all()
            assert np.ptp(held.sum(axis=1)) <= 1

    def test_pure_cells_beside_them_stay_together(self):
        X = np.array([[0.0]] * 50 + [[k] for k in range(1, 20) for _ in range(4)])
        y = np.array([0, 1] * 25 + [0] * 76)
        fold_of = dealt(rounds(5, rows_of(X, y))[0], len(X))
        assert np.bincount(fold_of[:50]).tolist() == [10] * 5
        assert (np.ptp(fold_of[50:].reshape(19, 4), axis=1) == 0).all()

    def test_fewer_different_rows_than_folds_are_dealt_one_by_one(self):
        X = np.array([[0.0], [1.0]] * 50)
        y = X[:, 0].astype(int)
        held = held_weights(rounds(10, rows_of(X, y))[0], 100)
        assert (by_content(X, y, held) == 5).all().all()
        held = held_weights(rounds(10, rows_of(X[:2], y[:2], [50, 50]))[0], 2)
        assert (held == 5).all()

    @pytest.mark.parametrize("kind", ["levels", "numbers", "grid"])
    def test_rows_that_must_agree_are_no_copies(self, kind):
        """12 shops of 50 rows each, every shop of one answer: who holds a shop out whole learns nothing of it."""
        shop = np.repeat(np.arange(12), 50)
        X = {
            "levels": pd.DataFrame({"shop": pd.Categorical([f"s{k}" for k in shop])}),
            "numbers": pd.DataFrame({"shop": shop}),
            "grid": pd.DataFrame({"row": shop // 4, "place": shop % 4}),
        }[kind]
        folds = rounds(10, rows_of(X, shop % 2))[0]
        assert (pd.DataFrame(held_weights(folds, 600).T).groupby(shop).sum() == 5).all().all()
        first = np.arange(0, 600, 50)
        held = held_weights(rounds(10, rows_of(X.iloc[first], shop[first] % 2, np.full(12, 50)))[0], 12)
        assert (held == 5).all()

    @pytest.mark.parametrize("n_copies", [5, 12])
    def test_measured_numbers_of_equal_rows_are_copies(self, n_copies):
        X, y = noisy(60)
        for columns in (1, 2):
            rows = rows_of(X[:, :columns], y, np.full(60, n_copies))
            held = held_weights(rounds(10, rows)[0], 60)
            assert ((held == 0) | (held == n_copies)).all()

    def test_rows_whose_weights_are_no_whole_numbers_stay_whole(self):
        rng = np.random.default_rng(0)
        X, y, weights = rng.integers(0, 3, (500, 1)), rng.integers(0, 2, 500), rng.random(500)
        rows = rows_of(X, y, weights)
        held = held_weights(rounds(4, rows)[0], 500)
        assert ((held == 0) | (held == weights)).all()
        order = rng.permutation(500)
        again = held_weights(rounds(4, rows_of(X[order], y[order], weights[order]))[0], 500)
        np.testing.assert_array_equal(again, held[:, order])

    @given(st.data())
    def test_neither_order_nor_whole_weights_nor_absent_rows_say_what_is_held_out(self, data):
        n = data.draw(st.integers(4, 25))
        X = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=float)[:, None]
        y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
        weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
        seed, n_folds = data.draw(st.integers(0, 5)), data.draw(st.integers(2, 12))
        if weights.sum() == 0:
            weights[0] = 1
        order = np.array(data.draw(st.permutations(range(int(weights.sum())))))
        again = np.arange(n).repeat(weights)[order]
        weighted = rounds(n_folds, rows_of(X, y, weights), seed=seed)
        repeated = rounds(n_folds, rows_of(X[again], y[again]), seed=seed)
        assert len(weighted) == len(repeated) == (weights.sum() > 1)
        for one, other in zip(weighted, repeated, strict=True):
            held, held_again = held_weights(one, n), held_weights(other, len(again))
            np.testing.assert_array_equal(held.sum(axis=0), weights)
            np.testing.assert_array_equal(held_again.sum(axis=0), 1)
            present = weights > 0
            pd.testing.assert_frame_equal(
                by_content(X[present], y[present], held[:, present]), by_content(X[again], y[again], held_again)
            )
            for fold in one:
                assert (fold.grown_on(weights * 1.0) >= 0).all()

    def test_the_units_of_the_columns_do_not_show(self):
        X, y = noisy(500)
        (one,), (other,) = (rounds(5, rows_of(values, y)) for values in (X, np.exp(X) * 1000))
        np.testing.assert_array_equal(dealt(one, 500), dealt(other, 500))

    def test_repeats_deal_anew_and_the_same_seed_deals_the_same(self):
        X, y = noisy()
        first, second, third = (dealt(folds, len(X)) for folds in rounds(4, rows_of(X, y), repeats=3, seed=5))
        assert 0.15 < (first == second).mean() < 0.35
        assert 0.15 < (second == third).mean() < 0.35
        np.testing.assert_array_equal(dealt(rounds(4, rows_of(X, y), seed=6)[0], len(X)), second)

    def test_fewer_rows_than_folds_are_held_out_one_by_one(self):
        (folds,) = rounds(10, rows_of(np.array([[1.0], [2.0], [1.0], [3.0]])))
        assert sorted(fold.held_out.tolist() for fold in folds) == [[0], [1], [2], [3]]

    def test_a_single_row_has_no_folds(self):
        assert rounds(10, rows_of(np.ones((1, 2)))) == []
        assert rounds(10, rows_of([[1.0], [2.0]], weights=[1, 0])) == []


def _aggregated(X, y):
    """The same rows once each, weighted by how often they come."""
    counted = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y}).value_counts().reset_index()
    return rows_of(counted[["a", "b"]].to_numpy(), counted.y.to_numpy(), counted["count"].to_numpy())


class TestByGroup:
    def test_groups_stay_together_and_folds_get_their_share_of_every_class(self):
        rng = np.random.default_rng(0)
        groups = rng.integers(0, 120, 4000)
        y = (rng.random(4000) < 0.05 + 0.4 * (groups % 3 == 0)).astype(int)
        (folds,) = rounds(5, rows_of(rng.normal(size=(4000, 1)), y), groups=groups)
        fold_of = dealt(folds, 4000)
        assert (pd.Series(fold_of).groupby(groups).nunique() == 1).all()
        theirs = np.full(4000, -1)
        for number, (_, held) in enumerate(StratifiedGroupKFold(5, shuffle=True, random_state=0).split(y, y, groups)):
            theirs[held] = number
        for label in (0, 1):
            ours, of_theirs = (np.bincount(f[y == label], minlength=5) for f in (fold_of, theirs))
            assert ours.max() / ours.min() < max(1.25, 1.1 * of_theirs.max() / of_theirs.min())

    def test_without_classes_the_folds_weigh_alike(self):
        rng = np.random.default_rng(1)
        groups, weights = rng.integers(0, 60, 900), rng.random(900)
        held = [fold.held.sum() for fold in folds_by_group(groups, np.zeros(900, int), weights, 4, 0)]
        assert max(held) / min(held) < 1.05

    @given(st.data())
    def test_neither_order_nor_whole_weights_say_where_a_group_goes(self, data):
        n = data.draw(st.integers(6, 25))
        groups = np.array(data.draw(st.lists(st.sampled_from("abcdef"), min_size=n, max_size=n)))
        y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
        weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
        weights[:2], groups[:2] = 1, ("a", "b")
        n_folds = data.draw(st.integers(2, len(set(groups[weights > 0]))))
        weighted = dealt(folds_by_group(groups, y, weights.astype(float), n_folds, 3), n)
        order = np.array(data.draw(st.permutations(range(int(weights.sum())))))
        again = np.arange(n).repeat(weights)[order]
        repeated = dealt(folds_by_group(groups[again], y[again], np.ones(len(again)), n_folds, 3), len(again))
        np.testing.assert_array_equal(weighted[again], repeated)
        assert set(repeated.tolist()) == set(range(n_folds))

    def test_another_seed_deals_groups_of_one_size_otherwise(self):
        groups, flat = np.arange(300) // 3, np.zeros(300, int)
        first, second = (dealt(folds_by_group(groups, flat, np.ones(300), 5, seed), 300) for seed in (0, 1))
        assert (first == second).mean() < 0.4

    @pytest.mark.parametrize(
        ("groups", "said"),
        [
            (["a"] * 3 + ["b"] * 3, "cv=3 folds need at least 3 groups of positive weight, there are 2"),
            ([1, 2, 3], r"groups has shape \(3,\), expected \(6,\)"),
            ([1, 2, np.nan, 3, 4, 5], "groups, row 2: the value is missing"),
            (["a", "b", None, "c", "d", "e"], "groups, row 2: the value is missing"),
            (np.array(["a", 1, 2.5, "b", 2, 3], dtype=object), "no common order"),
        ],
    )
    def test_bad_groups_are_refused(self, groups, said):
        with pytest.raises(ValueError, match=said):
            rounds(3, rows_of(np.arange(6.0)[:, None]), groups=groups)


class TestByTime:
    def test_distinct_times_are_cut_as_scikit_learn_cuts_rows(self):
        for n in (6, 11, 40):
            expected = list(TimeSeriesSplit(5).split(np.arange(n)))
            found = folds_by_time(np.arange(n), np.ones(n), 5)
            for fold, (past, held) in zip(found, expected, strict=True):
                assert np.flatnonzero(fold.times).tolist() == past.tolist()
                assert fold.held_out.tolist() == held.tolist()

    def test_folds_grow_on_the_past_only_and_equal_times_stay_together(self):
        rng = np.random.default_rng(0)
        time = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 50, 400), "D")
        (folds,) = rounds(4, rows_of(rng.normal(size=(400, 1))), time=time)
        for fold in folds:
            assert time[fold.times > 0].max() < time[fold.held_out].min()
        fold_of = dealt(folds, 400)
        assert (pd.Series(fold_of).groupby(time).nunique() == 1).all()

    def test_rows_without_weight_are_neither_grown_on_nor_held_out(self):
        weights = np.ones(12)
        weights[[3, 8, 11]] = 0
        (folds,) = rounds(3, rows_of(np.arange(12.0)[:, None], weights=weights), time=np.arange(12))
        for fold in folds:
            assert not fold.grown_on(weights)[weights == 0].any()
            assert (weights[fold.held_out] > 0).all()

    @pytest.mark.parametrize(
        ("time", "said"),
        [
            ([1, 1, 2, 2, 3, 3], "need at least 4 different times of positive weight, there are 3"),
            ([1, 2], "time has shape"),
            (np.array(["2024-01-01", "NaT"] + ["2024-01-02"] * 4, "M8[D]"), "time, row 1: the value is missing"),
        ],
    )
    def test_bad_times_are_refused(self, time, said):
        with pytest.raises(ValueError, match=said):
            rounds(3, rows_of(np.arange(6.0)[:, None]), time=time)


class TestGiven:
    def test_a_splitter_is_taken_as_it_is(self):
        X = np.arange(20.0)[:, None]
        splitter = KFold(4, shuffle=True, random_state=3)
        (folds,) = rounds(splitter, rows_of(X))
        for fold, (growing, held) in zip(folds, splitter.split(X), strict=True):
            assert np.flatnonzero(fold.times).tolist() == growing.tolist()
            assert fold.held_out.tolist() == held.tolist()
        assert len(rounds(RepeatedKFold(n_splits=2, n_repeats=3), rows_of(X))[0]) == 6

    def test_a_splitter_sees_what_it_is_to_split_by(self):
        seen = []

        class Splitter:
            def split(self, X, y, groups):
                seen.append((X, y, groups))
                return [([0, 1], [2])]

        rounds(Splitter(), rows_of(np.zeros((3, 1))), groups=[1, 2, 3], given=("X", "y"))
        assert seen == [("X", "y", [1, 2, 3])]

    def test_places_masks_and_rows_that_are_drawn_twice(self):
        pairs = iter([([0, 0, 2], [1, 3]), (np.array([1, 1, 0, 0], bool), (2, 3))])
        first, second = given_folds(pairs, None, None, None, np.ones(4))
        assert first.times.tolist() == [2, 0, 1, 0]
        assert first.held_out.tolist() == [1, 3]
        assert second.times.tolist() == [1, 1, 0, 0]
        assert second.held_out.tolist() == [2, 3]

    @pytest.mark.parametrize(
        ("cv", "error", "said"),
        [
            (1, ValueError, "cv=1: cross-validation needs at least 2 folds"),
            (-3, ValueError, "cv=-3"),
            (True, TypeError, "cv=True"),
            (2.5, TypeError, "cv=2.5: expected a whole number of folds, a splitter"),
            ("ten", TypeError, "cv='ten'"),
            (None, TypeError, "cv=None"),
            ([], ValueError, "cv gives no fold"),
            ([([0], [4])], ValueError, "fold 0: row 4 is not one of the 4 rows"),
            ([([0], [1]), ([0], [-1])], ValueError, "fold 1: row -1"),
            ([([0], [])], ValueError, "fold 0: no row of positive weight to hold out"),
            ([([], [0])], ValueError, "fold 0: no row of positive weight to grow on"),
            ([([0], [3])], ValueError, "fold 0: no row of positive weight to hold out"),
            ([([0.5], [1])], TypeError, "fold 0: rows are places or a mask of 4 rows"),
            ([[0, 1, 2]], TypeError, "fold 0: expected a pair of arrays of rows"),
            ([7], TypeError, "fold 0: expected a pair"),
        ],
    )
    def test_what_gives_no_folds_is_refused(self, cv, error, said):
        with pytest.raises(error, match=said):
            rounds(cv, rows_of(np.arange(4.0)[:, None], weights=[1, 1, 1, 0]))

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"cv": 2, "groups": [0, 1, 2, 3], "time": [0, 1, 2, 3]}, "groups and time are both given"),
            ({"cv": KFold(2), "time": [0, 1, 2, 3]}, "time needs a number of folds"),
            ({"cv": KFold(2), "repeats": 2}, "repeats=2 needs a number of folds"),
            ({"cv": 2, "time": [0, 1, 2, 3], "repeats": 3}, "repeats=3 needs folds that can be dealt anew"),
        ],
    )
    def test_what_does_not_go_together_is_refused(self, options, said):
        cv = options.pop("cv")
        with pytest.raises(ValueError, match=said):
            rounds(cv, rows_of(np.arange(4.0)[:, None]), **options)


def test_folds_of_a_deal_leave_absent_rows_out():
    weights = np.array([1.0, 2.0, 0.0, 0.5])
    first, second = folds_of_deal(np.array([0, 1, -1, 0]), weights)
    assert first.grown_on(weights).tolist() == [0.0, 2.0, 0.0, 0.0]
    assert second.held_out.tolist() == [1] and second.held.tolist() == [2.0]
