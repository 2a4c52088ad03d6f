"""The best pruning of a given size: prunings on the weakest-link path have only some of all sizes.

best        of a node and k: the least risk of a pruning of its branch with k leaves. One leaf has its own; more are
            shared out between the children.
"""

from __future__ import annotations

from numbers import Integral

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.risks import node_risk
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["best_of_size"]

Places = npt.NDArray[np.intp]


def best_of_size(tree: Tree, max_leaves: int, *, risk: str = "misclassification") -> Tree:
    """The pruning of least risk with at most max_leaves leaves; of equal ones the one of fewest leaves.

    risk: as in `weakest_link_path`. Time and memory grow as the number of leaves times max_leaves. Raises ValueError
    for what is no number of leaves. Source: Bohanec and Bratko, Machine Learning 1994, dynamic programming.
    """
    if isinstance(max_leaves, bool) or not isinstance(max_leaves, Integral) or max_leaves < 1:
        raise ValueError(f"max_leaves={max_leaves!r}: must be a whole number of at least 1")
    charged = node_risk(tree, risk)
    left, right = tree.children_left, tree.children_right
    best: list[Floats] = [charged.of_nodes[v : v + 1] for v in range(tree.n_nodes)]
    on_left: dict[int, Places] = {}
    for v in np.flatnonzero(left >= 0)[::-1].tolist():
        both, on_left[v] = _shared_out(best[left[v]], best[right[v]], max_leaves)
        best[v] = np.concatenate([best[v], both[1:]])
    least = np.flatnonzero(best[0] <= best[0].min() + 1e-12 * max(best[0][0], 0.0))
    leaves, waiting = [], [(0, int(least[0]) + 1)]
    while waiting:
        v, size = waiting.pop()
        if size == 1:
            leaves.append(v)
            continue
        k = int(on_left[v][size - 1])
        waiting += [(int(left[v]), k), (int(right[v]), size - k)]
    return cut(charged.tree, np.array(leaves, dtype=np.int64))


def _shared_out(left: Floats, right: Floats, most: int) -> tuple[Floats, Places]:
    """The least sum for 1, 2, ... leaves of both branches (infinite for one), and how many of them are on the left."""
    size = min(len(left) + len(right), most)
    both, on_left = np.full(size, np.inf), np.zeros(size, dtype=np.intp)
    for k, risk in enumerate(left[: size - 1].tolist(), 1):
        of = slice(k, min(k + len(right), size))
        sums = risk + right[: of.stop - k]
        better = sums < both[of]
        both[of][better], on_left[of][better] = sums[better], k
    return both, on_left
