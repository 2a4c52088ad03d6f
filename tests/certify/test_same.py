"""What the prior gives to the answers of a vote, against all prunings listed with their exceptions."""

import math

import numpy as np
import pytest
from certify.strategies_certify import all_prunings, certifying, prior_mass, some_priors
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import certify as twin
from reference import prunings

import bristlecone as bc
from bristlecone.certify import pruning_bound, weigh
from bristlecone.certify.same import RATES, log_prior_of_answers
from bristlecone.certify.search import Prunings
from bristlecone.certify.split import split_rows
from bristlecone.subtrees.ballot import Ballot


def places(tree):
    """Where rows may stop."""
    levels = (np.diff(tree.level_ptr) > 0) & (tree.unseen == "stop")
    return np.flatnonzero((tree.children_left < 0) | levels).tolist()


def listed(tree, labels, prior):
    """The largest prior of a pruning and labels of its own that answer so, over all prunings and rates."""
    every = all_prunings(tree)
    total = math.fsum(prior_mass(tree, prior, leaves) for leaves in every)
    parent, children, stops = tree.parent.tolist(), prunings.children_of(tree), places(tree)
    best, n_labels = 0.0, len(set(tree.label.tolist()))
    for leaves in every:
        said = {}  # at leaves of the pruning, and at its inner nodes where rows may stop
        for stop in stops:
            said.setdefault(twin.answering_node(parent, leaves, stop), set()).add(int(labels[stop]))
        if any(len(answers) > 1 for answers in said.values()):
            continue
        assert set(said) == leaves | (set(stops) & prunings.inner_of(children, leaves))
        for rate in RATES:
            chances = [(1 - rate) * (answers == {int(tree.label[v])}) + rate / n_labels for v, answers in said.items()]
            best = max(best, prior_mass(tree, prior, leaves) / total * math.prod(chances) / len(RATES))
    return best


@settings(max_examples=40, deadline=None)
@given(certifying(), st.integers(0, 3), st.data())
def test_any_answers(made, which, data):
    tree = made[0]
    answers = st.sampled_from(sorted(set(tree.label.tolist())))
    labels = np.array(data.draw(st.lists(answers, min_size=tree.n_nodes, max_size=tree.n_nodes)), dtype=np.int32)
    prior = some_priors(tree)[which]
    got = log_prior_of_answers(tree, labels, prior.potentials)
    assert got == pytest.approx(math.log(listed(tree, labels, prior)), rel=1e-9, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(certifying(), st.floats(0.01, 20), st.integers(0, 3))
def test_answers_of_votes(made, lam, which):
    tree, _, _, losses = made
    prior = some_priors(tree)[which]
    posterior, _, _ = Prunings(losses, prior).at(lam)
    labels = Ballot.of(tree, posterior.weighing).labels()
    got = log_prior_of_answers(tree, labels, prior.potentials)
    assert got == pytest.approx(math.log(listed(tree, labels, prior)), rel=1e-9, abs=1e-9)


def test_the_labelled_prunings_have_a_prior_that_sums_to_one():
    for rate in RATES:
        for n_classes in (2, 3, 26):
            assert (1 - rate) + n_classes * rate / n_classes == pytest.approx(1)


def test_the_votes_bound_as_a_tree():
    rng = np.random.default_rng(0)
    X = rng.random((600, 2))
    y = (X[:, 0] > 0.5) ^ (rng.random(600) < 0.2)
    weighed = weigh(bc.grow.cart(X[:300], y[:300]), X[300:], y[300:])
    said = weighed.vote(kind="tree")
    log_prior = log_prior_of_answers(weighed.tree, weighed.answers, weighed.posterior.prior)
    assert said.value == pruning_bound(said.observed, log_prior, 300, 0.05 / weighed.n_priors)
    assert said.observed == weighed.vote_risks.vote
    assert said.value < weighed.vote(kind="first_order").value


def test_a_class_that_only_certifying_rows_have_changes_no_prior():
    """What is believed beforehand, and among how many kinds a vote's delta is shared, is no matter of these rows."""
    rng = np.random.default_rng(0)
    X = rng.random((400, 2))
    y = np.where((X[:, 0] > 0.5) ^ (rng.random(400) < 0.2), "yes", "no").astype(object)
    rows = split_rows(400, 0.5, 0)
    y[rows.held_out[:9]] = "maybe"
    model = bc.PACBayesTreeClassifier(mode="certified").fit(X, y)
    assert model.tree_.classes.tolist() == ["maybe", "no", "yes"]
    alone = bc.grow.cart(X[rows.growing], y[rows.growing])
    assert alone.classes.tolist() == ["no", "yes"]
    apart = weigh(alone, X[rows.held_out], y[rows.held_out])
    for kind in ("least", "tree", "first_order", "tandem", "cantelli", "c_bound"):
        assert model.weighed_.vote(kind=kind).value == pytest.approx(apart.vote(kind=kind).value, rel=1e-12)
    assert model.certificate_.shared == 5
