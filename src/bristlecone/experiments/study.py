"""Random splits of real data sets, each method fitted on the one part and judged on the other.

method      a name, and how it fits rows: what it returns answers `predict` and `get_n_leaves`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from bristlecone.experiments.experiment import Asked
from bristlecone.experiments.needs import needed
from bristlecone.experiments.outcomes import Outcome, write_rows
from bristlecone.experiments.sets import SETS, NotHere

__all__ = ["Fitted", "Loaded", "Split", "loaded", "measured", "split_of", "study"]

Places = NDArray[np.intp]


class Fitted(Protocol):
    """What is asked of a fitted model."""

    def predict(self, X: Any) -> Any: ...
    def get_n_leaves(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Loaded:
    """A data set in memory. X: a frame; y: (n_rows,)."""

    name: str
    X: Any
    y: Any
    regression: bool


@dataclass(frozen=True, slots=True)
class Split:
    """Rows to learn from, and rows to judge by."""

    number: int
    growing: Places
    others: Places


def loaded(asked: Asked) -> Iterator[Loaded]:
    """The sets that were asked for, one by one; what is not here is skipped by name."""
    for name in asked.sets:
        try:
            X, y = SETS[name].load(asked.download)
        except NotHere as lacking:
            asked.say(f"skipped {name}: {lacking}")
            continue
        yield Loaded(name, X, y, SETS[name].regression)


def split_of(n_rows: int, number: int, *, growing: int, others: int) -> Split:
    """Draw rows to learn from, and of all the others `others` at most."""
    learned, left = train_test_split(np.arange(n_rows), train_size=growing, random_state=number)
    return Split(number, learned, left[:others])


def measured(
    data: Loaded,
    split: Split,
    methods: Mapping[str, Callable[[Any, Any], Fitted]],
    *,
    base: str,
    protocol: str = "",
    describe: Callable[[Any], str] = lambda model: "",
) -> Iterator[Outcome]:
    """One outcome for each method on one split. describe: the chosen parameters of a model, as words."""
    growing, others = split.growing, split.others
    for name, fit in methods.items():
        started = time.process_time()
        model = fit(data.X.iloc[growing], data.y[growing])
        seconds = time.process_time() - started
        answers = model.predict(data.X.iloc[others])
        wrong = (answers - data.y[others]) ** 2 if data.regression else answers != data.y[others]
        yield Outcome(
            set=data.name,
            split=split.number,
            rows=len(growing),
            method=name,
            error=float(np.mean(wrong)),
            leaves=int(model.get_n_leaves()),
            chosen=describe(model),
            seconds=seconds,
            base=base,
            protocol=protocol,
        )


def study(
    name: str,
    outcomes: Callable[[Loaded, Asked], Iterable[Outcome]],
    summary: Callable[[Sequence[Outcome]], str],
    draw: Callable[[Sequence[Outcome], Asked], None] | None = None,
) -> Callable[[Asked], str]:
    """The `run` of an experiment on data sets: measure one after the other, write all outcomes, draw, and sum up."""

    def run(asked: Asked) -> str:
        if draw is not None:
            needed("matplotlib")  # said before the work, not after it
        found: list[Outcome] = []
        for data in loaded(asked):
            found += outcomes(data, asked)
            asked.say(f"{data.name} done")
        write_rows(asked.table(name), found)
        if draw is not None:
            draw(found, asked)
        return summary(found)

    return run
