"""One pruning out of many: by cross-validation, by a rule, or by a number that was given. SPEC B3, A9.

least       the pruning of least R_cv.
one_se      the smallest tree whose R_cv is within one standard error of the least: less may be chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.subtrees.folds import Fold
from bristlecone.subtrees.heldout import TOLERANCE, Tally, tally_path
from bristlecone.subtrees.losses import ClassLoss, Loss
from bristlecone.subtrees.path import Path, weakest_link_path
from bristlecone.subtrees.risks import NodeRisk, node_risk
from bristlecone.subtrees.selection.growth import FoldFit, Growth
from bristlecone.subtrees.selection.judging import CrossValidation, cross_validate
from bristlecone.subtrees.summary import PruningTable
from bristlecone.tree import Tree

__all__ = [
    "RULES",
    "Selection",
    "choose",
    "geometric_means",
    "judgement",
    "path_at",
    "select_on_path",
    "shown_risks",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]

RULES = {"min": "least cross-validated risk", "one_se": "one standard error"}


@dataclass(frozen=True, slots=True)
class Selection:
    """A chosen pruning. strength: the number that prunes the whole tree to it; cv: None where a number was given."""

    tree: Tree
    strength: float
    table: PruningTable
    cv: CrossValidation | None = None


def geometric_means(alphas: Floats) -> Floats:
    """sqrt(alpha_k alpha_k+1), the last one inf: an alpha for each pruning of a path (SPEC B3)."""
    roots = np.sqrt(alphas)
    return np.append(roots[:-1] * roots[1:], np.inf)


def choose(risk: Floats, se: Floats, n_leaves: Ints, rule: str) -> tuple[int, int]:
    """The place of the least R_cv, and of the pruning that a rule takes: "min" that one, "one_se" the smallest tree
    within its standard error. Ties go to the smaller tree, then to the lesser risk, then to the first (SPEC B3)."""
    least = _smallest(risk <= risk.min() * (1 + TOLERANCE), risk, n_leaves)
    if rule == "min":
        return least, least
    return least, _smallest(risk <= (risk[least] + se[least]) * (1 + TOLERANCE), risk, n_leaves)


def _smallest(among: npt.NDArray[np.bool_], risk: Floats, n_leaves: Ints) -> int:
    places = np.flatnonzero(among)
    return int(places[np.lexsort((risk[places], n_leaves[places]))[0]])


def select_on_path(
    growth: Growth,
    loss: Loss,
    tree: Tree,
    rounds: Sequence[Sequence[Fold]],
    *,
    risk: Any,
    rule: str,
    n_threads: int = 1,
) -> Selection:
    """The pruning of a tree's weakest-link path that cross-validation chooses.

    Each fold grows its own tree and prunes it by its own path, at the geometric means of the whole tree's alphas.
    risk: as `weakest_link_path` takes it; rule: "min" or "one_se".
    """
    path = weakest_link_path(tree, risk=risk)
    alphas = geometric_means(path.alphas)

    def tally(fit: FoldFit) -> Tally:
        return tally_path(weakest_link_path(fit.tree, risk=risk), alphas, loss, fit.rows, fit.stops, fit.weights)

    cv = cross_validate(growth, loss, rounds, alphas, tally, n_threads)
    if np.isnan(cv.risk).any():  # a single row: nothing to hold out, and the path is its root
        return path_at(path, 0.0, loss)
    least, chosen = choose(cv.risk, cv.se, path.n_leaves, rule)
    table = _path_table(path, loss, RULES[rule], chosen, least, cv)
    return Selection(path.tree(chosen), float(path.alphas[chosen]), table, cv)


def path_at(path: Path, alpha: float, loss: Loss) -> Selection:
    """The pruning T(alpha) of a path. Raises ValueError for alpha < 0 or NaN."""
    chosen = path.index_at(alpha)
    return Selection(path.tree(chosen), float(alpha), _path_table(path, loss, f"alpha = {alpha:g}", chosen))


def _path_table(
    path: Path, loss: Loss, rule: str, chosen: int, least: int | None = None, cv: CrossValidation | None = None
) -> PruningTable:
    risks = shown_risks(path.risk, loss)
    return PruningTable(
        title=f"Weakest-link path by {path.risk.name}",
        strength_name="alpha",
        strength=path.alphas,
        leaves=path.n_leaves,
        risks={risk.name: path.sums(risk.of_nodes) for risk in risks},
        chosen=chosen,
        rule=rule,
        least=least,
        **judgement(risks, loss, len(path), cv),
    )


def shown_risks(weighed: NodeRisk, loss: Loss) -> list[NodeRisk]:
    """The risks that a table shows: the one that a penalty is weighed against, the impurity, and the one that held-out
    rows are judged by."""
    judged: Any = "impurity"
    if isinstance(loss, ClassLoss):
        judged = "misclassification" if loss.matrix is None else loss.matrix
    shown = {weighed.name: weighed}
    for risk in (node_risk(weighed.tree, "impurity"), node_risk(weighed.tree, judged)):
        shown.setdefault(risk.name, risk)
    return list(shown.values())


def judgement(risks: Sequence[NodeRisk], loss: Loss, size: int, cv: CrossValidation | None) -> dict[str, Any]:
    """The fields of a table that tell how held-out rows were judged."""
    root = next(float(risk.of_nodes[0]) for risk in risks if risk.name == loss.name)
    unknown = np.full(size, np.nan)
    risk, se = (unknown, unknown) if cv is None else (cv.risk, cv.se)
    n_folds = 0 if cv is None else len(cv.fold_weight)
    return {"judged_by": loss.name, "root_risk": root, "cv_risk": risk, "se": se, "n_folds": n_folds}
