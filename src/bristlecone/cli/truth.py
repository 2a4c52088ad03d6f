"""The known values of a target column, as the model's own answers can be compared with them."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.target import known_cells, labels_of
from bristlecone.table.text import number_of
from bristlecone.tree import Tree


def truth_of(tree: Tree, column: nw.Series[Any]) -> NDArray[Any]:
    """Return the values (n_known,) of the rows where `column` has one, of the kind that `tree` answers.

    Raises `Fault` where the column holds another kind.
    """
    known = known_cells(column)
    if tree.classes is None:
        if not known.dtype.is_numeric():
            raise Fault(f"{quoted(known.name)} is read as {known.dtype}, not as numbers")
        return known.cast(nw.Float64).to_numpy().astype(np.float64)
    of_text = tree.classes.dtype.kind in "UO"
    labels = labels_of(_as_text(known, tree.classes.tolist()) if of_text else _as_numbers(known))
    if (labels.dtype.kind in "UO") != (tree.classes.dtype.kind in "UO"):
        raise Fault(f"{quoted(known.name)} is read as {known.dtype}, other than the classes of the model")
    return labels


def _as_text(known: nw.Series[Any], classes: list[Any]) -> nw.Series[Any]:
    """The column as text; numbers as the classes write them, 1 as "01", where each of these is another number."""
    if not known.dtype.is_numeric():
        return known.cast(nw.String)
    written = {number_of(label): label for label in classes if isinstance(label, str)}
    if None in written or len(written) < len(classes):
        return known.cast(nw.String)
    plain = known.cast(nw.String).to_list()
    labels = [written.get(value, text) for value, text in zip(known.to_list(), plain, strict=True)]
    return nw.new_series(known.name, labels, nw.String, backend=known.implementation)


def _as_numbers(known: nw.Series[Any]) -> nw.Series[Any]:
    """The column; text that spells numbers in every cell, such as 01, as these."""
    if not isinstance(known.dtype, nw.String):
        return known
    numbers = [number_of(text.strip()) for text in known.to_list()]
    if None in numbers:
        return known
    return nw.new_series(known.name, numbers, nw.Float64, backend=known.implementation)
