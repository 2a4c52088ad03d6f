"""Rows predicted one by one, each weighing the prunings once it is known: no word of rows being alike. SPEC A8.

start     a posterior: what each pruning weighs before the first row. Words as in `helmbold_schapire`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bristlecone import _core
from bristlecone.subtrees.count import class_codes, in_branches
from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.fold import Cheapest, fold
from bristlecone.subtrees.helmbold_schapire import check_beta, log_ratio, prediction_of, second_class
from bristlecone.subtrees.posterior import Posterior, Potentials
from bristlecone.table.rows import check_same_rows
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats, Ints

__all__ = ["Online"]


@dataclass(frozen=True, eq=False)
class Online:
    """Rows predicted one by one, each weighing the prunings once it is known. The start is a posterior.

    potentials: of now; losses: what prunings have lost so far at each node as their leaf, and as the inner node where a
    row stopped; loss: what the predictions F have lost, the sum of |F - y|; mistakes: rows that they got wrong.
    """

    start: Posterior
    value: Floats
    beta: float
    potentials: Potentials
    losses: Potentials
    n_rows: int = 0
    loss: float = 0.0
    mistakes: int = 0

    @classmethod
    def begin(cls, start: Posterior, value: Floats, beta: float) -> Online:
        """Before the first row. Raises ValueError for beta = 0: one error would leave no weight."""
        check_beta(beta)
        if beta == 0:
            raise ValueError("rows can weigh prunings one by one only where beta is above 0, got 0")
        n_nodes = start.tree.n_nodes
        inner = np.broadcast_to(0.0 if start.potentials.inner is None else start.potentials.inner, (n_nodes,))
        potentials = Potentials(start.potentials.leaf.copy(), inner.astype(np.float64))
        return cls(start, value, beta, potentials, Potentials(np.zeros(n_nodes), np.zeros(n_nodes)))

    def after(self, X: Any, y: Any) -> tuple[Online, Floats]:
        """After further rows, in their order, and F of each of them before it was known, (n_rows,).

        Raises ValueError for labels that are not the tree's, and where the tree refuses a row; nothing changes then.
        """
        tree = self.start.tree
        codes, stops = class_codes(tree, y), tree.apply(X)
        check_same_rows(len(stops), len(codes))
        leaf, inner = self.potentials.leaf.copy(), self.potentials.inner.copy()
        mean = np.empty(len(stops))
        children = (tree.children_left, tree.children_right)
        rows = (stops.astype(np.int32), codes.astype(np.uint8))
        _core.weigh_online(*children, *rows, self.value, float(self.beta), leaf, inner, mean)
        predicted = prediction_of(mean, self.beta)
        return (
            Online(
                self.start,
                self.value,
                self.beta,
                Potentials(leaf, inner),
                self._lost(stops, codes),
                self.n_rows + len(stops),
                self.loss + float(np.abs(predicted - codes).sum()),
                self.mistakes + int(np.count_nonzero(second_class(mean) != codes)),
            ),
            predicted,
        )

    def noted(self) -> dict[str, Any]:
        """What has changed since the start, for a model file."""
        return {
            "potentials": [self.potentials.leaf, self.potentials.inner],
            "losses": [self.losses.leaf, self.losses.inner],
            "n_rows": self.n_rows,
            "loss": self.loss,
            "mistakes": self.mistakes,
        }

    def resumed(self, noted: Mapping[str, Any]) -> Online:
        """From what `noted` gave. Raises ValueError or TypeError for anything else."""
        if not isinstance(noted, Mapping) or set(noted) != set(self.noted()):
            raise ValueError(f"rows weighed one by one: expected {sorted(self.noted())}")
        potentials, losses = (self._two_arrays(noted, name) for name in ("potentials", "losses"))
        if (losses.leaf < 0).any() or (losses.inner < 0).any():
            raise ValueError("losses: a loss is below 0")
        n_rows, loss, mistakes = (noted[name] for name in ("n_rows", "loss", "mistakes"))
        if not (type(n_rows) is type(mistakes) is int and 0 <= mistakes <= n_rows):
            raise ValueError(f"n_rows={n_rows!r}, mistakes={mistakes!r}: expected whole numbers, mistakes the smaller")
        if type(loss) is not float or not 0 <= loss <= n_rows:
            raise ValueError(f"loss={loss!r}: expected a number between 0 and n_rows")
        return Online(self.start, self.value, self.beta, potentials, losses, n_rows, loss, mistakes)

    def _two_arrays(self, noted: Mapping[str, Any], name: str) -> Potentials:
        arrays = [np.asarray(array, dtype=np.float64) for array in noted[name]]
        whole = [array.shape == (self.start.tree.n_nodes,) and bool(np.isfinite(array).all()) for array in arrays]
        if whole != [True, True]:
            raise ValueError(f"{name}: expected two arrays of a finite number for each node")
        return Potentials(*arrays)

    def _lost(self, stops: Ints, codes: Ints) -> Potentials:
        tree = self.start.tree
        at_stop = np.bincount(stops * 2 + codes, minlength=2 * tree.n_nodes).reshape(-1, 2)
        in_node = in_branches(tree, at_stop)
        leaf, inner = (zeros * self.value + ones * (1.0 - self.value) for zeros, ones in (in_node.T, at_stop.T))
        inner[tree.children_left < 0] = 0.0
        return Potentials(self.losses.leaf + leaf, self.losses.inner + inner)

    @property
    def posterior(self) -> Posterior:
        """The weights of now; the prior is the start."""
        return Posterior(self.start.tree, self.potentials, self.start.potentials)

    @property
    def best_loss(self) -> float:
        """What the best pruning in hindsight has lost, the sum of |value - y|."""
        return float(self._best().total)

    def best_pruning(self) -> Tree:
        """The best pruning in hindsight; of equals the smallest."""
        return cut(self.start.tree, self._best().leaf)

    def _best(self) -> Cheapest:
        return fold(self.start.tree, self.losses.leaf, self.losses.inner, semiring="min")

    @property
    def bound(self) -> float:
        """What `loss` cannot exceed, whatever the rows, in any order: the least over all prunings P of
        (loss of P x ln(1/beta) + ln 1/(weight of P at the start)) / (2 ln(2 / (1 + beta))).

        Where the start is the prior, the second term is |P| ln 2, as printed in 1997.
        """
        per_loss, start = math.log(1.0 / self.beta), self.start
        inner = 0.0 if start.potentials.inner is None else start.potentials.inner
        leaf_cost = self.losses.leaf * per_loss - start.potentials.leaf
        inner_cost = self.losses.inner * per_loss - inner
        least = float(fold(start.tree, leaf_cost, inner_cost, semiring="min").total) + float(start.weighing.total)
        return least / (2.0 * log_ratio(self.beta))
