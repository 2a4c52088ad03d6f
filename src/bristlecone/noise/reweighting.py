"""The advantage over every reweighting of a sample: weak learning as boosting defines it. SPEC D3, Definition 2.4.

game         somebody weighs the rows, somebody else answers with a question or its opposite; its advantage is half of
             Pr[right] - Pr[wrong], and the weights that make the largest advantage least are looked for.
surplus      of some rows under the weights: their weight of the second class less that of the first.
run          neighbouring values of a number, or any levels of a category, whose rows are all of one class. Their
             surpluses have one sign, so that the best question never parts them: they become one code.
program      a sparse one, though the questions are many: a column's surpluses by code say all about its questions.
             Of a number: a threshold's is a sum of the first codes. Of a category: the best set has all of one sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import linprog

from bristlecone.noise.questions import Questions

__all__ = ["reweighted_advantage"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]
Mask = npt.NDArray[np.bool_]

ROUNDING = 1e-12
"""Of weights that sum to one: what lies below is no advantage."""


def reweighted_advantage(questions: Questions, second: Mask) -> float:
    """The largest gamma so that under every reweighting of the rows some question is right with chance 1/2 + gamma.

    Opposites, and questions that all rows answer alike, are among them. second: (n_rows,). It is 0 where rows with
    equal cells differ in label. The value is that of the weights that were found, which no other undercuts by more
    than the solver's tolerance. Raises RuntimeError where the linear program is not solved.
    """
    rows, share = _different(questions.codes.T, second)
    if ((share > 0) & (share < 1)).any():
        return 0.0
    second = share > 0.5
    columns = [
        _joined(codes, second, int(n_codes) - 1, bool(categorical))
        for codes, n_codes, categorical in zip(rows.T, questions.n_codes, questions.categorical, strict=True)
    ]
    columns = [column for column in columns if len(column.mixed) > 1]
    if not columns:  # the rows do not differ, and are of one class
        return 0.5
    rows, share = _different(np.column_stack([column.codes for column in columns]), second)
    sign = 2.0 * share - 1.0  # codes that were joined are of one class
    columns = [_Column(codes, *column.kind) for codes, column in zip(rows.T, columns, strict=True)]
    weight = _least_favourable(sign, columns)
    most = max([abs(float(weight @ sign)), *(column.most(weight * sign) for column in columns)])
    return most / 2 if most > ROUNDING else 0.0


def _different(rows: Ints, second: Mask) -> tuple[Ints, Floats]:
    """The different rows, and the share of the second class among the equal ones."""
    found, at = np.unique(rows, axis=0, return_inverse=True)
    return found, np.bincount(at.ravel(), second) / np.bincount(at.ravel())


@dataclass(frozen=True, slots=True)
class _Column:
    """codes: (n_rows,) from 0, each of them present, a missing cell's last. mixed: (n_codes,), has both classes."""

    codes: Ints
    mixed: Mask
    categorical: bool
    missing: bool

    @property
    def kind(self) -> tuple[Mask, bool, bool]:
        return self.mixed, self.categorical, self.missing

    def most(self, surplus: Floats) -> float:
        """The largest |Pr[right] - Pr[wrong]| of its questions; surplus: (n_rows,) of each row."""
        of_code = np.bincount(self.codes, surplus, len(self.mixed))
        if self.categorical:
            return float(np.abs(of_code).sum())
        below = np.cumsum(of_code[: len(of_code) - self.missing])
        found = np.abs(2 * below - of_code.sum()).max()
        if self.missing:
            found = max(found, np.abs(2 * (below + of_code[-1]) - of_code.sum()).max())
        return float(found)


def _joined(codes: Ints, second: Mask, missing: int, categorical: bool) -> _Column:
    """A column with its runs joined."""
    present, at = np.unique(codes, return_inverse=True)
    has_missing = bool(present[-1] == missing)
    share = np.bincount(at, second) / np.bincount(at)
    kind = np.where(share == 0, 0, np.where(share == 1, 1, 2))
    if categorical:  # a missing cell is one more level
        place = np.where(kind < 2, kind, 2 + np.cumsum(kind == 2))[at]
        found, joined = np.unique(place, return_inverse=True)
        return _Column(joined, found >= 2, True, False)
    begins = np.append(True, (kind[1:] != kind[:-1]) | (kind[1:] == 2))
    begins[-1] |= has_missing
    return _Column((np.cumsum(begins) - 1)[at], kind[begins] == 2, False, has_missing)


@dataclass(frozen=True, slots=True)
class _Part:
    """A column's part of the program, over its own variables u, the weights D, their surplus T and the value g.

    equal: equal_D D + equal_u u = 0. within: within_D D + within_T T + within_u u <= within_g g.
    """

    equal_D: Any
    equal_u: Any
    within_D: Any
    within_T: Floats
    within_u: Any
    within_g: Floats


def _part(column: _Column, sign: Floats) -> _Part:
    n = len(sign)
    surplus = sparse.csr_array((sign, (column.codes, np.arange(n))), shape=(len(column.mixed), n))
    return _category(column, surplus) if column.categorical else _number(column, surplus)


def _number(column: _Column, surplus: Any) -> _Part:
    """u: the surplus below each threshold; that of all numbers too where cells are missing."""
    n_below = len(column.mixed) - 1
    steps = sparse.eye_array(n_below) - sparse.eye_array(n_below, k=-1)
    u = sparse.eye_array(n_below, format="csr")
    sides = [(2 * u, -1.0)]
    if column.missing and n_below > 1:  # with missing cells left: their surplus is T - u[-1]
        last = sparse.csr_array((np.ones(n_below - 1), (np.arange(n_below - 1), np.full(n_below - 1, n_below - 1))))
        sides.append((2 * (u[:-1] - last), 1.0))
    within = sparse.vstack([turned * left for left, _ in sides for turned in (1, -1)])
    T = np.concatenate([np.full(left.shape[0], turned * of_T) for left, of_T in sides for turned in (1, -1)])
    none = sparse.csr_array((len(T), surplus.shape[1]))
    return _Part(-surplus[:n_below], steps, none, T, within, np.ones(len(T)))


def _category(column: _Column, surplus: Any) -> _Part:
    """u: the surplus of each level with both classes, and its size; all rows of other levels are answered right."""
    mixed = surplus[np.flatnonzero(column.mixed)]
    m, n = mixed.shape
    eye = sparse.eye_array(m)
    right = sparse.csr_array((~column.mixed[column.codes]).astype(np.float64)[None, :])
    return _Part(
        equal_D=-mixed,
        equal_u=sparse.hstack([eye, sparse.csr_array((m, m))]),
        within_D=sparse.vstack([right, sparse.csr_array((2 * m, n))]),
        within_T=np.zeros(2 * m + 1),
        within_u=sparse.vstack(
            [np.repeat([[0.0, 1.0]], m, axis=1), sparse.hstack([eye, -eye]), sparse.hstack([-eye, -eye])]
        ),
        within_g=np.append(1.0, np.zeros(2 * m)),
    )


def _least_favourable(sign: Floats, columns: Sequence[_Column]) -> Floats:
    """The weights (n_rows,) of sum one under which the best question has the least advantage.

    The program's weights have the mean one, so that its numbers are far above the solver's tolerances.
    """
    n = len(sign)
    parts = [_part(column, sign) for column in columns]
    D_rows = [sparse.csr_array(np.ones((1, n))), sparse.csr_array(sign[None, :])]
    gT = sparse.csr_array(([-1.0], ([1], [1])), shape=(2, 2))
    u, n_u = sparse.block_diag([part.equal_u for part in parts]), sum(part.equal_u.shape[1] for part in parts)
    equal = sparse.block_array(
        [[sparse.vstack(D_rows), gT, sparse.csr_array((2, n_u))], [sparse.vstack([p.equal_D for p in parts]), None, u]],
        format="csr",
    )
    g = np.concatenate([[1.0, 1.0], *(part.within_g for part in parts)])
    T = np.concatenate([[1.0, -1.0], *(part.within_T for part in parts)])
    within = sparse.hstack(
        [
            sparse.vstack([sparse.csr_array((2, n)), *(part.within_D for part in parts)]),
            np.column_stack([-g, T]),
            sparse.vstack([sparse.csr_array((2, n_u)), sparse.block_diag([part.within_u for part in parts])]),
        ],
        format="csr",
    )
    found = _solved(equal, within, n)
    weight = np.maximum(found[:n], 0.0)
    return np.asarray(weight / weight.sum())


def _solved(equal: Any, within: Any, n: int) -> Floats:
    """The least variable n; the first n are no less than 0, and the first row of `equal` is n, all else 0."""
    n_variables = equal.shape[1]
    low = np.where(np.arange(n_variables) < n, 0.0, -np.inf)
    program = {
        "c": np.eye(1, n_variables, n)[0],
        "A_ub": within,
        "b_ub": np.zeros(within.shape[0]),
        "A_eq": equal,
        "b_eq": n * np.eye(1, equal.shape[0])[0],
        "bounds": np.column_stack([low, np.full(n_variables, np.inf)]),
    }
    for method in ("highs-ipm", "highs-ds"):  # interior points are far faster on large ones, and may fail
        answer = linprog(**program, method=method)
        if answer.status == 0:
            solution: Floats = answer.x
            return solution
    raise RuntimeError(f"the linear program was not solved: {answer.message}")
