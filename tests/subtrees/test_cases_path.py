"""Faults of other tools in pruning, one test each; the numbers are those of the project's list of faults."""

import numpy as np
import pytest
from strategies_tree import Leaf, Split, build, staircase
from subtrees.examples import leaves_of

import bristlecone as bc
from bristlecone.subtrees import cut, weakest_link_path


@pytest.mark.parametrize("risk", ["impurity", "misclassification"])
def test_c39_the_path_is_reproducible_at_its_own_alphas(risk):
    entries = 0
    for seed in range(60):
        rng = np.random.RandomState(seed)
        X, y = rng.randint(0, 6, (80, 3)), rng.randint(0, 3, 80)
        tree = bc.grow.cart(X, y)
        path = weakest_link_path(tree, risk=risk)
        assert path.alphas[0] == 0 and (np.diff(path.alphas) > path.alphas[1:] * 1e-12).all()
        assert (np.diff(path.n_leaves) < 0).all() and path.n_leaves[-1] == 1
        assert (np.diff(path.risks) > 0).all()
        upper = np.append(path.alphas[1:], np.inf)
        previous = None
        for k, alpha in enumerate(path.alphas):
            between = (alpha + upper[k]) / 2 if np.isfinite(upper[k]) else 2 * alpha
            own = path.tree(k)
            for at in (alpha, between):
                assert path.tree_at(at).equals(own)
            assert own.n_leaves == path.n_leaves[k]
            assert path.risks[k] == pytest.approx(risk_of(own, risk), rel=1e-12, abs=1e-15)
            leaves = leaves_of(own, tree)
            if previous is not None:  # each larger leaf lies in a smaller pruning's leaf
                assert all(any(v <= w < tree.subtree_end[v] for v in leaves) for w in previous)
            previous = leaves
            entries += 1
    assert entries > 300


def risk_of(tree, risk):
    leaf = tree.children_left < 0
    share = tree.weighted_n_node_samples[leaf] / tree.weighted_n_node_samples[0]
    if risk == "impurity":
        return share @ tree.impurity[leaf]
    return share @ (1 - tree.value[leaf, 0].max(axis=1))


@pytest.mark.parametrize("how", ["weights of a third", "rows in another order", "columns in another order"])
def test_c39_the_path_does_not_depend_on_rounding(how):
    """The same partition from differently rounded sums: the same path, and the same subtree at the other's alphas."""
    for seed in range(20):
        rng = np.random.RandomState(seed)
        X, y = rng.randint(0, 6, (80, 3)).astype(float), rng.randint(0, 3, 80)
        tree = bc.grow.cart(X, y)
        order = rng.permutation(80) if how == "rows in another order" else np.arange(80)
        other = bc.grow.cart(X[order], y[order], sample_weight=np.full(80, 1 / 3 if how.startswith("weights") else 1.0))
        for risk in ("impurity", "misclassification"):
            path, again = (weakest_link_path(t, risk=risk) for t in (tree, other))
            np.testing.assert_allclose(again.alphas, path.alphas, rtol=1e-12)
            assert again.n_leaves.tolist() == path.n_leaves.tolist()
            if risk == "impurity":
                assert [again.index_at(alpha) for alpha in path.alphas] == list(range(len(path)))


def test_c41_no_alpha_is_negative():
    xor = bc.grow.cart([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    path = weakest_link_path(xor)
    np.testing.assert_allclose(path.alphas, [0, 1 / 6], rtol=1e-15)
    np.testing.assert_allclose(path.risks, [0, 0.5], rtol=1e-15)
    assert path.n_leaves.tolist() == [4, 1]
    for seed in range(100):
        rng = np.random.RandomState(seed)
        X, y = rng.rand(60, 3), 5 + 1e-3 * rng.rand(60)
        path = weakest_link_path(bc.grow.cart(X, y, criterion="squared_error"))
        assert path.alphas[0] == 0 and (np.diff(path.alphas) > 0).all()
        assert path.n_leaves[0] == 60


def test_c42_the_risk_is_named_and_both_are_shown():
    s = np.repeat([1, 0], [5, 10])
    y = np.array([1] * 2 + [0] * 3 + [1] + [0] * 9)
    tree = bc.grow.cart(s[:, None], y)
    errors = weakest_link_path(tree, risk="misclassification")
    assert (errors.alphas.tolist(), errors.n_leaves.tolist()) == ([0], [1])
    assert errors.risks.tolist() == [0.2]
    gini = weakest_link_path(tree)
    np.testing.assert_allclose(gini.alphas, [0, 0.04], rtol=1e-12)
    np.testing.assert_allclose(gini.risks, [0.28, 0.32], rtol=1e-12)
    np.testing.assert_allclose(gini.misclassification, [0.2, 0.2], rtol=1e-12)
    assert str(gini).splitlines() == [
        "Weakest-link path by gini, 2 subtrees",
        "alpha  leaves  gini  misclassification",
        "    0       2  0.28                0.2",
        " 0.04       1  0.32                0.2",
    ]
    assert repr(errors) == "<Path by misclassification: 1 subtrees of 2 leaves>"


def test_c43_a_loss_matrix_has_one_unit():
    X = np.repeat([[0.0], [1.0], [2.0]], [60, 30, 10], axis=0)
    y = np.repeat([0, 0, 1], [60, 30, 10])
    loss = [[0, 1], [10, 0]]
    tree = bc.grow.cart(X, y, loss=loss)
    path = weakest_link_path(tree, risk=loss)
    assert path.risk.counts[0] == 90  # predict class 1: 90 errors of cost 1, not 10 of cost 10
    assert path.risk.unit == 100
    assert (path.alphas.tolist(), path.risks.tolist()) == ([0, 0.9], [0, 0.9])
    plain = weakest_link_path(bc.grow.cart(X, y), risk=loss)  # grown without the losses, the answers still follow them
    assert (plain.alphas.tolist(), plain.risks.tolist()) == ([0, 0.9], [0, 0.9])
    assert plain.tree(-1).predict(X).tolist() == [1] * 100


def test_an_outlier_does_not_prune_what_is_small_beside_it():
    """Rounding is measured at each node: splits worth a billionth of a billionth of the root's variance stay."""
    X = np.arange(9.0)[:, None]
    y = np.array([0, 0, 1, 1, 3, 3, 4, 4, 1e10])
    path = weakest_link_path(bc.grow.cart(X, y, criterion="squared_error"))
    assert path.n_leaves[0] == 5
    assert path.n_leaves.tolist() == [5, 3, 2, 1]


def test_tiny_and_huge_targets_have_the_same_path():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 8, (60, 2)), rng.integers(0, 9, 60).astype(float)
    plain = weakest_link_path(bc.grow.cart(X, y, criterion="squared_error"))
    for exponent in (-500, 400):
        path = weakest_link_path(bc.grow.cart(X, np.ldexp(y, exponent), criterion="squared_error"))
        np.testing.assert_array_equal(path.alphas, np.ldexp(plain.alphas, 2 * exponent))
        np.testing.assert_array_equal(path.n_leaves, plain.n_leaves)


def test_counts_are_compared_exactly():
    """Links that differ by one row in ten million million are two, unless weights blur them."""
    h = 10**13
    sides = [Split(0, 1.0, Leaf((h + 1, 0)), Leaf((0, 4 * h))), Split(0, 1.0, Leaf((4 * h, 0)), Leaf((0, h)))]
    n = 10 * h + 1
    path = weakest_link_path(build(Split(0, 0.0, *sides)), risk="misclassification")
    assert path.alphas.tolist() == [0, h / n, (h + 1) / n, (3 * h - 1) / n]
    assert path.n_leaves.tolist() == [4, 3, 2, 1]
    blurred = weakest_link_path(build(Split(0, 0.0, *sides), weight=0.1), risk="misclassification")
    assert blurred.n_leaves.tolist() == [4, 2, 1]


def test_weights_that_are_no_counts():
    tree = build(
        Split(0, 5.0, Split(0, 3.0, Leaf((8, 1)), Split(0, 4.0, Leaf((0, 5)), Leaf((3, 1)))), Leaf((2, 10))), weight=0.1
    )
    path = weakest_link_path(tree, risk="misclassification")
    assert path.risk.counts is None
    np.testing.assert_allclose(path.alphas, [0, 1 / 15, 1 / 10, 2 / 15], rtol=1e-14)
    huge = build(Split(0, 0.5, Leaf((3, 1)), Leaf((0, 2))), weight=1e307)
    np.testing.assert_allclose(weakest_link_path(huge, risk="misclassification").risk.of_nodes, [3 / 6, 1 / 6, 0])
    np.testing.assert_allclose(weakest_link_path(huge, risk=[[0, 1], [3, 0]]).risk.of_nodes, [3 / 6, 3 / 6, 0])
    assert weakest_link_path(huge, risk=[[0, 1], [3, 0]]).unpruned.label.tolist() == [1, 0, 1]


def test_a_long_table_leaves_out_its_middle():
    rng = np.random.default_rng(0)
    path = weakest_link_path(bc.grow.cart(rng.normal(size=(300, 2)), rng.normal(size=300), criterion="squared_error"))
    lines = str(path).splitlines()
    assert lines[0] == f"Weakest-link path by squared_error, {len(path)} subtrees"
    assert lines[1].split() == ["alpha", "leaves", "squared_error"]
    assert [line.split()[0] for line in lines[2:]].count("...") == 1
    assert len(lines) == 2 + 25
    assert len({len(line) for line in lines[1:]}) == 1


def test_sums_at_other_alphas():
    rng = np.random.default_rng(0)
    tree = bc.grow.cart(rng.integers(0, 9, (90, 3)), rng.integers(0, 3, 90))
    path = weakest_link_path(tree)
    values, alphas = rng.random(tree.n_nodes), np.sort(rng.random(40)) * path.alphas[-1] * 1.1
    expected = [values[sorted(leaves_of(path.tree_at(alpha), tree))].sum() for alpha in alphas]
    np.testing.assert_allclose(path.sums(values, alphas), expected, rtol=1e-12)


def test_a_tree_of_one_leaf():
    tree = bc.grow.cart([[0.0], [1.0]], [1, 1])
    path = weakest_link_path(tree)
    assert (len(path), path.alphas.tolist(), path.n_leaves.tolist()) == (1, [0], [1])
    assert path.tree(0) is tree and path.tree_at(5.0) is tree


def test_a_staircase_of_links_is_no_deeper_than_a_bush():
    tree = staircase(50_000)
    path = weakest_link_path(tree, risk="misclassification")
    assert path.n_leaves.tolist() == [50_001, 1]
    assert cut(tree, path.collapse <= path.alphas[-1]).n_leaves == 1


@pytest.mark.parametrize(
    ("risk", "error", "said"),
    [
        ("gini", ValueError, "risk must be 'impurity', 'misclassification' or a loss matrix, got 'gini'"),
        (
            [[0, 1, 2], [1, 0, 2]],
            ValueError,
            r"a loss matrix of 2 classes is 2 x 2, true classes in rows; got \(2, 3\)",
        ),
        ([[0, -1], [1, 0]], ValueError, "finite numbers >= 0"),
        ([[0, np.inf], [1, 0]], ValueError, "finite numbers >= 0"),
        ([[1, 1], [1, 0]], ValueError, "zero on its diagonal"),
        ([[0, 1], [1]], ValueError, "risk is not a matrix"),
        ([["a", "b"], ["c", "d"]], TypeError, "a loss matrix of numbers"),
        (None, TypeError, "a loss matrix of numbers, got None"),
    ],
)
def test_what_is_no_risk_is_refused(risk, error, said):
    tree = build(Split(0, 0.5, Leaf((1, 0)), Leaf((0, 1))))
    with pytest.raises(error, match=said):
        weakest_link_path(tree, risk=risk)


@pytest.mark.parametrize("risk", ["misclassification", [[0, 1], [1, 0]]])
def test_a_regression_has_its_impurity_only(risk):
    tree = bc.grow.cart([[0.0], [1.0]], [0.0, 1.0], criterion="squared_error")
    with pytest.raises(ValueError, match="regression tree"):
        weakest_link_path(tree, risk=risk)
    with pytest.raises(AttributeError, match="a regression tree has no misclassification"):
        weakest_link_path(tree).misclassification  # noqa: B018


def test_alphas_and_places_beyond_the_path_are_refused():
    tree = build(Split(0, 0.5, Leaf((1, 0)), Leaf((0, 1))))
    path = weakest_link_path(tree)
    for alpha in (-1e-300, float("nan"), "0", None):
        with pytest.raises(ValueError, match="alpha must be a number of at least 0"):
            path.tree_at(alpha)
    assert path.tree_at(float("inf")).n_leaves == 1
    assert path.tree(-1).n_leaves == 1 and path.tree(-2) is tree
    for k in (2, -3):
        with pytest.raises(IndexError, match=f"subtree {k} of a path of 2"):
            path.tree(k)
    with pytest.raises(TypeError, match="a path needs a Tree, got DecisionTreeClassifier"):
        weakest_link_path(bc.DecisionTreeClassifier())
