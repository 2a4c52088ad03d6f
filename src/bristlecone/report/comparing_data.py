"""Two sets of rows under one tree: on which it errs more, by how much at least, and what is otherwise about the rows.

pair        row i of both: the same person or thing, seen twice. Without pairs the two are independent samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.report.comparing import two_names
from bristlecone.report.difference import Difference, Differing, losses, of_pairs, of_samples
from bristlecone.report.evidence import Evidence, gather
from bristlecone.report.facts import error_words
from bristlecone.report.holding import differing_shares
from bristlecone.report.leaves import rules
from bristlecone.report.limits import check_delta
from bristlecone.report.subject import subject_of
from bristlecone.report.words import count, share
from bristlecone.tree import Tree

__all__ = ["DataComparison", "compare_data"]

NAMED = 3


@dataclass(frozen=True, slots=True)
class DataComparison(Differing):
    """One tree on rows a and on rows b.

    difference: the error on b less that on a (share of wrong rows, or mean squared error); low, high: its limits, with
    probability at least 1 - delta (of squared errors: approximately), None where the rows bear none, and `differs` says
    why. disagree: (n,) pairs that get different answers, None without pairs. moved: leaves that get another share of
    the rows, none with pairs. `str` gives it all in words.
    """

    a: Evidence
    b: Evidence
    disagree: NDArray[np.bool_] | None
    moved: tuple[int, ...]
    text: str

    def __str__(self) -> str:
        return self.text


def compare_data(
    model: Any,
    a: tuple[Any, Any],
    b: tuple[Any, Any],
    *,
    paired: bool = False,
    rows: str | None = None,
    names: tuple[str, str] = ("A", "B"),
    delta: float = 0.05,
) -> DataComparison:
    """Compare two sets of rows under one tree.

    model: a Tree, a fitted estimator of bristlecone or a fitted decision tree of scikit-learn. a, b: each rows and
    known targets, (X, y). paired: row i of both is the same thing, seen twice. rows: as in `page`: only "new" ones bear
    limits. With pairs they are those of `compare`; without, of classes Clopper and Pearson's limits of both shares,
    each side at delta / 4, and of numbers Welch's interval; and leaves that get another share of the rows are named, by
    Fisher's exact test at delta / leaves. names: what the two are called.
    Errors: as `page`, and ValueError for pairs of unequal numbers of rows.
    """
    check_delta(delta)
    names = two_names(names)
    tree = subject_of(model).tree
    found = gather(tree, *a, rows=rows), gather(tree, *b, rows=rows)
    if paired and found[0].n != found[1].n:
        raise ValueError(f"{found[0].n:,} rows and {found[1].n:,} rows make no pairs")
    unlimited = "" if rows == "new" else "it was not said that these are new to the tree"
    judged = of_pairs if paired else of_samples
    difference = judged(losses(found[0]), losses(found[1]), tree.classes is not None, delta, unlimited)
    told = [f"{name}: {error_words(tree, evidence)}" for name, evidence in zip(names, found, strict=True)]
    told.append(_in_words(names, difference))
    disagree = np.array(found[0].answers != found[1].answers, dtype=bool) if paired else None
    moved = () if paired else _moved(tree, found, delta)
    told += _pairs_in_words(found) if paired else _moved_in_words(tree, moved, found, names)
    return DataComparison(difference, found[0], found[1], disagree, moved, "\n".join(told))


def _in_words(names: tuple[str, str], found: Difference) -> str:
    more, less = names[::-1] if found.value >= 0 else names
    if not found.value:
        told = "It errs as much on both"
    elif found.of_classes:
        told = f"It errs on {found.size} more of the rows of {more} than of {less}"
    else:
        told = f"Its mean squared error on {more} is {found.size} above that on {less}"
    harder = "either may be the harder", f"{names[1]} is the harder", f"{names[0]} is the harder"
    return found.in_words(told, f"like them its error on {names[1]} less that on {names[0]}", harder)


def _pairs_in_words(found: tuple[Evidence, Evidence]) -> list[str]:
    a, b = found
    other, elsewhere = int((a.answers != b.answers).sum()), int((a.nodes != b.nodes).sum())
    return [f"{other:,} of {count(a.n, 'pair')} get different answers, {elsewhere:,} stop at different nodes."]


def _moved(tree: Tree, found: tuple[Evidence, Evidence], delta: float) -> tuple[int, ...]:
    """The leaves that get another share of the rows."""
    leaves = np.flatnonzero(tree.children_left < 0)
    before, after = (np.bincount(evidence.nodes, minlength=tree.n_nodes)[leaves] for evidence in found)
    return tuple(leaves[differing_shares(before, after, found[0].n, found[1].n, delta)].tolist())


def _moved_in_words(
    tree: Tree, moved: tuple[int, ...], found: tuple[Evidence, Evidence], names: tuple[str, str]
) -> list[str]:
    a, b = names
    told = (
        f"{len(moved):,} of {count(tree.n_leaves, 'leaf', 'leaves')} get another share of the rows of {b} than of {a}"
    )
    if not moved:
        return [told + "."]
    old, new = (np.bincount(evidence.nodes, minlength=tree.n_nodes) / evidence.n for evidence in found)
    conditions = {rule.leaf: rule.conditions for rule in rules(tree, None, 0.5, None)}
    most = sorted(moved, key=lambda leaf: (-abs(new[leaf] - old[leaf]), leaf))[:NAMED]
    return [
        f"{told}; most of all:",
        *(f"  {share(old[leaf])} of {a}, {share(new[leaf])} of {b}: {conditions[leaf]}" for leaf in most),
    ]
