"""TopDownDT: best-first growth to a size, from any class of splitting functions, by any concave impurity. SPEC D1."""

from __future__ import annotations

from typing import Any

import numpy as np

from bristlecone.grow.cart import cart
from bristlecone.grow.impurities import IMPURITIES, Impurity, named_impurity
from bristlecone.grow.parameters import PARAMETERS, Check, check_parameters, none_or, whole
from bristlecone.grow.targets import refuse_continuous
from bristlecone.table import CellError, MadeSchema, Predicates, Table, as_table
from bristlecone.table.errors import CellTypeError
from bristlecone.table.frames import source_of
from bristlecone.tree import Tree

__all__ = ["top_down"]

SPLITS = ("thresholds", "projections", "level_sets")

_CHECKS = PARAMETERS | {
    "size": none_or(whole(1)),
    "splits": Check(
        lambda value: value is None or (isinstance(value, str) and value in SPLITS) or isinstance(value, Predicates),
        f"None, one of {', '.join(map(repr, SPLITS))}, or Predicates",
    ),
}


def top_down(  # noqa: PLR0913 - one keyword a choice, as `cart` has them
    X: Any,
    y: Any,
    size: int | None = None,
    *,
    splits: str | Predicates | None = None,
    impurity: str | Impurity = "gini",
    sample_weight: Any = None,
    zero_gain: str = "split",
    categorical_features: Any = "from_dtype",
    n_jobs: int | None = None,
) -> Tree:
    """Grow TopDownDT: again and again, of all leaves and all splits, make the one that lowers the impurity most.

    X: array, frame or Table of n_rows rows; y: (n_rows,) labels. size: leaves; None grows until no leaf can be split.
    splits: the class H of splitting functions. None: thresholds of numbers and sets of levels of categories; with no
    size and a criterion's name the tree is `cart`'s. "thresholds" refuses categories; "projections" refuses columns of
    more than two values, and missing cells; "level_sets" takes every column as a category. Or `Predicates`: the tree
    then stands on the Boolean columns that they make of X, and reads rows as X is.
    impurity: "gini", "entropy" or "sqrt"; or an `Impurity`, which is of two classes at most, takes no missing cells and
    runs in numpy, many times slower. sample_weight: (n_rows,), zero means absent. zero_gain: "split" goes on, as the
    paper does, where nothing lowers the impurity; "stop" leaves such leaves. A pure leaf is never split.

    Only new leaves are scored, a leaf of the earliest split first where drops are equal. Labels are the heavier class;
    where both weigh the same the lower one, while the paper prints 1[mu >= 1/2].
    Blanc, Lange, Malik and Tan, ICML 2022, Figure 1; SPEC D1. Raises ValueError or TypeError naming the
    parameter or the column.
    """
    given = {"size": size, "splits": splits, "zero_gain": zero_gain, "n_jobs": n_jobs}
    check_parameters(given, _CHECKS)
    impurity = named_impurity(impurity)
    refuse_continuous(y, "cut numbers into classes first")
    table = _table_of(X, splits, categorical_features)
    if impurity.name not in IMPURITIES:
        table.refuse_missing(f"impurity {impurity.name!r} takes none")
    limits = {"max_depth": 0} if size == 1 else {"max_leaf_nodes": size}
    no_missing = splits == "projections" or isinstance(splits, Predicates) or impurity.name not in IMPURITIES
    growth: dict[str, Any] = {"criterion": impurity, "zero_gain": zero_gain, "n_jobs": n_jobs}
    growth["missing"] = "error" if no_missing else "learn"
    return cart(table, y, sample_weight=sample_weight, **growth, **limits)


def _table_of(X: Any, splits: str | Predicates | None, categorical_features: Any) -> Table:
    if splits == "level_sets" and not isinstance(X, Table):
        categorical_features = range(len(source_of(X).names))
    table = as_table(X, categorical_features=categorical_features)
    if isinstance(splits, Predicates):
        table.refuse_infinite()
        return MadeSchema.of(table.schema, splits).read(table)
    if splits == "projections":
        _refuse_many_values(table)
    for column in table.schema.columns if splits in ("thresholds", "level_sets") else ():
        if column.categorical is (splits == "thresholds"):
            kind = "a category, which has no thresholds" if column.categorical else "not a category"
            raise CellTypeError(column.name, None, f"it is {kind} (splits={splits!r})")
    return table


def _refuse_many_values(table: Table) -> None:
    table.refuse_missing("projections take none")
    for column, cells in zip(table.schema.columns, table.columns, strict=True):
        n_values = len(np.unique(cells))
        if n_values > 2:
            raise CellError(column.name, None, f"it has {n_values} values, and a projection needs two at most")
