"""Trees that the tests of this folder share."""

import numpy as np
from strategies_tree import Leaf, Split, build


def example_1():
    """SPEC part E, example tree E1: seven nodes in pre-order; OF_SPEC maps the specification's numbers to ours."""
    inner = Split(0, 4.0, Leaf((0, 5)), Leaf((3, 1)))
    return build(Split(0, 5.0, Split(0, 3.0, Leaf((8, 1)), inner), Leaf((2, 10))), classes=(0, 1))


OF_SPEC = np.array([0, 1, 6, 2, 3, 4, 5])
"""The place in `example_1()` of each node of the specification."""


def leaves_of(tree, whole):
    """The nodes of the whole tree that are the leaves of a pruning of it, walking both at once."""
    found, stack = set(), [(0, 0)]
    while stack:
        v, at = stack.pop()
        if tree.children_left[v] < 0:
            found.add(at)
            continue
        stack.append((int(tree.children_left[v]), int(whole.children_left[at])))
        stack.append((int(tree.children_right[v]), int(whole.children_right[at])))
    return frozenset(found)


def spec_leaves(*numbers):
    """Leaves by the specification's numbers, as our nodes."""
    return frozenset(OF_SPEC[list(numbers)].tolist())
