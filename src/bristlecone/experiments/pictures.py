"""Pictures of experiments: axes side by side, saved whole or not at all."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from bristlecone.experiments.needs import needed
from bristlecone.export.writing import whole_file

__all__ = ["panels", "saved"]


def panels(number: int, *, columns: int) -> tuple[Any, list[Any]]:
    """A figure with so many axes, some in each row; what is left over is not drawn."""
    columns = min(columns, number)
    rows = math.ceil(number / columns)
    figure = needed("matplotlib.figure").Figure(figsize=(4.8 * columns, 3.6 * rows), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for unused in axes[number:]:
        unused.set_axis_off()
    return figure, axes[:number]


def saved(figure: Any, file: Path) -> None:
    """Write a figure as PNG, without a date in it."""
    with whole_file(file) as draft:
        figure.savefig(draft, format="png", dpi=110, metadata={"Software": None})
