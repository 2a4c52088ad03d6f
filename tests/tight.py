"""Random trees that ask nothing in vain: some cell takes each side of each question, and each level named can come."""

import math
from dataclasses import replace

import numpy as np
from probes import CLASSES, FLOATS
from reference.rebuild import OTHERS, Hull
from strategies_tree import Leaf, Split, build

from bristlecone.table.schema import Kind


def tight_tree(seed, schema, splits=12):
    """A tree with up to so many splits of all kinds and unseen="stop", a pure function of the seed."""
    rng = np.random.default_rng([seed, 11])
    regression = rng.random() < 0.3
    k = int(rng.integers(2, len(CLASSES) + 1))
    root = Split(0, 0.0, None, None)
    open_ends = [(root, "left", [_all_of(column) for column in schema.columns])]
    for _ in range(int(rng.integers(0, splits + 1))):
        above, side, box = open_ends.pop(int(rng.integers(len(open_ends))))
        found = None
        while found is None:
            j = int(rng.integers(len(schema)))
            found = _question(rng, schema.columns[j], box[j])
        threshold, sides, missing_left, halves = found
        split = Split(j, threshold, None, None, missing_left, sides)
        setattr(above, side, split)
        for name, half in zip(("left", "right"), halves, strict=True):
            open_ends.append((split, name, [*box[:j], half, *box[j + 1 :]]))
    for above, side, _ in open_ends:
        rows = rng.integers(0, 4, k)
        leaf = Leaf(tuple(rows.tolist()) if rows.any() else (1,) * k)
        setattr(above, side, Leaf(value=float(rng.normal()), n=int(rng.integers(1, 9))) if regression else leaf)
    return build(root.left, schema=schema, classes=None if regression else CLASSES[:k], unseen="stop")


def _all_of(column):
    if column.categorical:
        return Hull(levels=frozenset([*column.levels, OTHERS]), missing=True)
    return Hull(-math.inf, math.inf, missing=True)


def _question(rng, column, cells):
    """A threshold, the sides of levels, the side of missing cells, and what goes to either side; None for no luck."""
    if not cells.some:
        return None
    if cells.missing and rng.random() < 0.1 and cells.levels is None:
        return math.inf, (), False, (replace(cells, missing=False), Hull(missing=True))
    missing_left = bool(cells.missing and rng.random() < 0.5)
    if cells.levels is not None:
        return _levels(rng, column, cells, missing_left)
    scale = {Kind.NUMERIC: 100.0, Kind.DATE: 1e4, Kind.DATETIME: 1e14}.get(column.kind, 0.0)
    threshold = float(rng.normal() * scale)
    if column.kind is Kind.NUMERIC and rng.random() < 0.5:
        threshold = float(rng.choice(FLOATS))
    elif column.kind is not Kind.NUMERIC:
        threshold = math.ceil(threshold) + 0.0 if scale else 0.5
    if not cells.low < threshold < cells.high:
        return None
    missing = cells.missing and missing_left, cells.missing and not missing_left
    return (
        threshold,
        (),
        missing_left,
        (
            replace(cells, high=threshold, missing=missing[0]),
            replace(cells, low=threshold, missing=missing[1]),
        ),
    )


def _levels(rng, column, cells, missing_left):
    possible = [code for code, level in enumerate(column.levels) if level in cells.levels]
    if not possible:
        return None
    known = rng.permutation(possible)[: int(rng.integers(1, len(possible) + 1))].tolist()
    sides = tuple(sorted((int(code), bool(rng.random() < 0.5)) for code in known))
    halves = [
        Hull(
            levels=frozenset(column.levels[code] for code, goes_left in sides if goes_left == left),
            missing=cells.missing and missing_left == left,
        )
        for left in (True, False)
    ]
    if not all(half.some or half.missing for half in halves) or all(side == missing_left for _, side in sides):
        return None
    return math.nan, sides, missing_left, halves
