"""`show`: a saved tree as text."""

from __future__ import annotations

from typing import Any

from bristlecone.cli import page
from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.models import Model, load_model
from bristlecone.cli.options import ShowOptions
from bristlecone.cli.summary import certificate_lines, drawing


def show(options: ShowOptions) -> None:
    """Run the command."""
    model = load_model(options.model)
    rows = _heads(model)
    if options.path:
        if model.prunings is None:
            raise Fault(f"{quoted(options.model)} does not hold a choice of prunings: no cross-validation chose one")
        page.show(rows, model.prunings.text())
        return
    if options.details:
        rows += _details(model)
    drawn = drawing(model.tree, options.depth, fold=page.terminal_lines() is not None, details=options.details)
    page.show(rows, drawn)


def _heads(model: Model) -> list[tuple[str, str]]:
    tree = model.tree
    target = "" if model.target is None else f" of {quoted(model.target)}"
    leaves = page.count(tree.n_leaves, "leaf", "leaves")
    answers = "" if tree.classes is None else f", {page.count(tree.n_classes, 'class', 'classes')}"
    columns = page.count(tree.n_features, "column")
    heads = [
        ("Model", f"{tree.task}{target}{answers}; made from {page.count(int(tree.n_node_samples[0]), 'row')}"),
        ("Tree", f"{leaves}, depth {tree.max_depth}, {columns}, criterion {tree.criterion}"),
        *_certified(model),
    ]
    if model.vote:
        heads.append(("Answers", "the vote of all prunings of a larger tree; shares are those of the growing rows"))
    return heads


def _certified(model: Model) -> list[tuple[str, str]]:
    """The certificate that the tree has of its fit, if it has one."""
    return [] if model.certificate is None else certificate_lines(model.certificate)


def _details(model: Model) -> list[tuple[str, str]]:
    tree, made = model.tree, model.made
    asked = len({int(column) for column in tree.feature if column >= 0})
    rows = [
        ("Rules", f"missing cells: {tree.missing}; unseen levels: {tree.unseen}; columns asked about: {asked}"),
        ("Heuristic", f"{page.count(int(tree.heuristic.sum()), 'split')} found by a heuristic, the others are exact"),
    ]
    if made:
        rows.append(("Made", f"by {made.get('by')} on {made.get('on')}"))
        rows.append(("Options", _said(made.get("options"))))
        rows.append(("Errors", _said(made.get("errors"))))
    return rows


def _said(held: Any) -> str:
    """Return a mapping of the file as words; what is not given is left out."""
    if not isinstance(held, dict):
        return str(held)
    pairs = [(name, value) for name, value in held.items() if value is not None]
    return ", ".join(
        f"{name} {'(' + _said(value) + ')' if isinstance(value, dict) else value}" for name, value in pairs
    )
