"""The experiments on noise and stability, made again: figures as CSV and a picture each, into experiments/results/.

    python experiments/noise.py NAME ...      hard-instance theorem31 theorem54 instability failure-cases

Each is a file of `bristlecone.experiments`, which says what it shows. Data sets as in sets.py.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from sets import SETS, NotHere
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from bristlecone.experiments import failure_cases, instability, noise_hard_instance, noise_theorem31, noise_theorem54

RESULTS = Path(__file__).parent / "results"
FOREST_SETS = ("spam", "eeg", "crowd", "wine quality", "digits", "letter", "bank", "mushroom", "covertype", "tumours")


@dataclass(frozen=True, slots=True)
class Experiment:
    """How one is run and shown. axes: how many its picture has."""

    study: Callable[[], list[Any]]
    room: Any
    axes: int


def forest() -> Any:
    """A forest, for scale."""
    return RandomForestClassifier(30, random_state=0, n_jobs=1)


def real_sets() -> Iterator[tuple[str, Any, Any]]:
    """Ten sets; those that are not here are named and skipped."""
    for name in FOREST_SETS:
        try:
            X, y = SETS[name].load()
        except NotHere as lacking:
            sys.stderr.write(f"skipped {name}: {lacking}\n")
            continue
        sys.stderr.write(f"{name}\n")
        numbers = all(dtype.kind in "iuf" for dtype in X.dtypes)
        yield name, X.to_numpy(dtype=float) if numbers else X, y


EXPERIMENTS = {
    "hard-instance": Experiment(noise_hard_instance.study, noise_hard_instance, 2),
    "theorem31": Experiment(noise_theorem31.study, noise_theorem31, 2),
    "theorem54": Experiment(noise_theorem54.study, noise_theorem54, 3),
    "instability": Experiment(lambda: instability.study(real_sets(), forest=forest), instability, 2),
    "failure-cases": Experiment(lambda: failure_cases.study(LogisticRegression, forest), failure_cases, 4),
}


def run(name: str) -> str:
    """Make one again: its table in Markdown."""
    one = EXPERIMENTS[name]
    found = one.study()
    with (RESULTS / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow([field.name for field in fields(found[0])])
        rows.writerows(astuple(row) for row in found)
    figure = Figure(figsize=(4.5 * one.axes, 3.6), layout="constrained")
    one.room.draw(found, list(figure.subplots(1, one.axes)))
    figure.savefig(RESULTS / f"{name}.png", dpi=100, metadata={"Software": None})
    return str(one.room.text(found))


def main() -> None:
    """Run those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", choices=list(EXPERIMENTS))
    for name in parser.parse_args().names:
        print(f"## {name}\n\n{run(name)}\n", flush=True)


if __name__ == "__main__":
    main()
