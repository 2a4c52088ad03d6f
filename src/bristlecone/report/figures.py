"""Figures as numbers in the units of an SVG picture: the templates only write them down.

scale       a value to a place on an axis, linear or logarithmic.
mark        one point: x, y in the picture, a half height of its error bar, and the sentence a reader hears for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bristlecone.report.evidence import Evidence
from bristlecone.report.words import count, risk_in_words, share
from bristlecone.subtrees.summary import PruningTable
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats
from bristlecone.tree.names import shown_class, value_format

__all__ = [
    "Bar",
    "Chart",
    "Mark",
    "Scale",
    "Tick",
    "calibration",
    "path_of",
    "pruning_curve",
    "residuals",
    "scaled",
    "ticks",
]

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 14, 44
MOST_MARKS = 150
GROUPS = 10
BARS = 31


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis and what stands there."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its error bar from `low` to `high` (equal: none) and a sentence.

    kind, series: classes of the style.
    """

    x: float
    y: float
    low: float
    high: float
    says: str
    kind: str = ""
    series: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """An upright bar."""

    x: float
    y: float
    width: float
    height: float
    says: str


@dataclass(slots=True)
class Chart:
    """One figure. says: the whole of it in a sentence; lines: points of polylines by class of the style."""

    says: str
    x_label: str
    y_label: str
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    marks: list[Mark] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    lines: dict[str, str] = field(default_factory=dict)
    legend: list[tuple[str, str]] = field(default_factory=list)
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


Scale = Callable[[float], float]


def scaled(low: float, high: float, start: float, stop: float) -> Scale:
    """A linear scale from low to high, in the picture from start to stop."""
    size = (high - low) or 1.0
    return lambda value: round(start + (value - low) / size * (stop - start), 2)


def ticks(low: float, high: float, scale: Scale, say: Callable[[float], str]) -> list[Tick]:
    """About five round numbers from low to high."""
    size = high - low
    if not size > 0:
        return [Tick(scale(low), say(low))]
    step = 10.0 ** math.floor(math.log10(size / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if size / (factor * step) <= 5)
    first = math.ceil(low / step - 1e-9)
    places = [k * step for k in range(first, first + 12) if k * step <= high + 1e-9 * size]
    return [Tick(scale(place), say(place)) for place in places]


def path_of(xs: Sequence[float], ys: Sequence[float]) -> str:
    """The points of a polyline."""
    return " ".join(f"{x:g},{y:g}" for x, y in zip(xs, ys, strict=True))


def pruning_curve(table: PruningTable) -> Chart | None:
    """What each pruning costs on held-out rows, against its leaves; None where nothing was held out."""
    known = np.isfinite(table.cv_risk) & np.isfinite(table.se)
    if not known.any():
        return None
    kept = _thinned(np.flatnonzero(known), {table.chosen, *([] if table.least is None else [table.least])})
    growing = table.risks[table.judged_by]
    high = float(max((table.cv_risk + table.se)[kept].max(), growing[kept].max())) or 1.0
    logs = np.log10(table.leaves.astype(np.float64))
    x = scaled(float(logs[kept].min()), float(logs[kept].max()), LEFT + 8, WIDTH - RIGHT - 8)
    y = scaled(0.0, high * 1.02, HEIGHT - BOTTOM, TOP)
    marks = [_pruning(table, k, x(float(logs[k])), y) for k in kept]
    chosen = count(int(table.leaves[table.chosen]), "leaf", "leaves")
    xs = [mark.x for mark in marks]
    return Chart(
        says=f"Error of {len(table):,} prunings in {table.n_folds}-fold cross-validation against their leaves; "
        f"chosen: {chosen}, {risk_in_words(table.cv_risk[table.chosen], table.judged_by)}.",
        x_label="leaves (each step to the right of equal ratio)",
        y_label=table.judged_by.replace("_", " "),
        x_ticks=_leaf_ticks(table.leaves[kept], x),
        y_ticks=ticks(0.0, high, y, lambda value: f"{value:.3g}"),
        marks=marks,
        lines={
            "heldout": path_of(xs, [mark.y for mark in marks]),
            "growing": path_of(xs, [y(float(growing[k])) for k in kept]),
        },
        legend=[("heldout", "rows held out, ± one standard error"), ("growing", "the rows it was grown from")],
    )


def _pruning(table: PruningTable, k: int, x: float, y: Scale) -> Mark:
    risk, se = float(table.cv_risk[k]), float(table.se[k])
    words = [word for word, place in (("chosen", table.chosen), ("least", table.least)) if place == k]
    says = f"{count(int(table.leaves[k]), 'leaf', 'leaves')}: {risk_in_words(risk, table.judged_by)}"
    return Mark(x, y(risk), y(max(risk - se, 0.0)), y(risk + se), ", ".join([says, *words]), " ".join(words))


def _thinned(places: Any, wanted: set[int]) -> list[int]:
    """At most so many of the places, spread evenly, the wanted ones among them."""
    if len(places) <= MOST_MARKS:
        return [int(place) for place in places]
    spread = np.linspace(0, len(places) - 1, MOST_MARKS).astype(int)
    return sorted({int(places[k]) for k in spread} | wanted)


def _leaf_ticks(leaves: Any, x: Scale) -> list[Tick]:
    """Powers of ten, with twos and fives where there are few."""
    least, most = int(leaves.min()), int(leaves.max())
    factors = (1,) if most / least > 200 else (1, 2, 5)
    places = [factor * 10**power for power in range(10) for factor in factors]
    within = [place for place in places if least <= place <= most] or [least]
    return [Tick(x(math.log10(place)), f"{place:,}") for place in within]


def calibration(tree: Tree, evidence: Evidence) -> Chart:
    """What was said beside what came true, in groups of rows that were told about the same."""
    if tree.classes is None or evidence.told is None or evidence.codes is None:
        return _calibrated_numbers(evidence)
    two = tree.n_classes == 2
    true = (evidence.codes == (1 if two else tree.label[evidence.nodes])).astype(np.float64)
    what = f"share of {shown_class(tree.classes, 1)}" if two else "share of the answered class"
    return _said_and_true(evidence.told, true, (0.0, 1.0), what, share)


def _calibrated_numbers(evidence: Evidence) -> Chart:
    both = np.concatenate([evidence.answers, evidence.y]).astype(np.float64)
    said = value_format(float(np.abs(both).max()))
    groups = _groups(evidence.answers.astype(np.float64))
    means = [_mean(values[group]) for values in (evidence.y, evidence.answers) for group in groups]
    return _said_and_true(
        evidence.answers.astype(np.float64),
        evidence.y.astype(np.float64),
        (min(means), max(means)),
        "value",
        lambda value: format(value, said),
    )


def _said_and_true(
    said: Floats, true: Floats, span: tuple[float, float], what: str, say: Callable[[float], str]
) -> Chart:
    low, high = span
    x = scaled(low, high, LEFT + 8, WIDTH - RIGHT - 8)
    y = scaled(low, high, HEIGHT - BOTTOM - 8, TOP + 8)
    marks = []
    for group in _groups(said):
        told, came = _mean(said[group]), _mean(true[group])
        half = float((true[group] - came).std() / math.sqrt(len(group)))
        words = f"{count(len(group), 'row')}: said {say(told)}, came true {say(came)}"
        ends = y(max(came - half, low)), y(min(came + half, high))
        marks.append(Mark(x(told), y(came), *ends, words))
    return Chart(
        says=f"Predicted {what} against what came true, in groups of rows; on the diagonal both are equal.",
        x_label=f"predicted {what}",
        y_label="what came true",
        x_ticks=ticks(low, high, x, say),
        y_ticks=ticks(low, high, y, say),
        marks=marks,
        lines={"diagonal": path_of([x(low), x(high)], [y(low), y(high)])},
        legend=[("point", "a group of rows, ± one standard error"), ("diagonal", "said and true are equal")],
    )


def _mean(values: Floats) -> float:
    """The mean, also of numbers whose sum is none."""
    first = float(values[0])
    return first + float((values - first).mean())


def _groups(said: Floats) -> list[Any]:
    """Rows in groups of about equal size by what was said; rows told the same stay together."""
    order = np.argsort(said, kind="stable")
    edges = np.unique(np.searchsorted(said[order], np.quantile(said, np.linspace(0, 1, GROUPS + 1)[1:-1]), "right"))
    return [group for group in np.split(order, edges) if len(group)]


def residuals(evidence: Evidence) -> Chart:
    """How far off the answers are: a bar a range of true value minus answer."""
    off = evidence.y.astype(np.float64) - evidence.answers.astype(np.float64)
    edge = float(np.abs(off).max()) or 1.0
    counts, parts = np.histogram(off / edge, bins=BARS, range=(-1.0, 1.0))  # the smallest numbers have no 31 parts
    edges = parts * edge
    form = value_format(edge)
    x = scaled(-edge, edge, LEFT + 8, WIDTH - RIGHT - 8)
    y = scaled(0.0, float(counts.max()), HEIGHT - BOTTOM, TOP)
    bars = [
        Bar(
            x(float(low)),
            y(float(n)),
            max(x(float(high)) - x(float(low)) - 1, 1),
            round(HEIGHT - BOTTOM - y(float(n)), 2),
            f"{float(low):{form}} to {float(high):{form}}: {count(int(n), 'row')}",
        )
        for n, low, high in zip(counts.tolist(), edges[:-1], edges[1:], strict=True)
    ]
    middle, spread = float(np.median(off)), float(np.percentile(np.abs(off), 90))
    return Chart(
        says=f"How far the true value lies above (right) or below the answer: half of the rows below {middle:{form}}, "
        f"nine in ten within {spread:{form}}.",
        x_label="true value minus answer",
        y_label="rows",
        x_ticks=ticks(-edge, edge, x, lambda value: format(value, form)),
        y_ticks=ticks(0.0, float(counts.max()), y, lambda value: f"{value:,.0f}"),
        bars=bars,
    )
