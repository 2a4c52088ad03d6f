"""The known values of a target column, as the model's own answers can be compared with them."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.target import known_rows, labels_of
from bristlecone.tree import Tree


def truth_of(tree: Tree, column: nw.Series[Any]) -> NDArray[Any]:
    """Return the values (n_known,) of the rows where `column` has one, of the kind that `tree` answers.

    Raises `Fault` where the column holds another kind.
    """
    rows = known_rows(column)
    known = column.filter(~column.is_null()) if len(rows) < len(column) else column
    if tree.classes is None:
        if not known.dtype.is_numeric():
            raise Fault(f"{quoted(known.name)} is read as {known.dtype}, not as numbers")
        return known.cast(nw.Float64).to_numpy().astype(np.float64)
    labels = labels_of(known.cast(nw.String) if tree.classes.dtype.kind in "UO" else known)
    if (labels.dtype.kind in "UO") != (tree.classes.dtype.kind in "UO"):
        raise Fault(f"{quoted(known.name)} is read as {known.dtype}, other than the classes of the model")
    return labels
