"""What is asked of certificates and cannot be answered: one clear error; and what is silent elsewhere is said."""

import numpy as np
import pytest

import bristlecone as bc
from bristlecone.certify import (
    Beyond,
    Brier,
    Certificate,
    ErrorOfClass,
    LossMatrix,
    by_leaves,
    by_losses,
    drawn_bound,
    gibbs_bound,
    holdout,
    least,
    majority_vote_bounds,
    weigh,
)
from bristlecone.certify.weighing import grew


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    return X, np.where(X[:, 0] + rng.normal(0, 0.2, n) > 0.5, "yes", "no")


@pytest.fixture(scope="module")
def grown():
    return bc.grow.cart(*rows(200))


def certified(**given):
    return lambda X, y: bc.PACBayesTreeClassifier(mode="certified").fit(X, y, **given)


def bounded(**given):
    return lambda X, y: bc.PrunedTreeClassifier(rule="bound").fit(X, y, **given)


TIMES = np.where(np.arange(200) == 7, np.nan, np.arange(200.0))


@pytest.mark.parametrize("fit", [certified, bounded])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"time": TIMES}, "time, row 7: the value is missing"),
        ({"groups": TIMES}, "groups, row 7: the value is missing"),
        ({"time": [None if k == 9 else k for k in range(200)]}, "time, row 9: the value is missing"),
        ({"time": np.full(200, np.datetime64("NaT"))}, "time, row 0: the value is missing"),
        ({"time": [1, "a"] * 100}, "time holds values of types that have no common order"),
        ({"time": np.arange(199)}, "time has 199 entries"),
        ({"groups": np.zeros((200, 2))}, r"groups has shape \(200, 2\)"),
    ],
)
def test_marks_that_are_missing_or_have_no_order(fit, given, said):
    with pytest.raises(ValueError, match=said):
        fit(**given)(*rows(200))


def test_groups_that_are_missing_are_not_one_group(grown):
    X, y = rows(200, seed=1)
    with pytest.raises(ValueError, match="groups, row 7: the value is missing"):
        weigh(grown, X, y, groups=TIMES)
    with pytest.raises(ValueError, match="groups, row 7: the value is missing"):
        holdout(y, y, groups=TIMES)


@pytest.mark.parametrize("delta", [1e-300, 1e-11, 1e-5, 0.05, 0.05 / 3, 0.3, 1 - 1e-9])
def test_never_more_sure_than_it_is(delta):
    said = holdout(np.repeat([0, 1], 20), np.repeat([0, 1], 20), delta=delta).sentence
    share = float(said.split("at least ")[1].split("%")[0]) / 100
    assert share <= 1 - delta + 1e-12
    assert share < 1
    assert share >= 1 - delta - 1.01e-4


def test_a_posterior_outside_the_prior_has_the_bound_one():
    for kind in ("kl", "lambda"):
        assert gibbs_bound(0.0, np.inf, 100, 0.05, kind=kind) == 1.0
    bounds = majority_vote_bounds(0.0, 0.0, np.inf, 100, 0.05, disagreement=0.0)
    assert (bounds.first_order, bounds.tandem, bounds.tandem_lambda, bounds.cantelli, bounds.c_bound) == (1,) * 5
    assert drawn_bound(0.1, -1.0, -np.inf, 1000, 0.05) == 1.0
    with pytest.raises(ValueError, match="log_posterior must be finite"):
        drawn_bound(0.1, -np.inf, -np.inf, 1000, 0.05)


@pytest.mark.parametrize("draws", [0, -1, "a", 1.5, None, True])
def test_draws_that_are_no_count(draws):
    model = certified()(*rows(200))
    with pytest.raises(ValueError, match="draws must be a whole number of at least 1, got"):
        model.draw(draws)
    assert model.n_draws_ == 1


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([str(k) for k in [0, 1] * 20], "answers holds text, y numbers: they can never agree"),
        ([None] * 40, "answers, row 0: the value is missing"),
        ([0.0] * 39 + [np.nan], "answers, row 39: the value is missing"),
        (np.zeros((40, 2)), r"answers has shape \(40, 2\), expected \(40,\)"),
        (0, r"answers has shape \(\)"),
        ([0, "a"] * 20, "answers holds values of several types, y numbers"),
        (np.array([0, "a"] * 20, dtype=object), "answers holds values of several types, y numbers"),
    ],
)
def test_answers_that_cannot_agree_with_y(answers, said):
    with pytest.raises(ValueError, match=said):
        holdout(np.array([0, 1] * 20), answers)


def test_bytes_are_no_text():
    words = np.array(["a", "b"] * 20)
    with pytest.raises(ValueError, match="answers holds bytes, y text: they can never agree"):
        holdout(words, words.astype("S"))


def test_answers_in_one_column_and_of_kin_types_are_read():
    y = np.array([0, 1] * 20)
    assert holdout(y, y[:, None]).observed == 0.0
    assert holdout(y, y.astype(float)).observed == 0.0
    assert holdout(y, y.astype(bool)).observed == 0.0
    words = np.array(["a", "b"] * 20)
    assert holdout(words, words.astype(object)).observed == 0.0


def test_classes_that_no_row_has_and_that_it_does_not_know_are_noted():
    y = np.array(["a"] * 30 + ["c"] * 10)
    said = holdout(y, np.array(["b"] * 40))
    assert said.notes == ("No certifying row is of class 'b': this bound says nothing of such rows by themselves.",)
    known = holdout(y, np.array(["a"] * 40), classes=["a", "b"])
    assert known.notes[0].startswith("No certifying row is of class 'b'")
    assert known.notes[1] == "Certifying rows of class 'c', which it does not know: 10; all answered wrongly."
    assert holdout(y, y, classes=["a", "c"]).notes == ()
    assert Certificate.from_json(known.to_json()) == known


@pytest.mark.parametrize("wild", [1e308, np.nan, np.inf, "a", None, True])
def test_priors_with_wild_costs(grown, wild):
    with pytest.raises(ValueError, match="cost must be a number from -1e"):
        by_leaves(grown, wild)
    with pytest.raises(ValueError, match="strength must be a number from -1e"):
        by_losses(grown, np.zeros(grown.n_nodes), wild, 1.0)


def test_priors_that_are_none(grown):
    X, y = rows(200, seed=1)
    for priors in (5, by_leaves(grown, 1.0)):
        with pytest.raises(TypeError, match="priors must be a sequence of priors"):
            weigh(grown, X, y, priors=priors)
    for cost in (-1e100, 1e100):
        assert 0 < weigh(grown, X, y, priors=[by_leaves(grown, cost)]).gibbs().value <= 1


def test_a_loss_matrix_of_words():
    y = np.array([0, 1] * 20)
    with pytest.raises(ValueError, match="risk: a loss matrix holds numbers"):
        holdout(y, y, risk=[["a", "b"], ["c", "d"]])


def noisy(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    return X, (X[:, 0] > 0.5) ^ (rng.random(n) < 0.3)


@pytest.mark.parametrize("left_out", [0, 1, 10])
def test_most_of_the_growing_rows_are_known(left_out):
    for seed in range(10):
        X, y = noisy(200, seed)
        tree = bc.grow.cart(X, y)
        some = np.random.default_rng(seed).permutation(200)[left_out:]
        with pytest.raises(ValueError, match="these are the rows that grew the tree, or most of them"):
            weigh(tree, X[some], y[some])


@pytest.mark.parametrize("n", [50, 100, 150, 199, 200])
def test_fresh_rows_are_not_taken_for_them(n):
    """A thousand draws in all; each may be refused with a chance below one in ten thousand."""
    for seed in range(200):
        tree = bc.grow.cart(*noisy(200, seed))
        X, y = noisy(n, 1000 + seed)
        assert not grew(tree, tree.apply(X), y)


def test_probabilities_of_other_rows():
    y, share = np.repeat(["a", "b"], 50), np.full((150, 2), 0.5)
    for n in (90, 150):
        with pytest.raises(ValueError, match=f"answers has {n} rows but y has 100"):
            holdout(y, share[:n], risk="brier")
    assert holdout(y, share[:100], risk="brier").observed == pytest.approx(0.5)


def test_classes_that_lack_an_answer():
    y = np.array([0, 1] * 20)
    with pytest.raises(ValueError, match="classes lack 0, which is among the answers"):
        holdout(y, y, classes=["0", "1"])


@pytest.mark.parametrize("risk", [Brier, LossMatrix, ErrorOfClass])
def test_the_class_of_a_risk_is_no_risk(risk):
    with pytest.raises(
        ValueError, match=r"risk=.*: must be one of 'impurity', 'misclassification', or with rule='bound'"
    ):
        bc.PrunedTreeClassifier(rule="bound", risk=risk).fit(*rows(200))
    with pytest.raises(ValueError, match=r"risk=.*: must be one of 'impurity'"):
        bc.PrunedTreeRegressor(rule="bound", risk=[[0, 1], [1, 0]]).fit(rows(200)[0], np.arange(200.0))


def test_groups_need_no_order():
    X, y = rows(200)
    marks = [k // 5 if k % 2 else str(k // 5) for k in range(200)]
    assert certified(groups=marks)(X, y).certificate_.unit == "group"
    assert bounded(groups=marks)(X, y).certificate_.unit == "group"


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_a_design_measured_again_is_new(criterion):
    X = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 25, axis=0)
    rng = np.random.default_rng(0)
    old, new = (X.sum(axis=1) + rng.normal(0, 0.1, 100) for _ in range(2))
    tree = bc.grow.cart(X, old, criterion=criterion)
    assert tree.n_leaves == 4
    assert not grew(tree, tree.apply(X), new)
    assert weigh(tree, X, new, risk=Beyond(0.5)).gibbs().n == 100
    assert grew(tree, tree.apply(X), old)
    with pytest.raises(ValueError, match="these are the rows that grew the tree"):
        weigh(tree, X, old, risk=Beyond(0.5))


@pytest.mark.parametrize("constant", ["yes", [0], np.zeros(40)])
def test_a_constant_that_is_no_answer(constant):
    y = np.array([0, 1] * 20)
    with pytest.raises(ValueError, match="constant must be one answer, and y holds numbers; got"):
        holdout(y, y, constant=constant)
    with pytest.raises(ValueError, match="constant must be one answer, and y holds numbers; got"):
        holdout(y, y, constant=constant, risk=Beyond(0.5))
    with pytest.raises(ValueError, match="classes must be the list of those that the classifier knows, got 3"):
        holdout(y, y, classes=3)


def test_the_constant_of_a_score_is_a_distribution():
    y, share = np.array([0, 1] * 20), np.tile([0.2, 0.8], (40, 1))
    assert holdout(y, share, risk="brier").constant == pytest.approx(0.5)
    assert holdout(y, share, risk="brier", constant=[0.2, 0.8]).constant == pytest.approx(0.68)
    with pytest.raises(ValueError, match=r"constant must be one probability for each of 2 classes, got 0\.5"):
        holdout(y, share, risk="brier", constant=0.5)
    with pytest.raises(ValueError, match="probabilities must be at least 0 and sum to 1"):
        holdout(y, share, risk="brier", constant=[0.5, 0.6])
    with pytest.raises(ValueError, match="probabilities must be numbers"):
        holdout(y, [["a", "b"]] * 40, risk="brier")


def test_certificates_go_into_sets():
    y = np.array([0, 1] * 20)
    assert len({holdout(y, y), holdout(y, y), holdout(y, y, delta=0.1)}) == 2
    with pytest.raises(TypeError, match="a int is no Certificate"):
        least([holdout(y, y), 3])
