"""The smallest tree, by dynamic programming over the 3^n subcubes: what greed is held against. SPEC C3, C6."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bristlecone import _core
from bristlecone.query.bare import BareTree, to_tree
from bristlecone.query.checks import check_epsilon
from bristlecone.query.depth import average_depth
from bristlecone.query.distributions import ProductDistribution
from bristlecone.query.functions import Function, TableFunction, TreeFunction, all_points, known
from bristlecone.tree import Tree

__all__ = ["Optimal", "optimal_tree", "tree_of"]

MOST_VARIABLES = 12


@dataclass(frozen=True, eq=False)
class Optimal:
    """A smallest tree: its leaves (s), depth (D_opt), average depth (Delta_opt), and its error."""

    tree: Tree
    average_depth: float
    error: float

    @property
    def size(self) -> int:
        """The number of leaves."""
        return self.tree.n_leaves

    @property
    def depth(self) -> int:
        """The number of splits on the longest path."""
        return self.tree.max_depth


def optimal_tree(f: Any, dist: ProductDistribution, epsilon: float = 0.0) -> Optimal:
    """The tree of fewest leaves whose error is at most epsilon, and of those one of least error; n <= 12.

    f: as in `build_top_down`. Trees of equal size and error: the root of the lowest variable, then the smaller left
    subtree. Seconds and 130 MB at worst (n = 12). Raises ValueError beyond 12 variables. Source: dynamic programming
    over subcubes (the paper's section 2); SPEC C3.
    """
    check_epsilon(epsilon)
    if dist.n > MOST_VARIABLES:
        raise ValueError(f"optimal_tree looks at all 3^n subcubes: at most {MOST_VARIABLES} variables, got {dist.n}")
    target = known(f, dist)
    function = _tabled(target.function, dist)
    arrays = _core.optimal_tree(function.table, np.ascontiguousarray(dist.p), float(epsilon))
    tree, error = tree_of(arrays, function, target.classes, dist)
    return Optimal(tree, average_depth(tree, dist), error)


def tree_of(arrays: Any, function: Function, classes: Any, dist: ProductDistribution) -> tuple[Tree, float]:
    """The completion of a tree over Boolean variables, given by its arrays in pre-order, and its error."""
    left, right, variable, _ = (array.tolist() for array in arrays)
    bare = BareTree(dist.n)
    weights, error, waiting = [np.zeros(2)], 0.0, [(0, 0, 1.0, function)]
    while waiting:
        old, new, reach, here = waiting.pop()
        if left[old] < 0:
            weights[new] = reach * np.array([here.zeros, here.ones])
            error += float(weights[new].min())
            continue
        children = bare.split(new, variable[old])
        weights += [np.zeros(2), np.zeros(2)]
        p = float(dist.p[variable[old]])
        parts = zip((left[old], right[old]), children, (1.0 - p, p), here.restricted(variable[old]), strict=True)
        waiting += [(o, c, reach * chance, part) for o, c, chance, part in parts]
    return to_tree(bare, classes, np.array(weights)[:, : len(classes)]), error


def _tabled(function: TableFunction | TreeFunction, dist: ProductDistribution) -> TableFunction:
    if isinstance(function, TableFunction):
        return function
    left, right, variable, answer = function.arrays
    node = _core.leaves_reached(left, right, variable, all_points(dist.n, 0, 1 << dist.n))
    return TableFunction(answer[node], function.p, np.arange(dist.n))
