"""Node by node the grown tree is the one the twin asks for, on thousands of random data sets and in every regime."""

from __future__ import annotations

import numpy as np
import pytest
from random_data import CONSTRAINED, random_data
from reference.check import check_tree
from reference.impurity import CLASSIFICATION, REGRESSION

from bristlecone import grow

EVERYWHERE, NOWHERE = 0, 10**9  # histograms, by the rows from which on lists take over
REGIMES = {
    "small": (EVERYWHERE, 3, 9, NOWHERE),
    "levels": (EVERYWHERE, 9, NOWHERE),
    "monotone": (EVERYWHERE, NOWHERE),
    "bins": (EVERYWHERE, 60, EVERYWHERE, 150, NOWHERE),
    "tall": (EVERYWHERE, EVERYWHERE, 3000, NOWHERE),
}
# Data sets of a criterion over classes, and of one over numbers, whose twin is slower.
COUNTS = {"small": (130, 110), "levels": (70, 50), "monotone": (80, 80), "bins": (64, 40), "tall": (24, 12)}
CASES = [
    (size, criterion, n_sets)
    for size, (of_classes, of_numbers) in COUNTS.items()
    for criteria, n_sets in ((CLASSIFICATION, of_classes), (REGRESSION, of_numbers))
    for criterion in criteria
    if size != "monotone" or criterion in CONSTRAINED
]


def check(size: str, criterion: str, seed: int) -> None:
    data = random_data(size, criterion, seed)
    small_node, n_jobs = REGIMES[size][seed % len(REGIMES[size])], 1 + seed % 3
    X = np.asfortranarray(data.X) if seed % 2 else data.X
    tree = grow.cart(X, data.y, criterion=criterion, **data.options(), _small_node=small_node, n_jobs=n_jobs)
    try:
        check_tree(tree, data, criterion)
    except AssertionError as error:
        raise AssertionError(f"{size} {criterion} seed {seed} _small_node={small_node}: {error}") from error


@pytest.mark.parametrize(("size", "criterion", "n_sets"), CASES)
def test_the_first_of_each_kind(size: str, criterion: str, n_sets: int) -> None:
    for seed in range(2):
        check(size, criterion, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "criterion", "n_sets"), CASES)
def test_every_node_is_the_twins(size: str, criterion: str, n_sets: int) -> None:
    for seed in range(n_sets):
        check(size, criterion, seed)


def test_two_thousand_data_sets_and_every_awkward_shape() -> None:
    """What the seeds above are said to reach, counted."""
    assert sum(n_sets for _, _, n_sets in CASES) >= 2000
    assert {len(np.unique(random_data("bins", "gini", seed).y)) for seed in range(64)} >= {2, 3, 30}
    found = [random_data("bins", criterion, seed) for criterion in ("gini", "squared_error") for seed in range(40)]
    many_values = [any(len(np.unique(c[~np.isnan(c)])) > 300 for c in data.columns) for data in found]
    assert sum(many_values) > 40
    assert sum(data.weights is None for data in found) > 5
    assert sum(data.weights is not None and (data.weights % 1 == 0).all() for data in found) > 5
    assert sum(data.weights is not None and (data.weights % 0.125 != 0).any() for data in found) > 5
    assert sum(any(np.isnan(c).any() for c in data.columns) for data in found) > 20
    assert sum(any(data.categorical) for data in found) > 10
    assert sum("max_leaf_nodes" in data.limits for data in found) > 10
