"""Trees of functions that can be asked: influences, the greedy tree, the smallest tree. Floor 4 of the house."""

from bristlecone.query import targets
from bristlecone.query.bounds import SizeBounds, size_bounds
from bristlecone.query.depth import DeltaStar, average_depth, delta_star
from bristlecone.query.distilling import Candidate, Distilled, Fidelity, distill
from bristlecone.query.distributions import Coordinate, ProductDistribution
from bristlecone.query.greedy import Built, Step, build_top_down
from bristlecone.query.influence import (
    Monotonicity,
    convert,
    influence,
    monotonicity,
    osss_ratio,
    total_influence,
    variance,
)
from bristlecone.query.optimal import Optimal, optimal_tree
from bristlecone.query.oracle import BudgetSpentError, Oracle
from bristlecone.query.planning import Plan, PlannedSplit, plan
from bristlecone.query.progress import Progress, show_progress
from bristlecone.query.sampled import Learned, SampledStep, learn_tree

__all__ = [
    "BudgetSpentError",
    "Built",
    "Candidate",
    "Coordinate",
    "DeltaStar",
    "Distilled",
    "Fidelity",
    "Learned",
    "Monotonicity",
    "Optimal",
    "Oracle",
    "Plan",
    "PlannedSplit",
    "ProductDistribution",
    "Progress",
    "SampledStep",
    "SizeBounds",
    "Step",
    "average_depth",
    "build_top_down",
    "convert",
    "delta_star",
    "distill",
    "influence",
    "learn_tree",
    "monotonicity",
    "optimal_tree",
    "osss_ratio",
    "plan",
    "show_progress",
    "size_bounds",
    "targets",
    "total_influence",
    "variance",
]
