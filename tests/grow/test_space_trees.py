"""Space trees: the published examples, and what must hold on any data. SPEC A1."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import numeric_columns

import bristlecone as bc
from bristlecone import grow
from bristlecone.tree import Tree

E2 = np.array([(0.1, 0.1), (0.2, 0.3), (0.3, 0.2), (0.4, 0.45), (0.5, 0.25), (0.6, 0.1), (0.9, 0.4), (0.7, 0.8)])
E2_LABELS = [0, 1, 0, 2, 1, 1, 2, 2]
UNIT = [[0.0, 1.0], [0.0, 1.0]]


def spread(X, y, **options):
    return grow.kd(X, y, axis="spread", **options)


GROWERS = {"dyadic": grow.dyadic, "kd": grow.kd, "spread": spread}


@pytest.fixture(params=GROWERS)
def grower(request):
    return GROWERS[request.param]


@pytest.fixture
def example() -> Tree:
    """E2 of SPEC AV-A11, whose cell is the unit square."""
    return grow.dyadic(E2, E2_LABELS, ranges=UNIT)


def rows(seed: int, n: int = 400):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 4))
    X[:, 1] = rng.integers(0, 5, n)
    X[:, 2] = np.round(X[:, 2], 1)
    return X, rng.integers(0, 3, n)


def test_av_a11_the_tree(example):
    assert example.n_nodes == 15
    assert example.max_depth == 4
    assert np.flatnonzero(example.n_node_samples == 0).tolist() == [9]
    assert example.children_left[7] == -1
    assert example.row_counts[7].tolist() == [1, 1, 0]
    assert example.depth[7] == 4
    assert example.feature[0] == 0
    assert example.threshold[0] == math.nextafter(0.5, 1)
    on_the_middle = example.decision_path([[0.5, 0.25]]).indices
    assert on_the_middle[1] == example.children_left[0]
    assert example.row_counts[0].tolist() == [2, 3, 3]


def log_weights(tree: Tree, phi):
    """ln beta of each node, as SPEC A2 has it."""
    beta = phi.astype(float)
    for v in reversed(range(tree.n_nodes)):
        if tree.children_left[v] >= 0:
            beta[v] = np.logaddexp(phi[v], beta[tree.children_left[v]] + beta[tree.children_right[v]])
    return beta


def potentials(tree: Tree, lambda1: float, lambda2: float):
    n = tree.n_node_samples
    errors = n - tree.row_counts[np.arange(tree.n_nodes), tree.label]
    return np.where(n > 0, -lambda1 * errors - lambda2 * np.sqrt(n) - 1.0, 0.0)


def test_av_a11_its_weights(example):
    phi = potentials(example, 2.0, 0.25)
    beta = log_weights(example, phi)
    assert beta[0] == pytest.approx(-8.58061833492598, rel=1e-10)
    assert log_weights(example, potentials(example, 0.0, 0.0))[0] == pytest.approx(-0.0890614766262063, rel=1e-10)
    reach = np.zeros(example.n_nodes)
    for v in np.flatnonzero(example.children_left >= 0):
        below = beta[example.children_left[v]] + beta[example.children_right[v]]
        reach[[example.children_left[v], example.children_right[v]]] = reach[v] + below - beta[v]
    weight = np.exp(reach + phi - beta)
    votes = {(0.45, 0.45): [0.545025586528829, 0.0438715845052452, 0.411102828965925]}
    votes[0.2, 0.55] = [0.182833770348536, 0.0438715845052452, 0.0]
    for query, expected in votes.items():
        path = example.decision_path([query]).indices
        filled = path[example.n_node_samples[path] > 0]
        np.testing.assert_allclose(np.bincount(example.label[filled], weight[filled], 3), expected, rtol=1e-10)


@pytest.mark.parametrize(
    ("values", "threshold"),
    [
        ([1, 2, 3, 4], 2.5),
        ([1, 2, 3, 4, 5], 2.5),
        ([1, 1, 1, 2], 1.5),
        ([2, 2, 2], None),
        ([1, 2, 2, 2, 3], 1.5),
        ([5, 1, 1, 1, 1], 3.0),
    ],
)
@pytest.mark.parametrize("axis", ["cycle", "spread"])
def test_av_a12_the_median_cut(values, threshold, axis):
    tree = grow.kd(np.array(values, dtype=float)[:, None], np.arange(len(values)), axis=axis, max_depth=1)
    assert tree.n_nodes == (1 if threshold is None else 3)
    assert threshold is None or tree.threshold[0] == threshold


@st.composite
def samples(draw):
    n = draw(st.integers(1, 30))
    X = np.column_stack([draw(numeric_columns(n, missing=False)) for _ in range(draw(st.integers(1, 3)))])
    return X, np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))


@settings(max_examples=200, deadline=None)
@given(samples(), st.sampled_from(list(GROWERS)), st.booleans(), st.none() | st.integers(0, 300))
def test_every_row_ends_in_the_leaf_that_counts_it(sample, name, stop_pure, max_depth):
    X, y = sample
    tree = GROWERS[name](X, y, stop_pure=stop_pure, max_depth=max_depth)
    nodes = tree.apply(X)
    assert (tree.children_left[nodes] == -1).all()
    codes = np.searchsorted(tree.classes, y)
    counted = np.zeros((tree.n_nodes, tree.n_classes), dtype=int)
    np.add.at(counted, (nodes, codes), 1)
    leaves = tree.children_left < 0
    np.testing.assert_array_equal(counted[leaves], tree.row_counts[leaves])


@pytest.mark.parametrize("scale", [5e-324, 1e-320, 1e-300, 1.0, 1e15, 1e300, 1.7e308 / 6])
def test_routing_is_the_comparison_that_grew_the_cells(grower, scale):
    rng = np.random.default_rng(3)
    X = rng.integers(-6, 7, (60, 2)) * scale
    y = rng.integers(0, 3, 60)
    tree = grower(X, y, max_depth=40)
    leaves = np.flatnonzero(tree.children_left < 0)
    nodes = tree.apply(X)
    np.testing.assert_array_equal(np.bincount(nodes, minlength=tree.n_nodes)[leaves], tree.n_node_samples[leaves])
    for leaf in leaves[tree.impurity[leaves] > 0]:  # what is not parted is equal, whatever its size
        assert len(np.unique(X[nodes == leaf], axis=0)) == 1


def test_a_number_on_the_middle_goes_left_and_the_next_one_right():
    X = np.array([[0.0], [3.0], [3.0], [math.nextafter(3.0, 4.0)], [6.0]])
    tree = grow.dyadic(X, [0, 1, 1, 0, 0], max_depth=1)
    assert tree.threshold[0] == math.nextafter(3.0, 4.0)
    assert tree.n_node_samples.tolist() == [5, 3, 2]


def test_row_order_does_not_matter(grower):
    X, y = rows(1)
    order = np.random.default_rng(0).permutation(len(X))
    whole = np.random.default_rng(2).integers(0, 4, len(X)).astype(float)
    assert grower(X[order], y[order]).equals(grower(X, y))
    weighted = grower(X, y, sample_weight=whole)
    assert grower(X[order], y[order], sample_weight=whole[order]).equals(weighted)
    shares = whole * 0.1 + 0.05
    one, other = grower(X, y, sample_weight=shares), grower(X[order], y[order], sample_weight=shares[order])
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_array_equal(one.label, other.label)


def test_whole_weights_are_repeated_rows(grower):
    X, y = rows(2)
    weights = np.random.default_rng(5).integers(0, 4, len(X))
    weighted = grower(X, y, sample_weight=weights)
    repeated = grower(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    for name in ("children_left", "feature", "threshold", "label", "weighted_n_node_samples", "impurity", "counts"):
        np.testing.assert_array_equal(getattr(weighted, name), getattr(repeated, name))


def test_one_weight_for_all_is_no_weight(grower):
    X, y = rows(3)
    plain, weighted = grower(X, y), grower(X, y, sample_weight=np.full(len(X), 0.1))
    for name in ("children_left", "feature", "threshold", "label", "n_node_samples"):
        np.testing.assert_array_equal(getattr(plain, name), getattr(weighted, name))


@pytest.mark.parametrize("factor", [1e-300, 5e-324, 1e300])
def test_weights_of_any_size(grower, factor):
    X, y = rows(3)
    plain, weighted = grower(X, y), grower(X, y, sample_weight=np.full(len(X), factor))
    np.testing.assert_array_equal(plain.threshold, weighted.threshold)
    np.testing.assert_allclose(plain.value, weighted.value, rtol=1e-9)


def test_rows_of_weight_zero_are_absent(grower):
    X, y = rows(4)
    kept = np.arange(len(X)) % 3 > 0
    X[~kept] *= 100
    X[0] = np.nan
    masked = grower(X, y, sample_weight=kept.astype(float))
    assert masked.equals(grower(X[kept], y[kept]))
    none_of_two = grower(X, y, sample_weight=(kept & (y != 2)).astype(float))
    assert none_of_two.classes.tolist() == [0, 1, 2]
    assert not none_of_two.counts[:, 2].any()


def test_threads_grow_the_same_tree(grower):
    rng = np.random.default_rng(8)
    X = rng.standard_normal((70_000, 5))
    X[:, 3:] = rng.integers(0, [4, 300], (70_000, 2))
    y = (X[:, 0] * X[:, 1] + rng.random(70_000) > 0.5).astype(int) + (X[:, 3] == 2)
    one = grower(X, y)
    assert one.n_leaves > 1000
    for n_jobs in (2, 4):
        assert grower(X, y, n_jobs=n_jobs).equals(one)
    weights = rng.random(70_000)
    assert grower(X, y, sample_weight=weights, n_jobs=3).equals(grower(X, y, sample_weight=weights))


def test_a_strictly_increasing_change_of_a_column_moves_no_row_of_a_kd_tree():
    X, y = rows(5)
    bent = np.column_stack([np.exp(X[:, 0]), X[:, 1] ** 3, X[:, 2] * 3 + 1, np.arctan(X[:, 3])])
    np.testing.assert_array_equal(grow.kd(X, y).apply(X), grow.kd(bent, y).apply(bent))


def test_the_spread_axis_is_measured_in_standard_deviations():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.standard_normal(200) * 1000, rng.uniform(0, 1, 200)])
    X[0, 1] = 40.0  # far from the others
    y = rng.integers(0, 2, 200)
    assert spread(X, y).feature[0] == 1
    assert spread(X * [1e-305, 1e305], y).feature.tolist() == spread(X, y).feature.tolist()


def test_depth_is_capped_at_the_turns_of_all_columns():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.standard_cauchy((200, 2)), np.full(200, 7.0)])
    y = rng.integers(0, 2, 200)
    assert grow.dyadic(X, y).max_depth == 2 * math.floor(math.log(200))
    assert 2 not in grow.dyadic(X, y).feature
    assert grow.dyadic(X, y, max_depth=3).max_depth == 3
    assert grow.dyadic(X, y, sample_weight=np.full(200, 20)).max_depth == 2 * math.floor(math.log(4000))
    assert grow.kd(X[:, :1], y).max_depth == math.floor(math.log(200))


@pytest.mark.parametrize(
    "values", [[0.0, 0.3, 0.3, 1.0], [0.0, 5e-324, 5e-324, 1.7e308], [-1.7e308, 1.0, 1.0, 1.7e308]]
)
def test_a_point_with_two_labels_ends_its_chain(values):
    X = np.array(values)[:, None]
    tree = grow.dyadic(X, [0, 0, 1, 1], max_depth=10**9)
    assert tree.max_depth < 2200
    assert sorted(tree.counts[tree.apply([[values[1]]])[0]].tolist()) == [1, 1]
    assert grow.kd(X, [0, 0, 1, 1], max_depth=10**9).n_leaves == 3


def test_neighbouring_numbers_are_parted():
    X = np.array([1.0, math.nextafter(1.0, 2.0), math.nextafter(math.nextafter(1.0, 2.0), 2.0)])[:, None]
    for tree in (grow.dyadic(X, [0, 1, 0], max_depth=9), grow.kd(X, [0, 1, 0], max_depth=9)):
        assert len(set(tree.apply(X).tolist())) == 3


def test_ranges_are_the_root_cell_and_rows_may_lie_beyond():
    X = np.array([[-5.0], [0.1], [0.6], [0.9], [80.0]])
    tree = grow.dyadic(X, [0, 1, 0, 1, 0], ranges=[[0, 1]], max_depth=2, stop_pure=False)
    assert tree.threshold[tree.children_left >= 0].tolist() == [math.nextafter(t, 1) for t in (0.5, 0.25, 0.75)]
    at = tree.apply([[-1e308], [0.0], [0.2], [0.76], [1.0], [1e308]])
    assert at[0] == at[1] == at[2]
    assert at[3] == at[4] == at[5]
    assert tree.n_node_samples[at[0]] == 2
    assert tree.n_node_samples[at[3]] == 2


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 10), st.integers(2, 40))
def test_with_ranges_and_depth_rows_decide_no_cut(seed, max_depth, n):
    rng = np.random.default_rng(seed)
    options = {"ranges": [[-1, 1], [0, 3], [2, 2]], "max_depth": max_depth, "stop_pure": False}
    trees = [grow.dyadic(rng.normal(1, 2, (n, 3)), rng.integers(0, 2, n), **options) for _ in range(2)]
    probes = rng.normal(1, 2, (50, 3))
    paths = [[tree.decision_path(probes[[i]]).indices for i in range(50)] for tree in trees]
    for one, other in zip(*paths, strict=True):
        asked = [
            [(t.feature[v], t.threshold[v]) for v in path[:-1]] for t, path in zip(trees, (one, other), strict=True)
        ]
        shared = min(map(len, asked))
        assert asked[0][:shared] == asked[1][:shared]
        for tree, path in zip(trees, (one, other), strict=True):
            assert len(path) - 1 == max_depth or tree.n_node_samples[path[-1]] == 0


def test_a_cell_of_one_class_is_left_alone_unless_asked():
    X, _ = rows(6)
    assert grow.dyadic(X, np.zeros(len(X))).n_nodes == 1
    assert grow.kd(X, np.zeros(len(X))).n_nodes == 1
    assert grow.dyadic(X, np.zeros(len(X)), stop_pure=False).n_nodes > len(X)
    assert grow.kd(X, np.zeros(len(X)), stop_pure=False).n_leaves > len(X) // 2


def test_labels_keep_their_kind(grower):
    X, y = rows(7)
    named = np.array(["low", "middle", "high"])[y]
    tree = grower(X, named)
    assert tree.classes.tolist() == ["high", "low", "middle"]
    assert set(tree.predict(X).tolist()) <= {"high", "low", "middle"}


def test_float32_and_other_layouts_hold_the_same_numbers(grower):
    X, y = rows(8)
    single = X.astype(np.float32)
    assert grower(single, y).equals(grower(single.astype(np.float64), y))
    assert grower(np.asfortranarray(X), y).equals(grower(X, y))
    assert grower(np.repeat(X, 2, axis=1)[:, ::2], y).equals(grower(X, y))


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits"])
def test_real_data(name, grower, tmp_path):
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    tree = grower(X, y)
    assert (tree.predict(X) == y).mean() > 0.97
    assert tree.max_depth <= X.shape[1] * math.floor(math.log(len(X)))
    bc.save(tree, tmp_path / "tree.json")
    assert bc.load(tmp_path / "tree.json").equals(tree)


GROW = """
    import os, signal, threading
    import numpy as np
    import bristlecone as bc

    rng = np.random.default_rng(1)
    X = rng.normal(size=(400_000, 30))
    y = rng.integers(2, size=len(X))
    bc.grow.kd(X[:50], y[:50])  # all that is imported late is there now
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        for _ in range(20):
            bc.grow.{call}
        print("ended by itself")
    except KeyboardInterrupt:
        print("stopped")
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent as POSIX has them")
@pytest.mark.parametrize("call", ["dyadic(X, y)", "kd(X, y, n_jobs=2)"])
def test_ctrl_c_stops_growth(call):
    script = textwrap.dedent(GROW).format(call=call)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "stopped\n"
    assert done.stderr == ""
