"""The words about the rows of a file and its columns, which all commands share that learn from them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

AGAIN = "Repeat it for more columns."

Data = Annotated[
    Path,
    typer.Argument(
        readable=False,
        show_default=False,
        help="The rows: CSV or TSV (separator, quotes, encoding and decimal comma are found out), Parquet, "
        "Arrow/Feather or JSON lines.",
    ),
]


def column_option(*flags: str, says: str) -> Any:
    """An option that names a column."""
    return typer.Option(*flags, metavar="COL", show_default=False, help=says, rich_help_panel="Columns")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class LearningOptions:
    """The words of every command that learns from the rows of a file."""

    data: Data
    target: Annotated[
        str, typer.Option("--target", "-t", metavar="COL", show_default=False, help="The column to predict.")
    ]
    weights: Annotated[str | None, column_option("--weights", says="Take the rows' weights from this column.")] = None
    drop: Annotated[list[str] | None, column_option("--drop", says="Leave this column out. " + AGAIN)] = None
    categorical: Annotated[
        list[str] | None,
        column_option("--categorical", says="Take this column's values as names, even if they are numbers. " + AGAIN),
    ] = None
    numeric: Annotated[
        list[str] | None, column_option("--numeric", says="Take this column's values as numbers. " + AGAIN)
    ] = None
    keep: Annotated[
        list[str] | None,
        column_option("--keep", says="Use this column although it looks like an identifier. " + AGAIN),
    ] = None

    def roles(self) -> dict[str, str]:
        """The columns that are not asked about because they are something else, by what they are."""
        given = {"target": self.target, "weights": self.weights}
        return {role: name for role, name in given.items() if name is not None}
