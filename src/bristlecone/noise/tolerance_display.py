"""ToleranceDisplay: clean error against the share of corrupted rows, in scikit-learn's Display style."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from bristlecone.noise.tolerance import tolerance_report
from bristlecone.noise.tolerance_table import ToleranceReport
from bristlecone.tree.axes import new_axes

__all__ = ["ToleranceDisplay"]


class ToleranceDisplay:
    """One picture an adversary: the mean clean error of each estimator by rate, in a band from least to largest.

    report: what `tolerance_report` gave. `plot` sets `axes_` (one an adversary), `figure_` and `lines_`, by adversary
    and estimator.
    """

    axes_: list[Any]
    figure_: Any
    lines_: dict[tuple[str, str], Any]

    def __init__(self, *, report: ToleranceReport) -> None:
        self.report = report

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, axes: Any = None, **options: Any) -> Self:
        """Measure and draw. options: of `tolerance_report`. Errors: its own, and ImportError without matplotlib."""
        return cls(report=tolerance_report(estimator, X, y, **options)).plot(axes)

    def plot(self, axes: Any = None, *, line_kw: Mapping[str, Any] | None = None) -> Self:
        """Draw on the given axes, one an adversary, or on new ones.

        line_kw: for matplotlib's `plot`. Errors: ValueError for too few axes, ImportError without matplotlib.
        """
        report = self.report
        self.axes_ = new_axes(len(report.adversaries), type(self).__name__) if axes is None else list(np.ravel(axes))
        if len(self.axes_) < len(report.adversaries):
            raise ValueError(f"{len(self.axes_)} axes for {len(report.adversaries)} adversaries")
        self.figure_, self.lines_ = self.axes_[0].figure, {}
        for ax, adversary in zip(self.axes_, report.adversaries, strict=False):
            for estimator in report.estimators:
                errors = report.errors(estimator, adversary)
                options = {"marker": ".", "label": estimator, **(line_kw or {})}
                (line,) = ax.plot(report.rates, errors.mean(axis=1), **options)
                ax.fill_between(
                    report.rates, errors.min(axis=1), errors.max(axis=1), color=line.get_color(), alpha=0.15
                )
                self.lines_[adversary, estimator] = line
            ax.set(title=adversary.replace("_", " "), xlabel="share of corrupted rows", ylabel="clean error")
        top = 1.05 * max((trial.error for trial in report.trials), default=0.0) or 1.0
        for ax in self.axes_[: len(report.adversaries)]:
            ax.set_ylim(0.0, top)  # one scale, so that adversaries can be compared
        self.axes_[0].legend()
        return self
