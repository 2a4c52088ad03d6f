"""A ladder as nested blocks with braces or by indentation: what Python, C and JavaScript have in common."""

from collections.abc import Callable, Iterable, Iterator

from bristlecone.export.ladder import Rung, Test, ladder
from bristlecone.tree import Tree

__all__ = ["block_lines", "listed"]


def block_lines(
    tree: Tree, test: Callable[[Test], str], stop: Callable[[Rung], str], *, opens: str, closes: str
) -> Iterator[str]:
    """The body of a function that walks one row: `if` lines by `test`, returns by `stop`, indented once.

    opens: an `if` line, with {} for the test. closes: what stands after a block; nothing where indentation ends it.
    """
    for rung in ladder(tree):
        indent = "    " * (rung.depth + 1)
        if rung.test is not None:
            yield indent + opens.format(test(rung.test))
            continue
        yield indent + stop(rung)
        if rung.depth and closes:
            yield indent[4:] + closes


def listed(items: Iterable[str], brackets: str = "[]") -> str:
    """Items in brackets, one a line."""
    return brackets[0] + "".join(f"\n    {item}," for item in items) + "\n" + brackets[1]
