"""`compare`: two trees on the rows of a file."""

from __future__ import annotations

import numpy as np

from bristlecone.cli import page
from bristlecone.cli.faults import Fault, plain, quoted
from bristlecone.cli.frames import check_format, write_frame
from bristlecone.cli.models import load_model
from bristlecone.cli.options_judging import CompareOptions
from bristlecone.cli.report import measured_rows
from bristlecone.cli.writing import check_writable
from bristlecone.report import compare as compare_of


def compare(options: CompareOptions) -> None:
    """Run the command."""
    if options.output is not None:
        check_format(options.output)
        check_writable(options.output, options.data, options.a, options.b)
    a, b = load_model(options.a), load_model(options.b)
    if a.tree.task != b.tree.task:
        raise Fault(f"{quoted(options.a)} is of {a.tree.task}, {quoted(options.b)} of {b.tree.task}: no comparison")
    target = options.target or a.target or b.target
    if target is None:
        raise Fault(f"{quoted(options.a)} does not say which column it predicts; name it with --target")
    rows = None if options.rows is None else options.rows.value
    table, y, known = measured_rows(options.data, a.tree, target)
    other, _, _ = measured_rows(options.data, b.tree, target)
    names = plain(options.a.name), plain(options.b.name)
    found = compare_of(a.tree, b.tree, (table, other), y, rows=rows, names=names)
    told = str(found)
    if options.output is not None:
        import polars as pl

        where = np.flatnonzero(found.disagree)
        columns = {"row": known[where] + 1, "truth": y[where].tolist()}
        columns |= {"A": found.a.answers[where].tolist(), "B": found.b.answers[where].tolist()}
        write_frame(pl.DataFrame(columns), options.output)
        told += f"\n\n{page.count(len(where), 'row')} written to {plain(options.output)}"
    page.show([], told)
