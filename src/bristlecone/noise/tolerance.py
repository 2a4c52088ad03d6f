"""How much bad data an estimator stands, measured: it is fitted again under each adversary at each rate. SPEC D9.

trial       one fit. Its rows to learn from were corrupted at a rate; its error is measured on rows that nobody touched.
clean       error of a fit on held-out rows, or on its growing rows as they were; observed: on the rows as they came.
relabelled  the share of growing rows that lie in a leaf of the uncorrupted fit in which the corrupted rows have another
            majority.
repeat      another deal of the rows and another seed of the adversary; the uncorrupted fit is its rate 0.
weight      of a row, which it keeps whatever becomes of its cells and its label. Every share above is one of weight;
            what adversaries draw and count, and rates are about, are rows.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.estimators.foreign import fit_fresh, fresh_classifier, n_leaves, root_split
from bristlecone.grow.cart import thread_count
from bristlecone.grow.parameters import INSIDE, PARAMETERS, check_parameters, number, whole
from bristlecone.grow.targets import Floats, class_target, present_rows
from bristlecone.noise.adversaries import ADVERSARIES
from bristlecone.noise.sample import Corrupted
from bristlecone.noise.tolerance_table import ToleranceReport, Trial
from bristlecone.table.rows import row_count, take_rows

__all__ = ["tolerance_report"]

DEFAULT_RATES = (0.01, 0.02, 0.05, 0.1, 0.2)
DEFAULT_ADVERSARIES = ("random_label_flip", "targeted_label_flip", "insert_worst", "greedy_cancel")

_CHECKS = {
    "n_repeats": whole(1),
    "test_size": INSIDE,
    "random_state": whole(0),
    "n_jobs": PARAMETERS["n_jobs"],
}


@dataclass(frozen=True, slots=True)
class _Deal:
    """The rows of one repeat: to learn from, and held out, with their labels and weights (None: they weigh alike)."""

    repeat: int
    X: Any
    y: npt.NDArray[Any]
    weight: Floats | None
    X_test: Any
    y_test: npt.NDArray[Any]
    weight_test: Floats | None = None


def tolerance_report(  # noqa: PLR0913 - one keyword a choice
    estimator: Any,
    X: Any,
    y: Any,
    *,
    rates: Sequence[float] = DEFAULT_RATES,
    adversaries: Sequence[Any] = DEFAULT_ADVERSARIES,
    n_repeats: int = 5,
    test_size: float = 0.25,
    sample_weight: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> ToleranceReport:
    """Fit an estimator again under every adversary at every rate, and measure what becomes of its clean error.

    estimator: an unfitted classifier, of this library or in scikit-learn's form, or a dict of them by name, which see
    the same corrupted rows. X: array, frame or Table of n_rows rows, as the estimators take it; y: (n_rows,) labels.
    rates: shares of corrupted rows, above 0; the uncorrupted fit is rate 0. adversaries: names in `noise.ADVERSARIES`,
    or functions of (X, y, eta, *, random_state) to a `Corrupted`. n_repeats: deals of the rows, random_state being the
    seed of the first. test_size: the share held out of each; with X_test and y_test all of X is learned from.
    sample_weight: (n_rows,) weights to fit and to measure with; a row of weight 0 is absent. Adversaries do not see
    them: they corrupt rows, each of which keeps its weight. A weight of 3 is thus not three rows, of which one may be
    corrupted, but one row that counts three times; where it stands for three, repeat the row instead. n_jobs: threads;
    the report does not depend on them. Raises ValueError or TypeError naming what is wrong.
    """
    given = {"n_repeats": n_repeats, "test_size": test_size, "random_state": random_state, "n_jobs": n_jobs}
    check_parameters(given, _CHECKS)
    rates = _checked_rates(rates)
    attackers = _named_adversaries(adversaries)
    estimators = {name: fresh_classifier(one) for name, one in _named_estimators(estimator).items()}
    X, labels, weight = present_rows(X, _labels(X, y), sample_weight)
    held_out = _held_out(X_test, y_test, labels)
    deals = [_deal(X, labels, weight, held_out, test_size, random_state + k, k) for k in range(n_repeats)]
    plan = [(name, rate) for name in attackers for rate in rates]
    _refuse_early(attackers, deals[0])
    with ThreadPoolExecutor(thread_count(n_jobs)) as pool:
        clean = dict(
            zip(range(n_repeats), pool.map(lambda deal: _fitted(estimators, deal, deal.X, deal.y), deals), strict=True)
        )

        def attacked(job: tuple[_Deal, tuple[str, float]]) -> list[Trial]:
            deal, (name, rate) = job
            bad = attackers[name](deal.X, deal.y, rate, random_state=_seed(random_state, deal.repeat, name, rate))
            if not isinstance(bad, Corrupted):
                raise TypeError(f"adversaries: {name} returned a {type(bad).__name__}, not a Corrupted")
            return _trials(estimators, deal, bad, name, rate, clean[deal.repeat])

        trials = list(itertools.chain(*pool.map(attacked, itertools.product(deals, plan))))
    untouched = [
        trial
        for deal in deals
        for trial in _trials(
            estimators, deal, Corrupted(deal.X, deal.y, np.empty(0, np.intp)), "", 0.0, clean[deal.repeat]
        )
    ]
    return ToleranceReport(tuple(estimators), tuple(attackers), (0.0, *rates), n_repeats, (*untouched, *trials))


def _refuse_early(attackers: Mapping[str, Any], deal: _Deal) -> None:
    """What this library's adversaries cannot corrupt is refused before the first fit."""
    for name, adversary in attackers.items():
        if name in ADVERSARIES and adversary is ADVERSARIES[name]:
            try:
                adversary(deal.X, deal.y, 0.0, random_state=0)
            except ValueError as fault:
                raise ValueError(f"{name}: {fault}") from fault


def _trials(
    estimators: Mapping[str, Any], deal: _Deal, bad: Corrupted, adversary: str, rate: float, clean: Mapping[str, Any]
) -> list[Trial]:
    models = _fitted(estimators, deal, bad.X, bad.y) if len(bad.indices) else clean
    return [_trial(name, model, deal, bad, adversary, rate, clean[name]) for name, model in models.items()]


def _trial(estimator: str, model: Any, deal: _Deal, bad: Corrupted, adversary: str, rate: float, clean: Any) -> Trial:
    answers = model.predict(deal.X_test)
    roots = [root_split(one) for one in (model, clean)]
    return Trial(
        estimator=estimator,
        adversary=adversary,
        rate=rate,
        repeat=deal.repeat,
        corrupted=_share(np.isin(np.arange(len(deal.y)), bad.indices), deal.weight),
        error=_share(answers != deal.y_test, deal.weight_test),
        growing_error=_share(model.predict(deal.X) != deal.y, deal.weight),
        observed_error=_share(model.predict(bad.X) != bad.y, deal.weight),
        n_leaves=n_leaves(model),
        root="" if roots[0] is None else roots[0][1],
        root_changed=(roots[0] or (None,))[0] != (roots[1] or (None,))[0],
        relabelled=_relabelled(clean, deal, bad),
        changed_answers=_share(answers != clean.predict(deal.X_test), deal.weight_test),
    )


def _share(rows: npt.NDArray[np.bool_], weight: Floats | None) -> float:
    return float(np.average(rows, weights=weight))


def _relabelled(clean: Any, deal: _Deal, bad: Corrupted) -> float | None:
    if not hasattr(clean, "apply"):
        return None
    classes, codes = np.unique(np.concatenate([deal.y, bad.y]), return_inverse=True)
    before, after = np.asarray(clean.apply(deal.X)), np.asarray(clean.apply(bad.X))
    if before.ndim != 1:  # a forest has a leaf a tree
        return None
    leaves, places = np.unique(np.concatenate([before, after]), return_inverse=True)
    n, shape = len(deal.y), (len(leaves), len(classes))
    counts = [
        np.bincount(at * len(classes) + k, deal.weight, minlength=shape[0] * shape[1]).reshape(shape)
        for at, k in ((places[:n], codes[:n]), (places[n:], codes[n:]))
    ]
    changed = (counts[0].argmax(axis=1) != counts[1].argmax(axis=1)) & (counts[1].sum(axis=1) > 0)
    return float(counts[0].sum(axis=1)[changed].sum() / counts[0].sum())


def _fitted(estimators: Mapping[str, Any], deal: _Deal, X: Any, y: npt.NDArray[Any]) -> dict[str, Any]:
    return {name: fit_fresh(estimator, X, y, deal.weight) for name, estimator in estimators.items()}


def _held_out(X_test: Any, y_test: Any, known: npt.NDArray[Any]) -> tuple[Any, npt.NDArray[Any]] | None:
    if (X_test is None) is not (y_test is None):
        raise ValueError("X_test and y_test go together")
    if X_test is None:
        return None
    if row_count(X_test) == 0:
        raise ValueError("X_test has no rows")
    labels = _labels(X_test, y_test, "X_test", "y_test")
    if not set(labels.tolist()) & set(known.tolist()):
        raise ValueError(f"y_test has no label that y has: {labels[0]!r} is none of {np.unique(known).tolist()!r:.100}")
    return X_test, labels


def _deal(
    X: Any, y: npt.NDArray[Any], weight: Floats | None, held_out: Any, test_size: float, seed: int, repeat: int
) -> _Deal:
    if held_out is not None:
        return _Deal(repeat, X, y, weight, *held_out)
    order = np.random.default_rng(seed).permutation(len(y))
    n_test = min(max(round(test_size * len(y)), 1), len(y) - 1)
    test, growing = np.sort(order[:n_test]), np.sort(order[n_test:])
    if (y[growing] == y[growing[0]]).all() and not (y == y[0]).all():
        many = f"{len(growing):,} row{'s' * (len(growing) > 1)}"
        raise ValueError(f"test_size={test_size!r} leaves {many} to learn from, of one class only")
    weights = [None if weight is None else weight[rows] for rows in (growing, test)]
    return _Deal(repeat, take_rows(X, growing), y[growing], weights[0], take_rows(X, test), y[test], weights[1])


def _labels(X: Any, y: Any, X_name: str = "X", y_name: str = "y") -> npt.NDArray[Any]:
    target = class_target(y)
    if row_count(X) != len(target.codes):
        raise ValueError(f"{X_name} has {row_count(X)} rows but {y_name} has {len(target.codes)}")
    labels: npt.NDArray[Any] = target.classes[target.codes]
    return labels


def _seed(random_state: int, repeat: int, adversary: str, rate: float) -> np.random.Generator:
    return np.random.default_rng([random_state, repeat, *adversary.encode(), round(rate * 2**40)])


def _checked_rates(rates: Iterable[float]) -> tuple[float, ...]:
    listed = list(rates) if isinstance(rates, Iterable) and not isinstance(rates, str) else [rates]
    for rate in listed:
        if not number(0.0, 1.0).passes(rate) or rate == 0:
            raise ValueError(f"rates: {rate!r} must be a number above 0 and up to 1")
    if not listed:
        raise ValueError("rates is empty")
    return tuple(sorted({float(rate) for rate in listed}))


def _named_adversaries(adversaries: Any) -> dict[str, Any]:
    alone = isinstance(adversaries, str) or callable(adversaries) or not isinstance(adversaries, Iterable)
    found: dict[str, Any] = {}
    for name, adversary in map(_named_adversary, [adversaries] if alone else adversaries):
        if found.setdefault(name, adversary) is not adversary:
            raise ValueError(f"adversaries: two of them are called {name!r}")
    if not found:
        raise ValueError("adversaries is empty")
    return found


def _named_adversary(adversary: Any) -> tuple[str, Any]:
    if callable(adversary):
        named = adversary.func if isinstance(adversary, functools.partial) else adversary
        return str(getattr(named, "__name__", type(named).__name__)), adversary
    if adversary == "table_shift":
        raise ValueError(
            "adversaries: table_shift needs a second table; give functools.partial(table_shift, to=(X2, y2))"
        )
    if adversary not in ADVERSARIES:
        known = ", ".join(name for name in ADVERSARIES if name != "table_shift")
        raise ValueError(f"adversaries: {adversary!r} is not one of {known}")
    return adversary, ADVERSARIES[adversary]


def _named_estimators(estimator: Any) -> dict[str, Any]:
    if isinstance(estimator, Mapping):
        if not estimator:
            raise ValueError("estimator is an empty dict")
        named = {str(name): one for name, one in estimator.items()}
        if len(named) < len(estimator):
            raise ValueError(f"estimator: two of {list(estimator)!r:.100} have one name")
        return named
    return {type(estimator).__name__: estimator}
