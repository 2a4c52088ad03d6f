"""The words of each command: one frozen class a command, a field a word, with its help beside it."""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from bristlecone.cli.depth import depth_option
from bristlecone.cli.options_columns import AGAIN, Data, LearningOptions, column_option
from bristlecone.grow.criteria import Criterion


class Task(enum.Enum):
    """What the target is: one of several classes, or a number."""

    CLASSIFICATION = "classification"
    REGRESSION = "regression"


class Missing(enum.Enum):
    """What a missing cell does."""

    LEARN = "learn"
    ERROR = "error"


class Unseen(enum.Enum):
    """What a level does that no growing row had at the split."""

    STOP = "stop"
    HEAVIER = "heavier"
    ERROR = "error"


class Prune(enum.Enum):
    """How the size of the tree is chosen."""

    ONE_SE = "one-se"
    MIN = "min"
    PESSIMISTIC = "pessimistic"
    NONE = "none"


class Risk(enum.Enum):
    """What the prunings are weighed by on the growing rows."""

    IMPURITY = "impurity"
    MISCLASSIFICATION = "misclassification"


class Space(enum.Enum):
    """Where a model is asked."""

    AUTO = "auto"
    ROWS = "rows"
    PRODUCT = "product"


class Growth(enum.Enum):
    """What the splits of a distilled tree are chosen by."""

    AUTO = "auto"
    GAIN = "gain"
    INFLUENCE = "influence"


class RowsAs(enum.Enum):
    """What a model is asked with."""

    AUTO = "auto"
    ARRAY = "array"
    PANDAS = "pandas"
    POLARS = "polars"


class Certify(enum.Enum):
    """What bounds the error on new rows."""

    HOLDOUT = "holdout"
    PAC_BAYES = "pac-bayes"
    NONE = "none"


SavedModel = Annotated[
    Path,
    typer.Argument(readable=False, show_default=False, help="A model that `fit --model` or `bristlecone.save` wrote."),
]


def _growth(flag: str, *, says: str, least: int | None = None, default: bool | str = True) -> Any:
    metavar = None if least is None else "N"
    return typer.Option(flag, metavar=metavar, min=least, show_default=default, help=says, rich_help_panel="Growth")


def _size(*flags: str, says: str, default: bool | str = True, **limits: Any) -> Any:
    return typer.Option(*flags, show_default=default, help=says, rich_help_panel="Size", **limits)


def _check(*flags: str, says: str, default: bool | str = True, **limits: Any) -> Any:
    return typer.Option(*flags, show_default=default, help=says, rich_help_panel="Check, print and save", **limits)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FitOptions(LearningOptions):
    """The words of `fit`."""

    task: Annotated[
        Task | None,
        typer.Option("--task", show_default="guessed from the target, and said", help="What the target is."),
    ] = None
    group: Annotated[
        str | None,
        column_option("--group", says="Rows with the same value here belong together: held out together, in one fold."),
    ] = None
    time: Annotated[
        str | None,
        column_option(
            "--time", says="Rows are in the order of this column: held out are the last ones, in every fold too."
        ),
    ] = None
    criterion: Annotated[
        Criterion | None,
        _growth(
            "--criterion",
            says="How the mixture of a node's rows is measured.",
            default="gini; squared_error for regression",
        ),
    ] = None
    max_depth: Annotated[
        int | None, _growth("--max-depth", says="Most questions on the way to an answer.", least=1, default=False)
    ] = None
    max_leaf_nodes: Annotated[
        int | None,
        _growth("--max-leaf-nodes", says="Most answers; the best splits are made first.", least=2, default=False),
    ] = None
    min_samples_leaf: Annotated[int, _growth("--min-samples-leaf", says="Fewest rows behind an answer.", least=1)] = 1
    min_samples_split: Annotated[int, _growth("--min-samples-split", says="Fewest rows that are split.", least=2)] = 2
    prune: Annotated[
        Prune,
        _size(
            "--prune",
            says="one-se: the smallest pruning whose cross-validated error is within one standard error of the least; "
            "min: that of least error; pessimistic: as C4.5, without cross-validation; none: the tree as it was grown.",
        ),
    ] = Prune.ONE_SE
    vote: Annotated[
        bool,
        _size(
            "--vote",
            says="In place of one pruning, the vote of all of them, each weighed by its errors and its size: again one "
            "tree, larger and often more accurate.",
            default=False,
        ),
    ] = False
    folds: Annotated[
        int | None,
        _size(
            "--folds", says="Folds of the cross-validation.", metavar="N", min=2, max=1000, default="10; 2 with --vote"
        ),
    ] = None
    risk: Annotated[
        Risk | None,
        _size(
            "--risk",
            says="What the weakest link is found by: the impurity that growth lowers, or the errors.",
            default="misclassification; impurity for regression",
        ),
    ] = None
    confidence: Annotated[
        float | None,
        _size(
            "--confidence",
            says="CF of pessimistic pruning; less prunes more.",
            metavar="FRACTION",
            min=0.0,
            max=1.0,
            default="0.25",
        ),
    ] = None
    missing: Annotated[
        Missing,
        _growth("--missing", says="A missing cell goes to the side that each split learns for it, or is refused."),
    ] = Missing.LEARN
    unseen: Annotated[
        Unseen,
        _growth(
            "--unseen",
            says="A level that no growing row had at a split stops there and gets that node's answer, goes to the "
            "heavier side, or is refused.",
        ),
    ] = Unseen.STOP
    runners: Annotated[
        int, _growth("--runners", says="Keep the N next best splits of every node, for `show --details`.", least=0)
    ] = 0
    n_jobs: Annotated[
        int | None, _growth("--n-jobs", says="Threads; any number gives the same tree.", least=1, default="1")
    ] = None
    certify: Annotated[
        Certify,
        _check(
            "--certify",
            says="What bounds the error on new rows. holdout: the rows kept out of growth, used for nothing else. "
            "pac-bayes: they also choose the pruning, or weigh the vote. none: nothing.",
        ),
    ] = Certify.HOLDOUT
    delta: Annotated[
        float, _check("--delta", says="The chance that the bound may fail with, above 0 and below 1.", metavar="CHANCE")
    ] = 0.05
    corrupted: Annotated[
        float,
        _check(
            "--corrupted",
            says="The largest share of the rows held out (groups) that may have been tampered with.",
            metavar="FRACTION",
            min=0.0,
            max=1.0,
        ),
    ] = 0.0
    radius: Annotated[
        float | None,
        _check(
            "--radius",
            says="For numbers: bound the chance of being off by more than this. --certify pac-bayes needs it.",
            metavar="NUMBER",
            min=0.0,
            default="what nine in ten growing rows keep to",
        ),
    ] = None
    holdout: Annotated[
        float | None,
        _check(
            "--holdout",
            says="Share of the rows kept out of growth, to measure and to bound the error of the very tree that is "
            "printed and saved. 0 grows on all rows and measures none.",
            metavar="FRACTION",
            min=0.0,
            max=1.0,
            default="0.2; 0.5 with --certify pac-bayes",
        ),
    ] = None
    seed: Annotated[
        int, _check("--seed", says="Which rows are held out, and in which fold.", metavar="N", min=0, max=2**32 - 1)
    ] = 0
    model: Annotated[
        Path | None,
        _check("--model", "-m", says="Write the tree to this file.", default=False, metavar="FILE.json"),
    ] = None
    report: Annotated[
        Path | None,
        _check(
            "--report",
            says="Write the page about the tree to this file: how good it is, why, and the tree to look at.",
            default=False,
            metavar="FILE.html",
        ),
    ] = None
    depth: Annotated[
        int | None,
        depth_option(
            "what fits a screen",
            "Print the tree down to this depth and fold what is below.",
            rich_help_panel="Check, print and save",
        ),
    ] = None

    def roles(self) -> dict[str, str]:
        """The columns that are not asked about because they are something else, by what they are."""
        given = {"group": self.group, "time": self.time}
        return LearningOptions.roles(self) | {role: name for role, name in given.items() if name is not None}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PredictOptions:
    """The words of `predict`."""

    model: SavedModel
    data: Data
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            show_default="standard output",
            help="Write the answers to this file: .csv, .tsv, .parquet, .feather, .arrow or .jsonl by its ending, "
            "CSV where it has none.",
        ),
    ] = None
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep", metavar="COL", show_default=False, help="Copy this column of DATA before the answers. " + AGAIN
        ),
    ] = None
    n_jobs: Annotated[int, typer.Option("--n-jobs", metavar="N", min=1, help="Threads.")] = 1


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ShowOptions:
    """The words of `show`."""

    model: SavedModel
    path: Annotated[
        bool,
        typer.Option(
            "--path", help="In place of the tree, the prunings that were to choose from, and what each costs."
        ),
    ] = False
    details: Annotated[
        bool,
        typer.Option(
            "--details",
            help="Also impurities, gains, runner-up splits (`fit --runners`), splits found by a heuristic, "
            "and how the tree was made.",
        ),
    ] = False
    depth: Annotated[
        int | None,
        depth_option("what fits a screen; all where no terminal reads it", "Fold what is below this depth."),
    ] = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ExplainOptions:
    """The words of `explain`."""

    model: SavedModel
    data: Data
    row: Annotated[
        int | None,
        typer.Option(
            "--row",
            "-r",
            metavar="K",
            min=1,
            show_default=False,
            help="Which row of DATA; 1 is the first one below the header.",
        ),
    ] = None
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            show_default=False,
            help="In place of one row, write the reasons for all of them to this file: .csv, .tsv, .parquet, .feather, "
            ".arrow or .jsonl by its ending.",
        ),
    ] = None


Options = TypeVar("Options")


def taking(options: type[Options]) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Return a decorator that gives a command, which takes one `options` object, the signature that typer reads."""

    def decorate(command: Callable[[Options], None]) -> Callable[..., None]:
        @functools.wraps(command)
        def with_words(**words: Any) -> None:
            command(options(**words))

        hints = get_type_hints(options, include_extras=True)
        fields = inspect.signature(options).parameters.values()
        parameters = [field.replace(annotation=hints[field.name]) for field in fields]
        vars(with_words)["__signature__"] = inspect.Signature(parameters)
        with_words.__annotations__ = hints
        return with_words

    return decorate
