"""A tree drawn as text that people read: one line a node, conditions in words, numbers in aligned columns.

label     guides and the condition that leads to the node; wrapped where it is too long, never cut.
cells     rows, share of all rows, answer, share of the answer; an arrow marks the answers of leaves.
fold      branches below a depth are counted, not drawn.
Fractions and means are rounded here, thresholds never.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bristlecone.tree import details as detail_lines
from bristlecone.tree.arrays import Ints
from bristlecone.tree.conditions import Wording, of_node
from bristlecone.tree.distributions import label_shares
from bristlecone.tree.names import padded, percent, rounded_number, shown_class, value_format, width_of, wrapped

if TYPE_CHECKING:
    from bristlecone.tree.tree import Tree

FOLDED_LEVELS = 3  # levels named before "and 37 others"
LONGEST_ANSWER = 40
NARROWEST_LABEL = 24
FEWEST_DIGITS = 4  # of a number in a picture


@dataclass(slots=True)
class Line:
    """A node on paper: what stands before its label on the first line and on the lines after it."""

    node: int
    first: str
    rest: str
    label: str
    folded: int = 0  # leaves below that are not drawn


def draw(
    tree: "Tree",
    *,
    max_depth: int | None = 6,
    width: int = 100,
    details: bool = False,
    levels: int | None = FOLDED_LEVELS,
) -> str:
    """The tree as lines of text.

    max_depth: branches below this depth are folded, with a count of their leaves (None: nothing is folded).
    width: columns to fill; long conditions wrap. details: adds impurity, gain, class counts, runner-up splits and marks
    of level sets that a heuristic chose. levels: so many of a list are named (None: all).
    Raises ValueError for a negative depth or a width under 40.
    """
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth must be None or at least 0, got {max_depth}")
    if width < 40:
        raise ValueError(f"width must be at least 40, got {width}")
    cells = _Cells(tree)
    lines = list(_lines(tree, max_depth, levels, guides=max(4, width // 12)))
    rows = [cells.of(line) for line in lines]
    aligned = _aligned([cells.header, *rows])
    available = max(NARROWEST_LABEL, width - max(map(width_of, aligned)) - 2)
    broken = [wrapped(line.label, line.first, line.rest, available) for line in lines]
    label_width = max(width_of(text) for pieces in broken for text in pieces)
    drawn = [padded("", label_width) + "  " + aligned[0]]
    for line, pieces, right in zip(lines, broken, aligned[1:], strict=True):
        drawn.append(padded(pieces[0], label_width) + "  " + right)
        drawn += pieces[1:]
        if details:
            drawn += [f"{line.rest}  {said}" for said in detail_lines.of_node(tree, line.node)]
    return "\n".join([text.rstrip() for text in drawn] + _notes(tree, lines))


def _lines(tree: "Tree", max_depth: int | None, levels: int | None, guides: int) -> Iterator[Line]:
    """Nodes in pre-order with their guides; of a deep branch only the innermost guides are drawn."""
    left, right, depth = (array.tolist() for array in (tree.children_left, tree.children_right, tree.depth))
    stack: list[tuple[int, str, bool]] = [(0, "", True)]
    while stack:
        node, prefix, last = stack.pop()
        inner = left[node] >= 0
        folded = inner and max_depth is not None and depth[node] >= max_depth
        below = prefix + ("   " if last else "│  ") if node else ""
        kept = below[-3 * guides :]
        skipped = f"⋯{depth[node]} " if len(prefix) < 3 * (depth[node] - 1) else ""
        yield Line(
            node,
            skipped + (prefix + ("└─ " if last else "├─ ") if node else ""),
            " " * len(skipped) + below + ("│ " if inner and not folded else "  "),
            label_of(tree, node, levels),
            (int(tree.subtree_end[node]) - node + 1) // 2 if folded else 0,
        )
        if inner and not folded:
            stack += [(right[node], kept, True), (left[node], kept, False)]


def label_of(tree: "Tree", node: int, levels: int | None = FOLDED_LEVELS, digits: int | None = None) -> str:
    """The condition that leads to a node; missing is said where it does not follow the heavier branch.

    digits: of numbers, so many that count (None: all); `digits_apart` says how many a picture needs.
    """
    if node == 0:
        return "all rows"
    parent = int(tree.parent[node])
    as_stated = tree.missing == "error" or tree.missing_go_to_left[parent] == tree.heavier_left[parent]
    wording = Wording(fold=levels, missing=not as_stated, digits=digits)
    condition = of_node(tree, parent)
    return condition.left(wording) if tree.children_left[parent] == node else condition.right(wording)


def digits_apart(tree: "Tree") -> list[int]:
    """For each column the fewest digits, four at least, with which its thresholds are told apart in a picture."""
    found = [FEWEST_DIGITS] * tree.n_features
    for j in np.unique(tree.feature[tree.feature >= 0]).tolist():
        thresholds = np.unique(tree.threshold[tree.feature == j]).tolist()
        apart = (
            d for d in range(FEWEST_DIGITS, 17) if len({rounded_number(t, d) for t in thresholds}) == len(thresholds)
        )
        found[j] = next(apart, 17)
    return found


class _Cells:
    """The numbers beside a node, as text."""

    def __init__(self, tree: "Tree") -> None:
        self.tree = tree
        weight = tree.weighted_n_node_samples
        self.weighted = not np.allclose(weight * tree.n_node_samples[0], tree.n_node_samples * weight[0])
        self.share = weight / weight[0] if weight[0] > 0 else np.ones(tree.n_nodes)
        self.of_label = label_shares(tree) if tree.classes is not None else None
        self.value_format = value_format(float(np.abs(tree.prediction).max()) if tree.classes is None else 0.0)
        value = "median" if tree.criterion == "absolute_error" else "mean"
        answer = ["answer", "share"] if tree.classes is not None else [value]
        self.header = [">rows", *([">weight"] if self.weighted else []), ">of all", *_sides(answer), ""]

    def of(self, line: Line) -> list[str]:
        """One cell a column; ">" marks those that stand to the right."""
        tree, node = self.tree, line.node
        cells = [f">{tree.n_node_samples[node]:,}"]
        if self.weighted:
            cells.append(f">{tree.weighted_n_node_samples[node]:.6g}")
        cells.append(">" + percent(float(self.share[node])))
        arrow = "→ " if tree.children_left[node] < 0 else "  "
        if self.of_label is None or tree.classes is None:
            cells.append(f">{arrow}{tree.prediction[node]:{self.value_format}}")
        else:
            label = _shortened(shown_class(tree.classes, int(tree.label[node])))
            cells += ["<" + arrow + label, ">" + percent(float(self.of_label[node]))]
        return [*cells, f"<… {line.folded:,} leaves below" if line.folded else ""]


def _sides(answer: list[str]) -> list[str]:
    return ["<  " + answer[0], ">" + answer[1]] if len(answer) == 2 else [">" + answer[0]]


def _shortened(text: str) -> str:
    return text if width_of(text) <= LONGEST_ANSWER else text[: LONGEST_ANSWER - 1] + "…"


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(width_of(row[i][1:]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(padded(cell[1:], size, cell[:1] == ">") for cell, size in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _notes(tree: "Tree", lines: list[Line]) -> list[str]:
    notes = []
    folded = sum(line.folded for line in lines)
    if folded:
        notes.append(f"{folded:,} of {tree.n_leaves:,} leaves are folded; a larger depth shows them.")
    if any(line.first.startswith("⋯") for line in lines):
        notes.append("⋯25 stands for a node at depth 25, whose outer branches are not drawn.")
    notes += reading_notes(tree, np.array([line.node for line in lines if not line.folded], dtype=np.int64))
    return ["", *notes] if notes else []


def reading_notes(tree: "Tree", drawn: Ints) -> list[str]:
    """What a reader of these nodes must know: of leaves without rows, of missing cells, of levels not named."""
    notes = []
    if (tree.n_node_samples[drawn] == 0).any():
        notes.append("A leaf of 0 rows was reached by no training row; it answers from the rows of the node above it.")
    asked = drawn[tree.children_left[drawn] >= 0]
    if len(asked) and tree.missing == "error":
        notes.append("A row that lacks a value it is asked for is refused.")
    elif len(asked):
        notes.append(
            'A missing value follows the heavier branch (on a tie the upper one) unless one says "or missing".'
        )
    if np.diff(tree.level_ptr)[asked].any():
        fate = {
            "stop": "stops there and gets that node's answer",
            "heavier": "follows the heavier branch",
            "error": "is refused",
        }[tree.unseen]
        notes.append(f"A level that neither branch names {fate}.")
    return notes
