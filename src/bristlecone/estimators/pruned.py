"""What the pruned classifier and regressor share: a base tree, its prunings, and how one of them is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from inspect import signature
from typing import Any, ClassVar, Self

from numpy.typing import NDArray
from sklearn.base import clone

from bristlecone.estimators.base import DecisionTree, each_row
from bristlecone.estimators.dealing import FOLDS, RANDOM_STATE, dealer
from bristlecone.estimators.fitted import FittedTree
from bristlecone.estimators.rows import training_table
from bristlecone.grow.cart import thread_count
from bristlecone.grow.parameters import PARAMETERS, Check, check_parameters, one_of, whole
from bristlecone.grow.targets import check_weights
from bristlecone.subtrees.cheapest import PENALTIES
from bristlecone.subtrees.folds import Fold, Rows
from bristlecone.subtrees.penalties import Penalty
from bristlecone.subtrees.selection import (
    GROWERS,
    RULES,
    Choice,
    CrossValidation,
    Growth,
    OutOfFold,
    Selection,
    kept_folds,
    select,
)
from bristlecone.subtrees.summary import PruningTable
from bristlecone.table import Table

__all__ = ["PrunedTree"]


def _is_strength(value: object) -> bool:
    if isinstance(value, str):
        return value == "cv"
    return PARAMETERS["ccp_alpha"].passes(value) and value is not None


def _penalty(task: str) -> Check:
    """A penalty by name (only classes have errors to be pessimistic about), a function, or an object that is one."""
    names = [name for name in PENALTIES if task == "classification" or name != "pessimistic"]

    def passes(value: object) -> bool:
        return value in names if isinstance(value, str) else callable(value) or isinstance(value, Penalty)

    return Check(passes, f"one of {', '.join(map(repr, names))}, or a function from a tree to an array")


CHECKS: Mapping[str, Check] = {
    "strength": Check(_is_strength, "'cv' or a number of at least 0"),
    "cv": FOLDS,
    "rule": one_of(*RULES),
    "repeats": whole(1),
    "random_state": RANDOM_STATE,
    "n_jobs": PARAMETERS["n_jobs"],
}
RISKS = {"classification": ("impurity", "misclassification"), "regression": ("impurity",)}


class PrunedTree(FittedTree):
    """One pruning of a grown tree behind scikit-learn's interface; a base, not for use by itself."""

    _grower: ClassVar[type[DecisionTree]]
    _notes: ClassVar[tuple[str, ...]] = ("path", "strength", "cv_results")
    _names: ClassVar[tuple[str, ...]]
    path_: PruningTable
    strength_: float
    cv_results_: dict[str, NDArray[Any]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._names = tuple(signature(cls).parameters)

    def _checked(self) -> dict[str, Any]:
        """The parameters; the first one that is not what it may be is refused by name."""
        given = {name: getattr(self, name) for name in self._names}
        checks = {**CHECKS, "penalty": _penalty(self._task), "risk": one_of(*RISKS[self._task])}
        check_parameters({name: given[name] for name in checks}, checks, type(self).__name__)
        self._base()._checked()
        return given

    def _base(self) -> DecisionTree:
        """The estimator whose parameters grow the tree, as `base` names or holds it."""
        named = GROWERS if self._task == "classification" else ("cart",)
        owner, words = type(self).__name__, ", ".join(map(repr, named))
        wanted = f"{words} or an unfitted {self._grower.__name__}"
        if isinstance(self.base, str):
            if self.base not in named:
                raise ValueError(f"{owner}: base={self.base!r}: must be {wanted}")
            return self._grower()
        if not isinstance(self.base, self._grower):
            kind = self.base.__name__ if isinstance(self.base, type) else f"a {type(self.base).__name__}"
            raise TypeError(f"{owner}: base is {kind}; it must be {wanted}")
        if self.base.ccp_alpha is not None:
            raise ValueError(
                f"{owner}: base has ccp_alpha={self.base.ccp_alpha!r}; leave it None, for the pruning is chosen here"
            )
        return self.base

    def _refuses_missing(self) -> bool:
        return bool(getattr(self.base, "missing", "learn") == "error")

    def _growth(self, X: Any) -> tuple[Table, dict[str, Any]]:
        """X as a table, and the parameters of growth; all parameters are checked first."""
        given = self._checked()
        parameters = self._base()._checked() | {"n_jobs": given["n_jobs"]}
        return training_table(self, X, parameters["categorical_features"]), parameters

    def _plan(self, table: Table, y: NDArray[Any], sample_weight: Any, parameters: Mapping[str, Any]) -> Growth:
        weights = check_weights(each_row(sample_weight, table), table.n_rows)
        grower = self.base if isinstance(self.base, str) else "cart"
        return Growth(table, y, weights, parameters, parameters, grower)

    def _fit(self, growth: Growth, given: tuple[Any, Any], groups: Any, time: Any) -> Self:
        tree = growth.tree()
        rounds_of = self._rounds(given, groups, time)
        return self._keep(select(growth, tree, self._choice(), rounds_of, thread_count(self.n_jobs)))

    def _choice(self) -> Choice:
        return Choice(self.penalty, self.strength, self.rule, self.risk)

    def _rounds(self, given: tuple[Any, Any], groups: Any, time: Any) -> Callable[[Rows], list[list[Fold]]]:
        return dealer(self.cv, self.random_state, given, groups, time, repeats=self.repeats)

    def _noted(self) -> dict[str, Any]:
        return {
            "path": asdict(self.path_),
            "strength": self.strength_,
            "cv_results": getattr(self, "cv_results_", None),
        }

    def _note(self, noted: Mapping[str, Any]) -> None:
        self.path_, self.strength_ = PruningTable(**noted["path"]), float(noted["strength"])
        if noted["cv_results"] is not None:
            self.cv_results_ = asdict(CrossValidation(**noted["cv_results"]))

    def _keep(self, selection: Selection) -> Self:
        self.path_, self.strength_ = selection.table, selection.strength
        if selection.cv is not None:
            self.cv_results_ = asdict(selection.cv)
        elif "cv_results_" in vars(self):
            del self.cv_results_
        return self._adopt(selection.tree)

    def out_of_fold(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, time: Any = None) -> OutOfFold:
        """The trees of the folds on which this estimator chooses, grown again and kept.

        X, y, sample_weight, groups, time: as `fit` takes them. The result's `predict(strength)` gives what every fold's
        own tree, pruned at any strength, answers to the rows held out from it: at the strengths of `cv_results_` the
        mean loss is the risk that stands there. Only the first of several repeats.
        """
        table, parameters = clone(self)._growth(X)
        growth = self._plan(table, self._grower._target(y, type(self).__name__), sample_weight, parameters)
        return kept_folds(growth, self._choice(), self._rounds((X, y), groups, time), thread_count(self.n_jobs))
