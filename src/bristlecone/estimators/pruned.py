"""What the pruned classifier and regressor share: a base tree, its prunings, and how one of them is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from inspect import signature
from typing import Any, ClassVar, Self

from numpy.typing import NDArray
from sklearn.base import clone

from bristlecone.certify import Certificate
from bristlecone.certify.losses import Beyond, is_risk
from bristlecone.certify.rows import refuse_weights
from bristlecone.estimators.base import DecisionTree, each_row
from bristlecone.estimators.bounded import BOUND, NOT_BOUNDED, bounded_selection, is_matrix, risk_of
from bristlecone.estimators.bounded import CHECKS as BOUNDED
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
    "rule": one_of(*RULES, BOUND),
    "repeats": whole(1),
    "random_state": RANDOM_STATE,
    "n_jobs": PARAMETERS["n_jobs"],
    **BOUNDED,
}
RISKS = {"classification": ("impurity", "misclassification"), "regression": ("impurity",)}


def _risk(task: str) -> Check:
    """A risk by name, or an object of `certify` that is one."""
    named, numbers = one_of(*RISKS[task]), task == "regression"
    others = "Beyond(radius)" if numbers else "a risk over classes, or a loss matrix"

    def passes(value: object) -> bool:
        if isinstance(value, str):
            return named.passes(value)
        return isinstance(value, Beyond) if numbers else is_matrix(value) or is_risk(value)

    return Check(passes, f"{named.wanted}, or with rule='bound' {others} of bristlecone.certify")


class PrunedTree(FittedTree):
    """One pruning of a grown tree behind scikit-learn's interface; a base, not for use by itself."""

    _grower: ClassVar[type[DecisionTree]]
    _notes: ClassVar[tuple[str, ...]] = ("path", "strength", "cv_results")
    _maybe: ClassVar[tuple[str, ...]] = ("certificate",)
    _names: ClassVar[tuple[str, ...]]
    path_: PruningTable
    strength_: float
    cv_results_: dict[str, NDArray[Any]]
    _certificate: Certificate

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._names = tuple(signature(cls).parameters)

    def _checked(self) -> dict[str, Any]:
        """The parameters; the first one that is not what it may be is refused by name."""
        given = {name: getattr(self, name) for name in self._names}
        checks = {**CHECKS, "penalty": _penalty(self._task), "risk": _risk(self._task)}
        check_parameters({name: given[name] for name in checks}, checks, type(self).__name__)
        self._base()._checked()
        self._check_rule()
        return given

    def _check_rule(self) -> None:
        """Raises ValueError for parameters that do not go with the rule."""
        owner = type(self).__name__
        if self.rule != BOUND:
            if not isinstance(self.risk, str):
                hint = "; a base with a loss matrix is pruned by its costs" if is_matrix(self.risk) else ""
                raise ValueError(f"{owner}: risk={self.risk!r} goes with rule='bound'; here it is {self.rule!r}{hint}")
            return
        for name, only in (("penalty", "cost_complexity"), ("strength", "cv")):
            given = getattr(self, name)
            if not isinstance(given, str) or given != only:
                raise ValueError(f"{owner}: {name}={given!r}: rule='bound' chooses by the bound; leave it {only!r}")
        risk_of(self.risk, self._task, None, owner)

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
            kind = self.base if isinstance(self.base, type) else type(self.base)
            said = f"{'' if kind is self.base else 'a '}{kind.__module__.split('.')[0]}.{kind.__name__}"
            raise TypeError(f"{owner}: base is {said}; it must be {wanted} of bristlecone")
        if self.base.ccp_alpha is not None:
            raise ValueError(
                f"{owner}: base has ccp_alpha={self.base.ccp_alpha!r}; leave it None, for the pruning is chosen here"
            )
        return self.base

    def _refuses_missing(self) -> bool:
        return self.base in ("dyadic", "kd") or bool(getattr(self.base, "missing", "learn") == "error")

    def _growth(self, X: Any) -> tuple[Table, dict[str, Any]]:
        """X as a table, and the parameters of growth; all parameters are checked first."""
        given = self._checked()
        parameters = self._base()._checked() | {"n_jobs": given["n_jobs"]}
        return training_table(self, X, parameters["categorical_features"]), parameters

    def _plan(self, table: Table, y: NDArray[Any], sample_weight: Any, parameters: Mapping[str, Any]) -> Growth:
        weights = check_weights(each_row(sample_weight, table), table.n_rows)
        if self.rule == BOUND:
            refuse_weights(weights, table.n_rows)
        grower = self.base if isinstance(self.base, str) else "cart"
        growth = Growth(table, y, weights, parameters, parameters, grower)
        # the other penalties count rows, and what is a row must not depend on the unit of the weights
        return growth if self.penalty == "cost_complexity" else growth.in_rows()

    def _fit(self, growth: Growth, given: tuple[Any, Any], groups: Any, time: Any) -> Self:
        if "_certificate" in vars(self):
            del self._certificate
        if self.rule == BOUND:
            risk = risk_of(self.risk, self._task, growth.given.get("loss"), type(self).__name__)
            selection, self._certificate = bounded_selection(growth, risk, self.get_params(deep=False), groups, time)
            return self._keep(selection)
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
            **({"certificate": self._certificate.to_dict()} if "_certificate" in vars(self) else {}),
        }

    def _note(self, noted: Mapping[str, Any]) -> None:
        self.path_, self.strength_ = PruningTable(**noted["path"]), float(noted["strength"])
        if noted["cv_results"] is not None:
            self.cv_results_ = asdict(CrossValidation(**noted["cv_results"]))
        if "certificate" in noted:
            self._certificate = Certificate.from_dict(noted["certificate"])

    @property
    def certificate_(self) -> Certificate:
        """With rule="bound": what bounds the error of `predict` with probability at least 1 - delta (SPEC A7).

        Raises AttributeError under another rule, with the reason and the way out, and before `fit`.
        """
        if "_certificate" in vars(self):
            return self._certificate
        if "tree_" not in vars(self):
            raise AttributeError("a certificate needs a fit: call fit first")
        raise AttributeError(NOT_BOUNDED)

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
        if self.rule == BOUND:
            raise ValueError(f"{type(self).__name__}: rule='bound' has no folds, and so no rows out of them")
        table, parameters = clone(self)._growth(X)
        growth = self._plan(table, self._grower._target(y, type(self).__name__), sample_weight, parameters)
        return kept_folds(growth, self._choice(), self._rounds((X, y), groups, time), thread_count(self.n_jobs))
