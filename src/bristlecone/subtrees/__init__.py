"""Prunings of a tree: the cheapest, all of them by weight, and how many there are. Floor 3 of the house."""

from bristlecone.subtrees.cheapest import cheapest_pruning, cheapest_prunings
from bristlecone.subtrees.count import count
from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.fold import Cheapest, Weighing, count_prunings, fold, log_sums
from bristlecone.subtrees.helmbold_schapire import helmbold_schapire_posterior, helmbold_schapire_weights
from bristlecone.subtrees.pac_bayes import (
    pac_bayes_posterior,
    pac_bayes_weights,
    theoretical_posterior,
    theoretical_weights,
)
from bristlecone.subtrees.path import Path, weakest_link_path
from bristlecone.subtrees.penalties import CostComplexity, Costs, Leaves, Penalty, Pessimistic, ScottNowak
from bristlecone.subtrees.posterior import Posterior, Potentials
from bristlecone.subtrees.reduced_error import ReducedError
from bristlecone.subtrees.simplify import simplify
from bristlecone.subtrees.voters import Voter, voters

__all__ = [
    "Cheapest",
    "CostComplexity",
    "Costs",
    "Leaves",
    "Path",
    "Penalty",
    "Pessimistic",
    "Posterior",
    "Potentials",
    "ReducedError",
    "ScottNowak",
    "Voter",
    "Weighing",
    "cheapest_pruning",
    "cheapest_prunings",
    "count",
    "count_prunings",
    "cut",
    "fold",
    "helmbold_schapire_posterior",
    "helmbold_schapire_weights",
    "log_sums",
    "pac_bayes_posterior",
    "pac_bayes_weights",
    "simplify",
    "theoretical_posterior",
    "theoretical_weights",
    "voters",
    "weakest_link_path",
]
