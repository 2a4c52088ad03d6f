"""scikit-learn's own trees, put together from arrays. The one door to them for `export`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.tree.layout import depths, parents

__all__ = ["assemble"]


def assemble(
    classes: NDArray[Any] | None,
    n_columns: int,
    names: list[str] | None,
    nodes: Mapping[str, NDArray[Any]],
    value: NDArray[np.float64],
) -> Any:
    """A fitted DecisionTreeClassifier, or with classes None a DecisionTreeRegressor, around the arrays of a tree.

    names: of the columns, where it was fitted to a frame. nodes: scikit-learn's arrays by its names, (n_nodes,) each.
    value: class shares or values, (n_nodes, 1, n_classes or 1).
    """
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    from sklearn.tree._tree import Tree as TheirTree

    n_classes = 1 if classes is None else len(classes)
    held = TheirTree(n_columns, np.array([n_classes], dtype=np.intp), 1)
    state = held.__getstate__()
    packed = np.zeros(len(value), dtype=state["nodes"].dtype)
    for name, values in nodes.items():
        packed[name] = values
    held.__setstate__(
        state | {"max_depth": _depth(nodes), "node_count": len(value), "nodes": packed, "values": value.copy()}
    )
    model = DecisionTreeRegressor() if classes is None else DecisionTreeClassifier()
    model.tree_, model.n_features_in_, model.n_outputs_, model.max_features_ = held, n_columns, 1, n_columns
    if names is not None:
        model.feature_names_in_ = np.array(names, dtype=object)
    if classes is not None:
        model.classes_, model.n_classes_ = np.array(classes), n_classes
    return model


def _depth(nodes: Mapping[str, NDArray[Any]]) -> int:
    children = nodes["left_child"], nodes["right_child"]
    return int(depths(parents(*children)).max())
