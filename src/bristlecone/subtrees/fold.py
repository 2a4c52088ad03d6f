"""All prunings of a tree at once: one pass up and one down over the nodes. SPEC A2.

pruning     the tree with some inner nodes turned into leaves.
potential   a number for each node: `leaf` counts where a pruning ends at the node, `inner` where it goes on. The sum of
            a pruning is taken over its leaves and its inner nodes.
strengths   columns of potentials: a grid costs little more than one of them.
absent      a node of a partition tree may have one child (the other is -1): the absent one adds nothing, as SPEC A1's
            dummy child. A leaf that holds no rows and has the potential 0 does the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Floats, read_only

__all__ = ["Cheapest", "Weighing", "count_prunings", "fold", "log_sums"]

Children = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
Semiring = Literal["min", "logaddexp"]

OUTSIDE, INNER, LEAF = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Cheapest:
    """The pruning of least sum, one for each strength. Ties collapse: the smallest of those within a relative 1e-12.

    total: its sum, a number or (n_strengths,). place: where each node is, 0 outside the pruning, 1 an inner node of it,
    2 a leaf of it, (n_nodes,) or (n_nodes, n_strengths).
    """

    total: Any
    place: npt.NDArray[np.uint8]

    @property
    def leaf(self) -> npt.NDArray[np.bool_]:
        """Whether each node is a leaf of the pruning, as `place`."""
        mask: npt.NDArray[np.bool_] = self.place == LEAF
        return mask

    @property
    def inner(self) -> npt.NDArray[np.bool_]:
        """Whether each node is an inner node of the pruning, as `place`."""
        mask: npt.NDArray[np.bool_] = self.place == INNER
        return mask


@dataclass(frozen=True, eq=False)
class Weighing:
    """Prunings with chances in proportion to e^sum, as logarithms. SPEC A2, Theorem 2 of the PAC-Bayes tree paper.

    total: ln of the sum of e^sum over all prunings, a number or (n_strengths,). node: ln of the chance that a pruning
    has the node. leaf: ln of the chance that it has it as a leaf. Both are (n_nodes,) or (n_nodes, n_strengths); along
    any path from the root to a leaf of the tree the chances e^leaf sum to one.
    """

    total: Any
    node: Floats
    leaf: Floats


@overload
def fold(
    tree: Tree | Children, leaf: npt.ArrayLike, inner: npt.ArrayLike | None = None, *, semiring: Literal["min"]
) -> Cheapest: ...
@overload
def fold(
    tree: Tree | Children, leaf: npt.ArrayLike, inner: npt.ArrayLike | None = None, *, semiring: Literal["logaddexp"]
) -> Weighing: ...
def fold(
    tree: Tree | Children, leaf: npt.ArrayLike, inner: npt.ArrayLike | None = None, *, semiring: Semiring
) -> Cheapest | Weighing:
    """Fold node potentials over all prunings: the least sum ("min"), or all of them by weight ("logaddexp"). SPEC A2.

    tree: a Tree, or (children_left, children_right), parents before children, -1 for an absent child. leaf: (n_nodes,)
    or (n_nodes, n_strengths); inner: None (0), a number, or an array as leaf's, with or without strengths. Potentials
    are finite; nothing of moderate size overflows, however deep the tree. Linear in nodes times strengths.
    Raises ValueError naming the node for anything else. How many prunings there are, `count_prunings` says.
    """
    if semiring not in ("min", "logaddexp"):
        raise ValueError(f"semiring must be 'min' or 'logaddexp', got {semiring!r}")
    children = _children(tree)
    ends = _potentials(leaf, "leaf", len(children[0]))
    grid = ends.reshape(len(ends), -1)
    asked = (*children, grid, _inner_potentials(inner, grid))
    if semiring == "min":
        branch, place = np.empty(grid.shape), np.empty(grid.shape, np.uint8)
        _core.fold_cheapest(*asked, branch, place)
        return Cheapest(_checked_total(branch[0], ends), read_only(place.reshape(ends.shape)))
    total, node, end = np.empty((1, grid.shape[1])), np.empty(grid.shape), np.empty(grid.shape)
    _core.fold_weights(*asked, total, node, end)
    node, end = (read_only(array.reshape(ends.shape)) for array in (node, end))
    return Weighing(_checked_total(total[0], ends), node, end)


def log_sums(tree: Tree | Children, leaf: npt.ArrayLike, inner: npt.ArrayLike | None = None) -> Floats:
    """ln of the sum of e^sum over the prunings of the branch at each node, as `leaf`: ln beta of SPEC A2.

    Arguments and errors as in `fold`, whose total it is at the root.
    """
    children = _children(tree)
    ends = _potentials(leaf, "leaf", len(children[0]))
    grid = ends.reshape(len(ends), -1)
    branch = np.empty(grid.shape)
    _core.fold_log_sums(*children, grid, _inner_potentials(inner, grid), branch)
    _checked_total(branch[0], ends)
    return read_only(branch.reshape(ends.shape))


def _children(tree: Tree | Children) -> Children:
    if isinstance(tree, Tree):
        return tree.children_left, tree.children_right
    try:
        left, right = (np.asarray(side) for side in tree)
    except (TypeError, ValueError):
        raise TypeError(f"expected a Tree or (children_left, children_right), got {type(tree).__name__}") from None
    for name, side in (("children_left", left), ("children_right", right)):
        if side.ndim != 1 or side.dtype.kind not in "iu":
            raise TypeError(f"{name} must hold node indices, got {side.dtype} of {side.ndim} dimensions")
    limits = np.iinfo(np.int32)
    return tuple(np.ascontiguousarray(side.clip(limits.min, limits.max), np.int32) for side in (left, right))  # type: ignore[return-value]


def _potentials(given: npt.ArrayLike, name: str, n_nodes: int) -> Floats:
    try:
        array = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must hold a number for each node, got {given!r}") from None
    if array.ndim not in (1, 2) or array.shape[0] != n_nodes or array.size == 0:
        raise ValueError(f"{name} must be ({n_nodes},) or ({n_nodes}, n_strengths), got {array.shape}")
    finite = np.isfinite(array)
    if not finite.all():
        node = int(np.argmin(finite.reshape(n_nodes, -1).all(axis=1)))
        raise ValueError(f"{name}: node {node} has the potential {array[node]}; potentials are finite")
    return array


def _inner_potentials(given: npt.ArrayLike | None, leaf: Floats) -> Floats | None:
    if given is None:
        return None
    n_nodes, n_strengths = leaf.shape
    array = np.asarray(given)
    inner = _potentials(np.full(n_nodes, given) if array.ndim == 0 else array, "inner", n_nodes)
    grid = inner.reshape(n_nodes, -1)
    if grid.shape[1] not in (1, n_strengths):
        raise ValueError(f"inner has {grid.shape[1]} strengths, leaf {n_strengths}")
    return grid


def _checked_total(total: Floats, leaf: Array) -> Any:
    if not np.isfinite(total).all():
        raise ValueError("the potentials are too large: their sums leave the range of floats")
    return float(total[0]) if leaf.ndim == 1 else read_only(total.copy())


def count_prunings(tree: Tree | Children) -> int:
    """How many prunings a tree has, exactly: 1 + the product over the children at every inner node. SPEC A2.

    tree: a Tree, or (children_left, children_right) as `fold` takes them.
    """
    left, right = _children(tree)
    fold((left, right), np.zeros(len(left)), semiring="min")  # refuses what is no tree
    of_branch = [1] * len(left)
    for v in np.flatnonzero((left >= 0) | (right >= 0))[::-1].tolist():
        product = 1
        for child in (left[v], right[v]):
            if child >= 0:
                product *= of_branch[child]
                of_branch[child] = 0  # a long number that nobody asks for again
        of_branch[v] = 1 + product
    return of_branch[0]
