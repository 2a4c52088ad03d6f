"""`explain`: the way of one row, in words."""

from __future__ import annotations

import dataclasses

from bristlecone.cli import page
from bristlecone.cli.faults import Fault
from bristlecone.cli.models import load_model
from bristlecone.cli.options import ExplainOptions
from bristlecone.cli.rows import people_count, read_rows


def explain(options: ExplainOptions) -> None:
    """Run the command."""
    model = load_model(options.model)
    table = read_rows(options.data, model.tree.schema).table()
    if options.row > table.n_rows:
        raise Fault(f"there is no row {options.row:,} in {options.data.name}: it has {page.count(table.n_rows, 'row')}")
    place = options.row - 1
    with people_count(options.data, [place]):
        found = model.tree.explain(table.take([place]), 0)
    sentence = found.sentence.removeprefix("Row 0 ")
    page.show([], str(dataclasses.replace(found, row=options.row, sentence=f"Row {options.row:,} {sentence}")))
