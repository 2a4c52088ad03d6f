"""Trees for other places, and from them: text, rules, code, SQL, ONNX, PMML, JSON, scikit-learn. One file a format."""

from bristlecone.export.c import c
from bristlecone.export.check import Check, check
from bristlecone.export.document import ModelFileError, make_document, read_document, write_document
from bristlecone.export.dot import dot
from bristlecone.export.javascript import javascript
from bristlecone.export.json import json
from bristlecone.export.model import document_to_tree, payload_to_tree, tree_to_document, tree_to_payload
from bristlecone.export.onnx import float32_disagreements, onnx
from bristlecone.export.pmml import pmml
from bristlecone.export.python import python
from bristlecone.export.rules import Rule, rule_list, rules
from bristlecone.export.running import RUNNERS, CannotRun
from bristlecone.export.shap import shap
from bristlecone.export.sklearn import from_sklearn, sklearn_nodes, to_sklearn
from bristlecone.export.sql import sql
from bristlecone.export.text import text

__all__ = [
    "RUNNERS",
    "CannotRun",
    "Check",
    "ModelFileError",
    "Rule",
    "c",
    "check",
    "document_to_tree",
    "dot",
    "float32_disagreements",
    "from_sklearn",
    "javascript",
    "json",
    "make_document",
    "onnx",
    "payload_to_tree",
    "pmml",
    "python",
    "read_document",
    "rule_list",
    "rules",
    "shap",
    "sklearn_nodes",
    "sql",
    "text",
    "to_sklearn",
    "tree_to_document",
    "tree_to_payload",
    "write_document",
]
