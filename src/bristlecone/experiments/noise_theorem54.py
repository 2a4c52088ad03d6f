"""Theorem 5.4 of the noise paper seen: monotone targets of tree size s among d bits, from corrupted rows. SPEC D7.

found size  the fewest leaves, of those tried, at which the clean error is within 0.01 of the best of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.kept import keep
from bristlecone.experiments.needs import needed
from bristlecone.grow import top_down
from bristlecone.noise import ADVERSARIES, monotone_tree

__all__ = ["EXPERIMENT", "Point", "draw", "study", "text"]

NAME = "noise-theorem54"

ROWS, TESTS = 4000, 4000
SIZES = (4, 8, 16, 32)
BITS = (16, 32, 64)
RATES = (0.0, 0.02, 0.05, 0.1)
LEAVES = (2, 4, 8, 16, 32, 64, 128)
WAYS = ("random_label_flip", "greedy_cancel")
WITHIN = 0.01


@dataclass(frozen=True, slots=True)
class Point:
    """One target learned once. error: the least of the sizes tried; leaves: the found size."""

    size: int
    bits: int
    rate: float
    adversary: str
    repeat: int
    error: float
    leaves: int


def study(
    sizes: Sequence[int] = SIZES, bits: Sequence[int] = BITS, rates: Sequence[float] = RATES, repeats: int = 5
) -> list[Point]:
    """All sizes s, numbers of bits d, rates and adversaries."""
    found = []
    for s, d, repeat in itertools.product(sizes, bits, range(repeats)):
        target = monotone_tree(d, s, random_state=repeat)
        X, y = target.sample(ROWS, 0.5, random_state=repeat)
        X_test, y_test = target.sample(TESTS, 0.5, random_state=repeat + 10_000)
        for rate, adversary in itertools.product(rates, WAYS):
            bad = ADVERSARIES[adversary](X, y, rate, random_state=repeat)
            errors = [
                float(np.mean(top_down(bad.X, bad.y, t, splits="projections").predict(X_test) != y_test))
                for t in LEAVES
            ]
            leaves = next(t for t, error in zip(LEAVES, errors, strict=True) if error <= min(errors) + WITHIN)
            found.append(Point(s, d, rate, adversary, repeat, min(errors), leaves))
    return found


def text(found: Sequence[Point]) -> str:
    """A Markdown table: mean error, and median found size, by s and rate, over all d; then by d."""
    rates = sorted({point.rate for point in found})
    lines = []
    for adversary in dict.fromkeys(point.adversary for point in found):
        lines += [f"| {adversary}: error (leaves) | " + " | ".join(f"eta {rate:g}" for rate in rates) + " |"]
        lines.append("|---" * (len(rates) + 1) + "|")
        for name in ("size", "bits"):
            for value in sorted({getattr(point, name) for point in found}):
                cells = [_cell(found, adversary, rate, name, value) for rate in rates]
                lines.append(f"| {'s' if name == 'size' else 'd'} = {value} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines[:-1])


def _of(found: Sequence[Point], adversary: str, rate: float, name: str, value: int) -> list[Point]:
    return [p for p in found if (p.adversary, p.rate, getattr(p, name)) == (adversary, rate, value)]


def _cell(found: Sequence[Point], adversary: str, rate: float, name: str, value: int) -> str:
    of = _of(found, adversary, rate, name, value)
    return f"{np.mean([p.error for p in of]):.3f} ({np.median([p.leaves for p in of]):.0f})"


def draw(found: Sequence[Point], axes: Sequence[Any]) -> None:
    """Error, and found size, against s, a line a rate, greedy cancelling; error against d."""
    rates = sorted({point.rate for point in found})
    for rate in rates:
        for ax, name, value in ((axes[0], "size", "error"), (axes[1], "size", "leaves"), (axes[2], "bits", "error")):
            at = sorted({getattr(point, name) for point in found})
            means = [np.mean([getattr(p, value) for p in _of(found, "greedy_cancel", rate, name, one)]) for one in at]
            ax.plot(at, means, ".-", label=f"eta {rate:g}")
    axes[0].set(xscale="log", xlabel="size s of the target", ylabel="clean error", title="greedy cancelling")
    axes[1].set(xscale="log", yscale="log", xlabel="size s of the target", ylabel="leaves of the best tree")
    axes[2].set(xscale="log", xlabel="columns d", ylabel="clean error")
    axes[0].legend(fontsize="x-small")


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    needed("matplotlib")
    found = study(SIZES[:1], BITS[:1], RATES[::3], asked.splits) if asked.quick else study(repeats=asked.splits)
    keep(asked, NAME, found, draw, 3)
    return text(found)


EXPERIMENT = Experiment(
    name=NAME,
    source="Blanc, Lange, Malik and Tan, ICML 2022, Theorem 5.4: monotone targets from corrupted rows",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=5,
    quick_splits=1,
)
