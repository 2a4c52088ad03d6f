"""Figure 2b of the product-space paper: recovered size against n, targets of 8 leaves. SPEC C6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bristlecone.experiments import product_figure2 as shared
from bristlecone.experiments.experiment import Asked, Experiment
from bristlecone.experiments.product_figure2 import CHANCES, Figure, Task

__all__ = ["EXPERIMENT", "tasks"]

NAME = "product-figure2b"
EPSILON = 0.15
VARIABLES = (3, 4, 5, 6, 7)


def tasks(seeds: Sequence[int], variables: Sequence[int] = VARIABLES, epsilon: float = EPSILON) -> Iterator[Task]:
    """Balanced trees of depth 3 and chains of 8 leaves (fewer where the variables do not allow them)."""
    for n in variables:
        for shape, measure in (("balanced", 3), ("chain", 8)):
            for p in CHANCES:
                for seed in seeds:
                    yield Task(shape, measure, n, p, epsilon, seed)


def run(asked: Asked) -> str:
    """Measure, write and draw."""
    seeds = range(asked.splits)
    figure = Figure(name=NAME, across="n", of=lambda one: one.n)
    return shared.run(asked, figure, tasks(seeds, VARIABLES[:2], 0.4) if asked.quick else tasks(seeds))


EXPERIMENT = Experiment(
    name=NAME,
    source=f"{shared.SOURCE}, figure 2b: recovered size against n",
    writes=(f"{NAME}.csv", f"{NAME}.png"),
    run=run,
    splits=10,
    quick_splits=1,
)
