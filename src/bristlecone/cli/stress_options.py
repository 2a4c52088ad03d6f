"""The words of `stress`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from bristlecone.cli.options_columns import LearningOptions

_LISTED = "Repeat it, or put commas between."


def _noise(*flags: str, says: str, default: bool | str = True, **limits: Any) -> Any:
    return typer.Option(*flags, show_default=default, help=says, rich_help_panel="Noise", **limits)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class StressOptions(LearningOptions):
    """The words of `stress`."""

    target: Annotated[
        str, typer.Option("--target", "-t", metavar="COL", show_default=False, help="The column to predict: classes.")
    ]
    rates: Annotated[
        list[str] | None,
        _noise("--rates", says="Shares of corrupted rows. " + _LISTED, metavar="RATE", default="0.01 to 0.2"),
    ] = None
    adversaries: Annotated[
        list[str] | None,
        _noise(
            "--adversaries",
            says="Who corrupts them: random_label_flip, class_conditional_flip, targeted_label_flip, feature_replace, "
            "insert_worst, greedy_cancel, oblivious_mixture, tribes_cancel. " + _LISTED,
            metavar="NAME",
            default="random_label_flip, targeted_label_flip, insert_worst, greedy_cancel; with more than two classes "
            "random_label_flip, class_conditional_flip, feature_replace",
        ),
    ] = None
    repeats: Annotated[
        int, _noise("--repeats", says="How often rows are dealt anew and corrupted.", metavar="N", min=1, max=1000)
    ] = 5
    holdout: Annotated[
        float,
        _noise(
            "--holdout", says="Share of the rows on which the error is measured.", metavar="FRACTION", min=0.0, max=1.0
        ),
    ] = 0.25
    error: Annotated[
        float | None,
        _noise(
            "--error",
            says="The error that break-even rates are about.",
            metavar="FRACTION",
            min=0.0,
            max=1.0,
            default="0.02 above the error without noise",
        ),
    ] = None
    seed: Annotated[
        int, _noise("--seed", says="Which rows are held out, and which corrupted.", metavar="N", min=0, max=2**32 - 1)
    ] = 0
    n_jobs: Annotated[
        int | None, _noise("--n-jobs", says="Threads; any number gives the same report.", min=1, default="1")
    ] = None
    bootstraps: Annotated[
        int,
        _noise(
            "--bootstraps",
            says="How many trees of other rows, drawn with replacement, are compared.",
            metavar="N",
            min=2,
            max=1000,
        ),
    ] = 50
    picture: Annotated[
        Path | None,
        _noise("--picture", says="Draw both reports into this file.", default=False, metavar="FILE.png|svg|pdf"),
    ] = None
    report: Annotated[
        Path | None,
        _noise(
            "--report",
            says="Write the page about the pruned tree to this file, with all of this in it.",
            default=False,
            metavar="FILE.html",
        ),
    ] = None
