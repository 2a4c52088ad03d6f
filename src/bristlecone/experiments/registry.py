"""Every experiment by its name. A new one is a file beside this one and a line here."""

from __future__ import annotations

from bristlecone.experiments import (
    certificates,
    certificates_validity,
    distill_models,
    failure_cases,
    instability,
    noise_adversaries,
    noise_hard_instance,
    noise_theorem31,
    noise_theorem54,
    pacbayes_figure2,
    pacbayes_rates,
    pacbayes_table2,
    product_bounds,
    product_figure2a,
    product_figure2b,
    product_greedy,
    pruning_sizes,
    vote_sizes,
)
from bristlecone.experiments.experiment import Experiment, near

__all__ = ["EXPERIMENTS", "experiment"]

_ROOMS = (
    pacbayes_table2,
    pacbayes_figure2,
    pacbayes_rates,
    vote_sizes,
    pruning_sizes,
    certificates,
    certificates_validity,
    noise_adversaries,
    noise_hard_instance,
    noise_theorem31,
    noise_theorem54,
    product_figure2a,
    product_figure2b,
    product_bounds,
    product_greedy,
    distill_models,
    instability,
    failure_cases,
)

EXPERIMENTS: dict[str, Experiment] = {room.EXPERIMENT.name: room.EXPERIMENT for room in _ROOMS}


def experiment(name: str) -> Experiment:
    """The experiment of that name. Raises ValueError with names that come near it."""
    if name not in EXPERIMENTS:
        raise ValueError(f"there is no experiment {name!r}; {near(name, EXPERIMENTS)}")
    return EXPERIMENTS[name]
