"""Rows known by what they hold: one 64-bit number for the cells of a row, one for its cells and its target.

mark       the number of a content, for a seed. It depends on nothing else: not on other rows, not on their order, not
           on the codes that levels and labels have in this table.
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

__all__ = ["cell_marks", "joined", "number_marks", "seeded", "value_marks"]

Marks = npt.NDArray[np.uint64]

_BLOCK_ROWS = 1 << 14  # rows whose marks stay in a near cache while the columns pass
_ALL_BITS = (1 << 64) - 1
_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def cell_marks(table: Table, seed: int) -> Marks:
    """The mark of every row's cells, (n_rows,).

    Numbers are marked by their value as float64 (0.0 and -0.0 are one, all NaNs are one), levels by what they are.
    """
    columns = [
        (values, value_marks(column.levels) if column.categorical else None)
        for column, values in zip(table.schema.columns, table.columns, strict=True)
    ]
    marks = np.empty(table.n_rows, dtype=np.uint64)
    start = seeded(np.array([_ODD]), seed)
    for first in range(0, table.n_rows, _BLOCK_ROWS):
        block = slice(first, min(first + _BLOCK_ROWS, table.n_rows))
        state = np.repeat(start, block.stop - block.start)
        for values, levels in columns:
            cells = number_marks(values[block]) if levels is None else levels[values[block]]
            state = _mixed(cells ^ state)
        marks[block] = state
    return marks


def joined(marks: Marks, others: Marks) -> Marks:
    """One mark for two things."""
    return _mixed(_mixed(_mixed(_mixed(marks) ^ others)))


def seeded(marks: Marks, seed: int) -> Marks:
    """Other marks for the same things, in another order for every seed."""
    return joined(np.array([_ODD ^ np.uint64(seed & _ALL_BITS)]), marks)


def _mixed(state: Marks) -> Marks:
    """A permutation of all 64-bit numbers that carries every bit upwards, and the upper half down."""
    state = state * _ODD
    state ^= state >> _HALF
    return state


def number_marks(values: npt.NDArray[Any]) -> Marks:
    """The bits of numbers as float64; equal numbers have equal bits."""
    numbers = values.astype(np.float64) + 0.0
    numbers[numbers != numbers] = np.nan
    return numbers.view(np.uint64)


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
