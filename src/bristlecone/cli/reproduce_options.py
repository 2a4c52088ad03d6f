"""The words of `reproduce`."""

from __future__ import annotations

import dataclasses
import enum
from pathlib import Path
from typing import Annotated, Any

import typer


class Protocol(enum.Enum):
    """How an experiment chooses parameters."""

    PAPER = "paper"
    CODE = "code"


def _how_much(*flags: str, says: str, **limits: Any) -> Any:
    return typer.Option(*flags, show_default=False, help=says, **limits)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ReproduceOptions:
    """The words of `reproduce`."""

    name: Annotated[
        str | None, typer.Argument(show_default=False, help="Which experiment; without it, print what there is.")
    ] = None
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Write the figures (CSV) and the picture (PNG) here.")
    ] = Path()
    sets: Annotated[
        list[str] | None, _how_much("--sets", metavar="NAME", says="Only these data sets; commas go between names.")
    ] = None
    splits: Annotated[
        int | None, _how_much("--splits", metavar="N", min=1, says="How many random splits, or repetitions.")
    ] = None
    protocol: Annotated[
        Protocol | None,
        _how_much("--protocol", says="Choose parameters as the paper says or as its authors' scripts do; both if not."),
    ] = None
    quick: Annotated[
        bool, typer.Option("--quick", help="A small version, to see that it works: its figures mean nothing.")
    ] = False
    download: Annotated[
        Path | None,
        _how_much(
            "--download",
            metavar="FOLDER",
            says="Fetch sets that BRISTLECONE_DATA's folder lacks from the UCI archive, and keep them here.",
        ),
    ] = None
