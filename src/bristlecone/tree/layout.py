"""Where nodes stand in a pre-order tree, for all nodes at once and without recursion.

Pre-order: the left child of v is v + 1, and the subtree of v is the contiguous run of nodes v .. end(v) - 1.
Chains of any length are followed by doubling the stride (log2(depth) passes), so a staircase costs no more than a bush.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bristlecone.tree.arrays import Floats, Ints


def pre_order(left: Ints | Sequence[int], right: Ints | Sequence[int]) -> npt.NDArray[np.int64]:
    """The nodes of a tree numbered anyhow, its root 0, in pre-order. Raises ValueError saying why it is no tree.

    left, right: children by node; below 0 at leaves.
    """
    # Python's own numbers: arrays are slow to walk by item
    on_left, on_right = (side.tolist() if isinstance(side, np.ndarray) else side for side in (left, right))
    n_nodes = len(on_left)
    if len(on_right) != n_nodes or not n_nodes or max(max(on_left), max(on_right)) >= n_nodes:
        raise ValueError("a child is beyond its nodes")
    order: list[int] = []
    met, waiting = bytearray(n_nodes), [0]
    while waiting:
        v = waiting.pop()
        if v < 0:
            raise ValueError("a node has one child")
        if met[v]:
            raise ValueError("a node has two parents")
        met[v] = 1
        order.append(v)
        if on_left[v] >= 0:
            waiting += (on_right[v], on_left[v])
        elif on_right[v] >= 0:
            raise ValueError("a node has one child")
    if len(order) < n_nodes:
        raise ValueError("a node has no parent")
    return np.array(order, dtype=np.int64)


def subtree_ends(children_right: Ints) -> Ints:
    """One past the last node of each subtree, (n_nodes,): the last node is the rightmost leaf."""
    nodes = np.arange(len(children_right), dtype=np.int64)
    last = np.where(children_right < 0, nodes, children_right)
    while True:
        further = last[last]
        if np.array_equal(further, last):
            return last + 1
        last = further


def parents(children_left: Ints, children_right: Ints) -> Ints:
    """The parent of each node, (n_nodes,); -1 for the root."""
    found = np.full(len(children_left), -1, dtype=np.int64)
    inner = np.flatnonzero(children_left >= 0)
    found[children_left[inner]] = inner
    found[children_right[inner]] = inner
    return found


def depths(parent: Ints) -> Ints:
    """The number of splits above each node, (n_nodes,)."""
    depth = (parent >= 0).astype(np.int64)
    ancestor = np.maximum(parent, 0)
    while ancestor.any():
        depth = depth + depth[ancestor]
        ancestor = ancestor[ancestor]
    return depth


def spread(start: Ints, stop: Ints) -> Ints:
    """The indices start[0] .. stop[0] - 1, start[1] .. stop[1] - 1, and so on, in one array."""
    length = stop - start
    offset = np.cumsum(length) - length
    return np.repeat(start - offset, length) + np.arange(int(length.sum()), dtype=np.int64)


def distinct(nodes: Ints, n_nodes: int) -> tuple[Ints, Ints]:
    """The distinct ones of some nodes, ascending, and the place of each node among them."""
    if len(nodes) < n_nodes // 8:
        return np.unique(nodes, return_inverse=True)
    # many nodes are marked faster than sorted
    marked = np.zeros(n_nodes, dtype=bool)
    marked[nodes] = True
    found = np.flatnonzero(marked)
    place = np.empty(n_nodes, dtype=np.intp)
    place[found] = np.arange(len(found))
    return found, place.take(nodes)


def subtree_sums(of_leaves: Floats, children: tuple[Ints, Ints], depth: Ints) -> Floats:
    """Rows of leaves summed into all nodes above them, (n_nodes, k), two children at a time.

    Differences of running sums would be quicker and would lose small weights beside large ones.
    """
    left, right = children
    sums = of_leaves.copy()
    inner = np.flatnonzero(left >= 0)
    deepest_first = inner[np.argsort(-depth[inner], kind="stable")]
    levels = np.flatnonzero(np.diff(depth[deepest_first])) + 1
    for nodes in np.split(deepest_first, levels):
        sums[nodes] = sums[left[nodes]] + sums[right[nodes]]
    return sums
