"""Targets and weights as the core takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["ClassTarget", "as_floats", "check_weights", "class_target", "numeric_target"]

Floats = npt.NDArray[np.float64]

# Whole labels in a range of this many are coded by counting instead of sorting.
_COUNTED_RANGE = 1 << 16
# Beyond this the square of a range overflows.
_LARGEST_RANGE = 1e150


@dataclass(frozen=True, slots=True)
class ClassTarget:
    """Labels as codes. classes: (K,) original labels, ascending; codes: (n_rows,) int32."""

    classes: npt.NDArray[Any]
    codes: npt.NDArray[np.int32]

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.classes)

    def live(self, weights: Floats | None) -> npt.NDArray[np.int32]:
        """The codes of the classes that have a row of positive weight, ascending."""
        codes = self.codes if weights is None else self.codes[weights > 0]
        return np.flatnonzero(np.bincount(codes, minlength=self.n_classes)).astype(np.int32)

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
        unknown = [label for label in given if label not in labels]
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
            label, value = self.classes[k : k + 1].tolist()[0], float(values[k])
            raise ValueError(f"{name}: class {label!r} has {value!r}; expected a finite number >= 0")
        return values


def class_target(y: Any) -> ClassTarget:
    """Code the labels y, shape (n_rows,) or (n_rows, 1). Raises ValueError for a missing label, naming its row."""
    labels = _column(y)
    kind = labels.dtype.kind
    if kind in "fmM":
        _refuse(np.isnan(labels) if kind == "f" else np.isnat(labels), "y", labels, "is missing")
    if kind == "O":
        _refuse(np.array([_is_missing(label) for label in labels]), "y", labels, "is missing")
    if kind in "biuf":
        return _coded_by_counting(labels) or _coded_by_sorting(labels)
    if kind in "OU":
        return _coded_by_hashing(labels)
    return _coded_by_sorting(labels)


def _is_missing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)
    except TypeError:  # pandas.NA has no truth
        return True


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
    low, high = labels.min(), labels.max()
    if not (low >= -(2**53) and high <= 2**53 and int(high) - int(low) < _COUNTED_RANGE):
        return None
    whole = labels.astype(np.int64)
    if labels.dtype.kind == "f" and (whole != labels).any():
        return None
    whole -= int(low)
    present = np.bincount(whole, minlength=int(high) - int(low) + 1) > 0
    code_of = (np.cumsum(present) - 1).astype(np.int32)
    classes = (np.flatnonzero(present) + int(low)).astype(labels.dtype)
    return ClassTarget(classes, code_of[whole])


def numeric_target(y: Any, criterion: str) -> Floats:
    """A finite float64 target, shape (n_rows,). Raises ValueError naming the row; Poisson needs y >= 0, not all 0."""
    column = _column(y)
    if column.dtype.kind not in "biuf":
        try:
            column = column.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"y has dtype {column.dtype}; {criterion} needs numbers") from error
    values = np.ascontiguousarray(column, dtype=np.float64)
    if not np.isfinite(values.sum()):
        _refuse(~np.isfinite(values), "y", values, "is not finite")
    if criterion == "poisson":
        _refuse(values < 0, "y", values, "is negative, which the poisson criterion cannot take")
        if not values.any():
            raise ValueError("y is zero in every row, which the poisson criterion cannot take")
    low, high = float(values.min()), float(values.max())
    if high / 2 - low / 2 > _LARGEST_RANGE:
        raise ValueError(f"y spans {low!r} to {high!r}: squares would overflow; rescale the target")
    return values


def check_weights(sample_weight: Any, n_rows: int) -> Floats | None:
    """Row weights, shape (n_rows,): finite, >= 0, not all zero. None stays None."""
    if sample_weight is None:
        return None
    weights = np.ascontiguousarray(as_floats(sample_weight, "sample_weight"))
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n_rows},)")
    _refuse(~(np.isfinite(weights) & (weights >= 0)), "sample_weight", weights, "is not a finite number >= 0")
    if not weights.any():
        raise ValueError("sample_weight is zero in every row")
    return weights


def as_floats(given: Any, name: str) -> Floats:
    """A parameter as float64; ValueError that names it when it is not made of numbers."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be made of numbers; got {given!r:.100}") from error


def _column(y: Any) -> npt.NDArray[Any]:
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"y has shape {values.shape}; one target column is expected")
    if len(values) == 0:
        raise ValueError("y has no rows")
    return values


def _refuse(bad: npt.NDArray[np.bool_], name: str, values: npt.NDArray[Any], what: str) -> None:
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        value = values[row].item() if isinstance(values[row], np.generic) else values[row]
        raise ValueError(f"{name}, row {row}: {value!r} {what}")
