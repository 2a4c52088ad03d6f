"""Gain and gain ratio of any partition, two-way or more, from class counts. SPEC B1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bristlecone.grow.criteria import Criterion, names_of
from bristlecone.grow.parameters import check_parameters, one_of

__all__ = ["gain", "gain_ratio", "impurity"]

Floats = npt.NDArray[np.float64]


def impurity(counts: npt.ArrayLike, criterion: str = "gini") -> float:
    """The impurity of class counts, shape (K,). criterion: one over classes; "gain_ratio" gives the entropy (bits).

    With two classes "sqrt" is 2 sqrt(p (1 - p)); with more it is summed one-vs-rest (SPEC D1).
    """
    check_parameters({"criterion": criterion}, {"criterion": one_of(*names_of("classification"))})
    of_shares = Criterion(criterion).impurity
    assert of_shares is not None
    weights = _counts(counts, "counts")
    total = weights.sum()
    return of_shares(weights / total) if total > 0 else 0.0


def gain(parent: npt.ArrayLike, children: npt.ArrayLike, criterion: str = "entropy") -> float:
    """How much a partition lowers the impurity: that of the parent minus the children's, each by its share.

    parent: (K,) class counts; children: (n_children, K) class counts that add up to the parent's.
    Raises ValueError for negative or missing counts and for children that do not add up.
    """
    whole, parts = _partition(parent, children)
    shares = parts.sum(axis=1) / whole.sum()
    return impurity(whole, criterion) - float(
        sum(share * impurity(part, criterion) for share, part in zip(shares, parts, strict=True))
    )


def gain_ratio(parent: npt.ArrayLike, children: npt.ArrayLike) -> float:
    """Entropy gain over the entropy of the partition itself (Quinlan 1993); 0 for a partition into one child.

    parent: (K,) class counts; children: (n_children, K). Raises ValueError as `gain` does. The ratio alone does not
    keep out columns with many values (SPEC, case C76): growth also asks for at least the average gain.
    """
    whole, parts = _partition(parent, children)
    split_information = impurity(parts.sum(axis=1), "entropy")
    return gain(whole, parts) / split_information if split_information > 0 else 0.0


def _counts(given: npt.ArrayLike, name: str) -> Floats:
    counts = np.asarray(given, dtype=np.float64)
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise ValueError(f"{name} must be finite numbers >= 0; got {given!r}")
    return counts


def _partition(parent: npt.ArrayLike, children: npt.ArrayLike) -> tuple[Floats, Floats]:
    whole, parts = _counts(parent, "parent"), _counts(children, "children")
    if whole.ndim != 1 or parts.ndim != 2 or parts.shape[1] != len(whole):
        raise ValueError(f"expected parent (K,) and children (n_children, K); got {whole.shape} and {parts.shape}")
    if whole.sum() == 0 or not np.allclose(parts.sum(axis=0), whole, rtol=1e-9, atol=0.0):
        raise ValueError("the children's counts must add up to the parent's, which must not be empty")
    return whole, parts
