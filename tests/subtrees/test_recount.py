"""The questions of a tree with other rows counted in it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bristlecone as bc
from bristlecone.subtrees import count
from bristlecone.subtrees.selection import recount


@given(st.integers(0, 10**6), st.integers(1, 40), st.booleans())
def test_counts_are_those_of_the_rows(seed, n_rows, weighted):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (60, 2)).astype(float), rng.integers(0, 3, 60)
    tree = bc.grow.cart(X, y, max_depth=4)
    X, y = rng.integers(0, 6, (n_rows, 2)).astype(float), rng.choice(["a", "b"], n_rows)
    weights = rng.integers(0, 3, n_rows).astype(float) if weighted else np.ones(n_rows)
    weights[0] = 1.0
    again = recount(tree, X, y, sample_weight=weights if weighted else None)
    present = np.repeat(np.arange(n_rows), weights.astype(int))
    assert again.counts.tolist() == count(again, X[present], y[present]).tolist()
    assert again.n_node_samples[0] == np.count_nonzero(weights)
    filled = again.n_node_samples > 0
    for v in np.flatnonzero(filled):
        assert again.label[v] == np.argmax(again.counts[v])
        shares = again.counts[v] / again.counts[v].sum()
        assert again.impurity[v] == pytest.approx(1 - (shares**2).sum(), abs=1e-12)
    asked = set(zip(tree.feature.tolist(), tree.threshold.tolist(), strict=True))
    assert set(zip(again.feature.tolist(), again.threshold.tolist(), strict=True)) <= asked | {(-2, -2.0)}


def test_its_own_rows_give_the_tree_back():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.choice(list("xyz"), 300), "c": rng.integers(0, 9, 300)})
    X.loc[::7, "a"] = np.nan
    y = rng.integers(0, 3, 300)
    tree = bc.grow.cart(X, y, min_samples_leaf=4)
    again = recount(tree, X, y)
    for name in ("children_left", "feature", "threshold", "label", "n_node_samples", "level_code", "count_rows"):
        np.testing.assert_array_equal(getattr(again, name), getattr(tree, name))
    np.testing.assert_allclose(again.impurity, tree.impurity, atol=1e-12)


def test_rows_that_stop_inside_and_what_is_no_tree_are_refused():
    X = pd.DataFrame({"b": ["x", "y", "z"] * 4})
    tree = bc.grow.cart(X, [0, 1, 1] * 4)
    with pytest.raises(ValueError, match=r"X, row 1: column 'b' has a level that the tree does not know"):
        recount(tree, pd.DataFrame({"b": ["x", "other"]}), [0, 1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        recount(tree, X, [0, 1])
    with pytest.raises(TypeError, match="recount needs a Tree, got str"):
        recount("tree", X, [0, 1, 1] * 4)
