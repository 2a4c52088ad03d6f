"""What a node says when asked for details: impurity, gain, class counts, missing side, heuristic mark, runner-ups."""

from typing import TYPE_CHECKING

import numpy as np

from bristlecone.tree.arrays import Array
from bristlecone.tree.conditions import LevelSet, Present, Threshold, Wording
from bristlecone.tree.distributions import node_counts
from bristlecone.tree.names import shown_class

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree

MOST_CLASSES = 5
BRIEF = Wording(fold=3, missing=False)


def of_node(tree: "Tree", node: int) -> list[str]:
    """Lines about one node, without guides."""
    inner = tree.children_left[node] >= 0
    said = [f"node {node}", f"{tree.criterion} {tree.impurity[node]:.6g}"]
    if inner:
        said.append(f"gain {tree.gain(node):.6g}")
        said.append(f"missing goes {'left' if tree.missing_go_to_left[node] else 'right'}")
    if tree.heuristic[node]:
        said.append("level set chosen by heuristic")
    lines = [", ".join(said)]
    if tree.n_node_samples[node] == 0:
        lines.append(f"rows: none reached this leaf, which answers from those of node {tree.informed_by[node]}")
    elif tree.classes is not None:
        lines.append("rows: " + counts_in_words(tree, tree.classes, node))
    if inner and tree.runners:
        lines += [f"next best: {runner_in_words(tree, r)} (gain {r[3]:.6g})" for r in tree.runners[node]]
    return lines


def counts_in_words(tree: "Tree", classes: Array, node: int) -> str:
    """The classes of a node by weight, the largest first; the first few by name."""
    code, weight, rows = node_counts(tree, node)
    order = np.argsort(-weight, kind="stable")
    equal = np.array_equal(weight, rows)
    said = [
        f"{shown_class(classes, code[i])} {rows[i]:,}" + ("" if equal else f" (weight {weight[i]:.6g})")
        for i in order[:MOST_CLASSES]
    ]
    others = len(order) - len(said)
    return (", ".join(said) or "none") + (f" and {others} more classes" if others else "")


def runner_in_words(tree: "Tree", runner: tuple[int, float, tuple[int, ...], float]) -> str:
    """The left side of a split that came close."""
    feature, threshold, codes, _ = runner
    column = tree.schema.columns[feature]
    if codes:
        return LevelSet(column, tuple(column.levels[code] for code in codes), (), False).left(BRIEF)
    if threshold == np.inf:
        return Present(column).left(BRIEF)
    return Threshold(column, threshold, False).left(BRIEF)
