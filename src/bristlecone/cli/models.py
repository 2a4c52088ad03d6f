"""The model file of the command line: a tree, and how it was made.

made: what `fit` knew and a tree does not say: the target's name, the data, the rows, the options, the errors measured.
Files that `bristlecone.save` wrote are read as well; they do not say how they were made.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from pathlib import Path
from typing import Any

import numpy as np

from bristlecone.certify import Certificate
from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.made import check_made
from bristlecone.cli.progress import visibly
from bristlecone.export import (
    make_document,
    payload_to_tree,
    read_document,
    tree_to_payload,
    write_document,
)
from bristlecone.subtrees.summary import PruningTable
from bristlecone.tree import Tree

_COLUMNS = ("strength", "cv_risk", "se")
_WORDS = ("title", "strength_name", "judged_by", "rule", "rows")
_ADDED = {"rows": "growing rows"}  # what files of before mean, which do not name it

KIND = "Fit"
FOREIGN = (".skops", ".joblib", ".pickle", ".pkl")


@dataclasses.dataclass(frozen=True, slots=True)
class Model:
    """A tree, how it was made (empty for a file that does not say it), what prunings it was chosen from, if any, and
    whether it is the vote of all prunings of another one, and the estimator around it, if it was saved as one."""

    tree: Tree
    made: dict[str, Any]
    prunings: PruningTable | None = None
    vote: bool = False
    estimator: Any = None

    @property
    def target(self) -> str | None:
        """The name of the column that the tree predicts, if it is known."""
        name = self.made.get("target")
        return name if isinstance(name, str) else None

    def target_or(self, given: str | None, path: Path) -> str:
        """The column to judge by: the one given, else the model's own. Raises `Fault` where neither is said."""
        target = given or self.target
        if target is None:
            raise Fault(f"{quoted(path)} does not say which column it predicts; name it with --target")
        return target

    @property
    def certificate(self) -> Certificate | None:
        """The certificate that the tree has of its fit, if it has one. `load_model` refuses a damaged one."""
        held = self.made.get("certificate")
        return getattr(self.estimator, "certificate_", None) if held is None else Certificate.from_dict(held)


def save_model(model: Model, path: Path) -> None:
    """Write the model, whole or not at all."""
    write_document(make_document(KIND, {"tree": tree_to_payload(model.tree), "made": model.made}), path)


def load_model(path: Path, *, trust: bool = False) -> Model:
    """Read a model file, or a scikit-learn tree in a skops file; with trust also one that joblib or pickle wrote.

    Raises `Fault` naming it when it is none, is damaged, or holds what is not a tree.
    """
    try:
        return visibly(f"reading {path.name}", lambda: _read(path, trust))
    except (ValueError, TypeError) as fault:
        told = str(fault)
        raise Fault(told if str(path) in told else f"cannot read the model {quoted(path)}: {told}") from fault


def table_to_json(table: PruningTable) -> dict[str, Any]:
    """Return a table of prunings as plain lists; None stands for what was not measured."""
    held = {field.name: _plain(getattr(table, field.name)) for field in dataclasses.fields(table)}
    return held | {"risks": list(held["risks"].items())}  # in their order, which a file does not keep for names


def table_from_json(held: Any) -> PruningTable:
    """Return the table that `table_to_json` took apart. Raises `Fault` for anything else."""
    names = {field.name for field in dataclasses.fields(PruningTable)}
    if not isinstance(held, dict) or not names.difference(_ADDED) <= set(held) <= names:
        raise Fault("its table of prunings is damaged")
    held = _ADDED | held
    try:
        columns = {name: np.array(held[name], dtype=np.float64) for name in _COLUMNS}
        columns["leaves"] = np.array(held["leaves"], dtype=np.int64)
        risks = {str(name): np.array(column, dtype=np.float64) for name, column in held["risks"]}
        words = {name: str(held[name]) for name in _WORDS}
        root = math.nan if held["root_risk"] is None else float(held["root_risk"])
        return PruningTable(**(held | columns | words | {"risks": risks, "root_risk": root}))
    except (TypeError, ValueError, OverflowError, AttributeError) as fault:
        raise Fault(f"its table of prunings is damaged: {fault}") from fault


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, np.ndarray):
        return [_plain(entry) for entry in value.tolist()]
    return None if isinstance(value, float) and math.isnan(value) else value


def is_model(path: Path) -> bool:
    """Return whether a file that was given as data looks like a model."""
    if not path.is_file():  # a pipe can be read once only
        return False
    try:
        with path.open("rb") as file:
            return b'"bristlecone-model"' in file.read(1024)
    except OSError:
        return False


def digest(path: Path) -> str | None:
    """Return the SHA-256 of a file, in hexadecimal digits; None for what can be read only once."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read(path: Path, trust: bool) -> Model:
    if path.suffix.lower() in FOREIGN:
        from bristlecone.estimators.tree_files import read_fitted
        from bristlecone.export import from_sklearn

        return Model(from_sklearn(read_fitted(path, trust=trust)), {})
    document = read_document(path)
    kind, payload = document["kind"], document["payload"]
    if kind == KIND:
        made = payload.get("made")
        check_made(made)
        table = made.get("prunings")
        prunings = None if table is None else table_from_json(table)
        return Model(payload_to_tree(payload.get("tree")), made, prunings, made.get("vote") is not None)
    if kind == "Tree":
        return Model(payload_to_tree(payload), {})
    from bristlecone.estimators import load

    model = load(path)
    # Of a vote, the tree that answers; its own `tree_` is the one whose prunings vote.
    votes = hasattr(model, "to_tree")
    tree = model.to_tree() if votes else getattr(model, "tree_", None)
    if not isinstance(tree, Tree):
        raise Fault(f"it holds a {kind}, which has no tree")
    return Model(tree, {}, getattr(model, "path_", None), votes, model)
