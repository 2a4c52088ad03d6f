"""Questions that change no answer, taken out. C45.

answering   a node at which a row can stop: a leaf, or an inner node that splits levels where unknown ones stop.
"""

from __future__ import annotations

import numpy as np

from bristlecone.subtrees.cut import cut
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Ints

__all__ = ["simplify"]

KEEP = ("answers", "probabilities")


def simplify(tree: Tree, *, keep: str = "answers") -> Tree:
    """The tree without the branches in which every row gets the same answer, whatever it is asked. C45.

    keep: "answers" (labels, or the predicted numbers), or "probabilities" as well: then fewer branches collapse, in
    most trees none. All rows keep what they get, those with missing cells and unknown levels included; a tree that
    refuses such rows (missing="error", unseen="error") refuses them only where it still asks. Growing never does this
    by itself.
    Raises ValueError for another `keep`, TypeError for what is no Tree.
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"simplify needs a Tree, got {type(tree).__name__}")
    if keep not in KEEP:
        raise ValueError(f"keep must be {' or '.join(map(repr, KEEP))}, got {keep!r}")
    return cut(tree, _of_one_answer(tree, _answers(tree, keep)))


def _answers(tree: Tree, keep: str) -> Array:
    """A number for each node; equal ones answer the same."""
    if tree.classes is None:
        return tree.prediction
    if keep == "answers":
        return tree.label
    both = np.column_stack([tree.label, tree.value[:, 0, :]])
    return np.unique(both, axis=0, return_inverse=True)[1].ravel()


def _of_one_answer(tree: Tree, answers: Array) -> Array:
    """Whether a node and all that can answer below it, one run in pre-order, answer the same; (n_nodes,)."""
    answering = tree.children_left < 0
    if tree.unseen == "stop":
        answering |= np.diff(tree.level_ptr) > 0
    nodes = np.flatnonzero(answering)
    found = answers[nodes]
    group = np.concatenate([[0], np.cumsum(found[1:] != found[:-1])])
    before: Ints = np.concatenate([[0], np.cumsum(answering)])
    first, last = before[:-1], before[tree.subtree_end] - 1
    same: Array = (group[first] == group[last]) & (answers == found[first])
    return same
