"""Packages that only experiments use: imported when they are needed, and named when they are missing."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["needed"]


def needed(module: str) -> Any:
    """The module of that name. Raises ImportError saying how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as fault:
        package = module.split(".")[0]
        if (fault.name or "").split(".")[0] != package:
            raise
        raise ImportError(f'experiments need {package}: pip install "bristlecone[experiments]"') from None
