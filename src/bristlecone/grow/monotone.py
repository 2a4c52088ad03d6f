"""Monotone constraints by column, as the core takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bristlecone.table import Schema

__all__ = ["directions"]


def directions(given: Any, schema: Schema, n_classes: int) -> list[int]:
    """One of -1, 0, 1 for each column, or an empty list when nothing is constrained.

    given: None, a sequence in column order, or a mapping by column name. With two classes 1 means that P(class 1) may
    not fall as the column rises. Raises ValueError for other values, unknown names, categorical columns, and more than
    two classes.
    """
    if given is None:
        return []
    values = _by_column(given, schema)
    for name, value in zip(schema.names, values, strict=True):
        if value not in (-1, 0, 1):
            raise ValueError(f"monotonic_cst: column {name!r} has {value!r}; expected -1, 0 or 1")
    constrained = [column for column, value in zip(schema.columns, values, strict=True) if value != 0]
    if not constrained:
        return []
    if n_classes > 2:
        raise ValueError(f"monotonic_cst needs two classes or a regression; y has {n_classes} classes")
    for column in constrained:
        if column.categorical:
            raise ValueError(f"monotonic_cst: column {column.name!r} is categorical and has no direction")
    return [int(value) for value in values]


def _by_column(given: Any, schema: Schema) -> list[Any]:
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in schema.names]
        if unknown:
            raise ValueError(f"monotonic_cst: there is no column {unknown[0]!r}")
        return [given.get(name, 0) for name in schema.names]
    values = np.asarray(given)
    if values.shape != (len(schema),):
        raise ValueError(f"monotonic_cst has shape {values.shape}; X has {len(schema)} columns")
    return list(values.tolist())
