"""Check that rooms stay small: files of at most 400 lines, Python functions of at most 50 without their docstring."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50
FOLDERS = ("src", "cpp", "scripts", "benchmarks")
SUFFIXES = (".py", ".hpp", ".cpp")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def source_files(root: Path) -> Iterator[Path]:
    """The hand-written source files below the checked folders, in order."""
    for folder in FOLDERS:
        yield from sorted(path for path in (root / folder).rglob("*") if path.suffix in SUFFIXES)


def docstring_lines(function: Function) -> int:
    """How many lines the docstring of a function takes; 0 without one."""
    if ast.get_docstring(function, clean=False) is None:
        return 0
    first = function.body[0]
    return (first.end_lineno or first.lineno) - first.lineno + 1


def function_lines(function: Function) -> int:
    """Lines from `def` to the last one, the docstring not counted."""
    return (function.end_lineno or function.lineno) - function.lineno + 1 - docstring_lines(function)


def check_file(path: Path) -> list[str]:
    """Complaints about one file, as file:line: reason."""
    text = path.read_text(encoding="utf-8")
    n_lines = len(text.splitlines())
    complaints = []
    if n_lines > MAX_FILE_LINES:
        complaints.append(f"{path}:1: {n_lines} lines, {MAX_FILE_LINES} allowed")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text, str(path))):
            if isinstance(node, Function) and function_lines(node) > MAX_FUNCTION_LINES:
                reason = f"{node.name} has {function_lines(node)} lines, {MAX_FUNCTION_LINES} allowed"
                complaints.append(f"{path}:{node.lineno}: {reason}")
    return complaints


def check(root: Path) -> list[str]:
    """Complaints about every source file of the repository at `root`."""
    return [complaint for path in source_files(root) for complaint in check_file(path)]


def main() -> int:
    complaints = check(Path(__file__).resolve().parents[1])
    print("\n".join(complaints) or "rooms: all small enough")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
