"""Algorithm 2: the greedy tree of a function that can only be asked, without knowing how large its tree is. SPEC C4-C5.

score       of a leaf and a variable: the share of base points that reach the leaf and whose answer changes when the
            variable is drawn afresh. One base point serves all variables, and a draw that changes nothing is not asked.
test        of a labelled tree: on fresh points it errs on at most 3 epsilon / 4 of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bristlecone import _core
from bristlecone.query.bare import BareTree, to_tree
from bristlecone.query.checks import generator_of
from bristlecone.query.distributions import ProductDistribution, bits
from bristlecone.query.functions import as_oracle
from bristlecone.query.oracle import BudgetSpentError, Oracle
from bristlecone.query.pools import Pool
from bristlecone.query.progress import Progress
from bristlecone.query.sizes import Mode, Schedule, asked_per_point, schedule_of
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["Learned", "SampledStep", "learn_tree"]

KINDS = ("score", "label", "error")
WHY_NOT = {  # nothing is guaranteed, by how the run ended
    "constant": "no variable was seen to change an answer at any leaf, and the tree did not pass the test",
    "reached": "the tree passed the test, but the answers to equal questions differ",
}
CHUNK_BYTES = 1 << 21  # of the questions that are asked at a time


class SampledStep(NamedTuple):
    """One split: its leaf and variable, the estimated score, points that were drawn for it, and the tested error."""

    leaf: int
    variable: int
    score: float
    n_samples: int
    error_estimate: float


@dataclass(frozen=True, eq=False)
class Learned:
    """A tree learned by asking.

    error_estimate: its share of errors on the last test, NaN if there was none. certified: whether the test was passed,
    and no repeated question answered differently; guarantee says in words what then holds. n_samples, n_queries: points
    drawn and answers asked for, repeats included, each in all and by kind ("score", "label", "error"; "check" for
    repeated questions). needed: when a budget ended the run, about how many queries the split it was at would have
    taken more; else 0. stopped: "reached", "constant" (no changed answer was seen) or why the budget ended. n_changed:
    repeated questions answered differently.
    """

    tree: Tree
    error_estimate: float
    certified: bool
    guarantee: str
    n_samples: int
    n_queries: int
    by_kind: dict[str, tuple[int, int]]
    history: tuple[SampledStep, ...]
    stopped: str
    needed: int
    n_changed: int
    oracle: Oracle = field(repr=False)

    @property
    def size(self) -> int:
        """The number of leaves."""
        return self.tree.n_leaves


def learn_tree(  # noqa: PLR0913 - one keyword a choice
    f: Any,
    dist: ProductDistribution,
    epsilon: float,
    delta: float = 0.05,
    *,
    mode: Mode = "pool",
    check_root: bool | None = None,
    random_state: Any = None,
    max_queries: int | None = None,
    max_seconds: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Learned:
    """A tree that errs at most epsilon with chance at least 1 - delta, by asking; nothing need be known of its size.

    f: callable on (m, n) uint8 arrays, a model with predict, an Oracle, a Tree or a truth table, of two kinds of
    labels. mode: "pool" keeps all points, "fresh" draws others for every split (less memory, more queries),
    "as_printed" is the paper's. All three certify the error, by a test on fresh points; that splits are within a factor
    4 of the best (Theorem 5.1) is proved for "pool" and "fresh". check_root: test the single leaf before any split;
    None: yes, but not in "as_printed". max_queries, max_seconds: end with the tree so far, not certified; an
    Oracle's own budgets hold too. progress: called with a Progress now and then.

    Memory: a chunk of questions, and n / 8 whole bytes, twice, for each kept point whose answer a fresh draw changed.
    Raises ValueError naming the parameter, or what the oracle did. Source: Algorithm 2; SPEC C4-C5 corrects it.
    """
    schedule = schedule_of(mode, dist, epsilon, delta, check_root)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be something to call with a Progress, got {type(progress).__name__}")
    oracle = as_oracle(f, dist)
    with oracle.narrowed(max_queries, max_seconds):
        return Run(oracle, dist.p, schedule, generator_of(random_state), progress).result()


class Run:
    """One run of Algorithm 2."""

    def __init__(
        self,
        oracle: Oracle,
        p: Floats,
        schedule: Schedule,
        generator: np.random.Generator,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.oracle, self.p, self.schedule, self.generator, self.progress = oracle, p, schedule, generator, progress
        self.asked_per_point = asked_per_point(p)
        self.bare = BareTree(len(p))
        self.scores = Pool(self.bare, len(p), keeps=schedule.keeps)
        self.labels = Pool(self.bare, 2, keeps=True)
        self.seen = np.zeros(2, dtype=np.int64)  # answers to all base points, for leaves without a labelled point
        self.samples, self.queries = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
        self.kept = dict.fromkeys(KINDS, 0)
        self.history: list[SampledStep] = []
        self.split, self.error, self.stopped = 0, float("nan"), ""
        self.before = oracle.n_queries

    def result(self) -> Learned:
        needed = 0
        try:
            self._grow()
            self.oracle.final_check()
        except BudgetSpentError as spent:
            if self.oracle.n_queries == self.before:
                raise ValueError(f"nothing was learned: {spent.reason} before the first answer") from None
            self.stopped, needed = spent.reason, self._needed()
        n_queries = self.oracle.n_queries - self.before
        by_kind = {kind: (self.samples[kind], self.queries[kind]) for kind in KINDS}
        by_kind["check"] = (0, n_queries - sum(self.queries.values()))
        passed = self.error <= self._passing and self.stopped in ("reached", "constant")
        certified = passed and not self.oracle.n_changed
        return Learned(
            self._tree(),
            self.error,
            certified,
            _guarantee(self.schedule, certified, self.stopped, self.oracle),
            sum(self.samples.values()),
            n_queries,
            by_kind,
            tuple(self.history),
            self.stopped,
            needed,
            self.oracle.n_changed,
            self.oracle,
        )

    @property
    def _passing(self) -> float:
        return 0.75 * self.schedule.epsilon

    def _grow(self) -> None:
        if self.schedule.root and self._test():
            return
        while True:
            self.split += 1
            leaf, variable, score = self._best()
            if score == 0:
                if not self._test():
                    self.stopped = "constant"
                return
            self.bare.split(leaf, variable)
            if self.scores.keeps:
                self.scores.follow(leaf)
            self.labels.follow(leaf)
            drawn = sum(self.samples.values())
            passed = self._test()
            self.history.append(SampledStep(leaf, variable, score, sum(self.samples.values()) - drawn, self.error))
            if passed:
                return

    def _best(self) -> tuple[int, int, float]:
        """The leaf and variable of the highest estimated score: ties to the leaf made first, then the lowest
        variable.
        """
        wanted = self.schedule.scores(self.split)
        if not self.scores.keeps:
            self.scores.clear()
            self.kept["score"] = 0
        self._draw("score", wanted, self._add_scores)
        counts = self.scores.counts[: len(self.bare)].copy()
        for node in range(len(self.bare)):
            if self.bare.left[node] >= 0:
                counts[node] = -1
            else:
                counts[node, list(self.bare.path(node))] = -1
        leaf, variable = np.unravel_index(int(np.argmax(counts)), counts.shape)
        return int(leaf), int(variable), max(0.0, float(counts[leaf, variable]) / wanted)

    def _test(self) -> bool:
        """Label the leaves, and test the tree on fresh points."""
        self._draw("label", self.schedule.labels(self.split), self._add_labels)
        label, tree, wrong = self._answers(), self.bare.arrays(), 0
        self.kept["error"] = 0

        def count(X: npt.NDArray[np.uint8]) -> None:
            nonlocal wrong
            said = label[_core.leaves_reached(*tree, X)]
            wrong += int(np.count_nonzero(self._ask("error", X) != said))

        wanted = self.schedule.errors(self.split)
        self._draw("error", wanted, count)
        self.error = wrong / wanted
        if self.error <= self._passing:
            self.stopped = "reached"
        return self.error <= self._passing

    def _draw(self, kind: str, wanted: int, use: Callable[[npt.NDArray[np.uint8]], None]) -> None:
        """Draw points, a chunk at a time, until there are as many as wanted."""
        n = len(self.p)
        rows = self.asked_per_point if kind == "score" else 1.0
        chunk = max(1, min(int(CHUNK_BYTES / (n * rows)), 1 << 16))
        while self.kept[kind] < wanted:
            m = min(chunk, wanted - self.kept[kind])
            if kind != "score":  # a small budget is spent to its end
                m = int(max(1, min(m, self.oracle.queries_left)))
            use(bits(self.p, m, self.generator))
            self.kept[kind] += m
            self.samples[kind] += m
            if self.progress is not None:
                self.progress(Progress(self.split, kind, self.kept[kind], wanted))

    def _add_scores(self, X: npt.NDArray[np.uint8]) -> None:
        answers = self._ask("score", X.copy())  # f may write into what it is given
        self.seen += np.bincount(answers, minlength=2)
        Y, row, i = _core.redraws(X, bits(self.p, len(X), self.generator))
        self.scores.add(X, _core.changes(answers, self._ask("score", Y), row, i, len(self.p)))

    def _add_labels(self, X: npt.NDArray[np.uint8]) -> None:
        self.labels.add(X, np.eye(2, dtype=np.uint8)[self._ask("label", X.copy())])

    def _ask(self, kind: str, X: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        before = self.oracle.n_queries, self.oracle.n_rechecked
        found = self.oracle.kinds(X)
        self.queries[kind] += self.oracle.n_queries - before[0] - (self.oracle.n_rechecked - before[1])
        return found

    def _needed(self) -> int:
        """About how many queries the present split still lacks."""
        lacking = {
            "score": self.schedule.scores(self.split) if self.split else 0,
            "label": self.schedule.labels(self.split),
            "error": self.schedule.errors(self.split),
        }
        per_point = {"score": self.asked_per_point, "label": 1.0, "error": 1.0}
        return int(sum(max(0, wanted - self.kept[kind]) * per_point[kind] for kind, wanted in lacking.items()))

    def _sums(self) -> npt.NDArray[np.int64]:
        """Labelled points by kind of answer at every node."""
        counts = self.labels.counts[: len(self.bare)].copy()
        for node in range(len(self.bare) - 1, -1, -1):
            if self.bare.left[node] >= 0:
                counts[node] = counts[self.bare.left[node]] + counts[self.bare.right[node]]
        return counts

    def _answers(self) -> npt.NDArray[np.int64]:
        """The kind that each node answers: its majority, where there is none that of the node above it."""
        counts = self._sums()
        _, rank = self.oracle.classes()
        label = np.zeros(len(self.bare), dtype=np.int64)
        for node, (first, second) in enumerate(counts.tolist()):
            above = self.bare.parent[node]
            if first != second:
                label[node] = int(second > first)
            elif above >= 0:
                label[node] = label[above]
            elif self.seen[0] != self.seen[1]:
                label[node] = int(self.seen[1] > self.seen[0])
            else:
                label[node] = int(np.argmin(rank)) if len(rank) else 0
        return label

    def _tree(self) -> Tree:
        """The labelled tree; branches that no labelled point reached answer as the node above them and are left out."""
        classes, rank = self.oracle.classes()
        counts, label = self._sums(), self._answers()
        if not counts[0].any():
            counts[0] = np.maximum(self.seen, 0)
        kept, place = BareTree(len(self.p)), {0: 0}
        for node in range(len(self.bare)):
            if node in place and self.bare.left[node] >= 0 and counts[node].any():
                children = kept.split(place[node], self.bare.variable[node])
                place |= dict(zip((self.bare.left[node], self.bare.right[node]), children, strict=True))
        old = np.array(sorted(place, key=place.__getitem__))
        by_class = np.zeros((len(kept), len(classes)), dtype=np.int64)
        by_class[:, rank] = counts[old][:, : len(rank)]
        if not by_class[0].any():
            by_class[0, rank[label[0]]] = 1
        return to_tree(kept, classes, by_class.astype(np.float64), by_class, rank[label[old]])


def _guarantee(schedule: Schedule, certified: bool, stopped: str, oracle: Oracle) -> str:
    if not certified:
        why = WHY_NOT.get(stopped, stopped)
        return f"Nothing is guaranteed: {why}.{_changed(oracle)}"
    splits = (
        "That each split is within a factor 4 of the best is not proved in this mode."
        if schedule.mode == "as_printed"
        else "With the same chance each split is within a factor 4 of the best, which bounds the size (Theorem 5.1)."
    )
    return (
        f"With probability at least {1 - schedule.delta:g} over the points drawn, the tree errs on at most "
        f"{schedule.epsilon:g} of the points of the product distribution that it was asked on, provided that equal "
        f"questions get equal answers. {splits}{_changed(oracle)}"
    )


def _changed(oracle: Oracle) -> str:
    if not oracle.n_changed:
        return ""
    share = f"{oracle.n_changed} of {oracle.n_rechecked} repeated questions were answered differently"
    return f" It is no function: {share}."
