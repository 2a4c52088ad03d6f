"""`explain`: the way of one row, what would change its answer, who carried a vote; or the reasons for all rows."""

from __future__ import annotations

import dataclasses

from bristlecone.cli import page
from bristlecone.cli.faults import Fault, plain
from bristlecone.cli.frames import check_format, write_frame
from bristlecone.cli.models import Model, load_model
from bristlecone.cli.options import ExplainOptions
from bristlecone.cli.progress import visibly
from bristlecone.cli.reasons import reasons_frame
from bristlecone.cli.rows import people_count, read_rows
from bristlecone.cli.writing import check_writable
from bristlecone.table import Table

_VOTERS = 5


def explain(options: ExplainOptions) -> None:
    """Run the command."""
    row, output = options.row, options.output
    if (row is None) == (output is None):
        raise Fault("give --row K for one row, or --output OUT for the reasons of all rows")
    if output is not None:
        check_format(output)
        check_writable(output, options.data, options.model)
    model = load_model(options.model)
    table = read_rows(options.data, model.tree.schema).table()
    if row is not None:
        _one(model, table, row, options)
    if output is not None:
        with people_count(options.data):
            frame = visibly("explaining", lambda: reasons_frame(model.tree, table))
        write_frame(frame, output)
        page.show([], f"Reasons for {page.count(table.n_rows, 'row')} written to {plain(output)}")


def _one(model: Model, table: Table, row: int, options: ExplainOptions) -> None:
    if row > table.n_rows:
        raise Fault(f"there is no row {row:,} in {options.data.name}: it has {page.count(table.n_rows, 'row')}")
    place = row - 1
    with people_count(options.data, [place]):
        found = model.tree.explain(table.take([place]), 0)
    sentence = found.sentence.removeprefix("Row 0 ")
    told = [str(dataclasses.replace(found, row=row, sentence=f"Row {row:,} {sentence}"))]
    told += [str(model.tree.alternatives(table, place)), *_voters(model, table, place)]
    page.show([], "\n".join(part for part in told if part))


def _voters(model: Model, table: Table, place: int) -> list[str]:
    """Who carried a vote; none where the model is no vote, or where its file has only the tree that came of it."""
    if not hasattr(model.estimator, "voters"):
        return []
    return [f"  {voter}" for voter in model.estimator.voters(table, place)[:_VOTERS]]
