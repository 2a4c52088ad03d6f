"""The hard instance of the noise paper seen: clean error against the size of the tree. Theorem 4.1, SPEC D6.

exact       grown from the whole corrupted distribution, gains compared as rationals; ties go to the lowest column.
sampled     grown from rows of it, where no two gains are quite the same.
pairs       the class H of all ANDs of two columns beside the columns themselves: does it escape?
start       the first size at which the clean error is below the rarer label's mass by a tenth of it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.grow import Predicates, top_down
from bristlecone.noise.hard import TribesInstance, tribes_instance
from bristlecone.tree import Tree

__all__ = ["EXPERIMENT", "Point", "draw", "starts", "study", "text"]

NAME = "noise-hard-instance"

INSTANCE = (2, 2, 10)  # w, m, d: 2^6 leaves before anything happens
SAMPLES = (300, 1000, 3000, 10_000, 30_000, 100_000)
REPEATS = 20


@dataclass(frozen=True, slots=True)
class Point:
    """The clean error of the tree of so many leaves. rows: 0 of the whole distribution; way: how it was grown."""

    way: str
    rows: int
    repeat: int
    leaves: int
    error: float


def study(
    instance: tuple[int, int, int] = INSTANCE, samples: Sequence[int] = SAMPLES, repeats: int = REPEATS
) -> list[Point]:
    """All ways, sizes up to four times 2^(d - k)."""
    last, first = (tribes_instance(*instance, relevant=place) for place in ("last", "first"))
    cliff = 2 ** (last.d - last.k)
    sizes = sorted({*range(1, 17), *range(cliff // 4, 4 * cliff, cliff // 4)})
    found = [
        *_exact(last, "exact, irrelevant columns first", sizes, "projections"),
        *_exact(first, "exact, relevant columns first", sizes, "projections"),
        *_exact(last, "exact, with pairs", sizes, pairs_of(last.d)),
    ]
    for n, repeat in itertools.product(samples, range(repeats)):
        X, y = last.sample(n, random_state=repeat)
        found += _points(last, "sampled", n, repeat, [top_down(X, y, t, splits="projections") for t in sizes])
    return found


def pairs_of(d: int) -> Predicates:
    """Every column of -1 and +1, and every AND of two of them."""
    places = list(itertools.combinations(range(d), 2))

    def ask(table: Any) -> npt.NDArray[np.bool_]:
        bits = np.column_stack(table.columns) > 0
        return np.column_stack([bits, *(bits[:, i] & bits[:, j] for i, j in places)])

    return Predicates([*(f"x{j}" for j in range(d)), *(f"x{i} and x{j}" for i, j in places)], ask)


def _exact(hard: TribesInstance, way: str, sizes: Sequence[int], splits: Any) -> Iterator[Point]:
    X, y, weight = hard.table()
    return _points(hard, way, 0, 0, [top_down(X, y, t, splits=splits, sample_weight=weight) for t in sizes])


def _points(hard: TribesInstance, way: str, rows: int, repeat: int, trees: Sequence[Tree]) -> Iterator[Point]:
    X, y, _ = hard.table(corrupted=False)
    for tree in trees:
        yield Point(way, rows, repeat, tree.n_leaves, float(np.mean(tree.predict(X) != y)))


def starts(found: Sequence[Point], minority: float) -> dict[tuple[str, int], list[float]]:
    """Where each run starts, by way and rows; inf where it never does."""
    runs: dict[tuple[str, int, int], float] = {}
    for point in found:
        key = (point.way, point.rows, point.repeat)
        leaves = point.leaves if point.error < 0.9 * minority else math.inf
        runs[key] = min(runs.get(key, math.inf), leaves)
    by_kind: dict[tuple[str, int], list[float]] = {}
    for (way, rows, _), leaves in runs.items():
        by_kind.setdefault((way, rows), []).append(leaves)
    return by_kind


def text(found: Sequence[Point], instance: tuple[int, int, int] = INSTANCE) -> str:
    """A Markdown table of where progress starts."""
    hard = tribes_instance(*instance)
    lines = [
        f"tribes of {hard.m} blocks of {hard.w} among {hard.d} columns: gamma {hard.gamma}, eta {hard.eta}, "
        f"clean error {hard.minority} until something is found; 2^(d - k) = {2 ** (hard.d - hard.k)}",
        "",
        "| grown from | rows | first size with clean error below 0.9 of that: median (least to largest) |",
        "|---|---|---|",
    ]
    for (way, rows), leaves in starts(found, float(hard.minority)).items():
        middle = sorted(leaves)[len(leaves) // 2]
        spread = "" if len(leaves) == 1 else f" ({min(leaves):g} to {max(leaves):g})"
        lines.append(f"| {way} | {rows or 'all'} | {middle:g}{spread} |")
    return "\n".join(lines)


def draw(found: Sequence[Point], axes: Sequence[Any], instance: tuple[int, int, int] = INSTANCE) -> None:
    """Error against leaves on the first axes; where samples start against their rows on the second."""
    hard = tribes_instance(*instance)
    left, right = axes[:2]
    for way in dict.fromkeys(point.way for point in found):
        for rows in dict.fromkeys(point.rows for point in found if point.way == way):
            of = [point for point in found if (point.way, point.rows) == (way, rows)]
            sizes = sorted({point.leaves for point in of})
            means = [np.mean([point.error for point in of if point.leaves == size]) for size in sizes]
            label = way if rows == 0 else f"{rows:,} rows"
            left.plot(sizes, means, "-" if rows == 0 else ":", marker=".", markersize=3, label=label)
    left.axvline(2 ** (hard.d - hard.k), color="0.6", linewidth=0.8)
    left.set(xscale="log", xlabel="leaves", ylabel="clean error", title="hard instance")
    left.legend(fontsize="x-small")
    at = {rows: leaves for (way, rows), leaves in starts(found, float(hard.minority)).items() if way == "sampled"}
    right.plot(list(at), [float(np.median(leaves)) for leaves in at.values()], "o-")
    right.fill_between(list(at), [min(v) for v in at.values()], [max(v) for v in at.values()], alpha=0.15)
    right.set(xscale="log", xlabel="rows", ylabel="leaves where progress starts", title="samples break ties")


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    needed("matplotlib")
    instance = (2, 2, 7) if asked.quick else INSTANCE
    found = study(instance, SAMPLES[:1] if asked.quick else SAMPLES, asked.splits)
    keep(asked, NAME, found, partial(draw, instance=instance), 2)
    return text(found, instance)


EXPERIMENT = Experiment(
    name=NAME,
    source="Blanc, Lange, Malik and Tan, ICML 2022, Theorem 4.1: clean error of the hard instance against leaves",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=REPEATS,
)
