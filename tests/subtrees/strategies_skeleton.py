"""Random skeletons of trees: lists of children, parents first, where an inner node may have one child."""

import numpy as np
from hypothesis import strategies as st


@st.composite
def skeletons(draw, max_nodes=11, singles=True):
    """Children by node; at most a few hundred prunings."""
    children, leaves = [[]], [0]
    for _ in range(draw(st.integers(0, max_nodes // 2))):
        parent = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        n_children = draw(st.sampled_from([1, 2, 2])) if singles else 2
        for _ in range(n_children):
            children[parent].append(len(children))
            leaves.append(len(children))
            children.append([])
    return children


def as_arrays(children, draw_side=lambda: 0):
    """(children_left, children_right); an only child stands on the side that draw_side says."""
    sides = np.full((2, len(children)), -1, dtype=np.int32)
    for v, below in enumerate(children):
        if len(below) == 1:
            sides[draw_side(), v] = below[0]
        elif below:
            sides[:, v] = below
    return sides[0], sides[1]
