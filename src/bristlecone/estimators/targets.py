"""y at the door of the estimators: one clean column, or one clear error.

A target is one column. Labels keep their own type (text, bool, integers, dates), so that `predict` answers with them;
an object column is read by what it holds. What is left to refuse in a clean column, `grow` refuses, and all that is no
number in a numeric target. Rows are counted from 0 in every message.
"""

from __future__ import annotations

import warnings
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.exceptions import DataConversionWarning

from bristlecone.grow.targets import as_array, plain, refuse_masked, refuse_rows
from bristlecone.table import is_missing

__all__ = ["class_labels", "one_column"]


def class_labels(y: Any, owner: str) -> NDArray[Any]:
    """Class labels as a 1-D array of their own type.

    y: (n_rows,) or (n_rows, 1) labels. Errors: ValueError for missing labels (with the row), for several outputs, for
    labels of types that cannot be ordered among themselves, and for numbers that are not whole.
    """
    labels = one_column(y, owner)
    if labels.dtype.kind in "OT":
        labels = _natural(labels)
    if labels.dtype.kind in "fM":
        refuse_rows(labels != labels, "y", labels, "is missing")
    if labels.dtype.kind == "f":
        refuse_rows(np.isinf(labels), "y", labels, "is infinite")
        _refuse_continuous(labels, owner)
    if labels.dtype.kind not in "biufUSOM":
        raise ValueError(f"Unknown label type: y has dtype {labels.dtype}; class labels are expected")
    return labels


def one_column(y: Any, owner: str) -> NDArray[Any]:
    """A target of shape (n_rows,) as an array, not copied where it is one; what it holds is not looked at.

    y: (n_rows,) or (n_rows, 1), the latter with a DataConversionWarning. Errors: ValueError for no target, masked or
    complex values and several outputs; TypeError for a sparse matrix.
    """
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    refuse_masked(y, "y")
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
            stacklevel=4,
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
    values = as_array(y)
    if values.dtype.kind not in "US" or isinstance(y, np.ndarray):
        return values
    held = np.asarray(y, dtype=object)
    return values if all(isinstance(value, (str, bytes)) for value in held.flat) else held


def _natural(labels: NDArray[Any]) -> NDArray[Any]:
    """Object labels in the numpy type of what they hold: numbers as numbers; text and dates stay objects."""
    held = labels.tolist()
    try:
        distinct = set(held)
    except TypeError as error:
        raise ValueError(f"Unknown label type: y holds values that cannot be labels ({error})") from error
    if any(map(is_missing, distinct)):
        row = next(i for i, value in enumerate(held) if is_missing(value))
        raise ValueError(f"y, row {row}: {plain(held[row])!r} is missing")
    types = {type(value) for value in distinct}
    if all(issubclass(kind, (Number, np.bool_)) for kind in types):
        return np.asarray(held)
    try:
        sorted(distinct)
    except TypeError as error:
        names = ", ".join(sorted(kind.__name__ for kind in types))
        raise ValueError(f"Unknown label type: y mixes labels of types that have no common order: {names}") from error
    return labels.astype(object, copy=False)


def _refuse_continuous(labels: NDArray[Any], owner: str) -> None:
    broken = labels != np.floor(labels)
    if broken.any():
        row = int(np.argmax(broken))
        raise ValueError(
            f"Unknown label type: continuous. {owner} expects classes, but y is {float(labels[row])!r} in row {row}; "
            "for a numeric target use a regressor"
        )
