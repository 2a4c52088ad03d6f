"""Two trees on the same rows: which errs less, by how much at least, where they disagree, what they have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.report.difference import Difference, Differing, losses, of_pairs
from bristlecone.report.evidence import Evidence, gather
from bristlecone.report.facts import error_words
from bristlecone.report.limits import check_delta
from bristlecone.report.subject import subject_of
from bristlecone.report.words import count
from bristlecone.tree import Tree
from bristlecone.tree.names import shown

__all__ = ["Comparison", "compare", "shared_questions", "two_names"]


@dataclass(frozen=True, slots=True)
class Comparison(Differing):
    """Model a beside model b on the same rows.

    difference: b's error less a's (share of wrong rows, or mean squared error); low, high: its limits, with probability
    at least 1 - delta (of squared errors: approximately), None where the rows bear none, and `differs` says why.
    disagree: (n,) rows that get different answers. shared: questions that both ask, from the root down. measured,
    structure: what there is to say of the rows, and of the trees; `str` gives both.
    """

    a: Evidence
    b: Evidence
    disagree: NDArray[np.bool_]
    shared: int
    measured: str
    structure: str

    def __str__(self) -> str:
        return f"{self.measured}\n{self.structure}"


def compare(
    a: Any, b: Any, X: Any, y: Any, *, rows: str | None = None, names: tuple[str, str] = ("A", "B"), delta: float = 0.05
) -> Comparison:
    """Compare two trees on the same rows.

    a, b: each a Tree, a fitted estimator of bristlecone or a fitted decision tree of scikit-learn, both of classes or
    both of numbers. X, y: rows with known targets; X may be a pair, the rows as either tree reads them. rows: as in
    `page`: only "new" ones bear limits. Of classes they follow from the rows that only one of the two gets wrong:
    Clopper and Pearson's limits of both shares, each side at delta / 4, so that they hold for every number of rows. Of
    numbers, Student's interval of the paired squared errors. names: what the two are called.
    Errors: as `page`, and ValueError for a tree of classes beside one of numbers.
    """
    check_delta(delta)
    names = two_names(names)
    trees = subject_of(a).tree, subject_of(b).tree
    if trees[0].task != trees[1].task:
        raise ValueError(f"one tree is of {trees[0].task}, the other of {trees[1].task}: their errors do not compare")
    both = X if isinstance(X, tuple) else (X, X)
    found = gather(trees[0], both[0], y, rows=rows), gather(trees[1], both[1], y, rows=rows)
    unlimited = "" if rows == "new" else "it was not said that the rows are new to both"
    difference = of_pairs(losses(found[0]), losses(found[1]), trees[0].classes is not None, delta, unlimited)
    disagree = np.array(found[0].answers != found[1].answers, dtype=bool)
    shared = shared_questions(*trees)
    told = [f"{name}: {error_words(tree, evidence)}" for name, tree, evidence in zip(names, trees, found, strict=True)]
    told.append(_in_words(names, difference))
    told.append(f"They disagree on {int(disagree.sum()):,} of {count(len(disagree), 'row')}.")
    structure = "\n".join(_structure(names, trees))
    return Comparison(difference, found[0], found[1], disagree, shared, "\n".join(told), structure)


def two_names(names: Any) -> tuple[str, str]:
    """What the two are called, as it may stand in a sentence. Raises ValueError for anything but two texts."""
    if not isinstance(names, tuple | list) or len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise ValueError(f"names must be two texts, got {names!r}")
    return shown(names[0]), shown(names[1])


def _in_words(names: tuple[str, str], found: Difference) -> str:
    first, second = names if found.value >= 0 else names[::-1]
    if not found.value:
        told = "Both err as much"
    elif found.of_classes:
        told = f"{first} errs on {found.size} fewer of the rows than {second}"
    else:
        told = f"{first} has a mean squared error {found.size} below that of {second}"
    better = "either may be the better", f"{names[0]} is the better", f"{names[1]} is the better"
    return found.in_words(told, f"the error of {names[1]} less that of {names[0]}", better)


def _structure(names: tuple[str, str], trees: tuple[Tree, Tree]) -> list[str]:
    told = []
    asked = [{shown(tree.schema.columns[j].name) for j in np.unique(tree.feature[tree.feature >= 0])} for tree in trees]
    for k, (name, tree) in enumerate(zip(names, trees, strict=True)):
        alone = sorted(asked[k] - asked[1 - k])
        only = f"; asked by it alone: {', '.join(alone)}" if alone else ""
        leaves = count(tree.n_leaves, "leaf", "leaves")
        told.append(f"{name}: {leaves}, depth {tree.max_depth}, {count(len(asked[k]), 'column')} asked about{only}.")
    a, b = trees
    alike = _walked_together(a, b, lambda v, w: a.condition(v).column.name == b.condition(w).column.name)
    shared = count(shared_questions(a, b), "question")
    told.append(f"From the root down they share {shared}, {alike:,} if only the column counts.")
    return told


def shared_questions(a: Tree, b: Tree) -> int:
    """How many questions two trees have in common, walked together from the root as long as they are the same.

    The same: the same column by name, and the same side for every cell that both know, a missing one included.
    """
    return _walked_together(a, b, lambda v, w: a.condition(v) == b.condition(w))


def _walked_together(a: Tree, b: Tree, same: Callable[[int, int], bool]) -> int:
    stack, shared = [(0, 0)], 0
    while stack:
        v, w = stack.pop()
        if a.children_left[v] < 0 or b.children_left[w] < 0 or not same(v, w):
            continue
        shared += 1
        stack += [
            (int(a.children_left[v]), int(b.children_left[w])),
            (int(a.children_right[v]), int(b.children_right[w])),
        ]
    return shared
