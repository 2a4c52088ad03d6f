"""Targets and weights as the core takes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.table import is_missing, whole_numbers
from bristlecone.table.rows import take_rows

__all__ = [
    "ClassTarget",
    "as_floats",
    "check_total",
    "check_weights",
    "class_target",
    "numeric_target",
    "plain",
    "present_rows",
    "refuse_continuous",
    "refuse_masked",
    "refuse_rows",
]

Floats = npt.NDArray[np.float64]

# Whole labels in a range of this many are coded by counting instead of sorting.
_COUNTED_RANGE = 1 << 16
MANY_FRACTIONS = 20  # as labels are no classes, where most rows have their own
# Beyond this the square of a range overflows.
_LARGEST_RANGE = 1e150
_LARGEST_SUM = 1e290


@dataclass(frozen=True, slots=True)
class ClassTarget:
    """Labels as codes. classes: (K,) original labels, ascending; codes: (n_rows,) int32."""

    classes: npt.NDArray[Any]
    codes: npt.NDArray[np.int32]

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.classes)

    def label(self, code: int) -> Any:
        """The label of a class as a message shows it."""
        return plain(self.classes[code])

    def live(self, weights: Floats | None) -> npt.NDArray[np.int32] | None:
        """The codes of the classes that have a row of positive weight, ascending; None when these are all classes."""
        if weights is None:
            return None
        present = np.bincount(self.codes[weights > 0], minlength=self.n_classes) > 0
        return None if present.all() else np.flatnonzero(present).astype(np.int32)

    def per_class(self, given: Any, name: str) -> Floats:
        """One number a class from a mapping by label or a sequence in the order of `classes`."""
        if isinstance(given, Mapping):
            return self._from_mapping(given, name)
        values = as_floats(given, name)
        if values.shape != (self.n_classes,):
            raise ValueError(f"{name} must hold one number for each of the {self.n_classes} classes; got {given!r}")
        return self._checked(values, name)

    def _from_mapping(self, given: Mapping[Any, float], name: str) -> Floats:
        labels = self.classes.tolist()
        unknown = [plain(label) for label in given if label not in labels]
        if unknown:
            raise ValueError(f"{name}: {unknown[0]!r} is not a class; the classes are {labels!r}")
        absent = [label for label in labels if label not in given]
        if absent and name != "class_weight":  # a class without a weight counts once, as in scikit-learn
            raise ValueError(f"{name}: class {absent[0]!r} has no entry")
        return self._checked(as_floats([given.get(label, 1.0) for label in labels], name), name)

    def _checked(self, values: Floats, name: str) -> Floats:
        bad = ~(np.isfinite(values) & (values >= 0))
        if bad.any():
            k = int(np.flatnonzero(bad)[0])
            raise ValueError(f"{name}: class {self.label(k)!r} has {float(values[k])!r}; expected a finite number >= 0")
        return values


def class_target(y: Any) -> ClassTarget:
    """Code the labels y, shape (n_rows,) or (n_rows, 1). Raises ValueError for a missing label, naming its row."""
    labels = _column(y)
    kind = labels.dtype.kind
    if kind in "fmM":
        refuse_rows(np.isnan(labels) if kind == "f" else np.isnat(labels), "y", labels, "is missing")
    if kind == "O":
        refuse_rows(np.array([is_missing(label) for label in labels]), "y", labels, "is missing")
    if kind in "biuf":
        return _coded_by_counting(labels) or _coded_by_sorting(labels)
    if kind in "OU":
        return _coded_by_hashing(labels)
    return _coded_by_sorting(labels)


def refuse_continuous(y: Any, way_out: str) -> None:
    """Raises ValueError for a target of classes that is numbers: many, not whole, and most of them different."""
    labels = _column(y)
    if labels.dtype.kind != "f" or not (labels % 1 != 0).any():
        return
    n_different = len(np.unique(labels))
    if n_different > MANY_FRACTIONS and 2 * n_different > len(labels):
        raise ValueError(
            f"y: {n_different:,} different numbers in {len(labels):,} rows, such as {float(labels[0])!r}, are no "
            f"labels of classes; {way_out}"
        )


def _coded_by_sorting(labels: npt.NDArray[Any]) -> ClassTarget:
    classes, codes = np.unique(labels, return_inverse=True)
    return ClassTarget(classes, codes.astype(np.int32))


def _coded_by_hashing(labels: npt.NDArray[Any]) -> ClassTarget:
    """As by sorting, but only the distinct labels are sorted: comparing text is slow."""
    cells = labels.tolist()
    try:
        distinct = sorted(set(cells))
    except TypeError as error:
        raise ValueError("y: labels of different types cannot be put in order") from error
    code_of = {label: code for code, label in enumerate(distinct)}
    codes = np.fromiter(map(code_of.__getitem__, cells), np.int32, len(cells))
    classes = np.empty(len(distinct), labels.dtype)
    classes[:] = distinct
    return ClassTarget(classes, codes)


def _coded_by_counting(labels: npt.NDArray[Any]) -> ClassTarget | None:
    """The codes of whole numbers in a small range; None for other numbers."""
    whole = whole_numbers(labels)
    coded = None if whole is None else _core.code_labels(whole, _COUNTED_RANGE)
    if coded is None:
        return None
    classes, codes = coded
    return ClassTarget(np.frombuffer(classes, np.int64).astype(labels.dtype), np.frombuffer(codes, np.int32))


def numeric_target(y: Any, criterion: str) -> Floats:
    """A finite float64 target, shape (n_rows,). Raises ValueError naming the row; Poisson needs y >= 0, not all 0.

    A whole number that float64 cannot hold is refused, as the table refuses it in X.
    """
    column = _column(y)
    if column.dtype.kind not in "biufO":
        raise ValueError(f"y has dtype {column.dtype}; {criterion} needs numbers")
    if column.dtype.kind == "O":
        refuse_rows(np.array([is_missing(value) for value in column]), "y", column, "is missing")
        refuse_rows(np.array([not _is_number(value) for value in column]), "y", column, "is not a number")
    values = np.ascontiguousarray(column) if column.dtype == np.float64 else _converted(column, criterion)
    if column.dtype.kind in "iuO":
        _refuse_rounded(column, values)
    low, high = values.min().item(), values.max().item()
    if not (math.isfinite(low) and math.isfinite(high)):
        refuse_rows(~np.isfinite(values), "y", values, "is not finite")
    if criterion == "poisson":
        refuse_rows(values < 0, "y", values, "is negative, which the poisson criterion cannot take")
        if not values.any():
            raise ValueError("y is zero in every row, which the poisson criterion cannot take")
    if high / 2 - low / 2 > (_LARGEST_RANGE if criterion == "squared_error" else _LARGEST_SUM):
        what = "squares" if criterion == "squared_error" else "sums"
        raise ValueError(f"y spans {low!r} to {high!r}: {what} would overflow; rescale the target")
    return values


def _converted(column: npt.NDArray[Any], criterion: str) -> Floats:
    try:
        with np.errstate(over="ignore"):  # what becomes infinite is refused by the caller
            return np.ascontiguousarray(column, dtype=np.float64)
    except OverflowError:
        row = next(row for row, value in enumerate(column) if _is_huge(value))
        raise ValueError(f"y, row {row}: the number is beyond the range of float64 (1.8e308)") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"y has dtype {column.dtype}; {criterion} needs numbers") from error


def check_weights(sample_weight: Any, n_rows: int) -> Floats | None:
    """Row weights, shape (n_rows,): finite, >= 0, not all zero. None stays None."""
    if sample_weight is None:
        return None
    refuse_masked(sample_weight, "sample_weight")
    weights = np.ascontiguousarray(as_floats(sample_weight, "sample_weight"))
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n_rows},)")
    refuse_rows(~(np.isfinite(weights) & (weights >= 0)), "sample_weight", weights, "is not a finite number >= 0")
    if not weights.any():
        raise ValueError("sample_weight is zero in every row")
    check_total(weights, "sample_weight")
    return weights


def present_rows(X: Any, y: npt.NDArray[Any], sample_weight: Any) -> tuple[Any, npt.NDArray[Any], Floats | None]:
    """The rows that weigh something, with their labels and weights. ValueError for fewer than two of them."""
    weight = check_weights(sample_weight, len(y))
    if weight is not None and not weight.all():
        rows = np.flatnonzero(weight)
        X, y, weight = take_rows(X, rows), y[rows], weight[rows]
    if len(y) < 2:
        where = "X has" if sample_weight is None else "sample_weight is above zero in"
        raise ValueError(f"{where} one row only, and at least two are needed")
    return X, y, weight


def check_total(weights: Floats, name: str) -> None:
    """Raise ValueError naming the parameter when weights sum to more than a float64 can hold."""
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not np.isfinite(total):
        raise ValueError(f"{name}: the weights sum to more than 1.8e308; divide them by a constant")


def refuse_masked(values: Any, name: str) -> None:
    """Raise ValueError naming the first masked row of a masked array, whose mask would be lost."""
    if isinstance(values, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(values)
        if masked.any():
            raise ValueError(f"{name}, row {int(np.argwhere(masked)[0][0])}: the value is masked; leave the row out")


def plain(label: Any) -> Any:
    """A label as Python's own value, so that messages show 2 and not np.int64(2); datetimes stay what they are."""
    return label.item() if isinstance(label, np.generic) and label.dtype.kind not in "mM" else label


def as_array(given: Any) -> npt.NDArray[Any]:
    """As numpy's array; of objects where numpy has no such type, as for polars' whole numbers of 128 bits."""
    try:
        return np.asarray(given)
    except (TypeError, ValueError):
        raise
    except Exception:  # a library's own kind of refusal
        return np.array(list(given), dtype=object)


def as_floats(given: Any, name: str) -> Floats:
    """A parameter as float64; ValueError that names it when it is not made of numbers."""
    try:
        return np.asarray(as_array(given), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be made of numbers; got {given!r:.100}") from error


def _refuse_rounded(column: npt.NDArray[Any], values: Floats) -> None:
    large = np.flatnonzero(np.abs(values) >= 2.0**53)
    if len(large):
        bad = np.zeros(len(values), dtype=bool)
        bad[large] = [isinstance(column[i], Integral) and int(column[i]) != int(values[i]) for i in large]
        refuse_rows(bad, "y", column, "is not exact in float64; subtract a constant from y")


def _is_number(value: Any) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, str | bytes)


def _is_huge(value: Any) -> bool:
    try:
        float(value)
    except OverflowError:
        return True
    return False


def _column(y: Any) -> npt.NDArray[Any]:
    refuse_masked(y, "y")
    values = as_array(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"y has shape {values.shape}; one target column is expected")
    if len(values) == 0:
        raise ValueError("y has no rows")
    return values


def refuse_rows(bad: npt.NDArray[np.bool_], name: str, values: npt.NDArray[Any], what: str) -> None:
    """Raise ValueError naming the first row where `bad`, with its value and what is wrong with it."""
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise ValueError(f"{name}, row {row}: {plain(values[row])!r} {what}")
