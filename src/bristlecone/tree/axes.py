"""New axes for a picture; matplotlib is needed only here."""

from __future__ import annotations

from typing import Any

__all__ = ["new_axes"]


def new_axes(n: int, owner: str) -> list[Any]:
    """n axes side by side in a figure of their own. ImportError that names the owner where matplotlib is missing."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(f"{owner} needs matplotlib: pip install 'bristlecone[report]'") from error
    _, axes = pyplot.subplots(1, n, figsize=(4 * n, 3.5), squeeze=False, layout="constrained")
    return list(axes[0])
