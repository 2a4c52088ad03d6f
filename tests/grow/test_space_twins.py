"""Dyadic and k-d trees against their slow twins, node by node, on small data full of ties and odd magnitudes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.space import Sample, SpaceNode, dyadic_twin, kd_twin
from strategies import numeric_columns

from bristlecone import grow
from bristlecone.tree import Tree

SETTINGS = settings(max_examples=300, deadline=None)


def assert_the_same(tree: Tree, root: SpaceNode, sample: Sample) -> None:
    nodes = root.preorder()
    place = {id(node): i for i, node in enumerate(nodes)}
    assert tree.n_nodes == len(nodes)
    assert tree.children_left.tolist() == [place.get(id(node.left), -1) for node in nodes]
    assert tree.children_right.tolist() == [place.get(id(node.right), -1) for node in nodes]
    assert tree.feature.tolist() == [node.column for node in nodes]
    assert tree.threshold.tolist() == [node.threshold for node in nodes]
    assert tree.n_node_samples.tolist() == [len(node.rows) for node in nodes]
    codes = np.searchsorted(tree.classes, sample.y)
    assert tree.label.tolist() == [int(np.searchsorted(tree.classes, node.label)) for node in nodes]
    for v, node in enumerate(nodes):
        np.testing.assert_array_equal(tree.row_counts[v], np.bincount(codes[node.rows], minlength=tree.n_classes))
        weight = sum((sample.weight[row] for row in node.rows), Fraction(0))
        assert tree.weighted_n_node_samples[v] == float(weight)
        shares = [w / weight for w in sample.by_class(node.rows).values()]
        assert tree.impurity[v] == pytest.approx(float(sum(p * (1 - p) for p in shares)), rel=1e-12)


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    n_rows = draw(st.integers(1, 20))
    columns = [draw(numeric_columns(n_rows, missing=False)) for _ in range(draw(st.integers(1, 3)))]
    y = draw(st.lists(st.integers(0, draw(st.integers(0, 3))), min_size=n_rows, max_size=n_rows))
    weights = draw(
        st.none()
        | st.lists(st.integers(0, 4), min_size=n_rows, max_size=n_rows).filter(any)
        | st.lists(st.sampled_from([0.0, 0.125, 0.5, 1.0, 1.75]), min_size=n_rows, max_size=n_rows).filter(any)
    )
    return Sample(np.column_stack(columns), np.array(y), None if weights is None else np.array(weights, dtype=float))


DEPTHS = st.none() | st.integers(0, 12)


@SETTINGS
@given(samples(), DEPTHS, st.booleans())
def test_dyadic_trees(sample: Sample, max_depth: int | None, stop_pure: bool) -> None:
    tree = grow.dyadic(sample.X, sample.y, sample_weight=sample.weights, max_depth=max_depth, stop_pure=stop_pure)
    assert_the_same(tree, dyadic_twin(sample, max_depth, stop_pure=stop_pure), sample)


EDGES = st.sampled_from([-1.7e308, -20.0, -1.0, -0.0, 0.0, 5e-324, 1e-323, 0.125, 1.0, 2.0, 3.0, 1.7e308])


@SETTINGS
@given(st.data(), samples(), DEPTHS, st.booleans())
def test_dyadic_trees_with_ranges(data: st.DataObject, sample: Sample, max_depth: int | None, stop_pure: bool) -> None:
    ranges = [sorted(data.draw(st.tuples(EDGES, EDGES))) for _ in range(sample.n_columns)]
    tree = grow.dyadic(
        sample.X,
        sample.y,
        sample_weight=sample.weights,
        max_depth=max_depth,
        ranges=ranges,
        stop_pure=stop_pure,
    )
    assert_the_same(tree, dyadic_twin(sample, max_depth, ranges, stop_pure), sample)


@SETTINGS
@given(samples(), st.sampled_from(["cycle", "spread"]), DEPTHS, st.booleans())
def test_kd_trees(sample: Sample, axis: str, max_depth: int | None, stop_pure: bool) -> None:
    tree = grow.kd(
        sample.X, sample.y, axis=axis, sample_weight=sample.weights, max_depth=max_depth, stop_pure=stop_pure
    )
    assert_the_same(tree, kd_twin(sample, axis, max_depth, stop_pure), sample)
    assert (tree.n_node_samples > 0).all()


@pytest.mark.parametrize("seed", range(2))
def test_larger_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = 200, 5
    X = rng.standard_normal((n, d))
    X[:, 1] = np.round(X[:, 1], 1)
    X[:, 2] = rng.integers(0, 3, n)
    X[:, 3] = 2.5
    sample = Sample(X, rng.integers(0, 4, n), rng.integers(0, 3, n).astype(float) if seed % 2 else None)
    given = {"sample_weight": sample.weights}
    assert_the_same(grow.dyadic(X, sample.y, **given), dyadic_twin(sample), sample)
    for axis in ("cycle", "spread"):
        assert_the_same(grow.kd(X, sample.y, axis=axis, **given), kd_twin(sample, axis), sample)
