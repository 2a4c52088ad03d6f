"""The slow, obvious grower: the specification of ``cpp/grow``.

``decide`` says what becomes of a node: a leaf, or its canonical split. ``grow_twin`` applies it to a whole problem,
depth-first, or best-first when ``max_leaf_nodes`` is given: always the open leaf with the largest weighted gain, the
earliest created on ties.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from reference.candidates import SLACK, Node, Problem, Split, candidates, children, root, scene
from reference.impurity import Exact, Number, value_of


@dataclass
class Grown:
    """A node of a grown tree with its children, if any."""

    node: Node
    impurity: Number
    split: Split | None = None
    left: Grown | None = None
    right: Grown | None = None

    def preorder(self) -> list[Grown]:
        found, waiting = [], [self]
        while waiting:
            found.append(grown := waiting.pop())
            if grown.split is not None:
                waiting += [grown.right, grown.left]
        return found


def grow_twin(problem: Problem) -> Grown:
    """Grow the whole tree."""
    top = _plant(problem, root(problem))
    limit = problem.limits.max_leaf_nodes
    opened = [(top, decide(problem, top.node))]
    n_leaves = 1
    while any(split for _, split in opened) and (limit is None or n_leaves < limit):
        grown, split = opened.pop(_next_leaf(problem, opened))
        grown.split = split
        grown.left, grown.right = (_plant(problem, child) for child in children(problem, grown.node, split))
        opened += [(child, decide(problem, child.node)) for child in (grown.left, grown.right)]
        n_leaves += 1
    return top


def _plant(problem: Problem, node: Node) -> Grown:
    return Grown(node, problem.impurity_of(node.group, node.bounds))


def _next_leaf(problem: Problem, opened: list[tuple[Grown, Split | None]]) -> int:
    """The open leaf of the largest weighted gain; leaves stand in order of creation, so the first is the earliest."""
    drops = [weighted_gain(grown.node, split) if split else -1 for grown, split in opened]
    slack = 0 if problem.exact else SLACK * problem.root_risk
    return next(place for place, drop in enumerate(drops) if drop >= max(drops) - slack)


def weighted_gain(node: Node, split: Split) -> Number:
    return (
        split.gain * node.group.weight
        if isinstance(split.gain, int | Fraction)
        else split.gain * float(node.group.weight)
    )


def decide(problem: Problem, node: Node) -> Split | None:
    """The split the node makes, or None where it stays a leaf."""
    if must_be_leaf(problem, node):
        return None
    split = winner(problem, node, list(candidates(problem, node)))
    return split if split is not None and worthwhile(problem, node, split.gain) else None


def must_be_leaf(problem: Problem, node: Node) -> bool:
    """Whether the node may not even look for a split."""
    limits, group = problem.limits, node.group
    return (
        group.pure
        or node.depth == limits.max_depth
        or group.rows < max(limits.min_samples_split, 2 * limits.min_samples_leaf)
        or group.weight < limits.min_weight_split
        or group.weight < 2 * problem.min_weight_leaf
    )


def worthwhile(problem: Problem, node: Node, gain: Number, leniency: float = 0.0) -> bool:
    """Whether a best gain of this size justifies the split; ``leniency`` is added to the gain."""
    limits = problem.limits
    if limits.zero_gain == "split" and limits.min_impurity_decrease == 0:
        return True
    gain = gain + leniency if leniency else gain
    slack = problem.slack(problem.impurity_of(node.group, node.bounds))
    if limits.zero_gain == "stop" and gain <= slack:
        return False
    share = Fraction(node.group.weight) / problem.total_weight
    drop = gain * share if isinstance(gain, int | Fraction) else gain * float(share)
    return drop >= limits.min_impurity_decrease * (1 - SLACK) - slack


def winner(problem: Problem, node: Node, found: list[Split]) -> Split | None:
    """The canonical best split: largest gain (or ratio), the first in order among ties."""
    if not found:
        return None
    slack = problem.slack(problem.impurity_of(node.group, node.bounds))
    if problem.criterion != "gain_ratio":
        return first_best(found, slack)
    champions = [first_best(list(group), slack) for _, group in groupby(found, key=lambda split: split.column)]
    eligible = at_least_average(champions, slack)
    if not eligible:
        return champions[0]
    best_ratio = max(split.ratio for split in eligible)
    return next(split for split in eligible if split.ratio >= best_ratio * (1 - SLACK))


def first_best(found: list[Split], slack: float) -> Split:
    best = max(split.gain for split in found)
    return next(split for split in found if split.gain >= best - slack)


def at_least_average(champions: list[Split], slack: float) -> list[Split]:
    """C4.5's rule: only columns whose best gain reaches the mean of the positive best gains."""
    positive = [split.gain for split in champions if split.gain > slack]
    if not positive:
        return []
    return [split for split in champions if split.gain >= sum(positive) / len(positive) - slack]


def answer(problem: Problem, node: Node) -> Exact:
    """The value of a node: mean, lower median or (two classes) probability of class 1, within its bounds."""
    return node.bounds.clip(value_of(problem.criterion, node.group))


def majority(problem: Problem, node: Node) -> int:
    """The class a node predicts: the heaviest, the lowest on ties; of a clipped probability, class 1 above one half."""
    if problem.bounded:
        return int(answer(problem, node) > Fraction(1, 2))
    return max(node.group.by_target, key=lambda k: (node.group.by_target[k], -k))


def arrays_of(problem: Problem, top: Grown) -> dict[str, list]:
    """The grown tree as the arrays of ``bristlecone.tree.Tree``."""
    nodes = top.preorder()
    place = {id(grown): index for index, grown in enumerate(nodes)}
    held: dict[str, list] = {
        "children_left": [place[id(grown.left)] if grown.split else -1 for grown in nodes],
        "children_right": [place[id(grown.right)] if grown.split else -1 for grown in nodes],
        "feature": [grown.split.column if grown.split else -2 for grown in nodes],
        "threshold": [grown.split.threshold if grown.split else -2.0 for grown in nodes],
        "missing_go_to_left": [int(grown.split is not None and grown.split.missing_goes_left) for grown in nodes],
        "n_node_samples": [grown.node.group.rows for grown in nodes],
        "weighted_n_node_samples": [float(grown.node.group.weight) for grown in nodes],
        "impurity": [float(grown.impurity) for grown in nodes],
    }
    return held | _level_arrays(problem, nodes) | _answer_arrays(problem, nodes)


def _level_arrays(problem: Problem, nodes: list[Grown]) -> dict[str, list]:
    ptr, codes, sides = [0], [], []
    for grown in nodes:
        if grown.split is not None and grown.split.left_levels is not None:
            present = list(scene(problem, grown.node, grown.split.column).by_value)
            codes += map(int, present)
            sides += [int(level in grown.split.left_levels) for level in present]
        ptr.append(len(codes))
    return {"level_ptr": ptr, "level_code": codes, "level_left": sides}


def _answer_arrays(problem: Problem, nodes: list[Grown]) -> dict[str, list]:
    if problem.n_classes == 0:
        return {"prediction": [float(answer(problem, grown.node)) for grown in nodes]}
    ptr, classes, weights, rows = [0], [], [], []
    for grown in nodes:
        if grown.split is None:
            found = Counter(problem.targets[row] for row in grown.node.rows)
            classes += sorted(found)
            weights += [float(grown.node.group.by_target[k]) for k in sorted(found)]
            rows += [found[k] for k in sorted(found)]
        ptr.append(len(classes))
    held = {"count_ptr": ptr, "count_class": classes, "count_weight": weights, "count_rows": rows}
    if problem.bounded and problem.n_classes == 2:
        held["prediction"] = [float(answer(problem, grown.node)) for grown in nodes]
    return held | {"label": [majority(problem, grown.node) for grown in nodes]}
