"""A pruning as a tree of its own: some nodes become leaves, what was below them is gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bristlecone.tree import Tree
from bristlecone.tree.arrays import FIELDS, NODES, Array, Ints, frozen

__all__ = ["below", "cut", "places_in"]

Mask = npt.NDArray[np.bool_]


def cut(tree: Tree, leaves: npt.ArrayLike) -> Tree:
    """The tree with the given nodes turned into leaves.

    leaves: node indices, or a mask (n_nodes,); leaves, and nodes below another given node, change nothing. A new leaf
    keeps its node's label or value, rows, weight and impurity, and has the class counts of the leaves that were below
    it; the other nodes keep all they have. Linear in nodes and counts.
    Raises TypeError or ValueError for what does not name nodes of the tree.
    """
    given = _as_mask(tree, leaves) & (tree.children_left >= 0)
    if not given.any():
        return tree
    keep = ~below(tree, given)
    closed = keep & given
    leaf = keep & (given | (tree.children_left < 0))
    held = _kept_nodes(tree, keep, closed) | _kept_levels(tree, keep, keep & ~leaf) | _summed_counts(tree, keep, leaf)
    runners = tuple(() if closed[v] else tree.runners[v] for v in np.flatnonzero(keep)) if tree.runners else ()
    return Tree.grown(
        tree.schema,
        tree.task,
        tree.classes,
        {name: frozen(held[name].astype(FIELDS[name][0], copy=False)) for name in FIELDS},
        criterion=tree.criterion,
        unseen=tree.unseen,
        missing=tree.missing,
        runners=runners,
    )


def _as_mask(tree: Tree, leaves: npt.ArrayLike) -> Mask:
    nodes = np.asarray(leaves)
    if nodes.ndim != 1:
        raise ValueError(f"leaves must have one dimension, got {nodes.ndim}")
    if nodes.dtype == np.bool_:
        if len(nodes) != tree.n_nodes:
            raise ValueError(f"leaves is a mask of length {len(nodes)}, expected {tree.n_nodes}")
        return nodes
    mask = np.zeros(tree.n_nodes, dtype=np.bool_)
    if nodes.size == 0:
        return mask
    if nodes.dtype.kind not in "iu":
        raise TypeError(f"leaves must hold node indices or be a mask, got {nodes.dtype}")
    outside = (nodes < 0) | (nodes >= tree.n_nodes)
    if outside.any():
        raise ValueError(f"leaves holds {nodes[outside][0]}, which is not one of the {tree.n_nodes} nodes")
    mask[nodes] = True
    return mask


def places_in(whole: Tree, pruned: Tree) -> Ints:
    """Which node of the whole tree each node of a pruning of it is, (n_nodes of the pruning,)."""
    place = np.zeros(pruned.n_nodes, dtype=np.int64)
    for node in np.flatnonzero(pruned.children_left >= 0).tolist():  # pre-order: parents come first
        place[pruned.children_left[node]] = whole.children_left[place[node]]
        place[pruned.children_right[node]] = whole.children_right[place[node]]
    return place


def below(tree: Tree, given: Mask) -> Mask:
    """The nodes that have a given one above them."""
    top = np.flatnonzero(given)
    change = np.bincount(top + 1, minlength=tree.n_nodes + 1) - np.bincount(
        tree.subtree_end[top], minlength=tree.n_nodes + 1
    )
    below: Mask = np.cumsum(change[:-1]) > 0
    return below


def _kept_nodes(tree: Tree, keep: Mask, closed: Mask) -> dict[str, Array]:
    """The arrays by node; -1 as a child and what marks a leaf where a node is closed."""
    at_leaves: Mapping[str, Any] = {
        "children_left": -1,
        "children_right": -1,
        "feature": -2,
        "threshold": -2.0,
        "missing_go_to_left": 0,
        "heuristic": 0,
    }
    held: dict[str, Array] = {}
    for name, (_, length) in FIELDS.items():
        if length == NODES:
            array = getattr(tree, name)
            held[name] = np.where(closed, at_leaves[name], array)[keep] if name in at_leaves else array[keep]
    place = np.cumsum(keep) - 1
    for name in ("children_left", "children_right"):
        child = held[name]
        held[name] = np.where(child < 0, -1, place[child])
    return held


def _kept_levels(tree: Tree, keep: Mask, inner: Mask) -> dict[str, Array]:
    """The level sets of the nodes that stay inner ones."""
    length = np.diff(tree.level_ptr)
    entry = np.repeat(inner, length)
    held = {name: getattr(tree, name)[entry] for name in ("level_code", "level_left")}
    return held | {"level_ptr": _pointers(np.where(inner, length, 0)[keep])}


def _summed_counts(tree: Tree, keep: Mask, leaf: Mask) -> dict[str, Array]:
    """The class counts of each leaf, summed over the leaves that were below it: one run of entries in pre-order."""
    n_entries, leaves = len(tree.count_class), np.flatnonzero(leaf)
    if n_entries == 0:
        names = ("count_class", "count_weight", "count_rows")
        return {name: getattr(tree, name) for name in names} | {"count_ptr": _pointers(np.zeros(keep.sum(), np.int64))}
    starts = np.append(tree.count_ptr[leaves], n_entries)
    # To columns and back: by class within each leaf, in linear time and with equals in their order.
    entries = sparse.csr_matrix(
        (np.arange(n_entries), tree.count_class, starts), shape=(len(leaves), max(tree.n_classes, 1))
    )
    by_class = entries.tocsc().tocsr()
    owner = np.repeat(leaves, np.diff(by_class.indptr))
    first = np.flatnonzero(np.diff(owner, prepend=-1) | np.diff(by_class.indices, prepend=-1))
    length = np.bincount(owner[first], minlength=tree.n_nodes)
    held: dict[str, Array] = {"count_class": by_class.indices[first], "count_ptr": _pointers(length[keep])}
    for name in ("count_weight", "count_rows"):
        held[name] = np.add.reduceat(getattr(tree, name)[by_class.data], first)
    return held


def _pointers(length: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(length)])
