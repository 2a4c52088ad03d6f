"""Class weights of nodes, from the sparse counts that only leaves keep.

The leaves below a node are contiguous in pre-order, so its counts are one contiguous run of entries: memory stays
linear in rows whatever the number of classes, until someone asks for a dense table.
"""

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from bristlecone.tree.arrays import Array, Floats, Ints
from bristlecone.tree.layout import spread, subtree_sums

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree

CHUNK = 1 << 22  # count entries gathered at a time


def dense_counts(tree: "Tree", entries: Array) -> Array:
    """Entries (weights or rows) per node and class, (n_nodes, n_classes)."""
    leaves = np.zeros((tree.n_nodes, tree.n_classes), dtype=entries.dtype)
    owner = np.repeat(np.arange(tree.n_nodes), np.diff(tree.count_ptr))
    leaves[owner, tree.count_class] = entries
    return subtree_sums(leaves, (tree.children_left, tree.children_right), tree.depth)


def probabilities(tree: "Tree", nodes: Ints) -> Floats:
    """Class fractions of some nodes, (len(nodes), n_classes); each row sums to one. An empty leaf has its parent's."""
    nodes = tree.informed_by[nodes]
    start, stop = tree.count_ptr[nodes], tree.count_ptr[tree.subtree_end[nodes]]
    weights = np.zeros((len(nodes), tree.n_classes))
    chunk = np.cumsum(stop - start) // CHUNK
    for rows in np.split(np.arange(len(nodes)), np.flatnonzero(np.diff(chunk)) + 1):
        entry = spread(start[rows], stop[rows])
        indptr = np.concatenate([[0], np.cumsum(stop[rows] - start[rows])])
        gathered = (tree.count_weight[entry], tree.count_class[entry], indptr)
        weights[rows] = sparse.csr_matrix(gathered, shape=(len(rows), tree.n_classes)).toarray()
    return as_fractions(tree, nodes, weights)


def as_fractions(tree: "Tree", nodes: Ints, weights: Floats) -> Floats:
    """Class weights of nodes divided by their sum, in place.

    Where a monotone constraint clipped a probability, the clipped one counts; a node without weight gives all to its
    label.
    """
    empty = ~weights.any(axis=1)
    weights[empty, tree.label[nodes[empty]]] = 1.0
    # A power of two keeps the sum of huge weights finite and the fractions as they are.
    np.ldexp(weights, -np.frexp(weights.max(axis=1, keepdims=True))[1], out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    clipped = tree.prediction[nodes]
    known = ~np.isnan(clipped)
    if known.any():
        weights[known, 0], weights[known, 1] = 1.0 - clipped[known], clipped[known]
    return weights


def node_counts(tree: "Tree", node: int) -> tuple[Ints, Floats, Ints]:
    """The classes below one node, ascending, with their weights and rows."""
    entries = slice(tree.count_ptr[node], tree.count_ptr[tree.subtree_end[node]])
    present, place = np.unique(tree.count_class[entries], return_inverse=True)
    weight = np.zeros(len(present))
    np.add.at(weight, place, tree.count_weight[entries])
    rows = np.zeros(len(present), dtype=np.int64)
    np.add.at(rows, place, tree.count_rows[entries])
    return present.astype(np.int64), weight, rows


def label_shares(tree: "Tree") -> Floats:
    """The share of each node's weight that has the node's own label, (n_nodes,), to the accuracy of a picture.

    Of an empty leaf it is the share of its parent's weight.
    """
    n_entries = len(tree.count_class)
    source = tree.informed_by
    answered = tree.prediction[source]
    clipped = ~np.isnan(answered)
    by_class = np.argsort(tree.count_class, kind="stable")
    key = tree.count_class[by_class].astype(np.int64) * n_entries + by_class
    running = np.concatenate([[0.0], np.cumsum(tree.count_weight[by_class])])
    first, last = tree.count_ptr[source], tree.count_ptr[tree.subtree_end[source]]
    own = tree.label.astype(np.int64) * n_entries
    of_label = running[np.searchsorted(key, own + last)] - running[np.searchsorted(key, own + first)]
    total = np.concatenate([[0.0], np.cumsum(tree.count_weight)])
    of_node = total[last] - total[first]
    shares = np.divide(of_label, of_node, out=np.ones(tree.n_nodes), where=of_node > 0)
    of_clipped = np.where(tree.label == 1, answered, 1.0 - answered)
    return np.clip(np.where(clipped, of_clipped, shares), 0.0, 1.0)
