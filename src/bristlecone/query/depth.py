"""How deep a tree is on average, and at worst on average in a subcube. SPEC C1, C3.

average depth   of a tree: the sum over its inner nodes of the chance to reach them.
Delta*          the largest average depth of the tree restricted to any subcube. Theorem 1.1 is proved with it in the
                exponents, not with the average depth as printed (SPEC C3).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bristlecone.query.distributions import ProductDistribution
from bristlecone.query.functions import TreeFunction, boolean, known
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["DeltaStar", "average_depth", "delta_star", "resolved"]

MOST_ENUMERATED = 12  # variables whose 3^n subcubes are all looked at


class DeltaStar(NamedTuple):
    """The largest average depth over all subcubes; exact, or an upper bound of it."""

    value: float
    exact: bool


def resolved(tree: Tree, dist: ProductDistribution) -> TreeFunction:
    """A tree over the variables of dist without what is decided on the way. Raises as `influence` does."""
    if not isinstance(tree, Tree):
        raise TypeError(f"tree must be a Tree, got {type(tree).__name__}")
    function = known(tree, dist).function
    assert isinstance(function, TreeFunction)
    return function


def average_depth(tree: Tree, dist: ProductDistribution) -> float:
    """The expected number of variables that the tree reads, those already known or without effect left out."""
    left, right, variable, _ = resolved(tree, dist).arrays
    reach = np.zeros(len(left))
    reach[0] = 1.0
    for v in np.flatnonzero(left >= 0).tolist():
        chance = dist.p[variable[v]]
        reach[left[v]], reach[right[v]] = reach[v] * (1.0 - chance), reach[v] * chance
    return float(reach[left >= 0].sum())


def delta_star(tree: Tree, dist: ProductDistribution) -> DeltaStar:
    """Delta* of a tree: its largest average depth in any subcube.

    Exact where no variable is read at two nodes, and where at most 12 variables are read at all;
    otherwise an upper bound of at most the depth, in which branches may be restricted apart. Source: SPEC C3.
    """
    left, right, variable, _ = resolved(tree, dist).arrays
    inner = np.flatnonzero(left >= 0)
    n_read = len(np.unique(variable[inner]))
    if n_read <= MOST_ENUMERATED:
        return DeltaStar(_over_subcubes(left, right, variable, boolean(dist)), True)
    value = np.zeros(len(left))
    for v in inner[::-1].tolist():
        i, low, high = int(variable[v]), int(left[v]), int(right[v])
        free = 1.0 + (1.0 - dist.p[i]) * value[low] + dist.p[i] * value[high]
        value[v] = max(free, value[low], value[high])
    return DeltaStar(float(value[0]), n_read == len(inner))


def _over_subcubes(
    left: npt.NDArray[np.int32], right: npt.NDArray[np.int32], variable: npt.NDArray[np.int32], p: Floats
) -> float:
    """The maximum over a table with one axis a variable: 0, 1 or free. Axes that a subtree does not read have length
    1.
    """
    read = np.unique(variable[left >= 0]).tolist()
    depth: dict[int, Floats] = {}
    for v in range(len(left) - 1, -1, -1):
        if left[v] < 0:
            depth[v] = np.zeros((1,) * len(read))
            continue
        low, high, i = depth.pop(int(left[v])), depth.pop(int(right[v])), int(variable[v])
        low, high = np.broadcast_arrays(low, high)
        free = 1.0 + (1.0 - p[i]) * low + p[i] * high
        depth[v] = np.concatenate([low, high, free], axis=read.index(i))
    return float(depth[0].max())
