"""Targets and weights as the core takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["ClassTarget", "check_weights", "class_target", "numeric_target"]

Floats = npt.NDArray[np.float64]

# Integer labels in a range of this many are coded by counting instead of sorting.
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

    def rows_per_class(self) -> npt.NDArray[np.int64]:
        """(K,) rows."""
        return np.bincount(self.codes, minlength=self.n_classes)

    def per_class(self, given: Any, name: str) -> Floats:
        """One number a class from a mapping by label or a sequence in the order of `classes`."""
        if isinstance(given, Mapping):
            return self._from_mapping(given, name)
        values = np.asarray(given, dtype=np.float64)
        if values.shape != (self.n_classes,):
            raise ValueError(f"{name} must hold one number for each of the {self.n_classes} classes; got {given!r}")
        return self._checked(values, name)

    def _from_mapping(self, given: Mapping[Any, float], name: str) -> Floats:
        labels = self.classes.tolist()
        unknown = [label for label in given if label not in labels]
        if unknown:
            raise ValueError(f"{name}: {unknown[0]!r} is not a class; the classes are {labels!r}")
        return self._checked(np.array([float(given.get(label, 1.0)) for label in labels]), name)

    def _checked(self, values: Floats, name: str) -> Floats:
        bad = ~(np.isfinite(values) & (values >= 0))
        if bad.any():
            k = int(np.flatnonzero(bad)[0])
            raise ValueError(f"{name}: class {self.classes[k]!r} has {values[k]}; expected a finite number >= 0")
        return values


def class_target(y: Any) -> ClassTarget:
    """Code the labels y, shape (n_rows,) or (n_rows, 1). Raises ValueError for a missing label, naming its row."""
    labels = _column(y)
    if labels.dtype.kind == "b":
        labels = labels.astype(bool, copy=False)
    if labels.dtype.kind in "fmM":
        _refuse(np.isnan(labels) if labels.dtype.kind == "f" else np.isnat(labels), "y", labels, "is missing")
    if labels.dtype.kind == "O":
        _refuse(np.array([label is None or label != label for label in labels]), "y", labels, "is missing")
    if labels.dtype.kind in "biu":
        return _counted(labels)
    try:
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise ValueError("y: labels of different types cannot be put in order") from error
    return ClassTarget(classes, codes.astype(np.int32))


def _counted(labels: npt.NDArray[Any]) -> ClassTarget:
    low, high = int(labels.min()), int(labels.max())
    if high - low >= _COUNTED_RANGE:
        classes, codes = np.unique(labels, return_inverse=True)
        return ClassTarget(classes, codes.astype(np.int32))
    offset = labels.astype(np.int64) - low if labels.dtype.kind != "b" else labels.astype(np.int64) - low
    present = np.bincount(offset, minlength=high - low + 1) > 0
    code_of = (np.cumsum(present) - 1).astype(np.int32)
    classes = (np.flatnonzero(present) + low).astype(labels.dtype)
    return ClassTarget(classes, code_of[offset])


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
    if float(values.max()) / 2 - float(values.min()) / 2 > _LARGEST_RANGE:
        raise ValueError(f"y spans {values.min()!r} to {values.max()!r}: squares would overflow; rescale the target")
    return values


def check_weights(sample_weight: Any, n_rows: int) -> Floats | None:
    """Row weights, shape (n_rows,): finite, >= 0, not all zero. None stays None."""
    if sample_weight is None:
        return None
    weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n_rows},)")
    _refuse(~(np.isfinite(weights) & (weights >= 0)), "sample_weight", weights, "is not a finite number >= 0")
    if not weights.any():
        raise ValueError("sample_weight is zero in every row")
    return weights


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
        raise ValueError(f"{name}, row {row}: {values[row]!r} {what}")
