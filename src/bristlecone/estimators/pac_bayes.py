"""PACBayesTreeClassifier: all prunings of a tree vote, each by how few errors it makes and how small it is."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bristlecone.certify.rows import refuse_weights
from bristlecone.estimators.certified import CertifiedMode, certified_fit, from_values, refuse_own_rows, to_values
from bristlecone.estimators.dealing import seed_of
from bristlecone.estimators.voting import VotingTree
from bristlecone.grow.parameters import PARAMETERS, Check, one_of
from bristlecone.subtrees.ballot import Ballot
from bristlecone.subtrees.pac_bayes import pac_bayes_posterior
from bristlecone.subtrees.posterior import Posterior
from bristlecone.subtrees.selection import pac_bayes_labels
from bristlecone.subtrees.selection.votes import LabelsAt
from bristlecone.subtrees.voters import Voter, voters
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints
from bristlecone.tree.explain import one_row

__all__ = ["PACBayesTreeClassifier"]


LARGEST = 1e300  # of a strength: what it multiplies stays in the range of floats


def _is_strength(value: Any) -> bool:
    if isinstance(value, str):
        return value == "cv"
    return value is not None and PARAMETERS["ccp_alpha"].passes(value) and bool(value <= LARGEST)


def _is_between(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_) and 0 < float(value) < 1


BETWEEN = Check(_is_between, "a number between 0 and 1, both excluded")
SHARE = Check(
    lambda value: _is_between(value) or (value == 0 and _is_between(0.5 + value)), "a share, from 0 to below 1"
)
STRENGTH = Check(_is_strength, "'cv' or a number of at least 0")
LAMBDA = Check(
    lambda value: _is_strength(value) or (isinstance(value, str) and value == "bound"),
    "'cv', 'bound' or a number of at least 0",
)


class PACBayesTreeClassifier(CertifiedMode, VotingTree):
    """A vote over all prunings of a tree: the practical PAC-Bayes tree of Nguyen and Kpotufe (NeurIPS 2018, SPEC A4).

    A pruning weighs e^-(lambda1 errors + lambda2 sum of sqrt(rows in a leaf) + leaf_cost leaves), on the rows that grew
    the tree. The vote is one ordinary tree, `to_tree()`. No certificate follows: the rows that weigh have grown it.
    With mode="certified" a part of the rows grows the tree, and the others weigh its prunings so that the bound on the
    error is least (SPEC A7): `certificate_` then bounds the error of `predict`.

    Parameters
    ----------
    base : what grows the tree: "cart" (a DecisionTreeClassifier with its defaults), "dyadic" or "kd" (space trees, the
        paper's own), an unfitted DecisionTreeClassifier of bristlecone or scikit-learn, or a tree that is there: a Tree
        or a fitted decision tree. Of one that is there the questions stay, its names find the columns, and the rows of
        `fit` are counted in it; give other rows than it was grown from, or "cv" takes too large a vote.
        `sklearn.frozen.FrozenEstimator` keeps a fitted one fitted where this estimator is cloned.
    lambda1, lambda2 : "cv", "bound", or numbers of at least 0. "bound" goes with mode="certified", where the weights
        are those whose bound is least. "cv" chooses on held-out rows: first lambda1 with lambda2 = 1,
        then lambda2, each from a wide and then a narrow grid (SPEC A9, "error first").
    leaf_cost : 1 as in the paper, another number of at least 0, or "cv": chosen after the lambdas.
    selection_folds : int, at least 2: so many folds for "cv", dealt as by PrunedTreeClassifier; or a splitter of
        scikit-learn's form, or an iterable of (rows to grow on, rows held out).
    proba : "vote" (the classes' shares of the vote, so that `predict` is the largest), or "freq" (the mean of class
        fractions over the prunings that answer; its largest may be another class than the vote's).
    mode : "practical", or "certified"; the latter needs no strengths, and does not look at lambda1, lambda2, leaf_cost
        and selection_folds. The next three are looked at in certified mode alone.
    growth_fraction : in certified mode, the share of rows (groups) that grow the tree.
    delta : in certified mode, the chance that a certificate may fail with.
    corrupted : in certified mode, the largest share of the certifying rows (groups) that may have been tampered with.
    random_state : int, RandomState or None. Deals the rows into folds; in certified mode it parts them by their places,
        so that their order matters, and draws.
    n_jobs : None (1), or the number of threads, -1 for all cores. The result is the same for any number.

    Fitted attributes: `tree_` (the base's whole tree T0), `node_weights_` ((n_nodes,), the chance that a pruning has a
    node of `tree_` as a leaf), `expected_leaves_`, `posterior_`, `lambda1_`, `lambda2_`, `leaf_cost_`, `cv_results_`
    (where something was "cv": the strengths and risk of every point tried, (n_points,) each), `classes_`, `n_classes_`,
    `n_features_in_`, `feature_names_in_`, `feature_importances_` (of the vote's tree). `apply` and `decision_path` give
    nodes of `tree_`; a leaf of it that no row reached has no voice (SPEC A5). In certified mode: `certificate_`,
    `weighed_` (a `certify.WeighedTree`), `seed_`, `n_draws_`; no strengths; and all leaves have a voice.
    """

    _strengths: ClassVar[tuple[str, ...]] = ("lambda1", "lambda2", "leaf_cost")
    _notes: ClassVar[tuple[str, ...]] = (*_strengths, "settings", "cv_results", "certified")
    _fixed: ClassVar[tuple[str, ...]] = ("proba",)
    _checks: ClassVar[Mapping[str, Check]] = {
        "lambda1": LAMBDA,
        "lambda2": LAMBDA,
        "leaf_cost": STRENGTH,
        "proba": one_of("vote", "freq"),
        "mode": one_of("practical", "certified"),
        "growth_fraction": BETWEEN,
        "delta": BETWEEN,
        "corrupted": SHARE,
    }
    lambda1_: float
    lambda2_: float
    leaf_cost_: float

    def __init__(  # noqa: PLR0913  (scikit-learn reads the parameters from this signature)
        self,
        *,
        base: Any = "cart",
        lambda1: Any = "cv",
        lambda2: Any = "cv",
        leaf_cost: Any = 1.0,
        selection_folds: Any = 2,
        proba: str = "vote",
        mode: str = "practical",
        growth_fraction: float = 0.5,
        delta: float = 0.05,
        corrupted: float = 0.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.base = base
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.leaf_cost = leaf_cost
        self.selection_folds = selection_folds
        self.proba = proba
        self.mode = mode
        self.growth_fraction = growth_fraction
        self.delta = delta
        self.corrupted = corrupted
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, time: Any = None) -> Self:
        """Grow the tree, and weigh all its prunings: on the rows that grew it, or in certified mode on the others.

        X: array, frame or Table of shape (n_rows, n_features); y: (n_rows,) labels of any one kind; sample_weight:
        (n_rows,) non-negative, a whole weight equals so many rows, 0 none; in certified mode all one. groups:
        (n_rows,), rows of one group stay in one fold; in certified mode they certify whole, as one. time: (n_rows,),
        numbers, dates or anything in order: folds are judged, and certificates rest, on rows later than all that are
        grown on. Errors: ValueError or TypeError naming the parameter, row or column.
        """
        if self.mode != "certified":
            self._refuse_bound()
            if "weighed_" in vars(self):
                del self.weighed_
            return super().fit(X, y, sample_weight, groups, time)
        growth = self._opened(X, y, sample_weight, groups, time)
        refuse_weights(sample_weight, growth.table.n_rows)
        there, seed = self._base().there, seed_of(self.random_state)
        refuse_own_rows(there, growth)
        shares = {"fraction": self.growth_fraction, "delta": self.delta, "corrupted": self.corrupted}
        self.weighed_ = certified_fit(growth, seed=seed, groups=groups, time=time, there=there, **shares)
        self.seed_, self.n_draws_ = seed, 1
        return self._adopt(self.weighed_.tree)

    def _refuse_bound(self) -> None:
        for name in ("lambda1", "lambda2"):
            if isinstance(getattr(self, name), str) and getattr(self, name) == "bound":
                raise ValueError(
                    f"{type(self).__name__}: {name}='bound' chooses by a bound, and the rows that grew the tree allow "
                    "of none: give mode='certified'"
                )

    def _noted(self) -> dict[str, Any]:
        if "weighed_" not in vars(self):
            return super()._noted() | {"certified": None}
        kept = to_values(self.weighed_) | {"seed": self.seed_, "n_draws": self.n_draws_}
        return dict.fromkeys((*self._strengths, "cv_results")) | {"settings": self._settings, "certified": kept}

    def _note(self, noted: Mapping[str, Any]) -> None:
        if noted["certified"] is None:
            super()._note(noted)
            return
        self._take_settings(noted["settings"])
        self._loaded = dict(noted["certified"])

    def _adopt(self, tree: Tree) -> Self:
        if "_loaded" in vars(self):
            kept = self._loaded
            del self._loaded
            self.seed_, self.n_draws_ = (int(kept.pop(name, -1)) for name in ("seed", "n_draws"))
            self.weighed_ = from_values(tree, kept)
        return super()._adopt(tree)

    @property
    def posterior_(self) -> Posterior:
        """The chances of all prunings of `tree_`, with their risks, entropy, likeliest pruning and draws."""
        if "weighed_" in vars(self):
            return self.weighed_.posterior
        strengths = {name: getattr(self, f"{name}_") for name in self._strengths}
        return pac_bayes_posterior(self.tree_, **strengths)

    def voters(self, X: Any, row: int) -> tuple[Voter, ...]:
        """Which prunings carried the vote on row `row` of X (counted from 0): by the node of `tree_` where they stop.

        The largest share first; the shares sum to one. A leaf that no row reached has no voice. Errors as `explain`.
        """
        _, one = one_row(self.tree_, self._read(X, check_later=False), row)
        return voters(self.posterior_, int(self.tree_.apply(one)[0]))

    def _labels_at(self) -> LabelsAt:
        return pac_bayes_labels

    def _vote_labels(self, posterior: Posterior) -> NDArray[np.int32]:
        return self._ballot(posterior).labels()

    def _shares(self, posterior: Posterior, nodes: Ints) -> Floats:
        kind = self._settings["proba"]
        shares = self._ballot(posterior).shares(nodes, kind)
        if kind == "vote":  # the largest is the vote's, also where rounding parts what is equal
            shares[np.arange(len(nodes)), self._voted().labels[nodes]] = shares.max(axis=1)
        return shares

    def _ballot(self, posterior: Posterior) -> Ballot:
        silent = None if "weighed_" in vars(self) else self.tree_.n_node_samples == 0
        return Ballot.of(self.tree_, posterior.weighing, silent)
