"""A pruning chosen by cross-validation. The one part of this room that grows trees: one a fold."""

from bristlecone.subtrees.selection.choosing import RULES, Selection, choose, geometric_means
from bristlecone.subtrees.selection.growth import GROWERS, FoldFit, Growth, loss_and_rows
from bristlecone.subtrees.selection.judging import CrossValidation, cross_validate
from bristlecone.subtrees.selection.out_of_fold import OutOfFold
from bristlecone.subtrees.selection.selecting import Choice, kept_folds, select

__all__ = [
    "GROWERS",
    "RULES",
    "Choice",
    "CrossValidation",
    "FoldFit",
    "Growth",
    "OutOfFold",
    "Selection",
    "choose",
    "cross_validate",
    "geometric_means",
    "kept_folds",
    "loss_and_rows",
    "select",
]
