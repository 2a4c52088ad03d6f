"""How long prunings take, beside a peer in the same run: a Markdown table of CPU times of one thread.

    python benchmarks/prunings.py

Figures are medians of works taken in turns. Paths are those of `weakest_link_path`, with the risks of its subtrees, on
regression trees of one row a leaf: a *bush* is grown from noisy rows. Weights are both passes of `fold` over a million
nodes, and e to the result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from works import binary

import bristlecone as bc
from bristlecone.subtrees import fold, weakest_link_path

Work = Callable[[], object]
Row = tuple[str, float, str, float]


def seconds(works: Sequence[Work], repeats: int = 5) -> list[float]:
    """The median CPU time of each work, all taken in turns."""
    spent: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for work, times in zip(works, spent, strict=True):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return [float(np.median(times)) for times in spent]


def noisy_rows(n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """4 normal columns, and a wave and a line with noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    return X, np.sin(3 * X[:, 0]) + X[:, 1] + rng.normal(size=n)


def random_children(n_inner: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """A tree of random shape, in pre-order."""
    rng = np.random.default_rng(0)
    left, right = (np.full(2 * n_inner + 1, -1, np.int32) for _ in range(2))
    stack = [(0, n_inner)]
    while stack:
        v, below = stack.pop()
        if below:
            first = int(rng.integers((below - 1) // 4, below - 1 - (below - 1) // 4 + 1))
            left[v], right[v] = v + 1, v + 2 + 2 * first
            stack += [(v + 1, first), (v + 2 + 2 * first, below - 1 - first)]
    return left, right


def paths() -> Iterator[Row]:
    """The path of a bush beside scikit-learn's, whose growth is taken off, and how it grows."""
    X, y = noisy_rows(10_000)
    tree, peer = bc.grow.cart(X, y, criterion="squared_error"), DecisionTreeRegressor()
    works: list[Work] = [
        lambda: weakest_link_path(tree).risks,
        lambda: peer.fit(X, y),
        lambda: peer.cost_complexity_pruning_path(X, y),
    ]
    ours, fit, whole = seconds(works, repeats=3)
    yield "path of a bush, 10,000 leaves", ours, "scikit-learn's path", whole - fit
    for n in (40_000, 160_000):
        large = bc.grow.cart(*noisy_rows(n), criterion="squared_error")
        again, more = seconds([works[0], lambda t=large: weakest_link_path(t).risks])  # type: ignore[misc]
        yield f"path of a bush, {n:,} leaves", more, "path of 10,000 leaves", again


def weights() -> Iterator[Row]:
    """Both passes over a million nodes beside one logaddexp, and ten strengths beside one."""
    n = 500_000
    children = random_children(n)
    phi, other = -10 * np.random.default_rng(0).random((2, 2 * n + 1))
    grid = np.ascontiguousarray(np.outer(phi, np.linspace(0.5, 2, 10)))
    one_sum, one, ten = seconds(
        [
            lambda: np.logaddexp(phi, other),
            lambda: np.exp(fold(children, phi, semiring="logaddexp").leaf),
            lambda: np.exp(fold(children, grid, semiring="logaddexp").leaf),
        ]
    )
    yield "weights of 1,000,001 nodes", one, "one np.logaddexp", one_sum
    yield "the same for ten strengths", ten, "one strength", one


def choices() -> Iterator[Row]:
    """Ten-fold choice of a pruning beside one unpruned fit of scikit-learn, on 50,000 x 20."""
    X, y = binary(np.random.default_rng(0), 50_000)
    single: Any = X.astype(np.float32)
    for leaf in (1, 7):
        base = bc.DecisionTreeClassifier(min_samples_leaf=leaf)
        ours, theirs = seconds(
            [
                lambda b=base: bc.PrunedTreeClassifier(base=b).fit(X, y),  # type: ignore[misc]
                lambda m=leaf: DecisionTreeClassifier(min_samples_leaf=m).fit(single, y),  # type: ignore[misc]
            ],
            repeats=3,
        )
        yield f"ten folds and 1-SE, leaves of {leaf}", ours, "scikit-learn's one fit", theirs


def votes() -> Iterator[Row]:
    """The vote of all prunings, chosen on forty points and two folds, beside one fit; its answers beside a tree's."""
    X, y = binary(np.random.default_rng(0), 50_000)
    single: Any = X.astype(np.float32)
    vote = bc.PACBayesTreeClassifier().fit(X, y)
    rows = np.random.default_rng(1).normal(size=(1_000_000, X.shape[1]))
    large = bc.grow.cart(*labelled_rows(1_570_000))
    weigh = partial(bc.subtrees.pac_bayes_weights, large, lambda2=0.5)
    phi, other = -10 * np.random.default_rng(0).random((2, large.n_nodes))
    fit, theirs, shares, answers, one_sum, one, ten = seconds(
        [
            lambda: bc.PACBayesTreeClassifier().fit(X, y),
            lambda: DecisionTreeClassifier().fit(single, y),
            lambda: vote.predict_proba(rows),
            lambda: vote.tree_.predict(rows),
            lambda: np.logaddexp(phi, other),
            lambda: weigh(lambda1=1.0),
            lambda: weigh(lambda1=np.linspace(0.5, 2, 10)),
        ]
    )
    yield "a vote, forty points on two folds", fit, "scikit-learn's one fit", theirs
    yield f"predict_proba by vote, {vote.tree_.n_leaves:,} leaves", shares, "plain predict", answers
    yield f"pac_bayes_weights, {large.n_nodes:,} nodes", one, "one np.logaddexp", one_sum
    yield "the same for ten strengths", ten, "one strength", one


def labelled_rows(n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """3 uniform columns, and two classes that they say nothing of."""
    rng = np.random.default_rng(0)
    return rng.random((n, 3)), rng.integers(0, 2, n)


def main() -> None:
    """Measure, and print the table."""
    print("| work | seconds | beside | seconds | ratio |\n|---|---|---|---|---|")
    for part in (paths, weights, choices, votes):
        for name, ours, beside, theirs in part():
            print(f"| {name} | {ours:.4g} | {beside} | {theirs:.4g} | {theirs / ours:.3g} |", flush=True)


if __name__ == "__main__":
    main()
