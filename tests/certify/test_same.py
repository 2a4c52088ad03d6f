"""The pruning that answers as the vote does, against all prunings listed."""

import math

import numpy as np
from certify.strategies_certify import all_prunings, certifying, mask_of, prior_mass, some_priors
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import certify as twin

from bristlecone.certify.same import pruning_like
from bristlecone.certify.search import Prunings
from bristlecone.subtrees.ballot import Ballot


def places(tree):
    """Where rows may stop."""
    levels = (np.diff(tree.level_ptr) > 0) & (tree.unseen == "stop")
    return np.flatnonzero((tree.children_left < 0) | levels).tolist()


def answers(tree, leaves):
    parent = tree.parent.tolist()
    return [int(tree.label[twin.answering_node(parent, leaves, stop)]) for stop in places(tree)]


@settings(max_examples=60, deadline=None)
@given(certifying(), st.floats(0.01, 20), st.integers(0, 3))
def test_it_is_the_likeliest_of_those_that_answer_alike(made, lam, which):
    tree, _, _, losses = made
    prior = some_priors(tree)[which]
    posterior, _, _ = Prunings(losses, prior).at(lam)
    labels = Ballot.of(tree, posterior.weighing).labels()
    _check(tree, labels, prior)


@settings(max_examples=60, deadline=None)
@given(certifying(), st.data())
def test_labels_of_a_pruning_lead_back_to_one(made, data):
    tree = made[0]
    leaves = data.draw(st.sampled_from(all_prunings(tree)))
    labels = np.zeros(tree.n_nodes, np.int32)
    labels[places(tree)] = answers(tree, leaves)
    prior = some_priors(tree)[1]
    assert _check(tree, labels, prior) is not None


def _check(tree, labels, prior):
    wanted = labels[places(tree)].tolist()
    alike = [leaves for leaves in all_prunings(tree) if answers(tree, leaves) == wanted]
    found = pruning_like(tree, labels, prior.potentials)
    if not alike:
        assert found is None
        return None
    best = max(prior_mass(tree, prior, leaves) for leaves in alike)
    got = frozenset(np.flatnonzero(found).tolist())
    assert got in alike
    assert math.isclose(prior_mass(tree, prior, got), best, rel_tol=1e-9)
    assert np.array_equal(mask_of(tree, got), found)
    return found
