"""Trees for other places, and from them: the model file, scikit-learn."""

from bristlecone.export.document import ModelFileError, make_document, read_document, write_document
from bristlecone.export.model import document_to_tree, payload_to_tree, tree_to_document, tree_to_payload
from bristlecone.export.sklearn import from_sklearn

__all__ = [
    "ModelFileError",
    "document_to_tree",
    "from_sklearn",
    "make_document",
    "payload_to_tree",
    "read_document",
    "tree_to_document",
    "tree_to_payload",
    "write_document",
]
