"""What each column adds to a row's answer: on its way, every question moves the answer from one node's to the next's.

base        what the root answers: the answer of a tree that asks nothing.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from bristlecone.tree.arrays import Floats, Ints
from bristlecone.tree.layout import distinct
from bristlecone.tree.routing import paths

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree


def at_nodes(tree: "Tree", nodes: Ints) -> Floats:
    """The contributions to the answers of rows that stop at these nodes, (len(nodes), n_features, k).

    k: 1 of numbers, else the number of classes, whose shares the contributions are of.
    """
    stops, of_row = distinct(nodes, tree.n_nodes)
    way = paths(stops, tree.parent, tree.depth)
    passed, back = np.unique(way.indices, return_inverse=True)
    values = values_at(tree, passed)
    place = np.full(tree.n_nodes, -1)
    place[passed] = np.arange(len(passed))
    above = tree.parent[passed]
    step = np.where((above >= 0)[:, None], values - values[place[above]], 0.0)
    column = np.where(above >= 0, tree.feature[above], 0)
    way = sparse.csr_matrix((way.data.astype(np.float64), back, way.indptr), shape=(len(stops), len(passed)))
    found = np.empty((len(stops), tree.n_features, values.shape[1]))
    for k in range(values.shape[1]):
        steps = sparse.csr_matrix((step[:, k], (np.arange(len(passed)), column)), shape=(len(passed), tree.n_features))
        found[:, :, k] = (way @ steps).toarray()
    return found.take(of_row, axis=0)


def values_at(tree: "Tree", nodes: Ints) -> Floats:
    """What nodes answer, as numbers: class shares, or the value; (len(nodes), k)."""
    return tree.prediction[nodes][:, None] if tree.classes is None else tree.fractions_at(nodes)


def contributions(tree: "Tree", X: Any, n_threads: int = 1) -> tuple[Floats, Floats]:
    """The base, (k,), and the contributions of X's columns to the answer to each row, (n_rows, n_features, k)."""
    nodes = tree.apply(X, n_threads)
    return values_at(tree, np.array([0]))[0], at_nodes(tree, nodes)
