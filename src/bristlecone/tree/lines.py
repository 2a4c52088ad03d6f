"""Tables as text: columns under their names."""

from collections.abc import Collection, Mapping, Sequence

from bristlecone.tree.names import padded, width_of

__all__ = ["aligned"]


def aligned(columns: Mapping[str, Sequence[str]], left: Collection[str] = ()) -> str:
    """The columns, of equal length, as lines of text, set to the right but for those that `left` names."""
    filled = []
    for name, column in columns.items():
        cells = [name, *column]
        width = max(map(width_of, cells))
        filled.append([padded(cell, width, to_the_right=name not in left) for cell in cells])
    return "\n".join("  ".join(row).rstrip() for row in zip(*filled, strict=True))
