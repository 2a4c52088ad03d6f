"""The page's part about bad data: what the tolerance report found, a picture an adversary, and its tables.

series      the errors of one estimator by rate; it has a colour and a dash of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from bristlecone.noise import ToleranceReport
from bristlecone.report.figures import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Chart,
    Mark,
    Scale,
    path_of,
    scaled,
    ticks,
)
from bristlecone.report.words import share

__all__ = ["BadData", "bad_data"]

SERIES = 8
"""The style has so many colours; the tables have all estimators."""


@dataclass(frozen=True, slots=True)
class BadData:
    """heading, always: the first and the last sentence; tables: columns of text by the words above each."""

    heading: str
    charts: list[Chart]
    tables: dict[str, dict[str, list[str]]]
    always: str


def bad_data(report: ToleranceReport, target: float | None = None) -> BadData:
    """What the page shows of a report. target: of the break-even rates, as in the report's own words."""
    tables = {report.without_noise(name): report.cells(name) for name in report.estimators}
    tables["The share of corrupted rows at which the error passes a target"] = report.break_evens(target)
    charts = [_chart(report, adversary) for adversary in report.adversaries]
    return BadData(report.heading, charts, tables, report.unconditional)


def _chart(report: ToleranceReport, adversary: str) -> Chart:
    """All charts have one scale, so that adversaries can be compared."""
    drawn = report.estimators[:SERIES]
    top = max(trial.error for trial in report.trials) or 1.0
    x = scaled(0.0, report.rates[-1], LEFT + 8, WIDTH - RIGHT - 8)
    y = scaled(0.0, top * 1.02, HEIGHT - BOTTOM, TOP)
    marks, lines = [], {}
    for k, estimator in enumerate(drawn):
        own = _marks(report, estimator, adversary, x, y, f"s{k}")
        lines[f"series s{k}"] = path_of([mark.x for mark in own], [mark.y for mark in own])
        marks += own
    last = [float(report.errors(estimator, adversary)[-1].mean()) for estimator in drawn]
    told = ", ".join(f"{name} {share(error)}" for name, error in zip(drawn, last, strict=True))
    words = f"{adversary}: error on untouched rows against the share of corrupted ones"
    return Chart(
        says=f"{words}; at {report.rates[-1]:g}: {told}.",
        x_label="share of corrupted rows",
        y_label="clean error",
        x_ticks=ticks(0.0, report.rates[-1], x, lambda value: f"{value:g}"),
        y_ticks=ticks(0.0, top, y, lambda value: f"{value:.3g}"),
        marks=marks,
        lines=lines,
        legend=[(f"series s{k}", name) for k, name in enumerate(drawn)],
    )


def _marks(report: ToleranceReport, estimator: str, adversary: str, x: Scale, y: Scale, series: str) -> list[Mark]:
    marks = []
    for rate, errors in zip(report.rates, report.errors(estimator, adversary), strict=True):
        low, mean, high = float(errors.min()), float(errors.mean()), float(errors.max())
        says = f"{estimator}, {rate:g} corrupted: {mean:.4f}, {low:.4f} to {high:.4f}"
        marks.append(Mark(x(rate), y(mean), y(low), y(high), says, series=series))
    return marks
