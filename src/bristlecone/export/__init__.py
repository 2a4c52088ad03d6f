"""Trees for other places: the model file."""

from bristlecone.export.model import (
    ModelFileError,
    document_to_tree,
    make_document,
    payload_to_tree,
    read_document,
    tree_to_document,
    tree_to_payload,
    write_document,
)

__all__ = [
    "ModelFileError",
    "document_to_tree",
    "make_document",
    "payload_to_tree",
    "read_document",
    "tree_to_document",
    "tree_to_payload",
    "write_document",
]
