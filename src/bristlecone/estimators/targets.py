"""y and sample_weight at the door: one clean array each, or one clear error.

A target is one column. Labels keep their own type (text, bool, integers, dates), so that `predict` answers with them;
an object column is read by what it holds. Rows are counted from 0 in every message.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.exceptions import DataConversionWarning

__all__ = ["check_counts", "class_labels", "numeric_target", "row_weights"]


def class_labels(y: Any, owner: str) -> NDArray[Any]:
    """Class labels as a 1-D array of their own type.

    y: (n_rows,) or (n_rows, 1) labels. Errors: ValueError for missing labels (with the row), for several outputs, for
    labels of types that cannot be ordered among themselves, and for numbers that are not whole.
    """
    labels = _one_column(y, owner)
    if labels.dtype.kind in "OT":
        labels = _natural(labels)
    if labels.dtype.kind in "fmM":
        _refuse_rows(np.isnan(labels) if labels.dtype.kind == "f" else np.isnat(labels), labels, "missing label")
    if labels.dtype.kind == "f":
        _refuse_rows(np.isinf(labels), labels, "infinite label")
        _refuse_continuous(labels, owner)
    if labels.dtype.kind not in "biufUSOmM":
        raise ValueError(f"Unknown label type: y has dtype {labels.dtype}; class labels are expected")
    return labels


def numeric_target(y: Any, owner: str) -> NDArray[np.float64]:
    """A finite numeric target as float64, shape (n_rows,).

    Errors: ValueError for text, for missing or infinite values (with the row), and for several outputs.
    """
    column = _one_column(y, owner)
    if column.dtype.kind not in "biufO":
        raise ValueError(f"{owner}: y has dtype {column.dtype}; a column of numbers is expected")
    if column.dtype.kind == "O":
        column = _numbers(column, owner)
    values = column.astype(np.float64, copy=False)
    if not np.isfinite(values.sum()):
        _refuse_rows(np.isnan(values), values, "missing value (NaN)")
        _refuse_rows(np.isinf(values), values, "infinite value")
    return values


def check_counts(y: NDArray[np.float64], weights: NDArray[np.float64] | None) -> None:
    """Refuse what Poisson deviance cannot take: a negative value, or a target that is zero wherever weight lies."""
    _refuse_rows(y < 0, y, "negative value, which criterion='poisson' cannot take")
    if not (y if weights is None else y[weights > 0]).any():
        raise ValueError("y is zero in every row of positive weight, which criterion='poisson' cannot take")


def row_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Weights of the rows as float64, shape (n_rows,); None stays None, a single number stands for every row.

    Errors: ValueError for another shape, for negative, missing or infinite weights (with the row), and when all are 0.
    """
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Number):
        weights = np.full(n_rows, sample_weight, dtype=np.float64)
    else:
        weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}; one weight for each of the {n_rows} rows is expected"
        )
    _refuse_rows(np.isnan(weights), weights, "missing value (NaN)", "sample_weight")
    _refuse_rows(np.isinf(weights), weights, "infinite value", "sample_weight")
    _refuse_rows(weights < 0, weights, "negative value", "sample_weight")
    if not weights.any():
        raise ValueError("every sample_weight is zero: no row is left to learn from")
    return weights


def _one_column(y: Any, owner: str) -> NDArray[Any]:
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    if issparse(y):
        raise TypeError(f"{owner}: y is sparse; a dense column is expected")
    values = _array_of(y)
    if values.dtype.kind == "c":
        raise ValueError("Complex data not supported: y is complex")
    if values.ndim == 2 and values.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples, ), "
            "for example using ravel().",
            DataConversionWarning,
            stacklevel=6,
        )
        return values.reshape(-1)
    if values.ndim == 2:
        raise ValueError(
            f"{owner}: y has {values.shape[1]} columns; multi-output targets are not supported, fit one tree a column"
        )
    if values.ndim != 1:
        raise ValueError(f"{owner}: y should be a 1d array, got an array of shape {values.shape} instead")
    return values


def _array_of(y: Any) -> NDArray[Any]:
    """y as an array. numpy turns a list such as ["a", nan] into text; its labels must stay what they are."""
    values = np.asarray(y)
    if (
        values.dtype.kind in "US"
        and not isinstance(y, np.ndarray)
        and any(not isinstance(v, (str, bytes)) for v in _flat(y))
    ):
        return np.asarray(y, dtype=object)
    return values


def _flat(y: Any) -> Iterable[object]:
    return np.asarray(y, dtype=object).reshape(-1)


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA refuses to be a truth value
        return True


def _natural(labels: NDArray[Any]) -> NDArray[Any]:
    """Object labels in the numpy type of what they hold: numbers as numbers; text and dates stay objects."""
    held = labels.tolist()
    try:
        distinct = set(held)
    except TypeError as error:
        raise ValueError(f"Unknown label type: y holds values that cannot be labels ({error})") from error
    if any(map(_is_missing, distinct)):
        row = next(i for i, value in enumerate(held) if _is_missing(value))
        raise ValueError(f"y has a missing label in row {row}: {held[row]!r}")
    types = {type(value) for value in distinct}
    if all(issubclass(kind, (Number, np.bool_)) for kind in types):
        return np.asarray(held)
    try:
        sorted(distinct)
    except TypeError as error:
        names = ", ".join(sorted(kind.__name__ for kind in types))
        raise ValueError(f"Unknown label type: y mixes labels of types that have no common order: {names}") from error
    return labels.astype(object, copy=False)


def _numbers(column: NDArray[Any], owner: str) -> NDArray[np.float64]:
    for row, value in enumerate(column.tolist()):
        if _is_missing(value):
            raise ValueError(f"y has a missing value (NaN) in row {row}: {value!r}")
        if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
            raise ValueError(f"{owner}: y has a value that is not a number in row {row}: {value!r}")
    return column.astype(np.float64)


def _refuse_continuous(labels: NDArray[Any], owner: str) -> None:
    broken = labels != np.floor(labels)
    if broken.any():
        row = int(np.argmax(broken))
        raise ValueError(
            f"Unknown label type: continuous. {owner} expects classes, but y is {float(labels[row])!r} in row {row}; "
            "for a numeric target use a regressor"
        )


def _refuse_rows(refused: NDArray[np.bool_], values: NDArray[Any], what: str, name: str = "y") -> None:
    if refused.any():
        row = int(np.argmax(refused))
        raise ValueError(f"{name} has a {what} in row {row}: {values[row]}".replace("a infinite", "an infinite"))
