"""The slow twin of the grower is itself right: hand-made values, theorems, and scikit-learn's stumps."""

from __future__ import annotations

import math
from fractions import Fraction

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from reference.candidates import candidates, problem, root
from reference.grow import decide, grow_twin
from reference.impurity import group_of, impurity
from reference.stump import SHARED_CRITERIA, stump_gain
from strategies import FLOAT32_POOLS, numeric_columns, row_weights, targets

NAN = math.nan


def stump(values, y, criterion, *, weights=None, n_classes=0, **extra):
    """The twin's best split of one numeric column."""
    task = problem([(values, False)], y, weights, n_classes, criterion, **extra)
    return decide(task, root(task))


@pytest.mark.parametrize(
    ("ones", "gini", "entropy"),
    [(1, Fraction(18, 100), 0.4689955935892812), (3, Fraction(42, 100), 0.8812908992306927), (5, Fraction(1, 2), 1.0)],
)
def test_impurities_of_av_b1(ones, gini, entropy):
    group = group_of(range(10), [1] * ones + [0] * (10 - ones), [1] * 10)
    assert impurity("gini", group, 2) == gini
    assert impurity("entropy", group, 2) == pytest.approx(entropy, rel=1e-14)
    assert impurity("sqrt", group, 2) == pytest.approx(2 * math.sqrt(ones / 10 * (1 - ones / 10)), rel=1e-14)


def test_gains_of_av_b3():
    task = problem([(range(1, 7), False)], [0, 0, 1, 0, 1, 1], None, 2, "gini")
    gains = [split.gain for split in candidates(task, root(task))]
    assert gains == [Fraction(1, 10), Fraction(1, 4), Fraction(1, 18), Fraction(1, 4), Fraction(1, 10)]
    assert decide(task, root(task)).threshold == 2.5


def test_gains_of_av_b4():
    task = problem([(range(5), False)], [1, 1.2, 3.1, 2.9, 5], None, 0, "squared_error")
    gains = [float(split.gain) for split in candidates(task, root(task))]
    assert gains == pytest.approx([0.6724, 1.581066666666667, 1.144066666666667, 1.3924], rel=1e-12)


def test_absolute_error_of_c63_and_c28():
    split = stump(range(1, 6), [4, 4, 9, 4, 6], "absolute_error", weights=[2, 4, 3, 1, 2])
    assert split.threshold == 2.5
    levels = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    task = problem([(levels, True)], [2, 3, 9, 0, 0, 9, 2, 3, 3, 0, 0, 9], None, 0, "absolute_error")
    split = decide(task, root(task))
    assert split.left_levels == {0, 2}
    assert 12 * (impurity("absolute_error", root(task).group, 0) - split.gain) == 26


def test_missing_goes_to_its_better_side_and_alone_where_that_is_best():
    split = stump([NAN, NAN, NAN, 1, 2, 3, 4], [1, 1, 1, 0, 0, 0, 1], "gini", n_classes=2)
    assert (split.threshold, split.missing_left) == (3.5, False)
    split = stump([7, 7, 7, NAN, NAN], [0, 0, 0, 1, 1], "gini", n_classes=2)
    assert (split.threshold, split.missing_left) == (math.inf, False)


def test_adjacent_and_huge_values_part():
    above = math.nextafter(1.0, 2.0)
    assert stump([1.0, above], [0, 1], "gini", n_classes=2).threshold == above
    assert stump([1.6e308, 1.7e308], [0, 1], "gini", n_classes=2).threshold == pytest.approx(1.65e308, rel=1e-15)


def test_monotone_bounds_hold_for_the_whole_subtree():
    columns = [([0, 0, 1, 1, 2, 2], False), ([0, 1, 0, 1, 0, 1], False)]
    task = problem(columns, [0, 5, 1, 3, 2, 9], None, 0, "squared_error", monotone=(1, 0))
    values = {}
    for grown in grow_twin(task).preorder():
        if grown.split is None:
            for row in grown.node.rows:
                values[task.columns[1].values[row], task.columns[0].values[row]] = grown.node.bounds.clip(
                    Fraction(grown.node.group.total) / grown.node.group.weight
                )
    for second in (0, 1):
        assert values[second, 0] <= values[second, 1] <= values[second, 2]


@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=60, deadline=None)
def test_sorted_prefixes_reach_the_best_of_all_level_sets(data):
    n_rows = data.draw(st.integers(2, 16))
    levels = data.draw(st.lists(st.integers(0, 5), min_size=n_rows, max_size=n_rows))
    y = data.draw(targets(n_rows, "gini", 2))
    best = []
    for n_classes in (2, 3):  # with a third class, absent here, the twin tries every subset
        task = problem([(levels, True)], y, None, n_classes, "gini")
        best.append(max((split.gain for split in candidates(task, root(task))), default=None))
    assert best[0] == best[1]


@pytest.mark.parametrize("criterion", SHARED_CRITERIA)
@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=40, deadline=None)
def test_the_twin_finds_the_gain_of_a_scikit_learn_stump(criterion, data):
    n_rows = data.draw(st.integers(2, 20))
    gaps = data.draw(st.booleans())
    columns = [data.draw(numeric_columns(n_rows, gaps, FLOAT32_POOLS)) for _ in range(data.draw(st.integers(1, 3)))]
    y, weights = data.draw(targets(n_rows, criterion, far_from_zero=False)), data.draw(row_weights(n_rows))
    task = problem([(c, False) for c in columns], y, weights, 4, criterion)
    hypothesis.assume(len(task.targets) > 1 and len(set(task.targets)) > 1)
    hypothesis.assume(criterion != "poisson" or y.sum() > 0)
    kept = np.ones(n_rows, bool) if weights is None else weights > 0
    gain = stump_gain(np.column_stack(columns)[kept], y[kept], None if weights is None else weights[kept], criterion)
    ours = decide(task, root(task))
    if gain is None:
        assert ours is None or ours.gain >= 0
    else:
        assert float(ours.gain) == pytest.approx(gain, rel=1e-9, abs=1e-12)
