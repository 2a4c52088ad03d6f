"""The certifying rows: what they are counted as, and what every node of a tree would lose on them. SPEC A7.

unit        what was drawn independently of all others: a row, or a group of rows that belong together. A group counts
            once: its loss is the mean over its rows.
n           the number of units.
stopped     what is lost on rows that stop at an inner node, whose level it does not know: a pruning that goes on there
            answers them with that node's answer all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bristlecone.certify.bounds import FEWEST, tampered
from bristlecone.certify.losses import Risk
from bristlecone.grow.targets import class_target, numeric_target
from bristlecone.subtrees.cut import below
from bristlecone.subtrees.marks import marks_of
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Array, Floats, Ints

__all__ = [
    "NodeLosses",
    "Units",
    "absent_classes",
    "group_numbers",
    "node_losses",
    "refuse_weights",
    "targets_of",
    "units_of",
    "unknown_classes",
]


MOST_NAMED = 5


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Certifying rows as units. rows: the places of those that the risk is about; weight: (len(rows),), that of each.

    The weights of a unit sum to one. corrupted: the share of units that may have been tampered with; tampered: how many
    that is at most. assumes: what must be true of them, as sentences.
    """

    rows: Ints
    weight: Floats
    n: int
    unit: str
    corrupted: float
    assumes: tuple[str, ...]

    @property
    def tampered(self) -> int:
        """The most units that may have been tampered with."""
        return tampered(self.n, self.corrupted)

    def mean(self, shares: Floats) -> float:
        """The mean over units of losses of the rows, (len(rows),)."""
        return min(float(self.weight @ shares) / self.n, 1.0)


def targets_of(y: Any, *, numbers: bool) -> Array:
    """y as labels or as finite numbers, (n_rows,). Raises ValueError naming the first row where it is neither."""
    if numbers:
        return numeric_target(y, "a radius")
    target = class_target(y)
    labels: Array = target.classes[target.codes]
    return labels


def units_of(y: Array, risk: Risk, *, groups: Any, corrupted: float) -> Units:
    """The rows that a risk is about, as independent units.

    y: (n_rows,); groups: (n_rows,) equal where rows belong together, or None. Raises ValueError for fewer than 8 units.
    """
    about = risk.concerns(y)
    rows = np.arange(len(y)) if about is None else np.flatnonzero(about)
    if groups is None:
        weight, n, unit = np.ones(len(rows)), len(rows), "row"
    else:
        number, size = group_numbers(groups, len(y))
        _, number, size = np.unique(number[rows], return_inverse=True, return_counts=True)
        weight, n, unit = 1.0 / size[number], len(size), "group"
    if n < FEWEST:
        of = "" if about is None else f" for the {risk.phrase}"
        raise ValueError(f"{n} certifying {unit}(s){of}: a certificate needs at least {FEWEST}")
    if tampered(n, corrupted) and about is not None:
        raise ValueError(f"corrupted={corrupted:g}: a share of all rows says too little of those of one class")
    return Units(rows, weight, n, unit, float(corrupted), _assumed(unit, n, corrupted))


def absent_classes(labels: Sequence[Any]) -> tuple[str, ...]:
    """A note that no certifying row is of these classes; none for none."""
    if not labels:
        return ()
    return (f"No certifying row is of class {_named(labels)}: this bound says nothing of such rows by themselves.",)


def unknown_classes(labels: Sequence[Any], n_rows: int) -> tuple[str, ...]:
    """A note that so many certifying rows are of classes that the classifier does not know; none for none."""
    if not labels:
        return ()
    return (f"Certifying rows of class {_named(labels)}, which it does not know: {n_rows:,}; all answered wrongly.",)


def _named(labels: Sequence[Any]) -> str:
    return ", ".join(map(repr, labels[:MOST_NAMED])) + (" and others" if len(labels) > MOST_NAMED else "")


def _assumed(unit: str, n: int, corrupted: float) -> tuple[str, ...]:
    said = [f"the certifying {unit}s are independent draws from what new {unit}s are drawn from"]
    if unit == "group":
        said.append("every group counts alike, by the mean over its rows")
    if corrupted:
        said.append(f"at most {tampered(n, corrupted):,} of them were tampered with (a share of {corrupted:g})")
    return tuple(said)


def refuse_weights(sample_weight: Any, n_rows: int) -> None:
    """Raises ValueError naming the first row whose weight is not one."""
    if sample_weight is None:
        return
    weights = np.asarray(sample_weight)
    if weights.ndim != 0 and weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n_rows},)")
    other = np.broadcast_to(weights != 1, n_rows)
    if other.any():
        row = int(np.argmax(other))
        value = np.broadcast_to(weights, n_rows)[row]
        raise ValueError(
            f"sample_weight, row {row}: {value} is not 1. A certificate counts independent rows, and a weight does not "
            "make one row into several; leave the weights out, or name groups of rows that belong together"
        )


def group_numbers(groups: Any, n_rows: int) -> tuple[Ints, Ints]:
    """The number of each row's group, (n_rows,), and the rows of each; only which are equal counts."""
    marks = marks_of(groups, "groups", n_rows)
    if marks.dtype.kind == "O":
        code_of: dict[Any, int] = {}
        marks = np.array([code_of.setdefault(mark, len(code_of)) for mark in marks.tolist()])
    _, number, size = np.unique(marks, return_inverse=True, return_counts=True)
    return number, size


@dataclass(frozen=True, slots=True, eq=False)
class NodeLosses:
    """What each node would lose in all, were it to answer the rows that come to it: shares times units, (n_nodes,).

    stopped: of those that stop there, at inner nodes; None where no row does. stops: (len(units.rows),), where.
    """

    tree: Tree
    units: Units
    leaf: Floats
    stopped: Floats | None
    stops: Ints

    @property
    def constant(self) -> float:
        """The mean loss of the root's answer: the majority-class error."""
        return min(float(self.leaf[0]) / self.units.n, 1.0)

    def of_pruning(self, leaves: Array) -> float:
        """The mean loss of the pruning with these leaves, a mask (n_nodes,)."""
        lost = float(self.leaf[leaves].sum())
        if self.stopped is not None:
            inner = ~leaves & ~below(self.tree, leaves)
            lost += float(self.stopped[inner].sum())
        return min(lost / self.units.n, 1.0)


def node_losses(tree: Tree, stops: Ints, y: Array, risk: Risk, units: Units) -> NodeLosses:
    """Walk up from where each row stops, level by level. stops: (n_rows,) nodes; y: (n_rows,) targets."""
    at, rows, weight = stops[units.rows], units.rows, units.weight
    found, stopped = np.zeros(tree.n_nodes), None
    while len(rows):
        lost = risk.shares(y[rows], risk.answers(tree, at)) * weight
        found += np.bincount(at, lost, tree.n_nodes)
        if stopped is None:
            stopped = np.where(tree.children_left >= 0, found, 0.0)
        up = tree.parent[at]
        on = up >= 0
        at, rows, weight = up[on], rows[on], weight[on]
    some = stopped is not None and stopped.any()
    return NodeLosses(tree, units, found, stopped if some else None, stops[units.rows])
