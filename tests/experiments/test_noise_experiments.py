"""The experiments on noise and stability, in a small size: what they must find whatever the size, tables, pictures."""

from __future__ import annotations

import math

import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from bristlecone.experiments import (
    failure_cases,
    instability,
    noise_adversaries,
    noise_hard_instance,
    noise_theorem31,
    noise_theorem54,
)
from bristlecone.noise import MonotoneTarget, hard

matplotlib.use("Agg")
from matplotlib.figure import Figure


def drawn(room, found, n_axes, *more):
    axes = list(Figure().subplots(1, n_axes))
    room.draw(found, axes, *more)
    return axes


def test_the_hard_instance_falls_off_its_cliff():
    instance = (2, 2, 7)
    found = noise_hard_instance.study(instance, samples=(500,), repeats=2)
    exact = {p.leaves: p.error for p in found if p.way == "exact, irrelevant columns first"}
    assert {error for leaves, error in exact.items() if leaves <= 8} == {7 / 16}
    start = noise_hard_instance.starts(found, float(hard.tribes_instance(*instance).minority))
    assert 8 < start["exact, irrelevant columns first", 0][0] <= 32
    assert start["exact, with pairs", 0][0] <= 4
    assert len(start["sampled", 500]) == 2 and max(start["sampled", 500]) <= 32
    assert "2^(d - k) = 8" in noise_hard_instance.text(found, instance)
    assert len(drawn(noise_hard_instance, found, 2, instance)[0].lines) >= 4


@pytest.mark.parametrize(
    ("terms", "n", "gamma"),
    [
        (((0, 1), (2, 3)), 4, 8 / 21),  # the tribes of AV-D3
        (((0,),), 3, 1.0),
        (((0, 1), (0, 2), (1, 2)), 3, 0.5),
    ],
)
def test_gamma_is_the_least_of_all_restrictions(terms, n, gamma):
    assert noise_theorem31.gamma_of(MonotoneTarget(n, terms), 0.5) == pytest.approx(gamma)


def test_no_tree_is_above_the_bound_of_theorem_3_1():
    found = noise_theorem31.study(1, leaves=(4, 16), rates=(0.0, 0.1))
    for point in found:
        kappa = noise_theorem31.IMPURITIES[point.impurity].kappa
        assert point.error <= noise_theorem31.bound(point.gamma, point.rate, point.leaves, kappa)
    assert "0 of " in noise_theorem31.text(found) and len(drawn(noise_theorem31, found, 2)[0].lines) == 6
    eps = 1 / (2 * 0.9 * math.sqrt(math.log(1e9)))
    assert noise_theorem31.bound(0.9, 0.0, int(1e9)) == pytest.approx(eps)


def test_monotone_targets_are_learned_without_noise():
    found = noise_theorem54.study(sizes=(4,), bits=(16,), rates=(0.0, 0.1), repeats=1)
    assert {p.error for p in found if p.rate == 0} == {0.0}
    assert "s = 4" in noise_theorem54.text(found) and drawn(noise_theorem54, found, 3)[0].lines


def test_disagreement_rises_with_the_number_of_trees():
    X, y = load_iris(return_X_y=True)
    found = instability.study([("iris", X, y)], sizes=(2, 10), forest=lambda: RandomForestClassifier(5, random_state=0))
    whole = [one for one in found if one.model == instability.DEEP]
    assert whole[0].any <= whole[1].any and {one.model for one in found} == {"whole tree", "pruned tree", "forest"}
    assert "| iris |" in instability.text(found) and drawn(instability, found, 2)


def test_the_failure_cases_fail_and_are_cured():
    found = failure_cases.study(LogisticRegression, lambda: RandomForestClassifier(5, random_state=0), 10, 10)

    def at(case, of, x):
        return next(p.value for p in found if (p.case, p.of, p.x) == (case, of, x))

    assert at("staircase", "tree: error", 1000) > 3 * at("staircase", "linear model: error", 1000)
    assert at("staircase", "tree: leaves", 10_000) > 5 * at("staircase", "tree: leaves", 300)
    assert at("overfit", "growing rows", 20) < 0.01
    assert at("overfit", "pruned", 20) < at("overfit", "fresh rows", 20) - 0.05
    for kind in ("thresholds", "sets of levels"):
        assert at("many-valued", f"entropy, {kind}", 256) > 0.25 > at("many-valued", f"entropy, {kind}", 2)
    assert at("unstable", "whole tree: two differ", 10) > at("unstable", "forest: two differ", 10)
    assert np.isfinite([p.value for p in found]).all()
    assert "staircase" in failure_cases.text(found) and len(drawn(failure_cases, found, 4)) == 4


def test_adversaries_are_measured_against_random_flips():
    asked = {"AND of 2": noise_adversaries.targets()["AND of 2"]}
    ways = {name: noise_adversaries.ADVERSARIES[name] for name in ("random_label_flip", "targeted_label_flip")}
    found = noise_adversaries.study(asked, ways, (0.1, 0.2), 1)
    assert len(found) == 2 * 2 * 3 and all(point.error >= point.added for point in found)
    cell = {(p.adversary, p.rate, p.tree): p.added for p in found}
    assert cell["random_label_flip", 0.2, "whole tree"] > 0.1 > cell["random_label_flip", 0.2, "pruned tree"]
    lines = noise_adversaries.text(found).splitlines()
    added = [f"{cell['targeted_label_flip', rate, 'pruned tree']:.3f}" for rate in (0.1, 0.2)]
    assert lines[3].split(" | ")[2] == f"{', '.join(added)} (1)"
    assert len(drawn(noise_adversaries, found, 3)[0].lines) == 2
