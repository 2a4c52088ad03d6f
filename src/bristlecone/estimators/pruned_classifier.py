"""PrunedTreeClassifier: one pruning of a classification tree, its size chosen by cross-validation."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from bristlecone.estimators.base import DecisionTree
from bristlecone.estimators.classifier import DecisionTreeClassifier
from bristlecone.estimators.fitted import FittedClassifier
from bristlecone.estimators.pruned import PrunedTree
from bristlecone.estimators.targets import class_labels

__all__ = ["PrunedTreeClassifier"]


class PrunedTreeClassifier(FittedClassifier, PrunedTree):
    """A classification tree of the right size: grown whole, then pruned as cross-validation says (SPEC B3, A8, A9).

    Parameters
    ----------
    base : "cart" (a DecisionTreeClassifier with its defaults), "dyadic" or "kd" (the space trees of `grow.dyadic` and
        `grow.kd`, with their defaults; with the penalties "leaves" and "scott_nowak" the two baselines of the PAC-Bayes
        tree paper, C1 and C2), or an unfitted DecisionTreeClassifier, whose parameters
        grow the tree; its `n_jobs` does not count.
    penalty : "cost_complexity" (risk + strength * leaves, by the weakest-link path), "leaves" (errors + strength *
        leaves / n), "scott_nowak" (leaves that hold much or lie deep are charged more), "pessimistic" (C4.5's upper
        limits of errors; the strength is the confidence, and a lower one prunes more), a function from a Tree to what
        its nodes are charged as leaves, strength times and beside the errors, or an object such as
        `ScottNowak(sqrt8=True)`.
    strength : "cv" (chosen by cross-validation; where there is no path, from a wide and then a narrow grid), or a
        number of at least 0. Weights that are not whole are scaled to add up to the number of rows, which penalties
        other than "cost_complexity" count (in `tree_` as well).
    cv : int, at least 2: so many folds. Copies (rows of equal cells and equal label; a whole weight is so many)
        stay in one fold, so that no row is judged by a copy of itself. But rows are dealt one by one where equal cells
        have different labels, and all of them where there are fewer different rows than folds, or at least as many
        rows as the columns have combinations of values (the number of values of a numeric column counts squared). Or a
        splitter of scikit-learn's form, or an iterable of (rows to grow on, rows held out), taken as it is.
    rule : "one_se" (the smallest tree whose risk on held-out rows is within one standard error of the least), "min"
        (the least; of equals the smallest tree), or "bound": a share of the rows grows the tree, and the others choose
        the pruning whose own bound is least, and certify it in `certificate_` (SPEC A7); no folds are made, so
        that `cv` and `repeats` are not looked at, and another `penalty` or `strength` is refused.
    risk : "misclassification" or "impurity". What cost-complexity is weighed against; each error counts at its cost
        where `base` has a `loss` matrix. Held-out rows are always judged by their errors, or their costs. With
        rule="bound" what is bounded: "misclassification", a loss matrix over `classes_`, or one of
        `certify`'s `Brier`, `ErrorOfClass`, `LossMatrix`.
    repeats : int. How often the rows are dealt into folds anew; risks and standard errors are means.
    random_state : int, RandomState or None. Deals the rows into folds; the default, a number, gives the same tree for
        the same rows in any order. With rule="bound" it parts the rows by their places, so that their order matters.
    n_jobs : None (1), or the number of threads, -1 for all cores: folds run side by side. The tree is the same for any
        number.
    growth_fraction : with rule="bound", the share of rows (groups) that grow the tree.
    delta : with rule="bound", the chance that the certificate may fail with.
    corrupted : with rule="bound", the largest share of the certifying rows (groups) that may have been tampered with.

    Fitted attributes: `tree_`, `path_` (a `PruningTable`: all prunings, what each costs, which one was chosen),
    `strength_` (what prunes the whole tree to `tree_`), `cv_results_` (where cross-validation chose: strengths, risk,
    se, each (K,); fold_risk (n_folds, K); fold_weight (n_folds,)), `certificate_` (with rule="bound"), `classes_`,
    `n_classes_`, `n_features_in_`, `feature_names_in_`, `feature_importances_`.
    """

    _task: ClassVar[str] = "classification"
    _grower: ClassVar[type[DecisionTree]] = DecisionTreeClassifier

    def __init__(  # noqa: PLR0913  (scikit-learn reads the parameters from this signature)
        self,
        *,
        base: Any = "cart",
        penalty: Any = "cost_complexity",
        strength: Any = "cv",
        cv: Any = 10,
        rule: str = "one_se",
        risk: str = "misclassification",
        repeats: int = 1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        growth_fraction: float = 0.5,
        delta: float = 0.05,
        corrupted: float = 0.0,
    ) -> None:
        self.base = base
        self.penalty = penalty
        self.strength = strength
        self.cv = cv
        self.rule = rule
        self.risk = risk
        self.repeats = repeats
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.growth_fraction = growth_fraction
        self.delta = delta
        self.corrupted = corrupted

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, time: Any = None) -> Self:
        """Grow the tree, and choose its pruning.

        X: array, frame or Table of shape (n_rows, n_features); y: (n_rows,) labels of any one kind; sample_weight:
        (n_rows,) non-negative, a whole weight equals so many rows, 0 none. groups: (n_rows,), rows of one group stay in
        one fold. time: (n_rows,), numbers, dates or anything in order: folds are judged on rows later than all that
        they are grown on. Errors: ValueError or TypeError naming the parameter, row or column.
        """
        table, parameters = self._growth(X)
        labels = class_labels(y, type(self).__name__)
        return self._fit(self._plan(table, labels, sample_weight, parameters), (X, labels), groups, time)
