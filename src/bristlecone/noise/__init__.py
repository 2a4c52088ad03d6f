"""What bad data does to a tree: adversaries, reports of what it stands, the paper's hard instance. Floor 6."""

from bristlecone.noise import hard
from bristlecone.noise.advantage_display import AdvantageDisplay
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
from bristlecone.noise.theorem import error_bound, eta_max, log_size
from bristlecone.noise.tolerance import tolerance_report
from bristlecone.noise.tolerance_display import ToleranceDisplay
from bristlecone.noise.tolerance_table import BreakEven, ToleranceReport, Trial
from bristlecone.noise.weak_learning import NodeAdvantage, WeakLearningReport, weak_learning_report

__all__ = [
    "ADVERSARIES",
    "AdvantageDisplay",
    "BreakEven",
    "Corrupted",
    "MonotoneTarget",
    "NodeAdvantage",
    "ToleranceDisplay",
    "ToleranceReport",
    "Trial",
    "WeakLearningReport",
    "class_conditional_flip",
    "error_bound",
    "eta_max",
    "feature_replace",
    "greedy_cancel",
    "hard",
    "insert_worst",
    "log_size",
    "monotone_dnf",
    "monotone_tree",
    "oblivious_mixture",
    "random_label_flip",
    "table_shift",
    "targeted_label_flip",
    "tolerance_report",
    "tribes_cancel",
    "weak_learning_report",
]
