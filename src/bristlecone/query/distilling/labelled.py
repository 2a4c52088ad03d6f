"""Labelled rows, on which a tree and its model are judged side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.query.checks import first_missing
from bristlecone.table.schema import Schema

__all__ = ["check_comparable", "checked_labels"]

Labels = npt.NDArray[Any]


def checked_labels(X: Any, y: Any, schema: Schema) -> Labels | None:
    """y as an array (n_rows,), None where there are no labelled rows; nothing is asked.

    Raises ValueError or TypeError naming X or y where one lacks, where they do not go together, or where X has not the
    columns of the schema.
    """
    if (X is None) != (y is None):
        raise ValueError("X and y are given together: labelled rows, and their labels")
    if X is None:
        return None
    try:
        n_rows = schema.read(X).n_rows
    except (ValueError, TypeError) as fault:
        raise (TypeError if isinstance(fault, TypeError) else ValueError)(f"X: {fault}") from fault
    labels = np.asarray(y)
    if n_rows == 0:
        raise ValueError("X has no rows: no error can be shown")
    if labels.shape != (n_rows,):
        raise ValueError(f"X has {n_rows} rows but y has shape {labels.shape}")
    missing = first_missing(labels)
    if missing is not None:
        raise ValueError(f"y, row {missing}: the label is missing")
    return labels


def check_comparable(y: Labels, said: Labels) -> None:
    """Raise ValueError where one is all text and the other has none: they can never agree."""
    of_y, of_model = ({isinstance(label, str) for label in labels.tolist()} for labels in (y, said))
    if of_y.isdisjoint(of_model):
        raise ValueError(f"y holds labels such as {y.tolist()[0]!r}, and the model answers {said.tolist()[0]!r}")
