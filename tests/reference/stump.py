"""A scikit-learn stump as a measure: the best gain it finds on some rows."""

from __future__ import annotations

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

SHARED_CRITERIA = ("gini", "entropy", "squared_error", "absolute_error", "poisson")


def stump_gain(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray | None, criterion: str, min_samples_leaf: int = 1
) -> float | None:
    """Impurity decrease of a depth-1 scikit-learn tree on these rows, or None where it does not split."""
    kind = DecisionTreeClassifier if criterion in ("gini", "entropy") else DecisionTreeRegressor
    stump = kind(criterion=criterion, max_depth=1, min_samples_leaf=min_samples_leaf, random_state=0)
    tree = stump.fit(X, y, sample_weight=weights).tree_
    if tree.node_count == 1:
        return None
    whole, left, right = tree.weighted_n_node_samples * tree.impurity
    return (whole - left - right) / tree.weighted_n_node_samples[0]
