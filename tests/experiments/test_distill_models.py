"""Distilled trees beside the usual ones: what a row says, and how cells are counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bristlecone.experiments.distill_models import Cell, Distillation, cells, distilled
from bristlecone.experiments.sets import SETS
from bristlecone.experiments.study import Loaded


@pytest.fixture(scope="module")
def row():
    X, y = SETS["iris"].load()
    return distilled(Loaded("iris", X, y, False), 1, 4, trees=10)


def test_a_row_says_what_both_trees_do(row):
    assert (row.set, row.model, row.leaves) == ("iris", "forest", 4)
    assert 2 <= row.tree_leaves <= 4 and 2 <= row.usual_leaves <= 4
    assert row.difference == pytest.approx(row.fidelity - row.usual)
    assert 0.8 < row.fidelity <= 1 and row.limit < row.kept <= 1
    assert 0 <= row.model_error < 0.2 and 0 <= row.tree_error < 0.3
    assert row.n_queries > 1000 and row.seconds > row.seconds_in_model > 0


def test_cells_are_means_over_splits_with_their_error(row):
    def of(difference, **given) -> Distillation:
        return replace(row, difference=difference, deviation=0.01, **given)

    made = cells([of(0.01), of(-0.03, leaves=16), of(0.03)])
    assert made["iris", "forest", 4] == Cell(pytest.approx(0.02), pytest.approx(0.01))
    assert made["iris", "forest", 16] == Cell(-0.03, 0.01)
    assert made["iris", "forest", 16].less_faithful and not made["iris", "forest", 4].less_faithful
    assert not Cell(-0.01, 0.01).less_faithful
