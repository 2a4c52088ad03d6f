"""Rules: read back by a reader of their text, they give the answers of the tree, and each row fits one of them."""

import numpy as np
import pandas as pd
import pytest
from probes import NAMED, expected, probes, random_tree
from reference.rebuild import tree_of_rules
from reference.rules import read_rules
from strategies_tree import Leaf, Split, build, staircase
from tight import tight_tree

import bristlecone as bc
from bristlecone.export import rule_list, rules
from bristlecone.table.schema import ColumnSchema, Kind, Schema


def fitting(tree, read, rows):
    """For each row the rules that fit."""
    return [[r for r in read if r.fits(dict(zip(tree.schema.names, row, strict=True)))] for row in rows]


def tame(seed, **choices):
    """A random tree whose dates stay within the calendar that Python reads."""
    schema = Schema(tuple(c for c in NAMED.columns if c.kind not in (Kind.DATE, Kind.DATETIME)))
    return random_tree(seed, schema, **choices)


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_two_hundred_random_trees(start):
    for seed in range(start, start + 50):
        tree = tame(seed)
        read = read_rules(rules(tree))
        table, rows = probes(tree, seed, per_stop=3)
        nodes, labels, shares = expected(tree, table)
        for i, found in enumerate(fitting(tree, read, rows)):
            (rule,) = found
            assert rule.node == nodes[i] and rule.answer == labels[i]
            assert rule.support == (tree.n_node_samples[rule.node], tree.n_node_samples[0])
            if shares is not None:
                assert [rule.shares.get(label, 0.0) for label in tree.classes] == shares[i].tolist()


def test_rules_are_in_the_order_of_nodes_and_all_can_be_reached():
    for seed in range(40):
        tree = random_tree(seed)
        nodes = [rule.node for rule in rule_list(tree)]
        assert nodes == sorted(set(nodes))
        table, _ = probes(tree, seed, per_stop=12)
        assert set(tree.apply(table).tolist()) <= set(nodes)


def test_dates_are_iso():
    schema = Schema((ColumnSchema("day", Kind.DATE, unit="D"), ColumnSchema("seen", Kind.DATETIME, unit="us UTC")))
    inner = Split(1, 1.5e15 + 0.5, Leaf((1, 0)), Leaf((0, 1)), False)
    tree = build(Split(0, 19000.5, inner, Leaf((2, 2)), True), schema=schema)
    said = [rule.conditions for rule in rule_list(tree)]
    assert said == [
        ("(day < 2022-01-09 or day missing)", "seen < 2017-07-14T02:40:00.000001Z"),
        ("(day < 2022-01-09 or day missing)", "(seen >= 2017-07-14T02:40:00.000001Z or seen missing)"),
        ("day >= 2022-01-09",),
    ]
    table, rows = probes(tree, per_stop=40)
    read = read_rules(rules(tree))
    assert [[r.node for r in found] for found in fitting(tree, read, rows)] == [[n] for n in tree.apply(table)]


def test_refused_rows_fit_no_rule():
    tree = tame(5, unseen="error", missing="error", splits=20)
    text = rules(tree)
    assert text.startswith("# A row that lacks a value it is asked for fits no rule.\n# A row with a level")
    table, rows = probes(tree, 3)
    refused = 0
    for i, found in enumerate(fitting(tree, read_rules(text), rows)):
        try:
            assert [rule.node for rule in found] == [tree.apply(table.take([i]))[0]]
        except ValueError:
            refused += 1
            assert found == []
    assert 10 < refused < len(rows) - 10


def test_bounds_are_merged():
    inner = Split(0, 3.0, Split(0, 9.0, Leaf((1, 0)), Leaf((0, 1))), Split(0, 5.0, Leaf((1, 1)), Leaf((3, 0))))
    tree = build(Split(0, 7.0, inner, Leaf((0, 2))))
    assert [(rule.node, rule.conditions) for rule in rule_list(tree)] == [
        (3, ("age < 3",)),
        # node 4, at least 9 and below 3, is out of reach; a missing cell goes right everywhere, so it is node 8's
        (6, ("3 <= age < 5",)),
        (7, ("5 <= age < 7",)),
        (8, ("(age >= 7 or age missing)",)),
    ]


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e9, 1e-300, 1e300])
def test_c10_rules_hold_for_every_training_row_at_any_scale(scale):
    X = np.array([[1e-4], [2e-4], [3e-4], [4e-4]]) * scale
    y = np.array([0, 0, 1, 1])
    model = bc.DecisionTreeClassifier().fit(X, y)
    read = read_rules(rules(model))
    assert [rule.answer for x in X[:, 0] for rule in read if rule.fits({"x0": x})] == y.tolist()


def test_c55_any_tree_has_rules():
    assert (
        rules(build(Leaf((1, 2))))
        == '0: all rows -> "yes"  [3 of 3 rows; "no" 0.3333333333333333, "yes" 0.6666666666666666]\n'
    )
    deep = staircase(3000)
    assert len(rule_list(deep)) == 3001
    X = np.eye(300)
    tree = bc.DecisionTreeClassifier().fit(X, np.arange(300)).tree_
    assert tree.max_depth == 299 and len(rules(tree).splitlines()) == 300


def test_c31_names_and_levels_that_look_like_rules():
    names = ["and", "x in {1}", '"', "a b", "missing", "\n", "->", "größe", "(", "\u2028"]
    levels = ("3 speed", "4, x", "o'k", "", "} -> {", '"', "missing", "\n\u2028", "true")
    schema = Schema(tuple(ColumnSchema(name, Kind.CATEGORY, levels) for name in names))
    for seed in range(10):
        tree = random_tree(seed, schema, splits=25)
        text = rules(tree)
        read = read_rules(text)
        assert len(read) == len(text.splitlines()) == text.count("\n")
        table, rows = probes(tree, seed, per_stop=2)
        assert [[r.node for r in found] for found in fitting(tree, read, rows)] == [[n] for n in tree.apply(table)]


def same_shape(schema, tree):
    """A reader's Leaf of a rule: rows by class are shares of the rows of the leaf."""

    def leaf_of(rule):
        n = rule.support[0]
        if tree.classes is None:
            return Leaf(value=rule.answer, n=n)
        return Leaf(tuple(round(rule.shares.get(label, 0.0) * n) for label in tree.classes))

    classes = None if tree.classes is None else tree.classes.tolist()
    return build(tree_of_rules(rules(tree), schema, leaf_of), schema=schema, classes=classes, unseen="stop")


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_rules_read_back_to_the_identical_tree(start):
    for seed in range(start, start + 50):
        tree = tight_tree(seed, NAMED)
        assert same_shape(NAMED, tree).equals(tree)


def test_rules_of_a_grown_tree_read_back_to_it():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"x": rng.normal(size=400), "member": rng.random(400) < 0.4, "n": rng.integers(0, 9, 400)})
    frame["word"] = pd.Categorical(rng.choice(["red", "o'k", "", "a, b"], 400))
    frame.loc[rng.random(400) < 0.2, "x"] = np.nan
    frame.loc[rng.random(400) < 0.1, "word"] = None
    y = np.where((frame["x"].fillna(1) > 0) ^ (frame["word"] == "red") ^ (rng.random(400) < 0.1), "yes", "no")
    tree = bc.DecisionTreeClassifier(min_samples_leaf=3).fit(frame, y).tree_
    assert tree.n_leaves > 30
    found = same_shape(tree.schema, tree)
    for name in ("children_left", "children_right", "feature", "threshold", "level_ptr", "level_code", "level_left"):
        np.testing.assert_array_equal(getattr(found, name), getattr(tree, name), err_msg=name)
    for name in ("n_node_samples", "label", "count_ptr", "count_class", "count_rows"):
        np.testing.assert_array_equal(getattr(found, name), getattr(tree, name), err_msg=name)
