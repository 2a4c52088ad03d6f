"""Rows that had a part in a model say nothing of rows to come: they are refused where limits are asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from bristlecone.cli.faults import Fault
from bristlecone.cli.fingerprint import fingerprint
from bristlecone.cli.models import Model, digest
from bristlecone.table import Table

__all__ = ["refuse_known_rows", "refuse_own_file", "refuse_own_rows"]

OWN_ROWS = (
    "{} holds the very rows that the model was made from; {} needs rows that had no part in it (`fit` certifies by "
    "those it held out, and `show` prints that)"
)


def refuse_own_rows(model: Model, data: Path, table: Table, y: NDArray[Any], why: str) -> None:
    """Raise `Fault` for the file or the rows that the model was made from: both that follow."""
    refuse_own_file(model, data, why)
    refuse_known_rows(model, data, table, y, why)


def refuse_own_file(model: Model, data: Path, why: str) -> None:
    """Raise `Fault` for the very file that the model was made from. why: what needs other rows."""
    made_from = model.made.get("data_sha256")
    if made_from is not None and made_from == digest(data):
        raise Fault(OWN_ROWS.format(data, why))


def refuse_known_rows(model: Model, data: Path, table: Table, y: NDArray[Any], why: str) -> None:
    """Raise `Fault` for the rows that made the model, also where they stand in another order or another file.

    table, y: (n_rows,) the rows of `data` as the model reads them, and their targets.
    """
    known = model.made.get("fingerprints")
    if isinstance(known, list) and fingerprint(table, y, task=model.tree.task) in known:
        raise Fault(OWN_ROWS.format(data, why))
