"""The arrays of a tree: their names and number types, and how foreign arrays become them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]

# Length of each array: nodes, nodes plus one, level entries, or count entries.
NODES, NODES_PLUS_1, LEVELS, COUNTS = "nodes", "nodes + 1", "level_code", "count_class"

FIELDS: dict[str, tuple[type[np.generic], str]] = {
    "children_left": (np.int32, NODES),
    "children_right": (np.int32, NODES),
    "feature": (np.int32, NODES),
    "threshold": (np.float64, NODES),
    "missing_go_to_left": (np.uint8, NODES),
    "level_ptr": (np.int64, NODES_PLUS_1),
    "level_code": (np.int32, LEVELS),
    "level_left": (np.uint8, LEVELS),
    "heuristic": (np.uint8, NODES),
    "n_node_samples": (np.int64, NODES),
    "weighted_n_node_samples": (np.float64, NODES),
    "impurity": (np.float64, NODES),
    "prediction": (np.float64, NODES),
    "label": (np.int32, NODES),
    "count_ptr": (np.int64, NODES_PLUS_1),
    "count_class": (np.int32, COUNTS),
    "count_weight": (np.float64, COUNTS),
    "count_rows": (np.int64, COUNTS),
}


DTYPES = {name: np.dtype(kind) for name, (kind, _) in FIELDS.items()}


def from_core(held: Mapping[str, bytes]) -> dict[str, Array]:
    """The arrays of a tree, by name, out of the compiled core's bytes; nobody can make them writable."""
    view = np.frombuffer
    return {name: view(held[name], dtype) for name, dtype in DTYPES.items()}


def frozen(array: Array) -> Array:
    """A copy that nobody can make writable again: routing trusts what was checked once."""
    if array.dtype.hasobject or array.size == 0:
        copy = array.copy()
        copy.setflags(write=False)
        return copy
    return np.frombuffer(array.tobytes(), dtype=array.dtype).reshape(array.shape)


def read_only(array: Array) -> Array:
    """The same array, closed against mistakes: for what is derived and never steers the compiled walk."""
    array.setflags(write=False)
    return array


def as_field(name: str, given: object) -> Array:
    """`given` as the array `name` of a tree: one dimension, its number type, nothing rounded or wrapped around.

    Raises TypeError for another kind of content, ValueError for shape and range.
    """
    dtype = np.dtype(FIELDS[name][0])
    try:
        array = np.asarray(given)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name} is not an array: {error}") from None
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got {array.ndim}")
    if array.size == 0:
        return frozen(array.astype(dtype) if array.dtype.kind in "biuf" else np.empty(0, dtype))
    allowed = "iuf" if dtype.kind == "f" else "iub" if dtype == np.uint8 else "iu"
    if array.dtype.kind not in allowed:
        raise TypeError(f"{name} must hold {dtype.name} numbers, got {array.dtype}")
    if dtype.kind in "iu":
        _check_range(name, array, dtype)
    return frozen(array.astype(dtype))


def _check_range(name: str, array: Array, dtype: np.dtype[Any]) -> None:
    low, high = int(array.min()), int(array.max())
    limits = np.iinfo(dtype)
    top = 1 if dtype == np.uint8 else int(limits.max)
    if low < int(limits.min) or high > top:
        worst = low if low < int(limits.min) else high
        raise ValueError(f"{name} holds {worst}, beyond {top if worst > 0 else int(limits.min)}")


def check_lengths(arrays: dict[str, Array]) -> int:
    """The number of nodes; ValueError when an array has another length than the tree asks for."""
    n_nodes = len(arrays["children_left"])
    if n_nodes == 0:
        raise ValueError("a tree has at least one node")
    for name, (_, length) in FIELDS.items():
        expected = {
            NODES: n_nodes,
            NODES_PLUS_1: n_nodes + 1,
            LEVELS: len(arrays["level_code"]),
            COUNTS: len(arrays["count_class"]),
        }[length]
        if len(arrays[name]) != expected:
            raise ValueError(f"{name} has length {len(arrays[name])}, expected {expected}")
    return n_nodes


def unused(task: str, n_nodes: int) -> dict[str, Array]:
    """Arrays for what a tree does not use: no level sets; in regression no classes, else no clipped probability."""
    no_entries = np.zeros(n_nodes + 1, dtype=np.int64)
    common: dict[str, Array] = {
        "level_ptr": no_entries,
        "level_code": np.empty(0, np.int32),
        "level_left": np.empty(0, np.uint8),
        "heuristic": np.zeros(n_nodes, np.uint8),
    }
    if task != "regression":
        return common | {"prediction": np.full(n_nodes, np.nan)}
    return common | {
        "label": np.full(n_nodes, -1, np.int32),
        "count_ptr": no_entries,
        "count_class": np.empty(0, np.int32),
        "count_weight": np.empty(0),
        "count_rows": np.empty(0, np.int64),
    }
