"""TreeDisplay: a tree drawn with matplotlib, in scikit-learn's Display style.

place       of a node: its depth across, and down the middle of the leaves below it.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from bristlecone.report.leaves import Answers
from bristlecone.report.subject import subject_of
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats
from bristlecone.tree.names import wrapped
from bristlecone.tree.text import digits_apart, label_of

__all__ = ["TreeDisplay"]

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442", "#8c6bb1")
OTHER = "#9aa3ad"
LETTERS = 26  # of a line in a box


class TreeDisplay:
    """A tree from left to right: conditions in words, answers, rows; the colour of a box is that of its answer.

    Thresholds are rounded as far as those of a column can still be told apart: it is a picture. `print(tree)` has all
    digits.
    tree: a Tree. `plot` sets `ax_`, `figure_`, `texts_` and `lines_`, both by node: the boxes, and the lines to them.
    """

    ax_: Any
    figure_: Any
    texts_: dict[int, Any]
    lines_: dict[int, Any]
    _digits: list[int]

    def __init__(self, *, tree: Tree) -> None:
        self.tree = tree

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw the tree of a fitted estimator of bristlecone or a fitted decision tree of scikit-learn, or a Tree.

        options: of `plot`. Errors: TypeError for another model, NotFittedError, ImportError without matplotlib.
        """
        return cls(tree=subject_of(estimator).tree).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, max_depth: int | None = 4) -> Self:
        """Draw on the given axes, or on new ones of a fitting size.

        max_depth: branches below are folded, with a count of their leaves; None folds none. Errors: ValueError for a
        depth that is no whole number of at least 0, ImportError without matplotlib.
        """
        whole = isinstance(max_depth, int | np.integer) and not isinstance(max_depth, bool)
        if max_depth is not None and (not whole or max_depth < 0):
            raise ValueError(f"max_depth must be None or a whole number of at least 0, got {max_depth!r}")
        tree = self.tree
        shown = np.flatnonzero(tree.depth <= (tree.max_depth if max_depth is None else max_depth))
        ends = (tree.children_left[shown] < 0) | (tree.depth[shown] == max_depth)
        down, self._digits = _places(tree, shown, ends), digits_apart(tree)
        self.ax_ = _new_axes(int(tree.depth[shown].max()) + 1, int(ends.sum())) if ax is None else ax
        self.figure_, self.texts_, self.lines_ = self.ax_.figure, {}, {}
        answers = Answers(tree)
        for node, is_end in zip(shown.tolist(), ends.tolist(), strict=True):
            self._box(node, is_end, down, answers)
        self.ax_.set_xlim(-0.5, int(tree.depth[shown].max()) + 0.5)
        self.ax_.set_ylim(int(ends.sum()) - 0.4, -0.6)
        self.ax_.set_axis_off()
        return self

    def _box(self, node: int, is_end: bool, down: Floats, answers: Answers) -> None:
        tree, x, y = self.tree, float(self.tree.depth[node]), float(down[node])
        if node:
            above = int(tree.parent[node])
            share = float(tree.weighted_n_node_samples[node]) / (float(tree.weighted_n_node_samples[0]) or 1.0)
            (self.lines_[node],) = self.ax_.plot(
                [x - 1, x], [down[above], y], color="0.75", linewidth=0.8 + 8 * share, zorder=1, solid_capstyle="round"
            )
        digits = self._digits[tree.feature[tree.parent[node]]] if node else None
        said = wrapped(label_of(tree, node, digits=digits), "", "", LETTERS)
        said.append(f"{answers.with_share(node)}, {tree.n_node_samples[node]:,} rows")
        if is_end and tree.children_left[node] >= 0:
            said.append(f"… {(int(tree.subtree_end[node]) - node + 1) // 2:,} leaves below")
        colour = OTHER if tree.classes is None else _colour(int(tree.label[node]))
        box = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour}
        box["linewidth"] = 2.0 if tree.children_left[node] < 0 else 1.0  # type: ignore[assignment]
        # A dollar sign in a name is no formula.
        self.texts_[node] = self.ax_.text(
            x, y, "\n".join(said), ha="center", va="center", fontsize=8, bbox=box, zorder=2, parse_math=False
        )


def _places(tree: Tree, shown: Any, ends: Any) -> Floats:
    """How far down each drawn node stands, (n_nodes,): ends one after the other, the others between their children."""
    down = np.full(tree.n_nodes, np.nan)
    down[shown[ends]] = np.arange(int(ends.sum()))
    for node in shown[~ends][::-1].tolist():  # pre-order: children come later
        down[node] = (down[tree.children_left[node]] + down[tree.children_right[node]]) / 2
    return down


def _colour(code: int) -> str:
    return COLOURS[code] if code < len(COLOURS) else OTHER


def _new_axes(across: int, down: int) -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("TreeDisplay needs matplotlib: pip install 'bristlecone[report]'") from error
    return pyplot.subplots(figsize=(min(2.4 * across, 60), min(max(0.75 * down, 2), 120)))[1]
