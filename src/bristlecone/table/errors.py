"""Refusals that know the cell they are about.

Rows of an array or a frame are numbered from 0, as its library does. A file has a name, and its rows are numbered as
people count them: 1 is the first row below the header.
"""

from __future__ import annotations


class CellError(ValueError):
    """A cell, or a whole column when row is None, that a typed column cannot hold."""

    def __init__(self, column: str, row: int | None, problem: str) -> None:
        super().__init__(column, row, problem)
        self.column, self.row, self.problem = column, row, problem

    def __str__(self) -> str:
        return _sentence(self.column, self.row, self.problem)

    def in_file(self, path: str) -> FileError:
        """The same refusal with the file's name and the row as people count it."""
        return FileError(path, _sentence(self.column, None if self.row is None else self.row + 1, self.problem))


class CellTypeError(CellError, TypeError):
    """A cell of a type that a typed column cannot hold."""


class FileError(ValueError):
    """A file that cannot be read as rows; says which file, and where in it."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path, self.problem = path, problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


def _sentence(column: str, row: int | None, problem: str) -> str:
    where = f"column {column!r}" if row is None else f"column {column!r}, row {row}"
    return f"{where}: {problem}"
