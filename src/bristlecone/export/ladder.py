"""The one walk that exports in code share: a tree as a ladder of questions, written without a deep nest.

test      what is asked of one cell at a node; true leads into the smaller of two subtrees, false to the next rung.
rung      a line of the ladder: a test, whose block stands one level deeper and ends with a stop; or a stop.
stop      the end of a block: the node where a row's walk ends, or REFUSED where the tree refuses the row.

Only the smaller subtree is indented, so no block is deeper than log2 of the leaves, however deep the tree: a staircase
of ten thousand splits is a list, and no parser, compiler or database meets its limit.
"""

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bristlecone.tree import Tree

__all__ = ["REFUSED", "Asks", "Rung", "Test", "ladder"]

REFUSED = -1


class Asks(enum.Enum):
    """What a test asks of a cell that is there."""

    BELOW = "x < threshold"
    AT_LEAST = "x >= threshold"
    ONE_OF = "the level has one of these codes"
    NONE_OF = "the level has none of these codes, or is not in the schema"
    MISSING = "never true"
    PRESENT = "always true"


@dataclass(frozen=True, slots=True)
class Test:
    """A question about a cell of column `feature`; a missing cell passes where `missing` says so."""

    node: int
    feature: int
    asks: Asks
    missing: bool
    threshold: float = math.nan
    codes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rung:
    """A test, or with None the stop that ends a block; `refuses` is the column for which a row is refused."""

    depth: int
    test: Test | None
    stop: int = REFUSED
    refuses: int = -1


def ladder(tree: Tree) -> Iterator[Rung]:
    """The rungs of a tree, in order."""
    leaf = (tree.children_left < 0).tolist()
    todo: list[Rung | tuple[int, int]] = [(0, 0)]
    while todo:
        item = todo.pop()
        if isinstance(item, Rung):
            yield item
            continue
        depth, node = item
        if leaf[node]:
            yield Rung(depth, None, node)
            continue
        todo += _block(tree, depth, node)[::-1]


def _block(tree: Tree, depth: int, node: int) -> list[Rung | tuple[int, int]]:
    """What is written for an inner node: its exits, the smaller subtree one level deeper, and the larger one."""
    left, right = int(tree.children_left[node]), int(tree.children_right[node])
    left_is_small = right - left < int(tree.subtree_end[node]) - right
    small, large = (left, right) if left_is_small else (right, left)
    feature = int(tree.feature[node])
    lines: list[Rung | tuple[int, int]] = []
    if tree.missing == "error":
        gone = Test(node, feature, Asks.MISSING, True)
        lines += [Rung(depth, gone), Rung(depth + 1, None, refuses=feature)]
    lines += [Rung(depth, _side(tree, node, left_is_small)), (depth + 1, small)]
    if tree.schema.columns[feature].categorical and tree.unseen != "heavier":
        unknown = replace(_levels(tree, node, not left_is_small, negated=True), missing=False)
        stop = node if tree.unseen == "stop" else REFUSED
        lines += [Rung(depth, _plain(unknown)), Rung(depth + 1, None, stop, feature)]
    return [*lines, (depth, large)]


def _side(tree: Tree, node: int, left: bool) -> Test:
    """Whether a cell goes to one side, of those that go to either."""
    feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
    missing = tree.missing != "error" and bool(tree.missing_go_to_left[node]) == left
    if tree.schema.columns[feature].categorical:
        follows = tree.unseen == "heavier" and bool(tree.heavier_left[node]) == left
        return _plain(replace(_levels(tree, node, left != follows, negated=follows), missing=missing))
    if threshold == math.inf:
        return Test(node, feature, Asks.PRESENT if left else Asks.MISSING, not left)
    return Test(node, feature, Asks.BELOW if left else Asks.AT_LEAST, missing, threshold)


def _levels(tree: Tree, node: int, left: bool, *, negated: bool) -> Test:
    entries = slice(tree.level_ptr[node], tree.level_ptr[node + 1])
    codes = tree.level_code[entries][tree.level_left[entries] == left]
    asks = Asks.NONE_OF if negated else Asks.ONE_OF
    return Test(node, int(tree.feature[node]), asks, False, codes=tuple(codes.tolist()))


def _plain(test: Test) -> Test:
    """The same without an empty list of levels."""
    if test.codes:
        return test
    return replace(test, asks=Asks.MISSING if test.asks is Asks.ONE_OF else Asks.PRESENT)
