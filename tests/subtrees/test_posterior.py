"""Weights on all prunings, and what follows from them: the specification's values, and enumeration."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.vote import Enumerated
from strategies_tree import SCHEMA, Leaf, Split, build, staircase, tables, trees
from subtrees.examples import OF_SPEC, example_1

import bristlecone as bc
from bristlecone.subtrees import Posterior, Potentials, count
from bristlecone.subtrees.ballot import Ballot
from bristlecone.subtrees.evidence import evidence_of, stops_of
from bristlecone.subtrees.fold import log_sums
from bristlecone.subtrees.pac_bayes import PENALTIES, pac_bayes_posterior, pac_bayes_weights
from bristlecone.table import Table

EXACT = {"rtol": 0, "atol": 1e-10}
POTENTIAL = st.floats(-20, 3)


def test_av_a1_practical_weights():
    tree = example_1()
    posterior = pac_bayes_posterior(tree, lambda1=1, lambda2=0.5)
    branch = [-12.68808022034974, -7.973595902592497, -4.732050807568877, -3.5, -4.597742358870327, -2.118033988749895]
    np.testing.assert_allclose(log_sums(tree, posterior.potentials.leaf)[OF_SPEC], [*branch, -3.0], **EXACT)
    weights = [0.01741309852492725, 0.1147165551652287, 0.9825869014750728, 0.867870346309844, 0.3520540418380868]
    weights += [0.5158163044717572, 0.5158163044717572]
    np.testing.assert_allclose(posterior.weights[OF_SPEC], weights, **EXACT)
    np.testing.assert_allclose(pac_bayes_weights(tree, lambda1=1, lambda2=0.5)[OF_SPEC], weights, **EXACT)
    shares = Ballot.of(tree, posterior.weighing).shares(OF_SPEC[[2, 3, 5, 6]])
    np.testing.assert_allclose(shares[:, 1], [1, 0.01741309852492725, 0.8852834448347713, 0.3694671403630141], **EXACT)
    risks = posterior.risks()
    assert risks.gibbs == pytest.approx(0.1811469582075554, abs=1e-12)
    assert posterior.gibbs_errors() / 30 == pytest.approx(0.1811469582075554, abs=1e-12)
    assert risks.tandem == pytest.approx(0.1280263925867748, abs=1e-12)
    assert risks.disagreement == pytest.approx(0.1062411312415612, abs=1e-12)
    assert risks.vote == pytest.approx(4 / 30, abs=1e-15)
    assert posterior.kl == pytest.approx(1.778529392927433, abs=1e-12)
    assert posterior.expected_leaves == pytest.approx(3.366273552256674, abs=1e-12)
    assert posterior.prior_weighing.total == pytest.approx(-0.5598103014388046, abs=1e-12)


def test_av_a2_theoretical_weights():
    tree = example_1()
    posterior = bc.subtrees.theoretical_posterior(tree, lam=0.7, delta=0.05)
    assert posterior.weighing.total == pytest.approx(-30.1533781663152, abs=1e-10)
    assert posterior.weights[0] == pytest.approx(0.9999849833979697, abs=1e-12)
    assert posterior.weights[1] == pytest.approx(1.501628551660706e-5, rel=1e-10)
    assert posterior.risks().gibbs == pytest.approx(0.4333313310880772, abs=1e-12)
    assert posterior.risks().tandem == pytest.approx(0.4333223213571079, abs=1e-12)
    assert posterior.kl == pytest.approx(7.676977225399974e-5, rel=1e-10)
    assert posterior.prior_weighing.total == pytest.approx(-8.999876582580297, abs=1e-10)
    np.testing.assert_array_equal(bc.subtrees.theoretical_weights(tree, lam=0.7, delta=0.05), posterior.weights)
    width = np.sqrt(2 * evidence_of(tree).rows * math.log(7 / 0.05)) / 30
    assert width[[2, 3, 4, 5, 6]].sum() - width[3] == pytest.approx(1.121295456873933, abs=1e-12)
    assert width[0] == pytest.approx(0.5739711039538085, abs=1e-12)


def test_av_a10_the_normaliser_of_the_prior_on_leaves():
    expected = [0.367879441171, 0.503214, 0.621105, 0.753650, 0.935868, 1.24373, 1.91474]
    node, constant = Leaf((1, 1)), math.exp(-1)
    for depth, printed in enumerate(expected):
        posterior = pac_bayes_posterior(build(node, classes=(0, 1)), lambda1=0, lambda2=0)
        assert math.exp(posterior.prior_weighing.total) == pytest.approx(constant, rel=1e-12)
        assert constant == pytest.approx(printed, rel=2e-6)
        node, constant = Split(0, float(depth), node, node), math.exp(-1) + constant**2


def test_av_a11_the_dyadic_example_by_weight_and_vote():
    X = [(0.1, 0.1), (0.2, 0.3), (0.3, 0.2), (0.4, 0.45), (0.5, 0.25), (0.6, 0.1), (0.9, 0.4), (0.7, 0.8)]
    tree = bc.grow.dyadic(np.array(X), [0, 1, 0, 2, 1, 1, 2, 2], ranges=[(0, 1), (0, 1)])
    posterior = pac_bayes_posterior(tree, lambda1=2, lambda2=0.25)
    assert posterior.weighing.total == pytest.approx(-8.58061833492598, abs=1e-10)
    assert posterior.prior_weighing.total == pytest.approx(-0.0890614766262063, abs=1e-10)
    silent = tree.n_node_samples == 0
    ballot = Ballot.of(tree, posterior.weighing, silent)
    shares = ballot.shares(tree.apply(np.array([(0.45, 0.45)])))
    np.testing.assert_allclose(shares, [(0.545025586528829, 0.0438715845052452, 0.411102828965925)], **EXACT)
    empty = tree.apply(np.array([(0.2, 0.55)]))
    assert silent[empty[0]]
    masses = np.array([0.182833770348536, 0.0438715845052452, 0])
    np.testing.assert_allclose(ballot.shares(empty)[0], masses / masses.sum(), **EXACT)
    parts = ballot.masses(np.searchsorted([empty[0]] * 3, np.arange(tree.n_nodes + 1)), np.arange(3, dtype=np.int32))
    np.testing.assert_allclose(parts, masses, **EXACT)


def test_av_a14_deep_and_wrong_beyond_all_floats():
    tree = staircase(3000)
    posterior = Posterior(tree, Potentials(-1 - (1e6 - 100.0 * tree.depth)), Potentials(-1.0 * np.ones(tree.n_nodes)))
    assert np.isfinite(posterior.weighing.leaf).all() and np.isfinite(posterior.kl) and np.isfinite(posterior.entropy)
    weights = posterior.weights
    deepest = int(tree.depth.argmax())
    path = [deepest]
    while path[-1]:
        path.append(int(tree.parent[path[-1]]))
    assert math.fsum(weights[path]) == pytest.approx(1.0, abs=1e-12)
    risks = posterior.risks()
    assert 0 <= risks.tandem <= risks.gibbs <= 1


@st.composite
def problems(draw, max_splits=5):
    """A tree, potentials of a posterior and of its prior, and rows that it lets stop anywhere."""
    tree = draw(trees(max_splits=max_splits, regression=False))
    leaf, inner, prior, prior_inner = (
        np.array(draw(st.lists(POTENTIAL, min_size=tree.n_nodes, max_size=tree.n_nodes))) for _ in range(4)
    )
    table = Table(SCHEMA, draw(tables(tree)))
    y = draw(st.lists(st.sampled_from(list(tree.classes)), min_size=table.n_rows, max_size=table.n_rows))
    return tree, leaf, inner, prior, prior_inner, table, np.array(y)


def stops_by_class(tree, table, y):
    """{node: rows by class} of where rows stop."""
    found = {}
    for stop, label in zip(tree.apply(table).tolist(), y.tolist(), strict=True):
        found.setdefault(stop, [0] * tree.n_classes)[tree.classes.tolist().index(label)] += 1
    return found


@settings(max_examples=400)
@given(problems())
def test_all_quantities_equal_enumeration(problem):
    tree, leaf, inner, prior, prior_inner, table, y = problem
    posterior = Posterior(tree, Potentials(leaf, inner), Potentials(prior, prior_inner))
    every, before = Enumerated(tree, leaf, inner), Enumerated(tree, prior, prior_inner)
    near = {"rel": 1e-9, "abs": 1e-12}
    assert posterior.weighing.total == pytest.approx(every.total, rel=1e-10, abs=1e-10)
    for v in range(tree.n_nodes):
        assert posterior.weights[v] == pytest.approx(every.weight(v), **near)
    assert posterior.kl == pytest.approx(every.kl(before), rel=1e-9, abs=1e-9)
    assert posterior.entropy == pytest.approx(every.entropy(), rel=1e-9, abs=1e-9)
    full = tree.n_node_samples > 0
    assert posterior.expected_leaves == pytest.approx(every.mean(lambda each: sum(full[v] for v in each)), **near)
    counts, stops = count(tree, table, y), stops_by_class(tree, table, y)
    risks = posterior.risks(counts)
    assert risks.gibbs == pytest.approx(every.gibbs(stops), **near)
    assert posterior.gibbs_errors(counts) / table.n_rows == pytest.approx(every.gibbs(stops), **near)
    assert risks.tandem == pytest.approx(every.tandem(stops), **near)
    assert risks.disagreement == pytest.approx(every.disagreement(stops), **near)
    winners = {stop: every.winner(stop) for stop in stops}
    if not any(close for _, close in winners.values()):
        wrong = sum(sum(rows) - rows[winners[stop][0]] for stop, rows in stops.items())
        assert risks.vote == pytest.approx(wrong / table.n_rows, abs=1e-12)


@settings(max_examples=200)
@given(problems())
def test_votes_at_every_node_equal_enumeration(problem):
    tree, leaf, inner, *_ = problem
    posterior, every = Posterior(tree, Potentials(leaf, inner), Potentials(leaf)), Enumerated(tree, leaf, inner)
    for silent in (set(), set(np.flatnonzero(tree.n_node_samples == 0).tolist())):
        ballot = Ballot.of(tree, posterior.weighing, [v in silent for v in range(tree.n_nodes)])
        labels, shares = ballot.labels(), ballot.shares(np.arange(tree.n_nodes))
        fractions = ballot.shares(np.arange(tree.n_nodes), "freq")
        for v in range(tree.n_nodes):
            masses = every.masses(v, silent)
            whole = math.fsum(masses.values())
            expected = [masses.get(k, 0.0) / whole for k in range(tree.n_classes)]
            np.testing.assert_allclose(shares[v], expected, rtol=1e-8, atol=1e-12)
            winner, close = every.winner(v, silent)
            assert labels[v] == winner or close
            assert fractions[v].sum() == pytest.approx(1.0)


@given(problems(), st.integers(0, 2**32 - 1))
def test_prunings_drawn_and_likeliest(problem, seed):
    tree, leaf, inner, prior, prior_inner, *_ = problem
    posterior = Posterior(tree, Potentials(leaf, inner), Potentials(prior, prior_inner))
    every, before = Enumerated(tree, leaf, inner), Enumerated(tree, prior, prior_inner)
    drawn = frozenset(np.flatnonzero(posterior.draw(seed)).tolist())
    at = every.prunings.index(drawn)
    assert posterior.log_chance(posterior.draw(seed)) == pytest.approx(every.logs[at], rel=1e-9, abs=1e-9)
    assert posterior.log_prior(posterior.draw(seed)) == pytest.approx(before.logs[at], rel=1e-9, abs=1e-9)
    best = frozenset(np.flatnonzero(posterior.likeliest()).tolist())
    assert every.logs[every.prunings.index(best)] == pytest.approx(max(every.logs), abs=1e-9)
    assert posterior.map_pruning().n_leaves == len(best)


def test_draws_come_as_often_as_they_should():
    tree = example_1()
    posterior = pac_bayes_posterior(tree, lambda1=0.3, lambda2=0.1)
    every = Enumerated(tree, posterior.potentials.leaf)
    found = [frozenset(np.flatnonzero(posterior.draw(seed)).tolist()) for seed in range(4000)]
    for each, chance in zip(every.prunings, every.chances, strict=True):
        assert abs(found.count(each) / 4000 - chance) < 5 * math.sqrt(chance * (1 - chance) / 4000) + 1e-9


@given(problems(max_splits=8), st.floats(0, 5), st.floats(0, 5), st.floats(0, 3), st.sampled_from(sorted(PENALTIES)))
def test_practical_potentials_node_by_node(problem, lambda1, lambda2, leaf_cost, penalty):
    tree, *_, table, y = problem
    for counts in (None, count(tree, table, y)):
        held = tree.counts if counts is None else counts
        grid = {"lambda1": [lambda1, 1.0], "lambda2": [lambda2, 0.5], "leaf_cost": leaf_cost}
        weights = pac_bayes_weights(tree, **grid, counts=counts, penalty=penalty)
        leaf, inner = [], []
        stopped = tree.children_left >= 0
        for v in range(tree.n_nodes):
            n, errors, d = held[v].sum(), held[v].sum() - held[v][tree.label[v]], tree.depth[v]
            charge = {"root": math.sqrt(n), "ada": math.sqrt(8 * max(n, d) * d), "bernstein": d, "none": 0.0}[penalty]
            leaf.append(-lambda1 * errors - (lambda2 * charge + leaf_cost if n > 0 else 0.0))
            ended = held[v] - (held[tree.children_left[v]] + held[tree.children_right[v]] if stopped[v] else held[v])
            inner.append(-lambda1 * (ended.sum() - ended[tree.label[v]]))
        every = Enumerated(tree, leaf, inner)
        for v in range(tree.n_nodes):
            assert weights[v, 0] == pytest.approx(every.weight(v), rel=1e-8, abs=1e-12)
        alone = pac_bayes_weights(tree, lambda1=1.0, lambda2=0.5, leaf_cost=leaf_cost, counts=counts, penalty=penalty)
        np.testing.assert_allclose(weights[:, 1], alone, rtol=1e-12)


def test_priors_and_functions():
    tree = example_1()
    halves = pac_bayes_posterior(tree, lambda1=0, lambda2=0, prior="helmbold_schapire")
    assert halves.prior_weighing.total == pytest.approx(0.0, abs=1e-15) and halves.kl == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose(halves.weights[OF_SPEC], [1 / 2, 1 / 4, 1 / 2, 1 / 4, 1 / 8, 1 / 8, 1 / 8])
    even = pac_bayes_posterior(tree, lambda1=0, lambda2=0, prior="uniform")
    np.testing.assert_allclose(even.weights[OF_SPEC], [1 / 4, 1 / 4, 3 / 4, 2 / 4, 1 / 4, 1 / 4, 1 / 4])
    own = pac_bayes_weights(
        tree,
        lambda1=1,
        lambda2=0.5,
        penalty=lambda tree, rows: np.sqrt(rows),
        prior=lambda tree: Potentials(-np.ones(tree.n_nodes)),
    )
    np.testing.assert_array_equal(own, pac_bayes_weights(tree, lambda1=1, lambda2=0.5))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"lambda1": -1}, "lambda1 must be a finite number of at least 0, got -1"),
        ({"lambda1": [1, np.nan]}, "lambda1 must be a finite number of at least 0, got nan"),
        ({"lambda2": "cv"}, "lambda2 must be a number of at least 0"),
        ({"leaf_cost": [[1]]}, "leaf_cost must be a number of at least 0"),
        ({"lambda1": [1, 2], "lambda2": [1, 2, 3]}, "arrays of strengths must be equally long"),
        ({"penalty": "sqrt"}, "penalty must be one of 'root', 'ada', 'bernstein', 'none', got 'sqrt'"),
        ({"penalty": lambda tree, rows: rows[:-1]}, "a penalty gives one number a node"),
        ({"penalty": 3}, "penalty must be a name or a function"),
        ({"prior": "flat"}, "prior must be one of 'leaves', 'uniform', 'helmbold_schapire', got 'flat'"),
        ({"prior": lambda tree: tree.depth}, "a prior gives Potentials, got ndarray"),
        ({"prior": 1.0}, "prior must be a name or a function"),
        ({"prior": lambda tree: Potentials(np.ones(3))}, r"a prior's potentials are \(7,\), got \(3,\)"),
        ({"penalty": lambda tree, rows: rows * np.nan}, "the penalty gives nan at node 0"),
        ({"lambda1": 1e308}, "lambda1=1e.308, lambda2=1.0: too large for floats"),
        ({"lambda1": [[1], [1, 2]]}, "lambda1 must be a number, or an array"),
        ({"lambda1": 10**400}, "lambda1 must be a number of at least 0"),
        ({"counts": np.zeros((3, 2))}, r"counts has shape \(3, 2\), expected \(7, 2\)"),
        ({"counts": np.full((7, 2), -1)}, "counts, node 0: "),
        ({"counts": np.arange(14).reshape(7, 2)}, "counts, node 0: fewer rows of a class than in its children"),
        ({"counts": [["a", "b"]] * 7}, "counts must hold numbers"),
    ],
)
def test_what_cannot_weigh_is_refused(given, said):
    with pytest.raises((TypeError, ValueError), match=said):
        pac_bayes_weights(example_1(), **{"lambda1": 1.0, "lambda2": 1.0, **given})


def test_theory_and_trees_that_have_no_vote():
    tree = example_1()
    for wrong, said in (
        ({"lam": 2, "delta": 0.1}, "lam must be a number between 0 and 2, got 2"),
        ({"lam": 1, "delta": 1.0}, "delta must be a number between 0 and 1, got 1.0"),
    ):
        with pytest.raises(ValueError, match=said):
            bc.subtrees.theoretical_weights(tree, **wrong)
    numbers = bc.grow.cart(np.arange(5.0)[:, None], np.arange(5.0), criterion="squared_error")
    with pytest.raises(ValueError, match="this is a regression tree"):
        pac_bayes_weights(numbers, lambda1=1, lambda2=1)
    with pytest.raises(TypeError, match="expected a Tree, got str"):
        pac_bayes_weights("tree", lambda1=1, lambda2=1)
    posterior = pac_bayes_posterior(tree, lambda1=1, lambda2=1)
    with pytest.raises(ValueError, match="no rows"):
        posterior.risks(np.zeros((7, 2)))
    with pytest.raises(ValueError, match="not a mask of the leaves of one pruning"):
        posterior.log_prior(np.ones(7, dtype=bool))
    for mask in (np.ones(6, dtype=bool), np.array([1, 0, 0, 0, 0, 0, 0]), []):
        with pytest.raises(ValueError, match=r"leaves must be a mask \(7,\)"):
            posterior.log_chance(mask)
    with pytest.raises(ValueError, match="one lambda1"):
        pac_bayes_posterior(tree, lambda1=[1, 2], lambda2=1)


def test_growing_rows_are_the_stops_of_growth():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 3, 300)
    tree = bc.grow.cart(X, y, max_depth=5)
    stops, again = stops_of(tree), stops_of(tree, count(tree, X, y))
    for name in ("ptr", "label", "weight"):
        np.testing.assert_array_equal(getattr(stops, name), getattr(again, name))


def test_a_few_rows_among_very_many_are_not_lost():
    tree = example_1()
    counts = tree.counts * 10**11
    counts[0] += 7, 500  # they stop at the root
    posterior = pac_bayes_posterior(tree, lambda1=0, lambda2=0)
    assert posterior.risks(counts).n == 30 * 10**11 + 507
    assert tree.label[0] == 1 and evidence_of(tree, counts).stopped[0] == 7


@given(trees(max_splits=6, regression=False))
def test_weights_of_own_labels_node_by_node(tree):
    seen = evidence_of(tree)
    np.testing.assert_allclose(seen.rows, tree.counts.sum(axis=1))
    np.testing.assert_allclose(seen.rows - seen.errors, tree.counts[np.arange(tree.n_nodes), tree.label])


def test_of_classes_with_equal_votes_the_lowest_wins():
    """A tree whose two sides mirror each other: at both leaves, the root and the leaf have half of the vote each."""
    tree = build(Split(0, 1.0, Leaf((3, 1)), Leaf((1, 3))), classes=(0, 1))
    for leaf in (np.zeros(3), np.full(3, -7.3)):
        posterior = Posterior(tree, Potentials(np.array([2 * leaf[0], leaf[1], leaf[2]])), Potentials(leaf))
        np.testing.assert_allclose(posterior.weights, 0.5)
        assert Ballot.of(tree, posterior.weighing).labels().tolist() == [0, 0, 0]
