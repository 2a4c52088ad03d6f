"""How far down a tree is printed: to a depth, or all of it."""

from __future__ import annotations

import sys
from typing import Any

import typer

__all__ = ["ALL", "depth_option"]

ALL = sys.maxsize  # deeper than any tree


def depth_option(default: str, says: str, **more: Any) -> Any:
    """The option --depth, a whole number of at least 0 or the word "all". default: what holds where it is not given."""
    return typer.Option("--depth", metavar="N|all", parser=_parsed, show_default=default, help=says, **more)


def _parsed(text: str) -> int:
    if text.strip().lower() == "all":
        return ALL
    try:
        depth = int(text)
    except ValueError:
        depth = -1
    if depth < 0:
        raise typer.BadParameter(f"{text!r} is neither a whole number of at least 0 nor 'all'")
    return depth
