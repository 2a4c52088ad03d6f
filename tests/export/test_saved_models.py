"""Files of every released schema keep loading and keep their answers. Never rewrite a file here: add one a schema."""

from pathlib import Path

import numpy as np
import pytest

from bristlecone.export import document_to_tree, read_document, tree_to_document, write_document
from bristlecone.table.columns import Table

SAVED = Path(__file__).resolve().parents[1] / "saved"
NAN = np.nan
DATE, DATETIME = 19000.0, 1.5e15

# age, colour, hired, member, seen: the first value right of a threshold, the last left of it, missing, unseen, absent.
ROWS = [
    (0.30000000000000004, 0, DATE, 0.0, DATETIME),
    (0.3, 0, DATE, 0.0, DATETIME),
    (0.3, 0, DATE + 1, 0.0, DATETIME + 1),
    (0.3, 0, NAN, 0.0, NAN),
    (NAN, 0, DATE, 0.0, DATETIME + 1),
    (NAN, 3, DATE, 0.0, DATETIME + 1),
    (1.0, 4, DATE, 0.0, DATETIME + 1),
    (1.0, 6, DATE, 1.0, DATETIME + 1),
    (1.0, -1, DATE, NAN, DATETIME + 1),
    (1.0, -2, DATE, 0.0, DATETIME + 1),
    (1.0, 1, DATE, 0.0, DATETIME + 1),
    (1.0, 5, DATE, 0.0, DATETIME + 1),
]


def table(tree):
    age, colour, hired, member, seen = (np.array(cells) for cells in zip(*ROWS, strict=True))
    return Table(tree.schema, [age, colour.astype(np.int32), hired, member, seen])


def test_schema_1_classification():
    tree = document_to_tree(read_document(SAVED / "schema-1-tree-classification.json"))
    no, yes, perhaps = "no", "yes", "perhaps"
    routing = tree.route(table(tree))
    assert routing.nodes.tolist() == [6, 2, 3, 2, 7, 7, 9, 10, 10, 4, 4, 4]
    assert routing.n_unseen == 3
    assert tree.predict(table(tree)).tolist() == [
        *(yes, no, yes, no, perhaps, perhaps),
        *(no, perhaps, perhaps, perhaps, perhaps, perhaps),
    ]
    np.testing.assert_allclose(tree.predict_proba(table(tree))[[1, 9]], [[0.9, 0.1, 0.0], [5 / 30, 8 / 30, 17 / 30]])
    assert tree.threshold[0] == 0.30000000000000004
    assert tree.heuristic.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert tree.runners[0][0] == (3, 0.5, (), 0.0625)
    assert tree.runners[0][1][2:] == ((0, 3), 1 / 3)
    assert tree.n_node_samples[0] == 48
    assert tree.schema.names[1] == "colour é🎄\n"


def test_schema_1_regression():
    tree = document_to_tree(read_document(SAVED / "schema-1-tree-regression.json"))
    assert tree.predict(table(tree)).tolist() == [
        -1 / 3,
        -1 / 3,
        *[12.5, -1 / 3],
        *[12.5] * 4,
        1e-300,
        12.5,
        1e-300,
        12.5,
    ]
    assert tree.unseen == "heavier"


@pytest.mark.parametrize("path", sorted(SAVED.glob("schema-1-tree-*.json")), ids=lambda path: path.stem)
def test_schema_1_is_written_as_it_was(path, tmp_path):
    """While schema 1 is the current one, what is read is written again byte for byte."""
    write_document(tree_to_document(document_to_tree(read_document(path))), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
