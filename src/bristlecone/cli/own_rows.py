"""Rows that had a part in a model say nothing of rows to come: they are refused where limits are asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from bristlecone.cli.faults import Fault
from bristlecone.cli.fingerprint import known_again, row_marks
from bristlecone.cli.models import Model, digest
from bristlecone.table import Table

__all__ = ["refuse_known_rows", "refuse_own_file"]


def refuse_own_file(model: Model, data: Path, why: str) -> None:
    """Raise `Fault` for the very file that the model was made from. why: what needs other rows."""
    made_from = model.made.get("data_sha256")
    if made_from is not None and made_from == digest(data):
        raise Fault(
            f"{data} holds the very rows that the model was made from; {why} needs rows that had no part in it (`fit` "
            "certifies by those it held out, and `show` prints that)"
        )


def refuse_known_rows(model: Model, path: Path, data: Path, table: Table, y: NDArray[Any], why: str) -> None:
    """Raise `Fault` for rows that made the model, also where they stand in another order or among others.

    path: the model's file. table, y: (n_rows,) the rows of `data` as the model reads them, and their targets.
    """
    kept = model.made.get("row_marks")
    if kept is None:
        return
    try:
        found = known_again(kept, row_marks(table, y, task=model.tree.task))
    except (TypeError, ValueError) as fault:
        raise Fault(f"{path}: {fault}") from fault
    if found:
        raise Fault(
            f"{data} holds {found} of {len(kept)} rows that the model remembers of those it was made from; {why} needs "
            "rows that had no part in it"
        )
