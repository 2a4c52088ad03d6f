"""Rows known by what they hold: numbers for their contents, and marks that shuffle such numbers.

content    the cells of a row, or its cells and its target. Contents are numbered in order, column by column, so that a
           number depends on which contents there are, and on nothing else: not on the order of rows, on copies, on the
           codes of levels, or on the units of a column.
mark       64 bits that stand for a number or a value, and look like chance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.table import Table

__all__ = ["Contents", "seeded", "value_marks"]

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Marks = npt.NDArray[np.uint64]

_ALL_BITS = (1 << 64) - 1
_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class Contents:
    """Rows in groups of equal content, refined column by column; only rows that are still together are looked at.

    start: (n_rows,), how many rows hold less than this row's content; tied: the rows that are not alone with theirs.
    """

    def __init__(self, n_rows: int) -> None:
        self.start = np.zeros(n_rows, dtype=np.int64)
        self.tied = np.arange(n_rows) if n_rows > 1 else np.arange(0)

    @classmethod
    def of_cells(cls, table: Table, rows: Array) -> Contents:
        """The contents of some rows of a table, by their cells. Levels are in the order of their marks."""
        contents = cls(len(rows))
        for column, values in zip(table.schema.columns, table.columns, strict=True):
            if len(contents.tied) == 0:
                break
            if column.categorical:
                contents.refine(np.argsort(np.argsort(value_marks(column.levels)))[values[rows]])
            else:
                contents.refine(values[rows])
        return contents

    def refine(self, values: Array) -> None:
        """Part the groups by a further value of every row, (n_rows,); all NaNs are one."""
        if len(self.tied) == 0:
            return
        order = self.tied[np.lexsort((values[self.tied], self.start[self.tied]))]
        group, value = self.start[order], values[order]
        place = np.arange(len(order))
        of_group = np.concatenate([[True], group[1:] != group[:-1]])
        differs = (value[1:] != value[:-1]) & ~((value[1:] != value[1:]) & (value[:-1] != value[:-1]))
        of_part = of_group | np.concatenate([[True], differs])
        first_of_group, first_of_part = (np.maximum.accumulate(np.where(new, place, 0)) for new in (of_group, of_part))
        self.start[order] = group + first_of_part - first_of_group
        alone = of_part & np.concatenate([of_part[1:], [True]])
        self.tied = order[~alone]

    def numbers(self) -> Ints:
        """The contents' numbers, from 0 on, (n_rows,)."""
        held = np.zeros(len(self.start), dtype=np.bool_)
        held[self.start] = True
        numbers: Ints = (np.cumsum(held) - 1)[self.start]
        return numbers


def seeded(marks: npt.ArrayLike, seed: int) -> Marks:
    """Other marks for the same things, (n,), in another order for every seed."""
    start = _mixed(np.array([_ODD ^ np.uint64(seed & _ALL_BITS)]))
    return _mixed(_mixed(_mixed(np.asarray(marks).astype(np.uint64) ^ start)))


def _mixed(state: Marks) -> Marks:
    """A permutation of all 64-bit numbers that carries every bit upwards, and the upper half down."""
    state = state * _ODD
    state ^= state >> _HALF
    return state


def value_marks(values: Iterable[Hashable]) -> Marks:
    """A mark for each level or label, and after them one for an unseen and one for a missing level.

    The codes -2 and -1 so find theirs. Two values that are one level (1, 1.0, True) have one mark.
    """
    found = [_value_mark(value) for value in values]
    return np.array([*found, _value_mark("unseen", "code"), _value_mark("missing", "code")], dtype=np.uint64)


def _value_mark(value: Hashable, kind: str | None = None) -> int:
    if kind is None:
        kind, value = _named(value)
    said = f"{kind} {value!r}"
    return int.from_bytes(hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _named(value: Hashable) -> tuple[str, Hashable]:
    """The value in the one form that its equals share, and the kind of it."""
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, Number):
        return type(plain).__name__, plain
    exact: Any = plain  # whatever Fraction takes
    try:
        return "number", Fraction(exact)
    except (OverflowError, TypeError, ValueError):
        return "number", repr(plain)
