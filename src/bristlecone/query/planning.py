"""What learning by asking will cost, before it starts."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from bristlecone.query.checks import check_whole
from bristlecone.query.distributions import ProductDistribution
from bristlecone.query.functions import as_oracle
from bristlecone.query.sizes import Mode, asked_per_point, schedule_of

__all__ = ["Plan", "PlannedSplit", "plan"]

TRIED = 2048  # questions that the oracle's speed is measured with


class PlannedSplit(NamedTuple):
    """All that has been spent when split j is done (0: the single leaf was tested): points drawn, queries, seconds."""

    split: int
    n_samples: int
    n_queries: float
    seconds: float


@dataclass(frozen=True)
class Plan:
    """The cost of a run by splits; its text is a table. queries_per_second: of the oracle, as measured."""

    splits: tuple[PlannedSplit, ...]
    queries_per_second: float

    def __str__(self) -> str:
        head = f"{'splits':>6} {'points':>14} {'queries':>16} {'seconds':>12}"
        rows = [f"{s.split:>6} {s.n_samples:>14,} {s.n_queries:>16,.0f} {s.seconds:>12,.1f}" for s in self.splits]
        return "\n".join([head, *rows])


def plan(
    f: Any,
    dist: ProductDistribution,
    epsilon: float,
    delta: float = 0.05,
    *,
    mode: Mode = "pool",
    check_root: bool | None = None,
    n_splits: int = 16,
    random_state: Any = None,
) -> Plan:
    """How many queries `learn_tree` will have asked after each split, and how long f will have taken to answer them.

    How many splits there will be is not known before: n_splits says how many to look at, at least one. Other arguments
    as for `learn_tree`; f is asked 2,048 questions to measure its speed, or as many as an Oracle's budget still allows.
    Queries are expectations: draws that change nothing are not asked. Raises ValueError naming the parameter, or where
    the budget allows none. Source: SPEC C4-C5.
    """
    schedule = schedule_of(mode, dist, epsilon, delta, check_root)
    check_whole(1, n_splits=n_splits)
    speed = _speed(f, dist, random_state)
    per_point = asked_per_point(dist.p)
    scores = errors = 0
    rows = []
    for j in range(0 if schedule.root else 1, int(n_splits) + 1):
        if j:
            scores = schedule.scores(j) + (0 if schedule.keeps else scores)
        errors += schedule.errors(j)
        tested = schedule.labels(j) + errors
        queries = scores * per_point + tested
        rows.append(PlannedSplit(j, scores + tested, queries, queries / speed))
    return Plan(tuple(rows), speed)


def _speed(f: Any, dist: ProductDistribution, random_state: Any) -> float:
    oracle = as_oracle(f, dist)
    m = int(min(TRIED, oracle.queries_left))
    if m == 0 or oracle.seconds_left <= 0:
        raise ValueError("the oracle's budget is spent: its speed cannot be measured")
    X = dist.sample(m, random_state)
    started = time.perf_counter()
    oracle.kinds(X)
    return m / max(time.perf_counter() - started, 1e-9)
