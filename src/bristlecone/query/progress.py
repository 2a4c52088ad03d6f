"""Telling how far a run is, with the sizes that the theory asks for."""

from __future__ import annotations

import sys
from typing import NamedTuple

__all__ = ["Progress", "show_progress"]

WIDTH = 24  # of the bar


class Progress(NamedTuple):
    """At which split a run is, for what it draws points ("score", "label" or "error"), how many it has and needs."""

    split: int
    kind: str
    done: int
    wanted: int


def show_progress(progress: Progress) -> None:
    """Draw a bar on standard error, over the one before; nothing where that is no terminal.

    `learn_tree(..., progress=show_progress)` shows a run as it goes.
    """
    if not sys.stderr.isatty():
        return
    full = WIDTH * progress.done // max(progress.wanted, 1)
    bar = "█" * full + "·" * (WIDTH - full)
    end = "\n" if progress.kind == "error" and progress.done >= progress.wanted else ""
    told = f"split {progress.split}: {progress.kind:5} {progress.done:,} of {progress.wanted:,} points"
    sys.stderr.write(f"\r\x1b[2K{bar} {told}{end}")
    sys.stderr.flush()
