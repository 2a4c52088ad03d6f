"""The tree as the page's script reads it: one list a fact, a place a node, in values that JSON can say.

Left of a node is the next one, so only the right child is told. Thresholds are told as text that reads back exactly,
for JSON has no infinity. No cell of anybody's data is in it: of a row only the node where it stops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bristlecone.report.evidence import Evidence
from bristlecone.report.leaves import Answers
from bristlecone.report.subject import Subject
from bristlecone.table.schema import ColumnSchema
from bristlecone.tree import Tree
from bristlecone.tree.details import counts_in_words
from bristlecone.tree.names import shown, shown_level
from bristlecone.tree.text import digits_apart, label_of

__all__ = ["COLOURS", "embedded"]

COLOURS = 8  # classes with a colour of their own; the others share one
MOST_ROWS = 200_000  # of which the page knows the way
MOST_COUNTED = 5_000  # nodes that tell their classes one by one


def embedded(subject: Subject, evidence: Evidence | None, first_row: int) -> dict[str, Any]:
    """What the page's script needs, as one document. first_row: what the first row is called."""
    tree = subject.tree
    answers, labels = Answers(tree), [label_of(tree, node) for node in range(tree.n_nodes)]
    return {
        "right": tree.children_right.tolist(),
        "say": labels,
        "brief": _brief(tree, labels),
        "rows": tree.n_node_samples.tolist(),
        "share": _rounded(tree.weighted_n_node_samples / (float(tree.weighted_n_node_samples[0]) or 1.0)),
        "answer": [answers.with_share(node) for node in range(tree.n_nodes)],
        "counts": _counts(tree),
        "bars": _bars(tree),
        "vote": None if subject.weights is None else _rounded(subject.weights),
        "ask": [_question(tree, node) for node in range(tree.n_nodes)],
        "columns": _columns(tree),
        "unseen": tree.unseen,
        "refusesMissing": tree.missing == "error",
        "stops": None if evidence is None or evidence.n > MOST_ROWS else _stops(evidence, first_row),
    }


def _brief(tree: Tree, labels: list[str]) -> list[str]:
    """The labels with rounded numbers, for the boxes; "" where that is the same."""
    digits, above = digits_apart(tree), tree.feature[tree.parent].tolist()
    said = ["", *(label_of(tree, node, digits=digits[above[node]]) for node in range(1, tree.n_nodes))]
    return ["" if brief == label else brief for brief, label in zip(said, labels, strict=True)]


def class_order(tree: Tree) -> list[int]:
    """The classes by weight at the root, the largest first: the first few of them have colours."""
    root = np.zeros(tree.n_classes)
    np.add.at(root, tree.count_class, tree.count_weight)
    order: list[int] = np.argsort(-root, kind="stable").tolist()
    return order


def _bars(tree: Tree) -> list[list[float]] | None:
    """The shares of the coloured classes in each node, in the order of `class_order`; None where there are too many.

    Of numbers, where the answer lies between the least and the greatest one.
    """
    if tree.classes is None:
        low, high = float(tree.prediction.min()), float(tree.prediction.max())
        # halves: the difference of two of the largest numbers is infinite
        place = (tree.prediction / 2 - low / 2) / ((high / 2 - low / 2) or 1.0)
        return [[round(value, 3)] for value in place.tolist()]
    largest = class_order(tree)[:COLOURS]
    if tree.n_nodes * tree.n_classes > 1 << 22:
        return None
    shares: list[list[float]] = np.round(tree.value[:, 0, largest], 3).tolist()
    return shares


def _counts(tree: Tree) -> list[str] | None:
    if tree.classes is None or tree.n_nodes > MOST_COUNTED:
        return None
    return [counts_in_words(tree, tree.classes, node) for node in range(tree.n_nodes)]


def _question(tree: Tree, node: int) -> list[Any] | None:
    """[column, threshold as text or "" where levels are asked, codes left, codes right, missing left, heavier left]."""
    if tree.children_left[node] < 0:
        return None
    entries = slice(tree.level_ptr[node], tree.level_ptr[node + 1])
    codes, left = tree.level_code[entries], tree.level_left[entries] == 1
    threshold = float(tree.threshold[node])
    return [
        int(tree.feature[node]),
        "" if threshold != threshold else repr(threshold).replace("inf", "Infinity"),
        codes[left].tolist(),
        codes[~left].tolist(),
        int(tree.missing_go_to_left[node]),
        int(tree.heavier_left[node]),
    ]


def _columns(tree: Tree) -> list[list[Any]]:
    """[place, name, kind, unit, levels as shown] of the columns that are asked about."""
    asked = np.unique(tree.feature[tree.feature >= 0]).tolist()
    return [[j, *_column(tree.schema.columns[j])] for j in asked]


def _column(column: ColumnSchema) -> list[Any]:
    return [shown(column.name), column.kind.value, column.unit, [shown_level(level) for level in column.levels]]


def _stops(evidence: Evidence, first_row: int) -> dict[str, Any]:
    names = evidence.names + first_row
    consecutive = bool((np.diff(names) == 1).all())
    return {"nodes": evidence.nodes.tolist(), "first": int(names[0]), "names": None if consecutive else names.tolist()}


def _rounded(values: Any) -> list[float]:
    return [float(f"{value:.4g}") for value in values.tolist()]
