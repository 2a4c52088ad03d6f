"""PMML: by the description of its readers, by its schema, and by JPMML where there is one, it is the tree."""

import dataclasses
import datetime
import zipfile
from pathlib import Path

import numpy as np
import pytest
from probes import NAMED, WORDS, expected, probes, random_tree
from reference.pmml import Document, splits
from reference.rebuild import nested
from strategies_tree import Leaf, Split, build, staircase

from bristlecone.export import pmml
from bristlecone.table.schema import ColumnSchema, Kind, Schema

SAYABLE = Schema(tuple(column for column in NAMED.columns if column.unit != "us UTC"))
PLAIN = Schema(
    (
        ColumnSchema("x", Kind.NUMERIC),
        ColumnSchema("y <&>", Kind.NUMERIC),
        ColumnSchema("word", Kind.CATEGORY, tuple(word for word in WORDS if "\\" not in word)),
        ColumnSchema("code", Kind.CATEGORY, (3, 1, 2)),
    )
)


def mappings(tree, rows):
    return [dict(zip(tree.schema.names, row, strict=True)) for row in rows]


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_two_hundred_random_trees_by_the_description_of_readers(start):
    for seed in range(start, start + 50):
        tree = random_tree(seed, SAYABLE)
        table, rows = probes(tree, seed, per_stop=3)
        nodes, labels, shares = expected(tree, table)
        document = Document(pmml(tree))
        assert [document.stop(row) for row in mappings(tree, rows)] == nodes.tolist()
        for i, node in enumerate(nodes.tolist()):
            said = document.node(node).get("score")
            assert (said if tree.classes is not None else float(said)) == labels[i]
            if shares is not None:
                assert [document.shares(node).get(label, 0.0) for label in tree.classes] == shares[i].tolist()


def test_a_document_reads_back_to_the_identical_tree():
    for seed in range(200):
        tree = random_tree(seed, PLAIN, unseen="stop")
        document = Document(pmml(tree))

        def leaf_of(node, document=document, labels=tree.classes):
            n, weight = document.rows(node)
            if labels is None:
                return Leaf(value=float(document.node(node).get("score")), n=n)
            return Leaf(tuple(int(weight.get(label, 0)) if n else 0 for label in labels))

        found = {v: (field, *ids, left, asked) for v, (field, ids, left, asked) in splits(document).items()}
        labels = None if tree.classes is None else tree.classes.tolist()
        read = build(nested(found, PLAIN, leaf_of), schema=PLAIN, classes=labels, unseen="stop")
        assert read.equals(tree)


def test_refused_rows_have_no_prediction():
    schema = Schema(SAYABLE.columns[:4])
    by_word = Split(2, np.nan, Leaf((1, 0)), Leaf((0, 2)), True, ((0, True), (3, False), (4, False)))
    tree = build(Split(0, 0.35, by_word, Leaf((3, 1)), True), schema=schema, unseen="error", missing="error")
    table, rows = probes(tree, per_stop=60)
    document = Document(pmml(tree))
    refused = 0
    for i, row in enumerate(mappings(tree, rows)):
        try:
            assert tree.apply(table.take([i]))[0] == document.stop(row)
        except ValueError:
            refused += 1
            assert document.stop(row) is None
    assert 10 < refused < len(rows) - 10
    with pytest.raises(ValueError, match="PMML cannot refuse a missing cell where 'age'"):
        pmml(build(Split(0, np.inf, Leaf((1, 0)), Leaf((0, 1))), missing="error"))


def jpmml():
    return pytest.importorskip("jpmml_evaluator")


def test_documents_fit_the_schema_of_pmml():
    etree = pytest.importorskip("lxml.etree")
    (jar,) = (Path(jpmml().__file__).parent / "dependencies").glob("pmml-model-1*.jar")
    schema = etree.XMLSchema(etree.fromstring(zipfile.ZipFile(jar).read("pmml.xsd")))
    for tree in (build(Leaf((1, 2))), staircase(100), *(random_tree(seed, SAYABLE) for seed in range(200))):
        document = etree.fromstring(pmml(tree).encode())
        assert schema.validate(document), schema.error_log.last_error


@pytest.mark.slow
def test_jpmml_gives_the_same_nodes_and_answers(tmp_path):
    evaluator = jpmml()
    pandas = pytest.importorskip("pandas")
    for seed in range(60):
        tree = random_tree(seed, SAYABLE)
        table, rows = probes(tree, seed)
        nodes, labels, shares = expected(tree, table)
        (tmp_path / "tree.pmml").write_text(pmml(tree), encoding="utf-8")
        said = [[cell.isoformat() if isinstance(cell, datetime.date) else cell for cell in row] for row in rows]
        frame = pandas.DataFrame(said, columns=tree.schema.names, dtype=object)
        found = evaluator.make_evaluator(str(tmp_path / "tree.pmml")).evaluateAll(frame)
        assert [int(node) for node in found["leaf_id"]] == nodes.tolist()
        assert found["prediction"].tolist() == labels.tolist()
        if shares is not None:
            given = found[[f"probability_{label}" for label in tree.classes]].to_numpy(dtype=float)
            np.testing.assert_allclose(given, shares, rtol=1e-14)  # it divides by the sum once more


@pytest.mark.parametrize(
    ("column", "fault"),
    [
        (ColumnSchema("c", Kind.CATEGORY, ("1", 1)), "column 'c': PMML cannot mix text and whole levels"),
        (ColumnSchema("c", Kind.CATEGORY, (b"x", "y")), "cannot write the level b'x'"),
        (ColumnSchema("c", Kind.CATEGORY, ("\x01", "y")), "cannot write the character"),
        (ColumnSchema("c\ud800", Kind.CATEGORY, ("x", "y")), "cannot write the character"),
        (ColumnSchema("c", Kind.DATETIME, unit="us UTC"), "column 'c': PMML has no datetimes in UTC"),
    ],
)
def test_what_cannot_be_said_is_refused(column, fault):
    sides = ((0, False), (1, True)) if column.categorical else ()
    split = Split(0, np.nan if sides else 1.5, Leaf((1, 0)), Leaf((0, 1)), True, sides)
    with pytest.raises(TypeError, match=fault):
        pmml(build(split, schema=Schema((column,))))


def test_labels_and_targets():
    with pytest.raises(ValueError, match="target='age' is a column"):
        pmml(build(Leaf((1, 2))), target="age")
    with pytest.raises(TypeError, match="cannot mix class labels of types int, str"):
        pmml(dataclasses.replace(build(Leaf((1, 2))), classes=np.array([1, "a"], dtype=object)))
    named = Schema(tuple(ColumnSchema(name, Kind.NUMERIC) for name in ("leaf_id", "probability_yes")))
    said = pmml(build(Split(0, 1.0, Leaf((1, 2)), Split(1, 1.0, Leaf((1, 0)), Leaf((0, 2)))), schema=named))
    assert all(f'<OutputField name="{name}"' in said for name in ("leaf_id 2", "probability_no", "probability_yes 2"))
    said = pmml(build(Leaf((1, 2)), classes=[True, False]), target='<"&\n')
    assert Document(said).types['<"&\n'] == "boolean"
