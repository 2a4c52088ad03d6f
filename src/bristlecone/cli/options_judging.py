"""The words of the commands that judge a tree by rows: `report`, `audit`, `compare`."""

from __future__ import annotations

import dataclasses
import enum
from pathlib import Path
from typing import Annotated

import typer

from bristlecone.cli.options import SavedModel
from bristlecone.cli.options_columns import Data


class Rows(enum.Enum):
    """What part the rows of a file had in making the tree."""

    NEW = "new"
    GROWING = "growing"


KnownTarget = Annotated[
    str | None,
    typer.Option(
        "--target",
        "-t",
        metavar="COL",
        show_default="what the model says",
        help="The column with the known answers.",
    ),
]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """The words of `report`."""

    model: SavedModel
    data: Data
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE.html", show_default=False, help="Write the page to this file."),
    ]
    target: KnownTarget = None
    rows: Annotated[
        Rows | None,
        typer.Option(
            "--rows",
            show_default=False,
            help="new: the rows of DATA had no part in growing or choosing the tree, and are independent draws; then "
            "the page has limits. growing: the tree was grown from them.",
        ),
    ] = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """The words of `audit`."""

    model: Annotated[
        Path,
        typer.Argument(
            metavar="OLD_TREE",
            readable=False,
            show_default=False,
            help="A decision tree of scikit-learn, saved by skops, or by joblib or pickle (then --trust); or a model "
            "that `fit --model` or `bristlecone.save` wrote.",
        ),
    ]
    data: Data
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COL",
            show_default="what a model of `fit` says",
            help="The column with the known answers.",
        ),
    ] = None
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.html", show_default=False, help="Write the page to this file."),
    ] = None
    trust: Annotated[
        bool,
        typer.Option(
            "--trust", help="Read a joblib or pickle file: it can run any program, so only where you know its maker."
        ),
    ] = False
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="Deals folds and resamples.")
    ] = 0


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """The words of `compare`."""

    a: Annotated[Path, typer.Argument(metavar="A", readable=False, show_default=False, help="A model, or rows.")]
    b: Annotated[
        Path, typer.Argument(metavar="B", readable=False, show_default=False, help="Another model, or other rows.")
    ]
    data: Annotated[
        Path | None,
        typer.Option("--data", "-d", metavar="DATA", show_default=False, help="The rows to compare two models on."),
    ] = None
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            show_default="a tree grown from each",
            help="The model under which to compare two files of rows.",
        ),
    ] = None
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="COL",
            show_default=False,
            help="With --model: rows of A and B with the same value in this column are the same thing, seen twice.",
        ),
    ] = None
    target: KnownTarget = None
    rows: Annotated[
        Rows | None,
        typer.Option(
            "--rows", show_default=False, help="new: the rows had no part in making a tree; then there are limits."
        ),
    ] = None
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            show_default=False,
            help="Write the rows with different answers to this file, with both answers.",
        ),
    ] = None
