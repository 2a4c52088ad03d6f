"""Adversaries: each corrupts a share eta of a sample in its own way. One file each, registered here.

An adversary is a function of (X, y, eta, *, random_state) to a `Corrupted`; options of its own follow as keywords. It
replaces no more than the share eta of the rows and keeps their number. SPEC D8.
"""

from __future__ import annotations

from collections.abc import Callable

from bristlecone.noise.adversaries.class_conditional_flip import class_conditional_flip
from bristlecone.noise.adversaries.feature_replace import feature_replace
from bristlecone.noise.adversaries.greedy_cancel import greedy_cancel
from bristlecone.noise.adversaries.insert_worst import insert_worst
from bristlecone.noise.adversaries.oblivious_mixture import oblivious_mixture
from bristlecone.noise.adversaries.random_label_flip import random_label_flip
from bristlecone.noise.adversaries.table_shift import table_shift
from bristlecone.noise.adversaries.targeted_label_flip import targeted_label_flip
from bristlecone.noise.adversaries.tribes_cancel import tribes_cancel
from bristlecone.noise.sample import Corrupted

__all__ = [
    "ADVERSARIES",
    "class_conditional_flip",
    "feature_replace",
    "greedy_cancel",
    "insert_worst",
    "oblivious_mixture",
    "random_label_flip",
    "table_shift",
    "targeted_label_flip",
    "tribes_cancel",
]

ADVERSARIES: dict[str, Callable[..., Corrupted]] = {
    adversary.__name__: adversary
    for adversary in (
        random_label_flip,
        class_conditional_flip,
        targeted_label_flip,
        feature_replace,
        insert_worst,
        greedy_cancel,
        oblivious_mixture,
        tribes_cancel,
        table_shift,
    )
}
"""By name, in the order in which reports show them."""
