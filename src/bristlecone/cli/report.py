"""`report`: the page about a saved tree, measured on the rows of a file; and the page that `fit --report` writes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bristlecone.cli import page, summary
from bristlecone.cli.faults import Fault, plain, quoted
from bristlecone.cli.made import Vote
from bristlecone.cli.measured import measured_rows
from bristlecone.cli.models import Model, load_model
from bristlecone.cli.options import Certify, Prune
from bristlecone.cli.options_judging import ReportOptions, Rows
from bristlecone.cli.own_rows import refuse_own_rows
from bristlecone.cli.progress import visibly
from bristlecone.cli.rows import people_count
from bristlecone.cli.size import Sized
from bristlecone.cli.writing import check_writable, is_stream
from bristlecone.export.writing import whole_file
from bristlecone.report.evidence import Evidence, gather
from bristlecone.report.pages import check_jinja, page_about
from bristlecone.report.subject import Subject, subject_of

if TYPE_CHECKING:
    from bristlecone.cli.fit import Fitted


def report(options: ReportOptions) -> None:
    """Run the command."""
    check_page(options.output, options.data, options.model)
    model = load_model(options.model)
    target = model.target_or(options.target, options.model)
    table, y, known = measured_rows(options.data, model.tree, target)
    rows = None if options.rows is None else options.rows.value
    if options.rows is Rows.NEW:
        refuse_own_rows(model, options.data, table, y, "--rows new")
    with people_count(options.data, known):
        evidence = gather(model.tree, table, y, rows=rows, names=known)
    subject = subject_of_model(model)
    write_page(options.output, page_text(subject, evidence, target, {"Measured on": options.data.name}))
    print(f"Page written to {plain(options.output)}")


def check_page(path: Path, *inputs: Path) -> None:
    """Raise `Fault` if no page can be put at `path`; asked before the long work."""
    check_writable(path, *inputs)
    if is_stream(path):
        raise Fault(f"cannot write {quoted(path)}: a page needs a regular file")
    try:
        check_jinja()
    except ImportError as error:
        raise Fault(str(error)) from error


def page_text(subject: Subject, evidence: Evidence | None, target: str, made: Mapping[str, str]) -> str:
    """Return the page. made: what else is to be told of how it was made."""
    subject = dataclasses.replace(subject, made={**subject.made, **made})
    return visibly("writing the page", lambda: page_about(subject, evidence, target=target, first_row=1))


def write_page(path: Path, text: str) -> None:
    """Write the page, whole or not at all."""
    with whole_file(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")


def page_of_fit(fitted: Fitted, made: Mapping[str, Any]) -> str:
    """Return the page about a run of `fit`: the tree, measured on the rows that it held out."""
    subject, evidence = _of_fit(fitted)
    return page_text(subject, evidence, fitted.target.name, made_in_words(made))


def _of_fit(fitted: Fitted) -> tuple[Subject, Evidence | None]:
    options, split = fitted.options, fitted.split
    subject = Subject(
        tree=fitted.tree,
        size=summary.why_this_size(fitted.sized, options.prune),
        prunings=fitted.sized.table,
        weights=fitted.sized.weights,
        certificate=fitted.certified.certificate,
        certified_here=True,
    )
    held_out = fitted.sample.take(split.held_out)
    classes = fitted.tree.classes
    if not len(held_out.rows) or (classes is not None and not np.isin(held_out.y, classes).any()):
        return subject, None  # a tree is not measured on rows all of whose classes it has never seen
    unlimited = ""
    if options.group is not None:
        unlimited = f"rows with the same {quoted(options.group)} belong together and are no independent draws"
    if options.time is not None:
        unlimited = f"the rows are in the order of {quoted(options.time)} and are no independent draws"
    return subject, gather(
        fitted.tree,
        held_out.table,
        held_out.y,
        weight=held_out.weight,
        rows="choosing" if options.certify is Certify.PAC_BAYES else "new",
        unlimited=unlimited,
        names=held_out.rows,
    )


def subject_of_model(model: Model) -> Subject:
    """What a model file has to tell."""
    made = model.made
    if not made:
        return subject_of(model.estimator or model.tree)
    size, options = "", made.get("options", {})
    if "fidelity" in made:
        size = _asked_in_words(made)
    elif "grown_leaves" in made:
        vote, bounded = made.get("vote"), ""
        if options.get("certify") == Certify.PAC_BAYES.value:
            bounded = "vote" if options.get("vote") else "pruning"
        sized = Sized(model.tree, made["grown_leaves"], model.prunings, None if vote is None else Vote(**vote), bounded)
        size = summary.why_this_size(sized, Prune(options.get("prune", Prune.ONE_SE.value)))
    return Subject(
        model.tree, size=size, prunings=model.prunings, certificate=model.certificate, made=made_in_words(made)
    )


def _asked_in_words(made: Mapping[str, Any]) -> str:
    """How a tree came from another model."""
    told = made["fidelity"]
    alike = f"of rows put aside it answers {page.share(told['share'])} alike, in truth at least"
    asked = (
        f"grown by {made['queries']:,} answers of another model" if "queries" in made else "grown from another model"
    )
    return f"{asked}; {alike} {page.share(told['at_least'])} (with probability {page.share(1 - told['delta'])})"


def made_in_words(made: Mapping[str, Any]) -> dict[str, str]:
    """How a model was made, as pairs of words; options that were not given are left out."""
    options = {
        name.replace("_", " "): str(value) for name, value in made.get("options", {}).items() if value is not None
    }
    told = {"Grown by": str(made.get("by")), "Grown on": str(made.get("on"))}
    if "rows" in made:
        rows = made["rows"]
        told["Rows"] = f"{page.count(rows['grown'], 'row')} to grow on, {rows['held_out']:,} held out"
    return told | options
