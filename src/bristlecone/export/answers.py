"""What a tree answers where rows stop, in plain values that other languages can write.

stop      a node where a row's walk may end: a leaf, or under unseen="stop" an inner node that splits a category.
share     a class's fraction at a stop, as `predict_proba` gives it; classes of share 0 are left out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

import numpy as np

from bristlecone.table.predicates import MadeSchema
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Ints

__all__ = [
    "Answers",
    "answers_of",
    "asked_columns",
    "free_names",
    "label_list",
    "refuse_made_columns",
    "stops_of",
    "tree_of",
]

AT_A_TIME = 1 << 22  # class fractions held at once


@dataclass(frozen=True, slots=True)
class Answers:
    """Per stop its node, the class's place (classification) or the value (regression), and the classes' shares.

    labels: the classes as Python values, None in regression.
    """

    stops: list[int]
    answers: list[Any]
    shares: list[list[tuple[int, float]]]
    labels: list[Any] | None


def tree_of(model: Any) -> Tree:
    """The tree that answers for a model: itself, a fitted estimator's `tree_`, or the vote as one tree.

    Raises TypeError naming what is accepted for anything else.
    """
    if isinstance(model, Tree):
        return model
    held = model.to_tree() if hasattr(model, "to_tree") else getattr(model, "tree_", None)
    if not isinstance(held, Tree):
        raise TypeError(
            f"cannot export a {type(model).__name__}: expected a Tree or a fitted tree estimator of bristlecone "
            "(bristlecone.from_sklearn converts a fitted scikit-learn tree)"
        )
    return held


def answers_of(tree: Tree, where: str) -> Answers:
    """The answers of a tree for an export named `where`. Raises TypeError naming a label that it cannot write."""
    stops = stops_of(tree)
    if tree.classes is None:
        return Answers(stops.tolist(), tree.prediction[stops].tolist(), [[] for _ in stops], None)
    labels = label_list(tree, where)
    shares: list[list[tuple[int, float]]] = []
    for part in np.array_split(stops, max(1, len(stops) * tree.n_classes // AT_A_TIME)):
        shares += map(_present, tree.fractions_at(part))
    return Answers(stops.tolist(), tree.label[stops].tolist(), shares, labels)


def refuse_made_columns(tree: Tree, where: str) -> None:
    """Raises ValueError for a tree that asks predicates: no row has them as columns, they are functions of Python."""
    if isinstance(tree.schema, MadeSchema):
        raise ValueError(
            f"{where} cannot ask {tree.schema.predicates!r}: these are no columns of the rows, but a function of your "
            "own; `rules`, `text`, `dot` and `json` name them"
        )


def asked_columns(tree: Tree) -> list[int]:
    """The columns that a tree asks about, ascending."""
    return [int(feature) for feature in np.unique(tree.feature[tree.feature >= 0])]


def free_names(wanted: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Names for new columns, all different, letters' case aside: where one is taken, with a number behind it."""
    known = {name.lower() for name in taken}
    free = []
    for name in wanted:
        numbered = (f"{name} {number}" for number in count(2))
        free.append(next(said for said in chain([name], numbered) if said.lower() not in known))
        known.add(free[-1].lower())
    return free


def stops_of(tree: Tree) -> Ints:
    """The nodes where rows may stop, ascending."""
    may_stop = tree.children_left < 0
    if tree.unseen == "stop":
        may_stop = may_stop | (np.diff(tree.level_ptr) > 0)
    return np.flatnonzero(may_stop)


def label_list(tree: Tree, where: str) -> list[Any]:
    """The classes as text, whole numbers, floats and booleans. Raises TypeError for a label of another type."""
    assert tree.classes is not None
    labels = [label.item() if isinstance(label, np.generic) else label for label in tree.classes]
    for label in labels:
        if type(label) not in (str, int, float, bool):
            raise TypeError(f"{where} cannot write the class label {label!r} ({type(label).__name__})")
    return labels


def _present(fractions: Any) -> list[tuple[int, float]]:
    places = np.flatnonzero(fractions)
    return list(zip(places.tolist(), fractions[places].tolist(), strict=True))
