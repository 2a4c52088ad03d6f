"""A tree as a piece of HTML that folds without a script: for notebooks. Every name is escaped."""

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from bristlecone.tree.distributions import label_shares
from bristlecone.tree.names import percent, shown_class, value_format
from bristlecone.tree.text import label_of, reading_notes

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree

MOST_NODES = 400  # of a larger tree the outer branches are counted, not shown
UNFOLDED = 3  # levels that are open at first
STYLE = "font-family:ui-monospace,monospace;font-size:13px;line-height:1.6"
INDENT = "margin-left:1.4em"


def as_html(tree: "Tree") -> str:
    """The tree as nested lists that fold; the branches with most depth are cut where it has more than MOST_NODES."""
    depth = int(np.searchsorted(np.cumsum(np.bincount(tree.depth)), MOST_NODES, side="right")) - 1
    shown = np.flatnonzero(tree.depth <= max(depth, 1))
    notes = "".join(f'<div style="opacity:.7">{html.escape(note)}</div>' for note in reading_notes(tree, shown))
    return f'<div style="{STYLE}">{"".join(_pieces(tree, max(depth, 1)))}{notes}</div>'


def _pieces(tree: "Tree", most: int) -> Iterator[str]:
    """Opening and closing of every node, without recursion."""
    answers = _answers(tree)
    left, right, depth, rows = (
        array.tolist() for array in (tree.children_left, tree.children_right, tree.depth, tree.n_node_samples)
    )
    stack: list[int | None] = [0]  # None: a branch ends
    while stack:
        node = stack.pop()
        if node is None:
            yield "</div></details>"
            continue
        said = html.escape(f"{label_of(tree, node)}  ·  {rows[node]:,} rows  ·  ")
        if left[node] < 0:
            yield f'<div style="padding-left:1.1em">{said}→ <b>{html.escape(answers[node])}</b></div>'
        elif depth[node] >= most:
            folded = (int(tree.subtree_end[node]) - node + 1) // 2
            answer = html.escape(answers[node])
            yield f'<div style="padding-left:1.1em">{said}{answer}  ·  … {folded:,} leaves below</div>'
        else:
            state = " open" if depth[node] < UNFOLDED else ""
            yield f'<details{state}><summary>{said}{html.escape(answers[node])}</summary><div style="{INDENT}">'
            stack += [None, right[node], left[node]]


def _answers(tree: "Tree") -> list[str]:
    if tree.classes is None:
        form = value_format(float(np.abs(tree.prediction).max()))
        return [f"{value:{form}}" for value in tree.prediction.tolist()]
    names = [shown_class(tree.classes, code) for code in range(tree.n_classes)]
    shares = label_shares(tree).tolist()
    return [f"{names[code]} ({percent(share)})" for code, share in zip(tree.label.tolist(), shares, strict=True)]
