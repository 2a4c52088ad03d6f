"""A Tree as a JSON document and back; docs/model-format.md describes every field.

Numbers are exact: floats by their shortest decimal that reads back, NaN as null, infinities as "inf" and "-inf".
What comes back has passed the Tree's own constructor, so a document cannot smuggle in an index out of range.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.export.document import ModelFileError, check_document, check_fields, make_document
from bristlecone.export.labels import labels_from_json, labels_to_json
from bristlecone.table.schema import Schema
from bristlecone.tree import Tree
from bristlecone.tree.arrays import FIELDS

__all__ = ["document_to_tree", "payload_to_tree", "tree_to_document", "tree_to_payload"]

KIND = "Tree"
WORDS = ("task", "criterion", "unseen", "missing")
PAYLOAD = {"schema", "classes", "nodes", "runners", *WORDS}


def tree_to_document(tree: Tree) -> dict[str, Any]:
    """A tree as a document, ready for `write_document`.

    Raises TypeError naming the label or level that JSON cannot say exactly.
    """
    return make_document(KIND, tree_to_payload(tree))


def document_to_tree(document: dict[str, Any]) -> Tree:
    """The tree of a document of kind "Tree". Raises ValueError (ModelFileError or the Tree's own) or TypeError."""
    checked = check_document(document)
    if checked["kind"] != KIND:
        raise ModelFileError(f"the model is a {str(checked['kind'])[:40]!r}, not a Tree")
    return payload_to_tree(checked["payload"])


def tree_to_payload(tree: Tree) -> dict[str, Any]:
    """What a document says about a tree, to be embedded in the document of another kind."""
    return {
        **{name: getattr(tree, name) for name in WORDS},
        "schema": tree.schema.to_dict(),
        "classes": None if tree.classes is None else labels_to_json(tree.classes),
        "nodes": {name: _to_list(getattr(tree, name)) for name in FIELDS},
        "runners": [[_runner_to_json(runner) for runner in node] for node in tree.runners],
    }


def payload_to_tree(payload: object) -> Tree:
    """The tree that `tree_to_payload` described. Raises ValueError or TypeError for anything but a tree."""
    if not isinstance(payload, dict):
        raise ModelFileError("the tree is not an object")
    check_fields(payload, PAYLOAD, "the tree")
    nodes = payload["nodes"]
    if not isinstance(nodes, dict):
        raise ModelFileError("the tree's nodes are not an object")
    check_fields(nodes, set(FIELDS), "the tree's nodes")
    classes = payload["classes"]
    return Tree.from_arrays(
        _to_schema(payload["schema"]),
        payload["task"],
        None if classes is None else labels_from_json(classes),
        {name: _to_array(name, nodes[name]) for name in FIELDS},
        criterion=payload["criterion"],
        unseen=payload["unseen"],
        missing=payload["missing"],
        runners=_to_runners(payload["runners"]),
    )


def _to_schema(held: object) -> Schema:
    if not isinstance(held, dict):
        raise ModelFileError("the tree's schema is not an object")
    try:
        return Schema.from_dict(held)
    except (TypeError, OverflowError) as error:
        raise ModelFileError(f"the tree's schema cannot be read: {error}") from None


def _to_list(array: npt.NDArray[Any]) -> list[Any]:
    values: list[Any] = array.tolist()
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return values
    return [_float_to_json(value) for value in values]


def _float_to_json(value: float) -> float | str | None:
    if math.isfinite(value):
        return value
    return None if math.isnan(value) else "inf" if value > 0 else "-inf"


SPECIAL = {None: math.nan, "inf": math.inf, "-inf": -math.inf}


def _float_from_json(value: Any, name: str) -> float:
    if type(value) is float:
        return value
    if type(value) is int and abs(value) <= 2**53:
        return float(value)
    if value is None or value in ("inf", "-inf"):
        return SPECIAL[value]
    raise ModelFileError(f"{name} holds {str(value)[:40]!r}, which is not a number of the format")


def _to_array(name: str, held: object) -> npt.NDArray[Any]:
    dtype = np.dtype(FIELDS[name][0])
    if not isinstance(held, list):
        raise ModelFileError(f"{name} is not a list")
    if dtype.kind == "f":
        return np.array([_float_from_json(value, name) for value in held], dtype=np.float64)
    wrong = next((value for value in held if type(value) is not int), 0)
    if type(wrong) is not int:
        raise ModelFileError(f"{name} holds {str(wrong)[:40]!r}, which is not an integer")
    try:
        return np.array(held, dtype=np.int64)
    except OverflowError:
        raise ModelFileError(f"{name} holds an integer beyond 64 bits") from None


def _runner_to_json(runner: tuple[int, float, tuple[int, ...], float]) -> list[Any]:
    feature, threshold, codes, gain = runner
    return [feature, _float_to_json(threshold), list(codes), gain]


def _to_runners(held: object) -> tuple[Any, ...]:
    if not isinstance(held, list) or not all(isinstance(node, list) for node in held):
        raise ModelFileError("runners must be a list of lists")
    return tuple(tuple(_to_runner(runner) for runner in node) for node in held)


def _to_runner(held: Any) -> tuple[Any, ...]:
    if not isinstance(held, list) or len(held) != 4 or not isinstance(held[2], list):
        raise ModelFileError(f"not a runner-up split: {str(held)[:40]}")
    feature, threshold, codes, gain = held
    if not all(type(index) is int for index in (feature, *codes)):
        raise ModelFileError(f"a runner-up split has an index that is not an integer: {str(held)[:40]}")
    return feature, _float_from_json(threshold, "runners"), tuple(codes), _float_from_json(gain, "runners")
