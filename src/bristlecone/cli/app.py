"""The commands and how they are called; typer is imported from here on."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from bristlecone.cli.audit import audit
from bristlecone.cli.certify import certify
from bristlecone.cli.certify_options import CertifyOptions
from bristlecone.cli.compare import compare
from bristlecone.cli.distill import DistillOptions, distill
from bristlecone.cli.explain import explain
from bristlecone.cli.export import export
from bristlecone.cli.export_options import ExportOptions
from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.fit import fit
from bristlecone.cli.options import ExplainOptions, FitOptions, PredictOptions, ShowOptions, taking
from bristlecone.cli.options_judging import AuditOptions, CompareOptions, ReportOptions
from bristlecone.cli.predict import predict
from bristlecone.cli.report import report
from bristlecone.cli.reproduce import reproduce
from bristlecone.cli.reproduce_options import ReproduceOptions
from bristlecone.cli.show import show
from bristlecone.cli.stress import stress
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


app.command("fit", help="Grow a tree from the rows of a file, say how good it is, print it, and save it.")(
    taking(FitOptions)(fit)
)
app.command("predict", help="Answer for every row of a file: the label, and each class's probability.")(
    taking(PredictOptions)(predict)
)
app.command("certify", help="Say how wrong a saved tree can be on new rows, by rows that it has never seen.")(
    taking(CertifyOptions)(certify)
)
app.command("show", help="Print a saved tree.")(taking(ShowOptions)(show))
app.command("stress", help="Corrupt rows on purpose, fit again, and tell what became of the error.")(
    taking(StressOptions)(stress)
)
app.command("distill", help="Ask a model for a readable tree, and say how faithful the tree is to it.")(
    taking(DistillOptions)(distill)
)
app.command("report", help="Write a page about a saved tree, measured on the rows of a file: one HTML file.")(
    taking(ReportOptions)(report)
)
app.command("audit", help="Hold a tree that somebody else grew against rows it has not seen.")(
    taking(AuditOptions)(audit)
)
app.command("compare", help="Compare two trees on the rows of a file, or the rows of two files.")(
    taking(CompareOptions)(compare)
)
app.command("explain", help="Tell in words how one row of a file gets its answer.")(taking(ExplainOptions)(explain))
app.command("export", help="Write a saved tree as rules, SQL, code, ONNX or PMML, and check that it answers the same.")(
    taking(ExportOptions)(export)
)
app.command("reproduce", help="Make a published table or figure, or a study of the docs, again.")(
    taking(ReproduceOptions)(reproduce)
)

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
