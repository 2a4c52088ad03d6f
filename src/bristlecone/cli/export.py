"""`export`: a saved tree as text, code or a model for other programs, checked on data if asked."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bristlecone import export as exports
from bristlecone.cli import page
from bristlecone.cli.export_options import ExportOptions, Format
from bristlecone.cli.faults import Fault, plain, quoted
from bristlecone.cli.models import Model, load_model
from bristlecone.cli.progress import visibly
from bristlecone.cli.rows import read_rows
from bristlecone.cli.writing import check_writable, write_whole
from bristlecone.table import Table

WRITERS: dict[Format, Callable[..., Any]] = {
    Format.RULES: exports.rules,
    Format.TEXT: exports.text,
    Format.SQL: exports.sql,
    Format.PYTHON: exports.python,
    Format.C: exports.c,
    Format.JAVASCRIPT: exports.javascript,
    Format.ONNX: exports.onnx,
    Format.PMML: exports.pmml,
    Format.DOT: exports.dot,
    Format.JSON: exports.json,
}
ENDINGS = {
    ".txt": Format.RULES,
    ".sql": Format.SQL,
    ".py": Format.PYTHON,
    ".c": Format.C,
    ".js": Format.JAVASCRIPT,
    ".onnx": Format.ONNX,
    ".pmml": Format.PMML,
    ".dot": Format.DOT,
    ".gv": Format.DOT,
    ".json": Format.JSON,
}
TAKES = {  # the options that not every format has
    Format.SQL: ("dialect", "table", "probabilities", "leaf_id", "prediction"),
    Format.C: ("name",),
    Format.ONNX: ("dtype",),
    Format.PMML: ("target",),
}


def export(options: ExportOptions) -> None:
    """Run the command: the export to a file or to standard output, what a check found to standard error."""
    form = _format(options)
    given = _given(options, form)
    if options.output is not None:
        inputs = [options.model, *([options.check] if options.check is not None else [])]
        check_writable(options.output, *inputs)
    elif form is Format.ONNX:
        raise Fault("an ONNX model is no text; name a file for it: --output tree.onnx")
    model = load_model(options.model, trust=options.trust)
    if form is Format.PMML and "target" not in given and model.target is not None:
        given["target"] = model.target
    said = WRITERS[form](model.tree, **given)
    found = None if options.check is None else _checked(options.check, model, form, given)
    content = said if isinstance(said, str) else said.SerializeToString()
    if options.output is not None:
        write_whole(options.output, content.encode() if isinstance(content, str) else content)
    else:
        sys.stdout.write(content)
    for sentence in found or ():
        print(plain(sentence), file=sys.stderr)


def _format(options: ExportOptions) -> Format:
    if options.to is not None:
        return options.to
    if options.output is None:
        return Format.RULES
    ending = options.output.suffix.lower()
    if ending not in ENDINGS:
        raise Fault(f"what {quoted(options.output)} is to hold cannot be told from its ending; say it by --to")
    return ENDINGS[ending]


def _given(options: ExportOptions, form: Format) -> dict[str, Any]:
    """The options that belong to the format. Raises `Fault` for one that belongs to another."""
    given = {}
    for owner, names in TAKES.items():
        for name in names:
            value = getattr(options, name)
            if value is None or value is False:
                continue
            if owner is not form:
                word = "--" + name.replace("_", "-")
                raise Fault(f"{word} goes with --to {owner.value}, not with --to {form.value}")
            given[name] = getattr(value, "value", value)
    return given


def _checked(path: Path, model: Model, form: Format, given: dict[str, Any]) -> list[str]:
    """What running the export on a file of rows shows. Raises `Fault` if it cannot be run, or differs from the tree."""
    if form.value not in exports.RUNNERS:
        raise Fault(f"--check cannot run {form.value}; it runs {', '.join(exports.RUNNERS)}")
    table = read_rows(path, model.tree.schema).table()
    options: dict[str, Any] = {name: given[name] for name in ("dtype", "dialect") if name in given}
    if form is Format.SQL:
        options = {"dialect": "ansi"} | options
    try:
        found = visibly("checking", lambda: exports.check(model.tree, table, form.value, **options))
    except exports.CannotRun as fault:
        raise Fault(f"--check: {fault}") from fault
    if found.differ:
        raise Fault(f"the export was not written: {found}; the first is {_place(found.differ[0], table, path)}")
    return [f"checked: {found}", *_rounded(model, table, given)]


def _place(row: int, table: Table, path: Path) -> str:
    return f"row {row + 1:,} of {path}" if row < table.n_rows else f"trial {row - table.n_rows + 1:,}"


def _rounded(model: Model, table: Table, given: dict[str, Any]) -> list[str]:
    if given.get("dtype") != "float32":
        return []
    count = exports.float32_disagreements(model.tree, table)
    rows = page.count(count, "row")
    return [f"float32: {rows} of {table.n_rows:,} get another answer, because their numbers are rounded to float32"]
