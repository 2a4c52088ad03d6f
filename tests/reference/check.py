"""Whether a grown tree is the one its specification asks for, node by node, whatever split it chose among true ties.

``check_tree`` walks from the root with the rows of each node, follows the tree's own splits, and at every node works
out again from the rows: the numbers it records, whether it had to be a leaf, all splits it could make, and whether its
own is the canonical winner. Ties among level sets of one column are not canonical: any of the best sets will do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np
from reference.candidates import (
    Limits,
    Node,
    Problem,
    Split,
    admitted,
    candidates,
    children,
    column_candidates,
    heuristic,
    levels_have_an_order,
    problem,
    root,
    scene,
)
from reference.grow import SLACK, answer, at_least_average, majority, must_be_leaf, weighted_gain, winner, worthwhile
from reference.impurity import CLASSIFICATION, EMPTY, REGRESSION, Number, exact, group_of, impurity

NEAR = 1e-9  # relative: closer than this and a float criterion may go either way


def check_tree(tree: Any, data: Any, criterion: str) -> None:
    """Assert that ``tree``, grown by ``criterion`` from a ``strategies.DataSet``, is right in every node."""
    task = problem_of(tree, data, criterion)
    visits = walk(tree, task)
    for visit in visits:
        check_numbers(tree, task, visit)
        if criterion in CLASSIFICATION:
            check_classes(tree, task, visit, class_places(tree, data))
        if visit.split is not None:
            check_split(tree, task, visit)
        elif task.limits.max_leaf_nodes is None:
            check_leaf(task, visit)
    if task.limits.max_leaf_nodes is not None:
        check_best_first(task, visits)
    check_routing(tree, data, visits)


def problem_of(tree: Any, data: Any, criterion: str) -> Problem:
    """The data set as the tree's schema codes it: class indices, level codes."""
    columns = []
    for cells, column in zip(data.columns, tree.schema.columns, strict=True):
        if column.categorical:
            cells = [-1 if math.isnan(cell) else column.levels.index(cell) for cell in cells]
        columns.append((cells, column.categorical))
    targets, n_classes = data.y, 0
    if criterion in CLASSIFICATION:
        present = class_places(tree, data)
        index = {tree.classes[place]: k for k, place in enumerate(present)}
        targets, n_classes = [index.get(label, -1) for label in data.y], len(present)
    return problem(
        columns, targets, data.weights, n_classes, criterion, Limits(**data.limits), tuple(data.monotone or ())
    )


def class_places(tree: Any, data: Any) -> np.ndarray:
    """Places in ``tree.classes`` of the classes that have weight: the others are absent from growth."""
    labels = data.y if data.weights is None else data.y[data.weights != 0]
    return np.flatnonzero(np.isin(tree.classes, labels))


@dataclass(frozen=True)
class Visit:
    """A node of the tree under test with its rows, and its split recomputed from them."""

    index: int
    node: Node
    split: Split | None
    children: tuple[int, int] | None = None


def walk(tree: Any, task: Problem) -> list[Visit]:
    """All nodes in pre-order, which must be the order of the arrays."""
    visits: list[Visit] = []
    waiting = [(0, root(task))]
    while waiting:
        index, node = waiting.pop()
        assert index == len(visits), f"node {index} out of pre-order"
        if tree.children_left[index] < 0:
            assert tree.feature[index] == -2 and tree.threshold[index] == -2.0, f"node {index}: leaf fields"
            visits.append(Visit(index, node, None))
            continue
        split = recorded_split(tree, task, node, index)
        below = int(tree.children_left[index]), int(tree.children_right[index])
        visits.append(Visit(index, node, split, below))
        left, right = children(task, node, split)
        waiting += [(below[1], right), (below[0], left)]
    assert len(visits) == tree.n_nodes
    return visits


def recorded_split(tree: Any, task: Problem, node: Node, index: int) -> Split:
    """The split the arrays describe, with its sides and gain worked out from the rows; it must be admissible."""
    seen = scene(task, node, int(tree.feature[index]))
    span = slice(tree.level_ptr[index], tree.level_ptr[index + 1])
    codes, sides = tree.level_code[span].tolist(), tree.level_left[span].tolist()
    if seen.column.categorical:
        assert codes == list(seen.by_value), f"node {index}: levels {codes} recorded, {list(seen.by_value)} present"
        assert sides[0] == 1, f"node {index}: the first level is not on the left"
        assert math.isnan(tree.threshold[index])
        described: dict[str, Any] = {"left_levels": frozenset(c for c, side in zip(codes, sides, strict=True) if side)}
    else:
        assert not codes, f"node {index}: levels of a numeric column"
        described = {"threshold": float(tree.threshold[index])}
    described["missing_left"] = bool(tree.missing_go_to_left[index]) if seen.missing.rows else None
    trial = Split(seen.index, EMPTY, EMPTY, 0, **described)
    left_rows = [row for row in node.rows if trial.sends_left(seen.column, row)]
    left = group_of(left_rows, task.targets, task.weights)
    right = group_of(set(node.rows) - set(left_rows), task.targets, task.weights)
    found = list(admitted(seen, described, left, right))
    assert found, f"node {index}: {described} of column {seen.index} is not admissible"
    assert bool(tree.missing_go_to_left[index]) == found[0].missing_goes_left, f"node {index}: side of missing values"
    return found[0]


def check_numbers(tree: Any, task: Problem, visit: Visit) -> None:
    index, node = visit.index, visit.node
    assert tree.n_node_samples[index] == node.group.rows, f"node {index}: rows"
    assert _close(tree.weighted_n_node_samples[index], node.group.weight), f"node {index}: weight"
    _check_impurity(tree, task, visit)
    if task.criterion in REGRESSION:
        value = answer(task, node)
        assert tree.label[index] == -1
        rounding = 1e-14 * max(abs(float(y)) for y in task.targets)  # a mean of 0 is a difference of larger numbers
        right = _close(tree.prediction[index], value) or abs(tree.prediction[index] - float(value)) <= rounding
        assert right, f"node {index}: predicts {tree.prediction[index]}, not {value}"


def _check_impurity(tree: Any, task: Problem, visit: Visit) -> None:
    """As recomputed, or as recomputed around the recorded value: far from zero a bound between two means is rounded."""
    index, node = visit.index, visit.node
    expected = [task.impurity_of(node.group, node.bounds)]
    if task.bounded and task.criterion in REGRESSION:
        expected.append(impurity(task.criterion, node.group, 0, exact(tree.prediction[index])))
    recorded = tree.impurity[index]
    assert any(_close(recorded, right) for right in expected), f"node {index}: impurity {recorded}, not {expected}"


def check_classes(tree: Any, task: Problem, visit: Visit, places: np.ndarray) -> None:
    """Label, weights and rows per class, clipped probability."""
    index, node = visit.index, visit.node
    expected = places[majority(task, node)]
    assert tree.label[index] == expected, f"node {index}: label {tree.label[index]}, not {expected}"
    weights = np.zeros(len(tree.classes))
    weights[places] = [float(node.group.by_target.get(k, 0)) for k in range(task.n_classes)]
    assert np.allclose(tree.counts[index], weights, rtol=1e-12, atol=0), f"node {index}: counts"
    rows = np.bincount(places[[int(task.targets[row]) for row in node.rows]], minlength=len(weights))
    assert np.array_equal(tree.row_counts[index], rows), f"node {index}: rows per class"
    if task.bounded:
        value, own = answer(task, node), node.group.share(1)
        silent = math.isnan(tree.prediction[index]) and value == own
        assert silent or _close(tree.prediction[index], value), f"node {index}: clipped probability"
    else:
        assert math.isnan(tree.prediction[index])


def _close(recorded: float, expected: Number) -> bool:
    """Relative 1e-9; a zero must be a zero."""
    return abs(Fraction(float(recorded)) - Fraction(expected)) <= Fraction(1, 10**9) * abs(Fraction(expected))


def check_leaf(task: Problem, visit: Visit) -> None:
    """A leaf must have had a reason."""
    if must_be_leaf(task, visit.node):
        return
    found = list(candidates(task, visit.node))
    best = winner(task, visit.node, found)
    near = _near(task, visit.node)
    if best is not None:
        assert not worthwhile(task, visit.node, best.gain, -near), f"node {visit.index} stays a leaf, but: {best}"


def check_split(tree: Any, task: Problem, visit: Visit) -> None:
    """A split must have been allowed, worth its gain, and the best there was."""
    index, node, split = visit.index, visit.node, visit.split
    assert split is not None
    assert not must_be_leaf(task, node), f"node {index} splits against a limit"
    near = _near(task, node)
    assert worthwhile(task, node, split.gain, near), f"node {index} splits for too small a gain: {split}"
    found = list(candidates(task, node))
    seen = scene(task, node, split.column)
    if heuristic(seen):
        check_heuristic(tree, task, index, split, found, list(column_candidates(seen)))
        return
    assert tree.heuristic[index] == 0, f"node {index} is marked heuristic"
    best = winner(task, node, found)
    assert best is not None
    if task.criterion == "gain_ratio":
        check_ratio(task, visit, found)
        return
    if split.gain >= best.gain - near and undecided(task, node, found):
        return
    assert canonical(split, best, task, node), f"node {index} made {split}, not {best}"


def undecided(task: Problem, node: Node, found: list[Split]) -> bool:
    """Whether some gain is so near the best one that rounding may or may not make it a tie."""
    slack, near = task.slack(task.impurity_of(node.group, node.bounds)), _near(task, node)
    best = max(other.gain for other in found)
    return any(slack < best - other.gain <= near for other in found)


def canonical(split: Split, best: Split, task: Problem, node: Node) -> bool:
    """Whether a split is the winner, or ties with it as another level set of the same column."""
    if task.columns[split.column].categorical:
        slack = task.slack(task.impurity_of(node.group, node.bounds))
        return split.column == best.column and abs(split.gain - best.gain) <= slack
    return _place(split) == _place(best)


def _place(split: Split) -> tuple:
    return split.column, split.threshold, split.missing_left


def check_heuristic(
    tree: Any, task: Problem, index: int, split: Split, others: list[Split], exhaustive: list[Split]
) -> None:
    """A heuristic level set must beat every exact column, cannot beat the exhaustive best, and must be marked."""
    slack = SLACK * float(tree.impurity[index])
    assert float(split.gain) >= max((float(other.gain) for other in others), default=0.0) - slack, f"node {index}"
    assert float(split.gain) <= max(float(other.gain) for other in exhaustive) + slack, f"node {index}: impossible gain"
    # A line of levels may be exact with the missing rows on one side and not on the other.
    sides = set(tree.level_left[tree.level_ptr[index] : tree.level_ptr[index + 1]])
    if not levels_have_an_order(task) and len(sides) == 2:
        assert tree.heuristic[index] == 1, f"node {index} is not marked heuristic"


def check_ratio(task: Problem, visit: Visit, found: list[Split]) -> None:
    """The best gain of its column, and the best ratio among columns of at least average gain, the lowest on ties."""
    node, split = visit.node, visit.split
    slack = task.slack(task.impurity_of(node.group, node.bounds))
    champions = {}
    for column, splits in groupby(found, key=lambda other: other.column):
        splits = list(splits)
        best = max(other.gain for other in splits)
        champions[column] = [other for other in splits if other.gain >= best - slack]
    own = champions[split.column]
    assert canonical(split, own[0], task, node), f"node {visit.index} made {split}, not {own[0]}"
    allowed = {other.column for other in at_least_average([tied[0] for tied in champions.values()], slack)}
    if not allowed:
        assert split.column == min(champions), f"node {visit.index}: no column gains, yet not the lowest"
        return
    assert split.column in allowed, f"node {visit.index}: gain of column {split.column} is below average"
    for column in allowed - {split.column}:
        rival = min(other.ratio for other in champions[column])
        tie = SLACK if column > split.column else -SLACK
        assert rival <= split.ratio * (1 + tie), f"node {visit.index}: column {column} has the ratio {rival}"


def check_best_first(task: Problem, visits: list[Visit]) -> None:
    """Replay growth: always the open leaf of the largest weighted gain, the earliest on ties, until the limit."""
    opened, n_leaves = [visits[0]], 1
    drops = [_drop(task, visit) for visit in visits]
    while n_leaves < task.limits.max_leaf_nodes:
        keyed = [(visit, drops[visit.index]) for visit in opened if drops[visit.index] is not None]
        if not keyed:
            break
        top = max(drop for _, drop in keyed)
        near = 0 if task.exact else NEAR * task.root_risk
        tied = [visit for visit, drop in keyed if drop >= top - near]
        chosen = next((visit for visit in tied if visit.split is not None), tied[0])
        assert chosen.split is not None, f"node {chosen.index} has the largest gain but stays a leaf"
        assert not task.exact or chosen is tied[0], f"node {tied[0].index} was opened before {chosen.index}"
        opened.remove(chosen)
        opened += [visits[child] for child in chosen.children]
        n_leaves += 1
    assert all(visit.split is None for visit in opened), "more leaves than max_leaf_nodes"


def _drop(task: Problem, visit: Visit) -> Number | None:
    """Weighted gain of the split a node makes, or would make if it were its turn."""
    if visit.split is not None:
        return weighted_gain(visit.node, visit.split)
    if must_be_leaf(task, visit.node):
        return None
    best = winner(task, visit.node, list(candidates(task, visit.node)))
    near = _near(task, visit.node)
    if best is None or not worthwhile(task, visit.node, best.gain, -near):
        return None
    return weighted_gain(visit.node, best)


def check_routing(tree: Any, data: Any, visits: list[Visit]) -> None:
    """``apply`` sends every growing row to the leaf that holds it."""
    weights = np.ones(len(data.y)) if data.weights is None else data.weights
    leaves = np.asarray(tree.apply(data.X))[weights != 0]
    for visit in visits:
        if visit.split is None:
            assert set(leaves[list(visit.node.rows)]) == {visit.index}, f"rows of leaf {visit.index} go elsewhere"


def _near(task: Problem, node: Node) -> float:
    return 0.0 if task.exact else NEAR * float(task.impurity_of(node.group, node.bounds))
