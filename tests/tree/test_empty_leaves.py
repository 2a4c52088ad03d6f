"""Leaves that no training row reached: what they answer, how they read, what of them is refused."""

import copy
import pickle

import numpy as np
import pytest
from strategies_tree import SCHEMA, Leaf, Split, build

import bristlecone as bc
from bristlecone import grow
from bristlecone.table.schema import ColumnSchema, Kind, Schema
from bristlecone.tree import Tree, draw

#    0: x < 1 ── 1: leaf of (3, 1)
#             └─ 2: x < 5 ── 3: x < 3 ── 4: empty
#                         │           └─ 5: leaf of (1, 2)
#                         └─ 6: empty
ROOT = Split(0, 1.0, Leaf((3, 1)), Split(0, 5.0, Split(0, 3.0, Leaf((0, 0)), Leaf((1, 2))), Leaf((0, 0))))
SAVED = Schema((ColumnSchema("x", Kind.NUMERIC),))


def tree(**choices):
    return build(ROOT, schema=SAVED, **choices)


def test_it_answers_as_the_node_above():
    rows = [[0.0], [2.0], [4.0], [7.0]]
    assert tree().apply(rows).tolist() == [1, 4, 5, 6]
    assert tree().predict(rows).tolist() == ["no", "yes", "yes", "yes"]
    np.testing.assert_allclose(tree().predict_proba(rows)[:, 1], [1 / 4, 2 / 3, 2 / 3, 2 / 3])


def test_its_fractions_are_the_same_by_every_way():
    one = tree(weight=0.5)
    np.testing.assert_allclose(one.value[:, 0, 1], [3 / 7, 1 / 4, 2 / 3, 2 / 3, 2 / 3, 2 / 3, 2 / 3])
    np.testing.assert_array_equal(one.fractions_at(np.arange(7)), one.value[:, 0])
    assert one.informed_by.tolist() == [0, 1, 2, 3, 3, 5, 2]
    assert not one.counts[[4, 6]].any()
    assert not one.row_counts[[4, 6]].any()


def test_it_changes_no_gain_and_no_importance():
    assert tree().gain(2) == 0
    assert tree().gain(3) == 0
    assert tree().gain(0) > 0
    assert tree().feature_importances.tolist() == [1.0]
    assert tree().heavier_left.tolist() == [1, 0, 1, 0, 0, 0, 0]


def test_the_drawing_says_so():
    text = draw(tree(missing="error"))
    (line,) = (line for line in text.splitlines() if "x ≥ 5" in line)
    assert line.split()[-5:] == ["0", "0.0%", "→", "yes", "66.7%"]
    assert "A leaf of 0 rows was reached by no training row; it answers from the rows of the node above it." in text
    assert "0 rows" not in draw(tree(), max_depth=1)
    assert "0 rows" not in draw(build(Split(0, 1.0, Leaf((3, 1)), Leaf((1, 2)))))
    assert "rows: none reached this leaf, which answers from those of node 2" in draw(tree(), details=True)


def test_the_explanation_says_so():
    told = tree().explain([[0.0], [7.0]], 1)
    assert told.node == 6
    assert told.n_rows == 0
    assert told.answer == "yes"
    assert [(c.label, c.rows, round(c.fraction, 3)) for c in told.classes] == [("yes", 2, 0.667), ("no", 1, 0.333)]
    assert str(told).splitlines() == [
        "Row 1 gets yes (66.7%), learned from 3 training rows of node 2.",
        "  1. x is 7, so x ≥ 1",
        "  2. x is 7, so x ≥ 5",
        "  Stops at leaf 6, which no training row reached: it answers from the rows of node 2 above it.",
        "  Training rows there: none; at node 2: yes 2, no 1",
    ]


def test_copies_and_files_keep_it(tmp_path):
    bc.save(tree(), tmp_path / "tree.json")
    for again in (bc.load(tmp_path / "tree.json"), pickle.loads(pickle.dumps(tree())), copy.deepcopy(tree())):
        assert again.equals(tree())
        assert again.predict([[7.0]]).tolist() == ["yes"]


def grown():
    rng = np.random.default_rng(0)
    return grow.dyadic(rng.standard_cauchy((300, 3)), rng.integers(0, 3, 300), sample_weight=rng.random(300))


def test_a_grown_tree_passes_the_checks_of_the_constructor():
    one = grown()
    empty = one.n_node_samples == 0
    assert empty.sum() > 20
    assert Tree(**(one.__getstate__() | {"schema": one.schema})).equals(one)
    assert (one.children_left[empty] == -1).all()
    np.testing.assert_array_equal(one.label[empty], one.label[one.parent[empty]])
    np.testing.assert_array_equal(one.value[empty], one.value[one.parent[empty]])
    with pytest.raises(ValueError, match="the value is missing"):
        one.predict([[np.nan, 0.0, 0.0]])


def test_a_long_chain_is_drawn_explained_and_saved(tmp_path):
    X = np.concatenate([np.full((2, 1), 5e-324), [[1.7e308]]])
    one = grow.dyadic(X, [0, 1, 1], max_depth=10_000)
    assert one.max_depth > 2000
    assert len(draw(one, max_depth=None)) < 500 * one.n_nodes
    assert "no training row reached" in str(one.explain([[1.0]], 0))
    bc.save(one, tmp_path / "chain.json")
    assert bc.load(tmp_path / "chain.json").equals(one)
    assert pickle.loads(pickle.dumps(one)).equals(one)
    assert one.decision_path(X).sum() > 2000


def changed(base=None, **fields):
    one = base or tree()
    return Tree(**(one.__getstate__() | {"schema": one.schema} | fields))


def edited(name, node, value):
    array = np.array(getattr(tree(), name))
    array[node] = value
    return {name: array}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (edited("n_node_samples", [0, 2, 3, 5], [4, 0, 0, 0]), "node 2: has no rows, but is not a leaf"),
        (edited("n_node_samples", [0, 1, 2, 3, 5], 0), "node 0: has no rows, but is not a leaf"),
        (edited("weighted_n_node_samples", 6, 1.0), "node 6: has no rows, but the weight 1.0"),
        (edited("impurity", 4, 0.25), "node 4: has no rows, but the impurity 0.25"),
        (edited("weighted_n_node_samples", 2, 4.0), "node 2: has the weight 4.0, its only child with rows 3.0"),
        (edited("weighted_n_node_samples", 5, 2.0), "node 3: has the weight 3.0, its only child with rows 2.0"),
        (
            edited("n_node_samples", [0, 2, 6], [8, 4, 1]) | edited("weighted_n_node_samples", [0, 2, 6], [8, 4, 1]),
            "node 6: has 1 rows, its class counts 0",
        ),
        (
            {
                "count_ptr": [0, 0, 2, 2, 2, 2, 4, 5],
                "count_class": [0, 1, 0, 1, 0],
                "count_weight": [3.0, 1.0, 1.0, 2.0, 1.0],
                "count_rows": [3, 1, 1, 2, 0],
            },
            "node 6: has no rows, but class counts",
        ),
    ],
)
def test_nonsense_is_refused_by_node(fields, message):
    with pytest.raises(ValueError, match=message):
        changed(**fields)


def test_a_file_with_nonsense_is_refused(tmp_path):
    from bristlecone.export.document import write_document
    from bristlecone.export.model import tree_to_document

    document = tree_to_document(tree())
    document["payload"]["nodes"]["n_node_samples"] = [4, 4, 0, 0, 0, 0, 0]
    write_document(document, tmp_path / "odd.json")
    with pytest.raises(ValueError, match=r"odd\.json: node 2: has no rows, but is not a leaf"):
        bc.load(tmp_path / "odd.json")


def test_a_root_and_a_regression_tree_have_rows():
    with pytest.raises(ValueError, match="node 0: has no rows, which only a leaf below the root"):
        build(Leaf((0, 0)))
    with pytest.raises(ValueError, match="node 2: has no rows, which only a leaf below the root of a classification"):
        build(Split(0, 1.0, Leaf(value=1.0), Leaf(value=2.0, n=0)), classes=None, schema=SCHEMA)


def test_a_vote_may_give_it_another_label():
    relabelled = changed(**edited("label", 6, 0))
    assert relabelled.predict([[7.0]]).tolist() == ["no"]
    assert "no (33.3%), learned from 3 training rows of node 2" in str(relabelled.explain([[7.0]], 0))
