"""Measure bristlecone beside other libraries that grow one tree, and write the tables.

Parts: `works` (fit, predict, memory and agreement on every work), `kinds` (criteria, weights, missing cells, many
classes, beside the plain work), `sizes` (cost as rows and columns grow), `exactness` (gains of sampled nodes beside
scikit-learn's stumps). Progress goes to standard error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import tables
from exactness import compare
from kinds import KINDS, SERIES
from peers import PEERS, Bristlecone
from rounds import LEADING_ROUNDS, Outcome, Plan, outcomes
from works import WORKS, Work

COMPARED = ("W1", "W2a", "W2b", "W3a", "W3b", "W4", "W5")
COMPARED_NODES = 500


def works_part(plan: Plan, works: list[Work]) -> Iterator[str]:
    """Every work by every peer; first all figures, then the ratios that matter."""
    found: dict[str, list[Outcome]] = {}

    def rows() -> Iterator[list[str]]:
        for work in works:
            found[work.name] = outcomes(work, plan)
            yield from tables.work_rows(work, found[work.name])

    yield from ("## Works", "")
    yield from tables.table(tables.WORK_COLUMNS, rows())
    yield from ("## Ratios", "", "How many times as long as ours with one thread; our two threads: beside our one.", "")
    yield from tables.table(tables.SUMMARY_COLUMNS, (tables.summary_row(work, found[work.name]) for work in works))


def kinds_part(plan: Plan, works: list[Work]) -> Iterator[str]:
    """Each kind beside its plain work, both measured here, by scikit-learn and by us."""
    plan = replace(plan, threads=(1,), peers=("bristlecone", "scikit-learn"), repeats=min(plan.repeats, LEADING_ROUNDS))
    plain: dict[str, list[Outcome]] = {}

    def rows() -> Iterator[list[str]]:
        for kind, beside in KINDS:
            if beside.name not in plain:
                plain[beside.name] = outcomes(beside.scaled(plan.scale), plan)
                yield tables.kind_row(beside.scaled(plan.scale), plain[beside.name], plain[beside.name])
            work = kind.scaled(plan.scale)
            yield tables.kind_row(work, outcomes(work, plan), plain[beside.name])

    yield from ("## Kinds", "")
    columns = ("work", "ours s", "scikit-learn s", "times ours", "plain work's", "share of it")
    yield from tables.table(columns, rows())


def sizes_part(plan: Plan, works: list[Work]) -> Iterator[str]:
    """Seconds of our fit as work grows."""
    yield from ("## Sizes", "", "Our fit, one thread. Exponent: of seconds as a power of the size.", "")
    for title, whole in SERIES:
        series = [(size, work.scaled(plan.scale)) for size, work in whole]
        sizes = [work.rows if title.startswith("rows") else size for size, work in series]
        found = [outcomes(work, plan, [Bristlecone(work, 1)])[0] for _, work in series]
        yield from tables.table((title, "fit s", "exponent"), tables.series_rows(sizes, found))


def exactness_part(plan: Plan, works: list[Work]) -> Iterator[str]:
    """Gains of sampled nodes."""

    def rows() -> Iterator[list[str]]:
        for work in (work for work in works if work.name in COMPARED):
            print(f"{work.name}, exactness", file=sys.stderr, flush=True)
            yield tables.comparison_row(work, work.rows, compare(work, work.rows, COMPARED_NODES, plan.seed))

    yield from ("## Exactness", "")
    yield from tables.comparison_note()
    columns = ("work", "inner nodes", "compared", "equal", "better", "worse", "worst difference", "best difference")
    yield from tables.table(columns, rows())


PARTS: dict[str, Callable[[Plan, list[Work]], Iterator[str]]] = {
    "works": works_part,
    "kinds": kinds_part,
    "sizes": sizes_part,
    "exactness": exactness_part,
}


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Plan(())
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--works", nargs="+", choices=WORKS, default=[name for name in WORKS if not WORKS[name].folds])
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=[n for n, peer in PEERS.items() if peer.version()])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--scale", type=float, default=1.0, help="share of each work's rows, for a trial")
    parser.add_argument("--repeats", type=int, default=default.repeats, help="rounds at most")
    parser.add_argument("--seconds", type=float, default=default.seconds, help="a peer's time for fits of one work")
    parser.add_argument("--limit", type=float, default=default.limit, help="seconds that one process may take")
    parser.add_argument("--seed", type=int, default=default.seed)
    parser.add_argument("--output", type=Path, help="write the tables here too (Markdown)")
    return parser.parse_args(arguments)


def report(options: argparse.Namespace) -> Iterator[str]:
    """The lines of the report, each as soon as it is known."""
    started = time.perf_counter()
    plan = Plan(
        tuple(options.peers),
        tuple(options.threads),
        options.repeats,
        options.seconds,
        options.limit,
        options.seed,
        options.scale,
    )
    works = [WORKS[name].scaled(options.scale) for name in options.works]
    yield from tables.heading(plan)
    for name in options.parts:
        yield from PARTS[name](plan, works)
    yield f"The whole run took {(time.perf_counter() - started) / 60:.1f} minutes."


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    lines = []
    for line in report(options):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
