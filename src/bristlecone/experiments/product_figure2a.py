"""Figure 2a of the product-space paper: recovered size against 1 / epsilon, targets of 16 leaves. SPEC C6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bristlecone.experiments.product_figure2 import CHANCES, Figure, Task

__all__ = ["EXPERIMENT", "tasks"]

EPSILONS = (0.30, 0.25, 0.20, 0.15, 0.10)


def tasks(seeds: Sequence[int], epsilons: Sequence[float] = EPSILONS) -> Iterator[Task]:
    """Balanced trees of depth 4 and chains of 16 leaves."""
    for epsilon in epsilons:
        for shape, measure in (("balanced", 4), ("chain", 16)):
            for p in CHANCES:
                for seed in seeds:
                    yield Task(shape, measure, 20, p, epsilon, seed)


EXPERIMENT = Figure(
    name="product-figure2a",
    across="1 / epsilon",
    of=lambda one: 1 / one.epsilon,
    tasks=tasks,
    quick_tasks=lambda seeds: tasks(seeds, (0.5, 0.4)),
).experiment
