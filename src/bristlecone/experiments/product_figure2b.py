"""Figure 2b of the product-space paper: recovered size against n, targets of 8 leaves. SPEC C6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bristlecone.experiments.product_figure2 import CHANCES, Figure, Task

__all__ = ["EXPERIMENT", "tasks"]

EPSILON = 0.15
VARIABLES = (3, 4, 5, 6, 7)


def tasks(seeds: Sequence[int], variables: Sequence[int] = VARIABLES, epsilon: float = EPSILON) -> Iterator[Task]:
    """Balanced trees of depth 3 and chains of 8 leaves (fewer where the variables do not allow them)."""
    for n in variables:
        for shape, measure in (("balanced", 3), ("chain", 8)):
            for p in CHANCES:
                for seed in seeds:
                    yield Task(shape, measure, n, p, epsilon, seed)


EXPERIMENT = Figure(
    name="product-figure2b",
    across="n",
    of=lambda one: one.n,
    tasks=tasks,
    quick_tasks=lambda seeds: tasks(seeds, VARIABLES[:2], 0.4),
).experiment
