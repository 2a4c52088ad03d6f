"""AdvantageDisplay: the advantage of every node against its rows, in scikit-learn's Display style."""

from __future__ import annotations

from typing import Any, Self

from bristlecone.noise.weak_learning import WeakLearningReport, weak_learning_report
from bristlecone.tree.axes import new_axes

__all__ = ["AdvantageDisplay"]


class AdvantageDisplay:
    """A point a node: the advantage of the best question and of the one the tree asks, against the rows of the node.

    report: what `weak_learning_report` gave. A line marks the least advantage. `plot` sets `ax_`, `figure_` and
    `lines_`, by what they show.
    """

    ax_: Any
    figure_: Any
    lines_: dict[str, Any]

    def __init__(self, *, report: WeakLearningReport) -> None:
        self.report = report

    @classmethod
    def from_estimator(cls, model: Any, X: Any, y: Any, *, ax: Any = None, **options: Any) -> Self:
        """Measure and draw. options: of `weak_learning_report`. Errors: its own, and ImportError without matplotlib."""
        return cls(report=weak_learning_report(model, X, y, **options)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones. Errors: ImportError without matplotlib."""
        self.ax_ = new_axes(1, type(self).__name__)[0] if ax is None else ax
        self.figure_, self.lines_ = self.ax_.figure, {}
        rows = [node.n_rows for node in self.report.nodes]
        for name, marker, values in (
            ("best question", "o", [node.best_gamma for node in self.report.nodes]),
            ("the tree's", "x", [node.gamma for node in self.report.nodes]),
        ):
            (self.lines_[name],) = self.ax_.plot(rows, values, marker, label=name, markersize=4, markerfacecolor="none")
        if rows:
            self.lines_["least"] = self.ax_.axhline(self.report.gamma_min, color="0.6", linestyle=":", label="least")
        self.ax_.set(xscale="log", xlabel="rows of the node", ylabel="advantage", title="weak learning")
        self.ax_.legend()
        return self
