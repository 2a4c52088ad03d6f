"""Helmbold and Schapire's vote: the specification's values, all prunings one by one, and rows one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.prunings import inner_of
from reference.vote import Enumerated, online
from strategies_tree import SCHEMA, Leaf, Split, build, tables, trees
from subtrees.examples import OF_SPEC, example_1

import bristlecone as bc
from bristlecone.subtrees import count
from bristlecone.subtrees.helmbold_schapire import (
    helmbold_schapire_posterior,
    helmbold_schapire_weights,
    labels_of,
    means_at,
    node_values,
    prediction_of,
)
from bristlecone.subtrees.online import Online
from bristlecone.table import Table

BETA = st.floats(0.01, 0.99)


def test_av_a7_the_example():
    tree = example_1()
    posterior = helmbold_schapire_posterior(tree, beta=0.5)
    value = node_values(tree)
    assert posterior.prior_weighing.total == pytest.approx(0.0, abs=1e-14)
    inner = np.where(tree.children_left >= 0, math.log(0.5), 0.0)
    logs = [-8.482226133575713, -4.93095598828136, -1.948106771361672, -1.045053975621708, -2.310324665088221, 0]
    np.testing.assert_allclose((posterior.potentials.leaf - inner)[OF_SPEC], [*logs, -0.8705978071193034], atol=1e-10)
    assert posterior.weighing.total == pytest.approx(-5.625091192849368, abs=1e-10)
    mean = means_at(posterior, value, OF_SPEC[[2, 3, 5, 6]])
    expected = [0.825675590142673, 0.1440103932634591, 0.8864855603189463, 0.3408428943305152]
    np.testing.assert_allclose(mean, expected, atol=1e-12)
    predicted = [0.8773559093285294, 0.08751964891589458, 0.9478156007719554, 0.3155868104524061]
    np.testing.assert_allclose(prediction_of(mean, 0.5), predicted, atol=1e-12)
    assert (1.5 * math.log(2 / 1.5)) / (2 * 0.5) == pytest.approx(0.4315231086776714, abs=1e-12)
    np.testing.assert_array_equal(labels_of(posterior, value)[OF_SPEC[[2, 3, 5, 6]]], [1, 0, 1, 0])


def two_classes():
    return trees(max_splits=5, regression=False).filter(lambda tree: tree.n_classes == 2)


@given(two_classes(), st.just(0.0) | BETA, st.sampled_from(["zero", "parent"]))
def test_weights_equal_enumeration(tree, beta, empty):
    posterior = helmbold_schapire_posterior(tree, beta=beta, empty=empty)
    value = node_values(tree, empty)
    logs = []
    for v in range(tree.n_nodes):
        zeros, ones = tree.counts[v]
        kept = [1 - (1 - beta) * value[v]] * int(zeros) + [1 - (1 - beta) * (1 - value[v])] * int(ones)
        logs.append(math.fsum(map(math.log, kept)) + (math.log(0.5) if tree.children_left[v] >= 0 else 0.0))
    every = Enumerated(tree, logs, [math.log(0.5)] * tree.n_nodes)
    for v in range(tree.n_nodes):
        assert posterior.weights[v] == pytest.approx(every.weight(v), rel=1e-8, abs=1e-12)
    np.testing.assert_array_equal(helmbold_schapire_weights(tree, beta=beta, empty=empty), posterior.weights)


@given(st.data(), two_classes(), BETA, st.sampled_from(["rows", "prior"]))
def test_rows_one_by_one_equal_the_recursion_over_all_prunings(data, tree, beta, start):
    value = node_values(tree)
    counts = np.zeros((tree.n_nodes, 2)) if start == "prior" else None
    begun = helmbold_schapire_posterior(tree, beta=beta, counts=counts)
    table = Table(SCHEMA, data.draw(tables(tree)))
    codes = data.draw(st.lists(st.integers(0, 1), min_size=table.n_rows, max_size=table.n_rows))
    after, predicted = Online.begin(begun, value, beta).after(table, tree.classes[codes])
    inner = np.broadcast_to(begun.potentials.inner, (tree.n_nodes,)).tolist()
    means, weights, each = online(
        tree, value.tolist(), tree.apply(table).tolist(), codes, beta, begun.potentials.leaf.tolist(), inner
    )
    np.testing.assert_allclose(predicted, prediction_of(np.array(means), beta), atol=1e-10)
    total = math.fsum(weights)
    for v in range(tree.n_nodes):
        expected = math.fsum(w for w, p in zip(weights, each, strict=True) if v in p) / total
        assert after.posterior.weights[v] == pytest.approx(expected, rel=1e-8, abs=1e-12)
    assert after.loss == pytest.approx(math.fsum(abs(f - y) for f, y in zip(predicted, codes, strict=True)))
    assert after.loss <= after.bound * (1 + 1e-9) + 1e-9
    # Batch and on-line weights are the same: updates commute.
    again = helmbold_schapire_posterior(tree, beta=beta, counts=count(tree, table, tree.classes[codes]))
    if start == "prior":
        np.testing.assert_allclose(again.weights, after.posterior.weights, rtol=1e-8, atol=1e-12)


def test_best_pruning_in_hindsight_and_the_bound_of_1997_by_enumeration():
    tree, beta = example_1(), 0.4
    value, rng = node_values(tree), np.random.default_rng(3)
    ages, codes = rng.uniform(0, 8, 60), rng.integers(0, 2, 60)
    table = Table(SCHEMA, [ages, np.full(60, -1, np.int32), *(np.full(60, np.nan) for _ in range(3))])
    begun = helmbold_schapire_posterior(tree, beta=beta, counts=np.zeros((7, 2)))
    after, _ = Online.begin(begun, value, beta).after(table, codes)
    every, stops = Enumerated(tree, [0.0] * 7), tree.apply(table)
    losses, terms = {}, []
    for each in every.prunings:
        above = {leaf: set() for leaf in each}
        for v in each:
            at = v
            while at >= 0:
                above[v].add(at)
                at = int(tree.parent[at])
        answer = {stop: next(v for v in each if stop in _below(tree, v)) for stop in set(stops.tolist())}
        losses[each] = math.fsum(abs(value[answer[s]] - y) for s, y in zip(stops.tolist(), codes.tolist(), strict=True))
        size = len(inner_of(every.children, each)) + sum(tree.children_left[v] >= 0 for v in each)
        terms.append(losses[each] * math.log(1 / beta) + size * math.log(2))
    assert after.best_loss == pytest.approx(min(losses.values()))
    assert after.bound == pytest.approx(min(terms) / (2 * math.log(2 / (1 + beta))))
    assert after.best_pruning().n_leaves == len(min(losses, key=losses.get))
    assert after.n_rows == 60 and after.mistakes == np.count_nonzero(
        (np.array(online(tree, value, stops.tolist(), codes.tolist(), beta, *_prior(tree))[0]) > 0.5) != codes
    )


def _below(tree, v):
    return range(v, int(tree.subtree_end[v]))


def _prior(tree):
    return np.where(tree.children_left >= 0, math.log(0.5), 0.0).tolist(), [math.log(0.5)] * tree.n_nodes


def test_rows_of_an_adversary_stay_below_the_bound():
    """Each row is of the class that was predicted less: no law is behind them."""
    X = np.random.default_rng(0).uniform(size=(200, 2))
    tree = bc.grow.cart(X, (X[:, 0] > 0.5).astype(int) ^ (X[:, 1] > 0.3))
    online_vote = Online.begin(helmbold_schapire_posterior(tree, beta=0.3), node_values(tree), 0.3)
    for row in X[:100]:
        _, (f,) = online_vote.after(row[None], [0])
        online_vote, _ = online_vote.after(row[None], [int(f < 0.5)])
    assert online_vote.loss > 50 and online_vote.loss <= online_vote.bound


def test_what_is_refused():
    tree = example_1()
    for beta in (1, -0.1, np.nan, "cv", None, True):
        with pytest.raises(ValueError, match="beta must be a number of at least 0 and below 1"):
            helmbold_schapire_weights(tree, beta=beta)
    with pytest.raises(ValueError, match="empty must be 'zero' or 'parent', got 'root'"):
        helmbold_schapire_weights(tree, beta=0.5, empty="root")
    three = build(Split(0, 1.0, Leaf((1, 0, 2)), Leaf((0, 3, 0))), classes=(0, 1, 2))
    with pytest.raises(ValueError, match="over two classes, the tree has 3"):
        helmbold_schapire_weights(three, beta=0.5)
    with pytest.raises(ValueError, match="beta is above 0, got 0"):
        Online.begin(helmbold_schapire_posterior(tree, beta=0), node_values(tree), 0)
