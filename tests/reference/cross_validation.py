"""Cross-validation the long way: fold by fold and alpha by alpha, with trees grown on the rows themselves. SPEC B3.

Each fold's rows are taken out of the data, its tree is pruned to T(alpha), and T(alpha) answers the held-out rows. No
weight of zero, no shared table and no sum over nodes is involved.
"""

import math

import numpy as np

from bristlecone.grow import cart
from bristlecone.subtrees import weakest_link_path
from bristlecone.table import as_table


def loss_of(criterion, matrix=None, classes=None):
    """The loss of one answer to one target, by the criterion's task."""
    if criterion == "squared_error":
        return lambda y, answer: (y - answer) ** 2
    if criterion == "absolute_error":
        return lambda y, answer: abs(y - answer)
    if criterion == "poisson":
        return poisson
    if matrix is None:
        return lambda y, answer: float(y != answer)
    place = {label: k for k, label in enumerate(classes)}
    return lambda y, answer: matrix[place[y]][place[answer]]


def poisson(y, answer):
    if y == 0:
        return answer
    return math.inf if answer == 0 else y * math.log(y / answer) - y + answer


def held_out_losses(X, y, folds, alphas, loss_of_answer, *, risk="impurity", **growth):
    """(row, weight, [loss at each alpha]) for every held-out row.

    folds: the weights to grow on (n_rows,), the places of the rows held out, and how much of each is held out.
    """
    table = as_table(X, categorical_features=growth.pop("categorical_features", "from_dtype"))
    found = []
    for weights, held_out, held in folds:
        growing = np.flatnonzero(weights)
        tree = cart(table.take(growing), y[growing], sample_weight=weights[growing], **growth)
        path = weakest_link_path(tree, risk=risk)
        answers = [path.tree_at(alpha).predict(table.take(held_out)) for alpha in alphas]
        for i, row in enumerate(held_out.tolist()):
            found.append((row, held[i], [loss_of_answer(y[row].item(), of_alpha[i].item()) for of_alpha in answers]))
    return found


def risk_and_error(losses, weights, factor=None):
    """R_cv and its standard error at every alpha, from `held_out_losses`; factor: by row, beside its weight.

    A row counts factor times; the error is that of the ratio of two means over independent rows, as many as the rows'
    whole weights say where these are whole, else one a row.
    """
    rows, held = [row for row, _, _ in losses], np.array([weight for _, weight, _ in losses])
    factors = np.ones(len(rows)) if factor is None else np.array([factor[row] for row in rows])
    judged = {row: float(weights[row]) for row in rows}
    n = sum(judged.values()) if all(weight.is_integer() for weight in judged.values()) else len(judged)
    risks, errors = [], []
    for k in range(len(losses[0][2])):
        of_rows = np.array([values[k] for _, _, values in losses])
        risk = sum(held * factors * of_rows) / sum(held * factors)
        if not math.isfinite(risk):
            risks.append(math.inf), errors.append(math.inf)
            continue
        mean_factor = sum(held * factors) / sum(held)
        variance = sum(held * (factors * (of_rows - risk) / mean_factor) ** 2) / sum(held)
        risks.append(risk), errors.append(math.sqrt(variance / n))
    return np.array(risks), np.array(errors)
