"""How tight certificates are on real data: every kind beside the error on rows that nobody certified by.

split       a fifth of the rows is for testing alone; the others grow and weigh, half each, or grow and prune on four
            fifths and certify on the last one.
informed    half of the others grows, a fifth makes the prior, and three tenths weigh.
PILOT       figures of an earlier trial (SPEC A7): half of the rows weigh, one split.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bristlecone as bc
from bristlecone.certify import Certificate, WeighedTree, holdout, informed_priors, weigh
from bristlecone.certify.split import split_rows
from bristlecone.subtrees import cut
from bristlecone.tree import Tree

__all__ = ["PILOT", "Tight", "tightness"]

DELTA = 0.05
TEST, HALF, PLAIN = 0.2, 0.5, 0.2
PILOT: Mapping[str, Mapping[str, float]] = {
    "letter": {"pruned": 0.289, "gibbs": 0.221, "drawn": 0.221, "informed gibbs": 0.199, "hold-out": 0.151},
    "spam": {"pruned": 0.135, "gibbs": 0.125, "drawn": 0.125, "hold-out": 0.107},
    "bank": {"pruned": 0.101, "gibbs": 0.101, "drawn": 0.101, "informed gibbs": 0.096, "hold-out": 0.091},
    "eeg": {"pruned": 0.282, "drawn": 0.229, "hold-out": 0.201},
}

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Tight:
    """One certificate on one split. n: rows that certified; test: the predictor's error on the test rows; constant:
    that of the commonest class there; leaves: of its tree, on average for the Gibbs predictor."""

    set: str
    split: int
    kind: str
    n: int
    bound: float
    test: float
    constant: float
    leaves: float


def tightness(name: str, X: Any, y: Any, splits: int = 5) -> Iterator[Tight]:
    """Every kind of certificate on so many random splits. X: a frame or an array; y: (n_rows,) labels."""
    X, labels = _rows_of(X), np.asarray(y)
    for split in range(splits):
        apart = split_rows(len(labels), TEST, split)
        for kind, certificate, wrong, leaves in _every_kind(X, labels, apart.growing, apart.held_out, split):
            yield Tight(
                set=name,
                split=split,
                kind=kind,
                n=certificate.n,
                bound=certificate.value,
                test=wrong,
                constant=_commonest_wrong(labels[apart.growing], labels[apart.held_out]),
                leaves=float(leaves),
            )


Found = tuple[str, Certificate, float, float]


def _every_kind(X: Any, y: Any, rest: Places, test: Places, seed: int) -> Iterator[Found]:
    halves = split_rows(len(rest), HALF, seed)
    grows, weighs = rest[halves.growing], rest[halves.held_out]
    tree = bc.grow.cart(X.take(grows), y[grows])
    yield from _of_posterior("", weigh(tree, X.take(weighs), y[weighs], delta=DELTA), X.take(test), y[test], seed)
    parted = split_rows(len(weighs), 0.6, seed)
    prior, judge = weighs[parted.growing], weighs[parted.held_out]
    priors = informed_priors(tree, X.take(prior), y[prior])
    told = weigh(tree, X.take(judge), y[judge], delta=DELTA, priors=priors)
    yield from _of_posterior("informed ", told, X.take(test), y[test], seed)
    yield _plain(X, y, rest, test, seed)


def _of_posterior(words: str, weighed: WeighedTree, X: Any, y: Any, seed: int) -> Iterator[Found]:
    drawn = weighed.drawn(seed)
    vote = weighed.vote()
    mean_leaves = weighed.posterior.expected_leaves
    truth = weighed.posterior.risks(bc.subtrees.count(weighed.tree, X, y))
    yield f"{words}gibbs", weighed.gibbs(), truth.gibbs, mean_leaves
    yield f"{words}drawn", drawn.certificate, _wrong(cut(weighed.tree, drawn.leaves), X, y), float(drawn.leaves.sum())
    yield f"{words}pruned", weighed.of_pruning(), _wrong(weighed.pruned, X, y), weighed.pruned.n_leaves
    yield f"{words}vote", vote, truth.vote, mean_leaves


def _plain(X: Any, y: Any, rest: Places, test: Places, seed: int) -> Found:
    parted = split_rows(len(rest), PLAIN, seed)
    grows, judge = rest[parted.growing], rest[parted.held_out]
    model = bc.PrunedTreeClassifier(rule="min").fit(X.take(grows), y[grows])
    certificate = holdout(y[judge], model.predict(X.take(judge)), delta=DELTA)
    return "hold-out", certificate, float(np.mean(model.predict(X.take(test)) != y[test])), model.tree_.n_leaves


def _wrong(tree: Tree, X: Any, y: Any) -> float:
    return float(np.mean(tree.predict(X) != y))


def _commonest_wrong(seen: Any, y: Any) -> float:
    values, rows = np.unique(seen, return_counts=True)
    return float(np.mean(y != values[int(np.argmax(rows))]))


def _rows_of(X: Any) -> Any:
    """X as a table, read once."""
    return bc.table.as_table(X)
