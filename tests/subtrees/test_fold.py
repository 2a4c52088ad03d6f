"""The folds against all prunings one by one, and what no enumeration reaches: depth, size and large potentials."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import prunings
from strategies_tree import staircase
from subtrees.examples import OF_SPEC, example_1
from subtrees.strategies_skeleton import as_arrays, skeletons

from bristlecone.subtrees import count_prunings, fold, log_sums

POTENTIAL = st.floats(-30, 30) | st.integers(-3, 3).map(float) | st.sampled_from([1e6, -1e6, 700.0])


@st.composite
def problems(draw, potential=POTENTIAL):
    """A skeleton, its arrays, and potentials of its leaves and inner nodes."""
    children = draw(skeletons())
    arrays = as_arrays(children, lambda: draw(st.integers(0, 1)))
    leaf, inner = (np.array([draw(potential) for _ in children]) for _ in range(2))
    return children, arrays, leaf, inner


@given(problems())
def test_the_least_sum_and_a_pruning_that_has_it(problem):
    children, arrays, leaf, inner = problem
    found = fold(arrays, leaf, inner, semiring="min")
    every = prunings.sums(children, leaf, inner)
    chosen = frozenset(np.flatnonzero(found.leaf).tolist())
    assert set(np.flatnonzero(found.inner)) == prunings.inner_of(children, chosen)
    # A potential of a million leaves ten digits behind the point.
    near = {"abs": 1e-12 * (1 + abs(leaf).max() + abs(inner).max()) * len(children)}
    assert every[chosen] == pytest.approx(min(every.values()), **near)
    assert found.total == pytest.approx(every[chosen], **near)


@given(problems(st.integers(-2, 2).map(float)))
def test_of_equal_prunings_the_smallest(problem):
    children, arrays, leaf, inner = problem
    found = fold(arrays, leaf, inner, semiring="min")
    every = prunings.sums(children, leaf, inner)
    best = [leaves for leaves, cost in every.items() if cost == found.total]
    chosen = frozenset(np.flatnonzero(found.leaf).tolist())
    assert chosen in best
    assert len(prunings.inner_of(children, chosen)) == min(len(prunings.inner_of(children, b)) for b in best)


@given(problems())
def test_all_prunings_by_weight(problem):
    children, arrays, leaf, inner = problem
    found, branch = fold(arrays, leaf, inner, semiring="logaddexp"), log_sums(arrays, leaf, inner)
    every = prunings.sums(children, leaf, inner)
    largest = max(every.values())
    shares = {leaves: math.exp(total - largest) for leaves, total in every.items()}
    whole = math.fsum(shares.values())
    near = {"abs": 1e-13 * (1 + abs(leaf).max() + abs(inner).max()) * len(children)}
    assert found.total == pytest.approx(largest + math.log(whole), rel=1e-14, **near)
    for v in range(len(children)):
        at_leaf = math.fsum(share for leaves, share in shares.items() if v in leaves) / whole
        inside = math.fsum(s for leaves, s in shares.items() if v in prunings.inner_of(children, leaves)) / whole
        assert math.exp(found.leaf[v]) == pytest.approx(at_leaf, **near)
        assert math.exp(found.node[v]) == pytest.approx(at_leaf + inside, **near)
        below = [inner[v] + sum(branch[c] for c in children[v])] if children[v] else []
        assert branch[v] == pytest.approx(np.logaddexp.reduce([leaf[v], *below]), rel=1e-14, **near)


@given(problems(), st.integers(1, 20), st.data())
def test_many_strengths_are_each_as_one(problem, n_strengths, data):
    _, arrays, leaf, inner = problem
    scale = np.array(data.draw(st.lists(st.floats(-2, 2), min_size=n_strengths, max_size=n_strengths)))
    grid = leaf[:, None] * scale
    inner_grid = data.draw(st.sampled_from([None, 0.5, inner, inner[:, None] + scale]))
    for semiring, fields in {"min": ("total", "place"), "logaddexp": ("total", "node", "leaf")}.items():
        together = fold(arrays, grid, inner_grid, semiring=semiring)
        for j in range(n_strengths):
            own = inner_grid[:, j] if np.ndim(inner_grid) == 2 else inner_grid
            alone = fold(arrays, grid[:, j], own, semiring=semiring)
            for name in fields:
                np.testing.assert_array_equal(getattr(together, name)[..., j], getattr(alone, name))
    own = inner_grid[:, -1] if np.ndim(inner_grid) == 2 else inner_grid
    np.testing.assert_array_equal(log_sums(arrays, grid, inner_grid)[:, -1], log_sums(arrays, grid[:, -1], own))


@given(skeletons(), st.data())
def test_an_absent_child_is_an_empty_leaf(children, data):
    """SPEC A1: dropping empty cells and keeping them as leaves of potential 0 give the same at every real node."""
    left, right = as_arrays(children, lambda: data.draw(st.integers(0, 1)))
    leaf = np.array([data.draw(st.floats(-9, 9)) for _ in children])
    inner = np.array([data.draw(st.floats(-9, 9)) for _ in children])
    n, single = len(left), np.flatnonzero((left < 0) != (right < 0))
    whole = [np.concatenate([side, np.full(len(single), -1, np.int32)]) for side in (left, right)]
    for extra, v in enumerate(single):
        whole[0 if left[v] < 0 else 1][v] = n + extra
    padded = [np.concatenate([p, np.zeros(len(single))]) for p in (leaf, inner)]
    for semiring in ("min", "logaddexp"):
        dropped = fold((left, right), leaf, inner, semiring=semiring)
        kept = fold(tuple(whole), *padded, semiring=semiring)
        assert kept.total == dropped.total
        np.testing.assert_array_equal(kept.leaf[:n], dropped.leaf)


def test_av_a1_weights_of_the_example():
    tree = example_1()
    errors = (tree.row_counts.sum(axis=1) - tree.row_counts.max(axis=1)).astype(float)
    phi = -errors - 0.5 * np.sqrt(tree.n_node_samples) - 1
    found = fold(tree, phi, semiring="logaddexp")
    beta = [
        *(-12.68808022034974, -7.973595902592497, -4.732050807568877, -3.5),
        *(-4.597742358870327, -2.118033988749895, -3.0),
    ]
    w = [
        *(0.01741309852492725, 0.1147165551652287, 0.9825869014750728, 0.867870346309844),
        *(0.3520540418380868, 0.5158163044717572, 0.5158163044717572),
    ]
    np.testing.assert_allclose(log_sums(tree, phi)[OF_SPEC], beta, rtol=1e-13)
    np.testing.assert_allclose(np.exp(found.leaf[OF_SPEC]), w, rtol=1e-12)
    assert found.total == pytest.approx(beta[0], rel=1e-14)
    assert count_prunings(tree) == 4


def test_av_a14_a_chain_of_three_thousand_single_children():
    depth = np.arange(3001.0)
    left = np.append(np.arange(1, 3001), -1).astype(np.int32)
    absent = np.full(3001, -1, np.int32)
    for children in ((left, absent), (absent, left)):
        found = fold(children, -1 - (1e6 - 100 * depth), semiring="logaddexp")
        assert found.total == pytest.approx(-700001, rel=1e-15)
        assert np.isfinite(found.leaf).all() and np.isfinite(found.node).all()
        assert math.fsum(np.exp(found.leaf)) == pytest.approx(1, abs=1e-12)
        cheapest = fold(children, 1 + (1e6 - 100 * depth), semiring="min")
        assert (cheapest.total, np.flatnonzero(cheapest.leaf).tolist()) == (700001, [3000])
    assert count_prunings((left, absent)) == 3001


@pytest.mark.parametrize("size", [1.0, 1e6])
def test_chances_sum_to_one_on_every_path_of_a_deep_tree(size):
    tree = staircase(3000)
    phi = size * np.sin(np.arange(tree.n_nodes, dtype=float))
    found = fold(tree, phi, -0.25, semiring="logaddexp")
    mass = np.exp(found.leaf)
    for v in range(1, tree.n_nodes):
        mass[v] += mass[tree.parent[v]]
    np.testing.assert_allclose(mass[tree.children_left < 0], 1, rtol=1e-12)


def test_a_sum_of_two_to_the_last_digits():
    """ln(1 + e^-d), where the total has no larger term to hide in."""
    rng = np.random.default_rng(0)
    apart = np.concatenate([rng.uniform(0, 2, 300), rng.uniform(0, 745, 300), 10.0 ** rng.uniform(-18, 0, 300), [0.0]])
    left, right = np.array([1, -1, -1], np.int32), np.array([2, -1, -1], np.int32)
    grid = np.zeros((3, len(apart)))
    grid[1] = -apart
    total = fold((left, right), grid, semiring="logaddexp").total
    with localcontext() as context:
        context.prec = 50
        for d, found in zip(apart.tolist(), total.tolist(), strict=True):
            x = (-Decimal(d)).exp()
            exact = (1 + x).ln() if d < 40 else x - x * x / 2 + x * x * x / 3
            assert abs(Decimal(found) - exact) <= 3 * Decimal(math.ulp(float(exact)))


def test_many_prunings_are_counted_exactly():
    full = [-1] * 127
    left, right = np.array(full), np.array(full)
    left[:63], right[:63] = np.arange(1, 127, 2), np.arange(2, 128, 2)
    expected = 1
    for _ in range(6):
        expected = 1 + expected**2
    assert count_prunings((left, right)) == expected
    assert count_prunings(staircase(20_000)) == 20_001


@given(skeletons())
def test_the_number_of_prunings(children):
    assert count_prunings(as_arrays(children)) == prunings.number(children)


def test_a_single_leaf():
    alone = np.array([-1], np.int32)
    assert count_prunings((alone, alone)) == 1
    assert fold((alone, alone), [3.0], semiring="min").total == 3
    found = fold((alone, alone), [[3.0, -4.0]], semiring="logaddexp")
    assert found.total.tolist() == [3.0, -4.0]
    assert found.leaf.tolist() == found.node.tolist() == [[0.0, 0.0]]


TWO = (np.array([1, -1, -1]), np.array([2, -1, -1]))


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ((TWO, [1.0, 2.0]), ValueError, r"leaf must be \(3,\) or \(3, n_strengths\), got \(2,\)"),
        ((TWO, np.zeros((3, 0))), ValueError, r"got \(3, 0\)"),
        ((TWO, [1.0, np.nan, 0.0]), ValueError, "leaf: node 1 has the potential nan"),
        ((TWO, [1.0, 0.0, 0.0], [0.0, 0.0, np.inf]), ValueError, "inner: node 2 has the potential inf"),
        ((TWO, [1.0, 0.0, 0.0], np.zeros((3, 2))), ValueError, "inner has 2 strengths, leaf 1"),
        ((TWO, ["a", "b", "c"]), TypeError, "leaf must hold a number for each node"),
        (((np.array([3, -1, -1]), TWO[1]), [0.0] * 3), ValueError, "node 0: child index 3 is out of range"),
        (((np.array([2**40, -1, -1]), TWO[1]), [0.0] * 3), ValueError, "node 0: child index .* is out of range"),
        (((np.array([0, -1, -1]), TWO[1]), [0.0] * 3), ValueError, "child does not come after its parent"),
        (((TWO[0], np.array([1, -1, -1])), [0.0] * 3), ValueError, "node 1: has two parents"),
        (((np.array([-1, 2, -1]), TWO[0][[1, 1, 1]]), [0.0] * 3), ValueError, "node 1: has no parent"),
        (((TWO[0], TWO[1][:2]), [0.0] * 3), ValueError, "differ in length"),
        (((TWO[0] * 0.5, TWO[1]), [0.0] * 3), TypeError, "children_left must hold node indices"),
        (("tree", [0.0] * 3), TypeError, "expected a Tree or"),
    ],
)
@pytest.mark.parametrize("semiring", ["min", "logaddexp"])
def test_what_is_no_fold_is_refused(arguments, error, said, semiring):
    with pytest.raises(error, match=said):
        fold(*arguments, semiring=semiring)
    with pytest.raises(error, match=said):
        log_sums(*arguments)


@pytest.mark.parametrize(("semiring", "huge"), [("min", -1e308), ("logaddexp", 1e308)])
def test_sums_beyond_the_floats_are_refused(semiring, huge):
    with pytest.raises(ValueError, match="leave the range of floats"):
        fold(TWO, [0.0, huge, huge], semiring=semiring)


def test_only_these_semirings():
    with pytest.raises(ValueError, match="semiring must be 'min' or 'logaddexp', got 'max'"):
        fold(TWO, [0.0] * 3, semiring="max")
