"""The best pruning of a size: against all prunings, and beside the weakest-link path."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.prunings import children_of, prunings

from bristlecone.grow import cart
from bristlecone.subtrees import weakest_link_path
from bristlecone.subtrees.of_size import best_of_size
from bristlecone.subtrees.risks import node_risk


def grown(seed, n_rows=60, **limits):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3))
    y = (X[:, 0] * X[:, 1] > 0) ^ (rng.random(n_rows) < 0.2)
    return cart(X, y + (X[:, 2] > 0.5), **limits)


def risk_of(pruned, risk):
    return node_risk(pruned, risk).of_nodes[pruned.children_left < 0].sum()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["misclassification", "impurity"]))
def test_no_pruning_of_so_many_leaves_has_less_risk(seed, risk):
    tree = grown(seed, max_leaf_nodes=9)
    of_nodes = node_risk(tree, risk).of_nodes
    every = prunings(children_of(tree))
    for most in range(1, tree.n_leaves + 2):
        found = best_of_size(tree, most, risk=risk)
        least = min(of_nodes[list(leaves)].sum() for leaves in every if len(leaves) <= most)
        assert risk_of(found, risk) == pytest.approx(least, abs=1e-12)
        fewest = min(len(p) for p in every if len(p) <= most and of_nodes[list(p)].sum() <= least + 1e-12)
        assert found.n_leaves == fewest <= most


def test_prunings_of_the_path_are_best_and_sizes_between_are_reached():
    tree = grown(0, n_rows=600)
    path = weakest_link_path(tree, risk="misclassification")
    for k, size in enumerate(path.n_leaves.tolist()):
        assert risk_of(best_of_size(tree, size), "misclassification") == pytest.approx(path.risks[k])
    sizes = {best_of_size(tree, most).n_leaves for most in range(1, 40)}
    assert len(sizes) > len({size for size in path.n_leaves.tolist() if size < 40})


def test_a_leaf_stays_one_and_none_is_refused():
    tree = grown(0, max_leaf_nodes=5)
    assert best_of_size(tree, 1).n_leaves == best_of_size(best_of_size(tree, 1), 7).n_leaves == 1
    for refused in (0, -1, 4.0, True, "4", None):
        with pytest.raises(ValueError, match=f"max_leaves={refused!r}: must be a whole number of at least 1"):
            best_of_size(tree, refused)
    assert best_of_size(tree, np.int64(2)).n_leaves <= 2
