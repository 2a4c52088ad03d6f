"""One self-contained page about a tree: a file that opens from the disk, asks no network, and prints.

part        a heading of the page, for its table of contents.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import importlib.metadata
import os
from collections.abc import Mapping
from functools import partial
from importlib import resources
from typing import Any

import numpy as np

from bristlecone.export.writing import whole_file
from bristlecone.noise import ToleranceReport
from bristlecone.report.embedded import COLOURS, MOST_ROWS, class_order, embedded
from bristlecone.report.evidence import Evidence, gather
from bristlecone.report.facts import ROWS, error_words, facts, limits_words
from bristlecone.report.figures import calibration, pruning_curve, residuals
from bristlecone.report.leaves import rules
from bristlecone.report.limits import check_delta
from bristlecone.report.noise import bad_data
from bristlecone.report.stability import other_rows
from bristlecone.report.subject import Subject, subject_of
from bristlecone.report.tables import asked_columns, columns, confusion
from bristlecone.report.words import count, limit_in_percent
from bristlecone.stability import Disagreement
from bristlecone.tree import Tree
from bristlecone.tree.names import percent, shown, shown_class
from bristlecone.tree.text import reading_notes

__all__ = ["check_jinja", "page", "page_about", "trials"]

SCRIPTS = ("tree.js", "rows.js", "tables.js")
PARTS = {
    "findings": "What the audit found",
    "the-tree": "The tree",
    "certificate": "The certificate",
    "size": "Why this size",
    "errors": "Errors",
    "calibration": "Said and true",
    "rules": "The rules",
    "columns": "Columns",
    "noise": "Bad data",
    "stability": "Other rows",
    "made": "How it was made",
}


def page(  # noqa: PLR0913 - one keyword a choice
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    path: str | os.PathLike[str] | None = None,
    rows: str | None = None,
    sample_weight: Any = None,
    target: str | None = None,
    delta: float = 0.05,
    tolerance: ToleranceReport | None = None,
    disagreement: Disagreement | None = None,
) -> str:
    """The page about a model, as the text of one HTML file; with `path` it is written there too, whole or not at all.

    model: a Tree, a fitted estimator of bristlecone, or a fitted decision tree of scikit-learn. X, y: rows with known
    targets, (n_rows, n_features) and (n_rows,), to measure it on. rows: "new" if they had no part in growing or
    choosing the tree and are independent draws, "choosing" if they had one in choosing it (its size, its answers),
    "growing" if it was grown from them. Only new rows without weights bear
    limits: one on the error of the tree, and those on the error of every leaf together, each with probability at least
    1 - delta (Clopper and Pearson; SPEC A7). target: what is predicted is called so. tolerance, disagreement:
    what `noise.tolerance_report` and `stability.disagreement` gave, to be shown with it. The page shows no cell of X.
    Errors: TypeError for another model, ValueError naming the parameter for rows that do not fit, ImportError without
    jinja2 (pip install 'bristlecone[report]').
    """
    subject = subject_of(model)
    check_delta(delta)
    if (X is None) != (y is None):
        raise ValueError("X and y are given together, or neither")
    evidence = None
    if X is not None:
        evidence = gather(subject.tree, X, y, weight=sample_weight, rows=rows, shares=subject.shares)
    tried = trials(tolerance, disagreement)
    text = page_about(subject, evidence, target=target, delta=delta, more=tried)
    if path is not None:
        with whole_file(path) as draft:
            draft.write_text(text, encoding="utf-8", newline="\n")
    return text


def trials(
    tolerance: ToleranceReport | None, disagreement: Disagreement | None, error: float | None = None
) -> dict[str, Any]:
    """What `page_about` needs besides to show them. error: the target of the break-even rates."""
    for given, kind, name in (
        (tolerance, ToleranceReport, "tolerance"),
        (disagreement, Disagreement, "disagreement"),
    ):
        if given is not None and not isinstance(given, kind):
            raise TypeError(f"{name} is a {type(given).__name__}; it must be a {kind.__name__}")
    return {
        "noise": None if tolerance is None else bad_data(tolerance, error),
        "stability": None if disagreement is None else other_rows(disagreement),
    }


def page_about(
    subject: Subject,
    evidence: Evidence | None,
    *,
    target: str | None = None,
    title: str | None = None,
    delta: float = 0.05,
    first_row: int = 0,
    template: str = "page.html",
    more: Mapping[str, Any] | None = None,
) -> str:
    """The page about a subject, by what rows say of it.

    first_row: what the first of them is called; more: what `trials` gave, and what another template needs. Raises
    TypeError for a target that is no text.
    """
    if target is not None and not isinstance(target, str):
        raise TypeError(f"target must be text, got {target!r}")
    given = _of_tree(subject, target, title) | _of_rows(subject, evidence, delta, first_row)
    given |= {"facts": facts(subject, evidence, target, delta), **trials(None, None), **(more or {})}
    present = {
        "certificate": given["certificate"],
        "size": given["size_chart"] or given["prunings"],
        "errors": given["confusion"] or given["residual_chart"],
        "calibration": given["calibration_chart"],
        "noise": given["noise"],
        "stability": given["stability"],
    }
    present["findings"] = given.get("findings")
    given["parts"] = [{"id": part, "name": name} for part, name in PARTS.items() if present.get(part, True)]
    return _rendered(template, given, embedded(subject, evidence, first_row))


def _of_tree(subject: Subject, target: str | None, title: str | None) -> dict[str, Any]:
    """What the tree alone has to say."""
    tree, prunings = subject.tree, subject.prunings
    heading = title or (f"A tree for {shown(target)}" if target is not None else "A decision tree")
    made = {"Written by": f"bristlecone {importlib.metadata.version('bristlecone')}", "Model": subject.kind}
    made |= {"Criterion": tree.criterion, "Missing cells": tree.missing, "Unseen levels": tree.unseen}
    made |= {name: repr(value) for name, value in subject.parameters.items()} | dict(subject.made)
    return {
        "title": heading,
        "classes": tree.classes is not None,
        "class_key": _class_key(tree),
        "vote": subject.weights is not None,
        "thresholds": bool((tree.feature >= 0).any()),
        "tree_notes": reading_notes(tree, np.arange(tree.n_nodes)),
        "asked": asked_columns(tree),
        "size": subject.size[:1].upper() + subject.size[1:] + ".",
        "size_chart": None if prunings is None else pruning_curve(prunings),
        "prunings": None if prunings is None else prunings.text(),
        "certificate": [] if subject.certificate is None else str(subject.certificate).split("\n"),
        "made": list(made.items()),
        "footer": f"Written by bristlecone on {dt.datetime.now(dt.UTC).date().isoformat()}. This page asks no network.",
    }


def _of_rows(subject: Subject, evidence: Evidence | None, delta: float, first_row: int) -> dict[str, Any]:
    """What the rows have to say of the tree."""
    tree = subject.tree
    listed, listed_columns = rules(tree, evidence, delta), columns(tree, evidence)
    left_out = tree.n_features - len(listed_columns)
    measured = evidence is not None
    return {
        "measured": measured,
        "limited": evidence is not None and not evidence.unlimited,
        "n_rows": evidence.n if evidence is not None and evidence.n <= MOST_ROWS else 0,
        "rows_are": ROWS[evidence.role] if evidence is not None else "",
        "first_row": int(evidence.names[0]) + first_row if evidence is not None else 0,
        "error_words": error_words(tree, evidence) if evidence is not None else "",
        "confusion": confusion(tree, evidence) if evidence is not None else None,
        "residual_chart": residuals(evidence) if evidence is not None and tree.classes is None else None,
        "calibration_chart": calibration(tree, evidence) if evidence is not None else None,
        "rules": listed,
        "rules_caption": _rules_caption(tree, len(listed)),
        "limits_words": limits_words(tree, evidence, delta),
        "columns": listed_columns,
        "strange_levels": evidence is not None and bool(evidence.unknown.any()),
        "column_notes": [f"{count(left_out, 'more column')} of less importance."] if left_out else [],
    }


def _rules_caption(tree: Tree, shown_rules: int) -> str:
    if shown_rules == tree.n_leaves:
        return f"All {count(tree.n_leaves, 'leaf', 'leaves')}, those with most growing rows first."
    return f"The {shown_rules:,} of {tree.n_leaves:,} leaves with most growing rows; the drawing has all of them."


def _class_key(tree: Tree) -> list[dict[str, str]]:
    """The classes that have colours, the commonest first."""
    if tree.classes is None:
        return []
    order = class_order(tree)
    key = [{"colour": f"c{k}", "name": shown_class(tree.classes, code)} for k, code in enumerate(order[:COLOURS])]
    return key + ([{"colour": "c-rest", "name": f"{len(order) - COLOURS:,} others"}] if len(order) > COLOURS else [])


def check_jinja() -> None:
    """Raises ImportError, with the way out, where jinja2 is not installed."""
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise ImportError("a page needs jinja2: pip install 'bristlecone[report]'") from error


def _rendered(template: str, given: Mapping[str, Any], tree: Mapping[str, Any]) -> str:
    check_jinja()
    import jinja2
    from jinja2.utils import htmlsafe_json_dumps

    folder = resources.files("bristlecone.report") / "templates"
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    for name, up in (("low", False), ("high", True)):
        environment.filters[name] = partial(limit_in_percent, up=up)
    scripts = [(folder / name).read_text(encoding="utf-8") for name in SCRIPTS]
    text = environment.get_template(template).render(
        **given,
        style=(folder / "style.css").read_text(encoding="utf-8"),
        scripts=scripts,
        hashes=" ".join(f"'sha256-{_hash(script)}'" for script in scripts),
        tree_json=htmlsafe_json_dumps(tree, allow_nan=False, separators=(",", ":"), ensure_ascii=False),
    )
    return text.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair has no place in a file


def _hash(script: str) -> str:
    """What the page's own policy knows a script by: any other one, wherever it came from, does not run."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
