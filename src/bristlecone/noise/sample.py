"""What an adversary sees and does: rows with labels, and which of them become others.

sample     the rows before corruption, as a Table and as codes of the classes.
budget     k = floor(eta n): how many rows an adversary may replace.
change     which rows, the labels that they get, and from which rows they take their cells.
pool       the rows that cells come from: the sample's own, then those of a second table where there is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import numpy.typing as npt

from bristlecone.grow.chance import Rng, generator
from bristlecone.grow.parameters import check_parameters, number
from bristlecone.grow.targets import ClassTarget, class_target, plain, refuse_rows
from bristlecone.noise.questions import Question, Questions
from bristlecone.table import Table, as_table, frame_of
from bristlecone.table.rows import check_same_rows

__all__ = ["Change", "Corrupted", "Sample", "corrupt"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]
Mask = npt.NDArray[np.bool_]


class Corrupted(NamedTuple):
    """A corrupted sample. X: of the kind that was given, rows that lay in lists as an array where their cells changed;
    y: (n_rows,) labels; indices: corrupted rows, ascending."""

    X: Any
    y: npt.NDArray[Any]
    indices: npt.NDArray[np.intp]


@dataclass(frozen=True)
class Sample:
    """The rows before corruption. other: the second table and its labels' codes, where there is one."""

    table: Table
    target: ClassTarget
    other: tuple[Table, npt.NDArray[np.int32]] | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows, which no adversary changes."""
        return self.table.n_rows

    @cached_property
    def second(self) -> Mask:
        """Which rows are of the second class, (n_rows,). ValueError unless there are two."""
        if self.target.n_classes != 2:
            raise ValueError(f"this adversary needs two classes; y has {self.target.n_classes}")
        second: Mask = self.target.codes == 1
        return second

    @cached_property
    def questions(self) -> Questions:
        """The class H of the table."""
        return Questions(self.table)

    def best_question(self) -> tuple[Question | None, Mask]:
        """The question h of the largest |Cov(h, y)| at the root, and which rows it holds for, so that Cov >= 0."""
        rows = np.arange(self.n_rows)
        best = self.questions.best(rows, self.second)
        if best is None:
            return None, np.zeros(self.n_rows, dtype=bool)
        holds = self.questions.answers(best, rows)
        return best, holds if best.covariance >= 0 else ~holds

    def own_standing(self) -> Floats:
        """How far the cells of every row stand on the side of its own class, (n_rows,). See `Questions.standing`."""
        standing = self.questions.standing(self.second)
        return np.where(self.second, standing, -standing)

    def other_labels(self, rows: Ints, rng: Rng) -> npt.NDArray[np.int32]:
        """For each of some rows a class that is not its own, each with the same chance."""
        k = self.target.n_classes
        if k < 2:
            raise ValueError(f"y has one class only, {self.target.label(0)!r}: there is no other label")
        shifted: npt.NDArray[np.int32] = (self.target.codes[rows] + rng.integers(1, k, len(rows))) % k
        return shifted.astype(np.int32)

    def random_rows(self, k: int, rng: Rng) -> Ints:
        """k different rows, each set with the same chance."""
        return rng.choice(self.n_rows, k, replace=False)


@dataclass(frozen=True, slots=True)
class Change:
    """rows: (k,) different places; codes: (k,) the classes they get; sources: None where they keep their cells, else
    (k,) places in the pool, or (k, n_columns) a place for each cell."""

    rows: Ints
    codes: npt.NDArray[np.int32]
    sources: Ints | None = None


Adversary = Callable[[Sample, float, Rng], Change]


def corrupt(X: Any, y: Any, eta: Any, random_state: Any, adversary: Adversary, other: Any = None) -> Corrupted:
    """Read X and y, let the adversary change them, and give them back as they came.

    other: (X, y) of a second table. Raises ValueError or TypeError naming the parameter, column or row.
    """
    check_parameters({"eta": eta}, {"eta": number(0.0, 1.0)})
    table, target = as_table(X), class_target(y)
    check_same_rows(table.n_rows, len(target.codes))
    table.refuse_infinite()
    _refuse_numbers(target)
    second = None if other is None else _second_table(other, table, target)
    change = adversary(Sample(table, target, second), float(eta), generator(random_state))
    codes = target.codes.copy()
    codes[change.rows] = change.codes
    cells = X if change.sources is None else _taken(X, table, change, None if other is None else other[0])
    return Corrupted(cells, target.classes[codes], np.sort(change.rows).astype(np.intp))


def _refuse_numbers(target: ClassTarget) -> None:
    """Labels are classes: of numbers that are not whole there is no other label to give."""
    if target.classes.dtype.kind == "f":
        broken = (target.classes != np.floor(target.classes))[target.codes]
        refuse_rows(broken, "y", target.classes[target.codes], "is no class: adversaries corrupt classes, not numbers")


def budget(eta: float, n_rows: int) -> int:
    """floor(eta n), eta as it is written: 0.29 of 100 rows are 29."""
    return math.floor(Fraction(repr(eta)) * n_rows)


def _second_table(other: Any, table: Table, target: ClassTarget) -> tuple[Table, npt.NDArray[np.int32]]:
    if not isinstance(other, tuple | list) or len(other) != 2:
        raise TypeError(f"the other table must be a pair (X, y); got {type(other).__name__}")
    rows, labels = table.schema.read(other[0]), class_target(other[1])
    if rows.n_rows != len(labels.codes):
        raise ValueError(f"the other table has {rows.n_rows} rows but {len(labels.codes)} labels")
    code_of = {plain(label): code for code, label in enumerate(target.classes)}
    unknown = [label for label in map(plain, labels.classes) if label not in code_of]
    if unknown:
        raise ValueError(f"the other table has the label {unknown[0]!r}, which y does not have")
    places = np.array([code_of[plain(label)] for label in labels.classes], dtype=np.int32)
    return rows, places[labels.codes]


def _taken(X: Any, table: Table, change: Change, other: Any) -> Any:
    """X with the changed rows' cells taken from the pool."""
    assert change.sources is not None
    index = np.arange(table.n_rows)
    if change.sources.ndim == 2:
        index = np.repeat(index[:, None], len(table.schema), axis=1)
    index[change.rows] = change.sources
    if isinstance(X, Table):
        return _of_table(X, index, None if other is None else X.schema.read(other))
    frame = nw.from_native(frame_of(X), eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return _of_frame(frame, index, other)
    pool = np.asarray(X) if other is None else np.concatenate([np.asarray(X), np.asarray(other)])
    return pool[index] if index.ndim == 1 else np.take_along_axis(pool, index, axis=0)


def _of_table(table: Table, index: Ints, other: Table | None) -> Table:
    pool = table.columns
    if other is not None:
        pool = tuple(np.concatenate([mine, theirs]) for mine, theirs in zip(pool, other.columns, strict=True))
    places = index if index.ndim == 2 else np.broadcast_to(index[:, None], (len(index), len(pool)))
    return Table(table.schema, [column[places[:, j]] for j, column in enumerate(pool)], len(index), table.notes)


def _of_frame(frame: nw.DataFrame[Any], index: Ints, other: Any) -> Any:
    pool = frame
    if other is not None:
        second = nw.from_native(frame_of(other), eager_only=True, pass_through=True)
        if not isinstance(second, nw.DataFrame) or second.implementation is not frame.implementation:
            raise TypeError("the other table must be a frame of the same library as X")
        same = list(second.columns) == list(frame.columns)
        pool = nw.concat(_of_one_type(frame, second if same else second.select(frame.columns)), how="vertical")
    if index.ndim == 1:
        taken = pool[index, :]
    else:
        columns = [series[index[:, j]] for j, series in enumerate(pool.iter_columns())]
        taken = pool[np.arange(len(index)), :].with_columns(*columns)
    native, names = taken.to_native(), getattr(frame.to_native(), "index", None)
    return native if names is None else native.set_axis(names)  # pandas: rows keep their own names


_TEXTS = (nw.String, nw.Categorical, nw.Enum)


def _of_one_type(frame: nw.DataFrame[Any], second: nw.DataFrame[Any]) -> list[nw.DataFrame[Any]]:
    """Both frames, with columns of one type: floats where whole numbers stand beside them, text beside categories.

    Raises TypeError naming the column whose cells cannot stand in the other's.
    """
    both = []
    for one, other in ((frame, second), (second, frame)):
        types = {name: _shared(name, frame.schema[name], second.schema[name]) for name in frame.columns}
        cast = [nw.col(name).cast(dtype) for name, dtype in types.items() if one.schema[name] != other.schema[name]]
        both.append(one.with_columns(*cast) if cast else one)
    return both


def _shared(name: str, mine: Any, theirs: Any) -> Any:
    if mine == theirs:
        return mine
    if mine.is_numeric() and theirs.is_numeric():
        return nw.Int64 if mine.is_integer() and theirs.is_integer() else nw.Float64
    if isinstance(mine, _TEXTS) and isinstance(theirs, _TEXTS):
        return nw.String
    raise TypeError(f"column {name!r} of the other table is of type {theirs}, and of type {mine} in X")
