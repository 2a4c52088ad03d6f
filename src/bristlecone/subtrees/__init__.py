"""Prunings of a tree: the cheapest, all of them at once, and how many there are. Floor 3 of the house."""

from bristlecone.subtrees.cheapest import cheapest_pruning, cheapest_prunings
from bristlecone.subtrees.count import count
from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.fold import Cheapest, Weighing, count_prunings, fold, log_sums
from bristlecone.subtrees.path import Path, weakest_link_path
from bristlecone.subtrees.penalties import CostComplexity, Costs, Leaves, Penalty, Pessimistic, ScottNowak
from bristlecone.subtrees.reduced_error import ReducedError
from bristlecone.subtrees.simplify import simplify

__all__ = [
    "Cheapest",
    "CostComplexity",
    "Costs",
    "Leaves",
    "Path",
    "Penalty",
    "Pessimistic",
    "ReducedError",
    "ScottNowak",
    "Weighing",
    "cheapest_pruning",
    "cheapest_prunings",
    "count",
    "count_prunings",
    "cut",
    "fold",
    "log_sums",
    "simplify",
    "weakest_link_path",
]
