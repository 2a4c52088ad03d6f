"""Gain and gain ratio of any partition: SPEC AV-B1 to AV-B4 and case C76."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bristlecone import grow

# Quinlan's play-tennis table: (no, yes) of each value of a column; 14 rows, 9 of them yes.
PLAY_TENNIS = {
    "outlook": [[3, 2], [0, 4], [2, 3]],
    "temperature": [[2, 2], [2, 4], [1, 3]],
    "humidity": [[4, 3], [1, 6]],
    "wind": [[2, 6], [3, 3]],
}
ROW_IDS = [[1, 0]] * 5 + [[0, 1]] * 9


def root_of(y, criterion, **options):
    """The tree on distinct values 0, 1, ..., one row a target."""
    return grow.cart(np.arange(len(y), dtype=float)[:, None], y, criterion=criterion, **options)


@pytest.mark.parametrize(
    ("ones", "gini", "entropy"),
    [(1, 0.18, 0.4689955935892812), (3, 0.42, 0.8812908992306927), (5, 0.5, 1.0)],
)
def test_impurities_of_av_b1(ones, gini, entropy):
    y = [1] * ones + [0] * (10 - ones)
    assert root_of(y, "gini").impurity[0] == pytest.approx(gini, rel=1e-10)
    assert root_of(y, "entropy").impurity[0] == pytest.approx(entropy, rel=1e-10)
    assert root_of(y, "sqrt").impurity[0] == pytest.approx(math.sqrt(2 * gini), rel=1e-10)


@pytest.mark.parametrize(
    ("column", "gain", "ratio"),
    [
        ("outlook", 0.246749819774439, 0.156427562421175),
        ("temperature", 0.0292225656589549, 0.0187726462224188),
        ("humidity", 0.151835501362342, 0.151835501362342),
        ("wind", 0.0481270304082695, 0.0488486155115208),
    ],
)
def test_play_tennis_of_av_b2(column, gain, ratio):
    assert grow.gain([5, 9], PLAY_TENNIS[column]) == pytest.approx(gain, rel=1e-10)
    assert grow.gain([5, 9], PLAY_TENNIS[column], criterion="entropy") == pytest.approx(gain, rel=1e-10)
    assert grow.gain_ratio([5, 9], PLAY_TENNIS[column]) == pytest.approx(ratio, rel=1e-10)


def test_entropy_of_play_tennis_of_av_b2():
    assert grow.gain([5, 9], ROW_IDS) == pytest.approx(0.940285958670631, rel=1e-10)


def test_gains_of_av_b3():
    y = [0, 0, 1, 0, 1, 1]
    gains = []
    for cut in range(1, 6):
        children = [np.bincount(side, minlength=2) for side in (y[:cut], y[cut:])]
        gains.append(grow.gain([3, 3], children, criterion="gini"))
    assert gains == pytest.approx([1 / 10, 1 / 4, 1 / 18, 1 / 4, 1 / 10], rel=1e-10)
    tree = grow.cart(np.arange(1.0, 7.0)[:, None], y, criterion="gini", max_depth=1)
    assert tree.threshold[0] == 2.5
    assert tree.gain(0) == pytest.approx(1 / 4, rel=1e-10)


@pytest.mark.parametrize(("cut", "gain"), [(1, 0.6724), (2, 1.581066666666667), (3, 1.144066666666667), (4, 1.3924)])
def test_gains_of_av_b4(cut, gain):
    y = [1.0, 1.2, 3.1, 2.9, 5.0]
    side = (np.arange(5) >= cut).astype(float)[:, None]
    tree = grow.cart(side, y, criterion="squared_error", max_depth=1)
    assert tree.gain(0) == pytest.approx(gain, rel=1e-10)
    assert root_of(y, "squared_error", max_depth=1).threshold[0] == 1.5  # between 1.2 and 3.1, the largest of the four


def test_c76_gain_ratio_alone_does_not_remove_row_ids():
    outlook = PLAY_TENNIS["outlook"]
    assert grow.gain([5, 9], outlook) == pytest.approx(0.2467, abs=5e-5)
    assert grow.gain([5, 9], outlook) / grow.gain_ratio([5, 9], outlook) == pytest.approx(1.5774, abs=5e-5)
    assert grow.gain_ratio([5, 9], outlook) == pytest.approx(0.1564, abs=5e-5)
    assert grow.gain([5, 9], ROW_IDS) == pytest.approx(0.9403, abs=5e-5)
    assert grow.gain_ratio([5, 9], ROW_IDS) == pytest.approx(0.9403 / 3.8074, abs=5e-5)
    assert grow.gain_ratio([5, 9], ROW_IDS) > grow.gain_ratio([5, 9], outlook)


def test_weights_need_not_be_whole():
    assert grow.gain([0.5, 0.9], [[0.3, 0.2], [0, 0.4], [0.2, 0.3]]) == pytest.approx(0.246749819774439, rel=1e-10)


@pytest.mark.parametrize(
    ("parent", "children"),
    [
        ([5, 9], [[5, 8]]),  # a row is lost
        ([5, 9], [[5], [9]]),  # another number of classes
        ([5, 9], [[6, 9], [-1, 0]]),
        ([5, 9], [[5, 9], [0, math.nan]]),
        ([0, 0], [[0, 0], [0, 0]]),
        ([5, 9], []),
    ],
)
def test_what_is_no_partition_is_refused(parent, children):
    with pytest.raises(ValueError, match=r"parent|child|count"):
        grow.gain(parent, children)
    with pytest.raises(ValueError, match=r"parent|child|count"):
        grow.gain_ratio(parent, children)


def test_an_unknown_criterion_is_refused_by_name():
    with pytest.raises(ValueError, match="chaos"):
        grow.gain([5, 9], [[5, 0], [0, 9]], criterion="chaos")
