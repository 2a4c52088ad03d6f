"""The words of `certify`."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from bristlecone.cli.options import SavedModel
from bristlecone.cli.options_columns import Data


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class CertifyOptions:
    """The words of `certify`."""

    model: SavedModel
    data: Data
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="COL", show_default="the model's", help="The column with the truth."),
    ] = None
    group: Annotated[
        str | None,
        typer.Option(
            "--group",
            metavar="COL",
            show_default=False,
            help="Rows with the same value here belong together: they count as one.",
        ),
    ] = None
    delta: Annotated[
        float,
        typer.Option("--delta", metavar="CHANCE", help="The chance that the bound may fail with, above 0 and below 1."),
    ] = 0.05
    corrupted: Annotated[
        float,
        typer.Option(
            "--corrupted",
            metavar="FRACTION",
            min=0.0,
            max=1.0,
            help="The largest share of the rows (groups) that may have been tampered with.",
        ),
    ] = 0.0
    radius: Annotated[
        float | None,
        typer.Option(
            "--radius",
            metavar="NUMBER",
            min=0.0,
            show_default="that of `fit`",
            help="For numbers: bound the chance of being off by more than this.",
        ),
    ] = None
    json: Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")] = False
    n_jobs: Annotated[int, typer.Option("--n-jobs", metavar="N", min=1, help="Threads.")] = 1
