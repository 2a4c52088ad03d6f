"""Drawing, DOT, JSON; and which models may be exported."""

import json
import re

import numpy as np
import pytest
from probes import random_tree
from sklearn.tree import DecisionTreeClassifier
from strategies_tree import Leaf, Split, build, staircase

import bristlecone as bc
from bristlecone import export
from bristlecone.export.ladder import ladder
from bristlecone.table.schema import ColumnSchema, Kind, Schema

WRITERS = [
    export.text,
    export.rules,
    export.python,
    export.c,
    export.javascript,
    export.sql,
    export.dot,
    export.json,
    export.pmml,
]


def test_json_reads_back_to_the_identical_tree():
    for seed in range(60):
        tree = random_tree(seed)
        assert export.document_to_tree(json.loads(export.json(tree))).equals(tree)


def test_text_is_the_drawing():
    tree = random_tree(7, splits=20)
    assert export.text(tree) == bc.tree.draw(tree, max_depth=None) + "\n"
    assert "folded" in export.text(tree, max_depth=1)


def test_dot_has_every_node_and_edge():
    tree = random_tree(7, splits=20)
    found = export.dot(tree)
    edges = {(int(a), int(b)) for a, b in re.findall(r"^  n(\d+) -> n(\d+) \[label=\".*\"\];$", found, re.MULTILINE)}
    assert edges == {(p, v) for v, p in enumerate(tree.parent.tolist()) if p >= 0}
    assert len(re.findall(r"^  n(\d+) \[label", found, re.MULTILINE)) == tree.n_nodes


def test_dot_escapes_names():
    schema = Schema((ColumnSchema('a"]; x [label="', Kind.NUMERIC),))
    said = export.dot(build(Split(0, 1.5, Leaf((1, 0)), Leaf((0, 1))), schema=schema, classes=['"', "\\"]))
    for line in said.splitlines()[3:-1]:
        assert re.fullmatch(r'  n\d+( -> n\d+)? \[label="([^"\\]|\\.)*"(, style=rounded)?\];', line), line


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_c55_one_column_one_leaf_and_deep_trees(write):
    for tree in (build(Leaf((1, 2))), build(Leaf(value=0.5), classes=None), staircase(1), staircase(1200)):
        assert len(write(tree)) > 20


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_c74_what_is_no_tree_is_refused(write):
    X, y = [[0.0], [1.0]], [0, 1]
    for other in (DecisionTreeClassifier().fit(X, y), bc.DecisionTreeClassifier(), "tree.json", None, [1]):
        with pytest.raises(TypeError, match=r"cannot export a \w+: expected a Tree or a fitted tree estimator"):
            write(other)


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_a_vote_is_exported_as_its_tree(write):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
    vote = bc.PACBayesTreeClassifier(lambda1=1.0, lambda2=1.0).fit(X, y)
    assert vote.to_tree().n_nodes < vote.tree_.n_nodes
    assert write(vote) == write(vote.to_tree())
    pruned = bc.PrunedTreeClassifier(strength=0.01).fit(X, y)
    assert write(pruned) == write(pruned.tree_)


def test_a_ladder_is_never_deeper_than_the_logarithm_of_the_leaves():
    for tree in (staircase(1000), *(random_tree(seed, splits=60) for seed in range(30))):
        assert max(rung.depth for rung in ladder(tree)) <= np.log2(tree.n_leaves) + 1
