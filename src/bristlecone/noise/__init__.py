"""What bad data does to a tree: adversaries, reports of what it stands, the paper's hard instance. Floor 6."""

from bristlecone.noise import hard
from bristlecone.noise.adversaries import (
    ADVERSARIES,
    class_conditional_flip,
    feature_replace,
    greedy_cancel,
    insert_worst,
    oblivious_mixture,
    random_label_flip,
    table_shift,
    targeted_label_flip,
    tribes_cancel,
)
from bristlecone.noise.monotone import MonotoneTarget, monotone_dnf, monotone_tree
from bristlecone.noise.sample import Corrupted

__all__ = [
    "ADVERSARIES",
    "Corrupted",
    "MonotoneTarget",
    "class_conditional_flip",
    "feature_replace",
    "greedy_cancel",
    "hard",
    "insert_worst",
    "monotone_dnf",
    "monotone_tree",
    "oblivious_mixture",
    "random_label_flip",
    "table_shift",
    "targeted_label_flip",
    "tribes_cancel",
]
