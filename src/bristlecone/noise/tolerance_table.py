"""What the trials of `tolerance_report` say: errors by rate, the rate at which a target is missed, tables of text."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.tree.lines import aligned

__all__ = ["BreakEven", "ToleranceReport", "Trial"]


@dataclass(frozen=True, slots=True)
class Trial:
    """One fit; see the head of `noise.tolerance`. adversary "" and rate 0: no row was corrupted.

    corrupted: share of the growing rows that the adversary touched. error: on held-out rows; growing_error: on the
    growing rows as they were; observed_error: as they came. n_leaves, relabelled: None where the model is not one tree.
    root: the first question; root_changed: whether it asks another column than the uncorrupted fit. changed_answers:
    the share of held-out rows that get another answer than from the uncorrupted fit.
    """

    estimator: str
    adversary: str
    rate: float
    repeat: int
    corrupted: float
    error: float
    growing_error: float
    observed_error: float
    n_leaves: int | None
    root: str
    root_changed: bool
    relabelled: float | None
    changed_answers: float


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The rate at which the clean error passes a target. rate: the median of the repeats, low and high their range; inf
    where no rate that was tried does it, 0 where the error is above the target without noise."""

    rate: float
    low: float
    high: float
    n_repeats: int


@dataclass(frozen=True, slots=True)
class ToleranceReport:
    """All trials. estimators, adversaries: their names; rates: 0 and the rates of corruption, ascending."""

    estimators: tuple[str, ...]
    adversaries: tuple[str, ...]
    rates: tuple[float, ...]
    n_repeats: int
    trials: tuple[Trial, ...]

    def to_dict(self) -> dict[str, list[Any]]:
        """The trials by column, ready for a data frame."""
        names = [field.name for field in dataclasses.fields(Trial)]
        return {name: [getattr(trial, name) for trial in self.trials] for name in names}

    def of(self, estimator: str, adversary: str, rate: float) -> list[Trial]:
        """The trials of one cell, in order of repeats. Raises ValueError for a name or a rate that was not tried."""
        for value, known in ((estimator, self.estimators), (adversary, self.adversaries), (rate, self.rates)):
            if value not in known:
                raise ValueError(f"{value!r} is not one of {', '.join(map(str, known))}")
        wanted = (estimator, adversary if rate else "", rate)
        return [trial for trial in self.trials if (trial.estimator, trial.adversary, trial.rate) == wanted]

    def errors(self, estimator: str, adversary: str) -> npt.NDArray[np.float64]:
        """The clean errors on held-out rows, (n_rates, n_repeats)."""
        return np.array([[trial.error for trial in self.of(estimator, adversary, rate)] for rate in self.rates])

    def break_even(self, target: float, estimator: str, adversary: str) -> BreakEven:
        """Where the clean error first passes `target`, each repeat's errors joined by straight lines."""
        passed = [_crossing(self.rates, errors, target) for errors in self.errors(estimator, adversary).T]
        ordered = sorted(passed)
        middle = len(ordered) // 2
        median = ordered[middle] if len(ordered) % 2 else _mean(ordered[middle - 1], ordered[middle])
        return BreakEven(median, ordered[0], ordered[-1], self.n_repeats)

    @property
    def largest_shift(self) -> tuple[float, float]:
        """The largest |clean - observed error| on growing rows, over the share of corrupted rows, and that share.

        It is never above 1: the one thing that holds of every tree, whatever the adversary does.
        """
        shifts = [
            (abs(trial.growing_error - trial.observed_error) / trial.corrupted, trial.corrupted)
            for trial in self.trials
            if trial.corrupted
        ]
        return max(shifts, default=(0.0, 0.0))

    def text(self, target: float | None = None) -> str:
        """The report in words. target: of the break-even rates; None for 0.02 above the error without noise."""
        parts = [self.heading]
        for estimator in self.estimators:
            parts += [self.without_noise(estimator), aligned(self.cells(estimator), left=["adversary"])]
        parts += [aligned(self.break_evens(target), left=["break-even rate", "adversary"]), self.unconditional]
        return "\n\n".join(parts)

    def __str__(self) -> str:
        return self.text()

    @property
    def heading(self) -> str:
        """What the errors are."""
        return (
            f"Clean error on held-out rows after learning from corrupted ones: mean of {self.n_repeats} "
            f"repeat{'s' * (self.n_repeats > 1)}, with the least and the largest."
        )

    def _base(self, estimator: str) -> float:
        return float(np.mean([trial.error for trial in self.of(estimator, self.adversaries[0], 0.0)]))

    def without_noise(self, estimator: str) -> str:
        """The error of the uncorrupted fits, in words."""
        return f"{estimator}: clean error {self._base(estimator):.4g} without noise"

    def cells(self, estimator: str) -> dict[str, list[str]]:
        """The table of an estimator as columns of text: a row an adversary and rate, over the repeats."""
        cells = [(name, rate, self.of(estimator, name, rate)) for name in self.adversaries for rate in self.rates[1:]]
        errors = [[trial.error for trial in trials] for *_, trials in cells]
        return {
            "adversary": [name for name, *_ in cells],
            "rate": [f"{rate:g}" for _, rate, _ in cells],
            "error": [f"{np.mean(found):.4f}" for found in errors],
            "least": [f"{min(found):.4f}" for found in errors],
            "largest": [f"{max(found):.4f}" for found in errors],
            "leaves": [_mean_of([trial.n_leaves for trial in trials], "{:,.0f}") for *_, trials in cells],
            "root changed": [f"{np.mean([trial.root_changed for trial in trials]):.0%}" for *_, trials in cells],
            "relabelled": [_mean_of([trial.relabelled for trial in trials], "{:.1%}") for *_, trials in cells],
            "answers changed": [f"{np.mean([t.changed_answers for t in trials]):.1%}" for *_, trials in cells],
        }

    def break_evens(self, target: float | None = None) -> dict[str, list[str]]:
        """The break-even rates of all as columns of text. target: as in `text`."""
        rows = []
        for estimator in self.estimators:
            wanted = self._base(estimator) + 0.02 if target is None else target
            for adversary in self.adversaries:
                found = self.break_even(wanted, estimator, adversary)
                rates = [self._rate(value) for value in (found.rate, found.low, found.high)]
                rows.append([estimator, adversary, f"{wanted:.3g}", *rates])
        names = ("break-even rate", "adversary", "for error", "rate", "least", "largest")
        return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))

    def _rate(self, value: float) -> str:
        return f"above {self.rates[-1]:g}" if math.isinf(value) else f"{value:.3g}"

    @property
    def unconditional(self) -> str:
        """The one statement that holds always."""
        ratio, _ = self.largest_shift
        return (
            "Whatever was done to the rows, the error on them as they were and as they came differs by no more than "
            f"the share that was corrupted; here by {ratio:.2f} of it at most."
        )


def _crossing(rates: tuple[float, ...], errors: npt.NDArray[np.float64], target: float) -> float:
    above = np.flatnonzero(errors > target)
    if len(above) == 0:
        return math.inf
    k = int(above[0])
    if k == 0:
        return 0.0
    low, high = float(errors[k - 1]), float(errors[k])
    return rates[k - 1] + (rates[k] - rates[k - 1]) * (target - low) / (high - low)


def _mean(a: float, b: float) -> float:
    return math.inf if math.isinf(b) else (a + b) / 2


def _mean_of(values: list[Any], form: str) -> str:
    known = [value for value in values if value is not None]
    return form.format(float(np.mean(known))) if known else "-"
