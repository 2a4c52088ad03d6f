"""PACBayesTreeClassifier: all prunings of a tree vote, each by how few errors it makes and how small it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bristlecone.estimators.voting import VotingTree
from bristlecone.grow.parameters import PARAMETERS, Check, one_of
from bristlecone.subtrees.ballot import Ballot
from bristlecone.subtrees.pac_bayes import pac_bayes_posterior
from bristlecone.subtrees.posterior import Posterior
from bristlecone.subtrees.selection import pac_bayes_labels
from bristlecone.subtrees.selection.votes import LabelsAt
from bristlecone.subtrees.voters import Voter, voters
from bristlecone.tree.arrays import Floats, Ints
from bristlecone.tree.explain import one_row

__all__ = ["PACBayesTreeClassifier"]


def _is_strength(value: object) -> bool:
    if isinstance(value, str):
        return value == "cv"
    return value is not None and PARAMETERS["ccp_alpha"].passes(value)


STRENGTH = Check(_is_strength, "'cv' or a number of at least 0")


class PACBayesTreeClassifier(VotingTree):
    """A vote over all prunings of a tree: the practical PAC-Bayes tree of Nguyen and Kpotufe (NeurIPS 2018, SPEC A4).

    A pruning weighs e^-(lambda1 errors + lambda2 sum of sqrt(rows in a leaf) + leaf_cost leaves), on the rows that grew
    the tree. The vote is one ordinary tree, `to_tree()`. No certificate follows: the rows that weigh have grown it.

    Parameters
    ----------
    base : what grows the tree: "cart" (a DecisionTreeClassifier with its defaults), "dyadic" or "kd" (space trees, the
        paper's own), an unfitted DecisionTreeClassifier of bristlecone or scikit-learn, or a tree that is there: a Tree
        or a fitted decision tree. Of one that is there the questions stay, and the rows of `fit` are counted in it;
        `sklearn.frozen.FrozenEstimator` keeps a fitted one fitted where this estimator is cloned.
    lambda1, lambda2 : "cv", or numbers of at least 0. "cv" chooses on held-out rows: first lambda1 with lambda2 = 1,
        then lambda2, each from a wide and then a narrow grid (SPEC A9, "error first").
    leaf_cost : 1 as in the paper, another number of at least 0, or "cv": chosen after the lambdas.
    selection_folds : int, at least 2: so many folds for "cv", dealt as by PrunedTreeClassifier; or a splitter of
        scikit-learn's form, or an iterable of (rows to grow on, rows held out).
    proba : "vote" (the classes' shares of the vote, so that `predict` is the largest), or "freq" (the mean of class
        fractions over the prunings that answer; its largest may be another class than the vote's).
    random_state : int, RandomState or None. Deals the rows into folds.
    n_jobs : None (1), or the number of threads, -1 for all cores. The result is the same for any number.

    Fitted attributes: `tree_` (the base's whole tree T0), `node_weights_` ((n_nodes,), the chance that a pruning has a
    node of `tree_` as a leaf), `expected_leaves_`, `posterior_`, `lambda1_`, `lambda2_`, `leaf_cost_`, `cv_results_`
    (where something was "cv": the strengths and risk of every point tried, (n_points,) each), `classes_`, `n_classes_`,
    `n_features_in_`, `feature_names_in_`, `feature_importances_` (of the vote's tree). `apply` and `decision_path` give
    nodes of `tree_`; a leaf of it that no row reached has no voice (SPEC A5).
    """

    _strengths: ClassVar[tuple[str, ...]] = ("lambda1", "lambda2", "leaf_cost")
    _notes: ClassVar[tuple[str, ...]] = (*_strengths, "cv_results")
    _checks: ClassVar[Mapping[str, Check]] = {name: STRENGTH for name in _strengths} | {"proba": one_of("vote", "freq")}
    lambda1_: float
    lambda2_: float
    leaf_cost_: float

    def __init__(
        self,
        *,
        base: Any = "cart",
        lambda1: Any = "cv",
        lambda2: Any = "cv",
        leaf_cost: Any = 1.0,
        selection_folds: Any = 2,
        proba: str = "vote",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.base = base
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.leaf_cost = leaf_cost
        self.selection_folds = selection_folds
        self.proba = proba
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def posterior_(self) -> Posterior:
        """The chances of all prunings of `tree_`, with their risks, entropy, likeliest pruning and draws."""
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
        shares = self._ballot(posterior).shares(nodes, self.proba)
        if self.proba == "vote":  # the largest is the vote's, also where rounding parts what is equal
            shares[np.arange(len(nodes)), self._labels[nodes]] = shares.max(axis=1)
        return shares

    def _ballot(self, posterior: Posterior) -> Ballot:
        return Ballot.of(self.tree_, posterior.weighing, self.tree_.n_node_samples == 0)
