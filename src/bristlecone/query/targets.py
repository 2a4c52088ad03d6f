"""Functions to study learners on: each can be called, is a Tree, and, where it is small, a truth table. SPEC C6.

Labels are -1 and +1. All are over n Boolean variables; what they do not read is irrelevant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.query.bare import BareTree, to_tree
from bristlecone.query.checks import check_whole, first_missing, generator_of
from bristlecone.query.functions import MOST_TABLED, all_points
from bristlecone.tree import Tree

__all__ = ["Target", "balanced", "chain", "junta", "majority", "monotone_dnf", "parity", "random_tree", "tribes"]

Bits = npt.NDArray[np.uint8]
Signs = npt.NDArray[np.int8]
SIGNS = np.array([-1, 1], dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Target:
    """A function of n Boolean variables: name says which; call it with (m, n) arrays of 0 and 1 for (m,) of -1 and
    +1.
    """

    name: str
    n: int
    answers: Callable[[Bits], Any]
    made: Tree | None = None

    def __call__(self, X: npt.NDArray[Any]) -> Signs:
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != self.n:
            raise ValueError(f"X must be (m, {self.n}), got {X.shape}")
        signs: Signs = SIGNS[np.asarray(self.answers(X), dtype=np.intp)]
        return signs

    @property
    def n_features_in_(self) -> int:
        """n, by the name that models have for it."""
        return self.n

    def __repr__(self) -> str:
        return f"<Target: {self.name}, {self.n} variables>"

    @cached_property
    def table(self) -> Signs:
        """All 2^n answers, bit i of the place being x_i. Raises ValueError beyond 26 variables."""
        if self.n > MOST_TABLED:
            raise ValueError(f"a truth table of {self.n} variables is too large")
        size, step = 1 << self.n, 1 << 16
        return np.concatenate([self(all_points(self.n, a, min(a + step, size))) for a in range(0, size, step)])

    @cached_property
    def tree(self) -> Tree:
        """The function as a Tree: the one it was made as, or else one that reads the variables in order.

        Raises ValueError beyond 26 variables for a function that was not made as a tree.
        """
        return self.made if self.made is not None else _in_order(self.table, self.n)


def balanced(depth: int, n: int) -> Target:
    """The full tree of a depth: node v in heap order (from 1) reads variable (v - 1) mod n, or the next one that its
    path does not read; left leaves +1, right leaves -1. Source: SPEC C6, BAL.
    """
    check_whole(1, depth=depth, n=n)
    if depth > n:
        raise ValueError(f"depth must be at most n = {n}, got {depth}")
    bare = BareTree(n)
    node_of_heap, answer = {1: 0}, [0]
    for v in range(1, 1 << depth):
        node, variable = node_of_heap[v], (v - 1) % n
        while variable in bare.path(node):
            variable = (variable + 1) % n
        node_of_heap[2 * v], node_of_heap[2 * v + 1] = bare.split(node, variable)
        answer += [1, 0]
    return _of_bare(f"balanced, depth {depth}", bare, answer)


def chain(leaves: int, n: int) -> Target:
    """A path of min(leaves - 1, n) nodes: node i reads x_i; 1 ends it with +1 for even i and -1 for odd, 0 goes on; the
    last 0 has the sign opposite to its sibling. Source: SPEC C6, CHAIN.
    """
    check_whole(1, leaves=leaves, n=n)
    bare, node, answer = BareTree(n), 0, [1]
    for i in range(min(leaves - 1, n)):
        node, _ = bare.split(node, i)
        answer += [i % 2, 1 - i % 2]
    return _of_bare(f"chain, {bare.n_leaves} leaves", bare, answer)


def random_tree(leaves: int, n: int, random_state: Any = None) -> Target:
    """A tree of random shape: a random leaf is split on a random variable until there are enough; random labels,
    siblings that are both leaves differing. Raises ValueError where n variables do not allow so many leaves.
    """
    check_whole(1, leaves=leaves, n=n)
    if n < 60 and leaves > 1 << n:
        raise ValueError(f"{n} variables allow {1 << n} leaves, not {leaves}")
    generator = generator_of(random_state)
    bare, ends, answer = BareTree(n), [0], [int(generator.integers(2))]
    while len(ends) < leaves:
        k = int(generator.integers(len(ends)))
        free = np.setdiff1d(np.arange(n), bare.path(ends[k]))
        if len(free) == 0:
            continue
        children = bare.split(ends[k], int(generator.choice(free)))
        first = int(generator.integers(2))
        answer += [first, 1 - first]
        ends[k : k + 1] = children
    return _of_bare(f"random tree, {leaves} leaves", bare, answer)


def tribes(width: int, count: int) -> Target:
    """+1 when all variables of one of `count` blocks of `width` are 1."""
    check_whole(1, width=width, count=count)
    blocks = [list(range(width * k, width * (k + 1))) for k in range(count)]
    return replace(monotone_dnf(blocks, width * count), name=f"tribes, {count} of {width}")


def majority(n: int) -> Target:
    """+1 when more than half of the variables are 1."""
    check_whole(1, n=n)
    return Target("majority", n, lambda X: 2 * X.sum(axis=1, dtype=np.int64) > n)


def parity(variables: Sequence[int], n: int) -> Target:
    """+1 when an odd number of the named variables are 1."""
    chosen = _variables(variables, n)
    return Target("parity", n, lambda X: X[:, chosen].sum(axis=1, dtype=np.int64) % 2 == 1)


def junta(table: npt.ArrayLike, variables: Sequence[int], n: int) -> Target:
    """A function of k named variables only: table holds its 2^k answers, above 0 for +1, bit j being variables[j]."""
    chosen = _variables(variables, n)
    answers = np.asarray(table)
    if answers.shape != (1 << len(chosen),):
        raise ValueError(f"table must hold {1 << len(chosen)} answers for {len(chosen)} variables, got {answers.shape}")
    if answers.dtype.kind not in "biuf" or first_missing(answers) is not None:
        raise ValueError(f"table must hold numbers, got {answers.tolist()!r}")
    above, weights = answers > 0, 1 << np.arange(len(chosen), dtype=np.int64)
    return Target("junta", n, lambda X: above[X[:, chosen].astype(np.int64) @ weights])


def monotone_dnf(terms: Sequence[Sequence[int]], n: int) -> Target:
    """+1 when all variables of one of the terms are 1."""
    if not isinstance(terms, Sequence | np.ndarray) or len(terms) == 0:
        raise ValueError(f"terms must be lists of variables, at least one, got {terms!r}")
    chosen = [_variables(term, n) for term in terms]
    return Target("monotone DNF", n, lambda X: np.column_stack([X[:, term].all(axis=1) for term in chosen]).any(axis=1))


def _variables(variables: Sequence[int], n: int) -> list[int]:
    check_whole(1, n=n)
    try:
        chosen = [index(i) for i in variables]
    except TypeError:
        chosen = []
    if not chosen or len(set(chosen)) != len(chosen) or not all(0 <= i < n for i in chosen):
        raise ValueError(f"variables must be distinct ones of 0..{n - 1}, got {variables!r}")
    return chosen


def _of_bare(name: str, bare: BareTree, answer: list[int]) -> Target:
    """A target of the leaves' answers, 0 or 1, one entry a node."""
    answers = np.array(answer)
    left, right, variable = (np.array(held) for held in (bare.left, bare.right, bare.variable))

    def of(X: Bits) -> npt.NDArray[np.int64]:
        node = np.zeros(len(X), dtype=np.int64)
        rows = np.arange(len(X)) if left[0] >= 0 else np.empty(0, dtype=np.int64)
        while len(rows):
            here = node[rows]
            node[rows] = here = np.where(X[rows, variable[here]] == 1, right[here], left[here])
            rows = rows[left[here] >= 0]
        return answers[node]

    weights = np.eye(2)[answers]
    return Target(name, bare.n, of, to_tree(bare, SIGNS, weights, weights.astype(np.int64)))


def _in_order(table: Signs, n: int) -> Tree:
    """The tree that reads variable 0, 1, ... and stops where the answer is settled."""
    bare, answer, waiting = BareTree(n), [0], [(0, 0, table)]
    while waiting:
        node, i, here = waiting.pop()
        settled = (here == here[0]).all()
        answer[node] = int(here[0] > 0)
        if settled:
            continue
        if (here[0::2] == here[1::2]).all():
            waiting.append((node, i + 1, here[0::2]))
            continue
        children = bare.split(node, i)
        answer += [0, 0]
        waiting += [(child, i + 1, here[bit::2]) for bit, child in enumerate(children)]
    weights = np.eye(2)[np.array(answer)]
    return to_tree(bare, SIGNS, weights, weights.astype(np.int64))
