"""`certify`: how wrong a saved tree can be, by rows that it has never seen."""

from __future__ import annotations

import sys
from typing import Any

from numpy.typing import NDArray

from bristlecone.cli import page
from bristlecone.cli.certificates import of_answers
from bristlecone.cli.certify_options import CertifyOptions
from bristlecone.cli.faults import Fault, check_chance, plain, quoted
from bristlecone.cli.fingerprint import fingerprint
from bristlecone.cli.models import Model, load_model
from bristlecone.cli.progress import visibly
from bristlecone.cli.rows import check_column, digest, people_count, read_rows
from bristlecone.cli.sample import numbered
from bristlecone.cli.target import known_rows
from bristlecone.cli.truth import truth_of
from bristlecone.table import Table

OWN_ROWS = (
    "{} holds the very rows that the model was made from; a certificate needs rows that had no part in it (`fit` "
    "certifies by those it held out, and `show` prints that)"
)


def certify(options: CertifyOptions) -> None:
    """Run the command: the certificate on standard output, what it cannot know on standard error."""
    check_chance("--delta", options.delta)
    model = load_model(options.model)
    target = options.target or model.target
    if target is None:
        raise Fault(f"{options.model} does not name its target: give it with --target")
    radius = _radius(model, options)
    _refuse_own_rows(model, options)
    file = read_rows(options.data, model.tree.schema)
    if target in model.tree.schema.names:
        raise Fault(f"{quoted(target)} is a column that the tree reads, so it is not what it predicts")
    column = file.frame[check_column(file, target, options.data)]
    rows = known_rows(column)
    if not len(rows):
        raise Fault(f"{options.data}: {quoted(target)} is missing in every row")
    values = truth_of(model.tree, column)
    group = None
    if options.group is not None:
        check_column(file, options.group, options.data)
        group = numbered("group", file.frame[options.group], rows)
    with people_count(options.data):
        answers = visibly("answering", lambda: model.tree.predict(file.table(), options.n_jobs))[rows]
    _refuse_known_rows(model, file.table().take(rows), values, options)
    try:
        found = of_answers(model.tree, values, answers, options.delta, group, radius, options.corrupted)
    except ValueError as fault:
        raise Fault(f"{options.data}: {fault}") from fault
    print(found.to_json() if options.json else plain_lines(str(found)))
    print(plain(_reminder(model, len(file.frame) - len(rows))), file=sys.stderr)


def _refuse_own_rows(model: Model, options: CertifyOptions) -> None:
    made_from = model.made.get("data_sha256")
    if made_from is not None and made_from == digest(options.data):
        raise Fault(OWN_ROWS.format(options.data))


def _refuse_known_rows(model: Model, table: Table, y: NDArray[Any], options: CertifyOptions) -> None:
    """Refuse the rows that made the model, also where they stand in another order or another file."""
    known = model.made.get("fingerprints")
    if isinstance(known, list) and fingerprint(table, y, task=model.tree.task) in known:
        raise Fault(OWN_ROWS.format(options.data))


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
