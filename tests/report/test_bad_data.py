"""The page with what `stress` found: its numbers are the reports' own, names are escaped, pictures have one scale."""

import re

import pytest
from report.conftest import Reader, loans

import bristlecone as bc
from bristlecone.report import page
from bristlecone.report.noise import SERIES, bad_data

X, Y = loans(300)
NAMES = {"pruned": bc.PrunedTreeClassifier(cv=3), "<b>&": bc.DecisionTreeClassifier()}


@pytest.fixture(scope="module")
def found():
    tolerance = bc.noise.tolerance_report(
        NAMES, X, Y, rates=[0.05, 0.2], adversaries=["random_label_flip", "greedy_cancel"], n_repeats=2
    )
    return tolerance, bc.stability.disagreement(NAMES["pruned"], X, Y, n_bootstraps=6, random_state=0)


@pytest.fixture(scope="module")
def text(found):
    model = bc.PrunedTreeClassifier(cv=3).fit(X, Y)
    return page(model, X, Y, rows="growing", tolerance=found[0], disagreement=found[1])


def tables(text):
    """Of every table after the heading of bad data its cells, row by row."""
    part = text[text.index('id="noise"') :]
    rows = [
        [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)]
        for body in re.findall(r"<tbody>(.*?)</tbody>", part, re.DOTALL)
    ]
    return [[[cell.replace("&lt;b&gt;&amp;", "<b>&") for cell in row] for row in table] for table in rows]


def test_the_tables_are_the_reports(found, text):
    tolerance, differing = found
    shown = tables(text)
    wanted = [tolerance.cells(name) for name in NAMES] + [tolerance.break_evens(), differing.census(10)]
    assert [list(map(list, zip(*columns.values(), strict=True))) for columns in wanted] == shown
    for columns, row in zip(wanted[:2], tolerance.text().split("\n\n")[2:6:2], strict=True):
        assert row.split("\n")[1].split() == [cells[0] for cells in columns.values()]


def test_the_sentences_are_the_reports(found, text):
    tolerance, differing = found
    read = Reader(text).text
    for sentence in (tolerance.heading, tolerance.unconditional, *differing.sentences):
        assert sentence in read
    assert '<a href="#noise">' in text and '<a href="#stability">' in text
    assert "<b>&" not in text and "&lt;b&gt;&amp;" in text


def test_the_pictures_are_the_tables(found):
    tolerance, _ = found
    shown = bad_data(tolerance)
    for adversary, chart in zip(tolerance.adversaries, shown.charts, strict=True):
        assert chart.says.startswith(adversary) and len(chart.marks) == 6 and len(chart.lines) == 2
        low, top = (tick.at for tick in (chart.y_ticks[0], chart.y_ticks[-1]))
        per_unit = (top - low) / (float(chart.y_ticks[-1].text) - float(chart.y_ticks[0].text))
        for k, name in enumerate(NAMES):
            means = tolerance.errors(name, adversary).mean(axis=1)
            marks = [mark for mark in chart.marks if mark.series == f"s{k}"]
            assert [mark.y for mark in marks] == pytest.approx(low + per_unit * means, abs=0.02)
            assert [f"{mean:.4f}" in mark.says for mean, mark in zip(means, marks, strict=True)] == [True] * 3
    assert len({(chart.y_ticks[-1].at, chart.y_ticks[-1].text) for chart in shown.charts}) == 1


def test_more_estimators_than_colours_are_in_the_tables():
    many = {f"tree {k}": bc.DecisionTreeClassifier(max_depth=1 + k) for k in range(SERIES + 2)}
    shown = bad_data(
        bc.noise.tolerance_report(many, X, Y, rates=0.1, adversaries="random_label_flip", n_repeats=1), target=0.5
    )
    assert len(shown.charts[0].legend) == SERIES and len(shown.tables) == SERIES + 3
    assert "0.5" in [*shown.tables.values()][-1]["for error"]


def test_a_page_without_them_has_no_such_part():
    text = page(bc.DecisionTreeClassifier(max_depth=2).fit(X, Y))
    assert "Bad data" not in text and "Other rows" not in text


def test_nothing_else_is_taken_for_a_report():
    model = bc.DecisionTreeClassifier(max_depth=2).fit(X, Y)
    with pytest.raises(TypeError, match="tolerance is a str; it must be a ToleranceReport"):
        page(model, tolerance="greedy")
    with pytest.raises(TypeError, match="disagreement is a float; it must be a Disagreement"):
        page(model, disagreement=0.5)
