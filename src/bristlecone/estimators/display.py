"""PruningPathDisplay: what each pruning costs, against its leaves, in scikit-learn's Display style."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bristlecone.estimators.pruned import PrunedTree
from bristlecone.subtrees.selection import choose
from bristlecone.subtrees.summary import PruningTable

__all__ = ["PruningPathDisplay"]


class PruningPathDisplay:
    """Risk against leaves: of held-out rows with error bars of one standard error, and of the growing rows.

    path: the `path_` of a pruned estimator. Marked are the least risk of held-out rows, the smallest tree within one
    standard error of it, and the pruning that was chosen where it is neither. `plot` sets `ax_`, `figure_`, `lines_`
    (by what they show) and `errorbar_` (None where nothing was held out).
    """

    ax_: Any
    figure_: Any
    lines_: dict[str, Any]
    errorbar_: Any

    def __init__(self, *, path: PruningTable) -> None:
        self.path = path

    @classmethod
    def from_estimator(cls, estimator: PrunedTree, *, ax: Any = None, **options: Any) -> Self:
        """Draw the path of a fitted PrunedTreeClassifier or PrunedTreeRegressor.

        options: of `plot`. Errors: TypeError for another estimator, NotFittedError, ImportError without matplotlib.
        """
        if not isinstance(estimator, PrunedTree):
            kind = type(estimator).__name__
            raise TypeError(f"a {kind} has no pruning path: give a PrunedTreeClassifier or a PrunedTreeRegressor")
        check_is_fitted(estimator, "path_")
        return cls(path=estimator.path_).plot(ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        growing: bool = True,
        errorbar_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw on the given axes, or on new ones.

        name: what the curve of held-out rows is called; growing: whether the risk of the growing rows is drawn as well;
        errorbar_kw: for matplotlib's `errorbar`. Leaves stand on a logarithmic axis. Errors: ImportError without
        matplotlib.
        """
        self.ax_ = _new_axes() if ax is None else ax
        self.figure_ = self.ax_.figure
        self.lines_, self.errorbar_ = {}, None
        path = self.path
        if np.isfinite(path.cv_risk).any():
            label = name or f"held out, {path.n_folds} folds"
            options = {"label": label, "marker": ".", "capsize": 2, "elinewidth": 0.8, **(errorbar_kw or {})}
            self.errorbar_ = self.ax_.errorbar(path.leaves, path.cv_risk, yerr=path.se, **options)
            self._mark_choices()
        if growing:
            risk = path.risks[path.judged_by]
            (self.lines_["growing"],) = self.ax_.plot(path.leaves, risk, "--", color="0.5", label=path.rows)
        self.ax_.set(xscale="log", xlabel="leaves", ylabel=path.judged_by)
        self.ax_.legend()
        return self

    def _mark_choices(self) -> None:
        path = self.path
        least, one_se = choose(path.cv_risk, path.se, path.leaves, "one_se")
        limit = path.cv_risk[least] + path.se[least]
        self.lines_["limit"] = self.ax_.axhline(limit, color="0.6", linewidth=0.8, linestyle=":")
        marks = {"least": (least, "v"), "one standard error": (one_se, "o")}
        if path.chosen not in (least, one_se):
            marks["chosen"] = (path.chosen, "s")
        for words, (place, marker) in marks.items():
            at = f"{words}: {path.leaves[place]:,} leaves"
            shape = {"marker": marker, "markersize": 9, "markerfacecolor": "none", "markeredgewidth": 1.5}
            (self.lines_[words],) = self.ax_.plot(
                path.leaves[place], path.cv_risk[place], linestyle="none", label=at, zorder=5, **shape
            )


def _new_axes() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("PruningPathDisplay needs matplotlib: pip install 'bristlecone[report]'") from error
    return pyplot.subplots()[1]
