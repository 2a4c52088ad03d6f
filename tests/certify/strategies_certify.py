"""Certifying rows of random trees: where they stop and what is true of them."""

import numpy as np
from hypothesis import strategies as st
from reference import prunings
from strategies_tree import trees

from bristlecone.certify.losses import Misclassification
from bristlecone.certify.priors import by_leaves, by_losses, helmbold_schapire
from bristlecone.certify.rows import node_losses, units_of


@st.composite
def certifying(draw, corrupted=0.0, grouped=None):
    """A tree, the nodes where rows stop (inner ones too), their labels, and the losses at its nodes."""
    tree = draw(trees(max_splits=5, regression=False))
    n_rows = draw(st.integers(8, 30))
    stops = np.array(draw(st.lists(st.integers(0, tree.n_nodes - 1), min_size=n_rows, max_size=n_rows)))
    labels = st.sampled_from([*tree.classes.tolist(), "unheard of"])
    y = np.array(draw(st.lists(labels, min_size=n_rows, max_size=n_rows)))
    groups = None
    if draw(st.booleans()) if grouped is None else grouped:
        groups = np.concatenate([np.arange(8), draw(st.lists(st.integers(0, 9), min_size=n_rows, max_size=n_rows))])
        groups = groups[:n_rows].astype(int)
    risk = Misclassification()
    units = units_of(y, risk, groups=groups, corrupted=corrupted)
    return tree, stops, y, node_losses(tree, stops, y, risk, units)


def some_priors(tree, seed=0):
    lost = np.random.default_rng(seed).integers(0, 9, tree.n_nodes).astype(float)
    return [helmbold_schapire(tree), by_leaves(tree, -0.5), by_leaves(tree, 2.0), by_losses(tree, lost, 0.5, 1.0, lost)]


def all_prunings(tree):
    return prunings.prunings(prunings.children_of(tree))


def mask_of(tree, leaves):
    mask = np.zeros(tree.n_nodes, dtype=bool)
    mask[list(leaves)] = True
    return mask


def prior_mass(tree, prior, leaves):
    """e^(sum of potentials) of one pruning."""
    inner = prunings.inner_of(prunings.children_of(tree), leaves)
    total = prior.potentials.leaf[list(leaves)].sum()
    if prior.potentials.inner is not None:
        total += np.broadcast_to(prior.potentials.inner, tree.n_nodes)[list(inner)].sum()
    return float(np.exp(total))
