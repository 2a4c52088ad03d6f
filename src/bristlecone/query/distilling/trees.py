"""What was grown, as a Tree over the columns that were asked about.

A leaf answers what it was answered most often. Its rows are the points that were asked about there, its weight is its
share of the space; an inner node has the sums of its leaves.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.query.assembly import assembled, renumbered
from bristlecone.query.distilling.growth import Grown, Node
from bristlecone.query.distributions import Coordinate, ProductDistribution
from bristlecone.tree import Tree

__all__ = ["tree_of"]


def tree_of(grown: Grown, dist: ProductDistribution, classes: npt.NDArray[Any], rank: npt.NDArray[np.int64]) -> Tree:
    """The tree of what was grown. rank: the place of each kind of answer among the classes."""
    order, left, right = renumbered(*zip(*(node.children for node in grown.nodes), strict=True))
    nodes = [grown.nodes[old] for old in order.tolist()]
    counts = np.zeros((len(nodes), len(classes)), dtype=np.int64)
    for row, node in zip(counts, nodes, strict=True):
        row[rank[: len(node.counts)]] = node.counts
    asked = counts.sum(axis=1, keepdims=True)
    mass = np.array([[node.mass] for node in nodes])
    weights = np.divide(mass * counts, asked, out=np.zeros(counts.shape), where=asked > 0)
    heavier_left = mass[left, 0] >= mass[right, 0]
    splits = _splits(nodes, dist, heavier_left)
    return assembled(dist.schema, classes, (left, right), splits, weights, counts)


def _splits(nodes: list[Node], dist: ProductDistribution, heavier_left: npt.NDArray[np.bool_]) -> dict[str, Any]:
    feature, threshold = np.full(len(nodes), -2), np.full(len(nodes), -2.0)
    missing, heuristic = np.zeros(len(nodes), dtype=np.uint8), np.zeros(len(nodes), dtype=np.uint8)
    codes: list[list[int]] = [[] for _ in nodes]
    sides: list[list[int]] = [[] for _ in nodes]
    for v, node in enumerate(nodes):
        if node.split is None:
            continue
        split, coordinate = node.split, dist.coordinates[node.split.column]
        feature[v], threshold[v], heuristic[v] = split.column, split.threshold, split.heuristic
        gone = coordinate.column.is_missing(coordinate.values)
        missing[v] = split.left[gone][0] if gone.any() else heavier_left[v] and split.threshold != np.inf
        if coordinate.column.categorical:
            codes[v], sides[v] = _levels(node, coordinate)
    return {
        "feature": feature,
        "threshold": threshold,
        "missing_go_to_left": missing,
        "heuristic": heuristic,
        "level_ptr": np.concatenate([[0], np.cumsum([len(held) for held in codes])]),
        "level_code": np.array([*chain.from_iterable(codes)], dtype=np.int32),
        "level_left": np.array([*chain.from_iterable(sides)], dtype=np.uint8),
    }


def _levels(node: Node, coordinate: Coordinate) -> tuple[list[int], list[int]]:
    """The levels that are possible at a node, ascending, and which of them go left."""
    assert node.split is not None
    known = coordinate.values >= 0
    mask = node.region.possible.get(node.split.column)
    here = np.flatnonzero(known if mask is None else known & mask)
    return coordinate.values[here].tolist(), node.split.left[here].astype(int).tolist()
