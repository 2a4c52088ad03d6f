"""Certificates of weighed trees: each names its predictor, charges for choices, and refuses what it cannot say."""

import math

import numpy as np
import pytest
from certify.strategies_certify import certifying
from hypothesis import given, settings
from hypothesis import strategies as st
from random_data import noisy_classes as rows

import bristlecone as bc
from bristlecone.certify import (
    Beyond,
    Brier,
    ErrorOfClass,
    LossMatrix,
    drawn_bound,
    gibbs_bound,
    helmbold_schapire,
    holdout,
    holdout_bound,
    informed_priors,
    mean_loss_bound,
    weigh,
)
from bristlecone.certify.losses import Misclassification
from bristlecone.certify.priors import by_leaves
from bristlecone.certify.search import Prunings
from bristlecone.certify.weighing import _vote_risks
from bristlecone.subtrees import cut
from bristlecone.subtrees.ballot import Ballot
from bristlecone.subtrees.evidence import evidence_of


@pytest.fixture(scope="module")
def grown():
    return bc.grow.cart(*rows(300))


@pytest.fixture(scope="module")
def weighed(grown):
    return weigh(grown, *rows(500, seed=1))


def test_each_certificate_names_its_predictor(weighed):
    named = [weighed.gibbs(), weighed.vote(), weighed.drawn(0).certificate, weighed.of_pruning()]
    assert [one.predictor for one in named] == ["gibbs", "vote", "drawn", "pruned"]
    assert all(one.n == 500 and one.delta == 0.05 and one.unit == "row" for one in named)
    assert all(one.observed <= one.value <= 1 for one in named)
    assert all(one.constant == pytest.approx(np.mean(rows(500, seed=1)[1] != 0), abs=0.1) for one in named)
    assert "independent draws" in named[0].assumes[0]


def test_gibbs_is_the_bound_of_its_own_numbers(weighed):
    one = weighed.gibbs()
    assert one.details["priors"] == 31
    assert one.value == gibbs_bound(one.observed, one.details["kl"], 500, 0.05 / 31)
    assert weighed.gibbs(kind="lambda").value >= one.value
    assert weighed.gibbs(0.5).value < one.value


def test_the_vote_takes_the_least_of_kinds_that_shared_delta(weighed):
    best = weighed.vote()
    assert best.shared == 4  # three classes: no C-bound
    assert best.delta == pytest.approx(0.05, rel=1e-12)
    kinds = ("tree", "first_order", "tandem", "cantelli")
    assert best.value == min(weighed.vote(0.05 / 4, kind=kind).value for kind in kinds)
    assert weighed.vote(kind="first_order").value == pytest.approx(2 * weighed.gibbs().value, rel=1e-12)
    with pytest.raises(ValueError, match="kind must be 'least' or one of 'tree', 'first_order'"):
        weighed.vote(kind="c_bound")
    two = weigh(bc.grow.cart(*rows(300, n_classes=2)), *rows(500, seed=1, n_classes=2))
    assert two.vote().shared == 5
    assert two.vote(kind="c_bound").kind == "C-bound 1"


def test_a_drawn_tree_is_recorded_and_drawing_again_is_charged(weighed):
    first = weighed.drawn(7)
    again = weighed.drawn(7, draws=3)
    assert np.array_equal(weighed.drawn(7).leaves, first.leaves)
    details = first.certificate.details
    assert (details["seed"], details["draws"], details["draw"]) == (7, 1, 0)
    assert again.certificate.details["draws"] == 3
    numbers = [details[name] for name in ("log_posterior", "log_prior")]
    one = drawn_bound(first.certificate.observed, *numbers, 500, 0.05 / 31)
    assert first.certificate.value == one
    if again.place == 0:
        assert again.certificate.value > one
    tree = cut(weighed.tree, first.leaves)
    X, y = rows(500, seed=1)
    assert np.mean(tree.predict(X) != y) == pytest.approx(first.certificate.observed, abs=1e-12)
    for delta in (1e-6, 0.5, 0.9):
        assert weighed.drawn(7, delta, draws=20).place == weighed.drawn(7, draws=20).place
    with pytest.raises(ValueError, match="draws must be a whole number of at least 1, got 0"):
        weighed.drawn(7, draws=0)
    with pytest.raises(ValueError, match="random_state must be a whole number of at least 0, got None"):
        weighed.drawn(None)


def test_the_pruned_tree_is_the_one_that_is_certified(weighed):
    X, y = rows(500, seed=1)
    assert np.mean(weighed.pruned.predict(X) != y) == pytest.approx(weighed.of_pruning().observed, abs=1e-12)
    likeliest = weighed.posterior.likeliest()
    other = weighed.of_pruning(likeliest)
    assert other.value >= weighed.of_pruning().value * (1 - 1e-12)
    assert other.details["leaves"] == likeliest.sum()
    with pytest.raises(ValueError, match="not a mask of the leaves of one pruning"):
        weighed.of_pruning(np.zeros(weighed.tree.n_nodes, dtype=bool))


@settings(max_examples=40, deadline=None)
@given(certifying(), st.floats(0.01, 3))
def test_the_votes_means_are_those_of_rows_one_by_one(made, lam):
    tree, stops, y, losses = made
    posterior, observed, _ = Prunings(losses, by_leaves(tree, 1.0)).at(lam)
    risks = _vote_risks(posterior, losses, Misclassification(), y)
    weight = losses.units.weight / losses.units.n
    mass = np.zeros((len(y), tree.n_classes))
    for row, stop in enumerate(stops.tolist()):
        v, here = stop, np.exp(posterior.weighing.node[stop])
        while v >= 0:
            mass[row, tree.label[v]] += here
            v = int(tree.parent[v])
            here = posterior.weights[v] if v >= 0 else 0.0
    right = [
        mass[row, tree.classes.tolist().index(label)] if label in tree.classes else 0 for row, label in enumerate(y)
    ]
    wrong = 1 - np.array(right)
    assert risks.gibbs == pytest.approx(weight @ wrong, rel=1e-9, abs=1e-12)
    assert risks.gibbs == pytest.approx(observed, rel=1e-9, abs=1e-12)
    assert risks.tandem == pytest.approx(weight @ wrong**2, rel=1e-9, abs=1e-12)
    assert risks.vote == pytest.approx(weight @ (tree.classes[mass.argmax(axis=1)] != y), rel=1e-9, abs=1e-12)
    said = np.isin(y, tree.classes[tree.label])  # of other classes, all answers are wrong
    assert risks.disagreement == pytest.approx(weight @ ((1 - (mass**2).sum(axis=1)) * said), rel=1e-9, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(certifying(grouped=False))
def test_losses_at_nodes_are_the_counts_that_the_rest_of_the_house_has(made):
    tree, stops, y, losses = made
    if "unheard of" in y:
        return
    ended = np.zeros((tree.n_nodes, tree.n_classes))
    for stop, label in zip(stops, y, strict=True):
        ended[stop, tree.classes.tolist().index(label)] += 1
    counts = np.stack([ended[v : tree.subtree_end[v]].sum(axis=0) for v in range(tree.n_nodes)])
    seen = evidence_of(tree, counts)
    assert losses.leaf.tolist() == seen.errors.tolist()
    assert (losses.stopped is None) == (seen.stopped is None)


def test_tampering_is_paid_for(grown):
    X, y = rows(500, seed=1)
    clean, bought = weigh(grown, X, y), weigh(grown, X, y, corrupted=0.02)
    assert bought.losses.units.tampered == 10
    at_most = bought.gibbs()
    assert at_most.value == gibbs_bound(at_most.observed + 0.02, at_most.details["kl"], 500, 0.05 / 31)
    assert at_most.value > clean.gibbs().value
    assert "at most 10 of them were tampered with (a share of 0.02)" in at_most.assumes
    for kind in ("first_order", "tandem", "cantelli"):
        assert bought.vote(kind=kind).value >= clean.vote(kind=kind).value
    assert holdout(y, grown.predict(X), corrupted=0.02).value == holdout_bound(
        int(np.sum(y != grown.predict(X))), 500, 0.05, corrupted=0.02
    )
    with pytest.raises(ValueError, match="says too little of those of one class"):
        weigh(grown, X, y, corrupted=0.02, risk=ErrorOfClass(1))
    with pytest.raises(ValueError, match=r"corrupted must be a share in \[0, 1\], got 2"):
        weigh(grown, X, y, corrupted=2)


def test_groups_are_counted_as_groups(grown):
    X, y = rows(500, seed=1)
    groups = np.repeat(np.arange(50), 10)
    by_group = weigh(grown, X, y, groups=groups).gibbs()
    assert (by_group.n, by_group.unit) == (50, "group")
    assert by_group.value > weigh(grown, X, y).gibbs().value
    assert "certifying groups" in by_group.sentence
    assert "every group counts alike, by the mean over its rows" in by_group.assumes
    copies = weigh(grown, np.repeat(X, 3, axis=0), np.repeat(y, 3), groups=np.repeat(np.arange(500), 3)).gibbs()
    assert copies.value == pytest.approx(weigh(grown, X, y).gibbs().value, rel=1e-9)
    held = holdout(y, grown.predict(X), groups=groups)
    assert held.value == mean_loss_bound(held.observed, 50, 0.05)
    assert held.kind == "Chernoff"
    mixed = np.array([k % 2 or "a" for k in range(500)], dtype=object)
    with pytest.raises(ValueError, match=r"2 certifying group\(s\): a certificate needs at least 8"):
        weigh(grown, X, y, groups=mixed)
    with pytest.raises(ValueError, match=r"groups has shape \(3,\), expected \(500,\)"):
        weigh(grown, X, y, groups=[1, 2, 3])


def test_risks(grown):
    X, y = rows(500, seed=1)
    matrix = np.array([[0, 1, 5], [1, 0, 1], [2, 1, 0]])
    costs = weigh(grown, X, y, risk=matrix)
    truth = matrix[y, costs.pruned.predict(X)].mean()
    assert costs.of_pruning().observed == pytest.approx(truth, rel=1e-12)
    assert truth < costs.of_pruning().value <= 5
    assert "the mean cost of the pruned tree" in costs.of_pruning().sentence
    score = weigh(grown, X, y, risk="brier")
    proba = score.pruned.predict_proba(X)
    assert score.of_pruning().observed == pytest.approx(((proba - np.eye(3)[y]) ** 2).sum(axis=1).mean(), rel=1e-12)
    assert holdout(y, proba, risk="brier").observed == pytest.approx(score.of_pruning().observed, rel=1e-12)
    one = weigh(grown, X, y, risk=ErrorOfClass(2))
    assert one.gibbs().n == np.sum(y == 2)
    assert one.vote().observed == pytest.approx(one.vote_risks.vote)
    assert "error on rows of class 2" in one.gibbs().sentence
    with pytest.raises(ValueError, match="the vote has bounds for errors, not for the mean cost; ask for 'pruned' or"):
        costs.vote()
    assert holdout(y, costs.pruned.predict(X), risk=matrix).observed == pytest.approx(truth, rel=1e-12)
    assert holdout(y, y, risk=LossMatrix(matrix, [0, 1, 2])).observed == 0.0
    assert "Brier score" in holdout(y, proba, risk=Brier([0, 1, 2])).sentence


def test_classes_of_a_score_in_any_order(grown):
    """A tree's fractions go to the columns of their classes, whatever order those are listed in."""
    X, y = rows(500, seed=1)
    usual = weigh(grown, X, y, risk="brier").of_pruning()
    for classes in ([2, 0, 1], [0, 1, 2, 3]):
        told = weigh(grown, X, y, risk=Brier(classes)).of_pruning()
        assert told.value == pytest.approx(usual.value, rel=1e-12)
        matrix = 1.0 - np.eye(len(classes))
        costs = weigh(grown, X, y, risk=LossMatrix(matrix, classes)).gibbs()
        assert costs.value == pytest.approx(weigh(grown, X, y).gibbs().value, rel=1e-12)
    with pytest.raises(ValueError, match="risk: Brier's score has no class 2, which the tree may answer"):
        weigh(grown, X, y, risk=Brier([0, 1]))


@pytest.mark.parametrize("classes", ["ab", None, [], [[0, 1]], [0, 0], 3])
def test_classes_of_a_risk_that_are_no_list(classes):
    with pytest.raises(ValueError, match="risk: Brier's score needs the list of all classes, each once"):
        Brier(classes)
    with pytest.raises(ValueError, match="risk: a loss matrix needs the list of all classes, each once"):
        LossMatrix([[0, 1], [1, 0]], classes)
    if isinstance(classes, list):
        with pytest.raises(ValueError, match="label must be one class, got"):
            ErrorOfClass(classes)


def test_numbers():
    rng = np.random.default_rng(0)
    X = rng.random((600, 2))
    y = X[:, 0] + rng.normal(0, 0.1, 600)
    tree = bc.grow.cart(X[:200], y[:200], criterion="squared_error", max_depth=4)
    weighed = weigh(tree, X[200:], y[200:], risk=Beyond(0.3))
    off = np.abs(weighed.pruned.predict(X[200:]) - y[200:]) > 0.3
    assert weighed.of_pruning().observed == off.mean()
    assert "the chance of being off by more than 0.3 of the pruned tree" in weighed.of_pruning().sentence
    held = holdout(y[200:], tree.predict(X[200:]), risk=Beyond(0.3))
    assert (held.n, held.kind) == (400, "Clopper-Pearson")
    assert held.constant == np.mean(np.abs(y[200:] - np.median(y[200:])) > 0.3)
    with pytest.raises(ValueError, match=r"risk='error' needs classes; for numbers there is Beyond\(radius\)"):
        weigh(tree, X[200:], y[200:])
    with pytest.raises(ValueError, match="y, row 0"):
        weigh(tree, X[200:], np.full(400, math.nan), risk=Beyond(1))
    with pytest.raises(ValueError, match="radius must be a finite number of at least 0, got -1"):
        Beyond(-1)


def test_informed_priors(grown):
    X, y = rows(900, seed=1)
    priors = informed_priors(grown, X[:300], y[:300])
    weighed = weigh(grown, X[300:], y[300:], priors=priors)
    assert weighed.n_priors == 31
    assert weighed.gibbs().n == 600
    with pytest.raises(TypeError, match="priors must hold priors, got str"):
        weigh(grown, X, y, priors=["plain"])
    with pytest.raises(ValueError, match="priors must hold at least one prior"):
        weigh(grown, X, y, priors=[])
    with pytest.raises(ValueError, match="nodes, the tree"):
        weigh(grown, X, y, priors=[helmbold_schapire(bc.grow.cart(*rows(50)))])


def test_a_class_that_the_tree_does_not_know_is_answered_wrongly(grown):
    X, y = rows(500, seed=1)
    y = y.copy()
    y[:50] = 9
    weighed = weigh(grown, X, y)
    assert weighed.vote().observed >= 0.1
    assert weighed.vote_risks.gibbs == pytest.approx(weighed.observed, rel=1e-9)


def refused(grown, **changes):
    X, y = rows(500, seed=1)
    asked = {"X": X, "y": y} | changes
    X, y = asked.pop("X"), asked.pop("y")
    return lambda: weigh(grown, X, y, **asked)


@pytest.mark.parametrize(
    ("changes", "kind", "said"),
    [
        ({"X": rows(7)[0], "y": rows(7)[1]}, ValueError, "7 certifying row(s): a certificate needs at least 8"),
        ({"y": rows(400)[1]}, ValueError, "X has 500 rows but y has 400"),
        ({"y": rows(500)[1].astype(str)}, ValueError, "y: not one label is among the tree's classes, such as 0"),
        ({"y": np.zeros((500, 2))}, ValueError, "y"),
        ({"y": np.where(np.arange(500) == 3, np.nan, 0.0)}, ValueError, "y, row 3"),
        ({"y": np.array([None, *[0] * 499], dtype=object)}, ValueError, "y, row 0"),
        ({"delta": 0}, ValueError, "delta must be a number between 0 and 1, got 0"),
        ({"risk": ErrorOfClass(7)}, ValueError, "0 certifying row(s) for the error on rows of class 7"),
        ({"risk": "accuracy"}, ValueError, "risk must be 'error', 'brier', a loss matrix"),
        ({"risk": 3}, TypeError, "risk must be 'error', 'brier', a loss matrix"),
        ({"risk": Brier}, TypeError, "risk must be 'error', 'brier', a loss matrix"),
        ({"risk": [[0, 1], [1, 0]]}, ValueError, "a loss matrix of 3 classes is 3 x 3"),
        ({"risk": np.ones((3, 3))}, ValueError, "0 on its diagonal"),
        ({"risk": Beyond(1.0)}, ValueError, "is for numbers, and this tree answers classes"),
    ],
)
def test_what_is_refused(grown, changes, kind, said):
    with pytest.raises(kind) as error:
        refused(grown, **changes)()
    assert said in str(error.value)


def test_what_holdout_refuses():
    y = np.arange(20) % 2
    with pytest.raises(ValueError, match=r"sample_weight, row 3: 5.0 is not 1\. A certificate counts independent rows"):
        holdout(y, y, sample_weight=[1.0, 1, 1, 5, *[1] * 16])
    with pytest.raises(ValueError, match=r"sample_weight has shape \(2,\), expected \(20,\)"):
        holdout(y, y, sample_weight=[1.0, 1])
    with pytest.raises(ValueError, match=r"answers has shape \(3,\), expected"):
        holdout(y, y[:3])
    with pytest.raises(ValueError, match=r"5 certifying row\(s\): a certificate needs at least 8"):
        holdout(y[:5], y[:5])
    with pytest.raises(ValueError, match="probabilities must be at least 0 and sum to 1"):
        holdout(y, np.ones((20, 2)), risk="brier")
    with pytest.raises(ValueError, match=r"probabilities have shape \(20, 3\), expected \(20, 2\)"):
        holdout(y, np.ones((20, 3)) / 3, risk="brier")
    assert holdout(y, y, sample_weight=np.ones(20)).value == holdout_bound(0, 20, 0.05)
    assert holdout(y, y, sample_weight=1).constant == 0.5


def test_masses_that_are_rounded_above_one_leave_no_negative_share(monkeypatch):
    above = np.nextafter(1.0, 2.0)
    monkeypatch.setattr(Ballot, "agreements", lambda self: np.full(self.tree.n_nodes, above))
    monkeypatch.setattr(Ballot, "masses", lambda self, ptr, label: np.full(len(label), above))
    X = np.arange(80.0)[:, None]
    weighed = weigh(bc.grow.cart(X[::2], X[::2, 0] > 40), X[1::2], X[1::2, 0] > 40)
    assert weighed.vote_risks.disagreement == weighed.vote_risks.gibbs == 0
    assert 0 < weighed.vote(kind="c_bound").value < 1
