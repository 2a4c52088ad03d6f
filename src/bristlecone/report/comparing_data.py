"""Two sets of rows under one tree: on which it errs more, by how much at least, and what is otherwise about the rows.

pair        row i of both: the same person or thing, seen twice. Without pairs the two are independent samples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bristlecone.report.comparing import limits_in_words, losses, paired_limits, two_names, unsigned
from bristlecone.report.evidence import Evidence, gather
from bristlecone.report.facts import error_words
from bristlecone.report.holding import differing_shares
from bristlecone.report.leaves import rules
from bristlecone.report.limits import check_delta, error_limit
from bristlecone.report.subject import subject_of
from bristlecone.report.words import count, share
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["DataComparison", "compare_data"]

NAMED = 3


@dataclass(frozen=True, slots=True)
class DataComparison:
    """One tree on rows a and on rows b.

    difference: the error on b less that on a (share of wrong rows, or mean squared error); low, high: its limits, with
    probability at least 1 - delta (of squared errors: approximately), None where the rows bear none. disagree: (n,)
    pairs that get different answers, None without pairs. moved: leaves that get another share of the rows, none with
    pairs. `str` gives it all in words.
    """

    a: Evidence
    b: Evidence
    difference: float
    low: float | None
    high: float | None
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
    of_rows, of_classes = (losses(found[0]), losses(found[1])), tree.classes is not None
    difference = float(np.mean(of_rows[1]) - np.mean(of_rows[0]))
    limits = None
    if rows == "new":
        limits = (paired_limits if paired else independent_limits)(*of_rows, of_classes, delta)
    told = [f"{name}: {error_words(tree, evidence)}" for name, evidence in zip(names, found, strict=True)]
    why = _why_unlimited(of_rows) if rows == "new" else "it was not said that these are new to the tree"
    told.append(_difference_words(names, difference, limits, of_classes, delta, why))
    disagree = np.array(found[0].answers != found[1].answers, dtype=bool) if paired else None
    moved = () if paired else _moved(tree, found, delta)
    told += _pairs_in_words(found) if paired else _moved_in_words(tree, moved, found, names)
    low, high = limits if limits is not None else (None, None)
    return DataComparison(found[0], found[1], difference, low, high, disagree, moved, "\n".join(told))


def independent_limits(a: Floats, b: Floats, of_classes: bool, delta: float) -> tuple[float, float] | None:
    """Limits of the mean of b less that of a, of independent samples: of shares of wrong rows, or of other losses."""
    if of_classes:
        # four limits, each of which fails with probability delta / 4
        most = [error_limit(int((of > 0).sum()), len(of), delta / 4) for of in (a, b)]
        least = [1 - error_limit(int((of == 0).sum()), len(of), delta / 4) for of in (a, b)]
        return least[1] - most[0], most[1] - least[0]
    if min(len(a), len(b)) < 2 or (np.ptp(a) == 0 and np.ptp(b) == 0):
        return None
    of_a, of_b = (float(np.var(of, ddof=1)) / len(of) for of in (a, b))
    if not 0 < of_a + of_b < math.inf:
        return None
    part = of_a / (of_a + of_b)
    freedom = 1 / (part**2 / (len(a) - 1) + (1 - part) ** 2 / (len(b) - 1))  # Welch and Satterthwaite
    half = float(stats.t.ppf(1 - delta / 2, freedom)) * math.sqrt(of_a + of_b)
    middle = float(np.mean(b) - np.mean(a))
    return middle - half, middle + half


def _why_unlimited(of_rows: tuple[Floats, Floats]) -> str:
    """Why new rows with these losses bear no limits, where they bear none."""
    if min(map(len, of_rows)) < 2:
        return "one row bears no limits"
    return "errors that are all equal bear no limits"


def _difference_words(
    names: tuple[str, str],
    difference: float,
    limits: tuple[float, float] | None,
    of_classes: bool,
    delta: float,
    unlimited: str,
) -> str:
    more, less = names[::-1] if difference >= 0 else names
    by = unsigned(abs(difference), of_classes)
    if not difference:
        told = "It errs as much on both"
    elif of_classes:
        told = f"It errs on {by} more of the rows of {more} than of {less}"
    else:
        told = f"Its mean squared error on {more} is {by} above that on {less}"
    if limits is None:
        return f"{told}; nothing follows for other rows, for {unlimited}."
    low, high = limits
    verdict = "either may be the harder" if low <= 0 <= high else f"{names[1] if low > 0 else names[0]} is the harder"
    whose = f"like them its error on {names[1]} less that on {names[0]}"
    return f"{told}. {limits_in_words(whose, limits, of_classes, delta)}: {verdict}."


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
