"""A tree as the dictionary that `shap.TreeExplainer` takes in place of a model."""

from typing import Any

import numpy as np

from bristlecone.export.answers import tree_of

__all__ = ["shap"]


def shap(model: Any) -> dict[str, Any]:
    """The tree for `shap.TreeExplainer(bristlecone.export.shap(model))`: class shares by class, or the number.

    model: a Tree or a fitted estimator. Its values and the expected value add up to the tree's own answer: left is
    x <= the number below the threshold, in float64, and a missing cell goes where the tree sends it. X is an array of
    all columns in order. Errors: TypeError naming a column that is split by levels, which the form cannot say (a Tree's
    `contributions` can); ValueError for missing="error".
    """
    tree = tree_of(model)
    inner = tree.children_left >= 0
    for node in np.flatnonzero(inner & (np.diff(tree.level_ptr) > 0)):
        name = tree.schema.columns[tree.feature[node]].name
        raise TypeError(f"column {name!r} is split by levels, which SHAP's form cannot say; use contributions()")
    if inner.any() and tree.missing == "error":
        raise ValueError("SHAP cannot refuse a row, and this tree refuses missing values (missing='error')")
    default = np.where(tree.missing_go_to_left != 0, tree.children_left, tree.children_right)
    threshold = np.where(inner, np.nextafter(tree.threshold, -np.inf), tree.threshold)
    arrays = {
        "children_left": tree.children_left.copy(),
        "children_right": tree.children_right.copy(),
        "children_default": np.where(inner, default, -1).astype(np.int32),
        "features": tree.feature.copy(),
        "thresholds": threshold,
        "values": tree.value[:, 0, :].copy(),
        "node_sample_weight": tree.weighted_n_node_samples.copy(),
    }
    return {"trees": [arrays]}
