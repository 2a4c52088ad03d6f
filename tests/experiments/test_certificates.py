"""The trials of certificates: on known truths they can fail, and do where they must; on real rows all kinds stand."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from bristlecone.experiments import certificates
from bristlecone.experiments.certificates import tightness
from bristlecone.experiments.certificates_validity import DELTA, DRAWS, PROBLEMS, Trial, by_kind, summary, trials
from bristlecone.experiments.study import Loaded

STEP, NOISE, CLASSES = PROBLEMS


def test_a_truth_is_a_sum():
    for problem in PROBLEMS:
        chances = problem.chances(problem.places)
        assert chances.sum(axis=1) == pytest.approx(1.0)
        X, y = problem.rows(2000, np.random.default_rng(0))
        assert abs(np.mean(y == 0) - chances[:, 0].mean()) < 0.05
        assert set(map(tuple, X)) <= set(map(tuple, problem.places))


def test_growing_rows_that_weigh_again_are_caught():
    found = by_kind(summary(list(trials(NOISE, 6))))
    for kind in ("invalid: gibbs", "invalid: pruned"):
        assert found[kind][0].violations == 6
        assert found[kind][0].ratio < 0.9
    for kind in ("gibbs, kl", "vote, least", "pruned", "drawn"):
        assert found[kind][0].violations == 0
    assert found["gibbs, kl"][0].ratio <= found["gibbs, lambda"][0].ratio


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_certificates_hold(problem):
    n = 40
    for one in summary(list(trials(problem, n))):
        assert one.draws == n
        if one.kind.startswith("invalid"):
            assert one.violations > n / 2
        elif "uncharged" not in one.kind:
            # 5 % of the draws, and what chance may add to that once in a thousand runs
            assert one.violations <= 3 + 3.3 * np.sqrt(n * DELTA), one


def test_the_summary_counts():
    rows = [Trial("a", k, "kind", bound, 0.2) for k, bound in enumerate((0.1, 0.3, 0.2))]
    (one,) = summary(rows)
    assert (one.draws, one.violations, one.ratio) == (3, 1, pytest.approx(1.0))
    assert DRAWS == 50


def test_every_kind_on_real_rows():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    rows = list(tightness("tumours", X, y, splits=1))
    names = ["gibbs", "drawn", "pruned", "vote"]
    assert [row.kind for row in rows] == [*names, *(f"informed {name}" for name in names), "hold-out"]
    assert all(0 <= row.test <= row.bound <= 1 or row.kind == "hold-out" for row in rows)
    assert {row.kind: row.n for row in rows}["gibbs"] == 228
    assert {row.kind: row.n for row in rows}["hold-out"] == 91


def test_a_set_with_and_without_a_column(monkeypatch):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.assign(patient=[f"p{k}" for k in range(len(X))])
    monkeypatch.setattr(certificates, "WITHOUT", {"tumours": "patient"})
    found = list(certificates.of_set(Loaded("tumours", X, y, regression=False), splits=1))
    assert [row.set for row in found] == ["tumours"] * 9 + ["tumours, no patient"] * 9
    leaves = {(row.set, row.kind): row.leaves for row in found}
    assert leaves["tumours", "hold-out"] == 1 < leaves["tumours, no patient", "hold-out"]
