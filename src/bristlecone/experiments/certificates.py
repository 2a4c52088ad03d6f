"""How tight certificates are on real data: every kind beside the error on rows that nobody certified by.

split       a fifth of the rows is for testing alone; the others grow and weigh, half each, or grow and prune on four
            fifths and certify on the last one.
informed    half of the others grows, a fifth makes the prior, and three tenths weigh.
PILOT       figures of an earlier trial (SPEC A7): half of the rows weigh, one split.
WITHOUT     a column of thousands of levels, by which a tree learns its growing rows by heart: the set is measured with
            it and without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bristlecone as bc
from bristlecone.certify import Certificate, WeighedTree, holdout, informed_priors, weigh
from bristlecone.certify.split import split_rows
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.needs import needed
from bristlecone.experiments.outcomes import grouped, markdown, write_rows
from bristlecone.experiments.pictures import panels, saved
from bristlecone.experiments.sets import SHIPPED
from bristlecone.experiments.study import Loaded, loaded
from bristlecone.subtrees import cut
from bristlecone.tree import Tree

__all__ = ["EXPERIMENT", "PILOT", "Tight", "of_set", "summary", "tightness"]

NAME = "certificates"

DELTA = 0.05
TEST, HALF, PLAIN = 0.2, 0.5, 0.2
PILOT: Mapping[str, Mapping[str, float]] = {
    "letter": {"pruned": 0.289, "gibbs": 0.221, "drawn": 0.221, "informed gibbs": 0.199, "hold-out": 0.151},
    "spam": {"pruned": 0.135, "gibbs": 0.125, "drawn": 0.125, "hold-out": 0.107},
    "bank": {"pruned": 0.101, "gibbs": 0.101, "drawn": 0.101, "informed gibbs": 0.096, "hold-out": 0.091},
    "eeg": {"pruned": 0.282, "drawn": 0.229, "hold-out": 0.201},
}

WITHOUT: Mapping[str, str] = {"flights": "tailnum"}

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


KINDS = ("gibbs", "drawn", "pruned", "vote", "hold-out")


def summary(found: Sequence[Tight]) -> str:
    """A Markdown table: the mean bound of each kind, in brackets the error on the test rows."""
    of = grouped(found, lambda one: (one.set, one.kind))
    rows = []
    for name in dict.fromkeys(one.set for one in found):
        first = of[name, KINDS[0]]
        cells = [f"{_mean(of[name, kind], 'bound'):.3f} ({_mean(of[name, kind], 'test'):.3f})" for kind in KINDS]
        rows.append([name, f"{first[0].n:,}", f"{_mean(first, 'constant'):.3f}", *cells])
    return markdown(["set", "n", "majority", *KINDS], rows)


def _mean(of: Sequence[Tight], name: str) -> float:
    return float(np.mean([getattr(one, name) for one in of]))


def of_set(data: Loaded, splits: int) -> Iterator[Tight]:
    """Every kind on one set, and on the same without the column that `WITHOUT` names."""
    yield from tightness(data.name, data.X, data.y, splits)
    if data.name in WITHOUT:
        column = WITHOUT[data.name]
        yield from tightness(f"{data.name}, no {column}", data.X.drop(columns=column), data.y, splits)


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    needed("matplotlib")
    found: list[Tight] = []
    for data in loaded(asked):
        found += of_set(data, asked.splits)
        asked.say(f"{data.name} done")
    write_rows(asked.table(NAME), found)
    _draw(found, asked)
    return summary(found)


def _draw(found: Sequence[Tight], asked: Asked) -> None:
    of = grouped(found, lambda one: (one.set, one.kind))
    names = list(dict.fromkeys(one.set for one in found))
    kinds = list(dict.fromkeys(one.kind for one in found))
    figure, axes = panels(len(names), columns=3)
    for ax, name in zip(axes, names, strict=True):
        where = np.arange(len(kinds))
        for k, kind in enumerate(kinds):
            ax.plot([one.bound for one in of[name, kind]], np.full(len(of[name, kind]), k), "o", color="C0", ms=3)
        ax.plot([_mean(of[name, kind], "test") for kind in kinds], where, "|", color="black", ms=10, label="test error")
        pilot = [(value, kinds.index(kind)) for kind, value in PILOT.get(name, {}).items() if kind in kinds]
        if pilot:
            ax.plot(*zip(*pilot, strict=True), "x", color="C3", ms=5, label="pilot")
        ax.set_yticks(where, kinds, fontsize=7)
        ax.invert_yaxis()
        ax.set(title=f"{name}, n = {of[name, KINDS[0]][0].n:,}", xlabel="bound")
        ax.legend(fontsize=7)
    saved(figure, asked.picture(NAME))


EXPERIMENT = Experiment(
    name=NAME,
    source="docs/certificates.md: every certificate beside the error on test rows, and beside a plain held-out test",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    sets=("spam", "digits", "mushroom", "letter", "bank", "eeg", "adult", "flights"),
    quick_sets=SHIPPED[:1],
    splits=5,
    quick_splits=1,
)
