"""Folds: who is held out with whom, and what cannot be folded."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, RepeatedKFold, StratifiedGroupKFold, TimeSeriesSplit

from bristlecone.subtrees.content import number_marks
from bristlecone.subtrees.folds import (
    Rows,
    deal_by_content,
    deal_by_group,
    folds_by_time,
    folds_of_deal,
    given_folds,
    rounds,
)
from bristlecone.table import as_table


def rows_of(X, y=None, weights=None):
    y = np.zeros(len(X)) if y is None else np.asarray(y)
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float)
    return Rows(as_table(X), number_marks(y), y.astype(int), weights)


def dealt(folds, n_rows):
    """The number of the fold that holds each row out, -1 where none does."""
    fold_of = np.full(n_rows, -1)
    for number, fold in enumerate(folds):
        assert (fold_of[fold.held_out] == -1).all()
        fold_of[fold.held_out] = number
    return fold_of


def random_rows(n_rows=3000, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 12, (n_rows, 2)).astype(float), rng.integers(0, n_classes, n_rows)


class TestByContent:
    def test_every_row_is_held_out_once_and_grown_on_in_all_other_folds(self):
        X, y = random_rows()
        (folds,) = rounds(7, rows_of(X, y))
        fold_of = dealt(folds, len(X))
        assert set(fold_of.tolist()) == set(range(7))
        for number, fold in enumerate(folds):
            np.testing.assert_array_equal(fold.times, fold_of != number)

    def test_copies_stay_together(self):
        X, y = random_rows()
        (folds,) = rounds(5, rows_of(X, y))
        frame = pd.DataFrame(X).assign(y=y, fold=dealt(folds, len(X)))
        assert (frame.groupby([0, 1, "y"]).fold.nunique() == 1).all()

    def test_different_rows_of_each_class_are_spread_evenly(self):
        rng = np.random.default_rng(1)
        X, y = rng.normal(size=(1003, 2)), np.repeat([0, 1, 2], [900, 90, 13])
        fold_of = dealt(rounds(10, rows_of(X, y))[0], len(X))
        for label in range(3):
            sizes = np.bincount(fold_of[y == label], minlength=10)
            assert sizes.max() - sizes.min() <= 1
        assert np.ptp(np.bincount(fold_of)) <= 1

    @given(st.data())
    def test_neither_order_nor_whole_weights_nor_absent_rows_say_where_a_row_goes(self, data):
        n = data.draw(st.integers(4, 25))
        X = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=float)[:, None]
        y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
        weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
        seed, n_folds = data.draw(st.integers(0, 5)), data.draw(st.integers(2, 5))
        if weights.sum() == 0:
            weights[0] = 1
        weighted = [dealt(f, n) for f in rounds(n_folds, rows_of(X, y, weights), seed=seed)]
        order = np.array(data.draw(st.permutations(range(int(weights.sum())))))
        again = np.arange(n).repeat(weights)[order]
        repeated = [dealt(f, len(again)) for f in rounds(n_folds, rows_of(X[again], y[again]), seed=seed)]
        assert len(weighted) == len(repeated)
        for one, other in zip(weighted, repeated, strict=True):
            np.testing.assert_array_equal(one[again], other)
            assert (one[weights == 0] == -1).all()

    def test_repeats_deal_anew_and_the_same_seed_deals_the_same(self):
        X, y = random_rows()
        first, second, third = (dealt(folds, len(X)) for folds in rounds(4, rows_of(X, y), repeats=3, seed=5))
        assert 0.1 < (first == second).mean() < 0.4
        assert 0.1 < (second == third).mean() < 0.4
        np.testing.assert_array_equal(dealt(rounds(4, rows_of(X, y), seed=6)[0], len(X)), second)

    def test_fewer_different_rows_than_folds_are_held_out_one_by_one(self):
        X = np.array([[1.0], [2.0], [1.0], [3.0]])
        (folds,) = rounds(10, rows_of(X))
        assert sorted(fold.held_out.tolist() for fold in folds) == [[0, 2], [1], [3]]

    def test_rows_that_are_all_alike_have_no_folds(self):
        assert rounds(10, rows_of(np.ones((5, 2)))) == []
        assert rounds(10, rows_of([[1.0], [2.0]], weights=[1, 0])) == []

    def test_the_deal_itself_refuses_what_it_cannot_fill(self):
        marks, strata = np.array([1, 2, 2], dtype=np.uint64), np.zeros(3, dtype=int)
        with pytest.raises(
            ValueError, match="cv=3 folds need at least 3 different rows of positive weight, there are 2"
        ):
            deal_by_content(marks, strata, np.ones(3, bool), 3)


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
        fold_of = deal_by_group(groups, np.zeros(900, int), weights, 4, 0)
        held = np.bincount(fold_of, weights)
        assert held.max() / held.min() < 1.05

    @given(st.data())
    def test_neither_order_nor_whole_weights_say_where_a_group_goes(self, data):
        n = data.draw(st.integers(6, 25))
        groups = np.array(data.draw(st.lists(st.sampled_from("abcdef"), min_size=n, max_size=n)))
        y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
        weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
        weights[:2], groups[:2] = 1, ("a", "b")
        n_folds = data.draw(st.integers(2, len(set(groups[weights > 0]))))
        weighted = deal_by_group(groups, y, weights.astype(float), n_folds, 3)
        order = np.array(data.draw(st.permutations(range(int(weights.sum())))))
        again = np.arange(n).repeat(weights)[order]
        repeated = deal_by_group(groups[again], y[again], np.ones(len(again)), n_folds, 3)
        np.testing.assert_array_equal(weighted[again], repeated)
        assert set(repeated.tolist()) == set(range(n_folds))

    def test_another_seed_deals_groups_of_one_size_otherwise(self):
        groups, flat = np.arange(300) // 3, np.zeros(300, int)
        first, second = (deal_by_group(groups, flat, np.ones(300), 5, seed) for seed in (0, 1))
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
            found = folds_by_time(np.arange(n), np.ones(n, bool), 5)
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
            assert not fold.times[weights == 0].any()
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
        present = np.ones(4, bool)
        first, second = given_folds(
            iter([([0, 0, 2], [1, 3]), (np.array([1, 1, 0, 0], bool), (2, 3))]), None, None, None, present
        )
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
    first, second = folds_of_deal(np.array([0, 1, -1, 0]))
    assert first.times.tolist() == [False, True, False, False]
    assert second.held_out.tolist() == [1]
