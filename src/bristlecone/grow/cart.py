"""CART: the exact greedy tree. SPEC B1-B2."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from bristlecone.grow.criteria import Criterion
from bristlecone.grow.limits import Limits
from bristlecone.grow.monotone import directions
from bristlecone.grow.parameters import check_parameters
from bristlecone.grow.targets import ClassTarget, Floats, check_weights, class_target, numeric_target
from bristlecone.grow.units import grow_in_units
from bristlecone.grow.weighting import ClassWeighting, expected_loss_labels, weigh_classes
from bristlecone.table import Table, as_table
from bristlecone.tree import Tree

__all__ = ["cart"]


def cart(  # noqa: PLR0913 - one keyword a choice, as scikit-learn has them
    X: Any,
    y: Any,
    *,
    criterion: str = "gini",
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
    "poisson" (half deviance, y >= 0) for numbers. sample_weight: (n_rows,), zero means absent, whole weights equal
    repeated rows. class_weight: "balanced" (n_rows / (K * rows of the class)) or one weight a class; priors: one share
    a class; loss: (K, K) with true classes in rows, zero diagonal; see `grow.weighting`.
    monotonic_cst: -1, 0 or 1 a column, in order or by name. missing: "learn" a side at every split that saw missing
    cells (else the heavier child), or "error". unseen: what a level does that a node does not know: "stop" there,
    "heavier" child, or "error". n_runners: how many runner-up splits every node keeps. n_jobs: threads, -1 for all;
    the tree does not depend on them. limits: the fields of `grow.limits.Limits`, with scikit-learn's defaults.

    Left is x < t in float64, t the midpoint of neighbouring values of the node. Ties go to the lowest column, then the
    lowest threshold, then missing cells left. Raises ValueError or TypeError naming the parameter, column or row.
    """
    choices = {"criterion": criterion, "unseen": unseen, "missing": missing}
    check_parameters(choices | {"n_runners": n_runners})
    rules = Limits(**limits)
    table = as_table(X, categorical_features=categorical_features)
    if missing == "error":
        table.refuse_missing()
    weights = check_weights(sample_weight, table.n_rows)
    options: dict[str, Any] = {
        "n_runners": int(n_runners),
        "n_threads": thread_count(n_jobs),
        "small_node": _small_node,
    }
    if Criterion(criterion).task == "regression":
        if not (class_weight is None and priors is None and loss is None):
            raise ValueError(f"class_weight, priors and loss need a criterion over classes; got {criterion!r}")
        options["monotone"] = directions(monotonic_cst, table.schema, n_classes=0)
        return _grow_regression(table, numeric_target(y, criterion), weights, rules, options, choices)
    target = class_target(y)
    _check_rows(table, len(target.codes))
    options["monotone"] = directions(monotonic_cst, table.schema, target.n_classes)
    weighting = weigh_classes(target, weights, class_weight, priors, loss)
    return _grow_classes(table, target, weighting, rules, options, choices)


_CLASS_ARRAYS = ("label", "count_ptr", "count_class", "count_weight", "count_rows")


def _grow_regression(
    table: Table, y: Floats, weights: Floats | None, rules: Limits, options: dict[str, Any], choices: dict[str, str]
) -> Tree:
    _check_rows(table, len(y))
    options |= _resolved(rules, table, weights)
    arrays = grow_in_units(table.core, Criterion(choices["criterion"]).kernel, None, 0, y, weights, options)
    runners = arrays.pop("runners")
    for name in _CLASS_ARRAYS:
        del arrays[name]
    return Tree.from_arrays(table.schema, "regression", None, arrays, **choices, runners=runners)


def _grow_classes(
    table: Table,
    target: ClassTarget,
    weighting: ClassWeighting,
    rules: Limits,
    options: dict[str, Any],
    choices: dict[str, str],
) -> Tree:
    options |= _resolved(rules, table, weighting.weights)
    kernel = Criterion(choices["criterion"]).kernel
    # Zero weight means absent: the core sees only the classes that have weight.
    live = target.live(weighting.weights)
    place = np.zeros(target.n_classes, dtype=np.int32)
    place[live] = np.arange(len(live), dtype=np.int32)
    codes = target.codes if len(live) == target.n_classes else place[target.codes]
    arrays = grow_in_units(table.core, kernel, codes, len(live), None, weighting.weights, options)
    arrays["label"], arrays["count_class"] = live[arrays["label"]], live[arrays["count_class"]]
    given = choices | {"runners": arrays.pop("runners")}
    tree = Tree.from_arrays(table.schema, "classification", target.classes, arrays, **given)
    return tree if weighting.loss is None else _answer_by_loss(tree, arrays, weighting, given)


def _resolved(rules: Limits, table: Table, weights: Floats | None) -> dict[str, Any]:
    if weights is None:
        return rules.resolve(table.n_rows, float(table.n_rows))
    return rules.resolve(int(np.count_nonzero(weights)), float(weights.sum()))


def _answer_by_loss(tree: Tree, arrays: dict[str, Any], weighting: ClassWeighting, choices: dict[str, Any]) -> Tree:
    """Counts without the loss matrix's factor, and answers that cost least."""
    if weighting.alteration is not None:
        arrays = arrays | {"count_weight": arrays["count_weight"] / weighting.alteration[arrays["count_class"]]}
    plain = Tree.from_arrays(tree.schema, tree.task, tree.classes, arrays, **choices)
    assert weighting.loss is not None
    arrays = arrays | {"label": expected_loss_labels(plain.counts, weighting.loss)}
    return Tree.from_arrays(tree.schema, tree.task, tree.classes, arrays, **choices)


def thread_count(n_jobs: int | None) -> int:
    """Threads to use: None is 1, -1 all cores, -2 all but one, and so on. Raises ValueError for 0."""
    check_parameters({"n_jobs": n_jobs})
    if n_jobs is None:
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(int(n_jobs), 1024) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))


def _check_rows(table: Table, n_targets: int) -> None:
    if table.n_rows != n_targets:
        raise ValueError(f"X has {table.n_rows} rows but y has {n_targets}: inconsistent numbers of samples")
