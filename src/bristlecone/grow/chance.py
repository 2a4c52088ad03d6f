"""Seeds, as everything that draws at random takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Rng", "generator"]

Rng = np.random.Generator


def generator(random_state: Any) -> Rng:
    """A source of chance. random_state: None (a new one each time), a whole number of at least 0, or a Generator."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    whole = isinstance(random_state, int | np.integer) and not isinstance(random_state, bool) and random_state >= 0
    if not whole and random_state is not None:
        raise ValueError(f"random_state={random_state!r:.60}: must be None, a whole number >= 0, or a Generator")
    return np.random.default_rng(random_state)
