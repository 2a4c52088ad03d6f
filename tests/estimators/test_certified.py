"""Certified mode: what certifies grew nothing, `predict` is what is bounded, files keep it."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from random_data import noisy_classes as rows
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import bristlecone as bc
from bristlecone.certify import weigh
from bristlecone.certify.split import split_rows


def certified(**parameters):
    return bc.PACBayesTreeClassifier(mode="certified", **parameters)


@pytest.fixture(scope="module")
def fitted():
    return certified().fit(*rows(1200))


def test_one_part_grows_and_the_other_certifies(fitted):
    X, y = rows(1200)
    split = split_rows(1200, 0.5, 0)
    by_hand = bc.grow.cart(X[split.growing], y[split.growing])
    assert fitted.tree_.n_node_samples[0] == 600
    assert fitted.tree_.threshold.tolist() == by_hand.threshold.tolist()
    weighed = weigh(by_hand, X[split.held_out], y[split.held_out])
    assert weighed.gibbs().value == pytest.approx(fitted.certificate("gibbs").value, rel=1e-12)
    assert fitted.certificate_.n == 600


def test_the_certificate_bounds_what_predict_answers(fitted):
    X, y = rows(1200)
    held_out = split_rows(1200, 0.5, 0).held_out
    assert fitted.certificate_.predictor == "vote"
    assert np.mean(fitted.predict(X[held_out]) != y[held_out]) == pytest.approx(fitted.certificate_.observed, abs=1e-12)
    assert np.mean(fitted.pruned_tree().predict(X[held_out]) != y[held_out]) == pytest.approx(
        fitted.certificate("pruned").observed, abs=1e-12
    )
    tree = fitted.to_tree()
    assert np.array_equal(tree.predict(X), fitted.predict(X))
    assert np.array_equal(fitted.classes_[fitted.predict_proba(X).argmax(axis=1)], fitted.predict(X))
    fresh, truth = rows(20_000, seed=9)
    for kind in ("vote", "pruned"):
        model = fitted if kind == "vote" else fitted.pruned_tree()
        assert np.mean(model.predict(fresh) != truth) <= fitted.certificate(kind).value


def test_draws_are_charged(fitted):
    model = clone(fitted).fit(*rows(1200))
    first = model.certificate("drawn")
    model.draw()
    assert model.certificate("drawn") == first
    model.draw(draws=4)
    assert model.n_draws_ == 4
    assert model.certificate("drawn").details["draws"] == 4
    model.draw()
    assert model.certificate("drawn").details["draws"] == 4
    assert model.certificate("vote", delta=0.2).value <= model.certificate_.value


def test_files_keep_it(fitted, tmp_path):
    bc.save(fitted, tmp_path / "model.json")
    read = bc.load(tmp_path / "model.json")
    X, _ = rows(500, seed=2)
    assert np.array_equal(read.predict_proba(X), fitted.predict_proba(X))
    for kind in ("vote", "pruned", "drawn", "gibbs"):
        assert read.certificate(kind) == fitted.certificate(kind)
    assert pickle.loads(pickle.dumps(fitted)).certificate_ == fitted.certificate_


@pytest.mark.parametrize(
    "damage",
    [
        {"losses": {"array": [1.0], "dtype": "float64"}},
        {"lam": "x"},
        {"n_priors": 0},
        {"units": {"dict": [["n", 3], ["unit", "row"], ["corrupted", 0.0]]}},
        {"units": {"dict": [["n", 3]]}},
        {"units": 3},
        {"pruning_leaves": {"array": [], "dtype": "bool"}},
        {"delta": 2.0},
        {"vote_risks": {"dict": []}},
        {"seed": "a"},
        {"assumes": None},
        {"more": 1},
    ],
)
def test_a_damaged_file_is_refused(fitted, damage, tmp_path):
    from bristlecone.export.document import make_document, read_document, write_document

    bc.save(fitted, tmp_path / "model.json")
    document = read_document(tmp_path / "model.json")
    payload = json.loads(json.dumps(document["payload"]))
    pairs = dict(payload["certified"]["dict"]) | damage
    payload["certified"] = {"dict": list(map(list, pairs.items()))}
    write_document(make_document(document["kind"], payload), tmp_path / "damaged.json")
    with pytest.raises(ValueError, match=r"damaged\.json"):
        bc.load(tmp_path / "damaged.json")


def test_practical_mode_says_why_not():
    model = bc.PACBayesTreeClassifier(lambda1=1.0, lambda2=1.0).fit(*rows(100))
    assert not hasattr(model, "certificate_")
    said = "a certificate of the vote cannot be had in practical mode: the rows that weigh the prunings have grown the"
    with pytest.raises(AttributeError, match=said):
        model.certificate_  # noqa: B018
    for asked in (model.pruned_tree, model.draw, lambda: model.certificate("gibbs")):
        with pytest.raises(AttributeError, match="mode='certified'"):
            asked()
    with pytest.raises(AttributeError, match="needs a fit: call fit first"):
        certified().certificate("vote")
    with pytest.raises(ValueError, match="kind must be one of 'vote', 'pruned', 'drawn', 'gibbs', got 'holdout'"):
        model.certificate("holdout")


def test_a_fit_in_practical_mode_forgets_the_certificate(fitted):
    model = clone(fitted).fit(*rows(200))
    model.set_params(mode="practical", lambda1=1.0, lambda2=1.0).fit(*rows(200))
    assert not hasattr(model, "certificate_")
    assert model.lambda1_ == 1.0


def test_weights_are_refused_unless_they_are_ones():
    X, y = rows(100)
    with pytest.raises(
        ValueError, match=r"sample_weight, row 0: 2\.0 is not 1\. A certificate counts independent rows"
    ):
        certified().fit(X, y, sample_weight=np.full(100, 2.0))
    with pytest.raises(ValueError, match="sample_weight, row 7"):
        certified().fit(X, y, sample_weight=np.where(np.arange(100) == 7, 0.0, 1.0))
    assert certified().fit(X, y, sample_weight=np.ones(100)).certificate_.n == 50


def test_too_few_rows():
    with pytest.raises(ValueError, match=r"7 certifying row\(s\): a certificate needs at least 8"):
        certified().fit(*rows(14))
    assert certified().fit(*rows(16)).certificate_.value <= 1


def test_groups_and_time():
    X, y = rows(600)
    groups = np.repeat(np.arange(60), 10)
    model = certified().fit(X, y, groups=groups)
    assert (model.certificate_.n, model.certificate_.unit) == (30, "group")
    later = certified(growth_fraction=0.75).fit(X, y, time=np.arange(600))
    assert later.certificate_.n == 150
    assert "rows to come are like the last ones" in later.certificate_.assumes[-1]
    assert later.tree_.threshold.tolist() == bc.grow.cart(X[:450], y[:450]).threshold.tolist()
    with pytest.raises(ValueError, match="groups and time are both given"):
        certified().fit(X, y, groups=groups, time=np.arange(600))
    with pytest.raises(ValueError, match="groups has 3 entries, X has 600 rows"):
        certified().fit(X, y, groups=[1, 2, 3])


def test_tampering(fitted):
    model = certified(corrupted=0.05).fit(*rows(1200))
    assert model.certificate("gibbs").value > fitted.certificate("gibbs").value + 0.02
    assert any("30 of them were tampered with" in said for said in model.certificate_.assumes)


def test_a_class_that_only_one_part_has():
    X, y = rows(300)
    split = split_rows(300, 0.5, 0)
    y = y.astype(object)
    y[:] = ["a" if label else "b" for label in y]
    y[split.held_out[:3]] = "rare"
    model = certified().fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "rare"]
    assert model.certificate_.observed >= 3 / 150
    assert "No certifying row" not in str(model.certificate_)
    y[split.held_out] = "a"
    y[split.growing[:5]] = "b"
    lacking = certified().fit(X, y)
    assert "No certifying row is of class 'b': this bound says nothing of such rows" in str(lacking.certificate_)


def test_a_tree_that_is_there():
    X, y = rows(600)
    theirs = bc.grow.cart(X[:200], y[:200])
    model = certified(base=theirs).fit(X[200:], y[200:])
    assert model.certificate_.n == 200
    with pytest.raises(ValueError, match="base: these are the rows that grew the tree"):
        certified(base=theirs).fit(X[:200], y[:200])
    with pytest.raises(ValueError, match="these are the rows that grew the tree"):
        weigh(theirs, X[:200], y[:200])
    with pytest.raises(ValueError, match="these are the rows that grew the tree"):
        weigh(bc.grow.cart(X, X[:, 0], criterion="squared_error"), X, X[:, 0], risk=bc.certify.Beyond(0.1))


def test_strengths_are_not_looked_at():
    usual = certified().fit(*rows(100)).certificate_
    assert certified(lambda1=3.0, lambda2="bound").fit(*rows(100)).certificate_ == usual


@pytest.mark.parametrize(
    ("model", "grid"),
    [
        (bc.PACBayesTreeClassifier(delta=0.1, selection_folds=3), {"mode": ["practical", "certified"]}),
        (bc.PrunedTreeClassifier(delta=0.1, corrupted=0.01, cv=5, repeats=2), {"rule": ["one_se", "bound"]}),
    ],
)
def test_what_does_not_apply_is_not_looked_at(model, grid):
    """As scikit-learn has it: a grid goes over modes, with parameters that only some of them know."""
    found = GridSearchCV(model, grid, cv=3).fit(*rows(200))
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()


def test_a_tree_that_is_there_and_levels_that_it_does_not_know():
    """They certify as they are answered; of the growing rows, they have no leaf to be counted in."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.random(600), "colour": rng.choice(["red", "green", "blue"], 600)})
    y = np.where((frame.a > 0.5) ^ (frame.colour == "red"), "yes", "no")
    theirs = bc.grow.cart(frame[:200], y[:200])
    new = frame[200:].reset_index(drop=True)
    new.loc[:39, "colour"] = "violet"
    model = certified(base=theirs).fit(new, y[200:])
    split = split_rows(400, 0.5, 0)
    assert model.certificate_.n == 200
    assert model.tree_.n_node_samples[0] == 200 - np.sum(split.growing < 40)
    answers = model.predict(new.iloc[split.held_out])
    assert model.certificate_.observed == pytest.approx(np.mean(answers != y[200:][split.held_out]), abs=1e-12)
    new["colour"] = "violet"
    with pytest.raises(ValueError, match="base: not one of the growing rows comes to a leaf of it"):
        certified(base=theirs).fit(new, y[200:])


@pytest.mark.parametrize("base", ["cart", "dyadic", "kd", bc.DecisionTreeClassifier(max_depth=3, criterion="entropy")])
def test_every_base(base):
    X, y = rows(400)
    model = certified(base=base).fit(X, y)
    assert 0 < model.certificate_.value <= 1


def test_categories_that_the_growing_rows_lack():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 400)
    y = (colour == "red").astype(int)
    split = split_rows(400, 0.5, 0)
    colour[split.held_out[:20]] = "violet"
    model = certified().fit(pd.DataFrame({"colour": colour}), y)
    held_out = split.held_out
    wrong = np.mean(model.predict(pd.DataFrame({"colour": colour[held_out]})) != y[held_out])
    assert wrong == pytest.approx(model.certificate_.observed, abs=1e-12)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"mode": "sure"}, "mode='sure'"),
        ({"growth_fraction": 1.0}, "growth_fraction=1.0"),
        ({"growth_fraction": 0}, "growth_fraction=0"),
        ({"delta": 0.0}, "delta=0.0"),
        ({"delta": "5%"}, "delta='5%'"),
        ({"corrupted": -0.1}, "corrupted=-0.1"),
        ({"corrupted": 1.0}, "corrupted=1.0"),
        ({"corrupted": None}, "corrupted=None"),
    ],
)
def test_bad_parameters(parameters, said):
    with pytest.raises(ValueError, match=said):
        bc.PACBayesTreeClassifier(**parameters).fit(*rows(50))
