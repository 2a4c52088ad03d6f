"""`audit`: a tree that somebody else grew, held against rows it has not seen; in words, and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bristlecone.cli import page
from bristlecone.cli.faults import Fault, one_line, plain, quoted
from bristlecone.cli.models import is_model, load_model
from bristlecone.cli.options_judging import AuditOptions
from bristlecone.cli.progress import visibly
from bristlecone.cli.report import check_page, measured_rows, subject_of_model
from bristlecone.cli.rows import people_count
from bristlecone.estimators.tree_files import read_fitted
from bristlecone.report import audit as audit_of
from bristlecone.report.subject import subject_of


def audit(options: AuditOptions) -> None:
    """Run the command."""
    if options.output is not None:
        check_page(options.output, options.data, options.model)
    model = old_tree(options.model, options.trust, options.data)
    tree = subject_of(model).tree
    table, y, known = measured_rows(options.data, tree, options.target)
    with people_count(options.data, known):
        found = visibly(
            "auditing", lambda: audit_of(model, table, y, target=options.target, random_state=options.seed, first_row=1)
        )
    body = "! marks what somebody should look at."
    if options.output is not None:
        found.write(options.output)
        body += f"\n\nPage written to {plain(options.output)}"
    marked = [(f"{'!' if finding.act else ' '} {finding.question}", finding) for finding in found.findings]
    told = "\n".join(f"{label}: {finding.figure}\n    {finding.says}" for label, finding in marked)
    page.show([], f"{told}\n{body}")


def old_tree(path: Path, trust: bool, data: Path) -> Any:
    """Return the model in a file of ours or of scikit-learn's. Raises `Fault` naming the file, or data that made it."""
    if not path.exists():
        raise Fault(f"{path}: no such file")
    if is_model(path):
        model = load_model(path)
        model.refuse_own_rows(data, "an audit")
        return subject_of_model(model)
    try:
        return visibly(f"reading {path.name}", lambda: read_fitted(path, trust=trust))
    except (ValueError, TypeError, ImportError, OSError) as fault:
        told = one_line(str(fault))
        raise Fault(told if str(path) in told else f"cannot read the tree {quoted(path)}: {told}") from fault
