"""Measure fit time, prediction time and peak memory of one tree, side by side.

Every measurement is a process of its own; the peers take turns inside each repetition, so that a machine that slows
down slows all of them. Reported: medians, and the ratio to bristlecone's median.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from measure import Measurement, measure
from peers import PEERS, installed
from works import WORKS, Work

HOLD_OUT = 20_000
OURS = "bristlecone"
COLUMNS = (
    *("work", "library", "prepare s", "grow s", "fit s", "times ours", "CPU s", "predict s"),
    *("memory MB", "leaves", "held-out loss"),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: the works, by whom, how large, how often."""

    works: tuple[Work, ...]
    peers: tuple[str, ...]
    repeats: int
    threads: int
    seed: int


def parse(arguments: list[str] | None) -> tuple[argparse.Namespace, Plan]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--works", nargs="+", choices=WORKS, default=[name for name in WORKS if not WORKS[name].folds])
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=installed())
    parser.add_argument("--rows", type=int, help="rows of every work (default: each work's own)")
    parser.add_argument("--max-depth", type=int, help="depth limit of every work (default: each work's own)")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, help="write the table here too (Markdown)")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    works = tuple(_resized(WORKS[name], options.rows, options.max_depth) for name in options.works)
    return options, Plan(works, tuple(options.peers), options.repeats, options.threads, options.seed)


def _resized(work: Work, rows: int | None, max_depth: int | None) -> Work:
    limits = work.limits if max_depth is None else replace(work.limits, max_depth=max_depth)
    return replace(work, rows=rows or work.rows, limits=limits)


def write_data(work: Work, seed: int, folder: Path) -> None:
    """Learning and held-out rows of a work as .npy files."""
    held = min(HOLD_OUT, work.rows)
    X, y = work.data(work.rows + held, seed)
    for name, array in (("X", X[held:]), ("y", y[held:]), ("X_held", X[:held]), ("y_held", y[:held])):
        np.save(folder / f"{name}.npy", array)


def run_apart(work: Work, peer: str, plan: Plan, folder: Path) -> Measurement:
    """One measurement in a process of its own."""
    request = json.dumps(
        {
            "work": work.name,
            "rows": work.rows,
            "max_depth": work.limits.max_depth,
            "peer": peer,
            "threads": plan.threads,
            "folder": str(folder),
        }
    )
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {**os.environ, **dict.fromkeys(names, str(plan.threads))}
    command = [sys.executable, __file__, "--one", request]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{peer} failed on {work.name}:\n{done.stderr}")
    return Measurement(**json.loads(done.stdout.splitlines()[-1]))


def answer_one(request: dict[str, Any]) -> None:
    """The other side of `run_apart`: measure and print one line of JSON."""
    work = _resized(WORKS[request["work"]], request["rows"], request["max_depth"])
    peer = PEERS[request["peer"]](work, request["threads"])
    print(measure(peer, Path(request["folder"])).to_json())


def run(plan: Plan) -> Iterator[str]:
    """The lines of the report, each as soon as it is known."""
    yield from _heading(plan)
    for work in plan.works:
        peers = [name for name in plan.peers if PEERS[name].offers(work)]
        found: dict[str, list[Measurement]] = {name: [] for name in peers}
        with tempfile.TemporaryDirectory() as folder:
            write_data(work, plan.seed, Path(folder))
            for _ in range(plan.repeats):
                for name in peers:
                    found[name].append(run_apart(work, name, plan, Path(folder)))
        yield from _rows(work, found)


def _heading(plan: Plan) -> Iterator[str]:
    versions = ", ".join(f"{name} {PEERS[name].version()}" for name in plan.peers)
    notes = "; ".join(f"{name}: {PEERS[name].note}" for name in plan.peers if PEERS[name].note)
    yield f"Threads: {plan.threads}. Repetitions: {plan.repeats}, interleaved, medians. Seed: {plan.seed}."
    yield f"Python {platform.python_version()}, {versions}. {platform.machine()}, {os.cpu_count()} cores."
    yield f"Notes: {notes}."
    yield ""
    yield f"| {' | '.join(COLUMNS)} |"
    yield "|---" * len(COLUMNS) + "|"


def _rows(work: Work, found: dict[str, list[Measurement]]) -> Iterator[str]:
    ours = statistics.median(m.fit for m in found[OURS]) if OURS in found else None
    label = f"{work.name}: {work.title}, {work.rows:,} rows, {work.limits}"
    for name, runs in found.items():
        fit = statistics.median(m.fit for m in runs)
        ratio = "" if ours is None else f"{fit / ours:.2f}"
        medians = [
            f"{statistics.median(getattr(m, field) for m in runs):.4g}"
            for field in ("prepare", "grow", "fit", "cpu", "predict", "memory")
        ]
        cells = [label, name, *medians[:3], ratio, *medians[3:], f"{runs[0].leaves}", f"{runs[0].loss:.4f}"]
        yield "| " + " | ".join(cells) + " |"
        label = ""


def main(arguments: list[str] | None = None) -> int:
    options, plan = parse(arguments)
    if options.one:
        answer_one(json.loads(options.one))
        return 0
    lines = []
    for line in run(plan):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
