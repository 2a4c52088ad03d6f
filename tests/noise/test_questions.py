"""The best question of a table is the best of all that can be asked."""

from __future__ import annotations

import hypothesis
import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from reference.questions import left_sides
from strategies import data_sets

from bristlecone.noise.questions import Questions
from bristlecone.table import as_table


@pytest.mark.parametrize("few", [False, True])
@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=120, deadline=None)
def test_the_best_question_is_the_best_of_all(few, data):
    found = data.draw(data_sets("gini", n_classes=2))
    table = as_table(found.X, categorical_features=found.categorical_features or None)
    second, questions = found.y == 1, Questions(table)
    rows = np.arange(len(second))
    if few:
        rows = np.array(data.draw(st.lists(st.sampled_from(rows.tolist()), min_size=1, max_size=3, unique=True)))
    covariances = [
        (side[rows] & second[rows]).mean() - side[rows].mean() * second[rows].mean()
        for cells, categorical in zip(found.columns, found.categorical, strict=True)
        for side in left_sides(cells, categorical)
    ]
    largest = max(map(abs, covariances), default=0.0)
    best = questions.best(rows, second[rows])
    if best is None:
        assert largest < 1e-12
        return
    assert abs(best.covariance) == pytest.approx(largest, abs=1e-12)
    left = questions.answers(best, rows)
    assert (left & second[rows]).mean() - left.mean() * second[rows].mean() == pytest.approx(best.covariance, abs=1e-12)
    assert 0 < left.sum() < len(rows)
    assert questions.say(best)


@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=60, deadline=None)
def test_rows_stand_by_the_best_question_of_the_strongest_column_first(data):
    found = data.draw(data_sets("gini", n_classes=2))
    questions = Questions(as_table(found.X, categorical_features=found.categorical_features or None))
    second = found.y == 1
    votes, sizes = [], []
    for j, codes in enumerate(questions.codes):
        best = questions.best_of(j, codes, second)
        if best is not None and best.covariance != 0:
            votes.append([bool(best.left[code]) is (best.covariance > 0) for code in codes])
            sizes.append(abs(best.covariance))
    strongest = sorted(range(len(sizes)), key=lambda k: -sizes[k])
    by_vote = [tuple(votes[k][row] for k in strongest) for row in range(len(second))]
    standing = questions.standing(second)
    for one in range(len(second)):
        for other in range(len(second)):
            assert bool(standing[one] < standing[other]) is (by_vote[one] < by_vote[other])


@pytest.mark.parametrize(
    ("column", "y", "words", "count"),
    [
        ([1.0, 2.0, 3.0, 4.0], [0, 1, 1, 1], "q < 1.5", 3),
        ([1.0, 2.0, 3.0, None], [0, 0, 0, 1], "q is present", 5),
        ([1.0, 2.0, 3.0, None], [0, 1, 1, 0], "q < 1.5 or missing", 5),
        ([False, True, True, True], [0, 1, 1, 1], "q is false", 1),
        (["a", "b", "b", "c"], [0, 1, 1, 0], "q is a or c", 3),
        (["a", "b", "b", None], [0, 1, 1, 0], "q is a or missing", 3),
    ],
)
def test_questions_in_words(column, y, words, count):
    questions = Questions(as_table(pd.DataFrame({"q": column})))
    assert questions.say(questions.best(np.arange(4), np.array(y) == 1)) == words
    assert questions.count == count
