"""Trees for other places: the model file."""

from bristlecone.export.document import ModelFileError, make_document, read_document, write_document
from bristlecone.export.model import document_to_tree, payload_to_tree, tree_to_document, tree_to_payload

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
