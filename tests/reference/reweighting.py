"""The best vote over all questions, the specification of ``noise.reweighting``: that looks for the weights, its dual.

vote         a sum F of questions, as -1 and +1, and their opposites, whose weights are 1 in all; half of its least
             margin y F(x) over the rows is the value of the game.
program      the questions of a column make a function of its codes. Of a number: its steps are twice the weights of
             thresholds. Of a category: sets of levels cost no more than its largest value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import linprog

from bristlecone.noise.questions import Questions

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]


def best_margin(questions: Questions, second: npt.NDArray[np.bool_]) -> float:
    """Half of the largest least margin of a vote. second: (n_rows,)."""
    rows, at = np.unique(questions.codes.T, axis=0, return_inverse=True)
    share = np.bincount(at.ravel(), second) / np.bincount(at.ravel())
    if ((share > 0) & (share < 1)).any():
        return 0.0
    parts = [_constant(len(rows))]
    for j, codes in enumerate(rows.T):
        missing = int(questions.n_codes[j]) - 1
        if questions.categorical[j]:
            parts.append(_category(codes))
            continue
        parts.append(_number(codes))
        if codes.max() == missing:  # and once more with missing cells below all numbers
            parts.append(_number(np.where(codes == missing, -1, codes)))
    return _largest_margin(np.where(share > 0.5, 1.0, -1.0), parts) / 2


@dataclass(frozen=True, slots=True)
class _Part:
    """A column's part of the vote. F: (n_rows, n) what it adds at each row; cost: (n,) what its variables weigh; free:
    (n,) which of them may be negative; equal, within: (., n), rows of the program that are 0, and no more than 0."""

    F: Any
    cost: Floats
    free: npt.NDArray[np.bool_]
    equal: Any
    within: Any


def _constant(n_rows: int) -> _Part:
    none = sparse.csr_array((0, 2))
    F = sparse.csr_array(np.tile([1.0, -1.0], (n_rows, 1)))
    return _Part(F, np.ones(2), np.zeros(2, dtype=bool), none, none)


def _number(codes: Ints) -> _Part:
    """Variables: the values of the codes, weights of thresholds between them, up and down.

    The first value is minus the sum of the weights; each other is the one before it plus twice the weight between them.
    """
    codes = np.unique(codes, return_inverse=True)[1]
    n = int(codes.max()) + 1
    weights = sparse.vstack([np.ones((1, n - 1)), -2 * sparse.eye_array(n - 1)]) if n > 1 else sparse.csr_array((1, 0))
    steps = sparse.diags_array([np.ones(n), -np.ones(n - 1)], offsets=[0, -1])
    equal = sparse.hstack([steps, weights, -weights])
    cost = np.concatenate([np.zeros(n), np.ones(2 * (n - 1))])
    return _Part(_at(codes, len(cost)), cost, np.arange(len(cost)) < n, equal, sparse.csr_array((0, len(cost))))


def _category(codes: Ints) -> _Part:
    """Variables: the values of the levels, and what they cost together, no less than any of them is large."""
    codes = np.unique(codes, return_inverse=True)[1]
    n = int(codes.max()) + 1
    values, cost = sparse.eye_array(n), -np.ones((n, 1))
    within = sparse.vstack([sparse.hstack([values, cost]), sparse.hstack([-values, cost])])
    return _Part(_at(codes, n + 1), np.eye(1, n + 1, n)[0], np.arange(n + 1) < n, sparse.csr_array((0, n + 1)), within)


def _at(codes: Ints, n: int) -> Any:
    return sparse.csr_array((np.ones(len(codes)), (np.arange(len(codes)), codes)), shape=(len(codes), n))


def _largest_margin(sign: Floats, parts: list[_Part]) -> float:
    """The largest m so that a vote of cost one has sign * F >= m in every row."""
    cost = np.concatenate([part.cost for part in parts])
    F = sparse.hstack([part.F for part in parts], format="csr")
    equal = sparse.block_diag([sparse.csr_array((0, 1)), *(part.equal for part in parts)], format="csr")
    rows = [
        sparse.hstack([np.ones((len(sign), 1)), sparse.diags_array(-sign) @ F]),
        np.concatenate([[0.0], cost])[None, :],
        sparse.block_diag([sparse.csr_array((0, 1)), *(part.within for part in parts)]),
    ]
    within = sparse.vstack(rows, format="csr")
    free = np.concatenate([[False], *(part.free for part in parts)])
    answer = linprog(
        -np.eye(1, len(free))[0],
        A_ub=within,
        b_ub=np.eye(1, within.shape[0], len(sign))[0],
        A_eq=equal,
        b_eq=np.zeros(equal.shape[0]),
        bounds=np.column_stack([np.where(free, -np.inf, 0.0), np.full(len(free), np.inf)]),
        method="highs",
    )
    if answer.status != 0:
        raise RuntimeError(f"the linear program was not solved: {answer.message}")
    return max(0.0, -float(answer.fun))
