"""What the votes over all prunings share: a base tree, its prunings' chances, and the one tree that their vote is.

T0          the base's whole tree, `tree_`: the weights belong to its nodes.
vote's tree T0 relabelled by the vote, and simplified: it answers every row as the vote does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from bristlecone.estimators.base import each_row
from bristlecone.estimators.bases import Base, base_of
from bristlecone.estimators.dealing import FOLDS, RANDOM_STATE, check_marks, dealer
from bristlecone.estimators.fitted import FittedClassifier
from bristlecone.estimators.rows import table_by_schema, training_table
from bristlecone.estimators.targets import class_labels
from bristlecone.grow.cart import thread_count
from bristlecone.grow.parameters import PARAMETERS, Check, check_parameters
from bristlecone.grow.targets import check_weights
from bristlecone.subtrees.folds import Fold, Rows
from bristlecone.subtrees.posterior import Posterior
from bristlecone.subtrees.selection import AXES, Growth, Searched, select_strengths, vote_tree
from bristlecone.subtrees.selection.votes import LabelsAt
from bristlecone.table import Table
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints
from bristlecone.tree.layout import distinct

if TYPE_CHECKING:
    from bristlecone.tree.contributions import Contributions
    from bristlecone.tree.explain import Explanation
    from bristlecone.tree.nearest import Alternatives

__all__ = ["VotingTree"]

KEPT = 1 << 24  # probabilities of nodes that an estimator keeps: 128 megabytes


@dataclass(slots=True)
class _Vote:
    """weights, labels: (n_nodes,) of T0; tree: the vote's; shares: (n_nodes, n_classes), None where it is too large."""

    weights: Floats
    expected_leaves: float
    labels: NDArray[np.int32]
    tree: Tree
    shares: Floats | None = None


class VotingTree(FittedClassifier):
    """A vote over all prunings of a tree behind scikit-learn's interface; a base, not for use by itself."""

    _notes: ClassVar[tuple[str, ...]]
    _strengths: ClassVar[tuple[str, ...]]  # the parameters that "cv" may choose, in the order of the search
    _checks: ClassVar[Mapping[str, Check]]
    _fixed: ClassVar[tuple[str, ...]]  # the parameters that answers depend on: those of `fit` count, not later ones
    _settings: dict[str, Any]
    _vote: _Vote | None
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
        (n_rows,) non-negative, a whole weight equals so many rows, 0 none, others are shares of the rows. groups:
        (n_rows,), rows of one group stay in one fold. time: (n_rows,), numbers, dates or anything in order: folds are
        judged on rows later than all that they are grown on. Errors: ValueError or TypeError naming the parameter, row
        or column.
        """
        growth = self._opened(X, y, sample_weight, groups, time)
        tree = growth.tree()
        self._check_tree(tree)
        folds = dealer(self.selection_folds, self.random_state, (X, growth.y), groups, time, name="selection_folds")
        self._keep(self._select(growth, folds))
        return self._adopt(tree)

    def _opened(self, X: Any, y: Any, sample_weight: Any, groups: Any, time: Any) -> Growth:
        """All that makes the tree, checked."""
        given, base = self._checked(), self._base()
        if base.schema is None:
            table = training_table(self, X, base.parameters["categorical_features"])
        else:
            table = table_by_schema(self, X, base.schema)
        labels = class_labels(y, type(self).__name__)
        check_marks(groups, time, table.n_rows)
        self._settings = {name: given[name] for name in self._fixed}
        return self._growth(base, table, labels, check_weights(each_row(sample_weight, table), table.n_rows))

    def _growth(self, base: Base, table: Table, labels: NDArray[Any], weights: Floats | None) -> Growth:
        """Weights that are not whole become shares of the number of rows: what prunings lose is counted in rows."""
        parameters = {**base.parameters, "n_jobs": self.n_jobs}
        return Growth(table, labels, weights, parameters, parameters, base.grower).in_rows()

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
        return chosen | {"settings": self._settings, "cv_results": getattr(self, "cv_results_", None)}

    def _note(self, noted: Mapping[str, Any]) -> None:
        for name in self._strengths:
            if type(noted[name]) is not float or not self._checks[name].passes(noted[name]):
                raise ValueError(f"{name}_ is {noted[name]!r}: {self._checks[name].wanted}")
            setattr(self, f"{name}_", noted[name])
        results = noted["cv_results"]
        if results is not None:
            self.cv_results_ = _checked_results(results, {*self._strengths, "risk"})
        self._take_settings(noted["settings"])

    def _take_settings(self, settings: Any) -> None:
        """Take back the parameters that answers depend on. Raises ValueError for anything else."""
        if not isinstance(settings, dict) or set(settings) != set(self._fixed):
            raise ValueError(f"settings: expected {sorted(self._fixed)}")
        check_parameters(settings, self._checks, type(self).__name__)
        self._settings = settings

    def _adopt(self, tree: Tree) -> Self:
        self._vote = None
        super()._adopt(tree)
        self._voted()
        return self

    def __getstate__(self) -> Any:
        return {**super().__getstate__(), "_vote": None}  # it can be made again

    def _voted(self) -> _Vote:
        """All that the chances of prunings say; made when first asked for after a change."""
        check_is_fitted(self, "tree_")
        if self._vote is None:
            posterior = self.posterior_
            labels = self._vote_labels(posterior)
            self._vote = _Vote(posterior.weights, posterior.expected_leaves, labels, vote_tree(self.tree_, labels))
            if self.tree_.n_nodes * self.n_classes_ <= KEPT:
                self._vote.shares = self._shares(posterior, np.arange(self.tree_.n_nodes))
        return self._vote

    @property
    def node_weights_(self) -> Floats:
        """The chance of each node of `tree_` to be a leaf of a pruning, (n_nodes,)."""
        return self._voted().weights

    @property
    def expected_leaves_(self) -> float:
        """The mean number of leaves, with rows in them, of the prunings that vote."""
        return self._voted().expected_leaves

    def predict(self, X: Any) -> NDArray[Any]:
        """The vote for each row: a label, (n_rows,).

        X: array, frame or Table of shape (n_rows, n_features). Errors: ValueError for a missing column (named), a
        different number of columns, and for what the base's `missing` and `unseen` refuse.
        """
        nodes = self.apply(X)
        answers: NDArray[Any] = self.classes_[self._voted().labels[nodes]]
        return answers

    def predict_proba(self, X: Any) -> Floats:
        """The classes' shares of the vote, (n_rows, n_classes), columns as `classes_`."""
        nodes = self.apply(X)
        shares = self._voted().shares
        if shares is not None:
            return shares.take(nodes, axis=0)
        stops, of_row = distinct(nodes, self.tree_.n_nodes)
        return self._shares(self.posterior_, stops).take(of_row, axis=0)

    def to_tree(self) -> Tree:
        """The vote as one ordinary tree: `tree_` with the vote's labels, without questions that change no answer.

        It answers every row as `predict` does (SPEC A7); its counts and fractions are those of the growing rows.
        """
        return self._voted().tree

    def _answering_tree(self) -> Tree:
        return self.to_tree()

    def map_pruning(self) -> Tree:
        """The pruning of greatest weight (MAP); of equals the smallest."""
        check_is_fitted(self, "tree_")
        return self.posterior_.map_pruning()

    def contributions(self, X: Any) -> Contributions:
        """What each column adds to the answer of the vote's tree, `to_tree()`, whose shares are the growing rows'."""
        table = self._read(X)
        return self.to_tree().contributions(table, thread_count(self.n_jobs))

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


def _checked_results(given: Any, names: set[str]) -> dict[str, NDArray[Any]]:
    """cv_results_ out of a model file. Raises ValueError for anything else than numbers of equal length by name."""
    if not isinstance(given, dict) or set(given) != names:
        raise ValueError(f"cv_results: expected {sorted(names)}")
    results = {name: np.asarray(array, dtype=np.float64) for name, array in given.items()}
    if len({array.shape for array in results.values()}) != 1 or results["risk"].ndim != 1:
        raise ValueError("cv_results: the arrays are not of one length")
    return results
