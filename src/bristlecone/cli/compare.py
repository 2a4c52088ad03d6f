"""`compare`: two trees on the rows of a file, or the rows of two files: under one tree, or each with its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bristlecone.cli import page
from bristlecone.cli.comparing_rows import disagreeing, of_data, with_own_trees
from bristlecone.cli.faults import Fault, names_of_two, plain, quoted
from bristlecone.cli.frames import check_format, write_frame
from bristlecone.cli.measured import measured_rows
from bristlecone.cli.models import is_model, load_model
from bristlecone.cli.options_judging import CompareOptions, Rows
from bristlecone.cli.own_rows import refuse_own_rows
from bristlecone.cli.rows import people_count
from bristlecone.cli.writing import check_writable
from bristlecone.report import compare as compare_of


def compare(options: CompareOptions) -> None:
    """Run the command."""
    if options.output is not None:
        check_format(options.output)
        given = options.a, options.b, options.data, options.model
        check_writable(options.output, *(path for path in given if path is not None))
    told, columns = _compared(options)
    if options.output is not None:
        import polars as pl

        write_frame(pl.DataFrame(columns), options.output)
        n_rows = len(next(iter(columns.values())))
        told += f"\n\n{page.count(n_rows, 'row')} written to {plain(options.output)}"
    page.show([], told)


def _compared(options: CompareOptions) -> tuple[str, Mapping[str, Any]]:
    """The words, and the columns of the rows with different answers."""
    models = is_model(options.a), is_model(options.b)
    if any(models):
        if not all(models):
            one, other = (options.a, options.b) if models[0] else (options.b, options.a)
            raise Fault(
                f"{quoted(one)} is a model and {quoted(other)} is none: compare two models, or two files of rows"
            )
        return _two_models(options)
    if options.data is not None:
        raise Fault(f"{quoted(options.a)} is no model; --data goes with two models, --model with two files of rows")
    if options.model is not None:
        return of_data(options, options.model)
    return with_own_trees(options)


def _two_models(options: CompareOptions) -> tuple[str, Mapping[str, Any]]:
    for flag, value in (("--model", options.model), ("--key", options.key)):
        if value is not None:
            raise Fault(f"{flag} goes with two files of rows; {quoted(options.a)} is a model")
    if options.data is None:
        raise Fault("two models are compared on rows; name them with --data")
    a, b = load_model(options.a), load_model(options.b)
    if a.tree.task != b.tree.task:
        raise Fault(f"{quoted(options.a)} is of {a.tree.task}, {quoted(options.b)} of {b.tree.task}: no comparison")
    target = a.target_or(options.target or a.target or b.target, options.a)
    rows = None if options.rows is None else options.rows.value
    table, y, known = measured_rows(options.data, a.tree, target)
    other, also_y, _ = measured_rows(options.data, b.tree, target)
    if options.rows is Rows.NEW:
        for model, rows_of, truth in ((a, table, y), (b, other, also_y)):
            refuse_own_rows(model, options.data, rows_of, truth, "--rows new")
    names = names_of_two(options.a, options.b)
    with people_count(options.data, known):
        found = compare_of(a.tree, b.tree, (table, other), y, rows=rows, names=names)
    return str(found), disagreeing(found, known)
