"""The four methods of the PAC-Bayes tree paper on one space tree, their parameters chosen one way. SPEC A8, A9.

C1          the pruning of least error + lambda leaves / n: the baseline.
SN          Scott and Nowak's pruning, C2.
HS          Helmbold and Schapire's vote; two classes only.
vote        the PAC-Bayes tree.
protocol    "paper": parameters of least error over two folds, halves of the rows as a permutation deals them. "code":
            on 35 % of the rows, held out once, and with the grids of the authors' scripts. In both the space tree is
            grown anew for every fold, and from all rows with the parameters that were chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.subtrees import simplify
from bristlecone.subtrees.folds import Fold
from bristlecone.subtrees.risks import with_labels
from bristlecone.subtrees.selection import (
    AXES,
    CODE,
    PAPER,
    Axis,
    Growth,
    Protocol,
    helmbold_schapire_labels,
    pac_bayes_labels,
    select_strengths,
)
from bristlecone.subtrees.selection.grid import closings
from bristlecone.table import as_table
from bristlecone.tree import Tree

__all__ = ["METHODS", "PROTOCOLS", "Answering", "Method", "chosen", "contestants", "folds_of"]

Labels = NDArray[np.int32]
Strengths = Mapping[str, NDArray[np.float64]]

PROTOCOLS: Mapping[str, Protocol] = {"paper": PAPER, "code": CODE}
HELD_OUT = 0.35
BASE_RULES: Mapping[str, Any] = {"criterion": "gini", "unseen": "stop", "n_jobs": 1}


@dataclass(frozen=True, slots=True)
class Method:
    """labels_at: what a tree's nodes answer at strengths, (n_nodes, n_strengths). start: the strengths before a search
    along each of `axes`. two_classes: whether it knows no more."""

    labels_at: Callable[[Tree, Strengths], Labels]
    start: Mapping[str, float]
    axes: tuple[Axis, ...]
    two_classes: bool = False


def pruned_labels(penalty: str, tree: Tree, strengths: Strengths) -> Labels:
    """What the cheapest prunings answer to a row that stops at each node, (n_nodes, n_strengths)."""
    closed = closings(tree, penalty, strengths["lambda"])
    label = np.repeat(tree.label[:, None], closed.shape[1], axis=1)
    shut = closed.copy()
    order = np.argsort(tree.depth, kind="stable")
    for level in np.split(order, np.flatnonzero(np.diff(tree.depth[order])) + 1)[1:]:
        above = tree.parent[level]
        label[level] = np.where(shut[above], label[above], label[level])
        shut[level] |= shut[above]
    return label


_LAMBDA = (Axis("lambda", 2.0**-8, 2.0**6),)

METHODS: Mapping[str, Method] = {
    "C1": Method(partial(pruned_labels, "leaves"), {"lambda": 1.0}, _LAMBDA),
    "SN": Method(partial(pruned_labels, "scott_nowak"), {"lambda": 1.0}, _LAMBDA),
    "HS": Method(helmbold_schapire_labels, {"beta": 0.5}, (AXES["beta"],), two_classes=True),
    "vote": Method(
        pac_bayes_labels,
        {"lambda1": 1.0, "lambda2": 1.0, "leaf_cost": 1.0},
        (AXES["lambda1"], AXES["lambda2"]),
    ),
}


@dataclass(frozen=True, slots=True)
class Answering:
    """A space tree whose nodes answer `label`. strengths: those that were chosen."""

    tree: Tree
    label: Labels
    strengths: Mapping[str, float]

    def predict(self, X: Any) -> Any:
        """The labels of rows."""
        return np.asarray(self.tree.classes)[self.label[self.tree.apply(X)]]

    def get_n_leaves(self) -> int:
        """The leaves of the tree without questions that change no answer."""
        return int(simplify(with_labels(self.tree, self.label)).n_leaves)

    def __str__(self) -> str:
        return " ".join(f"{name}={value:.4g}" for name, value in self.strengths.items())


def folds_of(protocol: str, n_rows: int, seed: int) -> list[Fold]:
    """The rows that are held out, fold by fold."""
    order = np.random.default_rng([seed, n_rows]).permutation(n_rows)
    half = n_rows // 2
    parts = [order[:half], order[half:]] if protocol == "paper" else [order[: round(HELD_OUT * n_rows)]]
    return [Fold(np.sort(part), np.ones(len(part))) for part in parts]


def chosen(method: Method, X: Any, y: Any, *, base: str, protocol: str, seed: int) -> Answering:
    """A method on the space tree of some rows, with the strengths that the protocol chooses."""
    growth = Growth(as_table(X), y, None, {}, BASE_RULES, base)
    found = select_strengths(
        growth,
        method.labels_at,
        lambda rows: [folds_of(protocol, rows.table.n_rows, seed)],
        method.start,
        method.axes,
        protocol=PROTOCOLS[protocol],
    )
    tree = growth.tree()
    at = {name: np.array([value]) for name, value in found.chosen.items()}
    return Answering(
        tree, method.labels_at(tree, at)[:, 0], {axis.name: found.chosen[axis.name] for axis in method.axes}
    )


def contestants(n_classes: int, **how: Any) -> dict[str, Callable[[Any, Any], Answering]]:
    """The methods that know so many classes, as `study.measured` takes them. how: base, protocol and seed."""
    return {
        name: partial(chosen, method, **how)
        for name, method in METHODS.items()
        if n_classes == 2 or not method.two_classes
    }
