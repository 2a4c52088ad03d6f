"""A pruning or the strengths of a vote, by cross-validation: the one part of this room that grows trees, one a fold."""

from bristlecone.subtrees.selection.choosing import RULES, Selection, choose, geometric_means
from bristlecone.subtrees.selection.growth import GROWERS, FoldFit, Grower, Growth, loss_and_rows
from bristlecone.subtrees.selection.judging import CrossValidation, cross_validate
from bristlecone.subtrees.selection.out_of_fold import OutOfFold
from bristlecone.subtrees.selection.recount import recount
from bristlecone.subtrees.selection.search import AXES, CODE, PAPER, Axis, Protocol, Searched, search
from bristlecone.subtrees.selection.selecting import Choice, kept_folds, select
from bristlecone.subtrees.selection.votes import (
    helmbold_schapire_labels,
    pac_bayes_labels,
    select_strengths,
    vote_tree,
)

__all__ = [
    "AXES",
    "CODE",
    "GROWERS",
    "PAPER",
    "RULES",
    "Axis",
    "Choice",
    "CrossValidation",
    "FoldFit",
    "Grower",
    "Growth",
    "OutOfFold",
    "Protocol",
    "Searched",
    "Selection",
    "choose",
    "cross_validate",
    "geometric_means",
    "helmbold_schapire_labels",
    "kept_folds",
    "loss_and_rows",
    "pac_bayes_labels",
    "recount",
    "search",
    "select",
    "select_strengths",
    "vote_tree",
]
