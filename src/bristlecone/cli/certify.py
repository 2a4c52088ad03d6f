"""`certify`: how wrong a saved tree can be, by rows that it has never seen."""

from __future__ import annotations

import sys
from typing import Any

from bristlecone.cli import page
from bristlecone.cli.certificates import of_answers
from bristlecone.cli.certify_options import CertifyOptions
from bristlecone.cli.faults import Fault, check_chance, plain, quoted
from bristlecone.cli.measured import known_of
from bristlecone.cli.models import Model, load_model
from bristlecone.cli.own_rows import refuse_known_rows, refuse_own_file
from bristlecone.cli.progress import visibly
from bristlecone.cli.rows import check_column, people_count, read_rows
from bristlecone.cli.sample import numbered


def certify(options: CertifyOptions) -> None:
    """Run the command: the certificate on standard output, what it cannot know on standard error."""
    check_chance("--delta", options.delta)
    model = load_model(options.model)
    target = model.target_or(options.target, options.model)
    radius = _radius(model, options)
    refuse_own_file(model, options.data, "a certificate")
    file = read_rows(options.data, model.tree.schema, [target])
    table, values, rows = known_of(file, options.data, model.tree, target)
    group = None
    if options.group is not None:
        if options.group == target:
            raise Fault(f"{quoted(target)} cannot be both the target and the group")
        if options.group in model.tree.schema.names:
            raise Fault(f"{quoted(options.group)} is a column that the tree reads, so it cannot be the group")
        check_column(file, options.group, options.data)
        group = numbered("group", file.frame[options.group], rows)
    with people_count(options.data, rows):
        answers = visibly("answering", lambda: model.tree.predict(table, options.n_jobs))
    refuse_known_rows(model, options.data, table, values, "a certificate")
    try:
        found = of_answers(model.tree, values, answers, options.delta, group, radius, options.corrupted)
    except ValueError as fault:
        raise Fault(f"{options.data}: {fault}") from fault
    print(found.to_json() if options.json else plain_lines(str(found)))
    print(plain(_reminder(model, len(file.frame) - len(rows))), file=sys.stderr)


def _radius(model: Model, options: CertifyOptions) -> float | None:
    if model.tree.classes is not None:
        if options.radius is not None:
            raise Fault("--radius is for numbers; this tree answers classes")
        return None
    held: Any = model.made.get("certificate")
    if options.radius is not None:
        return options.radius
    if isinstance(held, dict) and isinstance(held.get("details"), dict) and "radius" in held["details"]:
        return float(held["details"]["radius"])
    raise Fault("this tree answers numbers: --radius says how far off an answer may be")


def plain_lines(text: str) -> str:
    """Text of several lines without control characters."""
    return "\n".join(plain(line) for line in text.split("\n"))


def _reminder(model: Model, left_out: int) -> str:
    told = "note: this holds if these rows had no part in making the model"
    name = model.made.get("options", {}).get("data") if isinstance(model.made.get("options"), dict) else None
    if isinstance(name, str):
        told += f", so not if they come from {quoted(name)}, from which it was made"
    if left_out:
        told += f"; {page.count(left_out, 'row')} without a target left out"
    return told
