"""A certificate for any classifier, from rows that it never saw: the plain one, and often the tightest. SPEC A7."""

from __future__ import annotations

from collections.abc import Collection
from numbers import Number
from typing import Any

import numpy as np

from bristlecone.certify.bounds import check_delta, holdout_bound, mean_loss_bound
from bristlecone.certify.certificate import Certificate
from bristlecone.certify.losses import Beyond, Brier, ErrorOfClass, Risk, as_risk
from bristlecone.certify.rows import absent_classes, refuse_weights, targets_of, units_of, unknown_classes
from bristlecone.subtrees.marks import marks_of
from bristlecone.table.rows import check_same_rows
from bristlecone.tree.arrays import Array

__all__ = ["holdout"]


def holdout(  # noqa: PLR0913
    y: Any,
    answers: Any,
    *,
    delta: float = 0.05,
    risk: Any = "error",
    constant: Any = None,
    classes: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    corrupted: float = 0.0,
) -> Certificate:
    """Certify a classifier, or a regressor, by its answers to rows that had no part in making it.

    y: (n_rows,) what is true; answers: (n_rows,) labels or numbers, or probabilities (n_rows, K) for the Brier score.
    constant: the one answer to compare with, by default the commonest label of y (or its median, or its class
    frequencies); by rights that of the growing rows. classes: those that the classifier knows, by default those it
    answers; the certificate notes which of them no row has, and how many rows are of others. risk: as `weigh` takes it;
    a loss matrix or "brier" is over the sorted labels of y, unless it comes as `LossMatrix(matrix, classes)` or
    `Brier(classes)`. groups, corrupted: as `weigh` takes them. sample_weight: None or ones; other weights are refused,
    for n counts independent rows. Errors on rows are counted (Clopper-Pearson); means over groups, costs and scores
    have a bound of their own (Chernoff). SPEC A7. Raises ValueError or TypeError naming the parameter, and for fewer
    than 8 rows or groups.
    """
    truth = targets_of(y, numbers=isinstance(risk, Beyond))
    asked = as_risk(risk, np.unique(truth))
    given = _answers(answers, truth, asked)
    refuse_weights(sample_weight, len(truth))
    units = units_of(truth, asked, groups=groups, corrupted=corrupted)
    shares = asked.shares(truth[units.rows], given[units.rows])
    always = np.broadcast_to(_constant(truth, given, asked, constant), given[units.rows].shape)
    observed = units.mean(shares)
    counted = asked.whole and units.unit == "row"
    if counted:
        value = holdout_bound(round(float(shares.sum())), units.n, check_delta(delta), corrupted=corrupted)
    else:
        value = mean_loss_bound(min(observed + units.tampered / units.n, 1.0), units.n, delta)
    return Certificate(
        value=value * asked.scale,
        delta=delta,
        n=units.n,
        predictor="regressor" if isinstance(asked, Beyond) else "classifier",
        kind="Clopper-Pearson" if counted else "Chernoff",
        assumes=(*units.assumes, "they had no part in making it"),
        notes=_notes(truth, given, asked, classes),
        observed=observed * asked.scale,
        constant=units.mean(asked.shares(truth[units.rows], always)) * asked.scale,
        risk=asked.phrase,
        unit=units.unit,
        details={"radius": asked.radius} if isinstance(asked, Beyond) else {},
    )


def _answers(answers: Any, truth: Array, risk: Risk) -> Array:
    """The answers as an array; ValueError for another shape, for missing ones, and for labels of another kind."""
    if isinstance(risk, Brier):
        check_same_rows(len(np.atleast_1d(answers)), len(truth), "answers")
        return np.asarray(answers)
    given = marks_of(answers, "answers", len(truth))
    kinds = {name: _kind(labels) for name, labels in (("answers", given), ("y", truth))}
    if kinds["answers"] != kinds["y"]:
        raise ValueError(f"answers holds {kinds['answers']}, y {kinds['y']}: they can never agree")
    return given


def _kind(labels: Array) -> str:
    """Numbers, text, or what else labels are."""
    if labels.dtype.kind in "biuf":
        return "numbers"
    if labels.dtype.kind in "US":
        return "text" if labels.dtype.kind == "U" else "bytes"
    kinds = {
        "text" if isinstance(label, str) else "numbers" if isinstance(label, Number) else "values of other types"
        for label in labels.tolist()
    }
    return kinds.pop() if len(kinds) == 1 else "values of several types"


def _notes(truth: Array, answers: Array, risk: Risk, classes: Any) -> tuple[str, ...]:
    """Which classes no row has, and which rows are of classes that the classifier does not know."""
    if isinstance(risk, Beyond | Brier | ErrorOfClass):
        return ()
    known = list(classes) if isinstance(classes, Collection) and not isinstance(classes, str | np.ndarray) else classes
    labels = np.asarray(answers if classes is None else known).tolist()
    if not isinstance(labels, list):
        raise ValueError(f"classes must be the list of those that the classifier knows, got {classes!r}")
    present = set(truth.tolist())
    strange = set(answers.tolist()).difference(labels)
    if strange:
        raise ValueError(f"classes lack {min(strange)!r}, which is among the answers")
    absent = absent_classes(sorted(set(labels) - present))
    strangers = [] if classes is None else sorted(present - set(labels))
    return (*absent, *unknown_classes(strangers, int(np.isin(truth, strangers).sum()) if strangers else 0))


def _constant(truth: Array, answers: Array, risk: Risk, given: Any) -> Any:
    """The answer to compare with, in the form of the answers."""
    if isinstance(risk, Brier):
        usual = np.mean(truth[:, None] == np.asarray(risk.classes)[None, :], axis=0)
        if given is not None and np.shape(given) != usual.shape:
            raise ValueError(f"constant must be one probability for each of {len(usual)} classes, got {given!r}")
        return usual if given is None else given
    if given is not None:
        alone = np.asarray([given], dtype=None if np.ndim(given) == 0 else object)
        if alone.shape != (1,) or _kind(alone) != _kind(truth):
            raise ValueError(f"constant must be one answer, and y holds {_kind(truth)}; got {given!r}")
        return given
    if isinstance(risk, Beyond):
        return np.median(truth)
    values, rows = np.unique(truth, return_counts=True)
    return values[int(np.argmax(rows))]
