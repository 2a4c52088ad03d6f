"""HelmboldSchapireClassifier: the vote over all prunings that needs no word of rows being alike; two classes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bristlecone.estimators.targets import class_labels
from bristlecone.estimators.voting import VotingTree
from bristlecone.grow.parameters import Check, one_of
from bristlecone.subtrees.helmbold_schapire import (
    EMPTY,
    helmbold_schapire_posterior,
    labels_of,
    means_at,
    node_values,
    prediction_of,
)
from bristlecone.subtrees.online import Online
from bristlecone.subtrees.posterior import Posterior
from bristlecone.subtrees.selection import Searched, helmbold_schapire_labels
from bristlecone.subtrees.selection.votes import LabelsAt
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints

__all__ = ["HelmboldSchapireClassifier"]


def _is_beta(value: object) -> bool:
    if isinstance(value, str):
        return value == "cv"
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and bool(0 <= value < 1)


class HelmboldSchapireClassifier(VotingTree):
    """Helmbold and Schapire's vote over all prunings of a tree (Machine Learning 1997, SPEC A8). Two classes.

    A pruning predicts the share of class 1 in its leaf; every row of class y leaves 1 - (1 - beta) |share - y| of its
    weight. `update` goes on weighing with further rows, in their order, and keeps the bound on what it loses, which
    asks nothing of the rows: good for rows in order of time.

    Parameters
    ----------
    base : as of PACBayesTreeClassifier.
    beta : "cv" (chosen on held-out rows, from a wide and then a narrow grid; the authors of the PAC-Bayes tree took
        values above 1 into theirs, where there is no bound), or a number of at least 0 and below 1.
    start : "rows" (the rows of `fit` weigh the prunings), or "prior" (2^-|P| until `update` brings rows: then `bound_`
        is the one of 1997 as printed).
    empty : what a leaf that no row reached predicts: "zero", as the authors of the PAC-Bayes tree have it, or as its
        "parent".
    selection_folds, random_state, n_jobs : as of PACBayesTreeClassifier.

    Fitted attributes: as of PACBayesTreeClassifier, with `beta_`; after `update`: `n_updates_` (rows), `loss_` (the sum
    of |F - y|, F the predicted chance of class 1), `mistakes_`, `bound_` (what `loss_` cannot exceed), `best_loss_` (of
    the best pruning in hindsight).
    """

    _strengths: ClassVar[tuple[str, ...]] = ("beta",)
    _notes: ClassVar[tuple[str, ...]] = ("beta", "settings", "cv_results", "online")
    _fixed: ClassVar[tuple[str, ...]] = ("start", "empty")
    _checks: ClassVar[Mapping[str, Check]] = {
        "beta": Check(_is_beta, "'cv' or a number of at least 0 and below 1"),
        "start": one_of("rows", "prior"),
        "empty": one_of(*EMPTY),
    }
    beta_: float
    _online: Online | None = None
    _held: Any = None  # what a model file says of `_online`, until its tree is there

    def __init__(
        self,
        *,
        base: Any = "cart",
        beta: Any = "cv",
        start: str = "rows",
        empty: str = "zero",
        selection_folds: Any = 2,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.base = base
        self.beta = beta
        self.start = start
        self.empty = empty
        self.selection_folds = selection_folds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def update(self, X: Any, y: Any) -> Self:
        """Predict further rows one by one, in their order, and let each weigh the prunings once it is known.

        X: as `predict` takes it; y: (n_rows,) labels among `classes_`. `tree_` and what its nodes predict stay as they
        are. Errors: ValueError or TypeError naming row and column, and for beta_ = 0, at which one error would leave no
        weight; then nothing has changed.
        """
        table = self._read(X, check_later=False)
        labels = class_labels(y, type(self).__name__)
        online = self._online or Online.begin(self._at_fit(), self._values(), self.beta_)
        self._online, _ = online.after(table, labels)
        self._vote = None
        return self

    @property
    def posterior_(self) -> Posterior:
        """The chances of all prunings of `tree_`, with their risks, entropy, likeliest pruning and draws."""
        return self._at_fit() if self._online is None else self._online.posterior

    def _at_fit(self) -> Posterior:
        counts = np.zeros((self.tree_.n_nodes, 2)) if self._settings["start"] == "prior" else None
        return helmbold_schapire_posterior(self.tree_, beta=self.beta_, counts=counts, empty=self._settings["empty"])

    def _values(self) -> Floats:
        return node_values(self.tree_, self._settings["empty"])

    def _labels_at(self) -> LabelsAt:
        return partial(helmbold_schapire_labels, empty=self.empty)

    def _start(self, name: str) -> float:
        return 0.5

    def _check_tree(self, tree: Tree) -> None:
        if tree.n_classes != 2:
            raise ValueError(
                f"Only binary classification is supported. {type(self).__name__}: y has {tree.n_classes} "
                f"class{'es' if tree.n_classes > 1 else ''}"
            )

    def _keep(self, searched: Searched) -> None:
        self._online = None
        super()._keep(searched)

    def _vote_labels(self, posterior: Posterior) -> NDArray[np.int32]:
        return labels_of(posterior, self._values())

    def _shares(self, posterior: Posterior, nodes: Ints) -> Floats:
        second = prediction_of(means_at(posterior, self._values(), nodes), self.beta_)
        # Where rounding puts F on the other side of 1/2 than the vote, it is 1/2.
        second = np.where(
            self._voted().labels[nodes] == 1, np.maximum(second, np.nextafter(0.5, 1.0)), np.minimum(second, 0.5)
        )
        return np.column_stack([1.0 - second, second])

    def _so_far(self) -> Online:
        if self._online is None:
            raise AttributeError("no row has come by `update` yet")
        return self._online

    @property
    def n_updates_(self) -> int:
        """How many rows `update` has had since `fit`. AttributeError before the first."""
        return self._so_far().n_rows

    @property
    def loss_(self) -> float:
        """What the predictions of these rows have lost, the sum of |F - y|. AttributeError before the first."""
        return self._so_far().loss

    @property
    def mistakes_(self) -> int:
        """How many of these rows were predicted wrongly. AttributeError before the first."""
        return self._so_far().mistakes

    @property
    def bound_(self) -> float:
        """What `loss_` cannot exceed, whatever the rows: SPEC A8. AttributeError before the first."""
        return self._so_far().bound

    @property
    def best_loss_(self) -> float:
        """What the best pruning in hindsight would have lost on these rows. AttributeError before the first."""
        return self._so_far().best_loss

    def best_pruning(self) -> Tree:
        """The best pruning in hindsight. AttributeError before the first row."""
        return self._so_far().best_pruning()

    def _noted(self) -> dict[str, Any]:
        return super()._noted() | {"online": None if self._online is None else self._online.noted()}

    def _note(self, noted: Mapping[str, Any]) -> None:
        super()._note(noted)
        self._online, self._held = None, noted["online"]

    def _adopt(self, tree: Tree) -> Self:
        held, self._held = self._held, None
        super()._adopt(tree)
        if held is not None:
            self._online, self._vote = Online.begin(self._at_fit(), self._values(), self.beta_).resumed(held), None
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
