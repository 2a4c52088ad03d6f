"""Tables as text: columns under their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

__all__ = ["aligned"]


def aligned(columns: Mapping[str, Sequence[str]], left: Collection[str] = ()) -> str:
    """The columns, of equal length, as lines of text, set to the right but for those that `left` names."""
    set_ = []
    for name, column in columns.items():
        cells = [name, *column]
        width = max(map(len, cells))
        set_.append([cell.ljust(width) if name in left else cell.rjust(width) for cell in cells])
    return "\n".join("  ".join(row).rstrip() for row in zip(*set_, strict=True))
