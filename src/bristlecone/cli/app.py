"""The commands and how they are called; typer is imported from here on."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer

from bristlecone.cli.certify_options import CertifyOptions
from bristlecone.cli.distill_options import DistillOptions
from bristlecone.cli.export_options import ExportOptions
from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.options import ExplainOptions, FitOptions, PredictOptions, ShowOptions, taking
from bristlecone.cli.options_judging import AuditOptions, CompareOptions, ReportOptions
from bristlecone.cli.reproduce_options import ReproduceOptions
from bristlecone.cli.stress_options import StressOptions

_SHORT_HELP = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="bristlecone",
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings=_SHORT_HELP,
    help="Single decision trees that people can read and check.",
    epilog="A first tree: `bristlecone fit people.csv --target income --max-depth 4 --model tree.json`",
)


def _tell_version(asked: bool) -> None:
    if asked:
        typer.echo(f"bristlecone {importlib.metadata.version('bristlecone')}")
        raise typer.Exit


@app.callback()
def bristlecone(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """The words that come before a command."""


COMMANDS: Mapping[str, tuple[type, str]] = {
    "fit": (FitOptions, "Grow a tree from the rows of a file, say how good it is, print it, and save it."),
    "predict": (PredictOptions, "Answer for every row of a file: the label, and each class's probability."),
    "certify": (CertifyOptions, "Say how wrong a saved tree can be on new rows, by rows that it has never seen."),
    "show": (ShowOptions, "Print a saved tree."),
    "stress": (StressOptions, "Corrupt rows on purpose, fit again, and tell what became of the error."),
    "distill": (DistillOptions, "Ask a model for a readable tree, and say how faithful the tree is to it."),
    "report": (ReportOptions, "Write a page about a saved tree, measured on the rows of a file: one HTML file."),
    "audit": (AuditOptions, "Hold a tree that somebody else grew against rows it has not seen."),
    "compare": (CompareOptions, "Compare two trees on the rows of a file, or the rows of two files."),
    "explain": (ExplainOptions, "Tell in words how one row of a file gets its answer."),
    "export": (
        ExportOptions,
        "Write a saved tree as rules, SQL, code, ONNX or PMML, and check that it answers the same.",
    ),
    "reproduce": (ReproduceOptions, "Make a published table or figure, or a study of the docs, again."),
}
"""What each command takes and says; the function of its name stands in the module of its name."""


def _later(name: str) -> Callable[[Any], None]:
    """A command whose module is imported when it runs: `--help` need not wait for scikit-learn."""

    def command(options: Any) -> None:
        getattr(importlib.import_module(f"bristlecone.cli.{name}"), name)(options)

    return command


for _name, (_options, _says) in COMMANDS.items():
    app.command(_name, help=_says)(taking(_options)(_later(_name)))

_UsageError = typer.BadParameter.__mro__[1]
"""What the parser raises for wrong words; typer names only its subclass."""


def invoke(words: Sequence[str]) -> int:
    """Run the command that `words` ask for and return its exit code.

    Raises `Fault` for words that the parser refuses; lets every other error of the command pass.
    """
    command = typer.main.get_command(app)
    try:
        with command.make_context("bristlecone", list(words) or ["--help"]) as context:
            command.invoke(context)
    except typer.Exit as leaving:
        return leaving.exit_code
    except Exception as fault:
        if isinstance(fault, _UsageError):
            raise Fault(_usage(fault, words)) from fault
        raise
    return 0


def _usage(fault: Any, words: Sequence[str]) -> str:
    """Return what the parser says, with the value it speaks of and where to read more."""
    message = str(fault.format_message()).rstrip(".")
    context = getattr(fault, "ctx", None)
    path = context.command_path if context is not None else "bristlecone"
    value = _value_of(getattr(getattr(fault, "param", None), "opts", ()), words)
    got = f"got {quoted(value)}; " if value and value not in message else ""
    return f"{message} ({got}see {path} --help)"


def _value_of(flags: Sequence[str], words: Sequence[str]) -> str:
    for word, after in zip(words, [*words[1:], ""], strict=True):
        flag, equals, value = word.partition("=")
        if flag in flags:
            return value if equals else after
    return ""
