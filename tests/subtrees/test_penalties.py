"""The cheapest pruning under every penalty: the specification's values, and all prunings one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import prunings
from scipy import stats
from strategies_tree import Leaf, Split, build, staircase, trees
from subtrees.examples import OF_SPEC, example_1, leaves_of, spec_leaves

import bristlecone as bc
from bristlecone.subtrees import (
    CostComplexity,
    Costs,
    Leaves,
    Penalty,
    Pessimistic,
    ReducedError,
    ScottNowak,
    cheapest_pruning,
    cheapest_prunings,
    cut,
    weakest_link_path,
)
from bristlecone.subtrees.penalties import upper_error_rate

FULL = spec_leaves(2, 3, 5, 6)


@pytest.mark.parametrize(
    ("strength", "leaves", "cost"),
    [
        (0.25, FULL, 0.1666666666666667),
        (1, FULL, 0.2666666666666667),
        (2.5, spec_leaves(2, 3, 4), 0.45),
        (4, spec_leaves(0), 0.5666666666666667),  # a tie with {1, 2}
        (8, spec_leaves(0), 0.7),
    ],
)
def test_av_a8_leaves(strength, leaves, cost):
    tree = example_1()
    assert leaves_of(cheapest_pruning(tree, "leaves", strength), tree) == leaves
    found = cheapest_prunings(tree, Leaves(), [strength, strength])
    np.testing.assert_allclose(found.total, cost, rtol=1e-10)
    assert set(np.flatnonzero(found.leaf[:, 1])) == leaves


def test_av_a9_scott_nowak():
    tree = example_1()
    charge = ScottNowak().costs(tree, np.array([1.0])).leaf - ScottNowak().costs(tree, np.array([0.0])).leaf
    expected = [
        *(0, 0.1414213562373095, 0.1154700538379252, 0.1414213562373095),
        *(0.1414213562373095, 0.1290994448735806, 0.1154700538379252),
    ]
    np.testing.assert_allclose(charge[OF_SPEC, 0], expected, rtol=1e-10)
    found = cheapest_prunings(tree, "scott_nowak", [0.25, 1, 3])
    np.testing.assert_allclose(found.total, [0.2586985605300184, 0.4333333333333333, 0.4333333333333333], rtol=1e-10)
    chosen = [leaves_of(cheapest_pruning(tree, "scott_nowak", s), tree) for s in (0.25, 1, 3)]
    assert chosen == [FULL, spec_leaves(0), spec_leaves(0)]
    scaled = ScottNowak(sqrt8=True).costs(tree, np.array([0.25])).leaf
    np.testing.assert_allclose(scaled, ScottNowak().costs(tree, np.array([0.25 * math.sqrt(8)])).leaf, rtol=1e-15)


def test_c75_pessimistic_numbers():
    rates = upper_error_rate([0, 0, 0, 1], [6, 9, 1, 15], 0.25)
    np.testing.assert_allclose(rates, [0.2063, 0.1428, 0.75, 0.1596], atol=5e-5)
    for errors, right, rate in zip([0, 0, 0, 1], [6, 9, 1, 15], rates, strict=True):
        assert stats.binom.cdf(errors, errors + right, rate) == pytest.approx(0.25, rel=1e-12)
    tree = build(Split(0, 0.5, Leaf((6, 0)), Split(0, 1.0, Leaf((0, 1)), Leaf((9, 0)))))
    costs = Pessimistic().costs(tree, None).leaf
    leaves = tree.children_left < 0
    assert costs[leaves].sum() == pytest.approx(3.273, abs=5e-4)
    assert costs[0] == pytest.approx(2.554, abs=5e-4)
    assert cheapest_pruning(tree, "pessimistic").n_leaves == 1


def test_c75_a_lower_confidence_prunes_more():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), rng.integers(0, 2, 400)
    y[X[:, 0] > 0.5] = 1
    tree = bc.grow.cart(X, y)
    sizes = [cheapest_pruning(tree, Pessimistic(c)).n_leaves for c in (0.9, 0.5, 0.25, 0.1, 0.01, 1e-6)]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[-1]


def test_pessimistic_with_fractional_weights():
    sides = Leaf((3, 0)), Leaf((1, 4))
    whole, half = (build(Split(0, 0.5, *sides), weight=w) for w in (1.0, 0.5))
    expected = [n * stats.beta.ppf(0.75, e + 1, n - e) for n, e in ((4.0, 2.0), (1.5, 0.0), (2.5, 0.5))]
    np.testing.assert_allclose(Pessimistic().costs(half, None).leaf, expected, rtol=1e-12)
    assert (Pessimistic().costs(whole, None).leaf > Pessimistic().costs(half, None).leaf).all()
    np.testing.assert_array_equal(upper_error_rate([3, 0], [0, 0], 0.25), [1, 0])


@given(trees(), st.sampled_from([0.0, 0.5, 1.0, 3.0]), st.sampled_from(["leaves", "scott_nowak", "random"]))
def test_no_pruning_is_cheaper(tree, strength, name):
    rng = np.random.default_rng(tree.n_nodes)
    charge = rng.uniform(0, 0.1, tree.n_nodes)
    if tree.classes is None:
        object.__setattr__(tree, "impurity", np.abs(tree.prediction))
    penalty = (lambda _: charge) if name == "random" else name
    pruned = cheapest_pruning(tree, penalty, strength)
    chosen = leaves_of(pruned, tree)
    rule = {"leaves": Leaves(), "scott_nowak": ScottNowak()}.get(name)
    base = Leaves().costs(tree, np.array([0.0])).leaf[:, 0]
    cost = base + strength * charge if rule is None else rule.costs(tree, np.array([strength])).leaf[:, 0]
    every = {leaves: sum(cost[list(leaves)]) for leaves in prunings.prunings(prunings.children_of(tree))}
    assert every[chosen] == pytest.approx(min(every.values()), rel=1e-10)
    assert len(chosen) == min(len(leaves) for leaves, c in every.items() if c <= every[chosen] * (1 + 1e-14))


@given(trees(), st.floats(0, 2), st.sampled_from(["impurity", "misclassification"]))
def test_cost_complexity_is_the_path(tree, alpha, risk):
    if tree.classes is None:
        risk = "impurity"
    path = weakest_link_path(tree, risk=risk)
    alphas = np.array([alpha, *path.alphas])
    found = cheapest_prunings(tree, CostComplexity(risk), alphas)
    for j, a in enumerate(alphas):
        assert cut(tree, found.leaf[:, j]).equals(path.tree_at(a))
        assert cheapest_pruning(tree, CostComplexity(risk), a).equals(path.tree_at(a))
        np.testing.assert_allclose(found.total[j], path.risks[path.index_at(a)] + a * found.leaf[:, j].sum())
        inner = set(np.flatnonzero(found.inner[:, j]))
        assert inner == prunings.inner_of(prunings.children_of(tree), set(np.flatnonzero(found.leaf[:, j])))
    costs = CostComplexity(risk).costs(tree, alphas).leaf
    np.testing.assert_array_equal(costs, path.risk.of_nodes[:, None] + alphas)


def pruning_sets(tree, X, y):
    """The error of every pruning on other rows, by predicting with each of them."""
    wrong = {}
    for leaves in prunings.prunings(prunings.children_of(tree)):
        answers = cut(tree, sorted(leaves)).predict(X)
        wrong[leaves] = (answers != y).mean() if tree.classes is not None else ((answers - y) ** 2).mean()
    return wrong


@pytest.mark.parametrize("unseen", ["stop", "heavier"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_reduced_error_is_the_least_error_on_the_pruning_set(task, unseen):
    """Rows with levels that the growing rows did not have are among them: they stop at inner nodes."""
    pd = pytest.importorskip("pandas")
    for seed in range(12):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"a": rng.integers(0, 5, 120), "c": rng.choice(list("uvwxyz"), 120)})
        y = rng.integers(0, 3, 120) + (frame.a > 2) * 2
        grow, other = frame.c.isin(list("uvwx")) & (frame.index < 80), frame.index >= 60
        criterion = "gini" if task == "classification" else "squared_error"
        tree = bc.grow.cart(frame[grow], y[grow], criterion=criterion, max_leaf_nodes=7, unseen=unseen)
        assert (tree.level_ptr[-1] > 0) or seed
        other = other & y.isin(y[grow])
        every = pruning_sets(tree, frame[other], y[other].to_numpy())
        pruned = cheapest_pruning(tree, ReducedError(frame[other], y[other]))
        chosen = leaves_of(pruned, tree)
        assert every[chosen] == pytest.approx(min(every.values()), rel=1e-12)
        found = cheapest_prunings(tree, ReducedError(frame[other], y[other]))
        assert found.total == pytest.approx(every[chosen], rel=1e-12)
        smallest = min(len(s) for s, wrong in every.items() if wrong <= every[chosen] * (1 + 1e-13))
        assert len(chosen) == smallest


def test_reduced_error_of_medians_counts_absolute_errors():
    X, y = np.arange(6.0)[:, None], np.array([0.0, 1, 5, 10, 11, 30])
    tree = bc.grow.cart(X, y, criterion="absolute_error", max_depth=1)
    costs = ReducedError(X, y).costs(tree, None)
    passing = tree.decision_path(X).toarray().astype(bool)
    expected = [np.abs(y[passing[:, v]] - tree.prediction[v]).sum() / 6 for v in range(3)]
    np.testing.assert_allclose(costs.leaf, expected)


def test_a_users_penalty_is_a_function_or_a_class_of_theirs():
    tree = example_1()

    class PerDepth:
        def costs(self, tree, strengths):
            return Costs(0.2 * tree.depth.astype(float))

    assert isinstance(PerDepth(), Penalty)
    assert cheapest_pruning(tree, PerDepth()).n_leaves == 1
    assert cheapest_pruning(tree, lambda t: -t.depth, None).n_leaves == 4
    assert cheapest_pruning(tree, lambda t: np.ones(t.n_nodes), 0.1).equals(
        weakest_link_path(tree, risk="misclassification").tree_at(0.1)
    )


def test_a_deep_tree_is_pruned():
    tree = staircase(20_000)
    sizes = [cheapest_pruning(tree, "leaves", strength).n_leaves for strength in (0.0, 4e-5, 5e-5)]
    assert sizes == [20_001, 20_001, 1]  # all splits together save one error


@pytest.mark.parametrize(
    ("penalty", "strength", "error", "said"),
    [
        ("leafs", 1.0, ValueError, "penalty must be one of 'cost_complexity', 'leaves'.*got 'leafs'"),
        ("leaves", None, ValueError, "'leaves' needs a strength"),
        ("cost_complexity", None, ValueError, "'cost_complexity' needs a strength"),
        ("pessimistic", 1.0, ValueError, "'pessimistic' has no strength, got 1.0"),
        ("leaves", -1.0, ValueError, "strength must be a finite number of at least 0, got -1.0"),
        ("leaves", math.nan, ValueError, "strength must be a finite number of at least 0, got nan"),
        ("leaves", "cv", TypeError, "strength must be a number"),
        (3, 1.0, TypeError, "penalty must be a name, a Penalty or a function"),
        (Leaves, 1.0, TypeError, "penalty must be a name, a Penalty or a function"),
        (lambda t: [1.0], 1.0, ValueError, r"one number a node, \(7,\); got float64 \(1,\)"),
        (lambda t: np.full(t.n_nodes, np.nan), 1.0, ValueError, "node 0 has the potential"),
        (CostComplexity("gini"), 1.0, ValueError, "risk must be 'impurity'"),
    ],
)
def test_what_is_no_penalty_is_refused(penalty, strength, error, said):
    with pytest.raises(error, match=said):
        cheapest_pruning(example_1(), penalty, strength)


def test_other_refusals():
    regression = bc.grow.cart([[0.0], [1.0]], [0.0, 1.0], criterion="squared_error")
    with pytest.raises(ValueError, match="a regression tree makes none"):
        cheapest_pruning(regression, "pessimistic")
    with pytest.raises(ValueError, match="X has 1 rows but y has 2"):
        cheapest_pruning(regression, ReducedError([[0.0]], [0.0, 1.0]))
    with pytest.raises(ValueError, match="y: row 1 is not a finite number"):
        cheapest_pruning(regression, ReducedError([[0.0], [1.0]], [0.0, math.inf]))
    with pytest.raises(TypeError, match="pruning needs a Tree, got DecisionTreeClassifier"):
        cheapest_pruning(bc.DecisionTreeClassifier(), "leaves", 1.0)
    for confidence in (0, 1, -0.5, "0.25", math.nan):
        with pytest.raises(ValueError, match="confidence must be a number between 0 and 1"):
            Pessimistic(confidence)
