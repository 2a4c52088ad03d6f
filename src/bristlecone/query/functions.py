"""Boolean functions that are known, not asked: as a table of all answers, or as a tree over many variables.

function    f: {0, 1}^n -> {0, 1} with the chances of its variables. It knows the chance that it is 1, the influence of
            each variable, and its two restrictions by one variable. Which labels 0 and 1 stand for is kept apart.
table       2^n answers; bit i of the place is variable i. Restrictions have one variable less.
tree        reads single variables; restrictions drop what is decided (cpp/query/boolean_tree.hpp).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.query.checks import first_missing
from bristlecone.query.distributions import ProductDistribution
from bristlecone.query.oracle import Oracle
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["Function", "Known", "TableFunction", "TreeFunction", "all_points", "as_oracle", "boolean", "known"]

MOST_ASKED = 20  # variables of a callable all of whose answers are asked for
MOST_TABLED = 26  # variables of a truth table

BooleanArrays = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint8]]


class Function(Protocol):
    """What growth needs of a Boolean function."""

    @property
    def zeros(self) -> float:
        """The chance of a 0; exactly 0 when there is none."""

    @property
    def ones(self) -> float:
        """The chance of a 1; exactly 0 when there is none."""

    @property
    def influences(self) -> Floats:
        """Re-randomised, (n,), in the variables of the whole function; 0 for those that are fixed."""

    @property
    def constant(self) -> bool:
        """Whether all answers are the same; chances cannot say it, as they may be too small for a float."""

    def restricted(self, i: int) -> tuple[Function, Function]:
        """The function where variable i is 0, and where it is 1."""


@dataclass(frozen=True, eq=False)
class TableFunction:
    """A truth table over `variables` (ascending) of a function of as many variables as p has."""

    table: npt.NDArray[np.uint8]
    p: Floats
    variables: npt.NDArray[np.int64]

    @cached_property
    def _found(self) -> tuple[Floats, float, float]:
        return _core.table_influences(self.table, np.ascontiguousarray(self.p[self.variables]))

    @property
    def ones(self) -> float:
        return self._found[2]

    @property
    def zeros(self) -> float:
        return self._found[1]

    @cached_property
    def influences(self) -> Floats:
        whole = np.zeros(len(self.p))
        whole[self.variables] = self._found[0]
        return whole

    @property
    def constant(self) -> bool:
        return bool(self.table.min() == self.table.max())

    def restricted(self, i: int) -> tuple[TableFunction, TableFunction]:
        axis = int(np.searchsorted(self.variables, i))
        halves = self.table.reshape(-1, 2, 1 << axis)
        rest = np.delete(self.variables, axis)
        low, high = (TableFunction(np.ascontiguousarray(halves[:, b]).ravel(), self.p, rest) for b in (0, 1))
        return low, high


@dataclass(frozen=True, eq=False)
class TreeFunction:
    """A tree over Boolean variables: left children, right children, variables, answers, in pre-order; resolved."""

    arrays: BooleanArrays
    p: Floats
    _no_force: npt.NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8), repr=False)

    @cached_property
    def _found(self) -> tuple[Floats, Floats, float, float]:
        return _core.tree_influences(*self.arrays, self.p)

    @property
    def ones(self) -> float:
        return self._found[3]

    @property
    def zeros(self) -> float:
        return self._found[2]

    @cached_property
    def influences(self) -> Floats:
        return self.rise + self.fall

    @property
    def rise(self) -> Floats:
        """The part of each influence that comes from answers that grow with the variable, (n,)."""
        return self._found[0]

    @property
    def fall(self) -> Floats:
        """The part of each influence that comes from answers that fall with the variable, (n,)."""
        return self._found[1]

    @property
    def constant(self) -> bool:
        return len(self.arrays[0]) == 1  # resolved: a branch of equal answers is one leaf

    def restricted(self, i: int) -> tuple[TreeFunction, TreeFunction]:
        low, high = (
            TreeFunction(_core.restrict_tree(*self.arrays, self._no_force, int(i), value), self.p)
            for value in (False, True)
        )
        return low, high


@dataclass(frozen=True, eq=False)
class Known:
    """A function whose every answer is known: the labels of 0 and 1, and the queries that it took to learn it."""

    function: TableFunction | TreeFunction
    classes: npt.NDArray[Any]
    n_queries: int = 0
    oracle: Oracle | None = None


def known(f: Any, dist: ProductDistribution) -> Known:
    """f as a function over the Boolean coordinates of dist.

    f: a truth table (2^n,) of two kinds of labels, a Tree over n columns of 0 and 1, or a callable on (m, n) uint8
    arrays, all of whose 2^n answers are asked for (n <= 20). Raises ValueError or TypeError for anything else.
    """
    p = boolean(dist)
    if isinstance(f, Tree):
        return _of_tree(f, p)
    if isinstance(f, Oracle) or callable(f) or hasattr(f, "predict"):
        return _of_oracle(as_oracle(f, dist), p)
    table = np.asarray(f)
    if table.ndim == 0:
        raise TypeError(f"f must be a truth table, a callable, a model with predict, an Oracle or a Tree, got {f!r}")
    return _of_table(table, p)


def as_oracle(f: Any, dist: ProductDistribution) -> Oracle:
    """f as something to ask about (m, n) uint8 arrays: a callable, a model, a Tree, a truth table, or an Oracle."""
    reads = getattr(f, "n_features_in_", None)
    if isinstance(reads, int | np.integer) and reads != dist.n:
        raise ValueError(f"f reads {reads} columns, dist has {dist.n} coordinates")
    if isinstance(f, Oracle):
        if f.most_kinds is None or f.most_kinds > 2:
            raise ValueError(
                f"this is about two kinds of labels, and the Oracle was made with most_kinds={f.most_kinds}"
            )
        return f
    if isinstance(f, Tree):
        target = known(f, dist)
        return Oracle(lambda X: f.predict(X.astype(np.float64)), most_kinds=len(target.classes))
    if callable(f) or hasattr(f, "predict"):
        return Oracle(f)
    target = known(f, dist)
    assert isinstance(target.function, TableFunction)
    labels, weights = target.classes[target.function.table], 1 << np.arange(dist.n, dtype=np.int64)
    return Oracle(lambda X: labels[X @ weights])


def boolean(dist: ProductDistribution) -> Floats:
    """The chances of a Boolean distribution. Raises TypeError for any other."""
    if not isinstance(dist, ProductDistribution):
        raise TypeError(f"dist must be a ProductDistribution, got {type(dist).__name__}")
    if not dist.boolean:
        raise TypeError(
            "dist has general coordinates, and this is about Boolean ones; query.distill learns on general ones"
        )
    return dist.p


def all_points(n: int, start: int, stop: int) -> npt.NDArray[np.uint8]:
    """The points at places start .. stop - 1 of a truth table of n variables, (stop - start, n)."""
    places = np.arange(start, stop, dtype=np.int64)
    return ((places[:, None] >> np.arange(n)) & 1).astype(np.uint8)


def _of_table(table: npt.NDArray[Any], p: Floats) -> Known:
    n = len(p)
    if n > MOST_TABLED:
        raise ValueError(f"a truth table of {n} variables is too large; give the function as a Tree")
    if table.shape != (1 << n,):
        raise ValueError(f"f must be a truth table of shape ({1 << n},) for {n} variables, got {table.shape}")
    missing = first_missing(table)
    if missing is not None:
        raise ValueError(f"f: entry {missing} of the truth table is missing")
    least, most = (table.min(), table.max()) if table.dtype == np.uint8 else (0, 2)
    if most <= 1:  # no need to sort millions of them
        classes, codes = np.unique([least, most]), table if least < most else np.zeros_like(table)
    else:
        try:
            classes, codes = np.unique(table, return_inverse=True)
        except TypeError as fault:
            raise TypeError(f"f: its labels cannot be put in order: {fault}") from None
    if len(classes) > 2:
        raise ValueError(f"f has more than two labels: {', '.join(map(repr, classes[:3].tolist()))}")
    function = TableFunction(np.ascontiguousarray(codes, dtype=np.uint8), p, np.arange(n))
    return Known(function, classes)


def _of_oracle(oracle: Oracle, p: Floats) -> Known:
    n = len(p)
    if n > MOST_ASKED:
        raise ValueError(
            f"f would be asked all 2^{n} questions; give it as a Tree, or learn it from samples: query.learn_tree, "
            "query.influence(..., n_samples=...)"
        )
    before, size = oracle.n_queries, 1 << n
    parts = [
        oracle.kinds(all_points(n, a, min(a + oracle.batch_size, size))) for a in range(0, size, oracle.batch_size)
    ]
    oracle.final_check()
    classes, rank = oracle.classes()
    codes = rank[np.concatenate(parts)].astype(np.uint8)
    return Known(TableFunction(codes, p, np.arange(n)), classes, oracle.n_queries - before, oracle)


def _of_tree(tree: Tree, p: Floats) -> Known:
    if tree.classes is None:
        raise TypeError("f is a regression tree; influences are about two kinds of labels")
    if tree.n_features != len(p):
        raise ValueError(f"f reads {tree.n_features} columns, dist has {len(p)} coordinates")
    inner = tree.children_left >= 0
    if np.isnan(tree.threshold[inner]).any():
        raise TypeError("f splits a category; its columns must be 0 or 1")
    used = np.unique(tree.label[~inner])
    if len(used) > 2:
        raise ValueError(f"f has more than two labels: {', '.join(map(repr, tree.classes[used[:3]].tolist()))}")
    # x < t decides nothing for x in {0, 1} unless 0 < t <= 1
    forced = np.where(inner & (tree.threshold <= 0), 2, np.where(inner & (tree.threshold > 1), 1, 0)).astype(np.uint8)
    answer = np.searchsorted(used, tree.label).clip(max=1).astype(np.uint8)
    variable = np.where(inner, tree.feature, -1).astype(np.int32)
    children = np.ascontiguousarray(tree.children_left), np.ascontiguousarray(tree.children_right)
    arrays = _core.restrict_tree(*children, variable, answer, forced, -1, False)
    return Known(TreeFunction(arrays, p), tree.classes[used])
