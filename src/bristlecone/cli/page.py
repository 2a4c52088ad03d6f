"""Words on standard output: labelled paragraphs, numbers as people write them."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator

from bristlecone.cli.faults import plain
from bristlecone.report.words import count, share

__all__ = ["count", "seconds", "share", "show", "terminal_lines", "width"]

_LABEL = 11
_NARROWEST, _WIDEST = 60, 140


def width() -> int:
    """Return the columns that text may fill: the terminal's within reason, 100 where there is none."""
    if not sys.stdout.isatty():
        return 100
    return min(max(shutil.get_terminal_size().columns - 1, _NARROWEST), _WIDEST)


def terminal_lines() -> int | None:
    """Return the lines of the terminal; None where standard output is none."""
    return shutil.get_terminal_size().lines if sys.stdout.isatty() else None


def show(paragraphs: Iterable[tuple[str, str]], body: str) -> None:
    """Print labelled paragraphs and, below them, a body; on a terminal the labels are bold."""
    lines = [*_wrapped(paragraphs), ("", "")] if paragraphs else []
    if not sys.stdout.isatty():
        print("\n".join([*((label + text).rstrip() for label, text in lines), body]))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for label, text in lines:
        console.print(Text.assemble((label, "bold"), text))
    print(body)


def _wrapped(paragraphs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield lines: a label, or blanks of its width, and the text that hangs to the right of it."""
    for label, text in paragraphs:
        lines = textwrap.wrap(
            plain(text), width() - _LABEL, break_long_words=False, break_on_hyphens=False, replace_whitespace=False
        )
        for number, line in enumerate(lines):
            yield (label if number == 0 else "").ljust(_LABEL), line


def seconds(passed: float) -> str:
    """Return a duration in the unit that suits it."""
    if passed < 1.0:
        return f"{max(round(passed * 1000), 1)} ms"
    return f"{passed:.1f} s" if passed < 60.0 else f"{int(passed // 60)} min {int(passed % 60)} s"
