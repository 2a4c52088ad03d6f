"""X at the door of the estimators: scikit-learn's promises about names and widths around the table's own reading.

The table reads arrays and frames, and refuses what is neither, by column and row; scikit-learn's `validate_data` keeps
`n_features_in_` and `feature_names_in_`. At predict a frame is matched by name where the tree was fitted with names,
and by position otherwise.
"""

from __future__ import annotations

import warnings
from typing import Any

import narwhals as nw
import numpy as np
from sklearn.utils.validation import validate_data

from bristlecone.table import Schema, Table, as_table, frame_of
from bristlecone.tree import Tree

__all__ = ["prediction_table", "table_by_schema", "training_table"]


def training_table(estimator: Any, X: Any, categorical_features: Any) -> Table:
    """X as a Table to grow on; sets `n_features_in_` and, where the columns have names, `feature_names_in_`.

    X: array, frame or Table of shape (n_rows, n_features). Errors: ValueError or TypeError naming column and row for
    what no column can hold; ValueError for no rows; TypeError for sparse matrices.
    """
    plain = isinstance(X, np.ndarray)
    X = X if plain else frame_of(X)
    table = as_table(X, categorical_features=categorical_features)
    if table.n_rows == 0 or len(table.schema) == 0:
        raise ValueError(
            f"{type(estimator).__name__} needs at least one row and one column, "
            f"got {table.n_rows} rows and {len(table.schema)} columns"
        )
    if plain or isinstance(X, Table):
        _remember(estimator, table.schema)
    else:
        validate_data(estimator, X, skip_check_array=True)
    return table


def table_by_schema(estimator: Any, X: Any, schema: Schema) -> Table:
    """X read by a schema that is there already; sets what `training_table` sets, as that schema has it.

    Errors: as `Schema.read`, and ValueError for no rows. Warns (UserWarning) of columns that are ignored.
    """
    table = schema.read(X if isinstance(X, np.ndarray) else frame_of(X))
    if table.n_rows == 0:
        raise ValueError(f"{type(estimator).__name__} needs at least one row, got 0")
    for note in table.notes:
        warnings.warn(note, UserWarning, stacklevel=4)
    _remember(estimator, schema)
    return table


def prediction_table(estimator: Any, X: Any, tree: Tree, *, check_later: bool = False) -> Table:
    """X as the fitted tree sees it: columns in the order of its schema, levels in its codes.

    Warns (UserWarning) of columns that were ignored, and as scikit-learn does where only one of fit and predict had
    names. check_later: as in `Schema.read`. Errors: ValueError naming a column that is missing, or when the number of
    columns differs.
    """
    plain = isinstance(X, np.ndarray)
    X = X if plain else frame_of(X)
    named = hasattr(estimator, "feature_names_in_")
    by_name = isinstance(X, Table) or (named and _is_frame(X))
    # an array as wide as at fit, where columns had no names, has nothing that scikit-learn would say
    as_fitted = plain and not named and X.shape[1:] == (getattr(estimator, "n_features_in_", None),)
    if not (by_name or as_fitted):
        wide = len(getattr(X, "shape", ())) == 2  # of anything else the table says what is wrong with it
        validate_data(estimator, X, reset=False, skip_check_array=True, ensure_2d=wide)
    refuse = tree.missing == "error"
    table = tree.schema.read(X, check_later=check_later and not refuse)
    if table is not X:
        for note in table.notes:
            warnings.warn(note, UserWarning, stacklevel=4)
    if refuse:  # in any column, so that no answer hangs on other cells
        table.refuse_missing()
    return table


def _is_frame(X: Any) -> bool:
    return not isinstance(X, (np.ndarray, list)) and nw.dependencies.is_into_dataframe(X)


def _remember(estimator: Any, schema: Schema) -> None:
    estimator.n_features_in_ = len(schema)
    if schema.named:
        estimator.feature_names_in_ = np.asarray(schema.names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
