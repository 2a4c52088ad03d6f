"""X at the door of the estimators: what scikit-learn promises about inputs, then the table's own reading.

Frames and Tables go to `table` untouched, so that columns keep their types and names; everything else becomes one
array first. At predict a frame is matched by name where the tree was fitted with names, else by position.
"""

from __future__ import annotations

import warnings
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from bristlecone.table import MISSING_CODE, Schema, Table, as_table

__all__ = ["prediction_table", "training_table"]

_EXACT = (np.dtype(np.float64), np.dtype(np.float32))


def training_table(estimator: Any, X: Any) -> Table:
    """X as a Table to grow on; sets `n_features_in_` and, where the columns have names, `feature_names_in_`.

    X: array, frame or Table of shape (n_rows, n_features). Errors: ValueError for no rows or no columns, for infinite
    values and for columns of unknown kinds; TypeError for sparse matrices.
    """
    categorical = estimator.categorical_features
    if isinstance(X, Table):
        _remember(estimator, X.schema)
        table = X
    elif nw.dependencies.is_into_dataframe(X):
        validate_data(estimator, X, skip_check_array=True)
        table = as_table(X, categorical_features=categorical)
    else:
        levels_declared = categorical is not None and not isinstance(categorical, str)
        table = as_table(_array(estimator, X, reset=True, levels=levels_declared), categorical_features=categorical)
    if table.n_rows == 0 or len(table.schema) == 0:
        raise ValueError(f"{type(estimator).__name__} needs at least one row and one column, got {_shape(table)}")
    return _complete(table, estimator.missing)


def prediction_table(estimator: Any, X: Any, schema: Schema) -> Table:
    """X as the fitted tree sees it: columns in the order of `schema`, levels in its codes.

    Warns (UserWarning) of columns that were ignored, and as scikit-learn does where only one of fit and predict had
    names. Errors: ValueError naming a column that is missing, or when the number of columns differs.
    """
    if not isinstance(X, Table) and not nw.dependencies.is_into_dataframe(X):
        levels = any(column.categorical for column in schema.columns)
        X = _array(estimator, X, reset=False, levels=levels)
    elif not isinstance(X, Table) and not hasattr(estimator, "feature_names_in_"):
        validate_data(estimator, X, reset=False, skip_check_array=True)
    table = schema.read(X)
    if table is not X:
        for note in table.notes:
            warnings.warn(note, UserWarning, stacklevel=4)
    return _complete(table, estimator.missing)


def _array(estimator: Any, X: Any, *, reset: bool, levels: bool) -> NDArray[Any]:
    """X as one 2-D array. A float array is not read here: the table looks for infinite values and names their place."""
    if type(X) in (np.ndarray, np.memmap) and X.ndim == 2 and X.dtype in _EXACT and X.size:
        return validate_data(estimator, X, reset=reset, skip_check_array=True)  # type: ignore[no-any-return]
    if levels and not isinstance(X, np.ndarray):
        X = np.asarray(X, dtype=object)  # else numpy writes the numbers beside text as text
    dtype = None if levels and getattr(X, "dtype", None) is not None and X.dtype.kind in "OUST" else "numeric"
    return validate_data(estimator, X, reset=reset, dtype=dtype, ensure_all_finite=False)  # type: ignore[no-any-return]


def _complete(table: Table, missing: str) -> Table:
    """The table, without a gap where `missing` is "error": in any column, so that no answer hangs on other cells."""
    if missing != "error":
        return table
    for column, cells in zip(table.schema.columns, table.columns, strict=True):
        gaps = cells == MISSING_CODE if column.categorical else np.isnan(cells)
        if gaps.any():
            row = int(np.argmax(gaps))
            raise ValueError(f"row {row}, column {column.name!r}: missing value (NaN), refused by missing='error'")
    return table


def _remember(estimator: Any, schema: Schema) -> None:
    estimator.n_features_in_ = len(schema)
    if schema.named:
        estimator.feature_names_in_ = np.asarray(schema.names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def _shape(table: Table) -> str:
    return f"{table.n_rows} rows and {len(table.schema)} columns"
