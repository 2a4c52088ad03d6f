"""What the votes over all prunings share: a base tree, its prunings' chances, and the one tree that their vote is.

T0          the base's whole tree, `tree_`: the weights belong to its nodes.
vote's tree T0 relabelled by the vote, and simplified: it answers every row as the vote does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from bristlecone.estimators.base import each_row
from bristlecone.estimators.bases import Base, base_of
from bristlecone.estimators.dealing import FOLDS, RANDOM_STATE, dealer
from bristlecone.estimators.fitted import FittedClassifier
from bristlecone.estimators.rows import training_table
from bristlecone.estimators.targets import class_labels
from bristlecone.grow.cart import thread_count
from bristlecone.grow.parameters import PARAMETERS, Check, check_parameters
from bristlecone.grow.targets import check_weights
from bristlecone.subtrees.folds import Fold, Rows
from bristlecone.subtrees.posterior import Posterior
from bristlecone.subtrees.selection import AXES, Growth, Searched, select_strengths, vote_tree
from bristlecone.subtrees.selection.votes import LabelsAt
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints
from bristlecone.tree.layout import distinct

if TYPE_CHECKING:
    from bristlecone.tree.explain import Explanation
    from bristlecone.tree.nearest import Alternatives

__all__ = ["VotingTree"]

KEPT = 1 << 24  # probabilities of nodes that an estimator keeps: 128 megabytes


class VotingTree(FittedClassifier):
    """A vote over all prunings of a tree behind scikit-learn's interface; a base, not for use by itself."""

    _notes: ClassVar[tuple[str, ...]]
    _strengths: ClassVar[tuple[str, ...]]  # the parameters that "cv" may choose, in the order of the search
    _checks: ClassVar[Mapping[str, Check]]
    node_weights_: Floats
    expected_leaves_: float
    cv_results_: dict[str, NDArray[Any]]

    def _checked(self) -> dict[str, Any]:
        """The parameters; the first one that is not what it may be is refused by name."""
        given: dict[str, Any] = self.get_params(deep=False)
        shared = {"selection_folds": FOLDS, "random_state": RANDOM_STATE, "n_jobs": PARAMETERS["n_jobs"]}
        checks = {**self._checks, **shared}
        check_parameters({name: given[name] for name in checks}, checks, type(self).__name__)
        self._base()
        return given

    def _base(self) -> Base:
        return base_of(self.base, type(self).__name__)

    def _refuses_missing(self) -> bool:
        try:
            return self._base().refuses_missing
        except (TypeError, ValueError):  # `fit` says what is wrong with it
            return False

    def _labels_at(self) -> LabelsAt:
        """The vote at the nodes of a tree, for strengths by name."""
        raise NotImplementedError

    @property
    def posterior_(self) -> Posterior:
        """The chances of all prunings of `tree_`, with their risks, entropy, likeliest pruning and draws."""
        raise NotImplementedError

    def _vote_labels(self, posterior: Posterior) -> NDArray[np.int32]:
        """The class that the vote answers to a row that stops at each node of T0, (n_nodes,)."""
        raise NotImplementedError

    def _shares(self, posterior: Posterior, nodes: Ints) -> Floats:
        """The class probabilities of rows that stop at these nodes, (len(nodes), n_classes)."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, time: Any = None) -> Self:
        """Grow the tree, choose the strengths where they are "cv", and weigh all prunings.

        X: array, frame or Table of shape (n_rows, n_features); y: (n_rows,) labels of any one kind; sample_weight:
        (n_rows,) non-negative, a whole weight equals so many rows, 0 none. groups: (n_rows,), rows of one group stay in
        one fold. time: (n_rows,), numbers, dates or anything in order: folds are judged on rows later than all that
        they are grown on. Errors: ValueError or TypeError naming the parameter, row or column.
        """
        given, base, owner = self._checked(), self._base(), type(self).__name__
        table = training_table(self, X, base.parameters["categorical_features"])
        labels = class_labels(y, owner)
        weights = check_weights(each_row(sample_weight, table), table.n_rows)
        parameters = {**base.parameters, "n_jobs": given["n_jobs"]}
        growth = Growth(table, labels, weights, parameters, parameters, base.grower)
        tree = growth.tree()
        self._check_tree(tree)
        folds = dealer(self.selection_folds, self.random_state, (X, labels), groups, time)
        self._keep(self._select(growth, folds))
        return self._adopt(tree)

    def _check_tree(self, tree: Tree) -> None:
        """Raises ValueError for a tree that this vote cannot be over."""

    def _select(self, growth: Growth, folds: Callable[[Rows], Sequence[Sequence[Fold]]]) -> Searched:
        given = {name: getattr(self, name) for name in self._strengths}
        axes = [AXES[name] for name in self._strengths if given[name] == "cv"]
        start = {name: self._start(name) if value == "cv" else float(value) for name, value in given.items()}
        return select_strengths(growth, self._labels_at(), folds, start, axes, n_threads=thread_count(self.n_jobs))

    def _start(self, name: str) -> float:
        """Where the search stands on an axis before it goes along it."""
        return 1.0

    def _keep(self, searched: Searched) -> None:
        for name, value in searched.chosen.items():
            setattr(self, f"{name}_", float(value))
        if len(searched.risk):
            self.cv_results_ = {**searched.tried, "risk": searched.risk}
        elif "cv_results_" in vars(self):
            del self.cv_results_

    def _noted(self) -> dict[str, Any]:
        chosen = {name: getattr(self, f"{name}_") for name in self._strengths}
        return chosen | {"cv_results": getattr(self, "cv_results_", None)}

    def _note(self, noted: Mapping[str, Any]) -> None:
        for name in self._strengths:
            setattr(self, f"{name}_", float(noted[name]))
        if noted["cv_results"] is not None:
            self.cv_results_ = {str(name): np.asarray(array) for name, array in dict(noted["cv_results"]).items()}

    def _adopt(self, tree: Tree) -> Self:
        super()._adopt(tree)
        return self._weigh(self.posterior_)

    def _weigh(self, posterior: Posterior) -> Self:
        """Take the chances of prunings: all answers follow from them."""
        self.node_weights_, self.expected_leaves_ = posterior.weights, posterior.expected_leaves
        self._labels = self._vote_labels(posterior)
        small = self.tree_.n_nodes * self.n_classes_ <= KEPT
        self._kept = self._shares(posterior, np.arange(self.tree_.n_nodes)) if small else None
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The vote for each row: a label, (n_rows,).

        X: array, frame or Table of shape (n_rows, n_features). Errors: ValueError for a missing column (named), a
        different number of columns, and for what the base's `missing` and `unseen` refuse.
        """
        nodes = self.apply(X)
        answers: NDArray[Any] = self.classes_[self._labels[nodes]]
        return answers

    def predict_proba(self, X: Any) -> Floats:
        """The classes' shares of the vote, (n_rows, n_classes), columns as `classes_`."""
        nodes = self.apply(X)
        if self._kept is not None:
            return self._kept.take(nodes, axis=0)
        stops, of_row = distinct(nodes, self.tree_.n_nodes)
        return self._shares(self.posterior_, stops).take(of_row, axis=0)

    def to_tree(self) -> Tree:
        """The vote as one ordinary tree: `tree_` with the vote's labels, without questions that change no answer.

        It answers every row as `predict` does (SPEC A7); its counts and fractions are those of the growing rows.
        """
        check_is_fitted(self, "tree_")
        return vote_tree(self.tree_, self._labels)

    def _answering_tree(self) -> Tree:
        return self.to_tree()

    def map_pruning(self) -> Tree:
        """The pruning of greatest weight (MAP); of equals the smallest."""
        check_is_fitted(self, "tree_")
        return self.posterior_.map_pruning()

    def explain(self, X: Any, row: int) -> Explanation:
        """Why row `row` of X (counted from 0) gets its answer, in the words of the vote's tree."""
        table = self._read(X, check_later=False)
        return self.to_tree().explain(table, row)

    def alternatives(self, X: Any, row: int) -> Alternatives:
        """What row `row` of X (counted from 0) would need for the vote to answer otherwise, as the vote's tree says."""
        table = self._read(X, check_later=False)
        return self.to_tree().alternatives(table, row)

    def get_depth(self) -> int:
        """The number of questions on the longest path of the vote's tree."""
        return self.to_tree().max_depth

    def get_n_leaves(self) -> int:
        """The number of leaves of the vote's tree."""
        return self.to_tree().n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the weighted impurity drop in the vote's tree, (n_features,)."""
        return self.to_tree().feature_importances
