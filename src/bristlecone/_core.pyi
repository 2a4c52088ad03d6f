# The kernels, as the bindings in cpp/bindings/ register them; tests/test_stub.py compares the two.

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

class Columns:
    def __init__(self, arrays: Sequence[NDArray[Any]], n_levels: Sequence[int], n_rows: int) -> None: ...
    @property
    def n_rows(self) -> int: ...
    def __len__(self) -> int: ...

class Router:
    def __init__(self, arrays: dict[str, NDArray[Any]], n_features: int) -> None: ...
    def apply(
        self, columns: Columns, unseen: str, refuse_missing: bool, ask_infinite: bool, n_threads: int
    ) -> tuple[NDArray[np.int64], int, int, int, bool]: ...

def any_infinite(block: NDArray[np.floating[Any]]) -> bool: ...
def code_labels(labels: NDArray[np.int64], range: int) -> tuple[bytes, bytes] | None: ...
def grow(
    columns: Columns,
    criterion: str,
    label: NDArray[np.int32] | None,
    n_classes: int,
    y: NDArray[np.float64] | None,
    weight: NDArray[np.float64] | None,
    options: dict[str, Any],
) -> dict[str, Any]: ...
def weakest_links(
    children_left: NDArray[np.int32], children_right: NDArray[np.int32], risk: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
def weakest_links_of_counts(
    children_left: NDArray[np.int32], children_right: NDArray[np.int32], risk: NDArray[np.int64], unit: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
def fold_cheapest(
    children_left: NDArray[np.int32],
    children_right: NDArray[np.int32],
    leaf: NDArray[np.float64],
    inner: NDArray[np.float64] | None,
    branch: NDArray[np.float64],
    place: NDArray[np.uint8],
) -> None: ...
def fold_weights(
    children_left: NDArray[np.int32],
    children_right: NDArray[np.int32],
    leaf: NDArray[np.float64],
    inner: NDArray[np.float64] | None,
    total: NDArray[np.float64],
    node: NDArray[np.float64],
    end: NDArray[np.float64],
) -> None: ...
def fold_log_sums(
    children_left: NDArray[np.int32],
    children_right: NDArray[np.int32],
    leaf: NDArray[np.float64],
    inner: NDArray[np.float64] | None,
    branch: NDArray[np.float64],
) -> None: ...
def grow_dyadic(
    columns: Columns,
    label: NDArray[np.int32],
    n_classes: int,
    weight: NDArray[np.float64] | None,
    ranges: NDArray[np.float64] | None,
    max_depth: int,
    turns: int,
    stop_pure: bool,
    n_threads: int,
) -> dict[str, Any]: ...
def grow_kd(
    columns: Columns,
    label: NDArray[np.int32],
    n_classes: int,
    weight: NDArray[np.float64] | None,
    axis: str,
    max_depth: int,
    stop_pure: bool,
    n_threads: int,
) -> dict[str, Any]: ...
def own_label_units(
    children_left: NDArray[np.int32],
    children_right: NDArray[np.int32],
    entry_ptr: NDArray[np.int64],
    entry_class: NDArray[np.int32],
    units: NDArray[np.int64],
    label: NDArray[np.int32],
    n_classes: int,
    in_branch: NDArray[np.int64],
    of_label: NDArray[np.int64],
) -> None: ...
def vote_labels(
    children_left: NDArray[np.int32],
    children_right: NDArray[np.int32],
    label: NDArray[np.int32],
    n_classes: int,
    silent: NDArray[np.uint8],
    node: NDArray[np.float64],
    leaf: NDArray[np.float64],
    winner: NDArray[np.int32],
) -> None: ...
def vote_masses(
    children_left: NDArray[np.int32],
    children_right: NDArray[np.int32],
    label: NDArray[np.int32],
    n_classes: int,
    silent: NDArray[np.uint8],
    node: NDArray[np.float64],
    leaf: NDArray[np.float64],
    entry_ptr: NDArray[np.int64],
    entry_class: NDArray[np.int32],
    mass: NDArray[np.float64],
) -> None: ...
def vote_agreements(
    children_left: NDArray[np.int32],
    children_right: NDArray[np.int32],
    label: NDArray[np.int32],
    n_classes: int,
    silent: NDArray[np.uint8],
    node: NDArray[np.float64],
    leaf: NDArray[np.float64],
    agreement: NDArray[np.float64],
) -> None: ...
def weigh_online(
    children_left: NDArray[np.int32],
    children_right: NDArray[np.int32],
    stop: NDArray[np.int32],
    y: NDArray[np.uint8],
    value: NDArray[np.float64],
    beta: float,
    leaf: NDArray[np.float64],
    inner: NDArray[np.float64],
    predicted: NDArray[np.float64],
) -> None: ...
def table_influences(table: NDArray[np.uint8], p: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, float]: ...
def tree_influences(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    variable: NDArray[np.int32],
    answer: NDArray[np.uint8],
    p: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float]: ...
def restrict_tree(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    variable: NDArray[np.int32],
    answer: NDArray[np.uint8],
    forced: NDArray[np.uint8],
    known: int,
    value: bool,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]: ...
def changes(
    before: NDArray[np.int64],
    after: NDArray[np.int64],
    row: NDArray[np.int32],
    coordinate: NDArray[np.int32],
    n: int,
) -> NDArray[np.uint8]: ...
def leaves_reached(
    left: NDArray[np.int32], right: NDArray[np.int32], variable: NDArray[np.int32], points: NDArray[np.uint8]
) -> NDArray[np.int32]: ...
def marks_by_leaf(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    variable: NDArray[np.int32],
    points: NDArray[np.uint8],
    marks: NDArray[np.uint8],
    keeps: bool,
    counts: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint8]]: ...
def sides_of_marks(
    packed: NDArray[np.uint8], times: NDArray[np.uint32], n: int, n_marks: int, variable: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
def redraws(
    points: NDArray[np.uint8], fresh: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]: ...
def optimal_tree(
    table: NDArray[np.uint8], p: NDArray[np.float64], epsilon: float
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]: ...
