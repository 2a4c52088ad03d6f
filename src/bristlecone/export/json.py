"""A tree as the JSON of its model file, indented: every array by name, exact (docs/model-format.md)."""

import json as _json
from typing import Any

from bristlecone.export.answers import tree_of
from bristlecone.export.model import tree_to_document

__all__ = ["json"]


def json(model: Any) -> str:
    """The tree as JSON that `document_to_tree(json.loads(text))` reads back to the identical tree.

    model: a Tree or a fitted estimator. Errors: TypeError naming the label or level that JSON cannot say exactly.
    """
    return _json.dumps(tree_to_document(tree_of(model)), indent=1, allow_nan=False) + "\n"
