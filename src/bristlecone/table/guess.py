"""What the columns of a file were taken for, and the two doubts that matter.

codes        a column of whole numbers whose values look like names: leading zeros, a name such as "zip", or few values
             far apart. Read as numbers, "code < 50" is a question without meaning.
identifier   a column of text most of whose cells hold a value of their own, or of numbers that count the rows: it
             splits the rows it was grown on perfectly and says nothing about others.
"""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from bristlecone.table.schema import Kind

_CODE_WORDS = frozenset({"zip", "zipcode", "postcode", "postal", "plz", "code", "id", "fips", "icd", "sku"})
LEADING_ZEROS = "numbers with leading zeros"
_FEW = 50
_ROWS_PER_CODE = 10
_ENOUGH_ROWS = 20


class Doubt(enum.StrEnum):
    """What a column may be, other than what it was taken for; "" for no doubt."""

    NONE = ""
    CODES = "looks like codes"
    IDENTIFIER = "looks like an identifier"


@dataclass(frozen=True, slots=True)
class ColumnGuess:
    """One column of a file as it was taken: kind, number of different present values and of missing cells, doubt.

    reason says what raised the doubt.
    """

    name: str
    kind: Kind
    n_distinct: int
    n_missing: int
    doubt: Doubt = Doubt.NONE
    reason: str = ""


def guess_columns(frame: nw.DataFrame[Any], leading_zeros: Collection[str] = ()) -> tuple[ColumnGuess, ...]:
    """What each column of a frame was taken for. leading_zeros: columns whose numbers were written with some."""
    return tuple(_guess(series, series.name in leading_zeros) for series in frame.iter_columns())


def kind_of(series: nw.Series[Any]) -> Kind:
    """The kind that a column of a frame has as a table's column."""
    dtype = series.dtype
    if dtype.is_numeric() or series.null_count() == len(series):
        return Kind.NUMERIC
    if isinstance(dtype, nw.Boolean):
        return Kind.BOOLEAN
    if isinstance(dtype, nw.Date):
        return Kind.DATE
    return Kind.DATETIME if isinstance(dtype, nw.Datetime) else Kind.CATEGORY


def _guess(series: nw.Series[Any], leading_zeros: bool) -> ColumnGuess:
    kind = kind_of(series)
    present = series.drop_nulls()
    if present.dtype.is_float():
        present = present.filter(~present.is_nan())
    n_missing = len(series) - len(present)
    try:
        n_distinct = present.n_unique()
    except Exception:  # a type without equality (nested, opaque); the table refuses it by name
        return ColumnGuess(series.name, kind, len(present), n_missing)
    doubt, reason = Doubt.NONE, ""
    if kind is Kind.NUMERIC and len(present):
        doubt, reason = _doubt_number(present, n_distinct, leading_zeros)
    elif isinstance(series.dtype, nw.String):
        doubt, reason = _doubt_text(present, n_distinct)
    return ColumnGuess(series.name, kind, n_distinct, n_missing, doubt, reason)


def _doubt_text(present: nw.Series[Any], n_distinct: int) -> tuple[Doubt, str]:
    n_present = len(present)
    if n_present < _ENOUGH_ROWS or n_distinct * 2 <= n_present:
        return Doubt.NONE, ""
    if n_distinct * 10 >= n_present * 9:
        return Doubt.IDENTIFIER, f"{n_distinct:,} different values in {n_present:,} cells"
    n_alone = int((present.value_counts(name="n")["n"] == 1).sum())
    if n_alone * 2 > n_present:
        return Doubt.IDENTIFIER, f"{n_alone:,} of {n_present:,} cells hold a value of their own"
    return Doubt.NONE, ""


def _doubt_number(present: nw.Series[Any], n_distinct: int, leading_zeros: bool) -> tuple[Doubt, str]:
    if leading_zeros:
        return Doubt.CODES, LEADING_ZEROS
    if not math.isfinite(present.sum()):
        return Doubt.NONE, ""
    if not present.dtype.is_integer() and (present[0] % 1 or not (present == present.round(0)).all()):
        return Doubt.NONE, ""
    span = int(present.max()) - int(present.min()) + 1
    if n_distinct == len(present) == span and n_distinct >= _ENOUGH_ROWS:
        return Doubt.IDENTIFIER, "it numbers the rows"
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", present.name)}
    if n_distinct > 2 and words & _CODE_WORDS:
        if n_distinct == len(present) >= _ENOUGH_ROWS:
            return Doubt.IDENTIFIER, f"{n_distinct:,} different whole numbers, and its name"
        return Doubt.CODES, "whole numbers, and its name"
    few = 2 < n_distinct <= _FEW and n_distinct * _ROWS_PER_CODE <= len(present)
    if few and _far_apart(present.unique().to_numpy()):
        return Doubt.CODES, f"only {n_distinct} different whole numbers, far apart"
    return Doubt.NONE, ""


def _far_apart(values: npt.NDArray[Any]) -> bool:
    """Whether most steps between neighbours are wide, and not all the same as on a scale (0, 10, 20)."""
    steps = np.diff(np.sort(values.astype(np.float64)))
    return bool(np.median(steps) > 1 and (steps != steps[0]).any())
