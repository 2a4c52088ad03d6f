"""A tree as text that people read: the drawing that `print(tree)` gives, whole: no branch and no level is left out."""

from typing import Any

from bristlecone.export.answers import tree_of
from bristlecone.tree import draw

__all__ = ["text"]


def text(model: Any, *, max_depth: int | None = None, width: int = 100, details: bool = False) -> str:
    """The tree drawn as text, one line a node; thresholds are exact, all levels named, shares rounded.

    model: a Tree or a fitted estimator. max_depth: what is deeper is folded (None: nothing). width: columns to fill.
    details: also impurity, gain, class counts and runner-up splits. Errors: ValueError for a negative depth or a width
    under 40.
    """
    return draw(tree_of(model), max_depth=max_depth, width=width, details=details, levels=None) + "\n"
