"""The model file of the command line: a tree, and how it was made.

made: what `fit` knew and a tree does not say: the target's name, the data, the rows, the options, the errors measured.
Files that `bristlecone.save` wrote are read as well; they do not say how they were made.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.progress import visibly
from bristlecone.export import (
    make_document,
    payload_to_tree,
    read_document,
    tree_to_payload,
    write_document,
)
from bristlecone.tree import Tree

KIND = "Fit"


@dataclasses.dataclass(frozen=True, slots=True)
class Model:
    """A tree and how it was made; `made` is empty for a file that does not say it."""

    tree: Tree
    made: dict[str, Any]

    @property
    def target(self) -> str | None:
        """The name of the column that the tree predicts, if it is known."""
        name = self.made.get("target")
        return name if isinstance(name, str) else None


def save_model(model: Model, path: Path) -> None:
    """Write the model, whole or not at all."""
    write_document(make_document(KIND, {"tree": tree_to_payload(model.tree), "made": model.made}), path)


def load_model(path: Path) -> Model:
    """Read a model file. Raises `Fault` naming it when it is none, is damaged, or holds what is not a tree."""
    try:
        return visibly(f"reading {path.name}", lambda: _read(path))
    except (ValueError, TypeError) as fault:
        told = str(fault)
        raise Fault(told if str(path) in told else f"cannot read the model {quoted(path)}: {told}") from fault


def is_model(path: Path) -> bool:
    """Return whether a file that was given as data looks like a model."""
    if not path.is_file():  # a pipe can be read once only
        return False
    try:
        with path.open("rb") as file:
            return b'"bristlecone-model"' in file.read(1024)
    except OSError:
        return False


def _read(path: Path) -> Model:
    document = read_document(path)
    kind, payload = document["kind"], document["payload"]
    if kind == KIND:
        made = payload.get("made")
        if not isinstance(made, dict) or not isinstance(made.get("target"), str):
            raise Fault("it does not say how it was made")
        return Model(payload_to_tree(payload.get("tree")), made)
    if kind == "Tree":
        return Model(payload_to_tree(payload), {})
    from bristlecone.estimators import load

    tree = getattr(load(path), "tree_", None)
    if not isinstance(tree, Tree):
        raise Fault(f"it holds a {kind}, which has no tree")
    return Model(tree, {})
