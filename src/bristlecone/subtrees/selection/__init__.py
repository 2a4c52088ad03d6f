"""A pruning chosen by cross-validation. The one part of this room that grows trees: one a fold."""

from bristlecone.subtrees.selection.choosing import Selection, choose, geometric_means, path_at, select_on_path
from bristlecone.subtrees.selection.growth import FoldFit, Growth, loss_and_rows
from bristlecone.subtrees.selection.judging import CrossValidation, cross_validate

__all__ = [
    "CrossValidation",
    "FoldFit",
    "Growth",
    "Selection",
    "choose",
    "cross_validate",
    "geometric_means",
    "loss_and_rows",
    "path_at",
    "select_on_path",
]
