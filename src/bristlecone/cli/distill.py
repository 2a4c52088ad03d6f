"""`distill`: a model and rows like those that it sees in, a readable tree and its fidelity out."""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib.metadata
import warnings
from pathlib import Path
from typing import Any

from bristlecone.cli import page
from bristlecone.cli.black_box import load_black_box, on_frames, read_by
from bristlecone.cli.distill_options import DistillOptions
from bristlecone.cli.faults import Fault, plain, quoted
from bristlecone.cli.models import Model, save_model
from bristlecone.cli.progress import visibly
from bristlecone.cli.rows import Naming, check_column, people_count, read_named_rows
from bristlecone.cli.summary import drawing
from bristlecone.cli.writing import check_writable, is_stream
from bristlecone.query import Distilled, Fidelity
from bristlecone.query import distill as distill_model
from bristlecone.table import FileRows

MOST_WARNINGS = 3  # that are told


def distill(options: DistillOptions) -> None:
    """Run the command: nothing is printed or written before all went well."""
    if options.model is not None:
        check_writable(options.model, options.like)
        if is_stream(options.model):
            raise Fault(f"cannot write {quoted(options.model)}: a model needs a regular file")
    model = load_black_box(options.black_box, trust=options.trust)
    file, _ = read_named_rows(options.like, Naming(drop=tuple(options.drop or ())))
    found, warned = _distilled(model, file, options)
    drawn = drawing(found.tree, options.depth, fold=True)
    if options.model is not None:
        save_model(Model(found.tree, _how_made(found, options)), options.model)
        drawn += f"\n\nModel written to {plain(options.model)}"
    page.show([*_told(found, file, options), *(("Note", note) for note in warned)], drawn)


def _distilled(model: Any, file: FileRows, options: DistillOptions) -> tuple[Distilled, list[str]]:
    """The tree, and what was warned of on the way, each thing once."""
    labels, frame = None, file.frame
    if options.target is not None:
        check_column(file, options.target, options.like)
        labels, frame = frame[options.target].to_numpy(), frame.drop(options.target)
        if not frame.columns:
            raise Fault(f"{options.like}: no column is left beside {quoted(options.target)}")
    left_out = frame.columns
    frame = read_by(model, frame)
    left_out = [name for name in left_out if name not in frame.columns]
    asked, rows = on_frames(model, frame, options.rows_as), frame.to_native()

    def work() -> Distilled:
        return distill_model(
            asked,
            rows,
            max_leaves=options.max_leaves,
            delta=options.delta,
            space=options.space.value,
            growth=options.growth.value,
            points_per_leaf=options.points,
            max_queries=options.max_queries,
            random_state=options.seed,
            X=None if labels is None else rows,
            y=labels,
        )

    with people_count(options.like), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = visibly("asking the model", work)
    notes = list(dict.fromkeys(str(one.message).splitlines()[0] for one in warned))[:MOST_WARNINGS]
    if left_out:
        notes.append(f"left out, as the model does not read them: {', '.join(map(quoted, left_out))}")
    return found, notes


def _told(found: Distilled, file: FileRows, options: DistillOptions) -> list[tuple[str, str]]:
    leaves, depth = page.count(found.tree.n_leaves, "leaf", "leaves"), found.tree.max_depth
    tried = "; ".join(
        f"{c.growth} in the {c.space} space {page.share(c.fidelity)}" + (f" ({c.stopped})" if c.stopped else "")
        for c in found.candidates
        if c.fidelity is not None
    )
    told = [
        ("Model", f"{plain(options.black_box)}, asked {found.n_queries:,} times"),
        ("Like", f"{options.like.name}: {page.count(file.n_rows, 'row')}"),
        ("Tree", f"{leaves}, depth {depth}, by {found.growth} in the {found.space} space"),
        ("Fidelity", _fidelity(found.on_like, found.delta, "rows put aside")),
        ("Around", _fidelity(found.on_space, found.delta, "points of the space asked")),
    ]
    if found.tree_error is not None and found.model_error is not None:
        errors = f"the tree {page.share(found.tree_error)}, the model {page.share(found.model_error)}"
        told.append(("Errors", f"{errors}, on all rows by {quoted(options.target)}"))
    if tried:
        told.append(("Compared", f"on other rows put aside: {tried}"))
    if found.n_changed:
        told.append(("Changed", f"{found.n_changed:,} answers of the model differed when it was asked again"))
    return [*told, *(("Note", note) for note in found.notes)]


def _fidelity(fidelity: Fidelity, delta: float, what: str) -> str:
    limit = f"at least {page.share(fidelity.at_least(delta))} of all such with {page.share(1 - delta)} confidence"
    return f"agrees with the model on {page.share(fidelity.share)} of {fidelity.n:,} {what}; {limit}"


def _how_made(found: Distilled, options: DistillOptions) -> dict[str, Any]:
    """What the model file says beside the tree."""
    words = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    told = {name: getattr(value, "value", value) for name, value in words.items() if name not in ("model", "depth")}
    return {
        "by": f"bristlecone {importlib.metadata.version('bristlecone')}",
        "on": dt.datetime.now(dt.UTC).date().isoformat(),
        "target": options.target or f"the answer of {options.black_box}",
        "options": {name: str(value) if isinstance(value, Path) else value for name, value in told.items()},
        "fidelity": {"share": found.fidelity, "at_least": found.fidelity_lower, "delta": found.delta},
        "queries": found.n_queries,
    }
