"""Figure 2 of the PAC-Bayes tree paper: error against the number of rows learned from, on sets of several classes.

Five sizes, equally far apart from half of the rows to all of them, 2,000 rows kept to judge by. Of one split the
smaller samples are part of the larger ones, and all are judged by the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bristlecone.experiments.contest import PROTOCOLS, contestants
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.outcomes import Outcome, grouped, markdown
from bristlecone.experiments.pacbayes_table2 import BASES, kept_rows
from bristlecone.experiments.pictures import panels, saved
from bristlecone.experiments.sets import PAPER, SETS
from bristlecone.experiments.study import Loaded, Split, measured, split_of, study

__all__ = ["EXPERIMENT", "sizes"]

NAME = "pacbayes-figure2"
N_SIZES = 5


def sizes(n_rows: int) -> list[int]:
    """How many rows are learned from."""
    most = n_rows - kept_rows(n_rows)
    return [round(size) for size in np.linspace(most / 2, most, N_SIZES)]


def outcomes(data: Loaded, asked: Asked) -> Iterator[Outcome]:
    """All methods on all splits and sizes of one data set."""
    n, n_classes = len(data.y), len(np.unique(data.y))
    for number in range(asked.splits):
        whole = split_of(n, number, growing=n - kept_rows(n), others=kept_rows(n))
        for size in sizes(n):
            split = Split(number, whole.growing[:size], whole.others)
            for protocol in asked.protocols:
                for base in BASES:
                    methods = contestants(n_classes, base=base, protocol=protocol, seed=number)
                    yield from measured(data, split, methods, base=base, protocol=protocol, describe=str)


def summary(found: Sequence[Outcome]) -> str:
    """A Markdown table: the mean error of each method, a row a set, base and size; the first protocol."""
    first = found[0].protocol
    mine = [one for one in found if one.protocol == first]
    methods = list(dict.fromkeys(one.method for one in mine))
    rows = []
    for (name, base, size), of in sorted(grouped(mine, lambda one: (one.set, one.base, one.rows)).items()):
        errors = {method: [one.error for one in of if one.method == method] for method in methods}
        cells = [f"{np.mean(held):.2%}" if held else "" for held in errors.values()]
        rows.append([name, base, f"{size:,}", *cells])
    return f'Protocol "{first}":\n\n' + markdown(["set", "base", "rows", *methods], rows)


def _draw(found: Sequence[Outcome], asked: Asked) -> None:
    first = found[0].protocol
    lines = grouped((one for one in found if one.protocol == first), lambda one: (one.set, one.base))
    figure, axes = panels(len(lines), columns=len(BASES))
    for ax, (name, base) in zip(axes, sorted(lines), strict=True):
        for method, of in grouped(lines[name, base], lambda one: one.method).items():
            points = {size: [one.error for one in at] for size, at in sorted(grouped(of, lambda one: one.rows).items())}
            spread = [
                np.std(errors, ddof=1) / np.sqrt(len(errors)) if len(errors) > 1 else 0 for errors in points.values()
            ]
            ax.errorbar(
                list(points), [np.mean(errors) for errors in points.values()], yerr=spread, label=method, capsize=2
            )
        ax.set(title=f"{name}, {base}", xlabel="rows learned from", ylabel="error")
        ax.legend(fontsize=7)
    saved(figure, asked.picture(NAME))


EXPERIMENT = Experiment(
    name=NAME,
    source="Nguyen and Kpotufe, NeurIPS 2018, Figure 2: error against the number of rows, sets of several classes",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=study(NAME, outcomes, summary, _draw),
    sets=tuple(name for name in PAPER if SETS[name].classes > 2),
    quick_sets=("cultivars", "iris"),
    splits=5,
    protocols=tuple(PROTOCOLS),
)
