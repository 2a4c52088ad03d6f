"""The page's tables as rows of plain values: confusion, columns, and the fields of a row that is typed in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bristlecone.report.evidence import Evidence
from bristlecone.report.words import share
from bristlecone.table.schema import Kind
from bristlecone.tree import Tree
from bristlecone.tree.names import shown, shown_class

__all__ = ["Confusion", "asked_columns", "columns", "confusion"]

MOST_CLASSES = 12
MOST_COLUMNS = 500
HINTS = {Kind.BOOLEAN: "true or false", Kind.DATE: "2024-12-31", Kind.DATETIME: "2024-12-31 23:59:59"}


@dataclass(frozen=True, slots=True)
class Cell:
    """Rows of one class with one answer. kind: "right", "off" or "none"; share: of the rows of the class, 0 to 1."""

    n: int
    kind: str
    share: float


@dataclass(frozen=True, slots=True)
class Line:
    """The rows of one true class."""

    name: str
    cells: list[Cell]
    wrong: str


@dataclass(frozen=True, slots=True)
class Confusion:
    """True classes down, answers across; where there are many classes, the rarer ones share the last place."""

    answers: list[str]
    rows: list[Line]


def confusion(tree: Tree, evidence: Evidence) -> Confusion | None:
    """How often each class got each answer; None of numbers."""
    if tree.classes is None or evidence.codes is None:
        return None
    k = tree.n_classes
    true = np.where(evidence.codes < 0, k, evidence.codes)
    said = tree.label[evidence.nodes].astype(np.int64)
    told_apart = _commonest(true, said, k)
    place = np.full(k + 1, len(told_apart))  # of a class that has none of its own: the last one
    place[told_apart] = np.arange(len(told_apart))
    size = len(told_apart) + 1
    table = np.bincount(place[true] * size + place[said], minlength=size * size).reshape(size, size)
    right = np.bincount(place[true[true == said]], minlength=size)
    rest = "all others" if k > MOST_CLASSES else "none of these"
    names = [*(shown_class(tree.classes, code) for code in told_apart), rest]
    rows = [i for i in range(size) if i < size - 1 or table[i].any()]
    answers = [i for i in range(size) if i < size - 1 or table[:, i].any()]
    return Confusion(
        [names[i] for i in answers],
        [
            Line(names[i], [_cell(table[i], j, i, i < size - 1) for j in answers], _wrong(table[i], int(right[i])))
            for i in rows
        ],
    )


def _commonest(true: np.ndarray, said: np.ndarray, k: int) -> list[int]:
    weight = np.bincount(true, minlength=k + 1)[:k] + np.bincount(said, minlength=k)
    return sorted(np.argsort(-weight, kind="stable")[:MOST_CLASSES].tolist())


def _cell(row: np.ndarray, j: int, i: int, own: bool) -> Cell:
    n = int(row[j])
    kind = "none" if not n or not own else "right" if i == j else "off"
    return Cell(n, kind, round(n / (int(row.sum()) or 1), 3))


def _wrong(row: np.ndarray, right: int) -> str:
    n = int(row.sum())
    return share((n - right) / n) if n else "no rows"


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """One column. asked: at how many nodes; missing, unknown: such cells of the rows on the page."""

    name: str
    kind: str
    importance: float
    asked: int
    missing: int
    unknown: int


def columns(tree: Tree, evidence: Evidence | None) -> list[ColumnLine]:
    """The columns, the most important ones first; at most MOST_COLUMNS."""
    importance = tree.feature_importances
    asked = np.bincount(tree.feature[tree.feature >= 0], minlength=tree.n_features)
    none = np.zeros(tree.n_features, dtype=np.int64)
    missing, unknown = (none, none) if evidence is None else (evidence.missing, evidence.unknown)
    order = np.lexsort((np.arange(tree.n_features), -asked, -importance))[:MOST_COLUMNS].tolist()
    schema = tree.schema.columns
    return [
        ColumnLine(
            shown(schema[j].name),
            schema[j].kind.value,
            float(importance[j]),
            int(asked[j]),
            int(missing[j]),
            int(unknown[j]),
        )
        for j in order
    ]


@dataclass(frozen=True, slots=True)
class Field:
    """Where a cell of a column that is asked about is typed in."""

    place: int
    name: str
    hint: str


def asked_columns(tree: Tree) -> list[Field]:
    """The columns that are asked about, the one asked first first."""
    asked, first = np.unique(tree.feature[tree.feature >= 0], return_index=True)
    schema = tree.schema.columns
    places = asked[np.argsort(first, kind="stable")].tolist()
    return [Field(j, shown(schema[j].name), HINTS.get(schema[j].kind, "")) for j in places]
