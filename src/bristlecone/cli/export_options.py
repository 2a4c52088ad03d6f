"""The words of `export`."""

from __future__ import annotations

import dataclasses
import enum
from pathlib import Path
from typing import Annotated, Any

import typer


class Format(enum.Enum):
    """What a tree is exported to."""

    RULES = "rules"
    TEXT = "text"
    SQL = "sql"
    PYTHON = "python"
    C = "c"
    JAVASCRIPT = "javascript"
    ONNX = "onnx"
    PMML = "pmml"
    DOT = "dot"
    JSON = "json"


class Dialect(enum.Enum):
    """The database that SQL is for."""

    ANSI = "ansi"
    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"
    DUCKDB = "duckdb"
    BIGQUERY = "bigquery"
    SNOWFLAKE = "snowflake"


class Precision(enum.Enum):
    """The numbers of an ONNX model."""

    FLOAT64 = "float64"
    FLOAT32 = "float32"


def _only(flag: str, form: str, *, says: str, default: bool | str = True, **limits: Any) -> Any:
    """An option of one format."""
    return typer.Option(flag, show_default=default, help=says, rich_help_panel=f"With --to {form}", **limits)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """The words of `export`."""

    model: Annotated[
        Path,
        typer.Argument(
            readable=False,
            show_default=False,
            help="A model that `fit --model` or `bristlecone.save` wrote, or a scikit-learn tree in a .skops file, "
            "with --trust in a .joblib or .pickle file.",
        ),
    ]
    to: Annotated[
        Format | None, typer.Option("--to", show_default="by the ending of OUT; rules without one", help="The format.")
    ] = None
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            show_default="standard output",
            help="Write to this file: .sql, .py, .c, .js, .onnx, .pmml, .dot, .json, or .txt for rules.",
        ),
    ] = None
    check: Annotated[
        Path | None,
        typer.Option(
            "--check",
            metavar="DATA",
            show_default=False,
            help="Run the export on the rows of this file, and on rows made for every question of the tree, and "
            "compare nodes, answers and shares with the tree's: sql in SQLite, c by a compiler, javascript by Node, "
            "python, onnx.",
        ),
    ] = None
    trust: Annotated[
        bool,
        typer.Option(
            "--trust", help="Open MODEL although it is a .joblib or .pickle file, which can run any code it holds."
        ),
    ] = False
    dialect: Annotated[Dialect | None, _only("--dialect", "sql", says="The database.", default="ansi")] = None
    table: Annotated[
        str | None, _only("--table", "sql", says="The table to score.", default="data", metavar="NAME")
    ] = None
    probabilities: Annotated[
        bool, _only("--probabilities", "sql", says="Also a column of the share of each class.", default=False)
    ] = False
    leaf_id: Annotated[
        str | None, _only("--leaf-id", "sql", says="The new column of nodes.", default="leaf_id", metavar="NAME")
    ] = None
    prediction: Annotated[
        str | None,
        _only("--prediction", "sql", says="The new column of answers.", default="prediction", metavar="NAME"),
    ] = None
    name: Annotated[
        str | None, _only("--name", "c", says="What every function begins with.", default="tree", metavar="NAME")
    ] = None
    dtype: Annotated[
        Precision | None, _only("--dtype", "onnx", says="The type of the rows given to the model.", default="float64")
    ] = None
    target: Annotated[
        str | None,
        _only("--target", "pmml", says="The name of what is predicted.", default="the model's target", metavar="NAME"),
    ] = None
