"""From a model that answers to a tree that can be read.

like        rows such as the model will see, or a distribution. Some rows are put aside at the start: those that
            candidates are compared on, and others that the winner is certified on.
candidate   a space to ask in and a way to grow. With "auto" all are grown to an eighth, those that are not far behind
            then to the end, and the most faithful one is kept: see `contending`. In the space of the rows it is grown
            once more, for the rows to compare on are free now; those to certify on are not.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bristlecone.query.checks import check_delta, check_whole, generator_of
from bristlecone.query.distilling.contending import Contender, chosen, far_behind
from bristlecone.query.distilling.fidelity import Fidelity
from bristlecone.query.distilling.ground import Ground, ground_of
from bristlecone.query.distilling.growth import Grower, Grown
from bristlecone.query.distilling.labelled import check_comparable, checked_labels
from bristlecone.query.distilling.regressors import refuse_regressor
from bristlecone.query.distilling.result import Candidate, Distilled
from bristlecone.query.distilling.searching import Asker
from bristlecone.query.distilling.spaces import ProductSpace, RowSpace, Space
from bristlecone.query.distilling.trees import tree_of
from bristlecone.query.distributions import Places
from bristlecone.query.oracle import BudgetSpentError, Oracle, check_budgets
from bristlecone.subtrees.of_size import best_of_size
from bristlecone.tree import Tree

__all__ = ["distill"]

MOST_KINDS = 1000  # classes of a model; more of them are numbers
MANY_FRACTIONS = 20  # as answers are no classes
FRESH = 2000  # points of the space that the tree is measured on, at most
FOR_MEASURING = 0.3  # of a budget: to compare, to certify and to measure in the space
FEWEST_QUERIES = 50
FEWEST_LEAVES = 8  # of candidates when they are compared for the first time


def distill(  # noqa: PLR0913 - one keyword a choice
    model: Any,
    like: Any,
    *,
    max_leaves: int = 64,
    delta: float = 0.05,
    space: Literal["auto", "product", "rows"] = "auto",
    growth: Literal["auto", "gain", "influence"] = "auto",
    points_per_leaf: int = 1000,
    aside: float = 0.05,
    max_queries: int | None = None,
    random_state: Any = None,
    X: Any = None,
    y: Any = None,
) -> Distilled:
    """A tree of at most max_leaves leaves that answers as a model does, and how often it does, with a limit.

    model: an object with predict, a callable, or an Oracle, answering classes. like: an array or a frame of at least 10
    rows, asked about in its own kind, or a ProductDistribution. space: "product" of the columns' marginals, or the
    "rows" with one column drawn afresh; growth: by the "gain" of purity or by "influence"; "auto" tries all.
    points_per_leaf: asked about at each leaf. aside: share of the rows (of small tables a tenth, up to 100 rows; at
    most 5,000) kept to certify on, and twice as many to compare on. X, y: labelled rows, to show the errors of tree and
    model. max_queries: passed for the labelled rows only; smaller trees come of it, as of an Oracle's own budgets,
    which are never passed.

    The fidelity limits hold whatever the model and however the tree was grown, for rows drawn as `like` was. The
    theorem on greedy trees (SPEC C3) is about Boolean product spaces: for thresholds, level sets and the rows space
    growth is heuristic. Warns of constant columns. Raises ValueError or TypeError naming the parameter or what the
    model did; BudgetSpentError where an Oracle's seconds are over before the tree is measured.
    """
    check_delta(delta)
    check_whole(1, max_leaves=max_leaves)
    check_whole(2, points_per_leaf=points_per_leaf)
    check_budgets(max_queries, None)
    if max_queries is not None and not max_queries >= FEWEST_QUERIES:
        raise ValueError(f"max_queries must be at least {FEWEST_QUERIES}, got {max_queries!r}")
    refuse_regressor(model)
    generator = generator_of(random_state)
    ground = ground_of(like, space, growth, aside, generator)
    labels = checked_labels(X, y, ground.dist.schema)
    oracle = model if isinstance(model, Oracle) else Oracle(model, most_kinds=MOST_KINDS)
    if oracle.max_queries is not None:  # what it has left is a budget too
        left, labelled = int(oracle.queries_left), 0 if labels is None else len(labels)
        if left - labelled < FEWEST_QUERIES:
            beside = f" beside the {labelled} of X" if labelled else ""
            raise ValueError(f"the oracle has {left} queries left; at least {FEWEST_QUERIES} are needed{beside}")
        max_queries = left - labelled if max_queries is None else int(min(max_queries, left - labelled))
    work = Distillation(ground, oracle, generator, int(max_leaves), int(points_per_leaf), max_queries)
    try:
        return work.result(delta, X, labels)
    except BudgetSpentError as spent:
        raise BudgetSpentError(f"{spent.reason} before a tree was grown and measured", spent.needed) from None


class Distillation:
    """One run: candidates are grown and compared, and the winner is measured."""

    def __init__(
        self,
        ground: Ground,
        oracle: Oracle,
        generator: np.random.Generator,
        max_leaves: int,
        points_per_leaf: int,
        max_queries: int | None,
    ) -> None:
        self.ground, self.oracle, self.generator = ground, oracle, generator
        self.max_leaves, self.points_per_leaf, self.max_queries = max_leaves, points_per_leaf, max_queries
        self.before, self.seconds = oracle.n_queries, oracle.seconds_left

    def result(self, delta: float, X: Any, y: npt.NDArray[Any] | None) -> Distilled:
        said = None if y is None else self.oracle(X)
        if y is not None and said is not None:
            check_comparable(y, said)
        with self.oracle.narrowed(self.max_queries):
            tree, winner, candidates = self._kept()
            on_like = self._fidelity(tree, self._measured(self.ground.certifying))
            on_space = self._fidelity(tree, self._measured(self._fresh(winner.space)))
            self.oracle.final_check()
        return Distilled(
            tree=tree,
            space=winner.space,
            growth=winner.growth,
            on_like=on_like,
            on_space=on_space,
            delta=delta,
            n_queries=self.oracle.n_queries - self.before,
            n_changed=self.oracle.n_changed,
            candidates=candidates,
            like_rows=self.ground.like_rows,
            tree_error=None if y is None else float(np.mean(tree.predict(X) != y)),
            model_error=None if y is None else float(np.mean(said != y)),
            notes=self._notes(winner),
        )

    def _kept(self) -> tuple[Tree, Candidate, tuple[Candidate, ...]]:
        """The tree that is kept, whose it is, and all candidates."""
        contenders = [self._contender(*how, self.ground.growing) for how in self.ground.candidates]
        contenders, trees = self._grown(contenders)
        agreements = self._agreements(trees) if len(trees) > 1 else None
        in_the_end = [k for k, one in enumerate(contenders) if not one.left]
        best = in_the_end[0 if agreements is None else chosen(agreements[in_the_end])]
        candidates = tuple(
            one.candidate(tree, None if agreements is None else agreements[k])
            for k, (one, tree) in enumerate(zip(contenders, trees, strict=True))
        )
        tree, winner = trees[best], candidates[best]
        if self._grows_again(contenders[best]):
            rows = np.concatenate([self.ground.growing, self.ground.comparing])
            again = self._contender(winner.space, winner.growth, rows)
            tree = self._tree(again.grow(self.oracle, 2 * self.max_leaves))
        return tree, winner, candidates

    def _contender(self, where: str, way: str, rows: Places) -> Contender:
        m, share, seconds = self.points_per_leaf, None, None
        if self.seconds < np.inf:
            seconds = (1 - FOR_MEASURING) * self.seconds / len(self.ground.candidates)
        if self.max_queries is not None:
            share = int((1 - FOR_MEASURING) * self.max_queries) // len(self.ground.candidates)
            m, rows = max(5, min(m, share // (8 * self.max_leaves))), rows[: max(1, share // 3)]
        dist = self.ground.dist
        space: Space = ProductSpace(dist) if where == "product" else RowSpace(dist, rows)
        asker = Asker(self._kinds, dist.points, space.base)
        return Contender(Grower(space, asker, way, m, self.generator), share, seconds)

    def _grows_again(self, one: Contender) -> bool:
        """Whether there are more rows for it than it was compared with; a budget is shared out among all of them."""
        unlimited = self.max_queries is None and self.seconds == np.inf
        return one.grower.space.name == "rows" and len(self.ground.comparing) > 0 and unlimited

    def _kinds(self, points: Any) -> npt.NDArray[np.int64]:
        """What the model answers. Raises ValueError where that is numbers, not classes."""
        found = self.oracle.kinds(points)
        told, _ = self.oracle.classes() if len(found) and found.max() >= MANY_FRACTIONS else (np.empty(0), None)
        if told.dtype.kind == "f" and len(told) > MANY_FRACTIONS and (told % 1 != 0).any():
            raise ValueError(
                f"the model gave {len(told):,} different numbers as answers, such as {told[0]}, and this is about "
                "classes; cut numbers into a few first"
            )
        return found

    def _grown(self, contenders: list[Contender]) -> tuple[list[Contender], list[Tree]]:
        """Those for which there was time, and the tree of each, from twice the leaves that are wanted; of those far
        behind at an eighth, that one.
        """
        if len(contenders) == 1:
            return contenders, [self._tree(contenders[0].grow(self.oracle, 2 * self.max_leaves))]
        few = max(FEWEST_LEAVES, self.max_leaves // 4)
        small: list[Tree] = []
        for one in contenders:
            if not small or not self._late:
                small.append(self._tree(one.grow(self.oracle, few)))
        contenders = contenders[: len(small)]
        for one, tree, far in zip(contenders, small, far_behind(self._agreements(small)), strict=True):
            one.left = f"far behind at {tree.n_leaves} leaves" if far else ""
        near = [one for one in contenders if not one.left]
        if len(near) == 1 and self._grows_again(near[0]):
            return contenders, small
        return contenders, [self._grown_on(one, tree) for one, tree in zip(contenders, small, strict=True)]

    def _grown_on(self, one: Contender, tree: Tree) -> Tree:
        """The tree of a contender whose small one is this."""
        if self._late:
            one.end("no time was left to grow on")
        if one.left or self._late:
            return tree
        return self._tree(one.grow(self.oracle, 2 * self.max_leaves))

    @property
    def _late(self) -> bool:
        """Whether the time to grow is over: a call to a slow model may take longer than its share."""
        return self.seconds < np.inf and self.oracle.seconds_left < FOR_MEASURING * self.seconds

    def _tree(self, grown: Grown) -> Tree:
        """The tree, pruned to the leaves that are wanted: those whose answers disagree least with what was asked."""
        tree = tree_of(grown, self.ground.dist, *self.oracle.classes())
        return best_of_size(tree, self.max_leaves)

    def _agreements(self, trees: list[Tree]) -> npt.NDArray[np.bool_]:
        """Where each tree answers as the model on rows that nothing was grown on, (n_trees, n_rows)."""
        rows, truth = self._to_compare
        return np.array([self._agrees(tree, rows, truth) for tree in trees])

    @cached_property
    def _to_compare(self) -> tuple[Places, npt.NDArray[Any]]:
        rows = self._measured(self.ground.comparing)
        return rows, self._answers(rows)

    def _measured(self, places: Places) -> Places:
        """As many of some points as a tenth of the budget allows."""
        return places if self.max_queries is None else places[: max(1, self.max_queries // 10)]

    def _answers(self, places: Places) -> npt.NDArray[Any]:
        return self.oracle(self.ground.dist.points(places))

    def _agrees(self, tree: Tree, places: Places, truth: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        return np.asarray(tree.predict(self.ground.dist.table(places)) == truth)

    def _fidelity(self, tree: Tree, places: Places) -> Fidelity:
        return Fidelity(int(self._agrees(tree, places, self._answers(places)).sum()), len(places))

    def _fresh(self, where: str) -> Places:
        """Points of the space that nothing was grown on: in that of the rows, put-aside ones with a column redrawn.

        Each of these rows is used once: points made of the same row are not independent, and no limit holds for them.
        """
        dist, kept = self.ground.dist, self.ground.certifying
        if where == "product":
            return dist.draw(FRESH, self.generator)
        points = kept[:FRESH].copy()
        column = self.generator.integers(dist.n, size=len(points))
        for i, coordinate in enumerate(dist.coordinates):
            points[column == i, i] = coordinate.draw(int((column == i).sum()), self.generator)
        return points

    def _notes(self, winner: Candidate) -> tuple[str, ...]:
        notes = []
        if winner.space == "rows" or not self.ground.dist.boolean or winner.growth != "influence":
            notes.append("Growth is heuristic here, the limits hold all the same")
        if winner.stopped:
            notes.append(f"Growth ended early: {winner.stopped}")
        return tuple(notes)
