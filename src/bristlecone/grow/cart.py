"""CART: the exact greedy tree. SPEC B1-B2."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.grow.concave import grow_concave
from bristlecone.grow.criteria import Criterion
from bristlecone.grow.impurities import Impurity, criterion_check, criterion_of
from bristlecone.grow.limits import in_core_terms, limits_of
from bristlecone.grow.monotone import directions
from bristlecone.grow.parameters import PARAMETERS, check_parameters
from bristlecone.grow.targets import ClassTarget, Floats, check_weights, class_target, numeric_target, refuse_continuous
from bristlecone.grow.units import grow_in_units
from bristlecone.grow.weighting import ClassWeighting, expected_loss_labels, weigh_classes
from bristlecone.table import Table, as_table
from bristlecone.table.rows import check_same_rows
from bristlecone.tree import Tree
from bristlecone.tree.arrays import frozen, unused
from bristlecone.tree.validation import TASKS

__all__ = ["cart"]

_CHECKS = {**PARAMETERS, "criterion": criterion_check(*TASKS)}


def cart(  # noqa: PLR0913 - one keyword a choice, as scikit-learn has them
    X: Any,
    y: Any,
    *,
    criterion: str | Impurity = "gini",
    sample_weight: Any = None,
    class_weight: Any = None,
    priors: Any = None,
    loss: Any = None,
    monotonic_cst: Any = None,
    categorical_features: Any = "from_dtype",
    missing: str = "learn",
    unseen: str = "stop",
    n_runners: int = 0,
    n_jobs: int | None = None,
    _small_node: int = -1,
    **limits: Any,
) -> Tree:
    """Grow the exact greedy tree: every node takes the best of all splits of all columns.

    X: array, frame or Table of n_rows rows; NaN is a missing cell. y: (n_rows,) labels or numbers.
    criterion: "gini", "entropy" (bits), "sqrt" or "gain_ratio" over classes; "squared_error", "absolute_error" or
    "poisson" (half deviance, y >= 0) for numbers; or a `grow.Impurity`, for two classes, which takes no missing cells,
    monotonic_cst or n_runners and runs in numpy, many times slower. sample_weight: (n_rows,), zero means absent, whole
    weights equal repeated rows. class_weight: "balanced" (n_rows / (K * rows of the class)) or one weight a class;
    priors: one share a class; loss: (K, K) with true classes in rows, zero diagonal; see `grow.weighting`.
    monotonic_cst: -1, 0 or 1 a column, in order or by name. missing: "learn" a side at every split that saw missing
    cells (else the heavier child), or "error". unseen: what a level does that a node does not know: "stop" there,
    "heavier" child, or "error". n_runners: how many runner-up splits every node keeps. n_jobs: threads, -1 for all;
    the tree does not depend on them. limits: the fields of `grow.limits.Limits`, with scikit-learn's defaults.

    Left is x < t in float64, t the midpoint of neighbouring values of the node. Ties go to the lowest column, then the
    lowest threshold, then missing cells left. Raises ValueError or TypeError naming the parameter, column or row.
    """
    words = {"criterion": criterion, "unseen": unseen, "missing": missing}
    parameters = words | {"n_runners": n_runners, "n_jobs": n_jobs}
    check_parameters(parameters, _CHECKS)
    rules = limits_of(limits, "cart").values()
    if not (isinstance(criterion, str) and Criterion(criterion).task == "regression"):
        refuse_continuous(y, "give a criterion of numbers, such as 'squared_error'")
    table = as_table(X, categorical_features=categorical_features)
    of_classes = {"class_weight": class_weight, "priors": priors, "loss": loss}
    given = parameters | of_classes | {"monotonic_cst": monotonic_cst, "small_node": _small_node}
    return grow_checked(table, y, sample_weight, rules, given)


def grow_checked(table: Table, y: Any, sample_weight: Any, rules: Mapping[str, Any], given: Mapping[str, Any]) -> Tree:
    """As `cart`, from a table and from parameters that have passed `check_parameters`.

    rules: the limits by name. given: criterion, unseen, missing, monotonic_cst, n_jobs, and where wanted class_weight,
    priors, loss, n_runners and small_node. Raises ValueError for what does not fit the data.
    """
    if given["missing"] == "error":
        table.refuse_missing()
    weights = check_weights(sample_weight, table.n_rows)
    criterion = criterion_of(given["criterion"])
    classes = [given.get(name) for name in ("class_weight", "priors", "loss")]
    options: dict[str, Any] = {
        "n_runners": int(given.get("n_runners", 0)),
        "n_threads": thread_count(given["n_jobs"]),
        "small_node": given.get("small_node", -1),
    }
    named = criterion.name if isinstance(criterion, Impurity) else criterion.value
    choices = {"criterion": named, "unseen": given["unseen"], "missing": given["missing"]}
    if isinstance(criterion, Criterion) and criterion.task == "regression":
        if any(value is not None for value in classes):
            raise ValueError(f"class_weight, priors and loss need a criterion over classes; got {criterion.value!r}")
        options["monotone"] = directions(given["monotonic_cst"], table.schema, n_classes=0)
        return _grow_regression(table, numeric_target(y, criterion.value), weights, rules, options, choices)
    target = class_target(y)
    check_same_rows(table.n_rows, len(target.codes))
    options["monotone"] = directions(given["monotonic_cst"], table.schema, target.n_classes)
    weighting = weigh_classes(target, weights, *classes)
    return _grow_classes(table, target, weighting, rules, options, criterion, choices)


def _grow_regression(
    table: Table,
    y: Floats,
    weights: Floats | None,
    rules: Mapping[str, Any],
    options: dict[str, Any],
    choices: dict[str, str],
) -> Tree:
    check_same_rows(table.n_rows, len(y))
    options |= _resolved(rules, table, weights)
    arrays = grow_in_units(table.core, Criterion(choices["criterion"]).kernel, None, 0, y, weights, options)
    runners = arrays.pop("runners")
    none = unused("regression", len(arrays["label"]))
    held = arrays | {name: frozen(none[name]) for name in ("label", "count_ptr")}
    return Tree.grown(table.schema, "regression", None, held, **choices, runners=runners)


def _grow_classes(
    table: Table,
    target: ClassTarget,
    weighting: ClassWeighting,
    rules: Mapping[str, Any],
    options: dict[str, Any],
    criterion: Criterion | Impurity,
    choices: dict[str, str],
) -> Tree:
    options |= _resolved(rules, table, weighting.weights)
    # Zero weight means absent: the core sees only the classes that have weight.
    live = target.live(weighting.weights)
    codes, n_live = (target.codes, target.n_classes) if live is None else (_places(live, target), len(live))
    if isinstance(criterion, Impurity):
        arrays = grow_concave(table, codes, n_live, weighting.weights, criterion, options)
    else:
        arrays = grow_in_units(table.core, criterion.kernel, codes, n_live, None, weighting.weights, options)
    if live is not None:
        for name in ("label", "count_class"):
            arrays[name] = frozen(live[arrays[name]])
    given = choices | {"runners": arrays.pop("runners")}
    tree = Tree.grown(table.schema, "classification", target.classes, arrays, **given)
    return tree if weighting.loss is None else _answer_by_loss(tree, arrays, weighting, given)


def _places(live: npt.NDArray[np.int32], target: ClassTarget) -> npt.NDArray[np.int32]:
    """The labels as places among the live classes; rows of other classes have no weight."""
    place = np.zeros(target.n_classes, dtype=np.int32)
    place[live] = np.arange(len(live), dtype=np.int32)
    return place[target.codes]


def _resolved(rules: Mapping[str, Any], table: Table, weights: Floats | None) -> dict[str, Any]:
    if weights is None:
        return in_core_terms(rules, table.n_rows, float(table.n_rows))
    return in_core_terms(rules, int(np.count_nonzero(weights)), float(weights.sum()))


def _answer_by_loss(tree: Tree, arrays: dict[str, Any], weighting: ClassWeighting, choices: dict[str, Any]) -> Tree:
    """Counts without the loss matrix's factor, and answers that cost least."""
    if weighting.alteration is not None:
        unaltered = arrays["count_weight"] / weighting.alteration[arrays["count_class"]]
        arrays = arrays | {"count_weight": frozen(unaltered)}
    plain = Tree.grown(tree.schema, tree.task, tree.classes, arrays, **choices)
    assert weighting.loss is not None
    arrays = arrays | {"label": frozen(expected_loss_labels(plain.counts, weighting.loss))}
    return Tree.grown(tree.schema, tree.task, tree.classes, arrays, **choices)


def thread_count(n_jobs: int | None) -> int:
    """Threads to use: None is 1, -1 all cores, -2 all but one, and so on. Raises ValueError for 0."""
    if n_jobs is None:
        return 1
    check_parameters({"n_jobs": n_jobs})
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(int(n_jobs), 1024) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))
