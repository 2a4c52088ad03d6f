"""The weakest-link path on the specification's example, to ten digits."""

from fractions import Fraction

import numpy as np
import pytest
from subtrees.examples import OF_SPEC, example_1, leaves_of, spec_leaves

from bristlecone.subtrees import weakest_link_path

FULL = spec_leaves(2, 3, 5, 6)


def subtrees(path):
    return [leaves_of(path.tree(k), path.unpruned) for k in range(len(path))]


def close(found, expected):
    np.testing.assert_allclose(found, np.array(expected, dtype=float), rtol=1e-10, atol=1e-14)


def test_av_b5_misclassification():
    path = weakest_link_path(example_1(), risk="misclassification")
    assert path.alphas.tolist() == [0.0, 1 / 15, 1 / 10, 2 / 15]
    assert subtrees(path) == [FULL, spec_leaves(2, 3, 4), spec_leaves(1, 2), spec_leaves(0)]
    assert path.n_leaves.tolist() == [4, 3, 2, 1]
    close(path.risks, [4 / 30, 6 / 30, 9 / 30, 13 / 30])


def test_av_b6_gini():
    path = weakest_link_path(example_1())
    risks = [Fraction(r) for r in ("221/450", "77/270", "1/9", "8/135", "2/15", "0", "1/20")]
    close(path.risk.of_nodes[OF_SPEC], risks)
    close(path.alphas, [0, 1 / 12, 5 / 54, 64 / 675])
    assert subtrees(path) == [FULL, spec_leaves(2, 3, 4), spec_leaves(1, 2), spec_leaves(0)]
    close(path.risks, [sum(risks[v] for v in leaves) for leaves in ([2, 3, 5, 6], [2, 3, 4], [1, 2], [0])])


def test_av_b7_entropy():
    tree = example_1()
    shares = tree.value[:, 0, :]
    bits = -np.where(shares > 0, shares * np.log2(np.where(shares > 0, shares, 1)), 0).sum(axis=1)
    object.__setattr__(tree, "impurity", bits)
    path = weakest_link_path(tree)
    close(path.alphas, [0, 0.155993629561867])
    assert subtrees(path) == [FULL, spec_leaves(0)]


def test_both_risks_of_every_subtree_are_known_and_printed():
    path = weakest_link_path(example_1(), risk=[[0, 1], [2, 0]])
    close(path.impurity, [path.tree(k).impurity @ _leaf_shares(path.tree(k)) for k in range(len(path))])
    wrong = [_leaf_shares(path.tree(k)) @ (1 - path.tree(k).value[:, 0].max(axis=1)) for k in range(len(path))]
    close(path.misclassification, wrong)
    table = str(path).splitlines()
    assert table[0] == f"Weakest-link path by loss, {len(path)} subtrees"
    assert table[1].split() == ["alpha", "leaves", "gini", "misclassification", "loss"]
    assert [float(cell) for cell in table[2].split()] == pytest.approx(
        [0, path.n_leaves[0], path.impurity[0], path.misclassification[0], path.risks[0]], rel=1e-5
    )


def _leaf_shares(tree):
    return np.where(tree.children_left < 0, tree.weighted_n_node_samples / tree.weighted_n_node_samples[0], 0)
