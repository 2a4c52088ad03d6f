"""Markdown from outcomes."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from exactness import ROUNDING, Comparison
from peers import PEERS
from rounds import Outcome, Plan
from works import Work

OURS = "bristlecone"
WORK_COLUMNS = (
    *("work", "library", "threads", "prepare s", "grow s", "fit s", "times ours", "wall s", "predict s"),
    *("predict times ours", "memory MB", "of input", "leaves", "learned loss", "held-out loss", "same answers"),
    "rounds",
)
SUMMARY_COLUMNS = (
    *("work", "scikit-learn", "aim / floor", "LightGBM", "LightGBM, training only", "YDF", "our two threads"),
    *("predict: scikit-learn", "predict: LightGBM", "accuracy or R2: ours", "scikit-learn's", "LightGBM's"),
)


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table; rows are read as they come."""
    columns = list(columns)
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"
    for row in rows:
        cells = list(row)
        yield f"| {' | '.join(cells + [''] * (len(columns) - len(cells)))} |"
    yield ""


def heading(plan: Plan) -> Iterator[str]:
    """Date, machine, versions, and how to read the rest."""
    versions = {name: PEERS[name].version() for name in plan.peers}
    missing = [name for name in PEERS if PEERS[name].version() is None]
    yield "# Benchmarks"
    yield ""
    yield f"{datetime.now(UTC):%Y-%m-%d}. {cpu_model()}, {os.cpu_count()} cores, {platform.system()}."
    yield f"Python {platform.python_version()}, numpy {np.__version__}, " + ", ".join(
        f"{name} {version}" for name, version in versions.items() if version
    )
    yield f"Not found here: {', '.join(missing) or 'none'}. Seed {plan.seed}; share of the rows: {plan.scale:g}."
    yield ""
    yield f"Every measurement is a process of its own; the libraries take turns, {plan.repeats} rounds at most."
    yield "Figures are medians. Seconds are of the CPU with one thread and of the wall with more; fit = prepare"
    yield "+ grow, all data preparation included, bristlecone from C-order float64, the others from the number type"
    yield "that suits them best. Memory is what the peak of a fit adds; input is the float64 array. Loss is the share"
    yield "of errors, or the mean squared error; same answers: the share of learning rows answered as by scikit-learn."
    yield ""
    yield from (f"* {name}: {PEERS[name].note}" for name in plan.peers if PEERS[name].note)
    yield ""


def cpu_model() -> str:
    """The processor's name, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in _lines(info) if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def work_rows(work: Work, found: list[Outcome]) -> Iterator[list[str]]:
    """One row a peer and number of threads."""
    label = f"{work.name}: {work.title}, {work.rows:,} rows, {work.limits}"
    for outcome in found:
        name, threads = outcome.peer.package, outcome.peer.threads
        if outcome.runs:
            yield [label, name, str(threads), *_figures(outcome, find(found, OURS, threads))]
        if outcome.failure:
            yield [label if not outcome.runs else "", name, str(threads), f"failed: {outcome.failure}"]
        label = ""


def _figures(outcome: Outcome, ours: Outcome | None) -> list[str]:
    input_mb = outcome.input_bytes / 1024**2
    leaves = outcome.runs[-1].leaves
    return [
        *(f"{outcome.median(name):.4g}" for name in ("prepare", "grow", "fit")),
        ratio(outcome, ours, "fit"),
        f"{outcome.median('wall'):.4g}",
        f"{outcome.median('predict'):.4g}",
        ratio(outcome, ours, "predict"),
        f"{outcome.median('memory'):.4g}",
        f"{outcome.median('memory') / input_mb:.2f}",
        "" if leaves is None else str(leaves),
        *(f"{value:.4f}" for value in (outcome.learned, outcome.held, outcome.same)),
        str(len(outcome.runs)),
    ]


def find(found: list[Outcome], package: str, threads: int) -> Outcome | None:
    """A peer's outcome that has runs."""
    chosen = (o for o in found if o.runs and (o.peer.package, o.peer.threads) == (package, threads))
    return next(chosen, None)


def ratio(theirs: Outcome | None, ours: Outcome | None, name: str = "fit") -> str:
    """How many times as long as ours; empty where one is missing."""
    if theirs is None or ours is None:
        return ""
    return f"{theirs.median(name) / ours.median(name):.2f}"


def summary_row(work: Work, found: list[Outcome]) -> list[str]:
    """Each library's seconds over ours, by one thread, and ours by two threads."""
    ours = find(found, OURS, 1)
    sklearn, lightgbm, ydf = (find(found, name, 1) for name in ("scikit-learn", "lightgbm", "ydf"))
    fit = "fit_and_predict" if work.with_predict else "fit"
    training = "" if lightgbm is None or ours is None else f"{lightgbm.median('grow') / ours.median(fit):.2f}"
    two = find(found, OURS, 2)
    return [
        work.name,
        ratio(sklearn, ours, fit),
        "" if work.goal is None else f"{work.goal[0]:g} / {work.goal[1]:g}",
        ratio(lightgbm, ours, fit),
        training,
        ratio(ydf, ours, fit),
        "" if two is None or ours is None else f"{ours.median('wall') / two.median('wall'):.2f}",
        ratio(sklearn, ours, "predict"),
        ratio(lightgbm, ours, "predict"),
        *("" if outcome is None else f"{outcome.accuracy:.4f}" for outcome in (ours, sklearn, lightgbm)),
    ]


def kind_row(work: Work, found: list[Outcome], plain: list[Outcome]) -> list[str]:
    """The ratio to scikit-learn of a kind beside that of its plain work."""
    ratios = [
        theirs.median("fit") / ours.median("fit")
        for outcomes in (found, plain)
        if (theirs := find(outcomes, "scikit-learn", 1)) and (ours := find(outcomes, OURS, 1))
    ]
    share = f"{ratios[0] / ratios[1]:.2f}" if len(ratios) == 2 else ""
    seconds = [f"{outcome.median('fit'):.4g}" if outcome.runs else f"failed: {outcome.failure}" for outcome in found]
    return [f"{work.title}, {work.rows:,} rows", *seconds, *(f"{value:.2f}" for value in ratios), share]


def series_rows(sizes: list[int], found: list[Outcome]) -> Iterator[list[str]]:
    """Seconds at each size and the exponent from one size to the next; then the exponent fitted to all."""
    done = list({size: o.median("fit") for size, o in zip(sizes, found, strict=True) if o.runs}.items())
    before: tuple[int, float] | None = None
    for size, seconds in done:
        step = "" if before is None else f"{np.log(seconds / before[1]) / np.log(size / before[0]):.2f}"
        yield [f"{size:,}", f"{seconds:.4g}", step]
        before = size, seconds
    yield from ([f"{s:,}", f"failed: {o.failure}"] for s, o in zip(sizes, found, strict=True) if not o.runs)
    if len(done) > 1:
        at, seconds_at = np.log(np.array(done)).T
        yield ["all", "", f"{np.polyfit(at, seconds_at, 1)[0]:.2f}"]


def comparison_row(work: Work, rows: int, found: Comparison) -> list[str]:
    """Counts, and the worst and the best relative difference."""
    worst, best = found.differences.min(), found.differences.max()
    counts = (found.inner, len(found.differences), found.equal, found.better, found.worse)
    return [f"{work.name}, {rows:,} rows", *map(str, counts), f"{worst:.1e}", f"{best:.1e}"]


def comparison_note() -> Iterator[str]:
    yield "Gains of our splits beside those of depth-1 scikit-learn trees on the rows of the same nodes, both"
    yield f"recomputed from the rows in float64; equal: within {ROUNDING:g} of each other, relative. scikit-learn reads"
    yield "float32 and takes neighbours within 1e-7 for one value, so ours may be better. The largest nodes are always"
    yield "compared."
    yield ""
