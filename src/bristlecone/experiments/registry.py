"""Every experiment by its name. A new one is a file beside this one and a line in it."""

from __future__ import annotations

from bristlecone.experiments import pacbayes_rates, pruning_sizes
from bristlecone.experiments.experiment import Experiment, near

__all__ = ["EXPERIMENTS", "experiment"]

EXPERIMENTS: dict[str, Experiment] = {one.name: one for one in (pacbayes_rates.EXPERIMENT, pruning_sizes.EXPERIMENT)}


def experiment(name: str) -> Experiment:
    """The experiment of that name. Raises ValueError with names that come near it."""
    if name not in EXPERIMENTS:
        raise ValueError(f"there is no experiment {name!r}; {near(name, EXPERIMENTS)}")
    return EXPERIMENTS[name]
