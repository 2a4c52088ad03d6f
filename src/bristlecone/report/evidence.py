"""What rows with known targets say of a tree: where they stop, what is answered, how often that is wrong.

role        whether the rows had a part in making the tree. Only new ones, each an independent draw, bear limits; rows
            that grew it are refused as new ones.
wrong       of classes: the label is another one; of numbers: further from the answer than `tolerance`, the root mean
            squared error (by absolute_error the mean absolute one) of the growing rows.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.certify.weighing import grew
from bristlecone.report.measure import Errors, class_error, number_error
from bristlecone.table import is_missing
from bristlecone.table.schema import UNSEEN_CODE
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints

__all__ = ["Evidence", "Role", "gather"]


class Role(enum.Enum):
    """What part the rows had in making the tree."""

    NEW = "new"
    CHOOSING = "choosing"
    GROWING = "growing"
    UNSAID = "unsaid"


NO_LIMITS = {
    Role.NEW: "",
    Role.CHOOSING: "the rows shown had a part in choosing the tree, so that its errors on them flatter it",
    Role.GROWING: "the rows shown are those it was grown from, of which nothing can be learned about rows to come",
    Role.UNSAID: "it was not said that these rows had no part in growing or choosing the tree (rows='new')",
}

OWN_ROWS = (
    "these are the rows that grew the tree, or most of them: no more of any class come to any leaf. Others are "
    "needed here; what the tree makes of its own rows says nothing of others"
)


AT_A_TIME = 1 << 22  # shares of classes held at once
FARTHEST = 1e150  # half of what lies between a target and an answer: its square must be a number


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Rows and what the tree makes of them.

    nodes: (n,) where each stops; codes: (n,) the place of its label among the classes, -1 for a label that is none of
    them, None of numbers; y, answers: (n,); told: (n,) the share that was said of the second of two classes, of more of
    the answered one, None of numbers; weight: (n,) or None; missing: cells that are missing, by column; unknown: cells
    whose level the tree never saw, by column; wrong: (n,); tolerance: see above, NaN where there is none; unlimited:
    why there are no limits, "" if there are; names: what each row is called, (n,).
    """

    role: Role
    nodes: Ints
    y: NDArray[Any]
    codes: Ints | None
    answers: NDArray[Any]
    told: Floats | None
    weight: Floats | None
    missing: Ints
    unknown: Ints
    error: Errors
    wrong: NDArray[np.bool_]
    tolerance: float
    unlimited: str
    names: Ints

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.nodes)

    @property
    def n_wrong(self) -> int:
        """How many of them are answered wrongly."""
        return int(self.wrong.sum())

    @property
    def n_strange(self) -> int:
        """How many have a label that is none of the tree's classes."""
        return 0 if self.codes is None else int((self.codes < 0).sum())


def gather(
    tree: Tree,
    X: Any,
    y: Any,
    *,
    weight: Any = None,
    rows: str | None = None,
    unlimited: str = "",
    names: Ints | None = None,
    shares: Callable[[Any], Floats] | None = None,
) -> Evidence:
    """Send rows down the tree. rows: as in `page`; unlimited: a reason of the caller's against limits.

    A level that the tree refuses is answered by the node that does not know it: rows must not go unmeasured.
    Raises ValueError naming the parameter for targets and weights that do not fit, and for new rows that grew the tree.
    """
    role, table = _role(rows), tree.schema.read(X)
    if table.n_rows == 0:
        raise ValueError("X has no rows")
    lenient = tree if tree.unseen != "error" else dataclasses.replace(tree, unseen="stop")
    given = _targets(tree, y, table.n_rows)
    weights, present = _weights(weight, table.n_rows)
    places = np.flatnonzero(present)
    names = places if names is None else names[places]
    if len(places) < table.n_rows:
        table, given = table.take(places), given[places]
    nodes = lenient.apply(table)
    if role is Role.NEW and grew(tree, nodes, given):
        raise ValueError(OWN_ROWS)
    answers = lenient.answers_at(nodes)
    codes = None if tree.classes is None else _codes(tree, given)
    tolerance = _tolerance(tree)
    error, wrong = _judged(tree, given, codes, nodes, answers, weights, tolerance)
    return Evidence(
        role=role,
        nodes=nodes.astype(np.int64),
        y=given,
        codes=codes,
        answers=answers,
        told=None if tree.classes is None else _told(lenient, nodes, None if shares is None else shares(X)[present]),
        weight=weights,
        missing=np.array([int(column.is_missing(cells).sum()) for column, cells in _cells(table)]),
        unknown=np.array([int((cells == UNSEEN_CODE).sum()) * column.categorical for column, cells in _cells(table)]),
        error=error,
        wrong=wrong,
        tolerance=tolerance,
        unlimited=NO_LIMITS[role] or unlimited or _why_unlimited(weights, tolerance),
        names=names,
    )


def _told(tree: Tree, nodes: Ints, shares: Floats | None) -> Floats:
    """What was said of each row, (n,); by shares of its own (n, n_classes), or the tree's."""
    stops, where = np.unique(nodes, return_inverse=True)
    place = np.ones(len(stops), dtype=np.intp) if tree.n_classes == 2 else tree.label[stops].astype(np.intp)
    if shares is not None:
        return shares[np.arange(len(nodes)), place[where]]
    parts = np.array_split(np.arange(len(stops)), max(1, len(stops) * tree.n_classes // AT_A_TIME))
    said = [tree.fractions_at(stops[part])[np.arange(len(part)), place[part]] for part in parts]
    return np.concatenate(said)[where]


def _judged(
    tree: Tree, y: NDArray[Any], codes: Ints | None, nodes: Ints, answers: NDArray[Any], weight: Any, tolerance: float
) -> tuple[Errors, NDArray[np.bool_]]:
    """The error, and which answers are wrong, (n,)."""
    if codes is None:
        wrong = np.abs(y - answers) > tolerance
        return number_error(y, answers, float(tree.prediction[0]), weight), np.asarray(wrong, dtype=bool)
    said = tree.label[nodes]
    return class_error(codes, said, int(tree.label[0]), weight), np.asarray(codes != said)


def _why_unlimited(weights: Floats | None, tolerance: float) -> str:
    if weights is not None:
        return "the rows have weights, so that they do not count as independent draws of one kind"
    if np.isnan(tolerance):
        return "the growing rows give no distance from which on an answer would count as wrong"
    return ""


def _cells(table: Any) -> Any:
    return zip(table.schema.columns, table.columns, strict=True)


def _role(rows: str | None) -> Role:
    if rows is None:
        return Role.UNSAID
    if rows not in ("new", "choosing", "growing"):
        raise ValueError(f"rows must be 'new', 'choosing', 'growing' or None, got {rows!r}")
    return Role(rows)


def _targets(tree: Tree, y: Any, n_rows: int) -> NDArray[Any]:
    given = np.asarray(y)
    if given.ndim == 2 and given.shape[1] == 1:
        given = given[:, 0]
    if given.shape != (n_rows,):
        raise ValueError(f"y has shape {given.shape}, but X has {n_rows} rows")
    if tree.classes is not None:
        lacking = np.array([is_missing(label) for label in given.tolist()], dtype=bool)
    else:
        try:
            given = given.astype(np.float64)
        except (TypeError, ValueError) as fault:
            raise ValueError(f"y must be numbers, for the tree answers numbers: {fault}") from None
        lacking = ~np.isfinite(given)
    if lacking.any():
        row = int(np.argmax(lacking))
        raise ValueError(f"y: row {row} is {given[row : row + 1].tolist()[0]!r}; leave out rows without a target")
    if tree.classes is None:
        _refuse_far(given, tree.prediction)
    return given


def _refuse_far(y: Floats, answers: Floats) -> None:
    """Raises ValueError for a target so far from an answer that the square of the difference would overflow."""
    low, high = float(answers.min()), float(answers.max())
    far = np.maximum(np.abs(y / 2 - low / 2), np.abs(y / 2 - high / 2)) > FARTHEST
    if far.any():
        row = int(np.argmax(far))
        raise ValueError(f"y: row {row} is {float(y[row])!r}, too far from the tree's answers to square its error")


def _weights(weight: Any, n_rows: int) -> tuple[Floats | None, NDArray[np.bool_]]:
    """Weights of the rows that have one, None where all are 1; and which rows those are: weight 0 means absent."""
    if weight is None:
        return None, np.ones(n_rows, dtype=bool)
    given = np.asarray(weight, dtype=np.float64)
    if given.shape != (n_rows,) or not np.isfinite(given).all() or (given < 0).any() or not given.any():
        raise ValueError(f"sample_weight must be {n_rows} finite numbers of at least 0, not all 0")
    present = given > 0
    return None if (given[present] == 1.0).all() else given[present], present


def _codes(tree: Tree, y: NDArray[Any]) -> Ints:
    assert tree.classes is not None
    place = {label: code for code, label in enumerate(tree.classes.tolist())}
    codes = np.array([place.get(label, -1) for label in y.tolist()], dtype=np.int64)
    if (codes < 0).all():
        known = ", ".join([*map(repr, list(place)[:3]), *(["..."] if len(place) > 3 else [])])
        raise ValueError(f"y: no label, such as {y[:1].tolist()[0]!r}, is one of the tree's classes ({known})")
    return codes


def _tolerance(tree: Tree) -> float:
    """The distance from which on an answer counts as wrong; NaN where the growing rows give none."""
    if tree.classes is not None:
        return 0.0
    leaf = tree.children_left < 0
    of_leaves = float(np.average(tree.impurity[leaf], weights=tree.weighted_n_node_samples[leaf]))
    by_criterion = {"squared_error": np.sqrt(of_leaves), "absolute_error": of_leaves}
    return float(by_criterion.get(tree.criterion, 0.0)) or np.nan
