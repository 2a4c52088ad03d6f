"""The words of `distill`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from bristlecone.cli.depth import depth_option
from bristlecone.cli.options import Growth, RowsAs, Space


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class DistillOptions:
    """The words of `distill`."""

    black_box: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            show_default=False,
            help="What is asked: module:object (with predict, or callable), a model of bristlecone (.json), or a "
            ".skops, .onnx, or with --trust .joblib or .pkl file.",
        ),
    ]
    like: Annotated[
        Path,
        typer.Option(
            "--like",
            metavar="DATA",
            show_default=False,
            help="Rows such as the model sees; their labels are not needed.",
        ),
    ]
    target: Annotated[
        str | None,
        typer.Option(
            "--target", "-t", metavar="COL", show_default=False, help="The labels of the rows, to show errors beside."
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        typer.Option("--drop", metavar="COL", show_default=False, help="A column that the model does not get."),
    ] = None
    max_leaves: Annotated[int, typer.Option("--max-leaves", metavar="N", min=1, help="Most answers.")] = 16
    delta: Annotated[
        float, typer.Option("--delta", metavar="CHANCE", help="How often the limit of the fidelity may be wrong.")
    ] = 0.05
    space: Annotated[
        Space, typer.Option("--space", help="Ask near the rows, in the product of the columns, or try both.")
    ] = Space.AUTO
    growth: Annotated[
        Growth, typer.Option("--growth", help="Split by the gain of purity, by influence, or try both.")
    ] = Growth.AUTO
    rows_as: Annotated[
        RowsAs, typer.Option("--rows-as", help="What the model is asked with; guessed from the model and the columns.")
    ] = RowsAs.AUTO
    points: Annotated[int, typer.Option("--points", metavar="N", min=2, help="Points asked about at each leaf.")] = 1000
    max_queries: Annotated[
        int | None, typer.Option("--max-queries", metavar="N", min=50, show_default="no limit", help="Ask no more.")
    ] = None
    trust: Annotated[bool, typer.Option("--trust", help="Read a pickled model: that runs the code in it.")] = False
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="Which points are drawn.")] = 0
    model: Annotated[
        Path | None,
        typer.Option("--model", "-m", metavar="FILE.json", show_default=False, help="Write the tree to this file."),
    ] = None
    depth: Annotated[
        int | None,
        depth_option("what fits a screen", "Fold what is below."),
    ] = None
