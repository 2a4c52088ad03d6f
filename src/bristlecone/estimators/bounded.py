"""rule="bound": one part of the rows grows the tree, the other chooses its pruning and certifies it. SPEC A7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bristlecone.certify import Certificate
from bristlecone.certify.frontier import frontier
from bristlecone.certify.losses import is_risk
from bristlecone.estimators.certified import certified_fit
from bristlecone.estimators.dealing import check_marks, seed_of
from bristlecone.estimators.pac_bayes import BETWEEN, SHARE
from bristlecone.grow.parameters import Check
from bristlecone.subtrees.selection import Growth, Selection

__all__ = ["BOUND", "CHECKS", "NOT_BOUNDED", "bounded_selection", "is_matrix", "risk_of"]

BOUND = "bound"
CHECKS: Mapping[str, Check] = {"growth_fraction": BETWEEN, "delta": BETWEEN, "corrupted": SHARE}
NOT_BOUNDED = (
    "a certificate needs rows that had no part in growing the tree, and of this fit all had. Fit with rule='bound', "
    "where a part of the rows grows and the others choose the pruning and certify it, or certify this model by its "
    "answers to fresh rows: bristlecone.certify.holdout(y, model.predict(X))"
)


def risk_of(given: Any, task: str, matrix: Any, owner: str) -> Any:
    """What is bounded, as `certify.weigh` takes it. given: the parameter `risk`; matrix: the costs of growth, or None.

    Raises ValueError where there is no bound on it.
    """
    if is_matrix(given) or is_risk(given):
        return given
    if task == "regression":
        raise ValueError(
            f"{owner}: risk={given!r}: rule='bound' needs a loss with a limit, and squared errors have none; give "
            "risk=bristlecone.certify.Beyond(radius), the chance of being off by more than the radius"
        )
    if given == "impurity":
        raise ValueError(
            f"{owner}: risk='impurity' has no bound; with rule='bound' give 'misclassification', or one of "
            "bristlecone.certify's: Brier(classes), ErrorOfClass(label), LossMatrix(matrix, classes)"
        )
    return "error" if matrix is None else matrix


def is_matrix(given: object) -> bool:
    """Whether a risk is given as a table of costs; `certify.weigh` says what is wrong with it."""
    return isinstance(given, list | tuple | np.ndarray) and np.ndim(np.asarray(given, dtype=object)) == 2


def bounded_selection(
    growth: Growth, risk: Any, parameters: Mapping[str, Any], groups: Any, time: Any
) -> tuple[Selection, Certificate]:
    """The pruning of least bound, what there was to choose from, and its certificate.

    parameters: growth_fraction, delta, corrupted and random_state by name. Raises ValueError as `certify.weigh` does.
    """
    check_marks(groups, time, growth.table.n_rows)
    asked = {name: parameters[name] for name in ("delta", "corrupted")}
    fraction, seed = parameters["growth_fraction"], seed_of(parameters["random_state"])
    weighed = certified_fit(growth, fraction=fraction, seed=seed, groups=groups, time=time, risk=risk, **asked)
    table = frontier(weighed)
    selection = Selection(weighed.pruned, float(table.strength[table.chosen]), table, None)
    return selection, weighed.of_pruning()
