"""`audit`: a tree that somebody else grew, held against rows it has not seen; in words, and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bristlecone.cli import page
from bristlecone.cli.faults import Fault, one_line, plain, quoted
from bristlecone.cli.measured import measured_rows
from bristlecone.cli.models import Model, is_model, load_model
from bristlecone.cli.options_judging import AuditOptions
from bristlecone.cli.own_rows import refuse_own_rows
from bristlecone.cli.progress import visibly
from bristlecone.cli.report import check_page, subject_of_model
from bristlecone.cli.rows import people_count
from bristlecone.estimators.tree_files import read_fitted
from bristlecone.report import audit as audit_of
from bristlecone.report.subject import subject_of


def audit(options: AuditOptions) -> None:
    """Run the command."""
    if options.output is not None:
        check_page(options.output, options.data, options.model)
    model = old_tree(options.model, options.trust)
    subject = subject_of_model(model) if isinstance(model, Model) else subject_of(model)
    target = (model if isinstance(model, Model) else Model(subject.tree, {})).target_or(options.target, options.model)
    table, y, known = measured_rows(options.data, subject.tree, target)
    if isinstance(model, Model):
        refuse_own_rows(model, options.data, table, y, "an audit")
        model = subject
    with people_count(options.data, known):
        found = visibly(
            "auditing", lambda: audit_of(model, table, y, target=target, random_state=options.seed, first_row=1)
        )
    body = "! marks what somebody should look at."
    if options.output is not None:
        found.write(options.output)
        body += f"\n\nPage written to {plain(options.output)}"
    marked = [(f"{'!' if finding.act else ' '} {finding.question}", finding) for finding in found.findings]
    told = "\n".join(f"{label}: {finding.figure}\n    {finding.says}" for label, finding in marked)
    page.show([], f"{told}\n{body}")


def old_tree(path: Path, trust: bool) -> Any:
    """Return the `Model` in a file of ours, or scikit-learn's tree in one of theirs. Raises `Fault` naming the file."""
    if not path.exists():
        raise Fault(f"{path}: no such file")
    if is_model(path):
        return load_model(path)
    try:
        return visibly(f"reading {path.name}", lambda: read_fitted(path, trust=trust))
    except (ValueError, TypeError, ImportError, OSError) as fault:
        told = one_line(str(fault))
        raise Fault(told if str(path) in told else f"cannot read the tree {quoted(path)}: {told}") from fault
