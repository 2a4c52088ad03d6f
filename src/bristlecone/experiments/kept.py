"""What an experiment leaves behind: its figures as a table, and its picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bristlecone.experiments.experiment import Asked
from bristlecone.experiments.outcomes import write_rows
from bristlecone.experiments.pictures import panels, saved

__all__ = ["keep"]


def keep(
    asked: Asked, name: str, found: Sequence[Any], draw: Callable[..., None], n_axes: int, columns: int | None = None
) -> None:
    """Write dataclasses as NAME.csv, and what `draw` makes of them on so many axes as NAME.png, side by side or
    `columns` in a row.
    """
    write_rows(asked.table(name), found)
    figure, axes = panels(n_axes, columns=columns or n_axes)
    draw(found, axes)
    saved(figure, asked.picture(name))
