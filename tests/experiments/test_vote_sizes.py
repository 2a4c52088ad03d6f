"""Mean ratios over data sets."""

import math

import pytest

from bristlecone.experiments.outcomes import Ratio
from bristlecone.experiments.sets import SETS
from bristlecone.experiments.vote_sizes import EXPERIMENT, OURS, mean_ratio


def test_every_set_counts_once():
    found = mean_ratio([Ratio(0.8, 0.1), Ratio(1.0, 0.5)])
    assert found.value == pytest.approx(0.9) and found.error == pytest.approx(0.1)


def test_ratios_that_do_not_exist_do_not_count():
    assert mean_ratio([Ratio(0.8, 0.1), Ratio(math.nan, math.nan)]).value == pytest.approx(0.8)
    assert math.isnan(mean_ratio([Ratio(math.nan, math.nan)]).value)


def test_fifteen_sets_of_classes():
    assert len(EXPERIMENT.sets) == 15 and not any(SETS[name].regression for name in EXPERIMENT.sets)


@pytest.mark.parametrize("method", OURS)
def test_each_method_fits_and_answers(method):
    X, y = SETS["iris"].load()
    model = OURS[method](X, y)
    assert (model.predict(X) == y).mean() > 0.9 and model.get_n_leaves() >= 3
